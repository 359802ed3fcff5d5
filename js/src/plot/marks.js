// The figure's marks: axes, lines, bands, arrows, hulls. Each takes the scale and returns SVG elements.
import { isLifted } from "../derive.js";
import { s, svgText } from "../dom.js";
import { fmt, ticks } from "../format.js";
import { closed, halfPlane, path, segment, spot, tenth, toPlane, toX, toY } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */

/** @param {Scale} scale @param {string[]} columns @returns {SVGElement[]} */
export function axes(scale, columns) {
  const { width, height } = scale;
  const [left, high] = toPlane(scale, 0, 0),
    [right, low] = toPlane(scale, width, height);
  const zeroX = Math.min(width - 8, Math.max(8, toX(scale, 0))),
    zeroY = Math.min(height - 8, Math.max(8, toY(scale, 0)));
  const marks = [];
  for (const v of ticks(left, right, 8)) {
    const x = tenth(toX(scale, v));
    marks.push(gridLine(v, `M${x} 0V${height}`));
    if (v !== 0) marks.push(svgText("rb-tick", x, tenth(Math.min(height - 6, zeroY + 15)), "middle", fmt(v)));
  }
  for (const v of ticks(low, high, 7)) {
    const y = toY(scale, v);
    marks.push(gridLine(v, `M0 ${tenth(y)}H${width}`));
    if (v !== 0) marks.push(svgText("rb-tick", tenth(Math.max(22, zeroX - 6)), tenth(y + 4), "end", fmt(v)));
  }
  marks.push(
    svgText("rb-axis-name", width - 10, tenth(zeroY - 8), "end", columns[0] || "x₁"),
    svgText("rb-axis-name", tenth(zeroX + 9), 18, "start", columns[1] || "x₂"),
  );
  return marks;
}

/** The line of one value, an axis at zero. @param {number} v @param {string} d */
export const gridLine = (v, d) => s(v === 0 ? "path.rb-axis" : "path.rb-grid", { d });

/** The two sides of a line, tinted. @param {Scale} scale @param {number[]} w @returns {SVGElement[]} */
export function sides(scale, w) {
  if (!w[0] && !w[1]) return [];
  const tint = (/** @type {string} */ name, /** @type {number[]} */ v) =>
    s("path", { class: name, d: closed(halfPlane(scale, v)) });
  return [
    tint("rb-side-plus", w),
    tint(
      "rb-side-minus",
      w.map((v) => -v),
    ),
  ];
}

/** A line w·x + b = 0. @param {Scale} scale @param {number[]} w @param {string} name @returns {SVGElement[]} */
export function line(scale, w, name) {
  const ends = segment(scale, w);
  return ends ? [s("path", { class: name, d: path(ends) })] : [];
}

/** The strip −m <= w·x + b <= m. @param {Scale} scale @param {number[]} w @param {number} m @param {string} name @returns {SVGElement[]} */
export function band(scale, w, m, name) {
  if (!(m > 0) || (!w[0] && !w[1])) return [];
  return [...line(scale, [w[0], w[1], w[2] - m], name), ...line(scale, [w[0], w[1], w[2] + m], name)];
}

/** An arrow between two points of the plane. @param {Scale} scale @param {number[]} from @param {number[]} to @param {string} name
 * @param {string} [words] @returns {SVGElement[]} */
export function arrow(scale, from, to, name, words = "") {
  const [x0, y0, x1, y1] = [toX(scale, from[0]), toY(scale, from[1]), toX(scale, to[0]), toY(scale, to[1])];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 2) return [];
  const ux = (x1 - x0) / length,
    uy = (y1 - y0) / length,
    head = Math.min(11, length);
  const point = (/** @type {number} */ back, /** @type {number} */ side) =>
    spot(x1 - back * ux - side * uy, y1 - back * uy + side * ux);
  const marks = [
    s("path", { class: `rb-arrow ${name}`, d: `M${spot(x0, y0)}L${point(head * 0.7, 0)}` }),
    s("path", {
      class: `rb-head ${name}`,
      d: `M${point(0, 0)}L${point(head, head * 0.42)}L${point(head, -head * 0.42)}Z`,
    }),
  ];
  // The name stands beside the tip, on the side away from the arrow's own line.
  if (words) {
    const anchor = ux < -0.3 ? "end" : ux > 0.3 ? "start" : "middle";
    marks.push(
      svgText(`rb-arrow-name ${name}`, tenth(x1 + 9 * ux - 9 * uy), tenth(y1 + 9 * uy + 9 * ux + 5), anchor, words),
    );
  }
  return marks;
}

/** Why no line can do it: the two hulls of the certificate and the point they share. @param {Scale} scale
 * @param {import("../derive.js").View} view @returns {SVGElement[]} */
export function obstacle(scale, { verdict, X, y, state }) {
  if (!verdict || verdict.separable || !verdict.certificate.length || isLifted(state)) return [];
  const rows = verdict.certificate.map((c) => c.row);
  const at = (/** @type {number[]} */ p) => /** @type {[number, number]} */ ([toX(scale, p[0]), toY(scale, p[1])]);
  if (!state.bias) {
    // Through the origin: the −1 examples are turned about it, and the origin lies among what results.
    const turned = rows.map((i) => at([y[i] * X[i][0], y[i] * X[i][1]]));
    const ghosts = rows
      .filter((i) => y[i] < 0)
      .map((i) => {
        const [cx, cy] = at([-X[i][0], -X[i][1]]);
        return s("rect.rb-turned", { x: cx - 6, y: cy - 6, width: 12, height: 12 });
      });
    return [s("path.rb-hull", { d: closed(turned) }), ...ghosts, meeting(at([0, 0]))];
  }
  const hull = (/** @type {number} */ side) => rows.filter((i) => y[i] === side).map((i) => at(X[i]));
  const marks = [hull(1), hull(-1)].map((points, i) =>
    s("path", { class: `rb-hull ${i ? "rb-minus" : "rb-plus"}`, d: closed(points) }),
  );
  if (verdict.meeting) marks.push(meeting(at(verdict.meeting)));
  return marks;
}

/** @param {[number, number]} p */
const meeting = ([x, y]) => s("path.rb-meeting", { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` });
