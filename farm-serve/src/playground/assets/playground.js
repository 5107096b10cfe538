// The page: opens games, and switches between its screens. Each request sends all actions; the page stores the tree of moves.

import { drawLosses, forgetVerdict, showCard, showEnd } from "/cards.js";
import { $, ask, attempt, element, isTaken, notice, takeToken } from "/common.js";
import { look, pressDetails, showGame, showWarnings, stop, tab, watch, wireDetails } from "/details.js";
import { editedText, editorText } from "/editing.js";
import { adviser, goTo, openFarm, pressPlay, show as showFarm, wireFarm } from "/farm.js";
import { FIRST, openFile, openLink, openPacked, opening, save, share } from "/files.js";
import { leaveLesson, listLessons, openLesson, pressLesson, wireLesson } from "/lesson.js";
import { showPupil, startPupil } from "/pupil.js";
import { screens } from "/screens.js";
import { pressSeason, showSeason, wireSeason } from "/season.js";
import { startTeacher } from "/teacher.js";
import { showStart, wireStart } from "/start.js";
import { begin, fetchPlace, grow, state } from "/tree.js";
import { language, switchLanguage, text } from "/words.js";

// Opening

/** Opens a game. A farm starts with its card, or with the end of a given episode; other games have only their details. */
async function open(choice, seed, given = [], screen = undefined) {
  stop();
  forgetVerdict();
  leaveLesson();
  const info = await ask("/api/game", choice);
  state.choice = choice;
  state.info = info;
  state.seed = seed;
  begin();
  for (const entry of given) state.at = grow(state.at, entry.action, entry.more);
  if (info.farm) openFarm();
  showGame();
  state.screen = info.farm ? screen ?? (given.length ? "play" : "card") : "details";
  if (state.screen !== "details") await fetchPlace({ details: false });
  if (state.screen === "play" && state.place.over) state.screen = "end";
  screens.show(state.screen);
  if (!choice.yaml) await editorText(info.yaml);
}

opening.open = open;
opening.rewind = () => { state.at = 0; return attempt(look); };

/** Plays the edited game. */
async function applyEdit() {
  await open({ name: state.choice.name, yaml: editedText() }, state.seed, [], "details");
  notice("Playing the edited game.");
  $("stage").focus();
}

/** The choice in the form. */
function wanted() {
  const choice = { name: $("game").value };
  const isSame = choice.name === state.choice.name;
  if (isSame && state.choice.yaml) choice.yaml = state.choice.yaml;
  if (isSame && $("preset").value) choice.preset = $("preset").value;
  if (isSame && $("level").value) choice.level = $("level").value;
  return choice;
}

const draw = () => crypto.getRandomValues(new Uint32Array(1))[0];

// Screens

/** Shows the details with a tab. */
async function toDetails(id) {
  screens.show("details");
  if (id) tab($(id));
  // A key on the button that led here would lead back.
  $("stage").focus({ preventScroll: true });
}

/** Lets the expert play, and shows it. */
async function watchExpert() {
  $("policy").value = adviser();
  await toDetails("tab-log");
  await watch();
}

function toStart() {
  stop();
  forgetVerdict();
  leaveLesson();
  return attempt(showStart);
}

/** The address of a game, with several plots if a preset has them. */
function addressOf(name) {
  const { presets } = state.games.find((game) => game.name === name);
  return new URLSearchParams({ game: name, ...(presets.includes(FIRST) ? { preset: FIRST } : {}) });
}

function showGames(isShown) {
  $("games").hidden = !isShown;
  $("to-games").setAttribute("aria-expanded", isShown);
  if (isShown) $("game").focus();
}

/** Writes all fixed texts in the language of the page. */
function translate() {
  document.documentElement.lang = language.code;
  for (const own of document.querySelectorAll("[data-t]")) own.textContent = text(own.dataset.t);
  $("language").textContent = language.code.toUpperCase();
  const names = { language: "language", theme: "theme", "to-season": "season", "to-games": "menu", "end-share": "share", "end-season": "seasonChart",
    "field-region": "fieldRegion", "jobs-region": "jobsRegion", "time-region": "timeRegion" };
  for (const [id, key] of Object.entries(names)) $(id).setAttribute("aria-label", text(key));
  document.querySelector(".pick").setAttribute("aria-label", text("selectPlots"));
  $("themes").setAttribute("aria-label", text("themes"));
  if (document.documentElement.dataset.of === "playground") attempt(listLessons);
  if (state.place || ["join", "class", "start"].includes(state.screen)) screens.show(state.screen);
  showPupil();
}

function switchTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

// Keys and buttons

function key(event) {
  if (isTaken(event) || !state.place || !$("games").hidden && event.key !== "Escape") return;
  if (event.key === "Escape" && !$("games").hidden) { showGames(false); $("to-games").focus(); event.preventDefault(); return; }
  const { screen } = state;
  const isField = event.target.closest("#field, #doses") && event.key.startsWith("Arrow");
  const pressed = {
    details: () => (event.key.length === 1 || event.key.startsWith("Arrow")) && pressDetails(event),
    play: () => !isField && pressPlay(event),
    season: () => pressSeason(event) || (event.key === "Escape" || event.key === "c") && (backFromSeason(), true),
    card: () => event.key === "Enter" && (screens.show("play"), true),
    lesson: () => pressLesson(event),
    sheet: () => event.key === "Escape" && (screens.show("lesson"), true),
    start: () => false,
    join: () => false,
    class: () => false,
    end: () => ({ u: undoEnd, c: () => { screens.show("season"); return true; } })[event.key]?.(),
  }[screen]();
  if (pressed) event.preventDefault();
  else if (event.key === "Escape" && state.info.farm && screen === "details") { event.preventDefault(); attempt(backToPlay); }
  else if (event.key.length === 1 && !["card", "start", "join", "class", "sheet"].includes(screen)) notice(text("noKey", { key: event.key }));
}

const backFromSeason = () => screens.show(state.place.over ? "end" : "play");
function undoEnd() { screens.show("play"); $("back").click(); return true; }

/** From the details back to the play screen, at the current step. */
async function backToPlay() {
  stop();
  state.screen = "play";
  await goTo(state.at);
  screens.show(state.place.over ? "end" : "play");
}

function wire() {
  screens.on("card", showCard);
  screens.on("play", showFarm);
  screens.on("season", () => attempt(showSeason));
  screens.on("end", showEnd);
  screens.on("details", () => attempt(look));
  $("choose").addEventListener("submit", (event) => { event.preventDefault(); showGames(false); attempt(() => open(wanted(), Number($("seed").value) || 0)); });
  for (const id of ["game", "preset", "level"]) $(id).addEventListener("change", () => attempt(() => open(wanted(), state.seed)));
  for (const id of ["dice", "new-weather"]) $(id).addEventListener("click", () => attempt(() => open(wanted(), draw())));
  $("dismiss").addEventListener("click", () => {
    for (const warning of state.info.warnings) state.dismissed.add(warning.text);
    showWarnings();
    $("main").focus();
  });
  for (const id of ["share", "end-share"]) $(id).addEventListener("click", () => attempt(share));
  $("save").addEventListener("click", save);
  $("open").addEventListener("change", () => attempt(async () => { await openFile($("open").files[0]); $("open").value = ""; }));
  $("apply").addEventListener("click", () => attempt(applyEdit));
  $("revert").addEventListener("click", () => attempt(() => open({ name: state.choice.name }, state.seed, [], "details")));
  $("to-games").addEventListener("click", () => showGames($("games").hidden));
  $("to-details").addEventListener("click", () => (state.screen === "details" ? attempt(backToPlay) : toDetails()));
  $("to-season").addEventListener("click", () => (state.screen === "season" ? backFromSeason() : screens.show("season")));
  $("season-back").addEventListener("click", backFromSeason);
  $("end-season").addEventListener("click", () => screens.show("season"));
  $("end-undo").addEventListener("click", undoEnd);
  $("begin").addEventListener("click", () => screens.show("play"));
  $("watch-expert").addEventListener("click", () => attempt(watchExpert));
  $("change").addEventListener("click", () => toDetails("tab-file"));
  $("language").addEventListener("click", () => { switchLanguage(); translate(); });
  $("theme").addEventListener("click", switchTheme);
  new ResizeObserver(() => { if (state.screen === "end") drawLosses(); }).observe($("curve"));
  document.addEventListener("keydown", key);
  wireLesson(open);
  wireStart((name) => { location.hash = addressOf(name); }, (name) => attempt(async () => { await openLink(addressOf(name)); await watchExpert(); }));
  wireDetails();
  wireFarm();
  wireSeason();
}

async function start() {
  const given = takeToken();
  if (localStorage.getItem("theme")) document.documentElement.dataset.theme = localStorage.getItem("theme");
  wire();
  translate();
  if (document.documentElement.dataset.of === "class") {
    await (location.pathname === "/teacher" ? startTeacher() : startPupil(open));
    return;
  }
  const { games } = await ask("/api/games");
  state.games = games;
  const families = [...new Set(games.map((game) => game.family))];
  $("game").replaceChildren(...families.map((family) => element("optgroup", { label: family },
    ...games.filter((game) => game.family === family).map(({ name, doc }) => element("option", { value: name, title: doc }, name)))));
  addEventListener("hashchange", () => attempt(async () => {
    const other = takeToken();
    if (other.has("e")) await openPacked(other.get("e"));
    else if (other.has("lesson")) await openLesson(other.get("lesson"), other.has("sheet"));
    else if (other.has("game")) await openLink(other);
    else toStart();
    showGames(false);
  }));
  if (given.has("e") && await attempt(async () => { await openPacked(given.get("e")); return true; })) return;
  if (given.has("lesson") && await attempt(async () => { await openLesson(given.get("lesson"), given.has("sheet")); return true; })) return;
  if (state.games.length > 1 && !given.has("game")) { await toStart(); return; }
  await openLink(given);
}

attempt(start);
