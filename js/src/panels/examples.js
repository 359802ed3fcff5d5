// The table of all examples with y(w·x) at this moment, as a lecture prints it; coordinates are typed right into it.
import { assign, button, column, fill, h, prose, readNumber, say } from "../dom.js";
import { parseRows } from "../csv.js";
import { brief, fmt, label, named, plain, tuple } from "../format.js";
import { labelPoint, movePoint, removePoint } from "../plot/touch.js";
import { problemWith } from "../state.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const AT_ONCE = 60; // rows drawn before the user asks for all
const WIDEST = 10; // examples up to which the table of every vector is drawn
const LINES = 12; // vectors in it, the last ones

/** @param {App} app */
export function examples(app) {
  let all = false;
  const [first, second, score, margin, answer] = ["", "", "", "", ""].map((text) => column(text));
  const body = h("tbody", {});
  const table = h(
    "table",
    { class: "rb-table rb-examples" },
    h("caption", {}, "All examples under the vector in force"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        column("*i*"),
        first,
        second,
        column("*y*"),
        score,
        margin,
        column("Verdict"),
        answer,
        column("*α*", "How much this example has been added to w"),
        h("th", {}, h("span", { class: "rb-hidden" }, "Remove")),
      ),
    ),
    body,
  );
  const more = button("Show all rows", "Show all rows", () => {
    all = true;
    app.refresh();
  });
  const history = h("div", { class: "rb-history", role: "group", tabindex: 0, "aria-label": "Every vector so far" });
  const el = h(
    "div",
    {},
    entry(app),
    h("div", { class: "rb-scroll", role: "group", tabindex: 0, "aria-label": "All examples" }, table),
    more,
    history,
  );

  const update = (/** @type {View} */ view) => {
    const { X, y, state, margins, run, alpha, row } = view;
    const formula = run.dual ? "*f*(*x*)" : state.bias ? "*w*·*x* + *b*" : "*w*·*x*";
    [first, second].forEach((head, j) => {
      const name = state.columns[j];
      fill(head, name ? [brief(name)] : prose(["*x*₁", "*x*₂"][j]));
      assign(head, { title: name || null });
    });
    fill(score, prose(formula));
    fill(margin, prose(run.dual ? "*y f*(*x*)" : `*y*(${formula})`));
    answer.hidden = state.memory === "last";
    say(answer, { last: "", average: "Average says", vote: "Vote says", pocket: "Pocket says" }[state.memory]);
    score.hidden = !answer.hidden; // y times it is in the next column, and the two together are too wide
    const shown = all ? X.length : Math.min(X.length, AT_ONCE);
    more.hidden = shown >= X.length;
    while (body.rows.length > shown) body.deleteRow(-1);
    while (body.rows.length < shown) body.append(makeRow(app, body.rows.length));
    for (let i = 0; i < shown; i++) {
      const cells = body.rows[i].cells,
        m = margins[i];
      assign(body.rows[i], { class: row === i ? "rb-current" : null, "aria-current": row === i ? "step" : null });
      [0, 1].forEach((j) => {
        const input = /** @type {HTMLInputElement} */ (cells[j + 1].firstChild),
          root = /** @type {Document} */ (input.getRootNode());
        if (root.activeElement !== input) showNumber(input, X[i][j]);
      });
      const side = /** @type {HTMLButtonElement} */ (cells[3].firstChild);
      say(side, named(y[i], state.classes));
      assign(side, {
        class: y[i] > 0 ? "rb-label rb-plus" : "rb-label rb-minus",
        "aria-label": `Example ${i + 1}: label ${label(y[i])}; change it`,
      });
      cells[4].hidden = score.hidden;
      say(cells[4], fmt(y[i] * m));
      say(cells[5], fmt(m));
      say(cells[6], m > 0 ? (m <= state.margin ? "too near" : "right") : m === 0 ? "on the line" : "wrong");
      cells[6].className = m > 0 ? (m <= state.margin ? "rb-near" : "rb-right") : "rb-wrong";
      cells[7].hidden = answer.hidden;
      const says = view.answer.score(X[i][0], X[i][1]) >= 0 ? 1 : -1;
      say(cells[7], state.memory === "last" ? "" : `${label(says)}${says === y[i] ? "" : " ✗"}`);
      say(cells[8], fmt(alpha[i]));
    }
    fill(history, everyVector(view));
  };
  return { el, update };
}

/** A coordinate, in a field as wide as it needs. @param {HTMLInputElement} input @param {number} value */
function showNumber(input, value) {
  input.value = plain(value).replaceAll("-", "−");
  input.style.width = `calc(${Math.max(3, input.value.length)}ch + 16px)`;
}

/** @param {App} app @param {number} i */
function makeRow(app, i) {
  const cell = (/** @type {0 | 1} */ j) => {
    const input = h("input", {
      type: "text",
      inputmode: "decimal",
      class: "rb-cell",
      "aria-label": `Example ${i + 1}, x${j + 1}`,
      autocomplete: "off",
    });
    input.addEventListener("change", () => {
      const value = readNumber(input.value),
        [a, b] = app.store.get().points[i];
      if (Number.isNaN(value))
        app.notify(`“${input.value.slice(0, 20)}” is not a number; example ${i + 1} is unchanged.`);
      else movePoint(app, i, j === 0 ? [value, b] : [a, value]);
      showNumber(input, app.store.get().points[i][j]);
    });
    return h("td", {}, input);
  };
  const flip = h("button", {
    type: "button",
    onclick: () => labelPoint(app, i, app.store.get().points[i][2] > 0 ? -1 : 1),
  });
  const remove = button("×", `Remove example ${i + 1}`, () => removePoint(app, i), { class: "rb-bare" });
  const number = h(
    "button",
    {
      type: "button",
      class: "rb-bare",
      "aria-label": `Example ${i + 1}: select or show it`,
      onclick: () => choose(app, i),
    },
    String(i + 1),
  );
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, number),
    cell(0),
    cell(1),
    h("td", {}, flip),
    h("td"),
    h("td"),
    h("td"),
    h("td"),
    h("td"),
    h("td", {}, remove),
  );
}

/** @param {App} app @param {number} i */
function choose(app, i) {
  if (app.store.get().order === "manual") return app.pick(i);
  app.ui.selected = app.ui.selected === i ? null : i;
  app.refresh();
}

/** y(w·x) of every example at every vector so far: the lecture's tables in one. @param {View} view @returns {Node[]} */
function everyVector({ run, k, y, state, t }) {
  if (run.dual || !y.length || y.length > WIDEST) return [];
  const first = Math.max(0, k + 1 - LINES);
  const rows = Array.from({ length: k - first + 1 }, (_, j) => first + j);
  const survived = run.survival(t);
  const lines = rows.map((at) => {
    const w = run.vector(at),
      moved = at < k ? run.journal[at].row : -1;
    return h(
      "tr",
      at === k ? { class: "rb-current" } : {},
      h("th", { scope: "row" }, String(at)),
      h("td", {}, tuple(w.slice(0, 2))),
      state.bias && h("td", {}, fmt(w[2])),
      ...run
        .margins(at)
        .map((m, i) => h("td", { class: i === moved ? "rb-cause" : m <= 0 ? "rb-wrong" : null }, fmt(m))),
      h("td", {}, String(survived[at])),
    );
  });
  const formula = state.bias ? "*y*(*w*·*x* + *b*)" : "*y*(*w*·*x*)";
  return [
    h(
      "table",
      { class: "rb-table rb-vectors" },
      h(
        "caption",
        {},
        ...prose(
          `${formula} at ${first > 0 ? `the last ${LINES} vectors` : "every vector so far"}; boxed: the example that moved it`,
        ),
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          column("*k*"),
          column("*w~k~*"),
          state.bias && column("*b~k~*"),
          ...y.map((_, i) => column(String(i + 1))),
          column("survived", "Steps it stayed in force"),
        ),
      ),
      h("tbody", {}, ...lines),
    ),
  ];
}

/** Paste rows, or open a file of them. @param {App} app */
function entry(app) {
  const text = h("textarea", {
    rows: 5,
    id: app.id("paste"),
    spellcheck: "false",
    placeholder: "x1, x2, y\n-2, 0, -1\n2, 2, +1",
  });
  const file = h("input", {
    type: "file",
    accept: ".csv,.tsv,.txt,text/csv,text/plain",
    id: app.id("file"),
    class: "rb-file",
  });
  const take = (/** @type {boolean} */ add) => takeRows(app, text.value, add);
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    if (chosen.size > 2e6) app.notify("This file is larger than 2 MB; the lab takes at most 500 rows.");
    else takeRows(app, await chosen.text(), false, chosen.name);
    file.value = "";
  });
  return h(
    "details",
    { class: "rb-entry" },
    h("summary", {}, "Type, paste or open rows"),
    h("label", { for: text.id }, "One example a line: x1, x2, label"),
    text,
    h(
      "div",
      { class: "rb-row" },
      button("Replace", "Replace all examples by these rows", () => take(false)),
      button("Add", "Add these rows", () => take(true)),
      h("label", { class: "rb-button", for: file.id }, "Open a CSV file…", file),
      button("Clear", "Remove all examples", () => app.set({ points: [], picks: [], step: 0 })),
    ),
  );
}

/** @param {App} app @param {string} text @param {boolean} add @param {string} [title] */
export function takeRows(app, text, add, title = "") {
  const { points, problem, classes, names, columns } = parseRows(text);
  const all = add ? [...app.store.get().points, ...points] : points;
  const wrong = problem || problemWith(all);
  if (wrong) return app.notify(wrong);
  app.set({ points: all, step: 0, picks: [], title, ...(add ? {} : { classes: names, columns }) });
  app.notify(
    `${points.length} examples${classes.length === 2 ? `; “${classes[1]}” is ${points.some((p) => p[2] > 0) ? "" : "not "}+1`.replace("not +1", "−1") : ""}.`,
  );
}
