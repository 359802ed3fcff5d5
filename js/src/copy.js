// The run as text to take away: Python, a command line, LaTeX, Markdown, JSON.
import { toCsv } from "./csv.js";
import { fmt, label, plain, tuple } from "./format.js";
import { LIMITS } from "./state.js";
import { passLimit, toTrace } from "./trace.js";

/** @typedef {import("./derive.js").View} View */

const JUDGED = 200000; // looks at an example that Python's trace takes in fractions unasked

/** The arguments of the Python function that differ from its defaults. @param {View} view @returns {[string, string][]} */
function argumentsOf({ state, run, exact }) {
  const out = /** @type {[string, string][]} */ ([]);
  if (state.margin !== 0) out.push(["margin", plain(state.margin)]);
  if (state.rate !== 1) out.push(["rate", plain(state.rate)]);
  if (!state.bias) out.push(["bias", "False"]);
  if (state.start.some((v) => v !== 0))
    out.push(["start", `([${plain(state.start[0])}, ${plain(state.start[1])}], ${plain(state.start[2])})`]);
  if (state.order !== "cyclic" && state.order !== "manual") out.push(["order", `"${state.order}"`]);
  if (["shuffle", "shuffle_once", "random"].includes(state.order) && state.seed) out.push(["seed", String(state.seed)]);
  if (state.memory !== "last") out.push(["memory", `"${state.memory}"`]);
  if (state.ties !== "mistake") out.push(["ties", `"${state.ties}"`]);
  if (passLimit(run) !== LIMITS.passes) out.push(["max_passes", String(passLimit(run))]);
  if (run.stoppedBy === "max_updates") out.push(["max_updates", String(run.updates)]);
  if (run.replayed || state.kernel !== "none") return out; // how a trace was computed is not in it
  const whole = [...state.points.flat(), state.rate, state.margin, ...state.start].every(Number.isInteger);
  // Short runs on short decimals are exact in Python by themselves, and whole numbers are exact in any way.
  if (!exact) out.push(["exact", "False"]);
  else if (!whole && 2 * run.n * run.updates > JUDGED) out.push(["exact", "True"]);
  return out;
}

/** A script that repeats the run. @param {View} view */
export function asPython(view) {
  const { X, y, state } = view;
  const data = `X = [${X.map((x) => `[${x.map(plain).join(", ")}]`).join(", ")}]\ny = [${y.join(", ")}]\n`;
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
      : `, gamma=${plain(state.gamma)}${state.kernel === "poly" ? `, degree=${state.degree}, coef0=${plain(state.coef0)}` : ""}`;
  const limit = passLimit(view.run);
  const rest = [
    state.margin ? `, margin=${plain(state.margin)}` : "",
    state.rate !== 1 ? `, eta0=${plain(state.rate)}` : "",
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
        return `--start="${state.start.slice(0, 2).map(plain).join(",")}${state.start[2] ? `;${plain(state.start[2])}` : ""}"`;
      return `--${name.replace("_", "-")} ${value.replace(/"/g, "")}`;
    });
  const variant = { last: "", average: "--variant averaged", vote: "--variant voted", pocket: "--variant pocket" }[
    state.memory
  ];
  const kernel =
    state.kernel === "none"
      ? ""
      : `--kernel ${state.kernel}${state.kernel === "linear" ? "" : `:${plain(state.gamma)}`}${state.kernel === "poly" ? `:${state.degree}:${plain(state.coef0)}` : ""}`;
  const words = ["rosenblatt", kernel ? "fit" : "trace", "examples.csv", "--target y", kernel, variant, ...flags]
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
    rows.push([
      String(s),
      String(run.pass[s - 1]),
      String(i + 1),
      tuple(X[i]),
      label(y[i]),
      fmt(run.m[s - 1]),
      moved ? shown : "",
    ]);
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
  const math = (/** @type {string} */ text) =>
    text
      ? `$${text
          .replace(/−/g, "-")
          .replace(/·/g, " \\cdot ")
          .replace(/α(\d*)/g, "\\alpha_{$1}")
          .replace(/∞/g, "\\infty")
          .replace("_{}", "")}$`
      : "";
  const head = heads(view).map((t) =>
    ["step", "pass"].includes(t) ? t : t.endsWith("after") ? `${math(t.replace(" after", ""))} after` : math(t),
  );
  const rows = stepRows(view).map((cells) => `  ${cells.map((c, j) => (j < 3 ? c : math(c))).join(" & ")} \\\\`);
  return [
    "\\begin{tabular}{rrrlrrl}",
    "  \\hline",
    `  ${head.join(" & ")} \\\\`,
    "  \\hline",
    ...rows,
    "  \\hline",
    "\\end{tabular}",
    "",
  ].join("\n");
}

/** @param {View} view */
export function asTrace(view) {
  const doc = toTrace(view);
  return doc ? JSON.stringify(doc) : "The trace format holds linear machines; this one has a kernel.";
}
