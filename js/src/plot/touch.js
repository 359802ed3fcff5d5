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
    app.state.points.forEach(([a, b], i) => {
      const d = Math.hypot(toX(geometry.scale, a) - px, toY(geometry.scale, b) - py);
      if (d < least) [best, least] = [i, d];
    });
    return best;
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || app.state.hide.includes("tools")) return;
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
        start = app.state.start;
      app.set({ start: [...snapped(app, [at[0] / f, at[1] / f]), start[2]] }, "start");
    } else if (held.point !== null) changePoint(app, held.point, { at }, "drag");
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
  svg.addEventListener("keydown", (event) => useKey(app, /** @type {KeyboardEvent} */ (event), geometry));
}

/** @param {App} app @param {[number, number]} p @returns {[number, number]} */
function snapped(app, p) {
  const snap = app.state.snap || 0.001;
  const round = (/** @type {number} */ v) => Number((Math.round(v / snap) * snap).toFixed(4)) + 0;
  return [round(p[0]), round(p[1])];
}

/** Move example i, or label it anew. @param {App} app @param {number} i @param {{at?: number[], label?: number}} to @param {string} [gesture] */
export function changePoint(app, i, to, gesture) {
  const changed = (/** @type {Example} */ [a, b, y]) => /** @type {Example} */ ([...(to.at ?? [a, b]), to.label ?? y]);
  app.set({ points: app.state.points.map((p, j) => (j === i ? changed(p) : p)) }, gesture);
}

/** @param {App} app @param {number} i */
export function removePoint(app, i) {
  const { points, picks } = app.state;
  app.ui.selected = null;
  app.set({
    points: points.filter((_, j) => j !== i),
    picks: picks.filter((p) => p !== i).map((p) => (p > i ? p - 1 : p)),
  });
}

/** @param {App} app @param {[number, number]} at @param {1 | -1} label */
function addPoint(app, at, label) {
  app.set({ points: [...app.state.points, [at[0], at[1], label]] });
}

/** A click: what it does is the tool's affair. @param {App} app @param {number | null} point @param {[number, number]} at */
function press(app, point, at) {
  const { tool, selected } = app.ui,
    label = tool === "minus" ? -1 : 1;
  if (tool === "show" || tool === "erase") {
    if (point !== null) tool === "show" ? app.pick(point) : removePoint(app, point);
  } else if (tool === "move") {
    if (point !== null) app.select(selected === point ? null : point);
    else if (selected !== null) {
      changePoint(app, selected, { at });
      app.select(null);
    }
  } else if (point === null) addPoint(app, at, label);
  else if (app.state.points[point][2] === label)
    changePoint(app, point, { label: label > 0 ? -1 : 1 }); // a click cycles: the other label, then gone
  else removePoint(app, point);
}

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** @param {App} app @param {KeyboardEvent} event @param {Geometry} geometry */
function useKey(app, event, geometry) {
  const { selected } = app.ui,
    { points, snap, hide } = app.state,
    n = points.length;
  if (event.ctrlKey || event.metaKey || event.altKey || hide.includes("tools")) return;
  const name = event.key.toLowerCase();
  let used = true;
  if (name === "n" && n) app.select(selected === null ? 0 : (selected + 1) % n);
  else if (name === "p" && n) app.select(selected === null ? n - 1 : (selected + n - 1) % n);
  else if (name === "a") {
    addPoint(app, snapped(app, [geometry.scale.cx, geometry.scale.cy]), app.ui.tool === "minus" ? -1 : 1);
    app.select(app.state.points.length - 1);
  } else if (selected === null || selected >= n) used = false;
  else if (event.key in ARROWS) {
    const size = (snap || 0.1) * (event.shiftKey ? 5 : 1),
      [a, b] = points[selected],
      [dx, dy] = ARROWS[event.key];
    changePoint(app, selected, { at: [a + dx * size, b + dy * size].map((v) => Number(v.toFixed(4))) });
  } else if (event.key === "+" || event.key === "=") changePoint(app, selected, { label: 1 });
  else if (event.key === "-" || event.key === "−") changePoint(app, selected, { label: -1 });
  else if (event.key === "Delete" || event.key === "Backspace") removePoint(app, selected);
  else if (event.key === "Escape") app.select(null);
  else if (event.key === "Enter") app.state.order === "manual" ? app.pick(selected) : app.select(null);
  else used = false;
  if (used) {
    event.preventDefault();
    event.stopPropagation();
  }
}
