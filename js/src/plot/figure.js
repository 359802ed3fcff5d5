// The figure: examples, line, sides, arrows and certificates in the plane. What it shows is drawn here; touch.js edits it.
import { assign, fill, h, s, sideClass, svgText } from "../dom.js";
import { fmt } from "../format.js";
import { figureInWords } from "../words.js";
import { hypothesis, runOf } from "../derive.js";
import { arrow, axes, band, line, obstacle, sides } from "./marks.js";
import { contour, paint, sample } from "./regions.js";
import { WIDTH, fit, spot, tenth, toX, toY } from "./scale.js";
import { listenToPointer } from "./touch.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */
/** @typedef {import("./scale.js").Scale} Scale */
/** @typedef {{scale: Scale, handle: [number, number] | null}} Geometry  handle: the tip of the start vector, in pixels */

const TALL = 0.875,
  FLAT = 0.5; // height over width, at most and at least
const COLUMNS = 760; // width from which the panels stand beside the figure, as in lab.css
const BELOW = 222; // pixels for what is below the figure: the time, the strip, the step in words

/** @param {App} app */
export function figure(app) {
  const canvas = h("canvas.rb-regions", { "aria-hidden": "true" });
  const layer = (/** @type {string} */ name) => s("g", { class: name });
  const [under, grid, marks, points, over] = ["rb-under", "rb-axes", "rb-marks", "rb-points", "rb-over"].map(layer);
  const svg = s(
    "svg.rb-figure",
    { tabindex: 0, role: "application", "aria-roledescription": "figure", "aria-describedby": app.id("figure-words") },
    under,
    grid,
    marks,
    points,
    over,
  );
  const words = h("p.rb-hidden", { id: app.id("figure-words") });
  const el = h("div.rb-figure-box", canvas, svg, words);
  let size = /** @type {[number, number]} */ ([WIDTH, TALL * WIDTH]);
  const geometry = /** @type {Geometry} */ ({ scale: fit(...size, [], 1, []), handle: null });
  let axesKey = "";
  const resized = () => {
    const now = sizeOf(app, el);
    if (now.join() !== size.join()) app.refresh();
    size = now;
  };
  const observer = new ResizeObserver(resized);
  observer.observe(el);
  addEventListener("resize", resized);
  app.endings.push(() => observer.disconnect());
  app.endings.push(() => removeEventListener("resize", resized));

  listenToPointer(app, svg, geometry);

  const update = (/** @type {View} */ view) => {
    if (!app.ui.dragging) geometry.scale = scaleOf(view, size);
    const scale = geometry.scale;
    const { columns } = view.state,
      key = JSON.stringify([scale, columns]);
    if (key !== axesKey) fill(grid, axes(scale, columns));
    axesKey = key;
    const curved = view.answer.line === null;
    drawRegions(app, canvas, view, scale, under, curved);
    fill(marks, drawMarks(app, view, scale));
    drawPoints(app, points, view, scale);
    geometry.handle = handleOf(view, scale);
    fill(over, [...vectors(app, view, scale), geometry.handle && startHandle(geometry.handle)]);
    assign(svg, {
      viewBox: `0 0 ${scale.width} ${scale.height}`,
      "aria-label": "Examples in the plane, and the line",
      "data-tool": app.ui.tool,
    });
    const chosen = app.ui.selected === null ? "" : ` Example ${app.ui.selected + 1} is selected: arrow keys move it.`;
    words.textContent = `${figureInWords(view)}${chosen} Keys: N and P select examples, A adds one, plus and minus set its label, Delete removes it.`;
  };
  return { el, update };
}

/** Width and height to draw in. Beside the panels the figure leaves room for the time and the words below it, so that a
 * lecturer need not scroll at every step. @param {App} app @param {Element} el @returns {[number, number]} */
function sizeOf(app, el) {
  const box = el.getBoundingClientRect(),
    width = Math.round(Math.min(WIDTH, Math.max(300, box.width)));
  const above = box.top - app.el.getBoundingClientRect().top,
    room = app.el.clientWidth < COLUMNS ? Infinity : (innerHeight - above - BELOW) / box.width;
  return [width, Math.round(width * Math.min(TALL, Math.max(FLAT, room)))];
}

/** @param {View} view @param {[number, number]} size @returns {Scale} */
function scaleOf({ X, run, state }, size) {
  if (run.dual || !state.layers.includes("w")) return fit(...size, X, 0, []);
  const tips =
    run.vectors.length > 200
      ? run.vectors.filter((_, i) => i % Math.ceil(run.vectors.length / 200) === 0)
      : run.vectors;
  const shown = tips.map((v) => /** @type {[number, number]} */ ([v[0] / run.unit.w, v[1] / run.unit.w]));
  return fit(...size, X, Math.max(...shown.map((v) => Math.hypot(v[0], v[1]))), shown);
}

/** @param {App} app @param {HTMLCanvasElement} canvas @param {View} view @param {Scale} scale @param {Element} under @param {boolean} curved */
function drawRegions(app, canvas, view, scale, under, curved) {
  const on = view.state.layers.includes("regions");
  canvas.toggleAttribute("hidden", !(curved && on));
  if (!curved) {
    fill(under, on ? sides(scale, shownLine(app, view)) : []);
    return;
  }
  const cost =
    (view.run.dual ? view.alpha.filter((a) => a !== 0).length : 0) + view.k * (view.state.memory === "vote" ? 1 : 0);
  const field = sample(
    scale,
    view.answer.score,
    app.ui.dragging || app.ui.playing ? (cost > 60 ? 16 : 10) : cost > 1500 ? 10 : 5,
  );
  if (on) paint(canvas, field, colours(app.el));
  fill(under, [s("path.rb-line.rb-curved", { d: contour(scale, field, jumps(view.state, view.answer)) })]);
}

/** The score of a vote, which jumps; null where a score is smooth. @param {import("../state.js").Settings} s
 * @param {import("../derive.js").Hypothesis} h */
const jumps = (s, h) => (s.memory === "vote" ? h.score : null);

/** The class colours as numbers, from the style in force. @param {Element} el @returns {[number[], number[]]} */
function colours(el) {
  const style = getComputedStyle(el);
  const read = (/** @type {string} */ name) => {
    const hex = style.getPropertyValue(name).trim();
    return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) || 0);
  };
  return [read("--rb-plus"), read("--rb-minus")];
}

/** The line on show: of the memory, or in the first beat the one before the update. @param {App} app @param {View} view @returns {number[]} */
function shownLine(app, view) {
  const { run, t, k, state } = view;
  if (app.ui.beat === 1 && !run.dual && state.memory === "last") return run.vector(Math.max(0, k - 1));
  if (app.ui.beat === 1 && t > 0) return hypothesis(state, view.X, view.y, run, t - 1).line ?? [0, 0, 0];
  return view.answer.line ?? [0, 0, 0];
}

/** @param {App} app @param {View} view @param {Scale} scale @returns {SVGElement[]} */
function drawMarks(app, view, scale) {
  const { run, k, moved, state, verdict, answer } = view;
  const has = (/** @type {string} */ name) => state.layers.includes(name);
  const out = /** @type {SVGElement[]} */ ([]);
  if (has("certificate")) out.push(...obstacle(scale, view));
  if (has("best") && verdict?.u)
    out.push(...band(scale, verdict.u, verdict.gamma, "rb-best-band"), ...line(scale, verdict.u, "rb-best"));
  out.push(...keptRuns(view, scale));
  const shown = shownLine(app, view);
  if (has("band")) {
    const least = Math.min(...view.margins);
    if (state.margin > 0) out.push(...band(scale, shown, state.margin, "rb-demanded"));
    if (answer.line && state.memory === "last" && least > 0 && app.ui.beat === 2)
      out.push(...band(scale, shown, least, "rb-band"));
  }
  const plain = !run.dual;
  if (plain && moved && app.ui.beat === 2 && state.memory === "last")
    out.push(...line(scale, run.vector(k - 1), "rb-line rb-ghost"));
  if (plain && state.memory !== "last") out.push(...line(scale, run.vector(k), "rb-line rb-last"));
  if (answer.line) out.push(...line(scale, shown, "rb-line"));
  return out;
}

/** w from the origin; at an update also y·x from its tip, and the new w. @param {App} app @param {View} view @param {Scale} scale */
function vectors(app, { run, k, X, y, row, moved, state }, scale) {
  if (run.dual || !state.layers.includes("w")) return [];
  const f = scale.arrow,
    tip = (/** @type {number} */ at) =>
      run
        .vector(at)
        .slice(0, 2)
        .map((v) => v * f);
  const scaled = `vectors drawn × ${fmt(f)}`,
    note = f === 1 ? [] : [svgText("rb-note", scale.width - 10, scale.height - 10, "end", scaled)];
  if (!moved || row === null) return [...arrow(scale, [0, 0], tip(k), "rb-w", "w"), ...note];
  const tau = run.journal[k - 1].tau,
    step = X[row].map((v) => v * y[row] * tau * f),
    old = tip(k - 1),
    now = tip(k);
  const first = app.ui.beat === 1,
    name = `${y[row] > 0 ? "+" : "−"}${tau === 1 ? "" : `${fmt(tau)} `}x${sub(row + 1)}`;
  const to = [old[0] + step[0], old[1] + step[1]],
    added = arrow(scale, old, to, `rb-step ${sideClass(y[row])}`, first ? name : "");
  const before = arrow(scale, [0, 0], old, first ? "rb-w" : "rb-w rb-old", first ? "w" : "");
  return [...before, ...added, ...(first ? [] : arrow(scale, [0, 0], now, "rb-w", "w")), ...note];
}

/** @param {number} n */
const sub = (n) => String(n).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[Number(d)]);

/** The boundaries of the runs kept for comparison, at the same step. @param {View} view @param {Scale} scale */
function keptRuns({ state, X, y, t }, scale) {
  return state.pinned.flatMap((pin, i) => {
    const { run } = runOf(X, y, pin, state.picks, 20000);
    const h = hypothesis(pin, X, y, run, Math.min(t, run.steps));
    const name = `rb-pin rb-pin-${i}`;
    if (!h.line) return [s("path", { class: name, d: contour(scale, sample(scale, h.score, 10), jumps(pin, h)) })];
    return line(scale, h.line, name);
  });
}

/** @param {App} app @param {Element} group @param {View} view @param {Scale} scale */
function drawPoints(app, group, view, scale) {
  const { X, y, margins, alpha, row, state } = view;
  while (group.childNodes.length > X.length) group.lastChild?.remove();
  while (group.childNodes.length < X.length) group.append(s("g", s("circle"), s("path"), s("path"), s("text")));
  const most = Math.max(1, ...alpha),
    sized = state.layers.includes("alpha"),
    numbers = state.layers.includes("numbers");
  const touching = new Set(state.layers.includes("best") ? view.verdict?.touching : []);
  const named = new Set([...touching, ...(view.verdict?.certificate ?? []).map((c) => c.row), app.ui.selected]);
  X.forEach((x, i) => {
    const [halo, ring, shape, number] = /** @type {Element[]} */ ([...group.childNodes[i].childNodes]);
    const px = toX(scale, x[0]),
      py = toY(scale, x[1]),
      r = (X.length > 100 ? 4.5 : 6.5) + (sized ? 6.5 * Math.sqrt(alpha[i] / most) * (alpha[i] > 0 ? 1 : 0) : 0);
    const side = sideClass(y[i]);
    const now = row === i;
    assign(halo, {
      class: now ? "rb-now" : app.ui.selected === i ? "rb-selected" : "rb-none",
      cx: tenth(px),
      cy: tenth(py),
      r: tenth(r + 8),
    });
    assign(ring, {
      class: margins[i] <= 0 ? `rb-ring ${side}` : touching.has(i) ? "rb-touch" : "rb-none",
      d: outline(px, py, r + 3.6, y[i]),
    });
    assign(shape, { class: `rb-shape ${side}`, d: outline(px, py, r, y[i]), "data-point": i });
    assign(number, { class: "rb-number", x: tenth(px + r + 5), y: tenth(py - r - 2) });
    number.textContent = numbers && (X.length <= 24 || now || named.has(i)) ? String(i + 1) : "";
  });
}

/** A disc for +1, a square for −1. @param {number} x @param {number} y @param {number} r @param {number} label */
function outline(x, y, r, label) {
  if (label > 0) return `M${spot(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
  const a = r * 0.9;
  return `M${spot(x - a, y - a)}h${2 * a}v${2 * a}h${-2 * a}Z`;
}

/** Where the start vector can be taken hold of: its tip, while nothing has been shown. @param {View} view @param {Scale} scale @returns {[number, number] | null} */
function handleOf({ t, run, state }, scale) {
  if (
    t > 0 ||
    run.dual ||
    run.n === 0 ||
    run.replayed ||
    !state.layers.includes("w") ||
    state.hide.includes("settings")
  )
    return null;
  const x = toX(scale, state.start[0] * scale.arrow),
    y = toY(scale, state.start[1] * scale.arrow);
  const covered = state.points.some(([a, b]) => Math.hypot(toX(scale, a) - x, toY(scale, b) - y) < 16);
  return covered ? null : [x, y]; // an example lies there: it is the one to be taken hold of
}

/** @param {[number, number]} at */
const startHandle = ([x, y]) =>
  s("g.rb-handle", s("circle", { cx: x, cy: y, r: 9 }), s("title", "Drag the start vector"));
