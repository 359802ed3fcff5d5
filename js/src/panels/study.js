// A small study: the same data in many random orders, and how many updates each order took.
import { button, field, fill, h, select } from "../dom.js";
import { runOf } from "../derive.js";
import { count, fmt } from "../format.js";
import { bins, histogram } from "../plot/chart.js";
import { cleanSettings } from "../state.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const MOST_STEPS = 20000;

/** @param {App} app */
export function study(app) {
  const result = h("div");
  let made =
    /** @type {{key: string, runs: {seed: number, updates: number, passes: number, converged: boolean}[]} | null} */ (
      null
    );
  const runs = select(
    ["50", "200", "1000"].map((n) => [n, `${n} orders`]),
    () => undefined,
  );
  runs.value = "200";
  const keyOf = (/** @type {import("../state.js").State} */ state) =>
    JSON.stringify([state.points, { ...cleanSettings(state), order: "", seed: 0 }]);
  const start = button(
    "Run the study",
    "Run the study",
    () => {
      const { state, X, y } = app.view(),
        n = Number(runs.value);
      const list = Array.from({ length: X.length ? n : 0 }, (_, seed) => {
        const { run } = runOf(X, y, { ...cleanSettings(state), order: "shuffle", seed }, [], MOST_STEPS);
        return { seed, updates: run.updates, passes: run.updatesPerPass.length, converged: run.converged };
      });
      made = { key: keyOf(state), runs: list };
      app.refresh();
    },
    { class: "rb-primary" },
  );
  const el = h(
    "div",
    h(
      "p",
      "The number of updates depends on the order of the examples; the bound does not. Click a bar to load one of its runs.",
    ),
    h("div.rb-row", field("How many", runs, app.id("runs")), start),
    result,
  );

  const update = (/** @type {View} */ view) => {
    if (!made || made.key !== keyOf(view.state))
      return fill(result, made ? [h("p.rb-grey", "The data or settings have changed since the last study.")] : []);
    const stopped = made.runs.filter((r) => r.converged),
      lost = made.runs.length - stopped.length;
    if (!stopped.length)
      return fill(result, [h("p.rb-grey", `None of ${made.runs.length} orders reached a clean pass.`)]);
    const updates = stopped.map((r) => r.updates),
      sorted = [...updates].sort((a, b) => a - b);
    const quantile = (/** @type {number} */ q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
    const mean = updates.reduce((a, b) => a + b, 0) / updates.length;
    const shuffled = view.state.order === "shuffle";
    return fill(result, [
      h("h3", `Updates until a clean pass, in ${count(stopped.length, "random order")}`),
      histogram(
        bins(updates),
        (member) => app.set({ order: "shuffle", seed: stopped[member].seed, step: 0 }),
        (from, to) => shuffled && view.run.updates >= from && view.run.updates <= to,
      ),
      h(
        "p",
        `Mean ${fmt(mean, 3)}, median ${fmt(quantile(0.5))}, 5–95 % ${fmt(quantile(0.05))}–${fmt(quantile(0.95))}, least ${fmt(sorted[0])}, most ${fmt(sorted[sorted.length - 1])}${view.bound === null ? "" : `; the bound is ${fmt(view.bound.most)}`}.${lost ? ` ${count(lost, "run")} did not converge.` : ""}`,
      ),
    ]);
  };
  return { el, update };
}
