// Verdicts, certificates and bounds on cases whose answer is known by hand, and on random ones by their own check.
import assert from "node:assert/strict";
import { test } from "node:test";
import { learn } from "../src/engine.js";
import { bound, judge, smallestMargin } from "../src/geometry.js";
import { Generator } from "../src/generator.js";
import { kernelFunction } from "../src/kernels.js";
import { ONE, ZERO, fromNumber, minus, plus, times, toText } from "../src/rational.js";

/** @type {[number, number][]} */
const SQUARE = [
  [0, 0],
  [0, 1],
  [1, 0],
  [1, 1],
];
const zero = { rate: 1, margin: 0, start: [0, 0, 0] };
/** @param {number} a @param {number} b */
const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(b)), `${a} against ${b}`);

/** Check a certificate in fractions without a solver: λ >= 0, Σ λ = 1, Σ λ y (x, 1) = 0.
 * @param {{row: number, exact: import("../src/rational.js").Rational | null}[]} certificate @param {[number, number][]} X @param {number[]} y @param {boolean} bias */
function verify(certificate, X, y, bias) {
  const sum = [ZERO, ZERO, ZERO];
  let total = ZERO;
  for (const { row, exact } of certificate) {
    if (!exact || exact.n < 0n) return false;
    total = plus(total, exact);
    [X[row][0], X[row][1], bias ? 1 : 0].forEach(
      (v, j) => (sum[j] = plus(sum[j], times(exact, fromNumber(y[row] * v || 0)))),
    );
  }
  return minus(total, ONE).n === 0n && sum.every((v) => v.n === 0n);
}

test("exclusive or is refused with a quarter on each of its four rows", () => {
  const verdict = judge(SQUARE, [-1, 1, 1, -1], true);
  assert.ok(verdict && !verdict.separable && verdict.proved);
  assert.deepEqual(
    verdict.certificate.map((c) => toText(/** @type {any} */ (c.exact))),
    ["1/4", "1/4", "1/4", "1/4"],
  );
  assert.deepEqual(verdict.meeting, [0.5, 0.5]);
});

test("the lecture's four points: γ = 2/√5, R = 2√2, at most 10 updates", () => {
  const verdict = judge(
    [
      [-2, 0],
      [0, -2],
      [-2, 2],
      [2, 2],
    ],
    [-1, -1, 1, 1],
    false,
  );
  assert.ok(verdict && verdict.separable && verdict.proved);
  near(verdict.gamma, 2 / Math.sqrt(5));
  near(verdict.R, 2 * Math.SQRT2);
  assert.deepEqual(bound(verdict, zero), { value: 10, most: 10 });
});

test("the lecture's three points: γ = 1/√10, R = √5, at most 50 updates from zero", () => {
  const verdict = judge(
    [
      [1, 2],
      [-1, 2],
      [0, -1],
    ],
    [1, -1, -1],
    false,
  );
  assert.ok(verdict?.separable);
  near(verdict.gamma, 1 / Math.sqrt(10));
  assert.deepEqual(bound(verdict, zero), { value: 50, most: 50 });
});

test("two points on a line, 9 and 11: R² = 122 and 1/γ² = 101", () => {
  const verdict = judge(
    [
      [9, 0],
      [11, 0],
    ],
    [-1, 1],
    true,
  );
  assert.ok(verdict);
  assert.deepEqual(bound(verdict, zero), { value: 122 * 101, most: 122 * 101 });
});

test("equal rows with opposite labels, and a zero row through the origin, are named", () => {
  const twins = judge(
    [
      [1, 2],
      [1, 2],
      [3, 4],
    ],
    [1, -1, 1],
    true,
  );
  assert.deepEqual(
    twins?.certificate.map((c) => [c.row, c.weight]),
    [
      [0, 0.5],
      [1, 0.5],
    ],
  );
  const nought = judge(
    [
      [0, 0],
      [1, 2],
      [-1, -2],
    ],
    [1, 1, -1],
    false,
  );
  assert.deepEqual(
    nought?.certificate.map((c) => [c.row, c.weight]),
    [[0, 1]],
  );
});

test("on random data exactly one certificate exists, small enough, and it verifies", () => {
  const g = new Generator(5);
  let apart = 0;
  for (let trial = 0; trial < 600; trial++) {
    const n = 3 + g.below(9),
      bias = g.below(2) === 1,
      scale = [1, 2, 10, 100][g.below(4)];
    const X = Array.from(
      { length: n },
      () =>
        /** @type {[number, number]} */ ([
          (g.below(6 * scale + 1) - 3 * scale) / scale,
          (g.below(6 * scale + 1) - 3 * scale) / scale,
        ]),
    );
    const y = X.map(() => (g.below(2) ? 1 : -1));
    const verdict = judge(X, y, bias);
    if (!verdict) continue;
    assert.ok(verdict.proved, JSON.stringify({ X, y, bias }));
    if (verdict.separable) {
      apart++;
      const run = learn(X, y, { bias, maxPasses: 1e6 });
      assert.ok(
        verdict.exact && run.converged && run.updates <= bound(verdict, zero).most,
        JSON.stringify({ X, y, bias, got: run.updates }),
      );
    } else {
      assert.ok(verdict.certificate.length <= (bias ? 4 : 3));
      assert.ok(verify(verdict.certificate, X, y, bias));
    }
  }
  assert.ok(apart > 100, `${apart}`);
});

test("the bound holds for any start, rate and demanded margin", () => {
  const g = new Generator(11);
  for (let trial = 0; trial < 150; trial++) {
    const X = Array.from({ length: 8 }, () => /** @type {[number, number]} */ ([g.normal(), g.normal()]));
    const y = X.map((x) => (x[0] + 2 * x[1] > 0.3 ? 1 : -1));
    const options = { rate: 0.1 + g.unit(), margin: g.unit(), start: [g.normal() * 3, g.normal() * 3, g.normal()] };
    const verdict = judge(X, y, true);
    if (!verdict) continue;
    const run = learn(X, y, { ...options, maxPasses: 1e6 });
    assert.ok(verdict.exact && run.updates <= bound(verdict, options).most);
  }
});

test("the smallest margin is −∞ while an example is wrong", () => {
  near(smallestMargin([5, 2.5, 10], [3, 4, 0]), 0.5);
  assert.equal(smallestMargin([5, -2.5, 1], [3, 4, 0]), -Infinity);
  assert.equal(smallestMargin([0, 0], [0, 0, 0]), -Infinity);
});

test("in an rbf kernel's space exclusive or is separable, and the bound holds there", () => {
  const kernel = kernelFunction({ name: "rbf", gamma: 1, degree: 3, coef0: 1 });
  const verdict = judge(SQUARE, [-1, 1, 1, -1], true, kernel);
  assert.ok(verdict?.separable);
  const run = learn(SQUARE, [-1, 1, 1, -1], { kernel });
  assert.ok(run.converged && run.updates <= bound(verdict, zero).most);
});
