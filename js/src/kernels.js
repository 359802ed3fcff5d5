// The kernels K(a, b) of the dual machine, as plain formulas in the plane.

/** @typedef {{name: "linear" | "poly" | "rbf", gamma: number, degree: number, coef0: number}} Kernel */
/** @typedef {[number, number]} Point */

/** @param {Point} a @param {Point} b */
export const inner = (a, b) => a[0] * b[0] + a[1] * b[1];

/** @param {Kernel} kernel @returns {(a: Point, b: Point) => number} */
export function kernelFunction({ name, gamma, degree, coef0 }) {
  if (name === "linear") return inner;
  if (name === "poly") return (a, b) => power(gamma * inner(a, b) + coef0, degree);
  return (a, b) => {
    const p = a[0] - b[0],
      q = a[1] - b[1];
    return Math.exp(-gamma * (p * p + q * q));
  };
}

/** Repeated multiplication: exact on integers, alike in every language.
 * @param {number} base @param {number} degree */
function power(base, degree) {
  let product = base;
  for (let i = 1; i < degree; i++) product *= base;
  return product;
}

/** @param {Kernel} kernel @returns {string} */
export function kernelFormula({ name, gamma, degree, coef0 }) {
  if (name === "linear") return "K(a, b) = a·b";
  if (name === "poly") {
    const scale = gamma === 1 ? "" : `${gamma} `,
      shift = coef0 === 0 ? "" : ` + ${coef0}`;
    return `K(a, b) = (${scale}a·b${shift})^${degree}`;
  }
  return `K(a, b) = exp(−${gamma} ‖a − b‖²)`;
}
