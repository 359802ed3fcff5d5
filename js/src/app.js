// One lab on a page: its state, what is derived from it, its clock, and the redraw of every part, once per frame.
import { makeDerive } from "./derive.js";
import { problemWith } from "./state.js";
import { makeStore } from "./store.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./derive.js").View} View */
/** @typedef {{el: HTMLElement, part?: string, update: (view: View) => void}} Part  part: the name it is hidden by */
/** @typedef {{get: (key: string) => any, set: (key: string, value: any) => void, save_changes: () => void, on: (event: string, f: () => void) => void, off: (event: string, f: () => void) => void}} Model */
/** @typedef {"plus" | "minus" | "move" | "erase" | "show"} Tool */

const BEAT = 650; // milliseconds between the two beats of an update
const DRAG_STEPS = 20000; // steps run while something is being dragged

/** @param {State} initial @param {Model} model @param {import("./engine.js").Run | null} trace */
export function makeApp(initial, model, trace) {
  const store = makeStore(initial);
  const derive = makeDerive();
  const parts = /** @type {Part[]} */ ([]);
  const endings = /** @type {(() => void)[]} */ ([]);
  const prefix = `rb${Math.random().toString(36).slice(2, 8)}`;
  const traced = replayKey(initial);
  const ui = {
    tool: /** @type {Tool} */ ("plus"),
    selected: /** @type {number | null} */ (null),
    beat: 2,
    playing: false,
    speed: 2,
    dragging: false,
    notice: "",
  };
  let frame = 0,
    beatTimer = 0,
    playTimer = 0,
    cached = /** @type {View | null} */ (null);

  const still = () => typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;

  const app = {
    store,
    ui,
    model,
    parts,
    endings,
    el: /** @type {HTMLElement} */ (document.createElement("div")),
    /** Listen to the lab; where the page is the lab's own, also to what happens while nothing in it has the focus.
     * @param {string} name @param {(event: Event) => void} f */
    hear(name, f) {
      const heard = (/** @type {Event} */ event) => {
        const path = event.composedPath();
        if (path[0] === document.body || path.includes(app.el)) f(event);
      };
      const from = model.get("heading") ? document : app.el;
      from.addEventListener(name, heard);
      endings.push(() => from.removeEventListener(name, heard));
    },
    /** A name unique on the page. @param {string} name */
    id: (name) => `${prefix}-${name}`,
    /** @returns {View} */
    view() {
      if (!cached) {
        const state = store.get();
        // What Python recorded is replayed until the data or the settings are changed.
        const same = trace !== null && replayKey(state) === traced;
        cached = derive(state, { maxSteps: ui.dragging ? DRAG_STEPS : undefined, trace: same ? trace : null });
      }
      return cached;
    },
    get state() {
      return store.get();
    },
    /** @param {Partial<State>} patch @param {string} [gesture] */
    set(patch, gesture) {
      const problem = patch.points ? problemWith(patch.points) : "";
      if (problem) return app.notify(problem);
      if (!("tab" in patch) && Object.keys(patch).join() !== "step") ui.notice = ""; // it spoke of what was there before
      store.set(patch, gesture);
    },
    refresh() {
      cached = null;
      if (!frame) frame = requestAnimationFrame(draw);
    },
    /** Draw at once, for tests and for export. */
    flush() {
      if (frame) cancelAnimationFrame(frame);
      draw();
    },
    /** Go to step t; an update is shown in two beats. @param {number} t @param {boolean} [beats] */
    go(t, beats = false) {
      const { run, state } = app.view();
      const to = Math.max(0, Math.min(run.steps, t));
      clearTimeout(beatTimer);
      const two =
        beats && to > 0 && run.moved(to) && state.layers.includes("beats") && !still() && !(ui.playing && ui.speed > 4);
      ui.beat = two ? 1 : 2;
      if (two)
        beatTimer = Number(
          setTimeout(() => {
            ui.beat = 2;
            app.refresh();
          }, BEAT),
        );
      if (to === state.step) app.refresh();
      else app.set({ step: to });
    },
    step: (/** @type {number} */ by) => app.go(app.view().t + by, by > 0),
    /** To the next or previous update. @param {1 | -1} way */
    mistake(way) {
      const { run, t } = app.view();
      if (way > 0) return app.go(run.nextUpdate(t + 1) ?? run.steps, true);
      const before = run.journal.filter((u) => u.step + 1 < t);
      return app.go(before.length ? before[before.length - 1].step + 1 : 0);
    },
    /** To the end of the next pass, or the start of this one. @param {1 | -1} way */
    pass(way) {
      const { run, t } = app.view();
      let to = t + way;
      const ends = (/** @type {number} */ at) => at <= 0 || at >= run.steps || run.pass[at] !== run.pass[at - 1];
      while (!ends(to)) to += way;
      app.go(to);
    },
    play() {
      if (app.view().t >= app.view().run.steps) app.go(0);
      ui.playing = !ui.playing;
      clearTimeout(playTimer);
      if (ui.playing) tick();
      app.refresh();
    },
    /** @param {number | null} i  the example to select */
    select(i) {
      ui.selected = i;
      app.refresh();
    },
    /** Say something once, to everyone. @param {string} text */
    notify(text) {
      ui.notice = text;
      app.refresh();
    },
    /** Show example i next, when the order is the user's own. @param {number} i */
    pick(i) {
      const { t, state } = app.view();
      app.set({ picks: [...state.picks.slice(0, t), i], step: t + 1 });
      app.go(t + 1, true);
    },
    end() {
      cancelAnimationFrame(frame);
      clearTimeout(beatTimer);
      clearTimeout(playTimer);
      endings.forEach((f) => f());
    },
  };

  function tick() {
    const { t, run } = app.view();
    if (t >= run.steps || !ui.playing) {
      ui.playing = false;
      app.refresh();
      return;
    }
    app.step(1);
    const pause = 1000 / ui.speed;
    playTimer = Number(setTimeout(tick, ui.beat === 1 ? Math.max(pause, 2 * BEAT) : pause));
  }

  function draw() {
    frame = 0;
    const view = app.view();
    for (const { el, part, update } of parts) {
      if (part) el.hidden = view.state.hide.includes(part);
      update(view);
    }
  }

  endings.push(store.listen(() => app.refresh()));
  return app;
}
/** @typedef {ReturnType<typeof makeApp>} App */

/** What a recorded run depends on. @param {State} state */
const replayKey = (state) =>
  JSON.stringify(state, ["points", "kernel", "rate", "margin", "bias", "ties", "start", "order", "seed", "picks"]);
