// Making elements without a framework: no innerHTML and no style strings, so that the strictest page policy holds.

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | false | undefined} Child */
/** @typedef {Record<string, any>} Attributes  "on…" functions are listeners, the rest attributes */

/** @param {Element} node @param {Attributes} attributes */
export function assign(node, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else if (value === false || value === null || value === undefined) node.removeAttribute(key);
    else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value === true ? "" : String(value));
  }
}

/** An HTML element. @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Attributes} [attributes]
 * @param {...Child} children @returns {HTMLElementTagNameMap[K]} */
export function h(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  assign(node, attributes);
  fill(node, children);
  return node;
}

/** An SVG element. @param {string} tag @param {Attributes} [attributes] @param {...Child} children @returns {SVGElement} */
export function s(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  assign(node, attributes);
  fill(node, children);
  return node;
}

/** Replace what a node holds. @param {Element} node @param {Child[]} children */
export function fill(node, children) {
  const kept = children
    .filter((c) => c !== null && c !== false && c !== undefined)
    .map((c) => (c instanceof Node ? c : String(c)));
  node.replaceChildren(.../** @type {(Node | string)[]} */ (kept));
}

/** Text with *italic* letters, as formulas are set; ^2^ is raised and ~k~ lowered. @param {string} text @returns {Node[]} */
export function prose(text) {
  return text
    .split(/(\*[^*]+\*|\^[^^]+\^|~[^~]+~)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("*")) return h("i", {}, ...prose(part.slice(1, -1)));
      if (part.startsWith("^")) return h("sup", {}, part.slice(1, -1));
      if (part.startsWith("~")) return h("sub", {}, part.slice(1, -1));
      return document.createTextNode(part);
    });
}

/** The heading of a column. @param {string} text @param {string} [title] */
export const column = (text, title) => h("th", { scope: "col", title }, ...prose(text));

/** A line of a bar chart: name, bar, number. @template {"li" | "button"} K @param {K} tag @param {Attributes} attributes
 * @param {[string, string]} name  seen, and also said @param {number} share @param {[string, string]} value @param {string} [colour] */
export function barRow(tag, attributes, name, share, value, colour = "") {
  const bar = h("span", { class: `rb-bar ${colour}` });
  bar.style.width = `${100 * share}%`;
  const cell = (/** @type {string} */ style, /** @type {[string, string]} */ [seen, said]) =>
    h("span", { class: style }, seen, said && h("span", { class: "rb-hidden" }, said));
  const track = h("span", { class: "rb-bar-track" }, bar);
  return h(tag, { class: "rb-bar-row", ...attributes }, cell("rb-bar-name", name), track, cell("rb-bar-count", value));
}

/** Text set only if it changed, so that screen readers are not told twice. @param {Element} node @param {string} text */
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** A button. What is read aloud holds what is seen, so that it can be spoken to. @param {string} text @param {string} name what it does
 * @param {(event: Event) => void} press @param {Attributes} [more] */
export function button(text, name, press, more = {}) {
  const spoken = /^\W*$/.test(text) || name.toLowerCase().includes(text.toLowerCase());
  return h(
    "button",
    { type: "button", title: name, "aria-label": spoken && name !== text ? name : null, onclick: press, ...more },
    text,
  );
}

/** A labelled control. @param {string} text @param {HTMLElement} control @param {string} id @param {string} [hint] */
export function field(text, control, id, hint = "") {
  control.id = id;
  if (hint) control.title = hint;
  return h("div", { class: "rb-field" }, h("label", { for: id }, ...prose(text)), control);
}

/** @param {[string, string][]} options @param {(value: string) => void} choose @param {() => void} [leave]  where the focus goes */
export function select(options, choose, leave = () => undefined) {
  const node = h("select", {}, ...options.map(([value, text]) => h("option", { value }, text)));
  let walking = false; // keys walk through a closed menu, choosing at every step, and must find it again
  node.addEventListener("keydown", ({ key }) => (walking = !["Enter", " "].includes(key)));
  node.addEventListener("pointerdown", () => (walking = false));
  node.addEventListener("change", () => {
    choose(node.value);
    if (!walking) leave();
  });
  return node;
}

/** A number as people type it, NaN where it is none. @param {string} text */
export function readNumber(text) {
  const value = Number(text.replaceAll("−", "-").replace(",", "."));
  return text.trim() !== "" && Number.isFinite(value) ? value : NaN;
}

/** A number typed by hand. @param {(value: number, text: string) => void} take @param {Attributes} [more] */
export function numberInput(take, more = {}) {
  const node = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", ...more });
  node.addEventListener("change", () => take(readNumber(node.value), node.value));
  return node;
}

/** Show a value in a control. @param {HTMLInputElement | HTMLSelectElement} node @param {string} value */
export function show(node, value) {
  if (node.value !== value) node.value = value;
}
