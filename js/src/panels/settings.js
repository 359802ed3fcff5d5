// The settings: which machine, in which order, by which rule, from where.
import { assign, button, check, field, h, numberInput, prose, select, show } from "../dom.js";
import { Generator } from "../generator.js";
import { kernelFormula } from "../kernels.js";
import { isLifted, kernelOf } from "../derive.js";
import { DRAWN, RANGES, VARIANTS, WHOLE, variantOf } from "../state.js";
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
          whole = WHOLE.includes(key);
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
  const again = button("↻", "Draw another seed", () => set({ seed: app.state.seed + 1 }), { class: "rb-icon" });
  const rate = typed("rate", "Rate"),
    margin = typed("margin", "Margin");
  const ties = select(pairs(TEXT.ties), (v) => set({ ties: v }));
  const bias = check("Offset *b*", app.id("bias"), (on) => set({ bias: on }));
  bias.row.title = TEXT.hints.bias;
  const starts = ["first weight", "second weight", "bias"].map((name, j) => {
    const input = typed("start", "Start", (v) => set({ start: app.state.start.map((s, i) => (i === j ? v : s)) }));
    assign(input, { "aria-label": `Start, ${name}`, id: app.id(`start${j}`) });
    return input;
  });
  const kernel = select(pairs(TEXT.kernels), (v) => set({ kernel: v }));
  const { pocket, ...ofKernels } = TEXT.memories;
  const memory = select(pairs(ofKernels), (v) => set({ memory: v }));
  const degree = typed("degree", "Degree"),
    gamma = typed("gamma", "γ");
  const formula = h("p.rb-formula");

  const seedField = h("div.rb-pair", field("Seed", seed, app.id("seed"), TEXT.hints.seed), again);
  const kernelFields = [
    field("Kernel", kernel, app.id("kernel")),
    field("Answers by", memory, app.id("memory")),
    field("Degree", degree, app.id("degree")),
    field("γ~K~", gamma, app.id("gamma"), TEXT.hints.gamma),
    formula,
  ];
  const startGroup = h(
    "fieldset.rb-start",
    { title: TEXT.hints.start },
    h("legend", prose("Start *w*₀")),
    starts,
    button("Zero", "Start from zero", () => set({ start: [0, 0, 0] })),
    button("Random", "A random start", () => set({ start: randomStart(app) })),
  );
  const orderField = field("Order", order, app.id("order")),
    tiesField = field("Ties", ties, app.id("ties"), TEXT.hints.ties);
  const rateField = field("Rate *r*", rate, app.id("rate"), TEXT.hints.rate),
    marginField = field("Margin", margin, app.id("margin"), TEXT.hints.margin);
  const el = h(
    "section.rb-settings",
    { "aria-label": "Settings" },
    field("Perceptron", variant, app.id("variant")),
    ...kernelFields,
    orderField,
    seedField,
    rateField,
    marginField,
    tiesField,
    startGroup,
    bias.row,
  );

  const update = (/** @type {View} */ { state }) => {
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
      show(node, String(value));
    bias.box.checked = state.bias;
    kernelFields.forEach((f) => (f.hidden = !dual));
    kernelFields[2].hidden = state.kernel !== "poly";
    kernelFields[3].hidden = !isLifted(state);
    const chosen = kernelOf(state);
    formula.textContent = chosen ? kernelFormula(chosen) : "";
    seedField.hidden = !DRAWN.includes(state.order);
    startGroup.hidden = dual;
    starts[2].hidden = !state.bias;
    tiesField.hidden = state.margin > 0;
  };
  return { part: "settings", el, update };
}

/** @param {App} app */
function randomStart(app) {
  const { start, seed, bias } = app.state;
  const g = new Generator(seed + Math.round(1000 * Math.abs(start[0] + 7 * start[1] + 13 * start[2])) + 1);
  const draw = () => Math.round(10 * g.normal() * 1.5) / 10 + 0;
  return [draw(), draw(), bias ? draw() : 0];
}
