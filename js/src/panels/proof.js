// The proof as curves: progress along u, growth of ‖w‖, and the cosine squeezed between them.
import { fill, h, prose } from "../dom.js";
import { fmt } from "../format.js";
import { curves } from "../plot/chart.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app */
export function proof(app) {
  const el = h("div.rb-proof");
  const update = (/** @type {View} */ view) => {
    const { curves: c, k, verdict, boundReason, state, run } = view;
    if (!c || !verdict) {
      fill(el, [h("p.rb-grey", `The proof needs a separator, and here there is none: ${boundReason}.`)]);
      return;
    }
    const pick = (/** @type {number} */ at) => app.go(at === 0 ? 0 : run.journal[at - 1].step + 1);
    const zero = state.start.every((v) => v === 0),
      plain = zero && state.margin === 0;
    const w = state.bias && !run.dual ? "(*w*, *b*)" : "*w*";
    const [floor, ceiling] = plain && state.rate === 1 ? ["kγ", "√k·R"] : ["u·w₀ + krγ", "√(‖w₀‖² + k(r²R² + 2rβ))"];
    /** What the run did, and what it must exceed or stay under. */
    const chart = (
      /** @type {string} */ title,
      /** @type {[keyof typeof c[0], string]} */ [real, name],
      /** @type {[keyof typeof c[0], string]} */ [limit, formula],
      /** @type {number | undefined} */ most = undefined,
    ) =>
      curves(
        [
          { values: c.map((p) => p[real]), name, style: "rb-real" },
          { values: c.map((p) => p[limit]), name: formula, style: "rb-limit" },
        ],
        { at: k, most, title, pick },
      );
    const squeezed = plain ? "√k·γ/R" : "floor / ceiling";
    fill(el, [
      h(
        "p",
        prose(
          `Let *u* be the best unit separator, with margin *γ* = ${fmt(verdict.gamma)}, and *R* = ${fmt(verdict.R)}. Each update moves ${w} forward along *u* by at least *rγ*, but lengthens it little. Both can be true only for so long.`,
        ),
      ),
      h("h3", prose("Every update makes progress: *u*·*w~k~* stays above the line")),
      chart("Progress along u against its lower limit", ["along", "u·wₖ"], ["least", floor]),
      h("h3", prose("The vector grows slowly: ‖*w~k~*‖ stays below the curve")),
      chart("Norm against its upper limit", ["norm", "‖wₖ‖"], ["most", ceiling]),
      h("h3", "So the cosine is squeezed, and it cannot pass 1"),
      chart("Cosine of w and u against its lower limit", ["cos", "cos(wₖ, u)"], ["cosLeast", squeezed], 1),
      h("p.rb-source", "Novikoff (1962), theorem 1."),
    ]);
  };
  return { el, update };
}
