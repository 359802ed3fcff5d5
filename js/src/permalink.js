// A state as the part of an address after '#', readable and short, and back; nothing from an address is trusted.
import { DEFAULT, PLAIN, SETTING_KEYS, cleanSettings, cleanState } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Settings} Settings */

const LONGEST = 40000; // characters; 500 points with long decimals fit

/** @param {unknown} value @returns {string} */
function word(value) {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (Array.isArray(value)) return value.map(word).join(",");
  return encodeURIComponent(String(value));
}

/** @param {State} state @returns {string} without the '#' */
export function toHash(state) {
  const parts = [`d=${state.points.map(([a, b, y]) => `${a},${b},${y > 0 ? "p" : "n"}`).join(";")}`];
  const keys = /** @type {(keyof State)[]} */ ([
    ...SETTING_KEYS,
    "title",
    "picks",
    "step",
    "tab",
    "layers",
    "hide",
    "snap",
    "lesson",
    "page",
  ]);
  for (const key of keys) {
    if (JSON.stringify(state[key]) !== JSON.stringify(DEFAULT[key])) parts.push(`${key}=${word(state[key])}`);
  }
  for (const pin of state.pinned)
    parts.push(
      `vs=${differences(pin)
        .map(([k, v]) => `${k}:${word(v)}`)
        .join("+")}`,
    );
  return parts.join("&");
}

/** How settings differ from others, the plain ones by default. @param {Settings} s @param {Settings} [from] @returns {[string, unknown][]} */
export function differences(s, from = PLAIN) {
  return SETTING_KEYS.filter((k) => JSON.stringify(s[k]) !== JSON.stringify(from[k])).map((k) => [k, s[k]]);
}

/** Read an address, or null where it holds no data. @param {string} hash @returns {State | null} */
export function fromHash(hash) {
  const text = hash.replace(/^#/, "");
  if (!text || text.length > LONGEST || !/(^|&)d=/.test(text)) return null;
  const raw = /** @type {Record<string, any>} */ (Object.create(null));
  const pinned = [];
  for (const part of text.split("&")) {
    const at = part.indexOf("=");
    if (at < 0) continue;
    const key = part.slice(0, at),
      value = part.slice(at + 1);
    if (key === "vs")
      pinned.push(cleanSettings(Object.fromEntries(value.split("+").map((pair) => setting(pair, ":")))));
    else raw[key] = value;
  }
  const points = String(raw.d)
    .split(";")
    .filter(Boolean)
    .map((p) => {
      const [a, b, y] = p.split(",");
      return [a?.trim() ? Number(a) : NaN, b?.trim() ? Number(b) : NaN, y === "p" ? 1 : y === "n" ? -1 : NaN];
    });
  const fields = Object.entries(raw).map(([key, value]) => setting(`${key}=${value}`, "="));
  return cleanState({ ...Object.fromEntries(fields), points, pinned });
}

const LISTS = ["start", "picks", "layers", "hide"];

/** @param {string} pair @param {string} mark @returns {[string, unknown]} */
function setting(pair, mark) {
  const at = pair.indexOf(mark),
    key = pair.slice(0, at),
    value = decode(pair.slice(at + 1));
  if (key === "bias") return [key, value !== "0"];
  if (LISTS.includes(key)) return [key, value === "" ? [] : value.split(",")];
  return [key === "__proto__" ? "" : key, value];
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
