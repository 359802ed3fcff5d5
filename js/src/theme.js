// Light or dark: what the host page says first, what the reader's system prefers otherwise.

const SAID = ["data-theme", "data-bs-theme", "data-color-mode", "data-vscode-theme-kind", "class"];
const JUPYTER = "data-jp-theme-light";

/** What the lab stands in, outwards, also out of shadow roots. @param {Element} el @returns {Element[]} */
function around(el) {
  const found = [];
  for (let node = /** @type {Element | null} */ (el); node;) {
    const root = node.getRootNode();
    node = node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
    if (node) found.push(node);
  }
  return found;
}

/** @param {Element} el @returns {string | undefined} */
function hostTheme(el) {
  for (const node of around(el)) {
    const jupyter = node.getAttribute(JUPYTER);
    if (jupyter) return jupyter === "true" ? "light" : "dark";
    const words = SAID.map((name) => node.getAttribute(name) ?? "").join(" ");
    const said = /(?:^|\s|vscode-)(dark|light)(?:$|\s|-theme)/.exec(words);
    if (said) return said[1];
  }
}

/** Keep data-rb-theme on the lab up to date; returns how to stop. @param {HTMLElement} el @param {() => void} changed */
export function watchTheme(el, changed) {
  const wish = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const theme = hostTheme(el) ?? (wish.matches ? "dark" : "light");
    if (el.dataset.rbTheme === theme) return;
    el.dataset.rbTheme = theme;
    changed();
  };
  const observer = new MutationObserver(apply);
  for (const node of around(el)) observer.observe(node, { attributes: true, attributeFilter: [...SAID, JUPYTER] });
  wish.addEventListener("change", apply);
  apply();
  return () => {
    observer.disconnect();
    wish.removeEventListener("change", apply);
  };
}
