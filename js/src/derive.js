// From a state to everything the panels show: the run, the verdict, the bound, the hypothesis at this step.
import { learn } from "./engine.js";
import { learnExactly } from "./exact.js";
import { bound, judge, proofCurves } from "./geometry.js";
import { inner, kernelFunction } from "./kernels.js";
import { LIMITS, cleanSettings } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Settings} Settings */
/** @typedef {import("./kernels.js").Point} Point */
/** @typedef {import("./engine.js").Run} Run */
/** @typedef {import("./geometry.js").Verdict} Verdict */
/** @typedef {{run: Run, exact: boolean}} Ran */
/** @typedef {{line: number[] | null, score: (x1: number, x2: number) => number}} Hypothesis  line: (w1, w2, b) if it is one */
/**
 * @typedef {object} View
 * @property {State} state
 * @property {Point[]} X
 * @property {number[]} y
 * @property {Run} run
 * @property {boolean} exact
 * @property {boolean} replayed
 * @property {Verdict | null} verdict
 * @property {ReturnType<typeof bound> | null} bound
 * @property {string} boundReason  why there is none
 * @property {ReturnType<typeof proofCurves> | null} curves
 * @property {number} t  steps shown
 * @property {number} k  updates made in them
 * @property {number | null} row  the example of step t
 * @property {boolean} moved  step t was an update
 * @property {number[]} margins  m of every example under the vector in force
 * @property {number[]} alpha
 * @property {Hypothesis} answer  what the memory answers with at this step
 * @property {number[]} w  the vector in force (alpha in the dual)
 * @property {number | null} cycle  the pass whose start vector came back: the run will never stop
 */

const KERNEL_ROWS = 60; // beyond this many examples the margin in a kernel's space is not computed while drawing

/** Is the line drawn in another space than the plane? @param {Settings} s */
export const isLifted = ({ kernel }) => kernel === "poly" || kernel === "rbf";

/** @param {Settings} s */
export const kernelOf = (s) =>
  s.kernel === "none" ? null : /** @type {import("./kernels.js").Kernel} */ ({ ...s, name: s.kernel });

/** How many passes a run may take: whole ones, so that Python can be told to do the same. One of "first" or "worst" makes
 * one update, and may be as short as one step. @param {string} order @param {number} n @param {number} maxSteps */
function mostPasses(order, n, maxSteps) {
  if (order === "worst") return maxSteps;
  const fit = Math.max(1, Math.floor(maxSteps / n));
  return order === "first" ? fit : Math.min(fit, LIMITS.passes);
}

/** @param {Point[]} X @param {number[]} y @param {Settings} s @param {number[]} picks @param {number} [maxSteps] @returns {Ran} */
export function runOf(X, y, s, picks, maxSteps = LIMITS.steps) {
  const kernel = kernelOf(s);
  const options = { ...s, kernel: null, maxPasses: mostPasses(s.order, X.length, maxSteps), picks };
  const exact = learnExactly(X, y, options, kernel);
  if (exact) return { run: exact, exact: true };
  return { run: learn(X, y, { ...options, kernel: kernel && kernelFunction(kernel) }), exact: false };
}

/** Remember the last few values by key. @template T @param {number} size */
function memo(size) {
  const kept = /** @type {Map<string, T>} */ (new Map());
  return (/** @type {string} */ key, /** @type {() => T} */ make) => {
    const found = kept.get(key) ?? make();
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > size) kept.delete(/** @type {string} */ (kept.keys().next().value));
    return found;
  };
}

/** A function from states to views, with its own memory of runs (one per lab on a page).
 * @returns {(state: State, options?: {maxSteps?: number, trace?: Run | null}) => View} */
export function makeDerive() {
  const runs = /** @type {ReturnType<typeof memo<Ran>>} */ (memo(12));
  const facts = /** @type {ReturnType<typeof memo<Omit<View, "state" | "t">>>} */ (memo(4));
  const seen = /** @type {WeakMap<Run, Facts>} */ (new WeakMap());
  return (state, { maxSteps = LIMITS.steps, trace = null } = {}) => {
    const X = state.points.map(([a, b]) => /** @type {Point} */ ([a, b])),
      y = state.points.map(([, , label]) => label);
    const { memory, order, picks } = state;
    const chosen = { ...cleanSettings(state), memory: "" }; // the memory watches a run, it does not change it
    const key = JSON.stringify([state.points, chosen, order === "manual" ? picks : 0, maxSteps, trace !== null]);
    const { run, exact } = runs(key, () =>
      trace ? { run: trace, exact: false } : runOf(X, y, state, picks, maxSteps),
    );
    const t = Math.min(state.step, run.steps),
      k = run.updatesAt(t);
    const rest = facts(JSON.stringify([key, memory, t]), () => {
      return {
        X,
        y,
        run,
        exact,
        k,
        ...judged(seen, state, X, y, run),
        replayed: trace !== null,
        row: t > 0 ? run.row[t - 1] : null,
        moved: t > 0 && run.moved(t),
        margins: run.margins(k),
        alpha: run.alpha(k),
        answer: hypothesis(state, X, y, run, t),
        w: run.vector(k),
      };
    });
    return { ...rest, state, t };
  };
}

/** @typedef {{verdict: Verdict | null, bound: View["bound"], boundReason: string, curves: View["curves"], cycle: number | null}} Facts */

/** What is proved about the data and this run; computed once per run. @param {WeakMap<Run, Facts>} seen @param {State} state
 * @param {Point[]} X @param {number[]} y @param {Run} run @returns {Facts} */
function judged(seen, state, X, y, run) {
  const known = seen.get(run);
  if (known) return known;
  const kernel = isLifted(state) ? kernelOf(state) : null,
    lifted = kernel && kernelFunction(kernel);
  const tooMany = lifted !== null && X.length > KERNEL_ROWS;
  const verdict = tooMany ? null : judge(X, y, state.bias, lifted);
  const boundReason = tooMany
    ? `γ in the kernel's space is computed for up to ${KERNEL_ROWS} examples`
    : !verdict
      ? "both classes are needed"
      : !verdict.separable
        ? "the data are not separable, so no bound holds"
        : "";
  const applies = verdict !== null && boundReason === "";
  const product = lifted ?? inner;
  const facts = {
    verdict,
    boundReason,
    bound: applies ? bound(verdict, state) : null,
    curves: applies ? proofCurves(run, verdict, state, (i) => product(X[i], X[i]) + (state.bias ? 1 : 0)) : null,
    cycle: cycleOf(run),
  };
  seen.set(run, facts);
  return facts;
}

/** The pass whose starting vector a later pass starts from again: shown in a fixed order, the run repeats for ever.
 * @param {Run} run @returns {number | null} */
function cycleOf(run) {
  if (
    run.converged ||
    run.dual ||
    !["cyclic", "shuffle_once", "first", "worst"].includes(run.options.order ?? "cyclic")
  )
    return null;
  const met = new Map();
  for (let t = 0; t < run.steps; t++) {
    if (t > 0 && run.pass[t] === run.pass[t - 1]) continue;
    const key = run.stored(run.updatesAt(t)).join();
    if (met.has(key)) return met.get(key);
    met.set(key, run.pass[t]);
  }
  return null;
}

/** What the memory answers with after t steps. @param {Settings} s @param {Point[]} X @param {number[]} y @param {Run} run
 * @param {number} t @returns {Hypothesis} */
export function hypothesis(s, X, y, run, t) {
  const k = run.updatesAt(t);
  if (s.memory === "vote") return votes(s, X, y, run, t);
  const v =
    s.memory === "average" ? run.average(t) : s.memory === "pocket" ? run.vector(run.pocket(k).k) : run.vector(k);
  if (!run.dual) return { line: v, score: (a, b) => a * v[0] + b * v[1] + v[2] };
  const K = kernelFunction(/** @type {any} */ (kernelOf(s))),
    one = s.bias ? 1 : 0;
  const used = X.map((_, i) => i).filter((i) => v[i] !== 0);
  const score = (/** @type {number} */ a, /** @type {number} */ b) => {
    let sum = 0;
    for (const i of used) sum += v[i] * y[i] * (K(X[i], [a, b]) + one);
    return sum;
  };
  return { line: s.kernel === "linear" ? primal(v, X, y, one) : null, score };
}

/** @param {number[]} alpha @param {Point[]} X @param {number[]} y @param {number} one */
function primal(alpha, X, y, one) {
  const w = [0, 0, 0];
  alpha.forEach((a, i) => {
    w[0] += a * y[i] * X[i][0];
    w[1] += a * y[i] * X[i][1];
    w[2] += a * y[i] * one;
  });
  return w;
}

/** Σ c_k sign(score_k(x)) / Σ c_k, with sign(0) = +1. @param {Settings} s @param {Point[]} X @param {number[]} y @param {Run} run
 * @param {number} t @returns {Hypothesis} */
function votes(s, X, y, run, t) {
  const count = run.survival(t),
    total = Math.max(1, t),
    one = s.bias ? 1 : 0;
  if (!run.dual) {
    const voters = count.map((c, k) => ({ c, v: run.vector(k) })).filter(({ c }) => c > 0);
    return {
      line: null,
      score: (a, b) => {
        let sum = 0;
        for (const { c, v } of voters) sum += a * v[0] + b * v[1] + v[2] >= 0 ? c : -c;
        return sum / total;
      },
    };
  }
  const K = kernelFunction(/** @type {any} */ (kernelOf(s)));
  const used = [...new Set(run.journal.slice(0, count.length - 1).map((u) => u.row))];
  const value = new Array(X.length).fill(0);
  return {
    line: null,
    score: (a, b) => {
      for (const i of used) value[i] = y[i] * (K(X[i], [a, b]) + one);
      let score = 0,
        sum = count[0];
      for (let u = 0; u < count.length - 1; u++) {
        score += run.journal[u].tau * value[run.journal[u].row];
        sum += score >= 0 ? count[u + 1] : -count[u + 1];
      }
      return sum / total;
    },
  };
}
