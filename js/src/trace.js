// The trace of schema rosenblatt.trace/1: what Python recorded, replayed here; and what ran here, for Python.
import { Run, learn } from "./engine.js";
import { rational, toText } from "./rational.js";
import { LIMITS, cleanState, problemWith } from "./state.js";

/** @typedef {import("./derive.js").View} View */
/** @typedef {import("./state.js").State} State */

const SCHEMA = "rosenblatt.trace/1";

/** The state and the run of a trace in the plane, or a problem in words. @param {any} doc
 * @returns {{state: State, run: Run, problem: ""} | {state: null, run: null, problem: string}} */
export function fromTrace(doc) {
  const fail = (/** @type {string} */ problem) => ({ state: null, run: null, problem });
  if (doc?.schema !== SCHEMA) return fail(`This is not a trace of schema ${SCHEMA}.`);
  const { data, settings, steps, updates, start } = doc;
  const d = data?.X?.[0]?.length ?? 0;
  if (d !== 1 && d !== 2) return fail(`The trace has ${d} features; the lab draws two.`);
  if (data.classes.length !== 2) return fail(`The trace has ${data.classes.length} classes; the lab draws two.`);
  const sign = (/** @type {unknown} */ label) => (label === data.classes[1] ? 1 : -1);
  const points = data.X.map((/** @type {number[]} */ x, /** @type {number} */ i) => [x[0], x[1] ?? 0, sign(data.y[i])]);
  const problem = problemWith(points);
  if (problem) return fail(`The trace cannot be shown. ${problem}`);
  const w0 = [start.w[0][0], start.w[0][1] ?? 0, start.b[0]];
  const classes = data.classes.every((/** @type {unknown} */ c) => typeof c === "string") ? data.classes : [];
  const state = cleanState({ ...settings, points, classes, columns: data.names, start: w0 });
  const X = state.points.map(([a, b]) => /** @type {[number, number]} */ ([a, b])),
    y = state.points.map((p) => p[2]);
  const run = learn(X, y, { ...settings, start: w0, maxPasses: 0 });
  replay(run, steps, updates, doc.result);
  return { state, run, problem: "" };
}

/** Fill a run with what was recorded, moving the vector as the journal says. @param {Run} run @param {any} steps @param {any} updates @param {any} result */
function replay(run, steps, updates, result) {
  const taken = Math.min(updates.step.length, LIMITS.steps);
  for (let u = 0; u < taken; u++) {
    const [step, row, tau, m] = [updates.step[u], updates.row[u], updates.tau[u], updates.m[u]];
    if (!(row >= 0 && row < run.n)) break;
    run.journal.push({ step, row, tau, m });
    run.f.add(row, tau);
    run.vectors.push(run.f.vector());
  }
  let k = 0;
  for (let t = 0; t < Math.min(steps.row.length, LIMITS.steps); t++) {
    while (k < run.updates && run.journal[k].step <= t) k++;
    run.row.push(steps.row[t]);
    run.m.push(steps.m[t]);
    run.after.push(k);
    run.pass.push(steps.pass[t] + 1);
    if (steps.m[t] <= 0) run.mistakes++;
  }
  run.updatesPerPass = result.updates_per_pass;
  run.converged = result.converged;
  run.stoppedBy = result.stopped_by;
  run.replayed = true;
}

/** How many passes Python must be allowed to end where this run ended. @param {Run} run */
export function passLimit({ updatesPerPass: { length }, stoppedBy }) {
  return stoppedBy === "max_passes" ? length : Math.max(length, LIMITS.passes);
}

/** The trace of what is on the screen, whole run; null with a kernel, which the schema does not hold. @param {View} view */
export function toTrace(view) {
  const { run, X, y, exact, verdict } = view,
    { margin, rate, bias, order, seed, memory, ties } = view.state;
  if (run.dual) return null;
  const text = (/** @type {number} */ v) => String(v + 0);
  const taus = run.row.map((_, t) => (run.moved(t + 1) ? run.journal[run.updatesAt(t + 1) - 1].tau : 0));
  const every = (/** @type {"step" | "row" | "tau" | "m"} */ name) => run.journal.map((u) => u[name]),
    rival = run.journal.map(() => -1);
  const start = run.vector(0);
  const model = modelOf(view);
  const doc = {
    schema: SCHEMA,
    what: "steps",
    exact,
    settings: {
      margin,
      rate,
      bias,
      order: order === "manual" ? "cyclic" : order,
      seed,
      memory,
      ties,
      multiclass: "ovr",
      max_passes: passLimit(run),
      max_updates: null,
      max_seconds: null,
      weights: null,
    },
    data: { X, y, classes: [-1, 1], names: ["x1", "x2"] },
    start: { w: [start.slice(0, 2)], b: [start[2]] },
    steps: { pass: run.pass.map((p) => p - 1), row: run.row, m: run.m, tau: taus },
    updates: { step: every("step"), row: every("row"), tau: every("tau"), m: every("m"), rival },
    result: {
      converged: run.converged,
      stopped_by: run.stoppedBy,
      n_steps: run.steps,
      n_passes: run.updatesPerPass.length,
      n_updates: run.updates,
      n_mistakes: run.mistakes,
      updates_per_pass: run.updatesPerPass,
    },
    model: { memory, ...parted(model.w), errors: model.errors },
    best: verdict?.u ? { ...parted(verdict.u), gamma: verdict.gamma, R: verdict.R } : null,
    cycle: null,
    ties: [],
    numbers: /** @type {any} */ (null),
  };
  if (exact) {
    doc.numbers = {
      settings: { margin: text(margin), rate: text(rate) },
      data: { X: X.map((x) => x.map(text)) },
      start: { w: [start.slice(0, 2).map(text)], b: [text(start[2])] },
      steps: { m: run.m.map(text), tau: taus.map(text) },
      updates: { m: every("m").map(text), tau: every("tau").map(text) },
      model: parted(model.exact),
    };
  }
  return doc;
}

/** @template T @param {T[] | null} v */
const parted = (v) => ({ w: v && v.slice(0, 2), b: v && v[2] });

/** The vector the memory answers with, in doubles and as exact text. @param {View} view
 * @returns {{w: number[] | null, exact: string[] | null, errors: number | null}} */
function modelOf({ run, state }) {
  if (state.memory === "vote") return { w: null, exact: null, errors: null };
  if (state.memory === "average" && run.steps > 0) {
    const count = run.survival(run.steps),
      unit = [run.unit.w, run.unit.w, run.unit.b];
    const sum = [0, 1, 2].map((j) => count.reduce((total, c, k) => total + c * run.vectors[k][j], 0));
    const exact = sum.every(Number.isSafeInteger)
      ? sum.map((v, j) => toText(rational(BigInt(v), BigInt(run.steps * unit[j]))))
      : null;
    return { w: run.average(run.steps), exact, errors: null };
  }
  const pocket = state.memory === "pocket" ? run.pocket(run.updates) : null;
  const w = run.vector(pocket ? pocket.k : run.updates);
  return { w, exact: w.map((v) => String(v + 0)), errors: pocket ? pocket.errors : null };
}
