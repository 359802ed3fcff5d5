// The heading: what is on show, and where to begin.
import { field, h, select, show } from "../dom.js";
import { LESSONS } from "../lessons.js";
import { PRESETS } from "../presets.js";
import { FRESH, PLAIN, variantOf } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app @param {(number: number, page: number) => void} openLesson */
export function header(app, openLesson) {
  let gap = 0.6;
  const load = (/** @type {string} */ name) => {
    const preset = PRESETS.find((p) => p.name === name);
    if (!preset) return;
    // The machine is kept, but not the start, the offset or the order.
    const { memory, kernel, degree, gamma, coef0, rate, margin } = app.state;
    const machine = { memory, kernel, degree, gamma, coef0, rate, margin };
    app.set({ ...PLAIN, ...machine, ...FRESH, step: 0, lesson: -1, ...preset.make(gap), title: preset.title });
    app.notify(preset.note);
  };
  const leave = () => /** @type {SVGElement} */ (app.el.querySelector(".rb-figure")).focus({ preventScroll: true });
  const presets = select(
    [["", "Choose…"], ...PRESETS.map((p) => /** @type {[string, string]} */ ([p.name, p.title]))],
    load,
    leave,
  );
  const lessons = select(
    [
      ["-1", "Choose…"],
      ...LESSONS.map((l, i) => /** @type {[string, string]} */ ([String(i), `${i + 1}. ${l.title}`])),
    ],
    (v) => openLesson(Number(v), 0),
    leave,
  );
  const slider = h("input", { type: "range", min: 0, max: 2, step: 0.1, value: gap });
  slider.addEventListener("input", () => {
    gap = Number(slider.value);
    load("blobs");
  });
  const gapField = field("Gap", slider, app.id("gap"));
  const brand = h(app.model.get("heading") ? "h1" : "p", { class: "rb-brand" }, TEXT.title);
  const title = h("p.rb-title");
  const el = h(
    "header.rb-header",
    h("div", brand, title),
    h("div.rb-row", field("Data", presets, app.id("presets")), gapField, field("Lesson", lessons, app.id("lessons"))),
  );

  const update = (/** @type {View} */ { state, X }) => {
    const preset = PRESETS.find((p) => p.title === state.title);
    show(presets, preset?.name ?? "");
    show(lessons, String(state.lesson));
    gapField.hidden = preset?.name !== "blobs";
    title.textContent = `${state.title || "Your examples"} · ${TEXT.variants[variantOf(state)].toLowerCase()}, ${X.length} examples`;
  };
  return { part: "header", el, update };
}
