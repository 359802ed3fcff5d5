// Numbers as a lecture prints them: 4, not 4.000; 0.2, not 0.20000000000000018; a true minus sign.

/** @param {number} x @param {number} [digits] significant digits of what is not a short decimal @returns {string} */
export function fmt(x, digits = 4) {
  if (Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e7) return sign(String(x + 0));
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) return sign(x.toExponential(2).replace("e+", "e"));
  const after = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return sign(String(Number(x.toFixed(Math.min(after, 10)))));
}

/** @param {string} text */
const sign = (text) => text.replace(/-/g, "−");

/** A vector as (2, 4). @param {number[]} v @returns {string} */
export const tuple = (v) => `(${v.map((x) => fmt(x)).join(", ")})`;

/** A label as +1 or −1. @param {number} y */
export const label = (y) => (y > 0 ? "+1" : "−1");

/** A label with what it stands for: +1 dog. @param {number} y @param {string[]} classes */
export const named = (y, classes) => (classes.length ? `${label(y)} ${brief(classes[y > 0 ? 1 : 0])}` : label(y));

/** A name that leaves room for others. @param {string} name */
export const brief = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);

/** In brackets, so that products read well. @param {number} x */
export const bracket = (x) => `(${fmt(x)})`;

/** One thing or several. @param {number} n @param {string} one @param {string} [many] */
export const count = (n, one, many = `${one}s`) => `${fmt(n)} ${n === 1 ? one : many}`;

/** Tick positions between two numbers, at round steps. @param {number} low @param {number} high @param {number} about */
export function ticks(low, high, about) {
  const rough = (high - low) / about || 1,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    found.push(Number((i * step).toPrecision(12)));
  return found;
}
