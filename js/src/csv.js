// Rows typed, pasted or read from a file: two numbers and a label, in any usual separator; says which line is wrong.
import { LIMITS } from "./state.js";

/** @typedef {import("./state.js").Example} Example */

const POSITIVE = ["+1", "1", "+", "true", "yes", "p", "pos", "positive"];
const NEGATIVE = ["-1", "−1", "0", "-", "−", "false", "no", "n", "neg", "negative"];

/** @param {string} text @returns {{points: Example[], problem: string, classes: string[]}} */
export function parseRows(text) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ line: line.trim(), at: i + 1 }))
    .filter(({ line }) => line && !line.startsWith("#"));
  const rows = lines.map(({ line, at }) => ({
    at,
    cells: line.split(/\s*[,;\t]\s*|\s+/).map((c) => c.replace(/^["'(\[]+|["')\]]+$/g, "")),
  }));
  if (rows.length && !isNumber(rows[0].cells[0]) && rows.length > 1) rows.shift(); // a line of column names
  const fail = (/** @type {string} */ problem) => ({ points: [], problem, classes: [] });
  if (!rows.length) return fail("There is nothing to read: give lines such as  1, 2, +1");
  if (rows.length > LIMITS.points)
    return fail(`There are ${rows.length} rows; the lab takes at most ${LIMITS.points}.`);
  for (const { at, cells } of rows) {
    if (cells.length !== 3) return fail(`Line ${at} has ${cells.length} columns; give three: x1, x2 and the label.`);
    const bad = [0, 1].find((j) => !isNumber(cells[j]));
    if (bad !== undefined) return fail(`Line ${at}, column ${bad + 1}: "${cells[bad].slice(0, 20)}" is not a number.`);
    if ([0, 1].some((j) => Math.abs(value(cells[j])) > LIMITS.coordinate))
      return fail(`Line ${at}: numbers must lie within ±${LIMITS.coordinate}.`);
  }
  const found = [...new Set(rows.map(({ cells }) => cells[2]))].sort();
  const sides = found.map(sideOf);
  if (sides.some((s) => s === 0)) {
    if (found.length !== 2)
      return fail(
        `The labels are ${found
          .slice(0, 4)
          .map((f) => `"${f.slice(0, 12)}"`)
          .join(", ")}${found.length > 4 ? ", …" : ""}; give two classes.`,
      );
    sides.splice(0, 2, -1, 1); // of two names the second in sorted order is positive
  }
  const points = rows.map(
    ({ cells }) => /** @type {Example} */ ([value(cells[0]), value(cells[1]), sides[found.indexOf(cells[2])]]),
  );
  return { points, problem: "", classes: found };
}

/** @param {string} cell */
const sideOf = (cell) => (POSITIVE.includes(cell.toLowerCase()) ? 1 : NEGATIVE.includes(cell.toLowerCase()) ? -1 : 0);
/** @param {string} cell */
const value = (cell) => Number(cell.replace("−", "-"));
/** @param {string | undefined} cell */
const isNumber = (cell) =>
  cell !== undefined && /^[+\-−]?(\d+\.?\d*|\.\d+)(e[+\-]?\d+)?$/i.test(cell) && Number.isFinite(value(cell));

/** @param {Example[]} points */
export const toCsv = (points) => `x1,x2,y\n${points.map(([a, b, y]) => `${a},${b},${y}`).join("\n")}\n`;
