// The one loop over examples: judge, ask the rule, add. The journals equal those of the Python engine, number for number.
// Everything is in doubles; exact.js makes the same loop exact by feeding it whole numbers.
import { Generator } from "./generator.js";

/** @typedef {import("./kernels.js").Point} Point */
/** @typedef {"cyclic" | "shuffle" | "shuffle_once" | "random" | "first" | "worst" | "manual"} Order */
/** @typedef {"mistake" | "positive"} Ties */
/**
 * @typedef {object} Options
 * @property {number} [margin]  demanded margin: update iff m <= margin
 * @property {number} [rate]
 * @property {boolean} [bias]
 * @property {number[] | null} [start]  (w1, w2, b)
 * @property {Order} [order]
 * @property {number | bigint} [seed]
 * @property {Ties} [ties]
 * @property {number} [maxPasses]
 * @property {number} [maxUpdates]
 * @property {((a: Point, b: Point) => number) | null} [kernel]  null: the primal form
 * @property {number[]} [picks]  the rows to show, for order "manual"
 * @property {number} [one]  what the bias feature contributes to a score: 1, or its scaled value
 */
/** @typedef {{w: number, b: number, m: number, tau: number}} Unit  what a stored number is divided by to be shown */

/** f(x) = w·x + b. @implements {Hypothesis} */
class Linear {
  /** @param {Point[]} X @param {number[]} y @param {boolean} bias @param {number[]} start @param {number} one */
  constructor(X, y, bias, start, one) {
    this.X = X;
    this.y = y;
    this.one = bias ? one : 0;
    this.w1 = start[0];
    this.w2 = start[1];
    this.b = start[2];
  }
  /** @param {number} i */
  judge(i) {
    const x = this.X[i];
    return this.y[i] * (x[0] * this.w1 + x[1] * this.w2 + this.b);
  }
  /** @param {number} i @param {number} tau */
  add(i, tau) {
    const x = this.X[i],
      step = tau * this.y[i];
    this.w1 += step * x[0];
    this.w2 += step * x[1];
    this.b += step * this.one;
  }
  vector() {
    return [this.w1, this.w2, this.b];
  }
  /** @param {number[]} v */
  become(v) {
    [this.w1, this.w2, this.b] = v;
  }
}

/** f(x) = Σ alpha_i y_i (K(x_i, x) + 1): the kernel perceptron; its vector is alpha. @implements {Hypothesis} */
class Dual {
  /** @param {Point[]} X @param {number[]} y @param {boolean} bias @param {(a: Point, b: Point) => number} kernel
   * @param {number} one */
  constructor(X, y, bias, kernel, one) {
    this.y = y;
    const extra = bias ? one : 0;
    this.K = X.map((a) => X.map((b) => kernel(a, b) + extra));
    this.alpha = /** @type {number[]} */ (new Array(X.length).fill(0));
  }
  /** @param {number} i */
  judge(i) {
    const K = this.K[i],
      { alpha, y } = this;
    let score = 0;
    for (let j = 0; j < alpha.length; j++) if (alpha[j]) score += alpha[j] * y[j] * K[j];
    return this.y[i] * score;
  }
  /** @param {number} i @param {number} tau */
  add(i, tau) {
    this.alpha[i] += tau;
  }
  vector() {
    return this.alpha.slice();
  }
  /** @param {number[]} v */
  become(v) {
    this.alpha = v.slice();
  }
}

/** @typedef {{judge(i: number): number, add(i: number, tau: number): void, vector(): number[], become(v: number[]): void}} Hypothesis */

/** What a run did: a column entry per step, a line per update, and from them every vector at every time. */
export class Run {
  /** @param {Point[]} X @param {number[]} y @param {Hypothesis} f @param {Options} options @param {Unit} [unit] */
  constructor(X, y, f, options, unit = { w: 1, b: 1, m: 1, tau: 1 }) {
    this.X = X;
    this.y = y;
    this.f = f;
    this.options = options;
    this.unit = unit;
    this.dual = f instanceof Dual;
    this.n = X.length;
    this.start = f.vector();
    /** per step: row shown, its m before, updates made so far, pass number from 1 */
    this.row = /** @type {number[]} */ ([]);
    this.m = /** @type {number[]} */ ([]);
    this.after = /** @type {number[]} */ ([]);
    this.pass = /** @type {number[]} */ ([]);
    /** per update: steps before it, row, tau, m */
    this.journal = /** @type {{step: number, row: number, tau: number, m: number}[]} */ ([]);
    this.vectors = this.dual ? [] : [this.start];
    this.updatesPerPass = /** @type {number[]} */ ([]);
    this.mistakes = 0;
    this.converged = false;
    this.stoppedBy = "max_passes";
    this.replayed = false;
    this.pocketTrail = /** @type {{k: number, errors: number}[]} */ ([]);
  }

  get steps() {
    return this.row.length;
  }
  get updates() {
    return this.journal.length;
  }
  /** Updates made in the first t steps. @param {number} t */
  updatesAt(t) {
    return t === 0 ? 0 : this.after[Math.min(t, this.steps) - 1];
  }
  /** Was step t (from 1) an update? @param {number} t */
  moved(t) {
    return this.updatesAt(t) > this.updatesAt(t - 1);
  }

  /** The stored vector after k updates: (w1, w2, b), or alpha in the dual. @param {number} k @returns {number[]} */
  stored(k) {
    if (!this.dual) return this.vectors[k];
    const alpha = this.start.slice();
    for (let u = 0; u < k; u++) alpha[this.journal[u].row] += this.journal[u].tau * this.unit.tau;
    return alpha;
  }
  /** The vector after k updates in the user's units. @param {number} k @returns {number[]} */
  vector(k) {
    return this.#shown(this.stored(k), 1);
  }
  /** @param {number[]} v @param {number} n */
  #shown(v, n) {
    const { w, b } = this.unit;
    return this.dual ? v.map((a) => a / (n * w)) : [v[0] / (n * w), v[1] / (n * w), v[2] / (n * b)];
  }

  /** m of every example under the vector after k updates. @param {number} k @returns {number[]} */
  margins(k) {
    this.f.become(this.stored(k));
    return this.y.map((_, i) => this.f.judge(i) / this.unit.m + 0);
  }

  /** How many of the first t steps each vector 0..k was in force after. @param {number} t @returns {number[]} */
  survival(t) {
    const made = this.journal.slice(0, this.updatesAt(t)).map((u) => u.step),
      from = [0, ...made];
    return [...made, t].map((to, u) => to - from[u]);
  }

  /** The mean over the first t steps of the vector in force after each. @param {number} t @returns {number[]} */
  average(t) {
    if (t === 0) return this.vector(0);
    const count = this.survival(t),
      sum = this.start.map(() => 0),
      v = this.start.slice();
    for (let k = 0; k < count.length; k++) {
      if (k > 0) {
        if (this.dual) v[this.journal[k - 1].row] += this.journal[k - 1].tau * this.unit.tau;
        else for (let j = 0; j < 3; j++) v[j] = this.vectors[k][j];
      }
      for (let j = 0; j < sum.length; j++) sum[j] += count[k] * v[j];
    }
    return this.#shown(sum, t);
  }

  /** alpha_i after k updates: how much example i has been added. @param {number} k @returns {number[]} */
  alpha(k) {
    const alpha = new Array(this.n).fill(0);
    for (let u = 0; u < k; u++) alpha[this.journal[u].row] += this.journal[u].tau;
    return alpha;
  }

  /** The pocket: the first vector with the fewest errors (m <= 0) among those up to k updates.
   * @param {number} k @returns {{k: number, errors: number}} */
  pocket(k) {
    const trail = this.pocketTrail;
    for (let u = trail.length; u <= k; u++) {
      this.f.become(this.stored(u));
      const errors = this.y.filter((_, i) => this.f.judge(i) <= 0).length,
        best = trail[u - 1];
      trail.push(best && best.errors <= errors ? best : { k: u, errors });
    }
    return trail[k];
  }

  /** The first step t >= from (from 1) that moved the weights, or null. @param {number} from */
  nextUpdate(from) {
    const update = this.journal.find((u) => u.step + 1 >= from);
    return update ? update.step + 1 : null;
  }
}

/** Does a margin m of an example with label y ask for an update? The rule, and nothing else.
 * @param {number} m @param {number} y @param {number} margin @param {Ties} ties */
export function asks(m, y, margin, ties) {
  return ties === "positive" ? m < 0 || (m === 0 && y < 0) : m <= margin;
}

/** Show examples and update iff m <= margin, by w += tau·y·x and b += tau·y, until a clean pass.
 * @param {Point[]} X @param {number[]} y @param {Options} [options] @param {Unit} [unit] @returns {Run} */
export function learn(X, y, options = {}, unit) {
  const { margin = 0, rate = 1, bias = true, start = null, order = "cyclic", seed = 0, ties = "mistake" } = options;
  const { maxPasses = 1000, maxUpdates = Infinity, kernel = null, picks = [], one = 1 } = options;
  const n = X.length;
  const f = kernel ? new Dual(X, y, bias, kernel, one) : new Linear(X, y, bias, start ?? [0, 0, 0], one);
  const run = new Run(X, y, f, options, unit);
  const generator = new Generator(seed);
  const ask = (/** @type {number} */ i) => asks(f.judge(i), y[i], margin, ties);
  const quiet = () => y.every((_, i) => !ask(i));

  let rows = order === "manual" ? picks.filter((i) => i < n) : y.map((_, i) => i);
  for (let pass = 0; pass < maxPasses && n > 0; pass++) {
    if (order === "shuffle" || (order === "shuffle_once" && pass === 0)) rows = generator.permutation(n);
    else if (order === "random") rows = y.map(() => generator.below(n));
    else if (order === "worst") rows = [worst(f, y, margin, ties)];
    let updates = 0;
    for (const i of rows) {
      const m = f.judge(i);
      if (m <= 0) run.mistakes++;
      if (asks(m, y[i], margin, ties)) {
        f.add(i, rate);
        run.journal.push({ step: run.steps, row: i, tau: rate / run.unit.tau, m: m / run.unit.m + 0 });
        if (!run.dual) run.vectors.push(f.vector());
        updates++;
      }
      run.row.push(i);
      run.m.push(m / run.unit.m + 0); // no −0
      run.after.push(run.updates);
      run.pass.push(order === "manual" ? Math.ceil(run.row.length / n) : pass + 1);
      if (run.updates === maxUpdates) {
        run.stoppedBy = "max_updates";
        run.updatesPerPass.push(updates);
        return run;
      }
      if (updates && order === "first") break;
    }
    run.updatesPerPass.push(updates);
    const clean = order === "manual" ? quiet() : updates === 0 && (order !== "random" || quiet());
    if (clean || order === "manual") {
      run.converged = clean;
      run.stoppedBy = clean ? "clean_pass" : "no_more_picks";
      break;
    }
  }
  return run;
}

/** The asking example with the smallest m, or row 0 when none asks.
 * @param {Hypothesis} f @param {number[]} y @param {number} margin @param {Ties} ties */
function worst(f, y, margin, ties) {
  let best = 0,
    least = Infinity;
  y.forEach((label, i) => {
    const m = f.judge(i);
    if (m < least && asks(m, label, margin, ties)) [best, least] = [i, m];
  });
  return best;
}
