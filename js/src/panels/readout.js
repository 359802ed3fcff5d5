// Below the figure the arithmetic in words; beside it the verdict on the data and the counters against the bound.
import { fill, h, say } from "../dom.js";
import { fmt, tuple } from "../format.js";
import { endInWords, lineEquation, stepInWords, verdictInWords, whyThisOne } from "../words.js";
import { smallestMargin } from "../geometry.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** The step in words, which screen readers are told as it changes. */
export function sentence() {
  const words = h("p", { class: "rb-words", "aria-live": "polite" });
  const why = h("p", { class: "rb-why" });
  const el = h("div", { class: "rb-sentence" }, words, why);
  const update = (/** @type {View} */ view) => {
    el.hidden = view.state.hide.includes("words");
    say(words, stepInWords(view));
    const reason = whyThisOne(view);
    say(why, reason ? `Why this one: ${reason}.` : "");
  };
  return { el, update };
}

/** What was just taken or refused, and why: in sight wherever the page is scrolled to. @param {App} app */
export function notice(app) {
  const el = h("p", { class: "rb-notice", role: "status" });
  return { el, update: () => say(el, app.ui.notice) };
}

/** @param {App} app */
export function verdict(app) {
  const head = h("h2", {}),
    body = h("p", {}),
    end = h("p", { class: "rb-end" });
  const badge = h("span", { class: "rb-badge" });
  const meter = h("div", { class: "rb-meter", role: "img" }, h("span", {}));
  const said = h("p", { class: "rb-bound" });
  const numbers = h("dl", { class: "rb-numbers" });
  const el = h(
    "section",
    { class: "rb-verdict", "aria-label": "Verdict" },
    h("div", { class: "rb-verdict-head" }, head, badge),
    body,
    end,
    said,
    meter,
    numbers,
  );

  const update = (/** @type {View} */ view) => {
    const { run, t, k, margins, state, w, answer } = view;
    el.hidden = state.hide.includes("verdict");
    const words = verdictInWords(view);
    say(head, words.head);
    say(body, words.body);
    say(end, run.n ? endInWords(view) : "");
    el.dataset.verdict = view.verdict ? (view.verdict.separable ? "yes" : "no") : "none";
    say(badge, view.replayed ? "replayed" : view.exact ? "exact arithmetic" : "rounded arithmetic");
    badge.title = view.replayed
      ? "This run was recorded in Python and is shown as it was; it is computed anew when you change anything."
      : view.exact
        ? "The numbers are short decimals and are computed without any rounding."
        : "Numbers are rounded to 53 bits: a tie on paper may not be one here.";
    drawBound(view, said, meter);
    const line = answer.line;
    const wrong = margins.filter((m) => m <= 0).length;
    const rows = /** @type {[string, string][]} */ ([
      ["Examples shown", `${fmt(t)}`],
      ["Pass", t ? fmt(run.pass[t - 1]) : "–"],
      ["Updates", fmt(k)],
      ["Mistakes now", `${wrong} of ${run.n}`],
      ...(run.dual
        ? []
        : /** @type {[string, string][]} */ ([
            ["w", tuple(w.slice(0, 2))],
            ...(state.bias ? [["b", fmt(w[2])]] : []),
            [state.bias ? "‖(w, b)‖" : "‖w‖", fmt(Math.hypot(...w))],
          ])),
      ...(line && state.memory !== "last"
        ? [[`${state.memory === "average" ? "Averaged" : "Pocket"} line`, lineEquation(line)]]
        : []),
      ...(line ? [["Smallest margin", fmt(smallestMargin(answerMargins(view), line))]] : []),
    ]);
    fill(
      numbers,
      rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
    );
  };
  return { el, update };
}

/** y·score of every example under what the memory answers with. @param {View} view */
const answerMargins = ({ state, margins, X, y, answer }) =>
  state.memory === "last" ? margins : y.map((label, i) => label * answer.score(...X[i]));

/** "4 of at most 10", as words and as a bar. @param {View} view @param {HTMLElement} said @param {HTMLElement} meter */
function drawBound({ bound, boundReason, k, run, state }, said, meter) {
  meter.hidden = bound === null;
  said.classList.toggle("rb-grey", bound === null);
  if (bound === null) {
    said.textContent = run.n ? `No bound on the updates: ${boundReason}.` : "";
    return;
  }
  const { most, value } = bound,
    from = state.start.some((v) => v !== 0),
    formula = from ? "from this start" : state.margin > 0 ? "(R² + 2β/r)/γ²" : "(R/γ)²";
  said.textContent = `${fmt(k)} of at most ${fmt(most)} updates: ${formula} = ${fmt(value)}`;
  const bar = /** @type {HTMLElement} */ (meter.firstElementChild);
  bar.style.width = `${most ? Math.min(100, (100 * k) / most) : 0}%`;
  meter.setAttribute("aria-label", `${k} of at most ${most} updates`);
}
