// Above the figure: what a click does, the grid, and which layers are drawn.
import { button, h, say, select, show } from "../dom.js";
import { named } from "../format.js";
import { LAYERS, SNAPS } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app */
export function tools(app) {
  const buttons = Object.entries(TEXT.tools).map(([name, [text, hint]]) => {
    const node = button(
      text,
      hint,
      () => {
        app.ui.tool = /** @type {import("../app.js").Tool} */ (name);
        app.ui.selected = null;
        app.refresh();
      },
      {
        "data-tool": name,
        class: `rb-tool rb-tool-${name}`,
        "aria-label": text,
      },
    );
    return node;
  });
  const snap = select(
    SNAPS.map((s) => [String(s), s === 0 ? "no grid" : `grid ${s}`]),
    (v) => app.set({ snap: Number(v) }),
  );
  snap.id = app.id("snap");
  snap.setAttribute("aria-label", "Snap to grid");
  const boxes = LAYERS.map((name) => {
    const box = h("input", { type: "checkbox", id: app.id(`layer-${name}`) });
    box.addEventListener("change", () => {
      const { layers } = app.store.get();
      app.set({ layers: box.checked ? [...layers, name] : layers.filter((l) => l !== name) });
    });
    return {
      name,
      box,
      row: h(
        "div",
        { class: "rb-check" },
        box,
        h("label", { for: box.id }, TEXT.layers[/** @type {keyof typeof TEXT.layers} */ (name)]),
      ),
    };
  });
  const layers = h(
    "details",
    { class: "rb-layers" },
    h("summary", {}, "Layers"),
    h("div", { class: "rb-popover" }, ...boxes.map((b) => b.row)),
  );
  const undo = button("Undo", "Undo (Ctrl+Z)", () => app.store.undo()),
    redo = button("Redo", "Redo (Ctrl+Shift+Z)", () => app.store.redo());
  const el = h(
    "div",
    { class: "rb-tools", role: "toolbar", "aria-label": "Figure tools" },
    h("div", { class: "rb-group" }, ...buttons),
    snap,
    layers,
    h("span", { class: "rb-space" }),
    h("div", { class: "rb-group" }, undo, redo),
  );

  const update = (/** @type {View} */ { state }) => {
    el.hidden = state.hide.includes("tools");
    for (const node of buttons) {
      node.setAttribute("aria-pressed", String(node.dataset.tool === app.ui.tool));
      if (node.dataset.tool === "show") node.hidden = state.order !== "manual";
      const side = { plus: 1, minus: -1 }[node.dataset.tool ?? ""];
      if (!side) continue;
      say(node, named(side, state.classes));
      node.setAttribute("aria-label", `Place ${named(side, state.classes)}`);
    }
    show(snap, String(state.snap));
    boxes.forEach(({ name, box }) => (box.checked = state.layers.includes(name)));
    undo.disabled = !app.store.canUndo();
    redo.disabled = !app.store.canRedo();
  };
  return { el, update };
}
