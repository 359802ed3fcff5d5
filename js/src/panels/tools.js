// Above the figure: what a click does, the grid, and which layers are drawn.
import { assign, button, check, h, say, select, show } from "../dom.js";
import { named } from "../format.js";
import { SNAPS } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app */
export function tools(app) {
  const buttons = Object.entries(TEXT.tools).map(([name, [text, hint]]) => {
    const press = () => {
      app.ui.tool = /** @type {import("../app.js").Tool} */ (name);
      app.select(null);
    };
    return button(text, hint, press, { "data-tool": name, class: `rb-tool rb-tool-${name}`, "aria-label": text });
  });
  const snap = select(
    SNAPS.map((s) => [String(s), s === 0 ? "no grid" : `grid ${s}`]),
    (v) => app.set({ snap: Number(v) }),
  );
  assign(snap, { id: app.id("snap"), "aria-label": "Snap to grid" });
  const boxes = Object.entries(TEXT.layers).map(([name, text]) => {
    const change = (/** @type {boolean} */ on) => {
      const others = app.state.layers.filter((layer) => layer !== name);
      app.set({ layers: on ? [...others, name] : others });
    };
    return { name, ...check(text, app.id(`layer-${name}`), change) };
  });
  const layers = h(
    "details.rb-layers",
    h("summary", "Layers"),
    h(
      "div.rb-popover",
      boxes.map((b) => b.row),
    ),
  );
  const undo = button("Undo", "Undo (Ctrl+Z)", () => app.store.undo()),
    redo = button("Redo", "Redo (Ctrl+Shift+Z)", () => app.store.redo());
  const el = h(
    "div.rb-tools",
    { role: "toolbar", "aria-label": "Figure tools" },
    h("div.rb-group", buttons),
    snap,
    layers,
    h("span.rb-space"),
    h("div.rb-group", undo, redo),
  );

  const update = (/** @type {View} */ { state }) => {
    for (const node of buttons) {
      const { tool = "" } = node.dataset,
        side = { plus: 1, minus: -1 }[tool];
      assign(node, { "aria-pressed": String(tool === app.ui.tool) });
      if (tool === "show") node.hidden = state.order !== "manual";
      if (!side) continue;
      const text = named(side, state.classes);
      say(node, text);
      assign(node, { "aria-label": `Place ${text}` });
    }
    show(snap, String(state.snap));
    boxes.forEach(({ name, box }) => (box.checked = state.layers.includes(name)));
    undo.disabled = !app.store.canUndo();
    redo.disabled = !app.store.canRedo();
  };
  return { part: "tools", el, update };
}
