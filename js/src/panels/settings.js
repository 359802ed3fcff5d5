// The settings: which machine, in which order, by which rule, from where.
import { assign, button, field, h, numberInput, prose, select, show } from "../dom.js";
import { plain } from "../format.js";
import { Generator } from "../generator.js";
import { kernelFormula } from "../kernels.js";
import { kernelOf } from "../derive.js";
import { RANGES, VARIANTS, variantOf } from "../state.js";
import { TEXT } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

/** @param {App} app */
export function settings(app) {
  const set = (/** @type {any} */ patch) => app.set({ ...patch, step: 0 });
  /** A number that is taken as it is typed, or not at all. */
  const typed = (
    /** @type {keyof typeof RANGES} */ key,
    /** @type {string} */ name,
    /** @type {(value: number) => void} */ take = (value) => set({ [key]: value }),
  ) =>
    numberInput(
      (value, text) => {
        const [low, high] = RANGES[key],
          whole = key === "seed" || key === "degree";
        if (value >= low && value <= high && !(whole && !Number.isInteger(value))) return take(value);
        const kind = whole ? "whole number" : "number";
        app.notify(`${name} “${text.slice(0, 20)}” is not a ${kind} from ${low} to ${high}; it stays as it was.`);
      },
      { class: "rb-short" },
    );
  const pairs = (/** @type {Record<string, string>} */ table) => Object.entries(table);

  const variant = select(pairs(TEXT.variants), (v) => set(VARIANTS[/** @type {keyof VARIANTS} */ (v)]));
  const order = select(pairs(TEXT.orders), (v) => {
    app.ui.tool = v === "manual" ? "show" : app.ui.tool === "show" ? "plus" : app.ui.tool;
    set({ order: v, picks: [] });
  });
  const seed = typed("seed", "Seed");
  const again = button("↻", "Draw another seed", () => set({ seed: app.store.get().seed + 1 }), { class: "rb-icon" });
  const rate = typed("rate", "Rate"),
    margin = typed("margin", "Margin");
  const ties = select(pairs(TEXT.ties), (v) => set({ ties: v }));
  const bias = h("input", { type: "checkbox", onchange: () => set({ bias: bias.checked }) });
  const startAt = (/** @type {number} */ j) =>
    typed("start", "Start", (v) => set({ start: app.store.get().start.map((s, i) => (i === j ? v : s)) }));
  const starts = [0, 1, 2].map(startAt);
  const kernel = select(pairs(TEXT.kernels), (v) => set({ kernel: v }));
  const memory = select(
    pairs({ last: TEXT.memories.last, average: TEXT.memories.average, vote: TEXT.memories.vote }),
    (v) => set({ memory: v }),
  );
  const degree = typed("degree", "Degree"),
    gamma = typed("gamma", "γ");
  const formula = h("p", { class: "rb-formula" });

  const seedField = h("div", { class: "rb-pair" }, field("Seed", seed, app.id("seed"), TEXT.hints.seed), again);
  const kernelFields = [
    field("Kernel", kernel, app.id("kernel")),
    field("Answers by", memory, app.id("memory")),
    field("Degree", degree, app.id("degree")),
    field("γ~K~", gamma, app.id("gamma"), TEXT.hints.gamma),
    formula,
  ];
  const startGroup = h(
    "fieldset",
    { class: "rb-start", title: TEXT.hints.start },
    h("legend", {}, ...prose("Start *w*₀")),
    ...starts.map((input, j) => {
      assign(input, {
        "aria-label": ["Start, first weight", "Start, second weight", "Start, bias"][j],
        id: app.id(`start${j}`),
      });
      return input;
    }),
    button("Zero", "Start from zero", () => set({ start: [0, 0, 0] })),
    button("Random", "A random start", () => set({ start: randomStart(app) })),
  );
  const orderField = field("Order", order, app.id("order")),
    tiesField = field("Ties", ties, app.id("ties"), TEXT.hints.ties);
  const rateField = field("Rate *r*", rate, app.id("rate"), TEXT.hints.rate),
    marginField = field("Margin", margin, app.id("margin"), TEXT.hints.margin);
  bias.id = app.id("bias");
  const biasField = h(
    "div",
    { class: "rb-check", title: TEXT.hints.bias },
    bias,
    h("label", { for: bias.id }, ...prose("Offset *b*")),
  );
  const el = h(
    "section",
    { class: "rb-settings", "aria-label": "Settings" },
    field("Perceptron", variant, app.id("variant")),
    ...kernelFields,
    orderField,
    seedField,
    rateField,
    marginField,
    tiesField,
    startGroup,
    biasField,
  );

  const update = (/** @type {View} */ { state }) => {
    el.hidden = state.hide.includes("settings");
    const dual = state.kernel !== "none";
    show(variant, variantOf(state));
    show(order, state.order);
    show(ties, state.ties);
    show(kernel, dual ? state.kernel : "rbf");
    show(memory, state.memory);
    for (const [node, value] of /** @type {[HTMLInputElement, number][]} */ ([
      [seed, state.seed],
      [rate, state.rate],
      [margin, state.margin],
      [degree, state.degree],
      [gamma, state.gamma],
      ...starts.map((s, j) => [s, state.start[j]]),
    ]))
      show(node, plain(value));
    bias.checked = state.bias;
    kernelFields.forEach((f) => (f.hidden = !dual));
    kernelFields[2].hidden = state.kernel !== "poly";
    kernelFields[3].hidden = !["poly", "rbf"].includes(state.kernel);
    const chosen = kernelOf(state);
    formula.textContent = chosen ? kernelFormula(chosen) : "";
    seedField.hidden = !["shuffle", "shuffle_once", "random"].includes(state.order);
    startGroup.hidden = dual;
    starts[2].hidden = !state.bias;
    tiesField.hidden = state.margin > 0;
  };
  return { el, update };
}

/** @param {App} app */
function randomStart(app) {
  const { start, seed, bias } = app.store.get();
  const g = new Generator(seed + Math.round(1000 * Math.abs(start[0] + 7 * start[1] + 13 * start[2])) + 1);
  const draw = () => Math.round(10 * g.normal() * 1.5) / 10 + 0;
  return [draw(), draw(), bias ? draw() : 0];
}
