// Time: step, next mistake, pass, back, play, and the keys that do the same.
import { assign, button, h, s, select, show } from "../dom.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const ICONS = {
  start: "M4 4v12M16 4l-9 6 9 6z",
  backMistake: "M11 4l-7 6 7 6zM17 4l-6 6 6 6z",
  back: "M13 4l-8 6 8 6z",
  play: "M6 3.5l11 6.5-11 6.5z",
  pause: "M6 4h3v12H6zM12 4h3v12h-3z",
  step: "M7 4l8 6-8 6z",
  mistake: "M3 4l6 6-6 6zM9 4l7 6-7 6z",
  end: "M16 4v12M4 4l9 6-9 6z",
};

/** @param {string} d */
const icon = (d) => s("svg.rb-glyph", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d }));

/** @param {App} app */
export function transport(app) {
  const iconButton = (
    /** @type {keyof typeof ICONS} */ name,
    /** @type {string} */ label,
    /** @type {() => void} */ press,
    /** @type {string} */ text = "",
  ) => {
    const node = button("", label, press, {
      class: text ? "rb-worded" : "rb-icon",
      "aria-label": label.replace(/ \(.*/, ""),
    });
    node.append(icon(ICONS[name]));
    if (text) node.append(h("span", { "aria-hidden": "true" }, text));
    return node;
  };
  const first = iconButton("start", "To the start (Home)", () => app.go(0));
  const backMistake = iconButton("backMistake", "Previous mistake (Shift+←)", () => app.mistake(-1));
  const back = iconButton("back", "Back one step (←)", () => app.step(-1));
  const play = iconButton("play", "Play (Space)", () => app.play());
  const step = iconButton("step", "Step (→)", () => app.step(1), "Step");
  const mistake = iconButton("mistake", "Next mistake (Shift+→)", () => app.mistake(1), "Mistake");
  const pass = iconButton("end", "To the end of the pass (Page Down)", () => app.pass(1), "Pass");
  const last = iconButton("end", "To the end (End)", () => app.go(app.view().run.steps));
  const speed = select(
    Object.entries({ 1: "slow", 2: "walking", 6: "fast", 30: "very fast" }),
    (v) => (app.ui.speed = Number(v)),
  );
  assign(speed, { id: app.id("speed"), "aria-label": "Speed" });
  const el = h(
    "div.rb-transport",
    { role: "toolbar", "aria-label": "Time" },
    h("div.rb-group", first, backMistake, back),
    play,
    h("div.rb-group", step, mistake, pass, last),
    speed,
  );

  app.hear("keydown", (event) => keys(app, /** @type {KeyboardEvent} */ (event)));
  const update = (/** @type {View} */ { t, run, state }) => {
    [first, backMistake, back].forEach((b) => (b.disabled = t === 0));
    [step, mistake, pass, last].forEach((b) => (b.disabled = t >= run.steps));
    play.disabled = run.steps === 0;
    assign(play, { "aria-label": app.ui.playing ? "Pause" : "Play", "aria-pressed": String(app.ui.playing) });
    play.querySelector("path")?.setAttribute("d", app.ui.playing ? ICONS.pause : ICONS.play);
    show(speed, String(app.ui.speed));
  };
  return { part: "transport", el, update };
}

/** @param {App} app @param {KeyboardEvent} event */
function keys(app, event) {
  const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
  const typing = target.matches("input:not([type=checkbox], [type=range]), textarea, select"),
    control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === "z" && !typing) {
    event.shiftKey ? app.store.redo() : app.store.undo();
    event.preventDefault();
    return;
  }
  if (typing || control || event.altKey) return;
  const pressed = target.matches("button, summary, input");
  if (target.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) return;
  const act = {
    ArrowRight: () => (event.shiftKey ? app.mistake(1) : app.step(1)),
    ArrowLeft: () => (event.shiftKey ? app.mistake(-1) : app.step(-1)),
    Home: () => app.go(0),
    End: () => app.go(app.view().run.steps),
    PageDown: () => app.pass(1),
    PageUp: () => app.pass(-1),
    " ": pressed ? undefined : () => app.play(),
  }[event.key];
  if (!act) return;
  act();
  event.preventDefault();
  event.stopPropagation();
}
