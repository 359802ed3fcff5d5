// Editing in the figure: by mouse, pen or finger, by keys, and without any dragging (select, then point at the place).
import { toPlane, toX, toY } from "./scale.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../state.js").Example} Example */
/** @typedef {import("./figure.js").Geometry} Geometry */

const SLIP = 5; // pixels a press may wander and still be a click

/** @param {App} app @param {SVGElement} svg @param {Geometry} geometry */
export function listenToPointer(app, svg, geometry) {
  let held = /** @type {{point: number | null, start: boolean, x: number, y: number, moved: boolean} | null} */ (null);

  /** Where an event is, in the figure's own pixels. @param {PointerEvent} event @returns {[number, number]} */
  const place = (event) => {
    const box = svg.getBoundingClientRect(),
      { width, height } = geometry.scale;
    return [((event.clientX - box.left) / box.width) * width, ((event.clientY - box.top) / box.height) * height];
  };
  /** @param {number} px @param {number} py @param {number} reach @returns {number | null} */
  const nearestPoint = (px, py, reach) => {
    let best = /** @type {number | null} */ (null),
      least = reach;
    app.store.get().points.forEach(([a, b], i) => {
      const d = Math.hypot(toX(geometry.scale, a) - px, toY(geometry.scale, b) - py);
      if (d < least) [best, least] = [i, d];
    });
    return best;
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || app.store.get().hide.includes("tools")) return;
    const [px, py] = place(event),
      reach = event.pointerType === "touch" ? 26 : 15;
    const onHandle = geometry.handle !== null && Math.hypot(geometry.handle[0] - px, geometry.handle[1] - py) < reach;
    held = { point: onHandle ? null : nearestPoint(px, py, reach), start: onHandle, x: px, y: py, moved: false };
    if (held.point !== null || held.start) {
      svg.setPointerCapture(event.pointerId);
      event.preventDefault();
    }
    svg.focus({ preventScroll: true });
  });

  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    const [px, py] = place(event);
    if (!held.moved && Math.hypot(px - held.x, py - held.y) < SLIP) return;
    held.moved = true;
    if (held.point === null && !held.start) return;
    app.ui.dragging = true;
    const at = snapped(app, toPlane(geometry.scale, px, py));
    if (held.start) {
      const f = geometry.scale.arrow,
        start = app.store.get().start;
      app.set({ start: [...snapped(app, [at[0] / f, at[1] / f]), start[2]] }, "start");
    } else if (held.point !== null) movePoint(app, held.point, at, "drag");
  });

  const release = (/** @type {PointerEvent} */ event) => {
    if (!held) return;
    const { point, start, moved } = held;
    held = null;
    app.store.closeGesture();
    if (app.ui.dragging) {
      app.ui.dragging = false;
      app.refresh();
    } else if (!moved && event.type === "pointerup" && !start)
      press(app, point, snapped(app, toPlane(geometry.scale, ...place(event))));
  };
  svg.addEventListener("pointerup", release);
  svg.addEventListener("pointercancel", release);
  svg.addEventListener("keydown", (event) => key(app, /** @type {KeyboardEvent} */ (event), geometry));
}

/** @param {App} app @param {[number, number]} p @returns {[number, number]} */
function snapped(app, p) {
  const snap = app.store.get().snap || 0.001;
  const round = (/** @type {number} */ v) => Number((Math.round(v / snap) * snap).toFixed(4)) + 0;
  return [round(p[0]), round(p[1])];
}

/** @param {App} app @param {number} i @param {[number, number]} at @param {string} [gesture] */
export function movePoint(app, i, at, gesture) {
  app.set(
    { points: app.store.get().points.map((p, j) => (j === i ? /** @type {Example} */ ([at[0], at[1], p[2]]) : p)) },
    gesture,
  );
}

/** @param {App} app @param {number} i */
export function removePoint(app, i) {
  const { points, picks } = app.store.get();
  app.ui.selected = null;
  app.set({
    points: points.filter((_, j) => j !== i),
    picks: picks.filter((p) => p !== i).map((p) => (p > i ? p - 1 : p)),
  });
}

/** @param {App} app @param {number} i @param {1 | -1} label */
export function labelPoint(app, i, label) {
  app.set({
    points: app.store.get().points.map((p, j) => (j === i ? /** @type {Example} */ ([p[0], p[1], label]) : p)),
  });
}

/** @param {App} app @param {[number, number]} at @param {1 | -1} label */
function addPoint(app, at, label) {
  app.set({ points: [...app.store.get().points, [at[0], at[1], label]] });
}

/** A click: what it does is the tool's affair. @param {App} app @param {number | null} point @param {[number, number]} at */
function press(app, point, at) {
  const { tool, selected } = app.ui,
    { points } = app.store.get();
  if (tool === "show") {
    if (point !== null) app.pick(point);
  } else if (tool === "erase") {
    if (point !== null) removePoint(app, point);
  } else if (tool === "move") {
    if (point !== null) app.ui.selected = selected === point ? null : point;
    else if (selected !== null) {
      movePoint(app, selected, at);
      app.ui.selected = null;
    }
    app.refresh();
  } else if (point === null) addPoint(app, at, tool === "plus" ? 1 : -1);
  else if (points[point][2] === (tool === "plus" ? 1 : -1))
    labelPoint(app, point, tool === "plus" ? -1 : 1); // a click cycles: the other label, then gone
  else removePoint(app, point);
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {App} app @param {KeyboardEvent} event @param {Geometry} geometry */
function key(app, event, geometry) {
  const { selected } = app.ui,
    { points, snap, hide } = app.store.get(),
    n = points.length;
  if (event.ctrlKey || event.metaKey || event.altKey || hide.includes("tools")) return;
  const choose = (/** @type {number | null} */ i) => {
    app.ui.selected = i;
    app.refresh();
  };
  const name = event.key.toLowerCase();
  let used = true;
  if (name === "n" && n) choose(selected === null ? 0 : (selected + 1) % n);
  else if (name === "p" && n) choose(selected === null ? n - 1 : (selected + n - 1) % n);
  else if (name === "a") {
    addPoint(app, snapped(app, [geometry.scale.cx, geometry.scale.cy]), app.ui.tool === "minus" ? -1 : 1);
    choose(app.store.get().points.length - 1);
  } else if (selected === null || selected >= n) used = false;
  else if (event.key in ARROWS) {
    const size = (snap || 0.1) * (event.shiftKey ? 5 : 1),
      [a, b] = points[selected],
      [dx, dy] = ARROWS[event.key];
    movePoint(app, selected, [Number((a + dx * size).toFixed(4)), Number((b + dy * size).toFixed(4))]);
  } else if (event.key === "+" || event.key === "=") labelPoint(app, selected, 1);
  else if (event.key === "-" || event.key === "−") labelPoint(app, selected, -1);
  else if (event.key === "Delete" || event.key === "Backspace") removePoint(app, selected);
  else if (event.key === "Escape") choose(null);
  else if (event.key === "Enter") app.store.get().order === "manual" ? app.pick(selected) : choose(null);
  else used = false;
  if (used) {
    event.preventDefault();
    event.stopPropagation();
  }
}
