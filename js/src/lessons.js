// Six short lessons. A page sets the stage, asks before it tells, and then shows.
import { PRESETS } from "./presets.js";
import { DEFAULT, FRESH, PLAIN, readPoints } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {{text: string, stage: Partial<State>, ask?: string, choices?: string[], right?: number, after?: string, reveal?: Partial<State>}} Page */
/** @typedef {{title: string, pages: Page[]}} Lesson */

const overlap = {
  points: readPoints("-2,-1,n;-1,-2,n;-1.5,0.5,n;0.5,-1.5,n;1.5,1,n;2,1,p;1,2,p;0.5,0.5,p;2.5,-0.5,p;-1,-0.5,p"),
};
const PROVED = ["w", "best", "numbers", "regions", "beats"];
const [four, three, xor] = [0, 1, 4].map((i) => PRESETS[i].make(0));

/** @type {Lesson[]} */
export const LESSONS = [
  {
    title: "A line that learns from its mistakes",
    pages: [
      {
        text: "Discs are labelled +1, squares −1. A vector *w* scores a point by *w*·*x*: above zero it says +1, below zero −1. At first *w* = (0, 0), so every score is 0. An example with *y*(*w*·*x*) ≤ 0 counts as a mistake.",
        stage: four,
        ask: "Example 1 is shown first. Is it a mistake?",
        choices: ["Yes: its score is 0", "No: nothing is wrong yet"],
        right: 0,
        after:
          "0 ≤ 0, so it is. On the line is not on the right side. The update adds *y x* = −(−2, 0) to *w*: now *w* = (2, 0).",
        reveal: { step: 1 },
      },
      {
        text: "The line stands at right angles to *w*. Look at the table: with *w* = (2, 0) the margins are 4, 0, −4, 4.",
        stage: { ...four, step: 1 },
        ask: "Which example, shown next in order, is a mistake?",
        choices: ["Example 2, with margin 0", "Example 3, with margin −4", "Example 4, with margin 4"],
        right: 0,
        after:
          "The examples come in order, so 2 is next, and a tie is a mistake. *w* becomes (2, 0) − (0, −2) = (2, 2).",
        reveal: { step: 2 },
      },
      {
        text: "After four updates *w* = (2, 4), and a whole pass without an update follows: that is how it knows it is done.",
        stage: { ...four, step: 12 },
      },
    ],
  },
  {
    title: "What one update does",
    pages: [
      {
        text: "The start is *w* = (1, −0.8), and example 1, *x* = (1, 2) with *y* = +1, is on the wrong side: its score is 1 − 1.6 = −0.6.",
        stage: three,
        ask: "Which way will *w* turn?",
        choices: ["Towards example 1", "Away from example 1"],
        right: 0,
        after:
          "A +1 example is added, so *w* turns towards it: (1, −0.8) + (1, 2) = (2, 1.2). A −1 example is taken away, and *w* turns from it.",
        reveal: { step: 1 },
      },
      {
        text: "The margin of the example just shown was −0.6.",
        stage: { ...three, step: 1 },
        ask: "What is it after the update?",
        choices: ["0.6", "4.4", "1"],
        right: 1,
        after:
          "An update raises the margin of its example by exactly ‖*x*‖² = 1 + 4 = 5: from −0.6 to 4.4. It may need several to become right.",
      },
      {
        text: "It can spoil others: see how example 2 fares, and step on until a clean pass.",
        stage: { ...three, step: 2 },
      },
    ],
  },
  {
    title: "The order and the start matter",
    pages: [
      {
        text: "The same four points, from four different starts: the lines that are found differ.",
        stage: {
          ...four,
          start: [0, -5, 0],
          step: 100000,
          tab: "compare",
          pinned: [
            [5, 0, 0],
            [0, 5, 0],
            [-5, 0, 0],
          ].map((start) => /** @type {any} */ ({ bias: false, start })),
        },
        ask: "Do all of them separate the examples?",
        choices: ["Yes, each one", "Only the best one"],
        right: 0,
        after:
          "Any separating line stops the learner: it asks no more than that. Which one it finds depends on the start and on the order.",
      },
      {
        text: "The study runs the same data in many random orders. Press “Run the study”.",
        stage: { ...four, tab: "study" },
        ask: "Can the order make the number of updates exceed 10?",
        choices: ["Yes, with bad luck", "No, never"],
        right: 1,
        after: "(*R*/*γ*)² = 10 holds for every order. The next lesson says why.",
      },
    ],
  },
  {
    title: "Why it must stop",
    pages: [
      {
        text: "Let *u* be the best unit separator, with margin *γ*. Each update adds *y x*, and *u*·(*y x*) ≥ *γ*.",
        stage: { ...four, step: 12, tab: "proof", layers: PROVED },
        ask: "After *k* updates from zero, how large is *u*·*w* at least?",
        choices: ["*kγ*", "*γ*", "√*k*·*γ*"],
        right: 0,
        after: "Every update brings at least *γ*, so at least *kγ*: the first curve.",
      },
      {
        text: "But an update happens only when *y*(*w*·*x*) ≤ 0, so ‖*w* + *y x*‖² = ‖*w*‖² + 2*y*(*w*·*x*) + ‖*x*‖² ≤ ‖*w*‖² + *R*².",
        stage: { ...four, step: 12, tab: "proof", layers: PROVED },
        ask: "So ‖*w*‖ after *k* updates is at most …",
        choices: ["*kR*", "√*k*·*R*", "*R*"],
        right: 1,
        after:
          "Since *u*·*w* ≤ ‖*w*‖, we get *kγ* ≤ √*k*·*R*, and *k* ≤ (*R*/*γ*)². Here that is 10, and 4 were needed.",
      },
    ],
  },
  {
    title: "When no line will do",
    pages: [
      {
        text: "Exclusive or: +1 where exactly one coordinate is 1.",
        stage: { ...xor, layers: ["w", "regions", "numbers", "beats", "alpha"] },
        ask: "Will the perceptron stop?",
        choices: ["Yes, after enough passes", "No, never"],
        right: 1,
        after:
          "The segments 1–4 and 2–3 cross. A line with both ends of a segment on one side has the whole segment there, so the crossing would have to be on both sides. The weights ¼ each are the proof.",
        reveal: { layers: ["w", "regions", "numbers", "beats", "alpha", "certificate"] },
      },
      {
        text: "A kernel lifts the points where a plane can part them. Degree 2 has the product *x*₁*x*₂ in it.",
        stage: { ...xor, kernel: "poly", degree: 2, tab: "dual" },
        ask: "Will it stop now?",
        choices: ["Yes", "No"],
        right: 0,
        after: "With *K*(*a*, *b*) = (*a*·*b* + 1)² exclusive or is separable; the boundary is a curve.",
        reveal: { step: 100000 },
      },
    ],
  },
  {
    title: "Which vector to answer with",
    pages: [
      {
        text: "These examples overlap, so the last vector depends on where you happen to stop. Watch it jump: press End, then go back a few steps.",
        stage: { ...overlap, step: 60 },
        ask: "Which rule keeps the best vector seen so far?",
        choices: ["Averaged", "Voted", "Pocket"],
        right: 2,
        after:
          "The pocket keeps the vector with the fewest training errors, and is never worse than any vector visited.",
        reveal: { memory: "pocket", step: 60 },
      },
      {
        text: "The averaged perceptron takes the mean over all steps instead: vectors that survive long weigh more.",
        stage: { ...overlap, memory: "average", step: 60, tab: "dual" },
        ask: "And the voted one?",
        choices: ["Lets every vector vote, weighted by its survival", "Asks the last two vectors"],
        right: 0,
        after: "Its boundary is not a line: it is a majority of lines.",
        reveal: { memory: "vote", step: 60 },
      },
    ],
  },
];

/** What a page of a lesson puts on show; nothing where there is no such page.
 * @param {unknown} lesson @param {unknown} [page] @returns {Partial<State>} */
export function stageOf(lesson, page = 0) {
  const here = LESSONS[Number(lesson)]?.pages[Number(page)];
  if (!here) return {};
  const { layers, pinned, title, step, tab } = DEFAULT;
  return {
    ...PLAIN,
    ...FRESH,
    layers,
    pinned,
    title,
    step,
    tab,
    ...here.stage,
    lesson: Number(lesson),
    page: Number(page),
  };
}
