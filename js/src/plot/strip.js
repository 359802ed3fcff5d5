// The mistake strip: one tick per example shown, tall and in the class's colour where it moved the weights.
import { assign, fill, h, s, sideClass } from "../dom.js";
import { fmt } from "../format.js";
import { tenth } from "./scale.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../derive.js").View} View */

const WIDTH = 640,
  HEIGHT = 46,
  MOST = 160; // ticks drawn one by one; a longer run is shown around the present

/** @param {App} app */
export function strip(app) {
  const svg = s("svg.rb-strip", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  const scrub = h("input.rb-scrub", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Step",
    id: app.id("scrub"),
  });
  const end = h("span.rb-strip-end");
  scrub.addEventListener("input", () => app.go(Number(scrub.value)));
  let from = 0,
    shown = 1,
    drawn = "";
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect(),
      { clientX } = /** @type {MouseEvent} */ (event);
    app.go(from + Math.ceil(((clientX - box.left) / box.width) * shown));
  });
  const cursor = s("rect.rb-strip-now", { y: 0, height: HEIGHT });
  const ticks = s("g");
  fill(svg, [cursor, ticks]);

  const update = (/** @type {View} */ { run, t, y }) => {
    assign(scrub, { max: run.steps, "aria-valuetext": `step ${t} of ${run.steps}, ${run.updatesAt(t)} updates` });
    scrub.value = String(t);
    shown = Math.max(1, Math.min(run.steps, MOST));
    from = Math.max(0, Math.min(run.steps - shown, Math.floor((t - 1) / (MOST / 2)) * (MOST / 2) - MOST / 4));
    const dx = Math.min(WIDTH / shown, 26);
    const steps = run.journal.map((u) => u.step),
      key = JSON.stringify([run.steps, from, run.row.slice(from, from + shown), steps]);
    if (key !== drawn) fill(ticks, drawTicks(run, y, from, shown, dx));
    drawn = key;
    shown = WIDTH / dx;
    assign(cursor, {
      x: ((t - from - 1) * dx).toFixed(2),
      width: dx.toFixed(2),
      visibility: t > from ? "visible" : "hidden",
    });
    end.textContent = `${fmt(t)} / ${fmt(run.steps)}`;
  };
  return { el: h("div.rb-strip-box", svg, h("div.rb-scrub-row", scrub, end)), update };
}

/** @param {import("../engine.js").Run} run @param {number[]} y @param {number} from @param {number} shown @param {number} dx */
function drawTicks(run, y, from, shown, dx) {
  let quiet = "",
    rules = "";
  const marks = [];
  const thin = Math.min(3, dx * 0.5);
  for (let j = 0; j < shown && from + j < run.steps; j++) {
    const t = from + j,
      x = (j + 0.5) * dx;
    if (t > 0 && run.pass[t] !== run.pass[t - 1]) rules += `M${tenth(j * dx)} 2V${HEIGHT - 2}`;
    if (!run.moved(t + 1)) {
      quiet += `M${tenth(x)} ${HEIGHT - 8}V${HEIGHT - 16}`;
      continue;
    }
    const side = sideClass(y[run.row[t]]),
      r = Math.min(4.5, dx * 0.42);
    marks.push(
      s("rect", {
        class: `rb-tickmark ${side}`,
        x: tenth(x - thin / 2),
        y: 12,
        width: tenth(thin),
        height: HEIGHT - 20,
      }),
    );
    marks.push(
      side === "rb-plus"
        ? s("ellipse", { class: `rb-tickmark ${side}`, cx: tenth(x), cy: 10, rx: r, ry: r })
        : s("rect", { class: `rb-tickmark ${side}`, x: x - r, y: 10 - r, width: 2 * r, height: 2 * r }),
    );
  }
  return [s("path.rb-strip-rule", { d: rules }), s("path.rb-strip-quiet", { d: quiet }), ...marks];
}
