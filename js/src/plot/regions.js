// Where a curved hypothesis says + and −: a canvas under the figure, and the boundary as a path by marching squares.
import { toPlane } from "./scale.js";

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

/** Colour the canvas by sign, paler where the score is small. @param {HTMLCanvasElement} canvas @param {Field | null} field
 * @param {[number[], number[]]} colours  of + and − as r, g, b */
export function paint(canvas, field, [plus, minus]) {
  const context = canvas.getContext("2d");
  if (!context) return;
  if (!field) {
    context.clearRect(0, 0, canvas.width, canvas.height);
    return;
  }
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

/** The level line score = 0, in pixels (Lorensen and Cline 1987, in the plane). @param {Scale} scale @param {Field} field @returns {string} */
export function contour(scale, { columns, rows, values }) {
  const dx = scale.width / (columns - 1),
    dy = scale.height / (rows - 1);
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
        const f = p / (p - q);
        cuts.push(e === 0 ? [c + f, r] : e === 1 ? [c + 1, r + f] : e === 2 ? [c + 1 - f, r + 1] : [c, r + 1 - f]);
      }
      for (let i = 0; i + 1 < cuts.length; i += 2) {
        d += `M${(cuts[i][0] * dx).toFixed(1)} ${(cuts[i][1] * dy).toFixed(1)}L${(cuts[i + 1][0] * dx).toFixed(1)} ${(cuts[i + 1][1] * dy).toFixed(1)}`;
      }
    }
  }
  return d;
}
