// The Perceptron Lab: one render function, the same in a page, a notebook and an iframe (the anywidget contract).
import { makeApp } from "./app.js";
import { assign, fill, h } from "./dom.js";
import { compare } from "./panels/compare.js";
import { dual } from "./panels/dual.js";
import { examples, takeRows } from "./panels/examples.js";
import { header } from "./panels/header.js";
import { lesson } from "./panels/lesson.js";
import { proof } from "./panels/proof.js";
import { notice, sentence, verdictPanel } from "./panels/readout.js";
import { settings } from "./panels/settings.js";
import { share } from "./panels/share.js";
import { study } from "./panels/study.js";
import { tools } from "./panels/tools.js";
import { transport } from "./panels/transport.js";
import { fromHash, toHash } from "./permalink.js";
import { figure } from "./plot/figure.js";
import { strip } from "./plot/strip.js";
import { PRESETS } from "./presets.js";
import { DEFAULT, cleanState, problemWith } from "./state.js";
import { TEXT } from "./strings.js";
import { fromTrace } from "./trace.js";
import { watchTheme } from "./theme.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").Model} Model */
/** @typedef {import("./app.js").Part} Part */

/** The state to begin with: a trace, or a state or the lecture's four points, changed as the address says. @param {Model} model */
function opening(model) {
  const recorded = model.get("trace"),
    traced = recorded ? fromTrace(recorded) : null;
  if (traced?.state) {
    const hide = cleanState({ hide: model.get("state")?.hide }).hide;
    return { state: { ...traced.state, hide }, run: traced.run, problem: "" };
  }
  const given = model.get("state"),
    own = Array.isArray(given?.points);
  const unfit = traced?.problem || (own ? problemWith(given.points) : "");
  const first = own && !unfit ? given : { ...PRESETS[0].make(0), title: PRESETS[0].title, hide: given?.hide };
  const { state, problem } = fromHash(String(model.get("hash") ?? ""), cleanState({ ...DEFAULT, ...first }));
  return { state, run: null, problem: unfit || problem };
}

/** The panels at the side, one at a time. @param {App} app */
function tabs(app) {
  const makers = { examples, proof, dual, compare, study, share };
  const list = Object.entries(TEXT.tabs).map(([name, text]) => {
    const part = /** @type {Part} */ (makers[/** @type {keyof typeof makers} */ (name)](app));
    const [id, panelId] = [app.id(`tab-${name}`), app.id(`panel-${name}`)];
    const onclick = () => app.set({ tab: name });
    const tab = h("button", { type: "button", role: "tab", id, "aria-controls": panelId, onclick }, text);
    const panel = h("div.rb-panel", { role: "tabpanel", id: panelId, "aria-labelledby": id }, part.el);
    return { name, tab, panel, part };
  });
  const bar = h(
    "div.rb-tabs",
    { role: "tablist", "aria-label": "Panels" },
    list.map((t) => t.tab),
  );
  bar.addEventListener("keydown", (event) => {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const shown = list.filter(({ tab }) => !tab.hidden);
    if (!way || !shown.length) return;
    const at = shown.findIndex(({ name }) => name === app.state.tab),
      next = shown[(at + way + shown.length) % shown.length];
    app.set({ tab: next.name });
    next.tab.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  const el = h(
    "section.rb-side-tabs",
    bar,
    list.map((t) => t.panel),
  );
  const update = (/** @type {import("./derive.js").View} */ view) => {
    const { hide } = view.state,
      open = list.filter(({ name }) => !hide.includes(name));
    const current = open.some(({ name }) => name === view.state.tab) ? view.state.tab : open[0]?.name;
    el.hidden = open.length === 0;
    for (const { name, tab, panel, part } of list) {
      const on = name === current;
      assign(tab, { "aria-selected": String(on), tabindex: on ? 0 : -1 });
      tab.hidden = hide.includes(name);
      panel.hidden = !on;
      if (on) part.update(view);
    }
  };
  return { el, update };
}

/** @param {{model: Model, el: HTMLElement}} context @returns {() => void} the clean-up */
function render({ model, el }) {
  const { state, run, problem } = opening(model);
  const app = makeApp(state, model, run);
  assign(app.el, { class: "rb-lab", lang: "en", "data-lm-suppress-shortcuts": "true" }); // else a notebook takes the keys
  const course = lesson(app);
  const top = [header(app, course.open), settings(app)],
    left = [tools(app), figure(app), transport(app), strip(app), sentence(), notice(app)],
    right = [course, verdictPanel(app), tabs(app)];
  const held = (/** @type {Part[]} */ parts) => parts.map((part) => part.el);
  fill(app.el, [held(top), h("div.rb-columns", h("div.rb-left", held(left)), h("div.rb-right", held(right)))]);
  app.parts.push(...top, ...left, ...right);
  if (problem) app.ui.notice = problem;
  el.append(app.el);
  app.endings.push(watchTheme(app.el, () => app.refresh()));
  app.hear("paste", (event) => {
    const target = event.composedPath()[0],
      text = /** @type {ClipboardEvent} */ (event).clipboardData?.getData("text/plain") ?? "";
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || !text) return;
    takeRows(app, text, false);
    event.preventDefault();
  });
  tellModel(app, model);
  app.flush();
  return () => {
    app.end();
    app.el.remove();
  };
}

/** Keep the host informed, at most once per frame and not while something is dragged. @param {App} app @param {Model} model */
function tellModel(app, model) {
  let waiting = 0,
    told = "";
  const tell = () => {
    waiting = 0;
    if (app.ui.dragging) return later();
    const state = app.state,
      hash = toHash(state);
    if (hash === told) return;
    told = hash;
    model.set("hash", hash);
    model.set("state", state);
    model.save_changes();
  };
  const later = () => {
    if (!waiting) waiting = Number(setTimeout(tell, 120));
  };
  app.endings.push(app.store.listen(later), () => clearTimeout(waiting));
  const heard = () => {
    const { state, problem } = fromHash(String(model.get("hash") ?? ""), app.state);
    if (toHash(state) !== toHash(app.state)) app.set(state);
    if (problem) app.notify(problem);
  };
  model.on("change:hash", heard);
  app.endings.push(() => model.off("change:hash", heard));
}

export default { render };
