// The table of all examples with y(w·x) at this moment, as a lecture prints it; coordinates are typed right into it.
import {
  assign,
  button,
  column,
  fill,
  h,
  numberInput,
  prose,
  say,
  scroller,
  sideClass,
  table,
  tableRow,
} from "../dom.js";
import { parseRows } from "../csv.js";
import { brief, fmt, label, named, tuple } from "../format.js";
import { changePoint, removePoint } from "../plot/touch.js";
import { problemWith } from "../state.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const AT_ONCE = 60; // rows drawn before the user asks for all
const WIDEST = 10; // examples up to which the table of every vector is drawn
const LINES = 12; // vectors in it, the last ones

/** @param {App} app */
export function examples(app) {
  let whole = false;
  const [first, second, score, margin, answer] = ["", "", "", "", ""].map((text) => column(text));
  const body = h("tbody");
  const added = column("*α*", "How much this example has been added to w"),
    last = h("th", h("span.rb-hidden", "Remove"));
  const heads = ["*i*", first, second, "*y*", score, margin, "Verdict", answer, added, last];
  const all = table("table.rb-table.rb-examples", "All examples under the vector in force", heads, body);
  const more = button("Show all rows", "Show all rows", () => {
    whole = true;
    app.refresh();
  });
  const history = h("div.rb-history", { role: "group", tabindex: 0, "aria-label": "Every vector so far" });
  const el = h("div", entry(app), scroller("All examples", all), more, history);

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
    const shown = whole ? X.length : Math.min(X.length, AT_ONCE);
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
        class: `rb-label ${sideClass(y[i])}`,
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
  input.value = String(value).replaceAll("-", "−");
  input.style.width = `calc(${Math.max(3, input.value.length)}ch + 16px)`;
}

/** @param {App} app @param {number} i */
function makeRow(app, i) {
  const cell = (/** @type {0 | 1} */ j) => {
    const take = (/** @type {number} */ value, /** @type {string} */ text) => {
      const [a, b] = app.state.points[i];
      if (Number.isNaN(value)) app.notify(`“${text.slice(0, 20)}” is not a number; example ${i + 1} is unchanged.`);
      else changePoint(app, i, { at: j === 0 ? [value, b] : [a, value] });
      showNumber(input, app.state.points[i][j]);
    };
    const input = numberInput(take, { class: "rb-cell", "aria-label": `Example ${i + 1}, x${j + 1}` });
    return h("td", input);
  };
  const flip = h("button", {
    type: "button",
    onclick: () => changePoint(app, i, { label: app.state.points[i][2] > 0 ? -1 : 1 }),
  });
  const remove = button("×", `Remove example ${i + 1}`, () => removePoint(app, i), { class: "rb-bare" });
  const choose = () => (app.state.order === "manual" ? app.pick(i) : app.select(app.ui.selected === i ? null : i));
  const number = h(
    "button.rb-bare",
    { type: "button", "aria-label": `Example ${i + 1}: select or show it`, onclick: choose },
    i + 1,
  );
  return tableRow(number, cell(0), cell(1), h("td", flip), "", "", "", "", "", h("td", remove));
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
    const cells = run
      .margins(at)
      .map((m, i) => h("td", { class: i === moved ? "rb-cause" : m <= 0 ? "rb-wrong" : null }, fmt(m)));
    const row = tableRow(at, tuple(w.slice(0, 2)), state.bias && fmt(w[2]), ...cells, survived[at]);
    assign(row, { class: at === k && "rb-current" });
    return row;
  });
  const formula = state.bias ? "*y*(*w*·*x* + *b*)" : "*y*(*w*·*x*)";
  const caption = `${formula} at ${first > 0 ? `the last ${LINES} vectors` : "every vector so far"}; boxed: the example that moved it`;
  const survival = column("survived", "Steps it stayed in force");
  const heads = ["*k*", "*w~k~*", state.bias && "*b~k~*", ...y.map((_, i) => String(i + 1)), survival];
  return [table("table.rb-table.rb-vectors", caption, heads, h("tbody", lines))];
}

/** Paste rows, or open a file of them. @param {App} app */
function entry(app) {
  const text = h("textarea", {
    rows: 5,
    id: app.id("paste"),
    spellcheck: "false",
    placeholder: "x1, x2, y\n-2, 0, -1\n2, 2, +1",
  });
  const file = h("input.rb-file", {
    type: "file",
    accept: ".csv,.tsv,.txt,text/csv,text/plain",
    id: app.id("file"),
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
    "details.rb-entry",
    h("summary", "Type, paste or open rows"),
    h("label", { for: text.id }, "One example a line: x1, x2, label"),
    text,
    h(
      "div.rb-row",
      button("Replace", "Replace all examples by these rows", () => take(false)),
      button("Add", "Add these rows", () => take(true)),
      h("label.rb-button", { for: file.id }, "Open a CSV file…", file),
      button("Clear", "Remove all examples", () => app.set({ points: [], picks: [], step: 0 })),
    ),
  );
}

/** @param {App} app @param {string} text @param {boolean} add @param {string} [title] */
export function takeRows(app, text, add, title = "") {
  const { points, problem, positive, names, columns } = parseRows(text);
  const all = add ? [...app.state.points, ...points] : points;
  const wrong = problem || problemWith(all);
  if (wrong) return app.notify(wrong);
  app.set({ points: all, step: 0, picks: [], title, ...(add ? {} : { classes: names, columns }) });
  app.notify(`${points.length} examples${positive && `; “${positive}” is +1`}.`);
}
