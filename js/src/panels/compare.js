// Several runs on the same data, at the same step: starts, orders or machines side by side.
import { button, column, fill, h } from "../dom.js";
import { hypothesis, runOf } from "../derive.js";
import { count, fmt, tuple } from "../format.js";
import { differences } from "../permalink.js";
import { cleanSettings, settingsOf, variantOf } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */
/** @typedef {import("../state.js").Settings} Settings */

/** @param {App} app */
export function compare(app) {
  const el = h("div", {});
  const pin = (/** @type {Settings[]} */ pinned) => app.set({ pinned });
  const current = () => settingsOf(app.store.get());
  const many = (/** @type {Partial<Settings>[]} */ patches) =>
    pin(patches.map((p) => cleanSettings({ ...current(), ...p })));
  const linear = () => /** @type {Partial<Settings>} */ (app.store.get().kernel === "none" ? {} : { kernel: "none" });
  const actions = h(
    "div",
    { class: "rb-row" },
    button("Keep this run", "Keep the present settings for comparison", () =>
      pin([...app.store.get().pinned, current()].slice(-5)),
    ),
    button("Four starts", "Compare four start vectors", () => {
      const r = Math.max(1, Math.ceil(1.7 * Math.max(...app.view().X.map((x) => Math.hypot(...x)))));
      many(
        [
          [r, 0, 0],
          [0, r, 0],
          [-r, 0, 0],
          [0, -r, 0],
        ].map((start) => ({ ...linear(), start })),
      ); // far enough to matter
    }),
    button("Orders", "Compare the orders", () =>
      many(/** @type {const} */ (["cyclic", "shuffle", "first", "worst"]).map((order) => ({ order }))),
    ),
    button("Memories", "Compare last, averaged, voted and pocket", () =>
      many(/** @type {const} */ (["last", "average", "vote", "pocket"]).map((memory) => ({ ...linear(), memory }))),
    ),
    button("Forget all", "Remove the runs kept", () => pin([])),
  );

  const update = (/** @type {View} */ view) => {
    const { state, X, y, t } = view;
    const line = (
      /** @type {string} */ name,
      /** @type {string} */ key,
      /** @type {Settings} */ s,
      /** @type {import("../engine.js").Run} */ run,
      /** @type {Node | null} */ act,
    ) => {
      const at = Math.min(t, run.steps);
      return h(
        "tr",
        {},
        h("th", { scope: "row" }, h("i", { class: `rb-key ${key}`, "aria-hidden": "true" }), ` ${name}`),
        h("td", { class: "rb-left" }, describe(s, state)),
        h("td", {}, fmt(run.updatesAt(at))),
        h("td", {}, `${fmt(run.updates)}${run.converged ? "" : " …"}`),
        h("td", {}, answers(s, hypothesis(s, X, y, run, at).line, run, at)),
        h("td", {}, act),
      );
    };
    const rows = state.pinned.map((s, i) =>
      line(
        "ABCDE"[i],
        `rb-pin-${i}`,
        s,
        runOf(X, y, s, state.picks, 20000).run,
        h(
          "div",
          { class: "rb-row" },
          button("Load", `Load run ${"ABCDE"[i]}`, () => app.set({ ...s, step: Math.min(t, LIMIT) })),
          button("×", `Forget run ${"ABCDE"[i]}`, () => pin(state.pinned.filter((_, j) => j !== i)), {
            class: "rb-bare",
          }),
        ),
      ),
    );
    const table = h(
      "table",
      { class: "rb-table" },
      h("caption", {}, "Runs on the same examples, at the same step"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["Run", "What differs", "Updates", "in all", state.bias ? "(w, b)" : "w"].map((name) => column(name)),
          h("th", { scope: "col" }, h("span", { class: "rb-hidden" }, "Load or forget")),
        ),
      ),
      h("tbody", {}, line("shown", "rb-real", settingsOf(state), view.run, null), ...rows),
    );
    fill(el, [
      h(
        "p",
        {},
        "Keep runs with other starts, orders or machines: their lines are drawn in the figure, and move with the same step.",
      ),
      actions,
      h("div", { class: "rb-scroll", role: "group", tabindex: 0, "aria-label": "Runs compared" }, table),
    ]);
  };
  return { el, update };
}

const LIMIT = 100000;

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
      if (key === "seed") return ["shuffle", "shuffle_once", "random"].includes(s.order) ? `seed ${s.seed}` : "";
      if (key === "memory" || key === "kernel" || key === "degree" || key === "gamma" || key === "coef0") return "";
      if (key === "bias") return s.bias ? "with offset" : "no offset";
      if (key === "ties") return `ties ${TEXT.ties[s.ties]}`;
      return `${key} ${fmt(Number(value))}`;
    })
    .filter(Boolean);
  const [mine, theirs] = [variantOf(s), variantOf(shown)];
  return [mine === theirs ? "" : TEXT.variants[mine].toLowerCase(), ...words].filter(Boolean).join(", ") || "nothing";
}
