// From the plane to the screen: what part of the plane is seen, and lines clipped to it.

/** @typedef {{width: number, height: number, unit: number, cx: number, cy: number, arrow: number}} Scale  arrow: how long vectors are drawn */
/** @typedef {[number, number]} Pair */

export const WIDTH = 640; // at most: a narrow figure is drawn in its own pixels, so that its letters stay legible
const EDGE = 46; // room for numbers at the border

/** A scale that shows all points, the origin, and the vectors (drawn shorter if they would dwarf the points).
 * @param {number} width @param {number} height @param {Pair[]} X @param {number} reach  the longest vector  @param {Pair[]} tips  vectors to keep in sight @returns {Scale} */
export function fit(width, height, X, reach, tips) {
  const edge = EDGE * (width / WIDTH);
  const radius = Math.max(1e-9, ...X.map((x) => Math.hypot(x[0], x[1])));
  const arrow = X.length === 0 || reach <= 2.2 * radius ? 1 : niceBelow((1.2 * radius) / reach);
  const seen = [
    ...X,
    ...tips.map((t) => /** @type {Pair} */ ([t[0] * arrow, t[1] * arrow])),
    /** @type {Pair} */ ([0, 0]),
  ];
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [a, b] of seen)
    [left, right, low, high] = [Math.min(left, a), Math.max(right, a), Math.min(low, b), Math.max(high, b)];
  if (X.length === 0) [left, right, low, high] = [-3, 3, -3, 3];
  const least = 1e-6 + Math.max(right - left, high - low) * 0.5;
  const spanX = Math.max(right - left, least),
    spanY = Math.max(high - low, least);
  const unit = Math.min((width - 2 * edge) / spanX, (height - 2 * edge) / spanY) * 0.94;
  return { width, height, unit, cx: (left + right) / 2, cy: (low + high) / 2, arrow };
}

/** @param {number} x */
function niceBelow(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return ([5, 2, 1].find((k) => k * power <= x) ?? 1) * power;
}

/** Pixels, to a tenth. @param {number} x */
export const tenth = (x) => x.toFixed(1);
/** A place, as paths have it. @param {number} x @param {number} y */
export const spot = (x, y) => `${tenth(x)} ${tenth(y)}`;

/** @param {Scale} s @param {number} x */
export const toX = (s, x) => s.width / 2 + (x - s.cx) * s.unit;
/** @param {Scale} s @param {number} y */
export const toY = (s, y) => s.height / 2 - (y - s.cy) * s.unit;
/** @param {Scale} s @param {number} px @param {number} py @returns {Pair} */
export const toPlane = (s, px, py) => [s.cx + (px - s.width / 2) / s.unit, s.cy - (py - s.height / 2) / s.unit];

/** The corners seen, in the plane. @param {Scale} s @returns {Pair[]} */
export const corners = (s) => [
  toPlane(s, 0, 0),
  toPlane(s, s.width, 0),
  toPlane(s, s.width, s.height),
  toPlane(s, 0, s.height),
];

/** The part of the view where w·x + b >= 0 (Sutherland and Hodgman 1974), in pixels. @param {Scale} s @param {number[]} line @returns {Pair[]} */
export function halfPlane(s, [w1, w2, b]) {
  const f = (/** @type {Pair} */ p) => w1 * p[0] + w2 * p[1] + b;
  const box = corners(s),
    kept = /** @type {Pair[]} */ ([]);
  box.forEach((p, i) => {
    const q = box[(i + 1) % 4],
      fp = f(p),
      fq = f(q);
    if (fp >= 0) kept.push(p);
    if (fp >= 0 !== fq >= 0)
      kept.push([p[0] + (fp / (fp - fq)) * (q[0] - p[0]), p[1] + (fp / (fp - fq)) * (q[1] - p[1])]);
  });
  return kept.map((p) => [toX(s, p[0]), toY(s, p[1])]);
}

/** The two ends, in pixels, of the line w·x + b = 0 within the view: vertical lines too; null if it is not seen or w = 0.
 * @param {Scale} s @param {number[]} line @returns {[Pair, Pair] | null} */
export function segment(s, [w1, w2, b]) {
  const norm = Math.hypot(w1, w2);
  if (!norm) return null;
  const far = (s.width + s.height) / s.unit;
  const away = (w1 * s.cx + w2 * s.cy + b) / norm;
  const foot = [s.cx - (away * w1) / norm, s.cy - (away * w2) / norm];
  if (Math.abs(away) > far) return null;
  const end = (/** @type {number} */ k) =>
    /** @type {Pair} */ ([toX(s, foot[0] - (k * far * w2) / norm), toY(s, foot[1] + (k * far * w1) / norm)]);
  return [end(1), end(-1)];
}

/** @param {Pair[]} points */
export const closed = (points) => (points.length ? `${path(points)}Z` : "");
/** @param {Pair[]} points */
export const path = (points) => points.map((p, i) => `${i ? "L" : "M"}${spot(p[0], p[1])}`).join("");
