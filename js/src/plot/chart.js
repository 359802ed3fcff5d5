// Small charts: curves over k with a cursor, and histograms whose bars are buttons.
import { barRow, h, s, svgText } from "../dom.js";
import { fmt, ticks } from "../format.js";
import { gridLine } from "./marks.js";
import { spot, tenth } from "./scale.js";

/** @typedef {{values: number[], name: string, style: string}} Series */

const WIDTH = 420,
  HEIGHT = 168,
  LEFT = 44,
  RIGHT = 24,
  TOP = 12,
  BOTTOM = 26;

/** Curves over 0..k. @param {Series[]} series @param {{at: number, title: string, most?: number, pick: (k: number) => void}} options */
export function curves(series, { at, title, most, pick }) {
  const n = Math.max(1, series[0].values.length - 1);
  const all = series.flatMap((c) => c.values).filter(Number.isFinite);
  const low = Math.min(0, ...all),
    high = most ?? (Math.max(...all) || 1);
  const x = (/** @type {number} */ k) => LEFT + (k / n) * (WIDTH - LEFT - RIGHT);
  const y = (/** @type {number} */ v) => HEIGHT - BOTTOM - ((v - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM);
  const marks = [];
  for (const v of ticks(low, high, 4)) {
    marks.push(gridLine(v, `M${LEFT} ${y(v)}H${WIDTH - RIGHT}`));
    marks.push(svgText("rb-tick", LEFT - 6, y(v) + 4, "end", fmt(v)));
  }
  for (const k of ticks(0, n, 6).filter(Number.isInteger))
    marks.push(svgText("rb-tick", x(k), HEIGHT - 8, "middle", fmt(k)));
  marks.push(svgText("rb-axis-name", WIDTH - 3, HEIGHT - 9, "end", "k"));
  const stride = Math.max(1, Math.floor(n / 500));
  for (const { values, style } of series) {
    let d = "";
    values.forEach((v, k) => {
      if (Number.isFinite(v) && (k % stride === 0 || k === n)) d += `${d ? "L" : "M"}${spot(x(k), y(v))}`;
    });
    marks.push(s("path", { class: `rb-curve ${style}`, d }));
    if (n <= 40)
      values.forEach(
        (v, k) =>
          Number.isFinite(v) &&
          marks.push(s("circle", { class: `rb-dot ${style}`, cx: tenth(x(k)), cy: tenth(y(v)), r: 2.6 })),
      );
  }
  marks.push(s("path.rb-cursor", { d: `M${x(at)} ${TOP}V${HEIGHT - BOTTOM}` }));
  const svg = s("svg.rb-chart", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": title }, ...marks);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(),
      { clientX } = /** @type {MouseEvent} */ (event);
    const k = Math.round(((((clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT)) * n);
    pick(Math.min(n, Math.max(0, k)));
  });
  const legend = h(
    "div.rb-legend",
    ...series.map((c) =>
      h(
        "span",
        h("i", { class: `rb-key ${c.style}`, "aria-hidden": "true" }),
        `${c.name} = ${fmt(c.values[Math.min(at, n)])}`,
      ),
    ),
  );
  return h("div.rb-chart-box", legend, svg);
}

/** Group whole numbers into at most `about` bins of equal, whole width. @param {number[]} values @param {number} [about] */
export function bins(values, about = 14) {
  const low = Math.min(...values),
    high = Math.max(...values);
  const width = Math.max(1, Math.ceil((high - low + 1) / about));
  const found = /** @type {{from: number, to: number, members: number[]}[]} */ ([]);
  for (let from = low; from <= high; from += width)
    found.push({ from, to: from + width - 1, members: /** @type {number[]} */ ([]) });
  values.forEach((v, i) => found[Math.floor((v - low) / width)].members.push(i));
  return found;
}

/** Bars across, each a button. @param {ReturnType<typeof bins>} groups @param {(member: number) => void} pick @param {(from: number, to: number) => boolean} marked */
export function histogram(groups, pick, marked) {
  const most = Math.max(1, ...groups.map((g) => g.members.length));
  return h(
    "div.rb-histogram",
    { role: "group", "aria-label": "Updates over shuffles" },
    ...groups.map(({ from, to, members }) => {
      const range = from === to ? fmt(from) : `${fmt(from)}–${fmt(to)}`;
      const n = members.length;
      return barRow(
        "button",
        {
          type: "button",
          disabled: n === 0,
          "aria-current": marked(from, to) ? "true" : null,
          title: "Load one of these runs",
          onclick: () => pick(members[0]),
        },
        [range, " updates: "],
        n / most,
        [String(n), " runs"],
      );
    }),
  );
}
