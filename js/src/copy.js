// The run as text to take away: Python, a command line, LaTeX, Markdown, JSON.
import { toCsv } from "./csv.js";
import { fmt, label, tuple } from "./format.js";
import { DRAWN, LIMITS } from "./state.js";
import { passLimit, toTrace } from "./trace.js";

/** @typedef {import("./derive.js").View} View */

const JUDGED = 200000; // looks at an example that Python's trace takes in fractions unasked

/** The arguments of the Python function that differ from its defaults. @param {View} view @returns {[string, string][]} */
function argumentsOf({ state, run, exact }) {
  const { margin, rate, bias, start, order, seed, memory, ties } = state,
    limit = passLimit(run);
  const out = /** @type {[string, string][]} */ ([]);
  const add = (/** @type {boolean} */ needed, /** @type {string} */ name, /** @type {string | number} */ value) => {
    if (needed) out.push([name, String(value)]);
  };
  add(margin !== 0, "margin", margin);
  add(rate !== 1, "rate", rate);
  add(!bias, "bias", "False");
  add(start.some(Boolean), "start", `([${start[0]}, ${start[1]}], ${start[2]})`);
  add(order !== "cyclic" && order !== "manual", "order", `"${order}"`);
  add(DRAWN.includes(order) && seed > 0, "seed", seed);
  add(memory !== "last", "memory", `"${memory}"`);
  add(ties !== "mistake", "ties", `"${ties}"`);
  add(limit !== LIMITS.passes, "max_passes", limit);
  add(run.stoppedBy === "max_updates", "max_updates", run.updates);
  if (run.replayed || state.kernel !== "none") return out; // how a trace was computed is not in it
  const whole = [...state.points.flat(), rate, margin, ...start].every(Number.isInteger);
  // Short runs on short decimals are exact in Python by themselves, and whole numbers are exact in any way.
  if (!exact) add(true, "exact", "False");
  else add(!whole && 2 * run.n * run.updates > JUDGED, "exact", "True");
  return out;
}

/** A script that repeats the run. @param {View} view */
export function asPython(view) {
  const { X, y, state } = view;
  const data = `X = [${X.map((x) => `[${x.join(", ")}]`).join(", ")}]\ny = [${y.join(", ")}]\n`;
  if (state.kernel === "none") {
    const rest = argumentsOf(view)
      .map(([name, value]) => `, ${name}=${value}`)
      .join("");
    const note =
      state.order === "manual" ? "# the examples chosen by hand are not repeated; this shows them in order\n" : "";
    return `from rosenblatt import trace\n\n${data}${note}run = trace(X, y${rest})\nprint(run)\n`;
  }
  const memory = { last: "", average: ', memory="averaged"', vote: ', memory="voted"', pocket: "" }[state.memory];
  const shape =
    state.kernel === "linear"
      ? ""
      : `, gamma=${state.gamma}${state.kernel === "poly" ? `, degree=${state.degree}, coef0=${state.coef0}` : ""}`;
  const limit = passLimit(view.run);
  const rest = [
    state.margin ? `, margin=${state.margin}` : "",
    state.rate !== 1 ? `, eta0=${state.rate}` : "",
    state.bias ? "" : ", fit_intercept=False",
    state.order === "shuffle" ? `, random_state=${state.seed}` : ", shuffle=False",
    limit === LIMITS.passes ? "" : `, max_iter=${limit}`,
  ].join("");
  const note = ["cyclic", "shuffle"].includes(state.order)
    ? ""
    : "# this order is the lab's own; the estimator shows the examples as given\n";
  return `from rosenblatt import KernelPerceptron\n\n${data}${note}model = KernelPerceptron(kernel="${state.kernel}"${shape}${memory}${rest}).fit(X, y)\nprint(model.n_updates_)\n`;
}

/** The rows as a file, and the command that runs on it. @param {View} view */
export function asCommand(view) {
  const { state } = view;
  const flags = argumentsOf(view)
    .filter(([name]) => name !== "memory")
    .map(([name, value]) => {
      if (name === "bias") return "--no-bias";
      if (name === "exact") return value === "True" ? "--exact" : "--float";
      if (name === "start")
        return `--start="${state.start.slice(0, 2).join(",")}${state.start[2] ? `;${state.start[2]}` : ""}"`;
      return `--${name.replace("_", "-")} ${value.replace(/"/g, "")}`;
    });
  const variant = { last: "", average: "--variant averaged", vote: "--variant voted", pocket: "--variant pocket" }[
    state.memory
  ];
  const kernel =
    state.kernel === "none"
      ? ""
      : `--kernel ${state.kernel}${state.kernel === "linear" ? "" : `:${state.gamma}`}${state.kernel === "poly" ? `:${state.degree}:${state.coef0}` : ""}`;
  const asGiven = kernel && ["cyclic", "manual"].includes(state.order) && "--order cyclic"; // fit would shuffle
  const words = [
    "rosenblatt",
    kernel ? "fit" : "trace",
    "examples.csv",
    "--target y",
    kernel,
    variant,
    asGiven,
    ...flags,
  ]
    .filter(Boolean)
    .join(" ");
  return `cat > examples.csv <<'END'\n${toCsv(state.points)}END\n${words}\n`;
}

/** The steps up to now, as rows of cells. @param {View} view */
function stepRows({ run, t, X, y, state }) {
  const rows = [];
  for (let s = 1; s <= Math.min(t, 200); s++) {
    const i = run.row[s - 1],
      after = run.vector(run.updatesAt(s));
    const moved = run.moved(s),
      shown = run.dual
        ? `α${i + 1} = ${fmt(run.alpha(run.updatesAt(s))[i])}`
        : tuple(after.slice(0, state.bias ? 3 : 2));
    const numbers = [s, run.pass[s - 1], i + 1].map(String);
    rows.push([...numbers, tuple(X[i]), label(y[i]), fmt(run.m[s - 1]), moved ? shown : ""]);
  }
  return rows;
}
/** @param {View} view */
const heads = ({ run, state }) => [
  "step",
  "pass",
  "i",
  "x",
  "y",
  run.dual ? "y f(x)" : state.bias ? "y(w·x + b)" : "y(w·x)",
  run.dual ? "α" : state.bias ? "(w, b) after" : "w after",
];

/** @param {View} view */
export function asMarkdown(view) {
  const line = (/** @type {string[]} */ cells) => `| ${cells.join(" | ")} |`;
  const head = heads(view);
  return [line(head), line(head.map(() => "---")), ...stepRows(view).map(line)].join("\n") + "\n";
}

/** @param {View} view */
export function asLatex(view) {
  const math = (/** @type {string} */ text) => {
    const set = text.replace(/−/g, "-").replace(/·/g, " \\cdot ").replace(/∞/g, "\\infty");
    return set && `$${set.replace(/α(\d+)/g, "\\alpha_{$1}").replace("α", "\\alpha")}$`;
  };
  const head = heads(view).map((t) =>
    ["step", "pass"].includes(t) ? t : t.endsWith("after") ? `${math(t.replace(" after", ""))} after` : math(t),
  );
  const rows = stepRows(view).map((cells) => `  ${cells.map((c, j) => (j < 3 ? c : math(c))).join(" & ")} \\\\`);
  const rule = "  \\hline";
  const lines = [rule, `  ${head.join(" & ")} \\\\`, rule, ...rows, rule];
  return ["\\begin{tabular}{rrrlrrl}", ...lines, "\\end{tabular}", ""].join("\n");
}

/** @param {View} view */
export function asTrace(view) {
  const doc = toTrace(view);
  return doc ? JSON.stringify(doc) : "The trace format holds linear machines; this one has a kernel.";
}
