// What each example has contributed: α as bars, and how long each vector survived.
import { barRow, fill, h, prose, sideClass } from "../dom.js";
import { count, fmt, label, tuple } from "../format.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const MOST_BARS = 20,
  MOST_LIVES = 40;

/** @param {App} app */
export function dual(app) {
  const el = h("div");
  const update = (/** @type {View} */ view) => {
    const { alpha, k, y, X, run, t, state } = view;
    const added = alpha
      .map((_, i) => i)
      .filter((i) => alpha[i] > 0)
      .sort((a, b) => alpha[b] - alpha[a]);
    const most = Math.max(1, ...alpha),
      total = alpha.reduce((a, b) => a + b, 0);
    const relation = run.dual
      ? "*f*(*x*) = Σ *α~i~ y~i~ K*(*x~i~*, *x*)"
      : state.start.some((v) => v)
        ? "*w* = *w*₀ + Σ *α~i~ y~i~ x~i~*"
        : "*w* = Σ *α~i~ y~i~ x~i~*";
    const bars = added.slice(0, MOST_BARS).map((i) => {
      const name = `${i + 1}: ${tuple(X[i])} ${label(y[i])}`;
      return barRow("li", {}, [name, ""], alpha[i] / most, [fmt(alpha[i]), ""], sideClass(y[i]));
    });
    const survival = run.survival(t),
      longest = Math.max(1, ...survival),
      from = Math.max(0, survival.length - MOST_LIVES);
    const lives = survival.slice(from).map((c, j) => {
      const name = run.dual ? `k = ${from + j}` : tuple(run.vector(from + j).slice(0, state.bias ? 3 : 2));
      return barRow("li", {}, [name, ""], c / longest, [String(c), ""], "rb-life");
    });
    const earlier = survival.slice(0, from).reduce((a, b) => a + b, 0);
    const note = (/** @type {boolean} */ needed, /** @type {string} */ text) => needed && h("p.rb-grey", text);
    fill(el, [
      h(
        "p",
        prose(
          `Every update adds its example, so ${relation}, where *α~i~* is how much example *i* has been added. So far Σ*α* = ${fmt(total)}${state.rate === 1 ? `, the ${count(k, "update")}` : ""}.`,
        ),
      ),
      h(
        "ul.rb-bars",
        { "aria-label": "Alpha of each example" },
        ...(bars.length ? bars : [h("li.rb-grey", "No example has been added yet.")]),
      ),
      note(
        added.length > MOST_BARS,
        `These are the ${MOST_BARS} largest; ${count(added.length - MOST_BARS, "more example")} have been added.`,
      ),
      h("h3", "How long each vector survived"),
      h("p", "A vector that stands for many steps votes, and is averaged, with that weight."),
      note(
        from > 0,
        `The last ${MOST_LIVES} of ${fmt(survival.length)} vectors; those before them stood for ${count(earlier, "step")}.`,
      ),
      h("ul.rb-bars", { "aria-label": "Survival of each vector" }, ...lives),
    ]);
  };
  return { el, update };
}
