// Files to take away: the figure as SVG and PNG, the lab itself as one HTML page that opens anywhere.
import { s } from "./dom.js";
import { toHash } from "./permalink.js";

/** @typedef {import("./app.js").App} App */

const STYLES =
  "fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-opacity opacity font-family font-size font-style font-weight visibility paint-order stroke-linejoin".split(
    " ",
  );

/** The figure with its style written into every element, so that it stands alone. @param {App} app @returns {string} */
export function figureSvg(app) {
  const source = /** @type {SVGElement} */ (app.el.querySelector(".rb-figure"));
  const copy = /** @type {SVGElement} */ (source.cloneNode(true));
  const from = [...source.querySelectorAll("*")],
    to = [...copy.querySelectorAll("*")];
  from.forEach((node, i) => {
    const style = getComputedStyle(node);
    if (style.display === "none" || node.classList.contains("rb-none")) to[i].setAttribute("visibility", "hidden");
    for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
    to[i].removeAttribute("class");
  });
  for (const name of ["tabindex", "role", "aria-roledescription", "aria-describedby", "class", "data-tool"])
    copy.removeAttribute(name);
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "0 0 640 560").split(" ");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const canvas = /** @type {HTMLCanvasElement} */ (app.el.querySelector(".rb-regions"));
  if (!canvas.hidden)
    copy.prepend(s("image", { href: canvas.toDataURL(), width, height, preserveAspectRatio: "none" }));
  copy.prepend(
    s("rect", { width, height, fill: getComputedStyle(app.el).getPropertyValue("--rb-paper").trim() || "#fff" }),
  );
  return new XMLSerializer().serializeToString(copy);
}

/** The figure as a PNG, two pixels for one. @param {App} app @returns {Promise<Blob>} */
export function figurePng(app) {
  const url = URL.createObjectURL(new Blob([figureSvg(app)], { type: "image/svg+xml" }));
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
      canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
      URL.revokeObjectURL(url);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the figure could not be drawn"))), "image/png");
    };
    image.onerror = () => reject(new Error("the figure could not be read"));
    image.src = url;
  });
}

/** @param {string} text */
const base64 = async (text) => {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
};

/** The page of lab/page.py, made here: script and style inline, allowed by their hashes alone.
 * @param {App} app @returns {Promise<string>} */
export async function standalone(app) {
  const { script, style } = await app.model.get("source")();
  const policy = `default-src 'none'; script-src 'sha256-${await base64(script)}'; style-src 'sha256-${await base64(style)}'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
  const state = JSON.stringify({ hash: toHash(app.state) }).replace(/</g, "\\u003c");
  return `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="${policy}">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Perceptron Lab</title>\n<link rel="icon" href="data:,">\n<style>${style}</style>\n</head>\n<body>\n<main id="rb-page"></main>\n<script type="application/json" id="rb-values">${state}</script>\n<script type="module">${script}</script>\n</body>\n</html>\n`;
}

/** Offer a file. @param {Blob | string} content @param {string} name @param {string} [type] */
export function download(content, name, type = "text/plain") {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = document.createElement("a");
  [link.href, link.download] = [url, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
