// The boundary drawn: on the line where a vote turns, however coarse the grid.
import assert from "node:assert/strict";
import { test } from "node:test";
import { contour, sample } from "../src/plot/regions.js";
import { fit, toX, toY } from "../src/plot/scale.js";

test("the boundary of a vote lies on the lines of the voters that turn it", () => {
  const scale = fit(
    640,
    400,
    [
      [-2, -1],
      [2, 3],
    ],
    1,
    [],
  );
  // Votes 2, 2 and 1: wherever the first two agree they win, elsewhere the third decides.
  const voters = [
    [1, 2, -0.3, 2],
    [-1, 3, 0.2, 2],
    [2, -0.7, 0.1, 1],
  ];
  const score = (/** @type {number} */ a, /** @type {number} */ b) =>
    voters.reduce((sum, [w1, w2, w0, c]) => sum + (w1 * a + w2 * b + w0 >= 0 ? c : -c), 0);
  const pieces = contour(scale, sample(scale, score, 10), score)
    .split("M")
    .slice(1);
  assert.ok(pieces.length > 40);
  /** Pixels from a point to the nearest of the lines. @param {number} x @param {number} y */
  const away = (x, y) =>
    Math.min(
      ...voters.map(([w1, w2, w0]) => {
        const [nx, ny, at] = [w1 / scale.unit, -w2 / scale.unit, w0];
        return Math.abs(nx * (x - toX(scale, 0)) + ny * (y - toY(scale, 0)) + at) / Math.hypot(nx, ny);
      }),
    );
  for (const end of pieces.flatMap((piece) => piece.split("L"))) {
    const [x, y] = end.split(" ").map(Number);
    assert.ok(away(x, y) < 0.15, `${end} is ${away(x, y)} pixels away`);
  }
});
