// The engine repeats the blackboard's runs: every index, and every number to the last bit.
// Where exp enters (rbf), whose last bit differs between libraries, a number may differ by a few units in the last place.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { learn } from "../src/engine.js";
import { learnExactly } from "../src/exact.js";
import { kernelFunction } from "../src/kernels.js";

// Seeds reach 2^63, beyond what a JSON number holds in JavaScript: read them as big integers.
const text = readFileSync(new URL("golden.json", import.meta.url), "utf8");
const cases = JSON.parse(text.replace(/"seed":(\d+)/g, '"seed":"$1"'));

/** @param {any} given */
export function optionsOf(given) {
  return {
    ...given,
    seed: BigInt(given.seed ?? 0),
    start: given.start ?? null,
    maxPasses: given.max_passes ?? 1000,
    maxUpdates: given.max_updates ?? Infinity,
    kernel: given.kernel ? kernelFunction(given.kernel) : null,
  };
}

test("there are at least 300 cases", () => assert.ok(cases.length >= 300, `${cases.length}`));

test("a pass of rows picked by hand is as many picks as there are rows", () => {
  const X = /** @type {[number, number][]} */ ([
    [-2, 0],
    [0, -2],
    [-2, 2],
    [2, 2],
  ]);
  const run = learn(X, [-1, -1, 1, 1], { order: "manual", picks: [0, 1, 2, 3, 3, 2, 1, 0, 2], bias: false });
  assert.deepEqual(run.row, [0, 1, 2, 3, 3, 2, 1, 0, 2]);
  assert.deepEqual(run.pass, [1, 1, 1, 1, 2, 2, 2, 2, 3]);
  assert.deepEqual([run.vector(run.updates), run.stoppedBy], [[2, 4, 0], "clean_pass"]);
});

cases.forEach((/** @type {any} */ c, /** @type {number} */ number) => {
  const { kernel, order = "cyclic", ties = "mistake", margin = 0 } = c.options;
  const name = `case ${number}: ${c.exact ? "exact" : "doubles"} ${order} ${ties} ${kernel?.name ?? "primal"} margin ${margin}`;
  test(name, () => {
    const options = optionsOf(c.options);
    const run = c.exact ? learnExactly(c.X, c.y, options, kernel ?? null) : learn(c.X, c.y, options);
    assert.ok(run, "exact arithmetic was refused");
    const same = kernel?.name === "rbf" ? close : identical;
    same(
      run.journal.map((u) => [u.step, u.row, u.tau, u.m]),
      c.journal,
    );
    assert.deepEqual(run.survival(run.steps), c.counts);
    const first = run.updates + 1 - c.vectors.length;
    same(
      c.vectors.map((/** @type {any} */ _, /** @type {number} */ j) => run.vector(first + j)),
      c.vectors,
    );
    same(run.average(run.steps), c.average);
    const pocket = run.pocket(run.updates);
    same(run.vector(pocket.k), c.pocket[0]);
    assert.equal(pocket.errors, c.pocket[1]);
    assert.deepEqual(run.updatesPerPass, c.per_pass);
    assert.deepEqual(
      [run.steps, run.mistakes, run.converged, run.stoppedBy],
      [c.steps, c.mistakes, c.converged, c.stopped_by],
    );
  });
});

/** Equal to the last bit; a zero is a zero whatever its sign (fractions have no −0). @param {any} a @param {any} b */
function identical(a, b) {
  assert.equal(JSON.stringify(a), JSON.stringify(b));
}

/** Equal in shape and within 1e-13 of the largest number around. @param {any} a @param {any} b */
function close(a, b) {
  const left = a.flat(Infinity),
    right = b.flat(Infinity);
  assert.equal(left.length, right.length);
  const size = Math.max(1, ...right.map(Math.abs));
  right.forEach((/** @type {number} */ r, /** @type {number} */ i) =>
    assert.ok(Math.abs(left[i] - r) <= 1e-13 * size, `${left[i]} against ${r}`),
  );
}
