// What can be proved about a data set in the plane: separable or not, with a certificate; margin γ, radius R, bounds.
// Everything lives in the space the algorithm works in: (x, 1) with a bias, x through the origin, φ(x) with a kernel.
import { nearest } from "./nearest.js";
import { ONE, ZERO, fromNumber, minus, nullVector, over, plus, times, toNumber } from "./rational.js";

/** @typedef {import("./kernels.js").Point} Point */
/** @typedef {import("./rational.js").Rational} Rational */
/**
 * @typedef {object} Verdict
 * @property {boolean} separable
 * @property {boolean} proved  re-checked in exact arithmetic
 * @property {number} gamma  best margin, 0 if not separable
 * @property {number} R
 * @property {number[] | null} u  unit (w1, w2, b); null with a kernel or if not separable
 * @property {number[]} along  u·z_i of every example (z = y(x, 1))
 * @property {number[]} touching  rows that hold the margin
 * @property {{row: number, weight: number, exact: Rational | null}[]} certificate  λ, if not separable
 * @property {Point | null} meeting  where the hulls share a point
 */

/** Judge a data set. @param {Point[]} X @param {number[]} y @param {boolean} bias
 * @param {((a: Point, b: Point) => number) | null} kernel @returns {Verdict | null} null without examples of both classes */
export function judge(X, y, bias, kernel = null) {
  const n = X.length;
  if (n < 2 || !y.includes(1) || !y.includes(-1)) return null;
  const one = bias ? 1 : 0;
  const inner = kernel ?? ((/** @type {Point} */ a, /** @type {Point} */ b) => a[0] * b[0] + a[1] * b[1]);
  const gram = (/** @type {number} */ i, /** @type {number} */ j) => y[i] * y[j] * (inner(X[i], X[j]) + one);
  const R = Math.sqrt(Math.max(...y.map((_, i) => gram(i, i))));
  const G = kernel ? table(n, gram) : gram;
  const found = nearest(n, G);
  const gamma = Math.sqrt(found.square);
  const verdict = {
    separable: true,
    proved: false,
    gamma,
    R,
    u: null,
    along: [],
    touching: [],
    certificate: [],
    meeting: null,
  };
  const lifted = kernel !== null;
  // Inner products leave about half the digits of a small norm, so near zero the exact checks decide.
  if (gamma > 1e-6 * R) return separator(verdict, X, y, one, found, G, lifted);
  const refused = obstacle(verdict, X, y, one, found, lifted);
  if (refused.proved || lifted || gamma === 0) return refused;
  const allowed = separator(verdict, X, y, one, found, G, lifted);
  return allowed.proved ? allowed : refused;
}

/** @param {number} n @param {(i: number, j: number) => number} G */
function table(n, G) {
  const rows = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => G(i, j)));
  return (/** @type {number} */ i, /** @type {number} */ j) => rows[i][j];
}

/** @param {Verdict} verdict @param {Point[]} X @param {number[]} y @param {number} one
 * @param {import("./nearest.js").Nearest} found @param {(i: number, j: number) => number} G @param {boolean} lifted
 * @returns {Verdict} */
function separator(verdict, X, y, one, { support, lambda }, G, lifted) {
  const { gamma } = verdict;
  const along = y.map((_, j) => support.reduce((sum, i, a) => sum + lambda[a] * G(i, j), 0) / gamma);
  const touching = y.map((_, i) => i).filter((i) => along[i] <= gamma * (1 + 1e-7));
  if (lifted) return { ...verdict, along, touching };
  const u = [0, 0, 0];
  support.forEach((i, a) => {
    u[0] += (lambda[a] * y[i] * X[i][0]) / gamma;
    u[1] += (lambda[a] * y[i] * X[i][1]) / gamma;
    u[2] += (lambda[a] * y[i] * one) / gamma;
  });
  const exact = u.map(fromNumber);
  const proved = X.every((x, i) => {
    const score = plus(
      plus(times(fromNumber(x[0]), exact[0]), times(fromNumber(x[1]), exact[1])),
      one ? exact[2] : ZERO,
    );
    return score.n !== 0n && score.n > 0n === y[i] > 0;
  });
  return { ...verdict, proved, u, along, touching };
}

/** @param {Verdict} verdict @param {Point[]} X @param {number[]} y @param {number} one
 * @param {import("./nearest.js").Nearest} found @param {boolean} lifted @returns {Verdict} */
function obstacle(verdict, X, y, one, { support, lambda }, lifted) {
  const kept = support.map((row, a) => ({ row, weight: lambda[a] })).filter(({ weight }) => weight > 1e-9);
  const exact = lifted
    ? null
    : resolve(
        kept.map(({ row }) => row),
        X,
        y,
        one,
      );
  const certificate = exact
    ? exact.map(({ row, exact: weight }) => ({ row, weight: toNumber(weight), exact: weight }))
    : kept.map((c) => ({ ...c, exact: null }));
  certificate.sort((a, b) => a.row - b.row);
  const positive = certificate.filter(({ row }) => y[row] > 0);
  const share = positive.reduce((sum, { weight }) => sum + weight, 0);
  const mean = (/** @type {0 | 1} */ j) =>
    positive.reduce((sum, { row, weight }) => sum + weight * X[row][j], 0) / share;
  const meeting = lifted || !one || !share ? null : /** @type {Point} */ ([mean(0), mean(1)]);
  return { ...verdict, separable: false, gamma: 0, proved: exact !== null, certificate, meeting };
}

/** Re-solve Σ λ_i y_i (x_i, 1) = 0 in fractions on the rows found; null where no λ >= 0 does.
 * @param {number[]} rows @param {Point[]} X @param {number[]} y @param {number} one
 * @returns {{row: number, exact: Rational}[] | null} */
function resolve(rows, X, y, one) {
  const signed = (/** @type {number} */ i, /** @type {number} */ v) => fromNumber(y[i] * v || 0);
  const A = [rows.map((i) => signed(i, X[i][0])), rows.map((i) => signed(i, X[i][1]))];
  if (one) A.push(rows.map((i) => signed(i, 1)));
  const x = nullVector(A);
  if (!x) return null;
  const lambda = x.every((v) => v.n <= 0n) ? x.map((v) => minus(ZERO, v)) : x;
  if (lambda.some((v) => v.n < 0n)) return null;
  const total = lambda.reduce(plus, ZERO);
  return rows.map((row, a) => ({ row, exact: over(lambda[a], total) })).filter(({ exact }) => exact.n > 0n);
}

/** Check a certificate in fractions without a solver: λ >= 0, Σ λ = 1, Σ λ y (x, 1) = 0.
 * @param {{row: number, exact: Rational | null}[]} certificate @param {Point[]} X @param {number[]} y @param {boolean} bias */
export function verify(certificate, X, y, bias) {
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

/** At most how many updates: the largest k with u·w0 + k r γ <= sqrt(‖w0‖² + k (r²R² + 2rβ)).
 * (R/γ)² from zero with margin 0; (R² + 2β/r)/γ² with a demanded margin.
 * @param {Verdict} verdict @param {{rate: number, margin: number, start: number[]}} options @returns {number} */
export function bound({ gamma, R, u }, { rate, margin, start }) {
  const along = u ? u[0] * start[0] + u[1] * start[1] + u[2] * start[2] : 0;
  const square = u ? start[0] ** 2 + start[1] ** 2 + start[2] ** 2 : 0;
  // (along + k r γ)² = ‖w0‖² + k c, solved for the larger k.
  const a = (rate * gamma) ** 2,
    growth = rate * rate * R * R + 2 * rate * margin;
  const half = along * rate * gamma - growth / 2;
  const k = (-half + Math.sqrt(Math.max(0, half * half - a * (along * along - square)))) / a;
  return Math.max(0, k);
}

/** The two halves of the proof for k = 0..updates: u·w_k and ‖w_k‖, with what they must exceed and stay under.
 * @param {import("./engine.js").Run} run @param {Verdict} verdict @param {{rate: number, margin: number, start: number[]}} options
 * @param {(i: number) => number} square  ‖z_i‖²
 * @returns {{along: number[], norm: number[], cos: number[], least: number[], most: number[], cosLeast: number[]}} */
export function proofCurves(run, verdict, { rate, margin, start }, square) {
  const { gamma, R, u } = verdict;
  const s = u ? start : [0, 0, 0];
  const along0 = u ? u[0] * s[0] + u[1] * s[1] + u[2] * s[2] : 0,
    norm0 = s[0] ** 2 + s[1] ** 2 + s[2] ** 2;
  let p = along0,
    q = norm0;
  const curves = {
    along: [p],
    norm: [Math.sqrt(q)],
    cos: [q ? p / Math.sqrt(q) : NaN],
    least: [p],
    most: [Math.sqrt(q)],
    cosLeast: [NaN],
  };
  run.journal.forEach(({ row, tau, m }, index) => {
    const k = index + 1;
    p += tau * verdict.along[row];
    q += 2 * tau * m + tau * tau * square(row);
    const norm = Math.sqrt(Math.max(0, q));
    const least = along0 + k * rate * gamma,
      most = Math.sqrt(norm0 + k * (rate * rate * R * R + 2 * rate * margin));
    curves.along.push(p);
    curves.norm.push(norm);
    curves.cos.push(norm ? p / norm : NaN);
    curves.least.push(least);
    curves.most.push(most);
    curves.cosLeast.push(least / most);
  });
  return curves;
}

/** Margin of one vector: min y·score/‖(w, b)‖ if it separates, else −∞. @param {number[]} margins @param {number[]} w */
export function marginOf(margins, w) {
  const least = Math.min(...margins),
    norm = Math.hypot(...w);
  return least > 0 && norm > 0 ? least / norm : -Infinity;
}
