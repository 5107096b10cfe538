// The picture of a field: a button for each plot, with soil, plants and labels.

import { element } from "/common.js";
import { number, text, words } from "/words.js";

/** The drawing of plants, by stage. */
const PLANTS = { seed: "seedling", grow: "leaves", bloom: "bloom", fruit: "pods", ripe: "ripe", dead: "dead" };
const PLACES = [[22, 20], [50, 17], [78, 20]];

/** The name of a plot: a letter for its column and a number for its row. */
export function plotName(plot, rows) {
  const column = Math.floor(plot / rows);
  const letters = column < 26 ? String.fromCharCode(65 + column) : String.fromCharCode(64 + Math.floor(column / 26)) + String.fromCharCode(65 + (column % 26));
  return `${letters}${(plot % rows) + 1}`;
}

/** The names of some plots in reading order; long lists end with an ellipsis. */
export const plotNames = (plots, rows) => plots.slice(0, 6).map((plot) => plotName(plot, rows)).join(", ") + (plots.length > 6 ? ", …" : "");

/** Soil and plants of a plot, as the text of an SVG that contains only numbers and names of this page. */
function art({ stage, share, dry, height, seed }) {
  const soil = dry || share < 0.33 ? 0 : share < 0.63 ? 1 : 2;
  let s = `<rect width="100" height="80" fill="var(--soil${soil})"/>`;
  for (let i = 0; i < 4; i += 1) s += `<path d="M-5 ${18 + i * 22}q26-7 52 0t58 0" stroke="var(--furrow)" stroke-width="7" fill="none"/>`;
  if (dry) s += `<rect width="100" height="80" fill="url(#dry)"/>`;
  const plant = PLANTS[stage];
  if (plant) {
    // Three sizes, by height.
    const size = height === null || stage === "seed" ? 1 : height < 25 ? 0.7 : height < 60 ? 0.85 : 1;
    const [w, h] = [50 * size, 54 * size];
    PLACES.forEach(([x, y], i) => {
      s += `<use href="#i-${plant}" x="${x - w / 2 + ((seed * 7 + i * 5) % 5)}" y="${y - 6 + ((seed * 3 + i) % 4) + (54 - h)}" width="${w}" height="${h}"${dry ? ' class="dull"' : ""}/>`;
    });
  }
  return s;
}

const svg = (inner) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", "0 0 100 80");
  made.setAttribute("preserveAspectRatio", "xMidYMid slice");
  made.setAttribute("aria-hidden", "true");
  made.innerHTML = inner;
  return made;
};

/** What a screen reader reads of a plot. */
function spoken(plot, view, facts) {
  const stage = view.stage[plot];
  const parts = [text("plot", { name: plotName(plot, facts.rows) })];
  if (view.dry[plot]) parts.push(text("dry"));
  if (view.water_mm[plot] !== null && facts.capacity_mm) parts.push(text("water", { water: number(view.water_mm[plot]), capacity: number(facts.capacity_mm) }));
  if (stage !== null && facts.stages[stage]) parts.push(`${words(facts.crops[view.crop[plot]] ?? facts.label)}: ${words(facts.stages[stage].label)}`);
  return parts.join(", ");
}

/** Draws a field into its element: new buttons for another field, and otherwise only what has changed. */
export function drawField(box, { view, facts, selected, key }) {
  if (box.dataset.key !== key) {
    box.dataset.key = key;
    box.style.setProperty("--columns", facts.columns);
    box.style.setProperty("--rows", facts.rows);
    box.classList.toggle("large", facts.columns > 6 || facts.rows > 5);
    // Rows first, as people read.
    const buttons = [];
    for (let y = 0; y < facts.rows; y += 1) {
      for (let x = 0; x < facts.columns; x += 1) buttons.push(element("button", { type: "button", class: "plot", "data-plot": x * facts.rows + y, tabindex: x + y === 0 ? 0 : -1 }));
    }
    box.replaceChildren(...buttons);
  }
  box.setAttribute("aria-label", `${words(facts.label)}, ${text("fieldSize", { columns: facts.columns, rows: facts.rows })}`);
  const empty = facts.capacity_mm === null;
  for (const button of box.children) {
    const plot = Number(button.dataset.plot);
    const water = view.water_mm[plot];
    const share = empty || water === null ? 0.5 : Math.max(0, Math.min(1, water / facts.capacity_mm));
    const [dry, ripe] = [view.dry[plot], view.ripe[plot]];
    const stage = facts.stages[view.stage[plot]]?.id ?? "none";
    const isSelected = selected.has(plot);
    button.setAttribute("aria-pressed", isSelected);
    const label = spoken(plot, view, facts);
    const look = [label, stage, Math.round(share * 20), dry, view.height_cm[plot] === null ? "" : Math.round(view.height_cm[plot] / 5)].join("|");
    if (button.dataset.look === look) continue;
    button.dataset.look = look;
    const sign = dry ? ["!", text("dry")] : ripe ? ["✓", text("ripe")] : null;
    button.replaceChildren(
      svg(art({ stage, share, dry, height: view.height_cm[plot], seed: plot })),
      element("span", { class: "sr" }, label),
      element("span", { class: "id", "aria-hidden": "true" }, plotName(plot, facts.rows)),
      ...(sign ? [element("span", { class: dry ? "warn" : "warn good", "aria-hidden": "true" }, sign[0], element("span", {}, ` ${sign[1]}`))] : []),
      ...(water === null ? [] : [element("span", { class: "mm", "aria-hidden": "true" }, gauge(share), `${number(Math.max(0, water))} mm`)]),
    );
  }
}

/** A small gauge of soil water. */
function gauge(share) {
  const made = svg(`<rect x=".5" y=".5" width="8" height="19" rx="2" fill="var(--water-soft)" stroke="var(--water)"/><rect x="1" y="${19 - 18 * share}" width="7" height="${18 * share}" fill="var(--water)"/>`);
  made.setAttribute("viewBox", "0 0 9 20");
  made.setAttribute("class", "glass");
  return made;
}

/**
 * Lets pointers and keys select plots: a press toggles, a press with a slide selects all plots on the way, arrows move the focus.
 * `change(plots, isSelected)` is called with what changes; `read()` tells which are selected.
 */
export function selectable(box, read, change) {
  let drag = null;
  const plotAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest(".plot");
  box.addEventListener("pointerdown", (event) => {
    const plot = event.target.closest(".plot");
    if (plot && event.button === 0) drag = { from: plot, on: !read().has(Number(plot.dataset.plot)), moved: false };
  });
  box.addEventListener("pointermove", (event) => {
    if (!drag || !event.buttons) return;
    const plot = plotAt(event);
    if (!plot || !box.contains(plot) || (plot === drag.from && !drag.moved)) return;
    if (!drag.moved) change([Number(drag.from.dataset.plot)], drag.on);
    drag.moved = true;
    if (read().has(Number(plot.dataset.plot)) !== drag.on) change([Number(plot.dataset.plot)], drag.on);
  });
  addEventListener("pointerup", () => { setTimeout(() => { drag = null; }); });
  addEventListener("pointercancel", () => { drag = null; });
  box.addEventListener("click", (event) => {
    const plot = event.target.closest(".plot");
    if (!plot || drag?.moved) return;
    const number_ = Number(plot.dataset.plot);
    focusOn(plot);
    change([number_], !read().has(number_));
  });
  const focusOn = (plot) => {
    for (const other of box.children) other.tabIndex = other === plot ? 0 : -1;
  };
  box.addEventListener("keydown", (event) => {
    const by = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    const here = event.target.closest(".plot");
    if (!by || !here || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const columns = Number(box.style.getPropertyValue("--columns"));
    const at = [...box.children].indexOf(here);
    const [x, y] = [(at % columns) + by[0], Math.floor(at / columns) + by[1]];
    const next = x >= 0 && x < columns ? box.children[y * columns + x] : undefined;
    if (!next) return;
    focusOn(next);
    next.focus();
    if (event.shiftKey) change([Number(here.dataset.plot), Number(next.dataset.plot)], true);
  });
}
