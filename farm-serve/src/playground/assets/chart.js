// Charts: one season, or two of them, over a shared axis of days; and the hand-over curve.

import { dateOf, jobSign, money, number, text, words } from "/words.js";

const NS = "http://www.w3.org/2000/svg";
/** Parts of the height for rain, soil water, jobs and money. */
const SHARES = { whole: [0.2, 0.44, 0.11, 0.25], short: [0.27, 0.58, 0.15, 0] };

/** The colours of stages, by identifier. */
export const STAGES = { none: "#D9C9A8", seed: "#D9BA92", grow: "#BFD9A0", bloom: "#E3C1DE", fruit: "#CFE0A0", ripe: "#EBCB6A", harvested: "#D8D2C2", dead: "#B9B2A6" };

class Drawing {
  constructor(svg) {
    const { width, height } = svg.getBoundingClientRect();
    Object.assign(this, { svg, width, height });
    svg.setAttribute("viewBox", `0 0 ${width || 1} ${height || 1}`);
    svg.replaceChildren();
  }

  add(tag, attributes, content) {
    const made = document.createElementNS(NS, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (content !== undefined) made.textContent = content;
    this.svg.append(made);
    return made;
  }

  line(values, x, y, attributes) {
    let drawn = "";
    values.forEach((value, i) => {
      if (value !== null && value !== undefined) drawn += `${drawn && values[i - 1] !== null ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    if (drawn) this.add("path", { d: drawn, fill: "none", "stroke-linejoin": "round", ...attributes });
  }
}

/** The last day of a season. */
export const lastDay = (season) => season.money.length - 1;
/** The mean soil water of a field. */
export const waters = (season, field) => season.fields[field].water_mm.map((day) => day && day[0]);

/** The stages of a season as bands: first day, day after the last, stage. */
export function bands(season, field) {
  const found = [];
  season.fields[field].stage.forEach((stage, day) => {
    const last = found.at(-1);
    if (last && last[2] === stage) last[1] = day + 1;
    else found.push([day, day + 1, stage]);
  });
  return found;
}

/**
 * Draws a season. `other` is a second one, dashed; `day` the day to mark; `short` leaves the money out.
 * Returns the day at a horizontal position.
 */
export function drawSeason(svg, { season, other, info, field, day, short }) {
  const d = new Drawing(svg);
  const { width, height } = d;
  const facts = info.fields[field];
  const last = Math.max(lastDay(season), other ? lastDay(other) : 0, 1);
  const [left, right, top, bottom, gap] = [54, 12, 26, 24, 12];
  const x = (i) => left + (i / last) * (width - left - right);
  const at = (px) => Math.round(Math.max(0, Math.min(last, ((px - left) / (width - left - right)) * last)));
  if (width < 60 || height < 120) return at;
  const narrow = width < 520;
  const bar = Math.max(1.4, Math.min(16, ((width - left - right) / last) * 0.72));
  const inner = height - top - bottom;
  const shares = short ? SHARES.short : SHARES.whole;
  const start = season.start ?? 0;
  // Bands of stages.
  for (const [from, to, stage] of bands(season, field)) {
    const named = facts.stages[stage];
    const [x1, x2] = [x(from), x(Math.min(to, last))];
    if (!named || x2 <= x1) continue;
    d.add("rect", { x: x1, y: 2, width: Math.max(x2 - x1 - 1.5, 1), height: 21, rx: 5, fill: STAGES[named.id] ?? "#D8D2C2" });
    const label = words(named.label);
    if (x2 - x1 > 8 * label.length + 10) d.add("text", { class: "band", x: x1 + 6, y: 17 }, label);
  }
  // Months.
  for (let i = 0; i <= last; i += 1) {
    if (i > 0 && new Date(Date.UTC(2021, 0, 1 + ((start + i) % 365))).getUTCDate() !== 1) continue;
    d.add("path", { class: "g", d: `M${x(i)} ${top}V${height - bottom}` });
    if (x(i) + (narrow ? 40 : 74) < width && (i > 0 || x(nextMonth(start)) - x(0) > 70)) d.add("text", { class: "m", x: x(i) + 3, y: height - 7 }, dateOf(start + i, narrow ? "short" : "long"));
  }
  // Rain and irrigation.
  let [a, b] = [top + 4, top + 4 + inner * shares[0] - gap];
  const seasons = other ? [season, other] : [season];
  const most = Math.max(20, ...seasons.flatMap((one) => one.rain_mm.map((rain, i) => (rain ?? 0) + one.irrigation_mm[i])));
  const yRain = (mm) => b - (Math.min(mm, most) / most) * (b - a);
  season.rain_mm.forEach((rain, i) => {
    const [wet, given] = [rain ?? 0, season.irrigation_mm[i]];
    if (wet > 0.05) d.add("rect", { x: Math.max(left, x(i) - bar / 2), y: yRain(wet), width: bar, height: b - yRain(wet), fill: "var(--water)" });
    if (given > 0.05) d.add("rect", { x: Math.max(left, x(i) - bar / 2), y: yRain(wet + given), width: bar, height: yRain(wet) - yRain(wet + given), fill: "url(#hatch)", stroke: "var(--water)" });
  });
  d.add("path", { class: "g", d: `M${left} ${b}H${width - right}` });
  d.add("text", { x: 2, y: a + 12 }, text("mmDay"));
  d.add("text", { class: "m", x: left - 8, y: b, "text-anchor": "end" }, "0");
  if (!short && !narrow) {
    [["rain", { fill: "var(--water)" }], ["irrigation", { fill: "url(#hatch)", stroke: "var(--water)" }]].forEach(([key, look], i) => {
      d.add("rect", { x: left + 8 + i * 70, y: a + 2, width: 12, height: 12, ...look });
      d.add("text", { x: left + 25 + i * 70, y: a + 13 }, text(key).toLowerCase());
    });
  }
  // Soil water between wilting point and field capacity.
  a = b + gap;
  b = a + inner * shares[1] - gap;
  const capacity = facts.capacity_mm;
  const water = waters(season, field);
  let yWater = null;
  if (capacity && water.some((value) => value !== null)) {
    const high = Math.max(capacity * 1.1, ...water.filter((value) => value !== null));
    const [low, high2, a2, b2] = [Math.min(0, ...water.filter((value) => value !== null)), high, a, b];
    yWater = (mm) => b2 - ((mm - low) / (high2 - low)) * (b2 - a2);
    d.add("rect", { x: left, y: yWater(capacity), width: width - left - right, height: yWater(0) - yWater(capacity), fill: "var(--leaf-soft)", opacity: 0.75 });
    for (const mm of [capacity, 0]) d.add("path", { d: `M${left} ${yWater(mm)}H${width - right}`, stroke: "var(--leaf)", "stroke-width": 1.5, "stroke-dasharray": "2 3" });
    d.add("text", { x: left + 8, y: yWater(capacity) - 4 }, text("capacity", { mm: "" }).trim());
    d.add("text", { x: left + 8, y: yWater(0) - 6 }, text("wilting").replace(" 0", ""));
    d.add("text", { x: 2, y: yWater(capacity) + 5 }, number(capacity));
    d.add("text", { x: 2, y: yWater(capacity / 2) + 5 }, `${number(capacity / 2)} mm`);
    d.add("text", { x: 2, y: yWater(0) + 5 }, "0");
    if (other) d.line(waters(other, field), x, yWater, { stroke: "var(--sun)", "stroke-width": 2.5, "stroke-dasharray": "6 4" });
    d.line(water, x, yWater, { stroke: "var(--water)", "stroke-width": 3 });
  }
  // Marks of jobs.
  a = b + gap;
  b = a + inner * shares[2] - gap;
  d.add("text", { x: 2, y: (a + b) / 2 + 2 }, text("jobsRow"));
  seasons.forEach((one, row) => one.jobs.forEach((jobs, i) => {
    const job = jobs.length && info.jobs[jobs[0][0]];
    if (!job || x(i) > width) return;
    const size = other ? 12 : 15;
    const mark = d.add("use", { href: `#i-${jobSign(job)}`, x: x(i) - size / 2, y: (a + b) / 2 - size / 2 + (other ? (row ? 9 : -7) : 0), width: size, height: size, class: row ? "mark other" : "mark" });
    mark.setAttribute("data-job", jobs[0][0]);
  }));
  // Money.
  let yMoney = null;
  if (shares[3]) {
    a = b + gap;
    b = a + inner * shares[3] - gap;
    const all = seasons.flatMap((one) => one.money);
    const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
    const [a2, b2, span] = [a, b, high - low || 1];
    yMoney = (value) => b2 - ((value - low) / span) * (b2 - a2);
    d.add("path", { class: "g", d: `M${left} ${yMoney(0)}H${width - right}` });
    d.add("text", { x: 2, y: yMoney(0) + 5 }, money(0, info.currency).replace(/[.,]00/, ""));
    if (yMoney(high) < yMoney(0) - 16) d.add("text", { x: 2, y: yMoney(high) + 9 }, money(Math.round(high), info.currency).replace(/[.,]00/, ""));
    if (!narrow) d.add("text", { x: left + 8, y: a + 12 }, text("moneyRow").toLowerCase());
    if (other) d.line(other.money, x, yMoney, { stroke: "var(--sun)", "stroke-width": 2.5, "stroke-dasharray": "6 4" });
    d.line(season.money, x, yMoney, { stroke: "var(--ink)", "stroke-width": 3 });
  }
  if (day !== undefined && day !== null) {
    d.add("path", { d: `M${x(day)} ${top}V${height - bottom}`, stroke: "var(--ink)", "stroke-width": 2 });
    const dot = (y) => d.add("circle", { cx: x(day), cy: y, r: 5, fill: "var(--card)", stroke: "var(--ink)", "stroke-width": 2.5 });
    if (yWater && water[day] !== null && water[day] !== undefined) dot(yWater(water[day]));
    if (yMoney && season.money[day] !== undefined) dot(yMoney(season.money[day]));
  }
  return at;
}

/** The number of days until the first of the next month. */
function nextMonth(start) {
  for (let i = 1; i < 32; i += 1) if (new Date(Date.UTC(2021, 0, 1 + ((start + i) % 365))).getUTCDate() === 1) return i;
  return 31;
}

/** Draws the hand-over curve, with its losses as numbered grounds. */
export function drawCurve(svg, { returns, losses, start, currency }) {
  const d = new Drawing(svg);
  const { width, height } = d;
  if (width < 60 || height < 50) return;
  const last = Math.max(returns.length - 1, 1);
  const [low, high] = [Math.min(0, ...returns), Math.max(...returns, 1)];
  const x = (i) => 52 + (i / last) * (width - 64);
  const y = (value) => height - 22 - ((value - low) / (high - low)) * (height - 32);
  const shown = [low, 0, high].filter((one, i) => i > 0 && (one > 0 || i === 1) || one < (low - high) * 0.12);
  for (const value of shown) {
    d.add("path", { class: "g", d: `M52 ${y(value)}H${width - 12}` });
    d.add("text", { class: "m", x: 2, y: y(value) + 5 }, money(Math.round(value), currency).replace(/[.,]00/, ""));
  }
  losses.forEach(({ from, to }) => d.add("rect", { x: x(from), y: 4, width: Math.max(x(to) - x(from), 2), height: height - 26, fill: "var(--brick-soft)" }));
  for (let i = 0; i <= last; i += 1) {
    if (new Date(Date.UTC(2021, 0, 1 + ((start + i) % 365))).getUTCDate() === 1 && x(i) + 60 < width) d.add("text", { class: "m", x: x(i) + 2, y: height - 5 }, dateOf(start + i, width < 500 ? "short" : "long"));
  }
  d.line(returns, x, y, { stroke: "var(--brick)", "stroke-width": 3 });
  losses.forEach(({ from, to }, i) => {
    const middle = (x(from) + x(to)) / 2;
    d.add("circle", { cx: middle, cy: height - 38, r: 11, fill: "var(--card)", stroke: "var(--brick)", "stroke-width": 1.5 });
    d.add("text", { x: middle, y: height - 33, "text-anchor": "middle", "font-weight": 700 }, i + 1);
  });
}
