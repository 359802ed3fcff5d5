// The data sets to start from: the lectures' worked examples, the logic gates, and generated clouds.
import { Generator } from "./generator.js";
import { readPoints } from "./state.js";

/** @typedef {import("./state.js").Example} Example */
/** @typedef {import("./state.js").State} State */
/** @typedef {{name: string, title: string, note: string, make: (gap: number) => Partial<State>}} Preset */

/** @param {number} n @param {number} seed @param {(g: Generator, y: 1 | -1) => number[]} draw  from one side @returns {{points: Example[]}} */
function cloud(n, seed, draw) {
  const g = new Generator(seed);
  const example = () => {
    const y = g.below(2) ? 1 : -1,
      [a, b] = draw(g, y);
    return /** @type {Example} */ ([round(a), round(b), y]);
  };
  return { points: Array.from({ length: n }, example) };
}
/** @param {number} x */
const round = (x) => Math.round(x * 100) / 100 + 0;

/** Two clouds whose distance from the line x1 + x2 = 0 is at least gap/2. @param {number} gap */
const blobs = (gap) =>
  cloud(40, 12, (g, y) => {
    const along = 1.5 * g.normal(),
      away = gap / 2 + Math.abs(g.normal()) * 0.9;
    return [(along + y * away) / Math.SQRT2, (-along + y * away) / Math.SQRT2];
  });

const overlap = () => cloud(40, 4, (g, y) => [g.normal() + 0.9 * y, g.normal() + 0.5 * y]);

const moons = () =>
  cloud(60, 21, (g, y) => {
    const a = Math.PI * g.unit(),
      noise = 0.12;
    const p = y > 0 ? [Math.cos(a), Math.sin(a)] : [1 - Math.cos(a), 0.45 - Math.sin(a)];
    return [2 * (p[0] - 0.5) + noise * g.normal(), 2 * (p[1] - 0.2) + noise * g.normal()];
  });

const ring = () =>
  cloud(50, 8, (g, y) => {
    const a = 2 * Math.PI * g.unit(),
      r = y > 0 ? 0.9 * Math.sqrt(g.unit()) : 1.7 + 0.6 * g.unit();
    return [r * Math.cos(a), r * Math.sin(a)];
  });

/** @param {string} points @param {Partial<State>} [more] */
const fixed = (points, more) => () => ({ points: readPoints(points), ...more });

/** @type {[string, string, string, Preset["make"]][]} */
const TABLE = [
  [
    "four",
    "Four points",
    "Through the origin, from zero: four mistakes, w = (2, 4).",
    fixed("-2,0,n;0,-2,n;-2,2,p;2,2,p", { bias: false }),
  ],
  [
    "three",
    "Three points, a chosen start",
    "Through the origin, from (1, −0.8): three mistakes, w = (3, 0.2).",
    fixed("1,2,p;-1,2,n;0,-1,n", { bias: false, start: [1, -0.8, 0], snap: 0.1 }),
  ],
  ["and", "AND", "One corner against three.", fixed("0,0,n;0,1,n;1,0,n;1,1,p")],
  ["or", "OR", "Three corners against one.", fixed("0,0,n;0,1,p;1,0,p;1,1,p")],
  ["xor", "XOR", "No line does it, and the lab says why.", fixed("0,0,n;0,1,p;1,0,p;1,1,n")],
  ["blobs", "Two clouds", "Set how far apart they are.", blobs],
  ["overlap", "Overlapping clouds", "Not separable: try pocket, averaged or voted.", overlap],
  ["moons", "Two moons", "A kernel's work.", moons],
  ["circles", "A ring and its centre", "A kernel's work: degree 2 is enough.", ring],
  [
    "ties",
    "Near ties",
    "One-decimal data on which floating point and hand calculation part ways.",
    fixed("0.1,0.2,p;0.3,0.6,n;-0.3,0.1,p;0.2,-0.4,n;0.6,0.1,p", { bias: false, snap: 0.1 }),
  ],
  [
    "narrow",
    "A narrow gap",
    "Large R/γ: the bound is far away, and the run is long.",
    fixed("9,0,n;11,0,p", { snap: 1 }),
  ],
];

/** @type {Preset[]} */
export const PRESETS = TABLE.map(([name, title, note, make]) => ({ name, title, note, make }));
