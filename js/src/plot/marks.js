// The figure's marks: axes, lines, bands, arrows, hulls. Each takes the scale and returns SVG elements.
import { s } from "../dom.js";
import { fmt, ticks } from "../format.js";
import { closed, halfPlane, path, segment, toPlane, toX, toY } from "./scale.js";

/** @typedef {import("./scale.js").Scale} Scale */

/** @param {Scale} scale @param {string[]} columns @returns {SVGElement[]} */
export function axes(scale, columns) {
  const { width, height } = scale;
  const [left, high] = toPlane(scale, 0, 0),
    [right, low] = toPlane(scale, width, height);
  const marks = [];
  const zeroX = Math.min(width - 8, Math.max(8, toX(scale, 0))),
    zeroY = Math.min(height - 8, Math.max(8, toY(scale, 0)));
  for (const v of ticks(left, right, 8)) {
    const x = toX(scale, v);
    marks.push(s("path", { class: v === 0 ? "rb-axis" : "rb-grid", d: `M${x.toFixed(1)} 0V${height}` }));
    if (v !== 0)
      marks.push(
        s(
          "text",
          {
            class: "rb-tick",
            x: x.toFixed(1),
            y: Math.min(height - 6, zeroY + 15).toFixed(1),
            "text-anchor": "middle",
          },
          fmt(v),
        ),
      );
  }
  for (const v of ticks(low, high, 7)) {
    const y = toY(scale, v);
    marks.push(s("path", { class: v === 0 ? "rb-axis" : "rb-grid", d: `M0 ${y.toFixed(1)}H${width}` }));
    if (v !== 0)
      marks.push(
        s(
          "text",
          { class: "rb-tick", x: Math.max(22, zeroX - 6).toFixed(1), y: (y + 4).toFixed(1), "text-anchor": "end" },
          fmt(v),
        ),
      );
  }
  marks.push(
    s(
      "text",
      { class: "rb-axis-name", x: width - 10, y: (zeroY - 8).toFixed(1), "text-anchor": "end" },
      columns[0] || "x₁",
    ),
    s("text", { class: "rb-axis-name", x: (zeroX + 9).toFixed(1), y: 18 }, columns[1] || "x₂"),
  );
  return marks;
}

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
 * @param {string} [text] @returns {SVGElement[]} */
export function arrow(scale, from, to, name, text = "") {
  const [x0, y0, x1, y1] = [toX(scale, from[0]), toY(scale, from[1]), toX(scale, to[0]), toY(scale, to[1])];
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (length < 2) return [];
  const ux = (x1 - x0) / length,
    uy = (y1 - y0) / length,
    head = Math.min(11, length);
  const point = (/** @type {number} */ back, /** @type {number} */ side) =>
    `${(x1 - back * ux - side * uy).toFixed(1)} ${(y1 - back * uy + side * ux).toFixed(1)}`;
  const marks = [
    s("path", { class: `rb-arrow ${name}`, d: `M${x0.toFixed(1)} ${y0.toFixed(1)}L${point(head * 0.7, 0)}` }),
    s("path", {
      class: `rb-head ${name}`,
      d: `M${point(0, 0)}L${point(head, head * 0.42)}L${point(head, -head * 0.42)}Z`,
    }),
  ];
  // The name stands beside the tip, on the side away from the arrow's own line.
  if (text)
    marks.push(
      s(
        "text",
        {
          class: `rb-arrow-name ${name}`,
          x: (x1 + 9 * ux - 9 * uy).toFixed(1),
          y: (y1 + 9 * uy + 9 * ux + 5).toFixed(1),
          "text-anchor": ux < -0.3 ? "end" : ux > 0.3 ? "start" : "middle",
        },
        text,
      ),
    );
  return marks;
}

/** Why no line can do it: the two hulls of the certificate and the point they share. @param {Scale} scale
 * @param {import("../derive.js").View} view @returns {SVGElement[]} */
export function obstacle(scale, { verdict, X, y, state }) {
  if (
    !verdict ||
    verdict.separable ||
    !verdict.certificate.length ||
    (state.kernel !== "none" && state.kernel !== "linear")
  )
    return [];
  const rows = verdict.certificate.map((c) => c.row);
  const at = (/** @type {number[]} */ p) => /** @type {[number, number]} */ ([toX(scale, p[0]), toY(scale, p[1])]);
  if (!state.bias) {
    // Through the origin: the −1 examples are turned about it, and the origin lies among what results.
    const turned = rows.map((i) => at([y[i] * X[i][0], y[i] * X[i][1]]));
    const ghosts = rows
      .filter((i) => y[i] < 0)
      .map((i) => {
        const [cx, cy] = at([-X[i][0], -X[i][1]]);
        return s("rect", { class: "rb-turned", x: cx - 6, y: cy - 6, width: 12, height: 12 });
      });
    return [s("path", { class: "rb-hull", d: closed(turned) }), ...ghosts, meeting(at([0, 0]))];
  }
  const hull = (/** @type {number} */ side) => rows.filter((i) => y[i] === side).map((i) => at(X[i]));
  const marks = [hull(1), hull(-1)].map((points, i) =>
    s("path", { class: `rb-hull ${i ? "rb-minus" : "rb-plus"}`, d: closed(points) }),
  );
  if (verdict.meeting) marks.push(meeting(at(verdict.meeting)));
  return marks;
}

/** @param {[number, number]} p */
const meeting = ([x, y]) => s("path", { class: "rb-meeting", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` });
