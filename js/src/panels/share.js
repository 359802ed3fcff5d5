// Sharing: the address of this very state, the run as text, the figure and the lab as files.
import { asCommand, asLatex, asMarkdown, asPython, asTrace } from "../copy.js";
import { toCsv } from "../csv.js";
import { button, check, field, h, say, select, show } from "../dom.js";
import { download, figurePng, figureSvg, standalone } from "../export.js";
import { toHash } from "../permalink.js";
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

/** @param {App} app */
export function share(app) {
  const link = h("input.rb-link", { type: "text", readonly: true });
  const form = select(
    Object.entries(FORMS).map(([key, [name]]) => [key, name]),
    () => app.refresh(),
  );
  const text = h("textarea.rb-code", {
    readonly: true,
    rows: 9,
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
  const boxes = Object.entries(TEXT.parts)
    .filter(([name]) => name !== "share")
    .map(([name, text]) => ({ name, ...check(text, app.id(`hide-${name}`), () => show(link, address())) }));
  const address = () => {
    const hide = boxes.filter(({ box }) => box.checked).map(({ name }) => name);
    return `${app.model.get("address") ?? ""}#${toHash({ ...app.state, hide })}`;
  };
  const page = button("HTML page", "The lab with this state, as one file", () =>
    standalone(app).then(
      (text) => download(text, "perceptron-lab.html", "text/html"),
      () => app.notify('This page cannot read its own source; in Python use save("lab.html").'),
    ),
  );
  const files = h(
    "div.rb-row",
    button("SVG", "The figure as SVG", () => download(figureSvg(app), "perceptron.svg", "image/svg+xml")),
    button("PNG", "The figure as PNG", () =>
      figurePng(app).then(
        (png) => download(png, "perceptron.png"),
        (problem) => app.notify(`No PNG: ${problem.message}.`),
      ),
    ),
    button("CSV", "The examples as CSV", () => download(toCsv(app.state.points), "examples.csv", "text/csv")),
    page,
  );
  const el = h(
    "div.rb-share",
    h("h3", "A link to this state"),
    h(
      "div.rb-row",
      field("Address", link, app.id("link")),
      button("Copy", "Copy the link", () => copy(link, "The link")),
    ),
    h(
      "details",
      h("summary", "Hide parts of it from the reader"),
      h(
        "div.rb-checks",
        boxes.map((b) => b.row),
      ),
    ),
    h("h3", "The run as text"),
    h(
      "div.rb-row",
      field("Form", form, app.id("form")),
      button("Copy", "Copy the text", () => copy(text, "The text")),
    ),
    text,
    h("h3", "Files"),
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
