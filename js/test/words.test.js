// Numbers, rows, addresses and sentences: what people read and write.
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRows, toCsv } from "../src/csv.js";
import { makeDerive } from "../src/derive.js";
import { fmt, ticks } from "../src/format.js";
import { LESSONS } from "../src/lessons.js";
import { fromHash, toHash } from "../src/permalink.js";
import { PRESETS } from "../src/presets.js";
import { DEFAULT, cleanState, problemWith } from "../src/state.js";
import { makeStore } from "../src/store.js";
import { fromTrace, toTrace } from "../src/trace.js";
import { stepInWords, verdictInWords } from "../src/words.js";

const four = cleanState({ ...DEFAULT, ...PRESETS[0].make(0) });

test("numbers are printed as a lecture prints them", () => {
  const cases = /** @type {[number, string][]} */ ([
    [4, "4"],
    [0.20000000000000018, "0.2"],
    [-0.8, "−0.8"],
    [1 / 3, "0.3333"],
    [-0, "0"],
    [-Infinity, "−∞"],
    [1e-9, "1.00e−9"],
  ]);
  for (const [x, text] of cases) assert.equal(fmt(x), text);
  assert.deepEqual(ticks(-2, 2, 4), [-2, -1, 0, 1, 2]);
});

test("rows are read from any usual text, and the wrong line is named", () => {
  assert.deepEqual(parseRows("x1,x2,y\n-2, 0, -1\n2\t2\t+1\n").points, [
    [-2, 0, -1],
    [2, 2, 1],
  ]);
  assert.deepEqual(parseRows("1 2 spam\n3 4 ham").points, [
    [1, 2, 1],
    [3, 4, -1],
  ]);
  assert.deepEqual(parseRows("(1, 2, 1)\n−0.5; 2; 0").points, [
    [1, 2, 1],
    [-0.5, 2, -1],
  ]);
  for (const [text, positive] of [
    ["1 2 spam\n3 4 ham", "spam"],
    ["1,2,+1\n3,4,-1", "+1"],
    ["1,2,0\n3,4,+1", "+1"],
    ["1,2,+\n3,4,-", "+"],
    ["1,2,+1\n3,4,+1", ""],
  ])
    assert.equal(parseRows(text).positive, positive, text);
  assert.match(parseRows("1,2,+1\n1,x,+1").problem, /Line 2, column 2: "x" is not a number/);
  assert.match(parseRows("1,2\n").problem, /Line 1 has 2 columns/);
  assert.match(parseRows("1,2,a\n1,2,b\n1,2,c").problem, /give two classes/);
  assert.match(parseRows("").problem, /nothing to read/);
  assert.match(parseRows("1,1e999,1").problem, /not a number/);
  assert.match(parseRows("1,2,1\n".repeat(501)).problem, /at most 500/);
  assert.deepEqual(parseRows(toCsv(four.points)).points, four.points);
  for (const value of ["nan", "-inf", "one", "1e", ""])
    assert.match(parseRows(`${value},1,1\n2,3,-1\n4,5,1`).problem, /Line 1, column 1: ".*" is not a number/, value);
  assert.match(parseRows("nan,nan,nan\n2,3,-1\n4,5,1").problem, /Line 1, column 1/);
});

test("an address holds the whole state, and there and back is the identity", () => {
  for (const preset of PRESETS) {
    const state = cleanState({
      ...DEFAULT,
      ...preset.make(0.6),
      title: preset.title,
      step: 3,
      memory: "average",
      hide: ["share", "tools"],
      pinned: [{ ...four, start: [1, -0.8, 0] }],
    });
    assert.deepEqual(fromHash(`#${toHash(state)}`, four), { state, problem: "" }, preset.name);
  }
  const forty = cleanState({ ...DEFAULT, points: PRESETS[5].make(0.6).points });
  assert.ok(forty.points.length === 40 && toHash(forty).length < 2048, `${toHash(forty).length}`);
});

test("a link without data says what to change on the data that are there", () => {
  const read = (/** @type {string} */ hash) => fromHash(hash, four).state;
  assert.deepEqual(read(""), four);
  assert.deepEqual(read("#rate=2"), { ...four, rate: 2 });
  assert.deepEqual(read("#tab=proof&step=3"), { ...four, tab: "proof", step: 3 });
  const staged = read("#lesson=4&page=1");
  assert.deepEqual([staged.lesson, staged.page, staged.kernel, staged.points.length], [4, 1, "poly", 4]);
  assert.deepEqual(read("#lesson=4&page=1&rate=2"), { ...staged, rate: 2 });
  assert.deepEqual(read("#lesson=9"), { ...four, lesson: 5 });
});

test("data that cannot be taken as they are, are refused whole and named", () => {
  const cases = [
    ["d=1,1,p;2000000,2,n", /Example 2, x1: 2000000 is not a number within ±1000000/],
    ["d=1,1,p;2,1e300,n", /Example 2, x2: 1e\+300 is not/],
    ["d=1,1,p;x,2,n", /Example 2, x1: NaN is not a number/],
    ["d=1,1,p;2,2,q", /Example 2 has no label/],
    [`d=${"1,1,p;".repeat(501)}`, /501 examples; the lab takes at most 500/],
    [`d=${"1,1,p;".repeat(9999)}`, /longer than/],
  ];
  for (const [hash, said] of cases) {
    const { state, problem } = fromHash(String(hash), four);
    assert.match(problem, /** @type {RegExp} */ (said));
    assert.deepEqual(state, four);
  }
  assert.match(parseRows("1,2,1\n1,-2000000,0").problem, /Line 2, column 2: -2000000 is not a number within ±1000000/);
  assert.equal(problemWith([[1e6, -1e6, 1]]), "");
});

test("nothing in an address is trusted", () => {
  const hostile = [
    "#d=1,1,p;3,3,n&rate=-5&margin=1e99&seed=abc&order=evil&start=NaN,1,2&step=-4&tab=<script>&hide=a,b,share&layers=%ff&memory=__proto__&__proto__=1",
    "#d=&vs=order:shuffle+__proto__:x+seed:9e99",
    `#d=${"1,1,p;".repeat(2000)}`,
    "#d=%E0%A4%A",
    `#${"d=".repeat(30000)}`,
    "#constructor=1",
  ];
  for (const hash of hostile) {
    const { state } = fromHash(hash, four);
    assert.deepEqual(cleanState(state), state);
    assert.ok(state.points.length <= 500 && state.rate > 0 && state.margin <= 1e6 && state.step >= 0);
    assert.equal(/** @type {any} */ (Object.prototype)[1], undefined);
  }
  const { points, rate } = fromHash(hostile[0], four).state;
  assert.deepEqual([points.length, rate], [2, 1e-4]);
});

test("undo takes back an edit, one gesture at a time, and leaves time alone", () => {
  const store = makeStore(four);
  store.set({ step: 3 });
  assert.ok(!store.canUndo());
  for (const x of [1, 2, 3]) store.set({ points: [[x, 0, 1]] }, "drag");
  store.closeGesture();
  store.set({ rate: 2 });
  store.undo();
  assert.deepEqual([store.get().rate, store.get().points], [1, [[3, 0, 1]]]);
  store.undo();
  assert.deepEqual(store.get().points, four.points);
  store.redo();
  assert.deepEqual(store.get().points, [[3, 0, 1]]);
});

test("the step is said as at the board", () => {
  const derive = makeDerive();
  const say = (/** @type {number} */ step) => stepInWords(derive({ ...four, step }));
  assert.equal(
    say(1),
    "Step 1, pass 1: example 1, x = (−2, 0), y = −1. −1 × ((−2)(0) + (0)(0)) = 0 ≤ 0, on the line, a mistake: w becomes (0, 0) − (−2, 0) = (2, 0).",
  );
  assert.equal(say(4), "Step 4, pass 1: example 4, x = (2, 2), y = +1. +1 × ((2)(0) + (2)(4)) = 8 > 0: no change.");
});

test("exclusive or is refused in words", () => {
  const xor = cleanState({ ...DEFAULT, ...PRESETS[4].make(0) });
  const { head, body } = verdictInWords(makeDerive()(xor));
  assert.equal(head, "Not separable by a line");
  assert.equal(
    body,
    "The segments 2–3 and 1–4 cross at (0.5, 0.5). Weights: row 1 × 1/4, row 2 × 1/4, row 3 × 1/4, row 4 × 1/4.",
  );
});

test("a trace written here is replayed here", () => {
  for (const memory of /** @type {const} */ (["last", "average", "vote", "pocket"])) {
    const view = makeDerive()({ ...four, memory });
    const back = fromTrace(JSON.parse(JSON.stringify(toTrace(view))));
    assert.ok(back.run && back.state);
    assert.deepEqual(back.run.journal, view.run.journal);
    assert.deepEqual(back.run.row, view.run.row);
    assert.deepEqual(
      [0, 1, 2, 3, 4].map((k) => back.run.vector(k)),
      [0, 1, 2, 3, 4].map((k) => view.run.vector(k)),
    );
  }
  assert.match(fromTrace({ schema: "other" }).problem, /not a trace/);
});

test("every lesson asks before it tells, and its pages are valid states", () => {
  assert.equal(LESSONS.length, 6);
  for (const { pages } of LESSONS) {
    assert.ok(pages.some((p) => p.ask));
    for (const page of pages) {
      assert.equal(page.ask === undefined, page.after === undefined);
      if (page.ask) assert.ok(page.choices && page.right !== undefined && page.right < page.choices.length);
      const state = cleanState({ ...DEFAULT, ...page.stage });
      assert.ok(makeDerive()(state).run.steps > 0);
    }
  }
});

test("the lesson on starts compares runs that all stop, each on a line of its own", () => {
  const { stage } = LESSONS[2].pages[0];
  const derive = makeDerive();
  const runs = [stage, ...(stage.pinned ?? [])].map((s) => derive(cleanState({ ...DEFAULT, ...stage, ...s })).run);
  assert.ok(runs.every((run) => run.converged));
  const lines = runs.map((run) => run.vector(run.updates)).map((w) => (w[1] / w[0]).toFixed(6));
  assert.equal(new Set(lines).size, 4);
});

test("exclusive or never stops in the lesson, its kernel does, and the last lesson's examples overlap", () => {
  const view = (/** @type {any} */ stage) => makeDerive()(cleanState({ ...DEFAULT, ...stage }));
  const [never, lifted] = LESSONS[4].pages.map((p) => view(p.stage));
  assert.ok(never.cycle !== null && never.verdict?.certificate.every((c) => c.weight === 0.25));
  assert.ok(lifted.run.converged && lifted.verdict?.separable);
  assert.ok(LESSONS[5].pages.every((p) => view(p.stage).verdict?.separable === false));
});

test("the four tables of the lecture: y(w·x) of every example at every vector", () => {
  const { run } = makeDerive()({ ...four, step: 12 });
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((k) => run.margins(k)),
    [
      [0, 0, 0, 0],
      [4, 0, -4, 4],
      [4, 4, 0, 8],
      [0, 8, 8, 8],
      [4, 8, 4, 12],
    ],
  );
});
