// Sharing: the address of this very state, the run as text, the figure and the lab as files.
import { asCommand, asLatex, asMarkdown, asPython, asTrace } from "../copy.js";
import { toCsv } from "../csv.js";
import { button, field, h, say, select, show } from "../dom.js";
import { download, figurePng, figureSvg, standalone } from "../export.js";
import { toHash } from "../permalink.js";
import { HIDEABLE } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @type {Record<string, [string, (view: View) => string]>} */
const FORMS = {
  python: ["Python", asPython],
  command: ["Command line", asCommand],
  latex: ["LaTeX table", asLatex],
  markdown: ["Markdown table", asMarkdown],
  trace: ["Trace (JSON)", asTrace],
};
const NAMES = {
  header: "Heading",
  settings: "Settings",
  tools: "Drawing tools",
  verdict: "Verdict",
  transport: "Time controls",
  words: "Arithmetic",
  ...TEXT.tabs,
};

/** @param {App} app */
export function share(app) {
  const link = h("input", { type: "text", readonly: true, class: "rb-link" });
  const form = select(
    Object.entries(FORMS).map(([key, [name]]) => [key, name]),
    () => app.refresh(),
  );
  const text = h("textarea", {
    readonly: true,
    rows: 9,
    class: "rb-code",
    "aria-label": "The run as text",
    spellcheck: "false",
  });
  const copy = async (/** @type {HTMLInputElement | HTMLTextAreaElement} */ node, /** @type {string} */ what) => {
    node.select();
    try {
      await navigator.clipboard.writeText(node.value);
      app.notify(`${what} copied.`);
    } catch {
      app.notify(`${what} is selected: press Ctrl+C to copy it.`);
    }
  };
  const boxes = HIDEABLE.filter((name) => name !== "share").map((name) => {
    const box = h("input", { type: "checkbox", id: app.id(`hide-${name}`) });
    return {
      name,
      box,
      row: h(
        "div",
        { class: "rb-check" },
        box,
        h("label", { for: box.id }, NAMES[/** @type {keyof typeof NAMES} */ (name)]),
      ),
    };
  });
  const hidden = () => boxes.filter(({ box }) => box.checked).map(({ name }) => name);
  const address = () => {
    const state = app.store.get(),
      base = app.model.get("address") ?? "";
    return `${base}#${toHash({ ...state, hide: hidden() })}`;
  };
  boxes.forEach(({ box }) => box.addEventListener("change", () => show(link, address())));
  const page = button("HTML page", "The lab with this state, as one file", async () => {
    try {
      download(await standalone(await app.model.get("source")(), app), "perceptron-lab.html", "text/html");
    } catch {
      app.notify('This page cannot read its own source; in Python use save("lab.html").');
    }
  });
  const files = h(
    "div",
    { class: "rb-row" },
    button("SVG", "The figure as SVG", () => download(figureSvg(app), "perceptron.svg", "image/svg+xml")),
    button("PNG", "The figure as PNG", async () => {
      try {
        download(await figurePng(app), "perceptron.png");
      } catch (problem) {
        app.notify(`No PNG: ${/** @type {Error} */ (problem).message}.`);
      }
    }),
    button("CSV", "The examples as CSV", () => download(toCsv(app.store.get().points), "examples.csv", "text/csv")),
    page,
  );
  const el = h(
    "div",
    { class: "rb-share" },
    h("h3", {}, "A link to this state"),
    h(
      "div",
      { class: "rb-row" },
      field("Address", link, app.id("link")),
      button("Copy", "Copy the link", () => copy(link, "The link")),
    ),
    h(
      "details",
      {},
      h("summary", {}, "Hide parts of it from the reader"),
      h("div", { class: "rb-checks" }, ...boxes.map((b) => b.row)),
    ),
    h("h3", {}, "The run as text"),
    h(
      "div",
      { class: "rb-row" },
      field("Form", form, app.id("form")),
      button("Copy", "Copy the text", () => copy(text, "The text")),
    ),
    text,
    h("h3", {}, "Files"),
    files,
  );

  const update = (/** @type {View} */ view) => {
    if (view.state.tab !== "share") return;
    show(link, address());
    say(text, FORMS[form.value][1](view));
    page.hidden = typeof app.model.get("source") !== "function";
  };
  return { el, update };
}
