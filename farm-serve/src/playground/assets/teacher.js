// The teacher's page of a class: its address, its season, a live table of pupils, and two seasons side by side.

import { drawSeason } from "/chart.js";
import { $, ask, attempt, element, headers, options } from "/common.js";
import { screens } from "/screens.js";
import { money, number, text, words } from "/words.js";

/** The milliseconds between two looks at the class. */
const PAUSE = 2000;
/** A pupil who has not been seen for this number of seconds is away. */
const AWAY = 30;
/** The milliseconds within which a second press confirms the first. */
const SURE = 4000;
const NOWS = { waiting: "nowWaiting", running: "nowRunning", paused: "nowPaused", ended: "nowEnded" };
/** The buttons of each state: text, and what the class does then. */
const BUTTONS = { waiting: [["startAll", "running"]], running: [["pauseAll", "paused"], ["endAll", "ended"]], paused: [["goOn", "running"], ["endAll", "ended"]], ended: [["goOn", "running"]] };

const room = { about: null, now: null, info: null, infoOf: "", rows: new Map(), ticked: [], drawn: "", seasons: [], timer: null };

const euros = (value) => (value === null ? "–" : money(value, room.info.farm.currency));

async function look() {
  clearTimeout(room.timer);
  try {
    await take(await ask("/api/class"));
    $("class-trouble").textContent = room.now.trouble ? text("notSaved", { why: room.now.trouble }) : "";
  } catch (error) {
    $("class-trouble").textContent = error.message;
  }
  room.timer = setTimeout(look, PAUSE);
}

/** Shows an answer about the class. */
async function take(now) {
  const of = JSON.stringify(now.game);
  if (room.infoOf !== of) {
    room.info = await ask("/api/class/game", now.game);
    room.infoOf = of;
  }
  const isOther = room.now?.round !== now.round;
  room.now = now;
  if (isOther) { room.drawn = ""; fillForm(); }
  show();
  await compare();
}

const change = (body) => attempt(async () => take(await ask("/api/class", body)));

/** A button whose action can't be undone: the second press within a few seconds carries it out. */
function twice(button, sure, act) {
  if (button.dataset.sure) { delete button.dataset.sure; act(); return; }
  const before = button.textContent;
  button.dataset.sure = "1";
  button.textContent = sure;
  setTimeout(() => { if (button.dataset.sure) { delete button.dataset.sure; button.textContent = before; } }, SURE);
}

// Display

function fillForm() {
  const { game, seed } = room.now;
  options($("class-game"), room.about.games.map(({ name }) => [name, name.replaceAll("_", " ")]), game.name);
  fillPresets(game.preset);
  $("class-seed").value = seed;
  $("class-days").value = game.days ?? "";
}

function fillPresets(chosen = "") {
  const { presets } = room.about.games.find(({ name }) => name === $("class-game").value) ?? { presets: [] };
  options($("class-preset"), [["", text("setNone")], ...presets.map((name) => [name, name])], chosen ?? "");
}

export function show() {
  const { about, now } = room;
  if (!about || !now) return;
  $("title").textContent = about.class;
  document.title = about.class;
  $("sub").textContent = text("teacherView");
  $("qr").setAttribute("aria-label", text("qrOf", { address: about.address }));
  $("class-now").textContent = `${text(NOWS[now.now])}: ${title(now)}`;
  const focused = document.activeElement?.dataset?.now;
  if ($("class-buttons").dataset.of !== now.now + document.documentElement.lang) {
    $("class-buttons").dataset.of = now.now + document.documentElement.lang;
    $("class-buttons").replaceChildren(...BUTTONS[now.now].map(([key, next], i) => element("button", { type: "button", class: i ? "" : "pri", "data-now": next, onclick: () => change({ now: next }) }, text(key))));
    if (focused) $("class-buttons").firstChild.focus();
  }
  $("class-open").checked = now.is_open;
  $("class-days").placeholder = text("wholeGame");
  const done = now.pupils.filter(({ season }) => season.over).length;
  $("pupil-count").textContent = now.pupils.length ? text("pupilCount", { n: now.pupils.length, done }) : text("noPupils");
  $("pupils-table").hidden = !now.pupils.length;
  showRows();
}

/** The season in words: `Clay bean, 4x3, seed 3`. */
function title({ game, seed }) {
  const name = game.name.replace(/^.*\//, "").replace(/\.yaml$/, "").replaceAll("_", " ");
  return [name.charAt(0).toUpperCase() + name.slice(1), game.preset, `seed ${seed}`, game.days && text("days", { n: game.days })].filter(Boolean).join(", ");
}

/** Updates the rows in place, so that the focus stays. */
function showRows() {
  const ids = new Set(room.now.pupils.map(({ id }) => id));
  for (const [id, row] of room.rows) if (!ids.has(id)) { row.line.remove(); room.rows.delete(id); }
  room.ticked = room.ticked.filter((id) => ids.has(id));
  for (const pupil of room.now.pupils) {
    if (!room.rows.has(pupil.id)) room.rows.set(pupil.id, makeRow(pupil));
    const { cells, line, box } = room.rows.get(pupil.id);
    const { season, best, nickname } = pupil;
    const told = [euros(season.money), euros(best), number(season.jobs), number(season.steps), stateOf(pupil)];
    told.forEach((value, i) => { if (cells[i].textContent !== value) cells[i].textContent = value; });
    line.classList.toggle("ticked", room.ticked.includes(pupil.id));
    box.checked = room.ticked.includes(pupil.id);
    box.setAttribute("aria-label", text("compareOne", { name: nickname }));
  }
}

function stateOf({ season, seen_s: seen }) {
  if (season.over) return `✓ ${text("finished")}`;
  if (seen === null || seen >= AWAY) return text("notSeen", { n: seen === null ? "…" : Math.max(1, Math.round(seen / 60)) });
  const stage = room.info.farm.fields[0].stages[season.stage];
  return [stage ? words(stage.label) : "", season.dry ? `! ${text("dryPlots", { n: season.dry })}` : "", season.ripe ? text("ripePlots", { n: season.ripe }) : ""].filter(Boolean).join(", ");
}

function makeRow({ id, nickname }) {
  const box = element("input", { type: "checkbox", onchange: () => tick(id) });
  const cells = ["r", "r desk-cell", "r desk-cell", "r", ""].map((kind) => element("td", { class: kind }));
  const remove = element("button", { type: "button", class: "ghost", "aria-label": text("removeOne", { name: nickname }), onclick: () => twice(remove, text("sureRemove"), () => change({ remove: id })) }, "✕");
  const line = element("tr", {}, element("td", {}, element("label", { class: "tick" }, box)), element("th", { scope: "row" }, element("bdi", {}, nickname)), ...cells, element("td", { class: "r" }, remove));
  $("pupils").append(line);
  return { line, cells, box };
}

/** Ticks a pupil; a third one replaces the first. */
function tick(id) {
  room.ticked = room.ticked.includes(id) ? room.ticked.filter((own) => own !== id) : [...room.ticked, id].slice(-2);
  showRows();
  attempt(compare);
}

/** Draws the seasons of the ticked pupils, if they have changed. */
async function compare() {
  const pupils = room.ticked.map((id) => room.now.pupils.find((pupil) => pupil.id === id)).filter(Boolean);
  $("compared").hidden = !pupils.length;
  if (!pupils.length) { room.drawn = ""; return; }
  const of = JSON.stringify([room.now.round, pupils.map(({ id, season }) => [id, season])]);
  if (room.drawn !== of) {
    room.seasons = await ask("/api/class/seasons", room.ticked);
    room.drawn = of;
  }
  draw();
}

function draw() {
  // The rain of the longer season is drawn.
  const shown = [...room.seasons].sort((one, other) => other.season.money.length - one.season.money.length);
  const [season, other] = shown.map((one) => one.season);
  if (!season || $("compared").hidden) return;
  const names = shown.map(({ id }) => room.now.pupils.find((pupil) => pupil.id === id)?.nickname ?? "");
  $("compared-title").textContent = names.length > 1 ? text("comparing", { one: names[0], other: names[1] }) : names[0];
  $("compared-key").replaceChildren(...names.map((name, i) => element("span", { class: i ? "line second" : "line" }, element("bdi", {}, name), ` ${euros(shown[i].season.money.at(-1))}`)));
  $("class-chart").setAttribute("aria-label", text("comparedName", { one: names[0], other: names[1] ?? "–" }));
  drawSeason($("class-chart"), { season, other: other ?? null, info: room.info.farm, field: 0, short: false });
}

// Buttons

async function table() {
  const answer = await fetch("/api/class/csv", { headers: headers() });
  const url = URL.createObjectURL(await answer.blob());
  element("a", { href: url, download: `${room.about.class}.csv` }).click();
  URL.revokeObjectURL(url);
}

function chooseSeason() {
  const game = { name: $("class-game").value };
  if ($("class-preset").value) game.preset = $("class-preset").value;
  if ($("class-days").value) game.days = Number($("class-days").value);
  const set = () => change({ season: { game, seed: Number($("class-seed").value) || 0 } });
  if (room.now.pupils.some(({ season }) => season.steps > 0)) twice($("class-set"), text("sureSeason"), set);
  else set();
}

/** Starts the teacher's page. */
export async function startTeacher() {
  screens.on("class", show);
  screens.show("class");
  room.about = await ask("/api/class/about");
  const { address, qr } = room.about;
  $("class-address").textContent = address.replace("http://", "");
  if (qr) {
    $("qr").setAttribute("viewBox", `0 0 ${qr.width} ${qr.width}`);
    $("qr").querySelector("path").setAttribute("d", qr.path);
  }
  $("class-open").addEventListener("change", () => change({ open: $("class-open").checked }));
  $("class-game").addEventListener("change", () => fillPresets());
  $("class-season").addEventListener("submit", (event) => { event.preventDefault(); chooseSeason(); });
  $("class-csv").addEventListener("click", () => attempt(table));
  new ResizeObserver(draw).observe($("class-chart"));
  await look();
}
