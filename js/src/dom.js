// Making elements without a framework: no innerHTML and no style strings, so that the strictest page policy holds.

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

/** @template {string} K @typedef {K extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[K] : HTMLElement} Named */
/** @template {string} K @typedef {K extends `${infer T}.${string}` ? Named<T> : Named<K>} Made */

/** An HTML element: its tag with any classes ("p.rb-note"), its attributes if it has some, and what it holds.
 * @template {string} K @param {K} tag @param {...(Attributes | Child | Child[])} rest @returns {Made<K>} */
export const h = (tag, ...rest) => /** @type {any} */ (make(tag, rest));

/** An SVG element, likewise. @param {string} tag @param {...(Attributes | Child | Child[])} rest @returns {SVGElement} */
export const s = (tag, ...rest) => /** @type {any} */ (make(tag, rest, SVG));

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} tag @param {any[]} rest @param {string} [space] */
function make(tag, rest, space) {
  const [name, ...classes] = tag.split("."),
    node = space ? document.createElementNS(space, name) : document.createElement(name);
  if (classes.length) node.setAttribute("class", classes.join(" "));
  if (rest[0]?.constructor === Object) assign(node, rest.shift());
  fill(node, rest);
  return node;
}

/** Words in a drawing. @param {string} name @param {number | string} x @param {number | string} y @param {string} anchor
 * @param {Child} words */
export const svgText = (name, x, y, anchor, words) => s(`text.${name}`, { x, y, "text-anchor": anchor }, words);

/** Replace what a node holds. @param {Element} node @param {(Child | Child[])[]} children */
export function fill(node, children) {
  const kept = children
    .flat()
    .filter((c) => c !== null && c !== false && c !== undefined)
    .map((c) => (c instanceof Node ? c : String(c)));
  node.replaceChildren(.../** @type {(Node | string)[]} */ (kept));
}

/** Text with *italic* letters, as formulas are set; ~k~ is lowered. @param {string} text @returns {Node[]} */
export function prose(text) {
  return text
    .split(/(\*[^*]+\*|~[^~]+~)/)
    .filter(Boolean)
    .map((part) => {
      if (part.startsWith("*")) return h("i", prose(part.slice(1, -1)));
      if (part.startsWith("~")) return h("sub", part.slice(1, -1));
      return document.createTextNode(part);
    });
}

/** The heading of a column. @param {string} text @param {string} [title] */
export const column = (text, title) => h("th", { scope: "col", title }, prose(text));

/** A line of a bar chart: name, bar, number. @template {"li" | "button"} K @param {K} tag @param {Attributes} attributes
 * @param {[string, string]} name  seen, and also said @param {number} share @param {[string, string]} value @param {string} [colour] */
export function barRow(tag, attributes, name, share, value, colour = "") {
  const bar = h("span", { class: `rb-bar ${colour}` });
  bar.style.width = `${100 * share}%`;
  const cell = (/** @type {string} */ style, /** @type {[string, string]} */ [seen, said]) =>
    h("span", { class: style }, seen, said && h("span.rb-hidden", said));
  const track = h("span.rb-bar-track", bar);
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

/** A box to tick. @param {string} text @param {string} id @param {(on: boolean) => void} change */
export function check(text, id, change) {
  const box = h("input", { type: "checkbox", id, onchange: () => change(box.checked) });
  return { box, row: h("div.rb-check", box, h("label", { for: id }, prose(text))) };
}

/** The colour of a side. @param {number} y */
export const sideClass = (y) => (y > 0 ? "rb-plus" : "rb-minus");

/** A table; what stands above a column is text, or a cell already. @param {string} tag @param {string} caption
 * @param {Child[]} heads @param {Child} body */
export function table(tag, caption, heads, body) {
  const cells = heads.map((head) => (typeof head === "string" ? column(head) : head));
  return h(tag, h("caption", prose(caption)), h("thead", h("tr", cells)), body);
}

/** A line of a table. @param {Child | Child[]} head @param {...Child} rest  text, or cells already */
export function tableRow(head, ...rest) {
  const cells = rest.map((cell) => (cell instanceof HTMLElement || cell === false ? cell : h("td", cell)));
  return h("tr", h("th", { scope: "row" }, head), cells);
}

/** What may be wider than its place, and is then scrolled, also by keys. @param {string} name @param {...Child} inside */
export const scroller = (name, ...inside) =>
  h("div.rb-scroll", { role: "group", tabindex: 0, "aria-label": name }, inside);

/** A labelled control. @param {string} text @param {HTMLElement} control @param {string} id @param {string} [hint] */
export function field(text, control, id, hint = "") {
  control.id = id;
  if (hint) control.title = hint;
  return h("div.rb-field", h("label", { for: id }, prose(text)), control);
}

/** @param {[string, string][]} options @param {(value: string) => void} choose @param {() => void} [leave]  where the focus goes */
export function select(options, choose, leave = () => undefined) {
  const node = h(
    "select",
    options.map(([value, text]) => h("option", { value }, text)),
  );
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
function readNumber(text) {
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
