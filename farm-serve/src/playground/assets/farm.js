// The play screen of a farm: select plots in the picture, choose a job and a dose, confirm; let days pass.

import { $, ask, element, notice } from "/common.js";
import { STAGES, bands, drawSeason, lastDay } from "/chart.js";
import { drawField, plotName, plotNames, selectable } from "/plots.js";
import { screens } from "/screens.js";
import { actions, ends, episode, fetchPlace, grow, line, note, path, state } from "/tree.js";
import { dateOf, jobKey, jobName, jobSign, money, number, text, words } from "/words.js";

/** What the player has chosen: the field, plots of each field, the job, the dose of each job, and the plots of the last order. */
const chosen = { field: 0, plots: [], job: 0, doses: [], last: null, busy: false };

const info = () => state.info.farm;
const facts = () => info().fields[chosen.field];
const view = () => state.place.farm.fields[chosen.field];
const selected = () => chosen.plots[chosen.field];
/** The date of a day of the season. */
export const dateAt = (step, month) => (state.place.season.start === null ? text("day", { n: step }) : dateOf(state.place.season.start + step, month));
export const euros = (value) => money(value, info().currency);
export const field = () => chosen.field;

/** Starts with nothing selected. */
export function openFarm() {
  Object.assign(chosen, { field: 0, plots: info().fields.map(() => new Set()), job: 0, doses: info().jobs.map(() => 0), last: null });
  chosen.job = Math.max(0, jobsHere()[0] ?? 0);
  // A middle dose is a good start.
  info().jobs.forEach((job, i) => { if (job.doses.length > 3) chosen.doses[i] = Math.floor(job.doses.length / 2); });
  chosen.plots.forEach((plots, i) => { if (isSingle(info().fields[i])) plots.add(0); });
}

/** A field with one plot: it is always selected. */
const isSingle = (own) => own.columns * own.rows === 1;

const jobsHere = () => info().jobs.map((job, i) => i).filter((i) => info().jobs[i].field === null || info().jobs[i].field === chosen.field);

/** Carries out orders or lets time pass, and shows what happened. */
async function advance(orders, until = false, days = 1) {
  if (chosen.busy) return;
  if (state.place.over) { notice(text("overNow")); return; }
  chosen.busy = true;
  const from = state.at;
  const pressed = orders.length ? $("confirm") : until ? $("until") : $("one-day");
  const slow = setTimeout(() => pressed.classList.add("waiting"), 150);
  try {
    const answer = await ask("/api/advance", { ...episode(), actions: actions(from), orders, until, days });
    for (const action of answer.place.actions.slice(path(from).length)) state.at = grow(state.at, action, { by: "you" });
    note(answer.place);
    notice(sentence(answer, until));
    if (state.at !== from) state.nodes[state.at].from = from;
  } catch (error) {
    const ofClass = { 423: "classStopped", 409: "classSeason" }[error.status];
    notice(text("rejected", { why: ofClass ? text(ofClass) : error.message }));
  } finally {
    clearTimeout(slow);
    pressed.classList.remove("waiting");
    chosen.busy = false;
  }
  state.nodes[from].again = state.at === from ? state.nodes[from].again : state.at;
  if (state.place.over) {
    // The card gives the end, and the notice would cover it.
    notice("");
    screens.show("end");
  } else {
    show();
  }
}

/** One sentence about what was done and what happened. */
function sentence({ advanced: { done, news }, place }, until) {
  const did = done.map(([job, n]) => `${jobName(info().jobs[job])}${info().jobs[job].per_plot ? text("onPlots", { n }) : ""}.`).join(" ");
  const what = news.map((one) => told(one, place)).join("; ") || text("quietDay");
  return `${did} ${text(until ? "stopped" : "isNow", { date: dateOfStep(place), what })}`.trim();
}

const dateOfStep = (place) => (place.season.start === null ? text("day", { n: place.steps }) : dateOf(place.season.start + place.steps));

function told(news, place) {
  const own = news.field === undefined ? facts() : info().fields[news.field];
  const plots = news.plots ? plotNames(news.plots, own.rows) : "";
  const n = news.plots?.length ?? news.number ?? news.celsius ?? news.mm ?? news.days;
  const shown = typeof n === "number" ? number(n, news.plots ? 0 : 1) : n;
  const texts = { over: "newsOver", dry: "newsDry", stage: "newsStage", ripe: "newsRipe", pests: "newsPests", frost: "newsFrost", rain: "newsRain", failed: "newsFailed", quiet: "newsQuiet" };
  const sentenceOf = text(texts[news.code], {
    n: news.plots ? n : shown, plots, stage: news.stage === undefined ? "" : words(own.stages[news.stage].label),
    job: news.job === undefined ? "" : jobName(info().jobs[news.job]),
  });
  const closed = news.code === "failed" ? place.farm.jobs[news.job].closed : null;
  return closed ? `${sentenceOf} (${words(closed)})` : sentenceOf;
}

// Display

export function show() {
  if (!state.place?.farm) return;
  showStrip();
  showField();
  showPanel();
  showJobs();
  showMini();
  $("back").setAttribute("aria-disabled", state.at === 0);
  $("branch-count").textContent = ends().length > 1 ? ends().length : "";
  $("until").setAttribute("aria-disabled", state.place.over);
  $("one-day").setAttribute("aria-disabled", state.place.over);
}

const icon = (name) => {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", "i");
  made.setAttribute("aria-hidden", "true");
  made.innerHTML = `<use href="#i-${name}"/>`;
  return made;
};
export { icon };

function showStrip() {
  const { place } = state;
  const { season } = place;
  const { weather } = place.farm;
  $("date").textContent = dateAt(place.steps);
  const stages = bands(season, chosen.field);
  const stage = facts().stages[stages.at(-1)?.[2]];
  $("day").textContent = [text("day", { n: place.steps }), stage ? words(stage.label) : ""].filter(Boolean).join(", ");
  $("money").textContent = euros(place.return);
  const days = [{ rain_mm: weather.rain_mm, max_celsius: null }, ...weather.forecast.slice(0, 4)].filter((day) => day.rain_mm !== null || day.max_celsius !== null);
  $("forecast").hidden = !days.length;
  $("forecast").setAttribute("aria-label", text("forecast"));
  $("forecast").replaceChildren(...days.map((day, i) => {
    const wet = day.rain_mm > 0.4;
    // Without a forecast of rain, the highest temperature.
    const isHeat = day.rain_mm === null;
    return element("li", { class: i ? "" : "now" }, element("b", {}, i ? dateAt(place.steps + i, "short") : text("today")), ...(isHeat ? [] : [icon(wet ? "wrain" : "wsun")]),
      element("span", { class: "num" }, isHeat ? `${number(day.max_celsius)} °C` : wet ? `${number(day.rain_mm, 1)} mm` : text("dryDay")));
  }));
  const most = state.info.max_steps ?? Math.max(place.steps, 1);
  $("track").textContent = state.info.max_steps === null ? "" : text("track", { n: state.info.max_steps });
  $("bands").replaceChildren(...stages.map(([from, to, own]) => {
    const named = facts().stages[own];
    const band = element("span", {}, named && to - from > most / 12 ? words(named.label) : "");
    band.style.flex = `${to - from} 0 0`;
    band.style.background = STAGES[named?.id] ?? "#D8D2C2";
    return band;
  }));
  const rest = element("span", { class: "rest" });
  rest.style.flex = `${Math.max(0, most - lastDay(season))} 0 0`;
  $("bands").append(rest);
}

function showField() {
  const fields = info().fields;
  $("field-tabs").hidden = fields.length < 2;
  $("field-tabs").replaceChildren(...(fields.length < 2 ? [] : fields.map((own, i) => element("button", {
    type: "button", role: "tab", "aria-selected": String(i === chosen.field), onclick: () => toField(i),
  }, words(own.label)))));
  const dry = view().dry.filter(Boolean).length;
  $("dry-count").textContent = dry;
  $("pick-dry").setAttribute("aria-disabled", dry === 0);
  drawField($("field"), { view: view(), facts: facts(), selected: selected(), key: `${JSON.stringify(state.choice)}/${chosen.field}` });
}

function toField(i) {
  if (!info().fields[i]) return;
  chosen.field = i;
  if (!jobsHere().includes(chosen.job)) chosen.job = jobsHere()[0] ?? 0;
  show();
}

const capital = (told) => told.charAt(0).toUpperCase() + told.slice(1);
const mean = (values) => { const known = values.filter((value) => value !== null); return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null; };

function showPanel() {
  const plots = [...selected()];
  const [own, now] = [facts(), view()];
  if (!plots.length) {
    $("panel").replaceChildren(element("h2", {}, text("noPlot")), element("p", { class: "sm mut" }, text("choosePlots")));
    return;
  }
  const title = element("h2", {}, text("selected", { n: plots.length, name: plotName(plots[0], own.rows) }));
  const water = mean(plots.map((plot) => now.water_mm[plot]));
  const parts = [];
  if (water !== null && own.capacity_mm) {
    const dose = info().jobs[chosen.job]?.doses[chosen.doses[chosen.job]]?.water_mm ?? 0;
    const percent = (mm) => Math.max(0, Math.min(100, (mm / own.capacity_mm) * 100));
    const [full, plus] = [element("i"), element("u")];
    full.style.width = `${percent(water)}%`;
    plus.style.left = `${percent(water)}%`;
    plus.style.width = `${percent(water + dose) - percent(water)}%`;
    parts.push(element("div", { class: "row sp nw" }, title, element("span", { class: "tag w num" }, text("ofMm", { water: number(Math.max(0, water)), capacity: number(own.capacity_mm) }))),
      element("div", { class: "gauge", role: "img", "aria-label": text("water", { water: number(Math.max(0, water)), capacity: number(own.capacity_mm) }) }, full, plus),
      element("div", { class: "ends" }, element("span", {}, text("wilting")), element("span", {}, dose ? `▨ +${number(dose)} mm` : ""), element("span", {}, text("capacity", { mm: number(own.capacity_mm) }))));
  } else {
    parts.push(title);
  }
  // What limits growth in most of these plots today.
  const counts = new Map();
  for (const plot of plots) if (now.limit[plot] > 0) counts.set(now.limit[plot], (counts.get(now.limit[plot]) ?? 0) + 1);
  const [limit, n] = [...counts].sort((a, b) => b[1] - a[1])[0] ?? [];
  const rows = own.values.map((value, i) => [value, mean(plots.map((plot) => now.values[i][plot]))])
    .filter(([value, found]) => found !== null && !value.names.length)
    .map(([value, found]) => `${words(value.label)}: ${number(found, Math.abs(found) < 10 ? 1 : 0)} ${words(value.unit)}`.trim());
  const height = mean(plots.map((plot) => now.height_cm[plot]));
  if (height) rows.unshift(`${number(height)} cm`);
  parts.push(element("div", { class: "desk more" },
    ...(now.limit.some((one) => one !== null) ? [element("p", { class: "sm" }, ...(limit ? [icon("warn"), " "] : []), limit ? capital(text("limited", { what: words(own.limits[limit].label), n })) : text("noLimit"))] : []),
    ...(rows.length ? [element("p", { class: "sm mut" }, rows.join(" · "))] : [])));
  $("panel").replaceChildren(...parts);
}

/** The name of a dose: `660 seed` is `660 seeds`. */
const doseName = (dose) => words(dose.label).replace(/\bseed\b/, text("seeds"));

/** The plots of the next order, and its text. */
function order() {
  const [job, today] = [info().jobs[chosen.job], state.place.farm.jobs[chosen.job]];
  if (!job || !today) return null;
  const dose = chosen.doses[chosen.job];
  const open = new Set(today.open);
  const plots = job.per_plot ? [...selected()].filter((plot) => open.has(plot)).sort((a, b) => a - b) : [];
  const count = job.per_plot ? plots.length : 1;
  const cost = today.costs[dose];
  const days = Math.max(1, Math.ceil(count / Math.max(1, today.per_day)));
  return { job, today, dose, plots, count, days, cost: cost === null ? null : cost * count };
}

function showJobs() {
  const keys = jobKeys();
  const today = state.place.farm.jobs;
  $("jobs").setAttribute("role", "group");
  $("jobs").setAttribute("aria-label", text("jobsRegion"));
  const focused = document.activeElement?.closest("#jobs, #doses") ? [document.activeElement.closest("#jobs") ? "jobs" : "doses", [...document.activeElement.parentElement.children].indexOf(document.activeElement)] : null;
  $("jobs").replaceChildren(...jobsHere().map((i) => {
    const job = info().jobs[i];
    const key = [...keys].find(([, own]) => own === i)?.[0];
    return element("button", {
      type: "button", "data-job": i, "aria-pressed": String(i === chosen.job), "aria-disabled": today[i].closed ? "true" : undefined, onclick: () => chooseJob(i),
      title: today[i].closed ? text("closed", { job: jobName(job), reason: words(today[i].closed) }) : undefined,
    }, icon(jobSign(job)), element("span", {}, jobName(job)), ...(key ? [element("kbd", { class: "hidek", "aria-hidden": "true" }, key.toUpperCase())] : []));
  }), element("button", { type: "button", id: "ask-hint", onclick: hint }, icon("bulb"), element("span", {}, text("hint")), element("kbd", { class: "hidek", "aria-hidden": "true" }, "?")));
  const now = order();
  const job = now?.job;
  $("doses").setAttribute("aria-label", text("dosePerPlot"));
  const several = job && (job.doses.length > 1 || doseName(job.doses[0]));
  $("doses").replaceChildren(...(several ? job.doses.map((dose, i) => element("button", {
    type: "button", role: "radio", "data-dose": i, "aria-checked": String(i === now.dose), tabindex: i === now.dose ? 0 : -1, onclick: () => chooseDose(i),
  }, element("b", {}, doseName(dose)), element("small", {}, now.today.costs[i] === null ? "–" : euros(now.today.costs[i])))) : []));
  if (focused) ($(focused[0]).children[focused[1]] ?? $(focused[0]).querySelector("[aria-checked=true]"))?.focus();
  const closed = jobsHere().filter((i) => today[i].closed).map((i) => text("closed", { job: jobName(info().jobs[i]), reason: words(today[i].closed) }));
  const isBlocked = now && !now.today.closed && job.per_plot && selected().size > 0 && !now.count;
  const limit = now && now.days > 1 ? [text("limitADay", { n: now.today.per_day })] : [];
  $("why").textContent = [...(isBlocked ? [text("closedOn", { job: jobName(job) })] : []), ...limit, ...closed].join(" ");
  const isReady = now && !now.today.closed && now.count > 0;
  $("confirm").setAttribute("aria-disabled", !isReady);
  const dose = several && now.count ? `, ${doseName(job.doses[now.dose])}` : "";
  $("confirm").replaceChildren(...(isReady ? [icon(jobSign(job)), element("span", {}, text("order", {
    job: jobName(job), where: job.per_plot ? text("onPlots", { n: now.count }) : "", dose, cost: now.cost === null ? "–" : euros(now.cost), days: text("orderDays", { n: now.days }),
  })), element("kbd", { class: "hidek", "aria-hidden": "true" }, "⏎")]
    : [now?.today.closed ? text("closed", { job: jobName(job), reason: words(now.today.closed) }) : isBlocked ? text("closedOn", { job: jobName(job) }) : text("selectFirst")]));
}

function showMini() {
  if (innerWidth > 900) drawSeason($("mini"), { season: state.place.season, info: info(), field: chosen.field, short: true });
}

// Choices

function select(plots, isSelected) {
  for (const plot of plots) selected()[isSelected || isSingle(facts()) ? "add" : "delete"](plot);
  showField();
  showPanel();
  showJobs();
}

function pick(plots) {
  if (!isSingle(facts())) selected().clear();
  select(plots, true);
}

const allPlots = () => view().dry.map((_, plot) => plot);
const dryPlots = () => allPlots().filter((plot) => view().dry[plot]);

function chooseJob(i) {
  chosen.job = i;
  const { closed } = state.place.farm.jobs[i];
  if (closed) notice(text("closed", { job: jobName(info().jobs[i]), reason: words(closed) }));
  showPanel();
  showJobs();
}

function chooseDose(i) {
  if (!info().jobs[chosen.job]?.doses[i]) return;
  chosen.doses[chosen.job] = i;
  showPanel();
  showJobs();
}

async function confirm() {
  const now = order();
  if (!now || now.today.closed || !now.count) { notice($("confirm").textContent); return; }
  const orders = [{ job: chosen.job, dose: now.dose, plots: now.plots }];
  if (now.job.per_plot) chosen.last = { field: chosen.field, plots: now.plots };
  if (!isSingle(facts())) selected().clear();
  await advance(orders);
}

/** The letters of the jobs of this field. */
function jobKeys() {
  const keys = new Map();
  const taken = new Set("nubdaxyc");
  for (const i of jobsHere()) {
    const key = [jobKey(info().jobs[i]), ..."wheisfpgjklmoqrtvz"].find((letter) => letter && !taken.has(letter));
    if (key) { keys.set(key, i); taken.add(key); }
  }
  return keys;
}

async function undo() {
  if (state.at === 0) { notice(text("atStart")); return; }
  const { from, parent } = state.nodes[state.at];
  const before = state.at;
  const target = from ?? parent;
  await goTo(target);
  state.nodes[target].again = before;
  notice(text("undone", { date: dateAt(state.place.steps) }));
}

async function redo() {
  const next = state.nodes[state.at].again ?? state.nodes[state.at].latest;
  if (next === null || next === undefined) { notice(text("noLater")); return; }
  await goTo(next);
}

/** Moves to a node, and shows it. */
export async function goTo(node) {
  const before = state.at;
  state.at = node;
  try {
    await fetchPlace({ details: false });
  } catch (error) {
    state.at = before;
    notice(error.message);
    return;
  }
  if (state.screen === "play") { if (state.place.over) screens.show("end"); else show(); }
}

/** Starts again on a day of the current season. */
export async function playFrom(day) {
  state.screen = "play";
  await goTo([0, ...path(state.at)][day] ?? 0);
  screens.show("play");
}

async function hint() {
  const expert = adviser();
  if (!expert) { notice(text("noPolicy")); return; }
  try {
    const place = await ask("/api/place", { ...episode(), actions: actions(state.at), hint: expert, details: false });
    state.hint = { at: state.at, action: place.hint };
    const what = named(words(place.hint_words ?? { en: "" }));
    notice(what ? text("hintSays", { what }) : text("hintNothing"));
  } catch (error) { notice(error.message); }
}

/** Plots as `(0, 1)` get the names that the picture shows. */
const named = (what) => what.replace(/\((\d+), (\d+)\)/g, (_, x, y) => plotName(Number(x) * facts().rows + Number(y), facts().rows));

/** The policy that gives hints. */
export function adviser() {
  const names = state.info.policies.filter(({ knows_hidden }) => !knows_hidden).map(({ name }) => name);
  return names.includes("expert") ? "expert" : names.find((name) => !["random", "wait"].includes(name)) ?? null;
}

async function follow() {
  if (!state.hint || state.hint.at !== state.at || state.hint.action === null) { notice(text("noHint")); return; }
  const from = state.at;
  const node = grow(from, state.hint.action, { by: "you", from });
  await goTo(node);
  if (state.screen === "play") notice(text("isNow", { date: dateAt(state.place.steps), what: euros(state.place.return) }));
}

function toggleBranches() {
  const list = $("branch-list");
  list.hidden = !list.hidden;
  $("to-branches").setAttribute("aria-expanded", !list.hidden);
  if (list.hidden) return;
  const here = new Set(line());
  list.replaceChildren(...(ends().length ? ends() : [0]).map((node, i) => element("li", {}, element("button", {
    type: "button", "aria-current": here.has(node) ? "true" : undefined,
    onclick: async () => { list.hidden = true; $("to-branches").setAttribute("aria-expanded", false); await goTo(node); },
  }, `${i + 1}. ${dateAt(path(node).length)}, ${text("days", { n: path(node).length })}${state.nodes[node].total === undefined ? "" : `, ${euros(state.nodes[node].total)}`}`))));
  list.querySelector("button").focus();
}

// Keys

let count = "";
/** The dose before a digit chose another: the digit may turn out to be a count. */
let doseBefore = null;
/** The keys of the play screen. Returns whether the key was used. */
export function pressPlay(event) {
  const { key } = event;
  if (/^\d$/.test(key)) {
    if (!count) doseBefore = chosen.doses[chosen.job];
    count += key;
    if (count.length === 1 && key >= "1") chooseDose(Number(key) - 1);
    return true;
  }
  const times = Math.min(Math.max(Number(count) || 1, 1), 365);
  if (count && "nNuU".includes(key)) chooseDose(doseBefore);
  count = "";
  if (key === "Escape") { if ($("branch-list").hidden) return false; toggleBranches(); return true; }
  const repeated = { u: undo, U: redo };
  if (repeated[key]) { (async () => { for (let i = 0; i < times; i += 1) await repeated[key](); })(); return true; }
  const known = {
    n: () => advance([], false, times), N: () => advance([], true), b: toggleBranches, Enter: confirm, d: () => pick(dryPlots()), a: () => pick(allPlots()),
    x: () => pick([]), y: () => (state.hint?.at === state.at ? follow() : pickLast()), "?": hint,
    "[": () => toField(chosen.field - 1), "]": () => toField(chosen.field + 1), c: () => screens.show("season"),
  };
  if (known[key]) { known[key](); return true; }
  const job = jobKeys().get(key);
  if (job !== undefined) {
    chooseJob(job);
    $("doses").querySelector("[aria-checked=true]")?.focus();
    return true;
  }
  return false;
}

const pickLast = () => { if (chosen.last?.field === chosen.field) pick(chosen.last.plots); };

export function wireFarm() {
  selectable($("field"), selected, select);
  $("pick-dry").addEventListener("click", () => pick(dryPlots()));
  $("pick-all").addEventListener("click", () => pick(allPlots()));
  $("pick-none").addEventListener("click", () => pick([]));
  $("pick-last").addEventListener("click", pickLast);
  $("confirm").addEventListener("click", confirm);
  $("one-day").addEventListener("click", () => advance([]));
  $("until").addEventListener("click", () => advance([], true));
  $("back").addEventListener("click", undo);
  $("to-branches").addEventListener("click", toggleBranches);
  $("mini-open").addEventListener("click", () => screens.show("season"));
  $("doses").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const most = info().jobs[chosen.job].doses.length - 1;
    chooseDose(Math.max(0, Math.min(most, chosen.doses[chosen.job] + by)));
    $("doses").querySelector("[aria-checked=true]")?.focus();
  });
  new ResizeObserver(() => { if (state.screen === "play" && state.place?.farm) showMini(); }).observe($("mini"));
}
