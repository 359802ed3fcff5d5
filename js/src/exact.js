// Exact runs on short decimals: scale everything to whole numbers, which doubles add and multiply without rounding,
// run the same loop, and divide when a number is shown. 0.1 is then a tenth, and a tie is a tie.
import { learn } from "./engine.js";
import { kernelFunction } from "./kernels.js";

/** @typedef {import("./engine.js").Options} Options */
/** @typedef {import("./engine.js").Run} Run */
/** @typedef {import("./kernels.js").Kernel} Kernel */
/** @typedef {import("./kernels.js").Point} Point */

const SHORT = 6; // decimals at most
const SAFE = 2 ** 53;

/** Decimals after the point, or Infinity when the number is not a short decimal. @param {number} x */
export function decimals(x) {
  const text = String(x),
    dot = text.indexOf(".");
  if (text.includes("e") || !Number.isFinite(x)) return Infinity;
  const digits = dot < 0 ? 0 : text.length - dot - 1;
  return digits <= SHORT ? digits : Infinity;
}

/** @param {number[]} numbers */
const places = (numbers) => numbers.reduce((most, x) => Math.max(most, decimals(x)), 0);
/** @param {number} x @param {number} scale a power of ten */
const whole = (x, scale) => Math.round(x * scale);

/** Run exactly, or return null where that cannot be done: long decimals, an rbf kernel, numbers beyond 2⁵³.
 * @param {Point[]} X @param {number[]} y @param {Options} options @param {Kernel | null} kernel @returns {Run | null} */
export function learnExactly(X, y, options, kernel) {
  if (kernel?.name === "rbf") return null;
  const { margin = 0, rate = 1, start = null } = options;
  const p = places(X.flat());
  const [w1, w2, b] = start ?? [0, 0, 0];
  const poly = kernel?.name === "poly" ? kernel : null,
    shape = poly ? places([poly.gamma, poly.coef0]) : 0;
  // A score carries 10^(2p) from the data (10^shape more per degree of a kernel) times 10^q from rate, start and margin.
  const data = (2 * p + shape) * (poly?.degree ?? 1);
  const q = Math.max(decimals(rate), places([w1, w2]) - p, decimals(b) - data, decimals(margin) - data, 0);
  if (!Number.isFinite(p + q + shape)) return null;
  const s = 10 ** p,
    Q = 10 ** q,
    one = 10 ** data;
  const unit = kernel ? { w: Q, b: Q, m: one * Q, tau: Q } : { w: s * Q, b: s * s * Q, m: s * s * Q, tau: Q };
  const scaled = X.map((x) => /** @type {Point} */ ([whole(x[0], s), whole(x[1], s)]));
  const run = learn(
    scaled,
    y,
    {
      ...options,
      margin: whole(margin, unit.m),
      rate: whole(rate, Q),
      start: kernel ? null : [whole(w1, unit.w), whole(w2, unit.w), whole(b, unit.b)],
      kernel: kernel && kernelFunction(scaledKernel(kernel, shape, p)),
      one,
    },
    unit,
  );
  return staysWhole(run) ? run : null;
}

/** @param {Kernel} kernel @param {number} shape @param {number} p @returns {Kernel} */
function scaledKernel(kernel, shape, p) {
  if (kernel.name === "linear") return kernel;
  return { ...kernel, gamma: whole(kernel.gamma, 10 ** shape), coef0: whole(kernel.coef0, 10 ** (shape + 2 * p)) };
}

/** Did every product and sum stay below 2⁵³, where doubles hold each whole number? @param {Run} run */
function staysWhole(run) {
  const largest = (/** @type {number[]} */ all) => all.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  if (run.dual) {
    const K = largest(/** @type {any} */ (run.f).K.flat());
    return K * run.unit.tau * Math.max(1, run.updates) * (run.options.rate ?? 1) < SAFE && run.unit.m < SAFE;
  }
  const weight = largest(run.vectors.flatMap((v) => v.slice(0, 2))),
    bias = largest(run.vectors.map((v) => v[2])),
    x = largest(run.X.flat()),
    count = run.steps || 1;
  return 2 * x * weight + bias < SAFE && count * Math.max(weight, bias) < SAFE && run.unit.m * count < SAFE;
}
