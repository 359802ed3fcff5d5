// Where a curved hypothesis says + and −: a canvas under the figure, and the boundary as a path by marching squares.
import { path, toPlane } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {{columns: number, rows: number, values: Float64Array}} Field */

/** Sample a score over the view, a cell every `pixels` pixels. @param {Scale} scale @param {(a: number, b: number) => number} score
 * @param {number} pixels @returns {Field} */
export function sample(scale, score, pixels) {
  const columns = Math.ceil(scale.width / pixels) + 1,
    rows = Math.ceil(scale.height / pixels) + 1;
  const values = new Float64Array(columns * rows);
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const [a, b] = toPlane(scale, (c * scale.width) / (columns - 1), (r * scale.height) / (rows - 1));
      values[r * columns + c] = score(a, b);
    }
  }
  return { columns, rows, values };
}

/** Colour the canvas by sign, paler where the score is small. @param {HTMLCanvasElement} canvas @param {Field} field
 * @param {[number[], number[]]} colours  of + and − as r, g, b */
export function paint(canvas, field, [plus, minus]) {
  const context = canvas.getContext("2d");
  if (!context) return;
  const { columns, rows, values } = field;
  canvas.width = columns;
  canvas.height = rows;
  let size = 0;
  for (const v of values) size = Math.max(size, Math.abs(v));
  const image = context.createImageData(columns, rows);
  values.forEach((v, i) => {
    const colour = v >= 0 ? plus : minus,
      strength = size ? Math.min(1, (3 * Math.abs(v)) / size) : 0;
    image.data.set([colour[0], colour[1], colour[2], size ? 26 + 46 * strength : 0], 4 * i);
  });
  context.putImageData(image, 0, 0);
}

/** The level line score = 0, in pixels (Lorensen and Cline 1987, in the plane). Where the score jumps, as votes do, `score`
 * says by halving where on an edge it does: straight pieces stay straight. @param {Scale} scale @param {Field} field
 * @param {((a: number, b: number) => number) | null} score @returns {string} */
export function contour(scale, { columns, rows, values }, score) {
  const dx = scale.width / (columns - 1),
    dy = scale.height / (rows - 1);
  const corners = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
  ];
  /** @param {number[]} from @param {number[]} to @param {boolean} side  of `from` @param {(a: number, b: number) => number} f */
  const jump = (from, to, side, f) => {
    let [low, high] = [0, 1];
    for (let round = 0; round < 7; round++) {
      const middle = (low + high) / 2,
        [c, r] = between(from, to, middle);
      if (f(...toPlane(scale, c * dx, r * dy)) >= 0 === side) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  };
  let d = "";
  for (let r = 0; r < rows - 1; r++) {
    for (let c = 0; c < columns - 1; c++) {
      const v = [
        values[r * columns + c],
        values[r * columns + c + 1],
        values[(r + 1) * columns + c + 1],
        values[(r + 1) * columns + c],
      ];
      const cuts = [];
      for (let e = 0; e < 4; e++) {
        const p = v[e],
          q = v[(e + 1) % 4];
        if (p >= 0 === q >= 0) continue;
        const [from, to] = [corners[e], corners[(e + 1) % 4]].map(([a, b]) => [c + a, r + b]);
        cuts.push(between(from, to, score ? jump(from, to, p >= 0, score) : p / (p - q)));
      }
      for (let i = 0; i + 1 < cuts.length; i += 2) {
        d += path(cuts.slice(i, i + 2).map(([a, b]) => [a * dx, b * dy]));
      }
    }
  }
  return d;
}

/** @param {number[]} a @param {number[]} b @param {number} f */
const between = (a, b, f) => [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])];
