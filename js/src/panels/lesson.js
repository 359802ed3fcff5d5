// A lesson at the side: text, a question first, then the answer and what it shows.
import { button, fill, h, prose } from "../dom.js";
import { LESSONS, stageOf } from "../lessons.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app */
export function lesson(app) {
  const el = h("section.rb-lesson", { "aria-label": "Lesson" });
  let answered = /** @type {number | null} */ (null),
    drawn = "";

  const open = (/** @type {number} */ number, /** @type {number} */ page) => {
    answered = null;
    app.set(number < 0 ? { lesson: -1, page: 0 } : stageOf(number, page));
  };
  const answer = (/** @type {number} */ choice) => {
    answered = choice;
    const { lesson: number, page } = app.state,
      here = LESSONS[number].pages[page];
    if (here.reveal) app.set(here.reveal);
    if (here.reveal?.step !== undefined) app.go(here.reveal.step, true);
    app.refresh();
  };

  const update = (/** @type {View} */ { state }) => {
    const given = LESSONS[state.lesson],
      here = given?.pages[state.page];
    el.hidden = !here;
    const key = JSON.stringify([state.lesson, state.page, answered]);
    if (!here || key === drawn) return;
    drawn = key;
    const question = here.ask
      ? [
          h("p.rb-ask", { id: app.id("ask") }, prose(here.ask)),
          h(
            "div.rb-choices",
            { role: "group", "aria-labelledby": app.id("ask") },
            ...(here.choices ?? []).map((text, i) => {
              const mark = answered === null ? "" : i === here.right ? "rb-yes" : i === answered ? "rb-no" : "";
              return h(
                "button",
                { type: "button", class: mark, disabled: answered !== null, onclick: () => answer(i) },
                prose(text),
                mark === "rb-yes" ? " ✓" : mark === "rb-no" ? " ✗" : "",
              );
            }),
          ),
        ]
      : [];
    const told =
      answered !== null && here.after
        ? [
            h(
              "p.rb-after",
              { role: "status" },
              h("b", answered === here.right ? "Yes. " : "Not quite. "),
              prose(here.after),
            ),
          ]
        : [];
    const onward = !here.ask || answered !== null;
    const primary = { class: "rb-primary" };
    const next =
      state.page + 1 < given.pages.length
        ? button("Go on", "Next page", () => open(state.lesson, state.page + 1), primary)
        : state.lesson + 1 < LESSONS.length &&
          button("Next lesson", "Next lesson", () => open(state.lesson + 1, 0), primary);
    fill(el, [
      h(
        "div.rb-lesson-head",
        h("h2", `${state.lesson + 1}. ${given.title}`),
        button("×", "Leave the lesson", () => open(-1, 0), { class: "rb-bare" }),
      ),
      h("p", prose(here.text)),
      ...question,
      ...told,
      h(
        "div.rb-row",
        state.page > 0 && button("Back", "Previous page", () => open(state.lesson, state.page - 1)),
        onward && next,
        h("span.rb-grey", `${state.page + 1} of ${given.pages.length}`),
      ),
    ]);
  };
  return { el, update, open };
}
