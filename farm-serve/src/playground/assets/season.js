// The season chart: every day is readable by pointer, touch and keys; a second season is dashed.

import { $, ask, element, notice } from "/common.js";
import { bands, drawSeason, lastDay } from "/chart.js";
import { adviser, dateAt, euros, field, playFrom } from "/farm.js";
import { actions, episode, path, state } from "/tree.js";
import { jobName, number, text, words } from "/words.js";

/** The chart: the season shown, the day that is read, and the expert's season. */
const chart = { season: null, of: "", day: 0, at: () => 0, other: null, otherOf: "", compares: false };

const info = () => state.info.farm;

/** Shows the season up to now. When it is over, everything is known. */
export async function showSeason() {
  const of = JSON.stringify([episode(), actions(state.at)]);
  if (chart.of !== of) {
    Object.assign(chart, { of, season: state.place.season, day: state.place.steps });
    if (state.place.over) {
      try { chart.season = (await ask("/api/place", { ...episode(), actions: actions(state.at), looks: "everything", details: false })).season; } catch (error) { notice(error.message); }
    }
  }
  if (state.reading !== undefined) { chart.day = state.reading; state.reading = undefined; }
  const name = adviser();
  $("compare").hidden = name === null || !state.place.over;
  $("compare").textContent = text("compare", { who: text(name ?? "expert") });
  if (chart.otherOf !== JSON.stringify(episode())) Object.assign(chart, { other: null, otherOf: JSON.stringify(episode()), compares: false });
  draw();
}

async function compare() {
  chart.compares = !chart.compares;
  if (chart.compares && !chart.other) {
    try {
      const { actions: played } = await ask("/api/watch", { ...episode(), policy: adviser() });
      chart.other = (await ask("/api/place", { ...episode(), actions: played, looks: "everything", details: false })).season;
    } catch (error) { chart.compares = false; notice(error.message); }
  }
  draw();
}

function draw() {
  const { season } = chart;
  if (!season || state.screen !== "season") return;
  const other = chart.compares ? chart.other : null;
  const last = Math.max(lastDay(season), other ? lastDay(other) : 0);
  chart.day = Math.max(0, Math.min(last, chart.day));
  $("compare").setAttribute("aria-pressed", other !== null);
  $("chart").setAttribute("aria-label", text("chartName", { from: dateAt(0), to: dateAt(last) }));
  // The readout has its size before the chart takes the rest.
  read(season, other);
  chart.at = drawSeason($("chart"), { season, other, info: info(), field: field(), day: chart.day, short: false });
}

function read(season, other) {
  const { day } = chart;
  const facts = info().fields[field()];
  const stage = bands(season, field()).find(([from, to]) => day >= from && day < to)?.[2];
  $("read-date").textContent = dateAt(day);
  $("read-day").textContent = [text("day", { n: day }), facts.stages[stage] ? words(facts.stages[stage].label) : ""].filter(Boolean).join(", ");
  const of = (one, values, unit) => { const value = values(one)[Math.min(day, lastDay(one))]; return value === null || value === undefined ? "–" : unit(value); };
  const mm = (value) => `${number(value, 1)} mm`;
  const water = (one) => one.fields[field()].water_mm.map((values) => values && values[0]);
  const rows = [
    ["Rain", text("rain"), (one) => one.rain_mm, mm], ["Given", text("irrigation"), (one) => one.irrigation_mm, mm],
    ["Water", text("soilWater"), water, mm], ["Money", text("moneyRow"), (one) => one.money, euros],
  ];
  const head = other ? [element("thead", {}, element("tr", {}, element("th", { scope: "col" }, element("span", { class: "sr" }, text("quantity"))), element("th", { class: "r", scope: "col" }, text("you")), element("th", { class: "r", scope: "col" }, text(adviser() ?? "expert"))))] : [];
  const cells = (name, one, two) => element("tr", {}, element("th", { scope: "row" }, name), element("td", { class: "r" }, element("b", {}, one)), ...(other ? [element("td", { class: "r mut" }, two)] : []));
  const done = (one) => (one.jobs[Math.min(day, lastDay(one))] ?? []).map(([job, n]) => `${jobName(info().jobs[job])} ${n}`).join(", ") || "–";
  $("read").replaceChildren(...head, element("tbody", {}, ...rows.map(([, name, values, unit]) => cells(name, of(season, values, unit), other ? of(other, values, unit) : "")),
    cells(text("jobs"), done(season), other ? done(other) : "")));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const whole = [
    [text("irrigation"), (one) => `${number(sum(one.irrigation_mm))} mm`], [text("jobs"), (one) => number(sum(one.jobs.flat().map(([, n]) => n)))],
    [text("harvest"), (one) => `${number(one.harvest_kg.at(-1))} kg`], [text("moneyRow"), (one) => euros(one.money.at(-1))],
  ];
  $("whole").replaceChildren(element("tbody", {}, ...whole.map(([name, told]) => cells(name, told(season), other ? told(other) : ""))));
  $("means").textContent = text("meansOf", { n: facts.columns * facts.rows });
  $("play-here").disabled = false;
  $("play-here").setAttribute("aria-disabled", day >= path(state.at).length);
  if ($("as-table").open) table(season, rows);
}

function table(season, rows) {
  const head = element("tr", {}, element("th", { scope: "col" }, text("day", { n: "" }).trim()), ...rows.map(([, name]) => element("th", { class: "r", scope: "col" }, name)));
  const line = (_, day) => element("tr", {}, element("th", { scope: "row" }, dateAt(day, "short")),
    ...rows.map(([, , values, unit]) => { const value = values(season)[day]; return element("td", { class: "r" }, value === null || value === undefined ? "–" : unit(value)); }));
  $("days").replaceChildren(element("thead", {}, head), element("tbody", {}, ...season.money.map(line)));
}

/** The keys of the chart. Returns whether the key was used. */
export function pressSeason(event) {
  const by = { ArrowRight: 1, ArrowLeft: -1, PageDown: 7, PageUp: -7, Home: -1e9, End: 1e9 }[event.key];
  if (!by) return false;
  chart.day += by;
  draw();
  return true;
}

export function wireSeason() {
  const point = (event) => { chart.day = chart.at(event.clientX - $("chart").getBoundingClientRect().left); draw(); };
  $("chart").addEventListener("pointerdown", point);
  $("chart").addEventListener("pointermove", point);
  $("compare").addEventListener("click", compare);
  $("as-table").addEventListener("toggle", draw);
  $("play-here").addEventListener("click", () => { if (chart.day < path(state.at).length) playFrom(chart.day); });
  new ResizeObserver(draw).observe($("chart"));
}
