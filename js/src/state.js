// What the lab is showing, as one plain value: its defaults, and a check that makes any input a valid state.
import { TEXT } from "./strings.js";

/** @typedef {import("./kernels.js").Point} Point */
/** @typedef {[number, number, 1 | -1]} Example */
/**
 * @typedef {object} Settings
 * @property {"last" | "average" | "vote" | "pocket"} memory
 * @property {"none" | "linear" | "poly" | "rbf"} kernel
 * @property {number} degree
 * @property {number} gamma
 * @property {number} coef0
 * @property {number} rate
 * @property {number} margin
 * @property {boolean} bias
 * @property {"mistake" | "positive"} ties
 * @property {number[]} start
 * @property {import("./engine.js").Order} order
 * @property {number} seed
 */
/**
 * @typedef {object} Rest
 * @property {Example[]} points
 * @property {string} title
 * @property {string[]} classes  what −1 and +1 stand for, or none
 * @property {string[]} columns  what x₁ and x₂ stand for, or none
 * @property {number[]} picks
 * @property {number} step
 * @property {string} tab
 * @property {string[]} layers
 * @property {string[]} hide
 * @property {number} snap
 * @property {Settings[]} pinned
 * @property {number} lesson  −1: none
 * @property {number} page
 */
/** @typedef {Settings & Rest} State */
/** @typedef {keyof typeof VARIANTS} Variant */

const { keys } = Object;
/** The words a setting can be: those that have a name on the controls. @type {Record<string, string[]>} */
const WORDS = {
  memory: keys(TEXT.memories),
  kernel: ["none", ...keys(TEXT.kernels)],
  ties: keys(TEXT.ties),
  order: keys(TEXT.orders),
};
const TABS = keys(TEXT.tabs);
const LAYERS = keys(TEXT.layers);
const HIDEABLE = keys(TEXT.parts);
export const SNAPS = [0, 0.1, 0.5, 1];
export const LIMITS = { points: 500, coordinate: 1e6, picks: 2000, pinned: 5, passes: 1000, steps: 100000 };
/** What each number can be; beyond 10⁶ the 1 in ‖(x, 1)‖² would be lost to rounding. @type {Record<string, [number, number]>} */
export const RANGES = {
  rate: [1e-4, 1e4],
  margin: [0, LIMITS.coordinate],
  gamma: [1e-4, 1e4],
  coef0: [0, 1e4],
  degree: [1, 9],
  start: [-LIMITS.coordinate, LIMITS.coordinate],
  seed: [0, Number.MAX_SAFE_INTEGER],
};
export const WHOLE = ["degree", "seed"];
/** The orders that a seed draws. */
export const DRAWN = ["shuffle", "shuffle_once", "random"];

/** @type {Settings} */
export const PLAIN = {
  memory: "last",
  kernel: "none",
  degree: 2,
  gamma: 1,
  coef0: 1,
  rate: 1,
  margin: 0,
  bias: true,
  ties: "mistake",
  start: [0, 0, 0],
  order: "cyclic",
  seed: 0,
};

/** @type {State} */
export const DEFAULT = {
  ...PLAIN,
  points: [],
  title: "",
  classes: [],
  columns: [],
  picks: [],
  step: 0,
  tab: "examples",
  layers: ["w", "certificate", "alpha", "regions", "numbers", "beats"],
  hide: [],
  snap: 0.5,
  pinned: [],
  lesson: -1,
  page: 0,
};

/** What belongs to one set of examples, and ends with it. */
export const FRESH = { classes: [], columns: [], picks: [], snap: DEFAULT.snap };

/** What each named variant fixes. */
export const VARIANTS = /** @type {const} */ ({
  standard: { memory: "last", kernel: "none", margin: 0 },
  margin: { memory: "last", kernel: "none", margin: 1, ties: "mistake" },
  averaged: { memory: "average", kernel: "none" },
  voted: { memory: "vote", kernel: "none" },
  pocket: { memory: "pocket", kernel: "none" },
  kernel: { memory: "last", kernel: "rbf", start: [0, 0, 0] },
});

/** The name of the variant a state is in. @param {Settings} s @returns {Variant} */
export function variantOf({ kernel, memory, margin }) {
  if (kernel !== "none") return "kernel";
  const last = margin > 0 ? "margin" : "standard";
  return /** @type {const} */ ({ last, average: "averaged", vote: "voted", pocket: "pocket" })[memory];
}

/** Why these examples cannot be taken as they are, or "": they are never cut or moved to make them fit.
 * @param {unknown} points @returns {string} */
export function problemWith(points) {
  const rows = list(points);
  if (rows.length > LIMITS.points) return `There are ${rows.length} examples; the lab takes at most ${LIMITS.points}.`;
  for (const [i, row] of rows.entries()) {
    const [a, b, y] = list(row);
    const at = [a, b].findIndex((v) => !inReach(v));
    if (at >= 0) return beyond(`Example ${i + 1}, x${at + 1}`, String([a, b][at]));
    if (y !== 1 && y !== -1) return `Example ${i + 1} has no label.`;
  }
  return "";
}

/** Examples as addresses have them: "1,2,p;0,-1,n". @param {string} text @returns {Example[]} */
export function readPoints(text) {
  const read = (/** @type {string} */ v) => (v?.trim() ? Number(v) : NaN);
  const rows = text.split(";").filter(Boolean);
  return rows.map((row) => {
    const [a, b, y] = row.split(",");
    return /** @type {Example} */ ([read(a), read(b), { p: 1, n: -1 }[y] ?? NaN]);
  });
}

/** @param {unknown} v */
export const inReach = (v) => typeof v === "number" && Math.abs(v) <= LIMITS.coordinate;
/** @param {string} where @param {string} what */
export const beyond = (where, what) =>
  `${where}: ${what.slice(0, 24)} is not a number within ±${LIMITS.coordinate}, the lab’s limit; scale that column, for example divide it by 1000.`;

/** @param {unknown} value @param {number} low @param {number} high @param {number} fallback */
function number(value, low, high, fallback) {
  const x = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
  return Number.isFinite(x) ? Math.min(high, Math.max(low, x)) : fallback;
}

/** @param {unknown} value @param {number} low @param {number} high @param {number} fallback */
const whole = (value, low, high, fallback) => Math.round(number(value, low, high, fallback));
/** @template T @param {unknown} value @param {T[]} allowed @param {T} fallback @returns {T} */
const oneOf = (value, allowed, fallback) =>
  allowed.includes(/** @type {T} */ (value)) ? /** @type {T} */ (value) : fallback;
/** @param {unknown} value @returns {unknown[]} */
const list = (value) => (Array.isArray(value) ? value : []);

/** Any value made valid settings: unknown words fall back, numbers are clamped, impossible pairs are undone.
 * @param {any} raw @returns {Settings} */
export function cleanSettings(raw) {
  const from = raw && typeof raw === "object" ? raw : {};
  const s = /** @type {any} */ ({ ...PLAIN });
  for (const key in WORDS) s[key] = oneOf(from[key], WORDS[key], s[key]);
  for (const key in RANGES) s[key] = number(from[key], ...RANGES[key], s[key]);
  for (const key of WHOLE) s[key] = Math.round(s[key]);
  if (typeof from.bias === "boolean") s.bias = from.bias;
  s.start = [0, 1, 2].map((j) => number(list(from.start)[j], ...RANGES.start, 0));
  if (!s.bias) s.start[2] = 0;
  if (s.kernel !== "none") {
    s.start = [0, 0, 0]; // the dual starts at zero
    if (s.memory === "pocket") s.memory = "last";
  }
  if (s.margin > 0) s.ties = "mistake"; // sign(0) = +1 is a rule for margin 0
  return s;
}

/** @param {unknown} value */
const pairOfNames = (value) => (list(value).length === 2 ? list(value).map((name) => String(name).slice(0, 40)) : []);

/** Any value made a valid state. @param {any} raw @returns {State} */
export function cleanState(raw) {
  const from = raw && typeof raw === "object" ? raw : {};
  const points = /** @type {Example[]} */ (problemWith(from.points) ? [] : list(from.points));
  const known = (/** @type {unknown} */ value, /** @type {string[]} */ allowed) =>
    allowed.filter((word) => list(value).includes(word));
  return {
    ...cleanSettings(from),
    points,
    title: typeof from.title === "string" ? from.title.slice(0, 80) : "",
    classes: pairOfNames(from.classes),
    columns: pairOfNames(from.columns).join() === "x1,x2" ? [] : pairOfNames(from.columns), // they say nothing
    picks: list(from.picks)
      .slice(0, LIMITS.picks)
      .map((i) => whole(i, 0, LIMITS.points, 0))
      .filter((i) => i < points.length),
    step: whole(from.step, 0, LIMITS.steps, 0),
    tab: oneOf(from.tab, TABS, DEFAULT.tab),
    layers: from.layers === undefined ? DEFAULT.layers : known(from.layers, LAYERS),
    hide: known(from.hide, HIDEABLE),
    snap: oneOf(Number(from.snap ?? DEFAULT.snap), SNAPS, DEFAULT.snap),
    pinned: list(from.pinned).slice(0, LIMITS.pinned).map(cleanSettings),
    lesson: whole(from.lesson, -1, 5, -1),
    page: whole(from.page, 0, 20, 0),
  };
}
