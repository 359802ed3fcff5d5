// Rows typed, pasted or read from a file: two numbers and a label, in any usual separator; says which line is wrong.
import { LIMITS, beyond, inReach } from "./state.js";

/** @typedef {import("./state.js").Example} Example */

const POSITIVE = ["+1", "1", "+", "true", "yes", "p", "pos", "positive"];
const NEGATIVE = ["-1", "−1", "0", "-", "−", "false", "no", "n", "neg", "negative"];

/** @param {string} text @returns {{points: Example[], problem: string, positive: string, names: string[], columns: string[]}}
 * positive: of two labels the one that is +1; names: of the two classes, columns: of the two numbers, where they have some */
export function parseRows(text) {
  const lines = text
    .split(/\r\n|\r|\n/)
    .map((line, i) => ({ line: line.trim(), at: i + 1 }))
    .filter(({ line }) => line && !line.startsWith("#"));
  const rows = lines.map(({ line, at }) => ({
    at,
    cells: line.split(/\s*[,;\t]\s*|\s+/).map((c) => c.replace(/^["'(\[]+|["')\]]+$/g, "")),
  }));
  const columns =
    rows.length > 1 && rows[0].cells.every(isName) ? /** @type {any} */ (rows.shift()).cells.slice(0, 2) : [];
  const fail = (/** @type {string} */ problem) => ({ points: [], problem, positive: "", names: [], columns: [] });
  if (!rows.length) return fail("There is nothing to read: give lines such as  1, 2, +1");
  if (rows.length > LIMITS.points)
    return fail(`There are ${rows.length} rows; the lab takes at most ${LIMITS.points}.`);
  for (const { at, cells } of rows) {
    if (cells.length !== 3) return fail(`Line ${at} has ${cells.length} columns; give three: x1, x2 and the label.`);
    const bad = [0, 1].find((j) => !isNumber(cells[j]));
    if (bad !== undefined) return fail(`Line ${at}, column ${bad + 1}: "${cells[bad].slice(0, 20)}" is not a number.`);
    const far = [0, 1].find((j) => !inReach(toNumber(cells[j])));
    if (far !== undefined) return fail(beyond(`Line ${at}, column ${far + 1}`, cells[far]));
  }
  const found = [...new Set(rows.map(({ cells }) => cells[2]))].sort();
  const sides = found.map(sideOf);
  const names = sides.includes(0) ? found : [];
  if (names.length) {
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
    ({ cells }) => /** @type {Example} */ ([toNumber(cells[0]), toNumber(cells[1]), sides[found.indexOf(cells[2])]]),
  );
  const positive = (found.length === 2 && found[sides.indexOf(1)]) || "";
  return { points, problem: "", positive, names, columns };
}

/** @param {string} cell */
const sideOf = (cell) => (POSITIVE.includes(cell.toLowerCase()) ? 1 : NEGATIVE.includes(cell.toLowerCase()) ? -1 : 0);
/** @param {string} cell */
const toNumber = (cell) => Number(cell.replace("−", "-"));
/** @param {string} cell */
const isNumber = (cell) => /^[+\-−]?(\d+\.?\d*|\.\d+)(e[+\-]?\d+)?$/i.test(cell);
/** Can it stand above a column? A value that is no number cannot. @param {string} cell */
const isName = (cell) => cell !== "" && !isNumber(cell) && !/^[+\-−]?(nan|inf|infinity)$/i.test(cell);

/** @param {Example[]} points */
export const toCsv = (points) => `x1,x2,y\n${points.map(([a, b, y]) => `${a},${b},${y}`).join("\n")}\n`;
