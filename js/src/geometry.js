// What can be proved about a data set in the plane: separable or not, with a certificate; margin γ, radius R, bounds.
// Everything lives in the space the algorithm works in: (x, 1) with a bias, x through the origin, φ(x) with a kernel.
import { inner } from "./kernels.js";
import { nearest } from "./nearest.js";
import {
  ONE,
  ZERO,
  notBelow,
  dot,
  fromNumber,
  largerRoot,
  minus,
  nullVector,
  over,
  plus,
  times,
  toNumber,
} from "./rational.js";

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
 * @property {Exact | null} exact  the margin and the radius in fractions, where they were found so
 */
/** @typedef {{p: Rational[], gamma2: Rational, R2: Rational}} Exact  p = γu, γ² and R² */

/** Judge a data set. @param {Point[]} X @param {number[]} y @param {boolean} bias
 * @param {((a: Point, b: Point) => number) | null} kernel @returns {Verdict | null} null without examples of both classes */
export function judge(X, y, bias, kernel = null) {
  const n = X.length;
  if (n < 2 || !y.includes(1) || !y.includes(-1)) return null;
  const one = bias ? 1 : 0;
  const product = kernel ?? inner;
  const gram = (/** @type {number} */ i, /** @type {number} */ j) => y[i] * y[j] * (product(X[i], X[j]) + one);
  const R = Math.sqrt(Math.max(...y.map((_, i) => gram(i, i))));
  const G = kernel ? table(n, gram) : gram;
  const found = nearest(n, G);
  const gamma = Math.sqrt(found.square);
  const blank = { u: null, along: [], touching: [], certificate: [], meeting: null, exact: null };
  const verdict = { separable: true, proved: false, gamma, R, ...blank };
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
  const Z = X.map((x, i) => signedRow(x, y[i], one));
  const exact = exactMargin(support, Z);
  const proved = exact !== null || Z.every((z) => dot(z, u.map(fromNumber)).n > 0n);
  return { ...verdict, proved, u, along, touching, exact };
}

/** y(x, 1) in fractions. @param {Point} x @param {number} y @param {number} one */
const signedRow = (x, y, one) => [...x, one].map((v) => fromNumber(y * v || 0));

/** The margin in fractions: p is the point nearest the origin among the mixtures of the rows found, and no z lies below
 * the plane through it. Null where these rows are not the ones that hold the margin.
 * @param {number[]} rows @param {Rational[][]} Z @returns {Exact | null} */
function exactMargin(rows, Z) {
  const minusOne = minus(ZERO, ONE);
  // p·z_i is the same, μ, for all rows: G λ − μ = 0.
  const lambda = nullVector(rows.map((i) => [...rows.map((j) => dot(Z[i], Z[j])), minusOne]))?.slice(0, -1);
  const total = lambda?.reduce(plus, ZERO);
  if (!lambda || !total?.n) return null;
  const share = lambda.map((v) => over(v, total));
  const columns = [0, 1, 2].map((j) => rows.map((i) => Z[i][j])),
    p = columns.map((column) => dot(share, column));
  const gamma2 = dot(p, p);
  if (!gamma2.n || share.some((v) => v.n < 0n) || !Z.every((z) => notBelow(dot(z, p), gamma2))) return null;
  const R2 = Z.map((z) => dot(z, z)).reduce((a, b) => (notBelow(a, b) ? a : b));
  return { p, gamma2, R2 };
}

/** @param {Verdict} verdict @param {Point[]} X @param {number[]} y @param {number} one
 * @param {import("./nearest.js").Nearest} found @param {boolean} lifted @returns {Verdict} */
function obstacle(verdict, X, y, one, { support, lambda }, lifted) {
  const kept = support.map((row, a) => ({ row, weight: lambda[a] })).filter(({ weight }) => weight > 1e-9);
  const rows = kept.map(({ row }) => row),
    exact = lifted ? null : resolve(rows, X, y, one);
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
  const Z = rows.map((i) => signedRow(X[i], y[i], one));
  const x = nullVector([0, 1, 2].map((j) => Z.map((z) => z[j])));
  if (!x) return null;
  const lambda = x.every((v) => v.n <= 0n) ? x.map((v) => minus(ZERO, v)) : x;
  if (lambda.some((v) => v.n < 0n)) return null;
  const total = lambda.reduce(plus, ZERO);
  return rows.map((row, a) => ({ row, exact: over(lambda[a], total) })).filter(({ exact }) => exact.n > 0n);
}

/** @param {number[]} a @param {number[]} b */
const inner3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** At most how many updates: the largest k with u·w0 + k r γ <= sqrt(‖w0‖² + k (r²R² + 2rβ)), as a real number and whole.
 * (R/γ)² from zero with margin 0; (R² + 2β/r)/γ² with a demanded margin.
 * @param {Verdict} verdict @param {{rate: number, margin: number, start: number[]}} options
 * @returns {{value: number, most: number}} */
export function bound({ R, u, along, exact }, { rate, margin, start }) {
  if (exact) {
    // Divided by γ, with v = u/γ = p/γ² and V = 1/γ², all of it is rational: v·w0 + k r <= sqrt((‖w0‖² + k q) V).
    const [r, beta, ...w0] = [rate, margin, ...start].map(fromNumber),
      V = over(ONE, exact.gamma2),
      r2 = times(r, r),
      q = plus(times(r2, exact.R2), times(r, plus(beta, beta)));
    const a = times(V, dot(exact.p, w0)),
      excess = minus(times(a, a), times(V, dot(w0, w0)));
    const half = minus(times(V, q), times(r, plus(a, a)));
    return largerRoot(over(half, plus(r2, r2)), over(excess, r2));
  }
  const gamma = Math.min(...along), // what u attains: the proof holds for it, whether or not it is the best
    ahead = u ? inner3(u, start) : 0,
    square = u ? inner3(start, start) : 0;
  // (ahead + k r γ)² = ‖w0‖² + k c, solved for the larger k.
  const scale = (rate * gamma) ** 2,
    growth = rate * rate * R * R + 2 * rate * margin;
  const half = ahead * rate * gamma - growth / 2;
  const value = (-half + Math.sqrt(Math.max(0, half * half - scale * (ahead * ahead - square)))) / scale;
  return { value, most: Math.floor(value * (1 + 1e-12)) }; // rounding must not take an update away
}

/** The two halves of the proof for k = 0..updates: u·w_k and ‖w_k‖, with what they must exceed and stay under.
 * @param {import("./engine.js").Run} run @param {Verdict} verdict @param {{rate: number, margin: number, start: number[]}} options
 * @param {(i: number) => number} square  ‖z_i‖²
 * @returns {{along: number, norm: number, cos: number, least: number, most: number, cosLeast: number}[]} */
export function proofCurves(run, verdict, { rate, margin, start }, square) {
  const { gamma, R, u } = verdict;
  const s = u ? start : [0, 0, 0];
  const along0 = u ? inner3(u, s) : 0,
    norm0 = inner3(s, s);
  let p = along0,
    q = norm0;
  const at = (/** @type {number} */ k) => {
    const norm = Math.sqrt(Math.max(0, q)),
      least = along0 + k * rate * gamma,
      most = Math.sqrt(norm0 + k * (rate * rate * R * R + 2 * rate * margin));
    return { along: p, norm, cos: norm ? p / norm : NaN, least, most, cosLeast: k ? least / most : NaN };
  };
  const points = [at(0)];
  run.journal.forEach(({ row, tau, m }, index) => {
    p += tau * verdict.along[row];
    q += 2 * tau * m + tau * tau * square(row);
    points.push(at(index + 1));
  });
  return points;
}

/** The smallest y·score/‖(w, b)‖; −∞ while an example is wrong. @param {number[]} margins @param {number[]} w */
export function smallestMargin(margins, w) {
  const least = Math.min(...margins);
  return least > 0 ? least / Math.hypot(...w) : -Infinity;
}
