// The point nearest the origin in the convex hull of z_1 … z_n, given only their inner products.
//
// Problem:   minimise ‖Σ λ_i z_i‖ over λ >= 0, Σ λ = 1.
// Given:     G(i, j) = z_i·z_j, by function.
// Returns:   λ on few points, and the squared norm. A positive norm is the margin; a zero one makes λ a certificate.
// Reference: Wolfe, "Finding the nearest point in a polytope", Mathematical Programming 11 (1976).

/** @typedef {{support: number[], lambda: number[], square: number}} Nearest */

/** @param {number} n @param {(i: number, j: number) => number} G @param {number} [limit] @returns {Nearest} */
export function nearest(n, G, limit = 2000) {
  let first = 0,
    size = 0;
  for (let i = 0; i < n; i++) {
    size = Math.max(size, G(i, i));
    if (G(i, i) < G(first, first)) first = i;
  }
  let support = [first],
    lambda = [1];
  let before = Infinity;
  for (let round = 0; round < limit; round++) {
    const { square, least, where } = measure(n, G, support, lambda);
    // Optimal when no z_j lies below the plane through the point; beyond rounding nothing more can be gained.
    if (square - least <= 1e-13 * Math.max(square, 1e-4 * size) || support.includes(where) || square >= before) break;
    before = square;
    const kept = { support, lambda };
    support = [...support, where];
    lambda = [...lambda, 0];
    for (;;) {
      const affine = affineMinimum(support, G);
      if (!affine) return { ...kept, square };
      if (affine.every((v) => v > 1e-12)) {
        lambda = affine;
        break;
      }
      let step = 1;
      affine.forEach((v, i) => {
        if (v <= 1e-12 && lambda[i] - v > 0) step = Math.min(step, lambda[i] / (lambda[i] - v));
      });
      const moved = lambda.map((v, i) => v + step * (affine[i] - v));
      const drop = moved.reduce(
        (low, v, i) => (affine[i] <= 1e-12 && v < moved[low] ? i : low),
        affine.findIndex((v) => v <= 1e-12),
      );
      support = support.filter((_, i) => i !== drop);
      lambda = moved.filter((_, i) => i !== drop);
      const total = lambda.reduce((a, b) => a + b, 0);
      lambda = lambda.map((v) => Math.max(0, v) / total);
    }
  }
  return { support, lambda, square: Math.max(0, measure(n, G, support, lambda).square) };
}

/** ‖p‖², and the z_j with the smallest z_j·p.
 * @param {number} n @param {(i: number, j: number) => number} G @param {number[]} support @param {number[]} lambda */
function measure(n, G, support, lambda) {
  const along = (/** @type {number} */ j) => support.reduce((sum, i, a) => sum + lambda[a] * G(i, j), 0);
  const square = support.reduce((sum, i, a) => sum + lambda[a] * along(i), 0);
  let least = Infinity,
    where = 0;
  for (let j = 0; j < n; j++) {
    const value = along(j);
    if (value < least) [least, where] = [value, j];
  }
  return { square, least, where };
}

/** Weights (of any sign, sum 1) of the point nearest the origin in the affine hull: solve [G 1; 1 0] [λ μ] = [0 1].
 * @param {number[]} support @param {(i: number, j: number) => number} G @returns {number[] | null} */
function affineMinimum(support, G) {
  const m = support.length;
  const A = support.map((i) => [...support.map((j) => G(i, j)), 1, 0]);
  A.push([...support.map(() => 1), 0, 1]);
  for (let c = 0; c <= m; c++) {
    let p = c;
    for (let r = c + 1; r <= m; r++) if (Math.abs(A[r][c]) > Math.abs(A[p][c])) p = r;
    if (Math.abs(A[p][c]) < 1e-14) return null;
    [A[c], A[p]] = [A[p], A[c]];
    for (let r = 0; r <= m; r++) {
      if (r === c) continue;
      const factor = A[r][c] / A[c][c];
      if (factor) for (let k = c; k <= m + 1; k++) A[r][k] -= factor * A[c][k];
    }
  }
  return support.map((_, i) => A[i][m + 1] / A[i][i]);
}
