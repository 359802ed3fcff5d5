// Below the figure the arithmetic in words; beside it the verdict on the data and the counters against the bound.
import { fill, h, say } from "../dom.js";
import { fmt, tuple } from "../format.js";
import { endInWords, lineEquation, stepInWords, verdictInWords, whyThisOne } from "../words.js";
import { smallestMargin } from "../geometry.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const REPLAYED = [
  "replayed",
  "This run was recorded in Python and is shown as it was; it is computed anew when you change anything.",
];
const EXACT = ["exact arithmetic", "The numbers are short decimals and are computed without any rounding."];
const ROUNDED = ["rounded arithmetic", "Numbers are rounded to 53 bits: a tie on paper may not be one here."];

/** The step in words, which screen readers are told as it changes. */
export function sentence() {
  const words = h("p.rb-words", { "aria-live": "polite" });
  const why = h("p.rb-why");
  const el = h("div.rb-sentence", words, why);
  const update = (/** @type {View} */ view) => {
    say(words, stepInWords(view));
    const reason = whyThisOne(view);
    say(why, reason ? `Why this one: ${reason}.` : "");
  };
  return { part: "words", el, update };
}

/** What was just taken or refused, and why: in sight wherever the page is scrolled to. @param {App} app */
export function notice(app) {
  const el = h("p.rb-notice", { role: "status" });
  return { el, update: () => say(el, app.ui.notice) };
}

/** @param {App} app */
export function verdictPanel(app) {
  const head = h("h2"),
    body = h("p"),
    end = h("p.rb-end");
  const badge = h("span.rb-badge");
  const meter = h("div.rb-meter", { role: "img" }, h("span"));
  const said = h("p.rb-bound");
  const numbers = h("dl.rb-numbers");
  const el = h(
    "section.rb-verdict",
    { "aria-label": "Verdict" },
    h("div.rb-verdict-head", head, badge),
    body,
    end,
    said,
    meter,
    numbers,
  );

  const update = (/** @type {View} */ view) => {
    const { run, t, k, margins, state, w, answer } = view;
    const words = verdictInWords(view);
    say(head, words.head);
    say(body, words.body);
    say(end, run.n ? endInWords(view) : "");
    el.dataset.verdict = view.verdict ? (view.verdict.separable ? "yes" : "no") : "none";
    const [arithmetic, why] = view.replayed ? REPLAYED : view.exact ? EXACT : ROUNDED;
    say(badge, arithmetic);
    badge.title = why;
    drawBound(view, said, meter);
    const line = answer.line;
    const wrong = margins.filter((m) => m <= 0).length;
    const row = (/** @type {string} */ name, /** @type {string} */ value) => h("div", h("dt", name), h("dd", value));
    fill(numbers, [
      row("Examples shown", fmt(t)),
      row("Pass", t ? fmt(run.pass[t - 1]) : "–"),
      row("Updates", fmt(k)),
      row("Mistakes now", `${wrong} of ${run.n}`),
      !run.dual && row("w", tuple(w.slice(0, 2))),
      !run.dual && state.bias && row("b", fmt(w[2])),
      !run.dual && row(state.bias ? "‖(w, b)‖" : "‖w‖", fmt(Math.hypot(...w))),
      line && state.memory !== "last" && row(`${TEXT.memories[state.memory]} line`, lineEquation(line)),
      line && row("Smallest margin", fmt(smallestMargin(answerMargins(view), line))),
    ]);
  };
  return { part: "verdict", el, update };
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
