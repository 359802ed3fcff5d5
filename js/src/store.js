// The state with its history: what has been changed can be undone; time and tabs are not changes.
import { cleanState } from "./state.js";

/** @typedef {import("./state.js").State} State */

const PASSING = ["step", "tab", "page", "lesson", "layers"]; // moving about, not editing
const DEPTH = 200;

/** @param {State} initial */
export function makeStore(initial) {
  let state = initial;
  const past = /** @type {State[]} */ ([]),
    future = /** @type {State[]} */ ([]);
  const listeners = /** @type {Set<(state: State) => void>} */ (new Set());
  let open = ""; // the gesture that is still going on: its changes are one entry

  const tell = () => listeners.forEach((f) => f(state));
  const travel = (/** @type {State[]} */ from, /** @type {State[]} */ to) => {
    const found = from.pop();
    if (!found) return;
    to.push(state);
    state = { ...found, tab: state.tab, layers: state.layers };
    open = "";
    tell();
  };
  return {
    get: () => state,
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    /** @param {Partial<State>} patch @param {string} [gesture] changes of one gesture are undone together */
    set(patch, gesture = "") {
      const renamed = patch.points && patch.title === undefined ? { title: "" } : {}; // edited: no longer the set of that name
      const next = cleanState({ ...state, ...patch, ...renamed });
      if (JSON.stringify(next) === JSON.stringify(state)) return;
      if (Object.keys(patch).some((key) => !PASSING.includes(key))) {
        if (!gesture || gesture !== open) {
          past.push(state);
          if (past.length > DEPTH) past.shift();
        }
        open = gesture;
        future.length = 0;
      }
      state = next;
      tell();
    },
    closeGesture() {
      open = "";
    },
    undo: () => travel(past, future),
    redo: () => travel(future, past),
    /** @param {(state: State) => void} f */
    listen(f) {
      listeners.add(f);
      return () => listeners.delete(f);
    },
  };
}
/** @typedef {ReturnType<typeof makeStore>} Store */
