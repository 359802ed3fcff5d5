// Exact fractions of big integers: enough to re-solve a certificate and to check signs. A double is a fraction too.

/** @typedef {{n: bigint, d: bigint}} Rational  in lowest terms, d > 0 */

/** @param {bigint} a @param {bigint} b @returns {bigint} */
function gcd(a, b) {
  if (a < 0n) a = -a;
  while (b) [a, b] = [b < 0n ? -b : b, a % b];
  return a;
}

/** @param {bigint} n @param {bigint} [d] @returns {Rational} */
export function rational(n, d = 1n) {
  const g = gcd(n, d) || 1n,
    sign = d < 0n ? -1n : 1n;
  return { n: (sign * n) / g, d: (sign * d) / g };
}

/** The fraction a number is written as: the decimal, if it is short, so that 0.1 is a tenth.
 * @param {number} x @returns {Rational} */
export function fromNumber(x) {
  const text = String(x),
    dot = text.indexOf(".");
  if (text.includes("e") || text.length > 15) return fromDouble(x);
  const digits = dot < 0 ? 0 : text.length - dot - 1;
  return rational(BigInt(text.replace(".", "")), 10n ** BigInt(digits));
}

/** The fraction a double is in memory. @param {number} x @returns {Rational} */
function fromDouble(x) {
  let d = 1n;
  while (!Number.isInteger(x)) {
    x *= 2;
    d *= 2n;
  }
  return rational(BigInt(x), d);
}

/** @param {Rational} a @param {Rational} b */
export const plus = (a, b) => rational(a.n * b.d + b.n * a.d, a.d * b.d);
/** @param {Rational} a @param {Rational} b */
export const minus = (a, b) => rational(a.n * b.d - b.n * a.d, a.d * b.d);
/** @param {Rational} a @param {Rational} b */
export const times = (a, b) => rational(a.n * b.n, a.d * b.d);
/** @param {Rational} a @param {Rational} b */
export const over = (a, b) => rational(a.n * b.d, a.d * b.n);
/** Also where both parts lie beyond the doubles: their leading thousand bits decide. @param {Rational} a */
export function toNumber({ n, d }) {
  const excess = BigInt(Math.max(0, 4 * Math.max(n.toString(16).length, d.toString(16).length) - 1000));
  return Number(n >> excess) / Number(d >> excess);
}
/** @param {Rational} a */
export const toText = (a) => (a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`);

export const ZERO = rational(0n),
  ONE = rational(1n);

/** Σ a_j b_j. @param {Rational[]} a @param {Rational[]} b */
export const dot = (a, b) => a.reduce((sum, v, j) => plus(sum, times(v, b[j])), ZERO);
/** @param {Rational} a @param {Rational} b */
export const notBelow = (a, b) => a.n * b.d >= b.n * a.d;

/** The whole part of √n (Newton). @param {bigint} n */
function wholeRoot(n) {
  let x = 1n << BigInt(n.toString(16).length * 2);
  for (;;) {
    const y = (x + n / x) >> 1n;
    if (y >= x) return x;
    x = y;
  }
}

/** half + √(half² − c), the larger root of k² − 2 half k + c = 0, where it is not negative: as a number, and rounded down
 * without error. @param {Rational} half @param {Rational} c @returns {{value: number, most: number}} */
export function largerRoot(half, c) {
  const inside = minus(times(half, half), c);
  // Over one denominator d it is (h + √m)/d with whole h and m, so that √m may be rounded down first.
  const d = half.d * inside.d,
    h = half.n * inside.d,
    m = inside.n * inside.d * half.d * half.d;
  const value = toNumber(rational((h << 64n) + wholeRoot(m << 128n), d << 64n));
  return { value, most: Number((h + wholeRoot(m)) / d) };
}

/** Solve A x = 0 for one non-zero x by elimination, or null if only x = 0 does.
 * @param {Rational[][]} A @returns {Rational[] | null} */
export function nullVector(A) {
  const rows = A.map((r) => r.slice()),
    columns = rows[0].length;
  const pivots = /** @type {number[]} */ ([]);
  let r = 0;
  for (let c = 0; c < columns && r < rows.length; c++) {
    const p = rows.findIndex((row, i) => i >= r && row[c].n !== 0n);
    if (p < 0) continue;
    [rows[r], rows[p]] = [rows[p], rows[r]];
    rows[r] = rows[r].map((v) => over(v, rows[r][c]));
    rows.forEach((row, i) => {
      if (i !== r && row[c].n !== 0n) rows[i] = row.map((v, j) => minus(v, times(row[c], rows[r][j])));
    });
    pivots.push(c);
    r++;
  }
  const free = Array.from({ length: columns }, (_, c) => c).find((c) => !pivots.includes(c));
  if (free === undefined) return null;
  const x = /** @type {Rational[]} */ (new Array(columns).fill(ZERO));
  x[free] = ONE;
  pivots.forEach((c, i) => (x[c] = minus(ZERO, rows[i][free])));
  return x;
}
