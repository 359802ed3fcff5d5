// The one source of chance: SplitMix64 and a forward Fisher–Yates shuffle, as in src/core/order.hpp and blackboard.py.
// Reference: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.

const MASK = (1n << 64n) - 1n;

export class Generator {
  /** @param {number | bigint} seed */
  constructor(seed) {
    this.state = BigInt(seed) & MASK;
  }

  /** A whole number from 0 to n − 1: floor(u·n / 2⁶⁴).
   * @param {number} n @returns {number} */
  below(n) {
    this.state = (this.state + 0x9e3779b97f4a7c15n) & MASK;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return Number(((z ^ (z >> 31n)) * BigInt(n)) >> 64n);
  }

  /** @param {number} n @returns {number[]} */
  permutation(n) {
    const place = Array.from({ length: n }, (_, i) => i);
    for (let i = 0; i < n - 1; i++) {
      const j = i + this.below(n - i);
      [place[i], place[j]] = [place[j], place[i]];
    }
    return place;
  }

  /** A number in [0, 1) with 32 bits, for presets and random starts. @returns {number} */
  unit() {
    return this.below(2 ** 32) / 2 ** 32;
  }

  /** A normal deviate (Box and Muller 1958). @returns {number} */
  normal() {
    return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
  }
}
