// The data sets to start from: the lectures' worked examples, the logic gates, and generated clouds.
import { Generator } from "./generator.js";

/** @typedef {import("./state.js").Example} Example */
/** @typedef {import("./state.js").State} State */
/** @typedef {{name: string, title: string, note: string, make: (gap: number) => Partial<State>, gap?: boolean}} Preset */

/** @param {(g: Generator) => [number, number, number]} draw @param {number} n @param {number} seed @returns {Example[]} */
function cloud(draw, n, seed) {
  const g = new Generator(seed);
  return Array.from({ length: n }, () => {
    const [a, b, y] = draw(g);
    return /** @type {Example} */ ([round(a), round(b), y > 0 ? 1 : -1]);
  });
}
/** @param {number} x */
const round = (x) => Math.round(x * 100) / 100 + 0;

/** Two clouds whose distance from the line x1 + x2 = 0 is at least gap/2. @param {number} gap */
function blobs(gap) {
  return cloud(
    (g) => {
      const y = g.below(2) ? 1 : -1,
        along = 1.5 * g.normal(),
        away = gap / 2 + Math.abs(g.normal()) * 0.9;
      return [(along + y * away) / Math.SQRT2, (-along + y * away) / Math.SQRT2, y];
    },
    40,
    12,
  );
}

/** @type {Example[]} */
const GATE = [
  [0, 0, -1],
  [0, 1, -1],
  [1, 0, -1],
  [1, 1, -1],
];
/** @param {number[]} truth */
const gate = (truth) => () => ({ points: GATE.map(([a, b], i) => /** @type {Example} */ ([a, b, truth[i] ? 1 : -1])) });

/** @type {Preset[]} */
export const PRESETS = [
  {
    name: "four",
    title: "Four points",
    note: "Through the origin, from zero: four mistakes, w = (2, 4).",
    make: () => ({
      points: [
        [-2, 0, -1],
        [0, -2, -1],
        [-2, 2, 1],
        [2, 2, 1],
      ],
      bias: false,
    }),
  },
  {
    name: "three",
    title: "Three points, a chosen start",
    note: "Through the origin, from (1, −0.8): three mistakes, w = (3, 0.2).",
    make: () => ({
      points: [
        [1, 2, 1],
        [-1, 2, -1],
        [0, -1, -1],
      ],
      bias: false,
      start: [1, -0.8, 0],
      snap: 0.1,
    }),
  },
  { name: "and", title: "AND", note: "One corner against three.", make: gate([0, 0, 0, 1]) },
  { name: "or", title: "OR", note: "Three corners against one.", make: gate([0, 1, 1, 1]) },
  { name: "xor", title: "XOR", note: "No line does it, and the lab says why.", make: gate([0, 1, 1, 0]) },
  {
    name: "blobs",
    title: "Two clouds",
    note: "Set how far apart they are.",
    gap: true,
    make: (gap) => ({ points: blobs(gap) }),
  },
  {
    name: "overlap",
    title: "Overlapping clouds",
    note: "Not separable: try pocket, averaged or voted.",
    make: () => ({
      points: cloud(
        (g) => {
          const y = g.below(2) ? 1 : -1;
          return [g.normal() + 0.9 * y, g.normal() + 0.5 * y, y];
        },
        40,
        4,
      ),
    }),
  },
  { name: "moons", title: "Two moons", note: "A kernel's work.", make: () => ({ points: moons() }) },
  {
    name: "circles",
    title: "A ring and its centre",
    note: "A kernel's work: degree 2 is enough.",
    make: () => ({
      points: cloud(
        (g) => {
          const y = g.below(2) ? 1 : -1,
            a = 2 * Math.PI * g.unit(),
            r = y > 0 ? 0.9 * Math.sqrt(g.unit()) : 1.7 + 0.6 * g.unit();
          return [r * Math.cos(a), r * Math.sin(a), y];
        },
        50,
        8,
      ),
    }),
  },
  {
    name: "ties",
    title: "Near ties",
    note: "One-decimal data on which floating point and hand calculation part ways.",
    make: () => ({
      points: [
        [0.1, 0.2, 1],
        [0.3, 0.6, -1],
        [-0.3, 0.1, 1],
        [0.2, -0.4, -1],
        [0.6, 0.1, 1],
      ],
      bias: false,
      snap: 0.1,
    }),
  },
  {
    name: "narrow",
    title: "A narrow gap",
    note: "Large R/γ: the bound is far away, and the run is long.",
    make: () => ({
      points: [
        [9, 0, -1],
        [11, 0, 1],
      ],
      snap: 1,
    }),
  },
];

function moons() {
  return cloud(
    (g) => {
      const y = g.below(2) ? 1 : -1,
        a = Math.PI * g.unit(),
        noise = 0.12;
      const p = y > 0 ? [Math.cos(a), Math.sin(a)] : [1 - Math.cos(a), 0.45 - Math.sin(a)];
      return [2 * (p[0] - 0.5) + noise * g.normal(), 2 * (p[1] - 0.2) + noise * g.normal(), y];
    },
    60,
    21,
  );
}
