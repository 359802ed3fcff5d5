// Several runs on the same data, at the same step: starts, orders or machines side by side.
import { button, fill, h, scroller, table, tableRow } from "../dom.js";
import { hypothesis, runOf } from "../derive.js";
import { count, fmt, tuple } from "../format.js";
import { differences } from "../permalink.js";
import { DRAWN, LIMITS, cleanSettings, variantOf } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */
/** @typedef {import("../state.js").Settings} Settings */

/** @param {App} app */
export function compare(app) {
  const el = h("div");
  const pin = (/** @type {Settings[]} */ pinned) => app.set({ pinned });
  const current = () => cleanSettings(app.state);
  const many = (/** @type {Partial<Settings>[]} */ patches) =>
    pin(patches.map((p) => cleanSettings({ ...current(), ...p })));
  const linear = () => /** @type {Partial<Settings>} */ (app.state.kernel === "none" ? {} : { kernel: "none" });
  const actions = h(
    "div.rb-row",
    button("Keep this run", "Keep the present settings for comparison", () =>
      pin([...app.state.pinned, current()].slice(-5)),
    ),
    button("Four starts", "Compare four start vectors", () => {
      const r = Math.max(1, Math.ceil(1.7 * Math.max(...app.view().X.map((x) => Math.hypot(...x)))));
      const starts = [r, -r].flatMap((v) => [
        [v, 0, 0],
        [0, v, 0],
      ]); // far enough to matter
      many(starts.map((start) => ({ ...linear(), start })));
    }),
    button("Orders", "Compare the orders", () =>
      many(/** @type {const} */ (["cyclic", "shuffle", "first", "worst"]).map((order) => ({ order }))),
    ),
    button("Memories", "Compare last, averaged, voted and pocket", () =>
      many(/** @type {Settings["memory"][]} */ (Object.keys(TEXT.memories)).map((memory) => ({ ...linear(), memory }))),
    ),
    button("Forget all", "Remove the runs kept", () => pin([])),
  );

  const update = (/** @type {View} */ view) => {
    const { state, X, y, t } = view;
    const shown = cleanSettings(state);
    const describeRun = (
      /** @type {string} */ name,
      /** @type {string} */ key,
      /** @type {Settings} */ s,
      /** @type {import("../engine.js").Run} */ run,
      /** @type {Node | null} */ act,
    ) => {
      const at = Math.min(t, run.steps);
      return tableRow(
        [h(`i.rb-key.${key}`, { "aria-hidden": "true" }), ` ${name}`],
        h("td.rb-left", describe(s, shown)),
        fmt(run.updatesAt(at)),
        `${fmt(run.updates)}${run.converged ? "" : " …"}`,
        answers(s, hypothesis(s, X, y, run, at).line, run, at),
        h("td", act),
      );
    };
    const rows = state.pinned.map((s, i) => {
      const name = "ABCDE"[i],
        forget = () => pin(state.pinned.filter((_, j) => j !== i));
      const act = h(
        "div.rb-row",
        button("Load", `Load run ${name}`, () => app.set({ ...s, step: Math.min(t, LIMITS.steps) })),
        button("×", `Forget run ${name}`, forget, { class: "rb-bare" }),
      );
      return describeRun(name, `rb-pin-${i}`, s, runOf(X, y, s, state.picks, 20000).run, act);
    });
    const act = h("th", { scope: "col" }, h("span.rb-hidden", "Load or forget"));
    const runs = table(
      "table.rb-table",
      "Runs on the same examples, at the same step",
      ["Run", "What differs", "Updates", "in all", state.bias ? "(w, b)" : "w", act],
      h("tbody", describeRun("shown", "rb-real", shown, view.run, null), rows),
    );
    fill(el, [
      h(
        "p",
        "Keep runs with other starts, orders or machines: their lines are drawn in the figure, and move with the same step.",
      ),
      actions,
      scroller("Runs compared", runs),
    ]);
  };
  return { el, update };
}

/** What a run's memory answers with at a step. @param {Settings} s @param {number[] | null} line @param {import("../engine.js").Run} run
 * @param {number} at */
function answers(s, line, run, at) {
  if (line) return tuple(line.slice(0, s.bias ? 3 : 2));
  return s.memory === "vote" ? `${count(run.survival(at).filter((c) => c > 0).length, "vector")} vote` : "–";
}

/** How settings differ from those on show. @param {Settings} s @param {Settings} shown */
function describe(s, shown) {
  const words = differences(s, shown)
    .map(([key, value]) => {
      if (key === "order") return TEXT.orders[s.order].toLowerCase();
      if (key === "start") return `start ${tuple(s.bias ? s.start : s.start.slice(0, 2))}`;
      if (key === "seed") return DRAWN.includes(s.order) ? `seed ${s.seed}` : "";
      if (["memory", "kernel", "degree", "gamma", "coef0"].includes(key)) return "";
      if (key === "bias") return s.bias ? "with offset" : "no offset";
      if (key === "ties") return `ties ${TEXT.ties[s.ties]}`;
      return `${key} ${fmt(Number(value))}`;
    })
    .filter(Boolean);
  const [mine, theirs] = [variantOf(s), variantOf(shown)];
  return [mine === theirs ? "" : TEXT.variants[mine].toLowerCase(), ...words].filter(Boolean).join(", ") || "nothing";
}
