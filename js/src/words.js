// The run in words: the arithmetic of one step, the verdict on the data, why this example came now.
import { isLifted } from "./derive.js";
import { bracket, count, fmt, label, tuple } from "./format.js";
import { toText } from "./rational.js";

/** @typedef {import("./derive.js").View} View */

/** The arithmetic of step t, as a lecturer would say it at the board. @param {View} view @returns {string} */
export function stepInWords(view) {
  const { run, t, row, state, X, y } = view;
  if (!run.n) return "No examples yet: click in the figure to place some.";
  if (row === null)
    return run.steps === 0 && state.order === "manual"
      ? "Click an example in the figure to show it."
      : startInWords(view);
  const m = run.m[t - 1],
    x = X[row],
    before = run.vector(run.updatesAt(t - 1));
  const head = `Step ${t}, pass ${run.pass[t - 1]}: example ${row + 1}, x = ${tuple(x)}, y = ${label(y[row])}.`;
  const inside = run.dual
    ? "Σ α y K"
    : `${bracket(x[0])}${bracket(before[0])} + ${bracket(x[1])}${bracket(before[1])}${state.bias ? ` + ${bracket(before[2])}` : ""}`;
  const product = run.dual ? `y f(x) = ${fmt(m)}` : `${label(y[row])} × (${inside}) = ${fmt(m)}`;
  return `${head} ${product}${verdictOn(view, m, row)}${view.moved ? moveInWords(view, row) : ""}`;
}

/** @param {View} view */
function startInWords({ run, state, w }) {
  if (run.dual) return "Start: every α is 0.";
  return `Start: w = ${tuple(w.slice(0, 2))}${state.bias ? `, b = ${fmt(w[2])}` : ""}. Press the right arrow to show the first example.`;
}

/** @param {View} view @param {number} m @param {number} row */
function verdictOn({ moved, state, y }, m, row) {
  if (!moved) {
    if (m === 0) return `, a tie, which sign(0) = +1 counts as right for y = ${label(y[row])}: no change.`;
    return ` > ${state.margin > 0 ? fmt(state.margin) : 0}: no change.`;
  }
  if (m > 0) return ` ≤ ${fmt(state.margin)}, right but nearer than the margin demanded:`;
  return m === 0 ? " ≤ 0, on the line, a mistake:" : " < 0, a mistake:";
}

/** @param {View} view @param {number} row */
function moveInWords({ run, t, state, X, y }, row) {
  const k = run.updatesAt(t),
    tau = run.journal[k - 1].tau;
  if (run.dual) return ` α${row + 1} becomes ${fmt(run.alpha(k)[row])}.`;
  const before = run.vector(k - 1),
    after = run.vector(k),
    sign = y[row] > 0 ? "+" : "−";
  const by = tau === 1 ? "" : `${fmt(tau)}·`;
  const bias = state.bias ? `, b becomes ${fmt(before[2])} ${sign} ${fmt(tau)} = ${fmt(after[2])}` : "";
  return ` w becomes ${tuple(before.slice(0, 2))} ${sign} ${by}${tuple(X[row])} = ${tuple(after.slice(0, 2))}${bias}.`;
}

/** How the run ends. @param {View} view */
export function endInWords({ run, state, cycle }) {
  const updates = count(run.updates, "update"),
    passes = count(run.updatesPerPass.length, "pass", "passes"),
    made = `${updates} in ${passes}`;
  if (run.replayed) return `Replayed from Python: ${made}${run.converged ? ", converged" : ""}.`;
  if (run.converged)
    return state.order === "manual"
      ? `Every example is right after ${updates}.`
      : `Converges: ${made}, the last one clean.`;
  if (state.order === "manual")
    return `${count(run.steps, "example")} shown, ${updates}; some example still asks for one.`;
  if (cycle !== null) return `Never stops: the weights at the start of pass ${cycle} come back, and all repeats.`;
  return `No clean pass in ${passes}: ${updates}.`;
}

/** Why this example came at this step. @param {View} view */
export function whyThisOne({ run, t, state, row }) {
  if (row === null) return "";
  const why = {
    cyclic: "the examples come in the order of the table",
    shuffle: `the order is drawn anew before every pass (seed ${state.seed})`,
    shuffle_once: `one order, drawn once (seed ${state.seed})`,
    random: `drawn with replacement (seed ${state.seed})`,
    first: run.moved(t) ? "the first example that asks for an update" : "from the top until one asks for an update",
    worst: "the example with the smallest y(w·x)",
    manual: "you chose it",
  }[state.order];
  return run.replayed ? "as the Python run showed it" : why;
}

/** Is the data separable? With γ, or the certificate. @param {View} view @returns {{head: string, body: string}} */
export function verdictInWords({ verdict, state, X, y }) {
  if (!verdict)
    return {
      head: X.length ? "Not judged" : "No examples",
      body:
        X.length < 2 || !(y.includes(1) && y.includes(-1))
          ? "Place examples of both classes."
          : "Too many examples to judge in the kernel's space.",
    };
  const where = isLifted(state) ? "in the kernel’s space" : state.bias ? "by a line" : "by a line through the origin";
  if (verdict.separable) {
    const touch =
      verdict.touching.length <= 4 ? ` Examples ${verdict.touching.map((i) => i + 1).join(", ")} hold the margin.` : "";
    return {
      head: `${verdict.proved ? "S" : "Numerically s"}eparable ${where}`,
      body: `Best margin γ = ${fmt(verdict.gamma)}, radius R = ${fmt(verdict.R)}${where.startsWith("in") ? ", both in that space" : state.bias ? ", both of (x, 1)" : ""}.${touch}`,
    };
  }
  return {
    head: `${verdict.proved ? "Not" : "Numerically not"} separable ${where}`,
    body: obstacleInWords(verdict, y, state.bias),
  };
}

/** A short fraction as it is, a long one as a decimal. @param {{weight: number, exact: import("./rational.js").Rational | null}} c */
const weightOf = ({ weight, exact }) => (exact && toText(exact).length <= 7 ? toText(exact) : fmt(weight));

/** @param {import("./geometry.js").Verdict} verdict @param {number[]} y @param {boolean} bias */
function obstacleInWords({ certificate, meeting }, y, bias) {
  if (!certificate.length) return "";
  const names = certificate.map((c) => c.row + 1);
  const proof = ` Weights: ${certificate.map((c) => `row ${c.row + 1} × ${weightOf(c)}`).join(", ")}.`;
  if (!bias) {
    if (names.length === 1) return `Example ${names[0]} lies at the origin, on every such line.`;
    return `With the −1 examples turned about the origin, 0 is a mixture of examples ${names.join(", ")}.${proof}`;
  }
  const plus = names.filter((name) => y[name - 1] > 0),
    minus = names.filter((name) => y[name - 1] < 0);
  const at = meeting ? ` at ${tuple(meeting)}` : "";
  const [few, many] = plus.length <= minus.length ? [plus, minus] : [minus, plus];
  if (many.length === 1) return `Examples ${few[0]} and ${many[0]} lie on the same spot with different labels.`;
  if (few.length === 1 && many.length === 2) return `Example ${few[0]} lies on the segment ${many.join("–")}.${proof}`;
  if (few.length === 1) return `Example ${few[0]} lies inside the triangle ${many.join(", ")}.${proof}`;
  return `The segments ${plus.join("–")} and ${minus.join("–")} cross${at}.${proof}`;
}

/** The figure for someone who cannot see it. @param {View} view */
export function figureInWords(view) {
  const { X, y, margins, answer, run } = view;
  if (!X.length) return "An empty plane.";
  const wrong = margins.filter((m) => m <= 0).length;
  const line = answer.line
    ? answer.line[0] || answer.line[1]
      ? ` The line is ${lineEquation(answer.line)}.`
      : " w is zero, so there is no line."
    : " There is no single line.";
  return `${count(y.filter((v) => v > 0).length, "positive example")} and ${count(y.filter((v) => v < 0).length, "negative one")}.${line} ${count(wrong, "mistake")} now, after ${count(view.k, "update")} of ${run.updates}.`;
}

/** @param {number[]} line */
export function lineEquation([w1, w2, b]) {
  const term = (/** @type {number} */ c, /** @type {string} */ name, /** @type {boolean} */ first) => {
    if (c === 0) return "";
    const size = Math.abs(c),
      factor = name ? (size === 1 ? "" : `${fmt(size)} `) : fmt(size);
    return `${c < 0 ? (first ? "−" : " − ") : first ? "" : " + "}${factor}${name}`;
  };
  const one = term(w1, "x₁", true),
    two = term(w2, "x₂", !one),
    three = term(b, "", !one && !two);
  return `${one}${two}${three}${one || two ? " = 0" : ""}`;
}
