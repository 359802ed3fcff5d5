// A state as the part of an address after '#', readable and short, and back; nothing from an address is trusted.
import { stageOf } from "./lessons.js";
import { DEFAULT, PLAIN, cleanSettings, cleanState, problemWith, readPoints } from "./state.js";

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
  const { points, pinned, ...rest } = DEFAULT;
  for (const [key, value] of differences(state, rest)) parts.push(`${key}=${word(value)}`);
  for (const pin of state.pinned) {
    const pairs = differences(pin).map(([key, value]) => `${key}:${word(value)}`);
    parts.push(`vs=${pairs.join("+")}`);
  }
  return parts.join("&");
}

/** How settings differ from others, the plain ones by default. @param {Settings} s @param {Record<string, any>} [from] @returns {[string, unknown][]} */
export function differences(s, from = PLAIN) {
  const own = /** @type {Record<string, unknown>} */ ({ ...s });
  return Object.keys(from)
    .filter((key) => JSON.stringify(own[key]) !== JSON.stringify(from[key]))
    .map((key) => [key, own[key]]);
}

/** Read an address. Its words apply to the defaults where it holds data, to `otherwise` (or the lesson it names) where not.
 * @param {string} hash @param {State} otherwise @returns {{state: State, problem: string}} problem: why it was not taken */
export function fromHash(hash, otherwise) {
  const text = hash.replace(/^#/, "");
  const refused = (/** @type {string} */ why) => ({ state: otherwise, problem: `The link was not taken. ${why}` });
  if (text.length > LONGEST) return refused(`It is longer than ${LONGEST} characters.`);
  const raw = /** @type {Record<string, any>} */ (Object.create(null));
  const pinned = [];
  for (const part of text.split("&")) {
    if (!part.includes("=")) continue;
    const [key, value] = setting(part, "=");
    if (key === "vs") {
      const pairs = String(value).split("+");
      pinned.push(cleanSettings(Object.fromEntries(pairs.map((pair) => setting(pair, ":")))));
    } else raw[key] = value;
  }
  if (pinned.length) raw.pinned = pinned;
  if (raw.d === undefined)
    return { state: cleanState({ ...otherwise, ...stageOf(raw.lesson, raw.page), ...raw }), problem: "" };
  const points = readPoints(String(raw.d));
  const problem = problemWith(points);
  return problem ? refused(problem) : { state: cleanState({ ...raw, points }), problem };
}

const LISTS = ["start", "picks", "layers", "hide", "classes", "columns"];

/** @param {string} pair @param {string} mark @returns {[string, unknown]} */
function setting(pair, mark) {
  const at = pair.indexOf(mark),
    key = pair.slice(0, at),
    value = pair.slice(at + 1);
  if (key === "bias") return [key, value !== "0"];
  if (LISTS.includes(key)) return [key, value === "" ? [] : value.split(",").map(decode)];
  return [key === "__proto__" ? "" : key, decode(value)];
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
