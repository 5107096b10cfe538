// A lesson: cards with a task, checks by the server, and questions. The season is played on the screens of the farm.

import { drawSeason } from "/chart.js";
import { $, ask, attempt, element, notice } from "/common.js";
import { icon } from "/farm.js";
import { screens } from "/screens.js";
import { actions, episode, path, state } from "/tree.js";
import { text, words } from "/words.js";

/** The lesson, the card, the number of days before the card, the results of its checks, the answers given, and how a season is opened. */
const lesson = { told: null, at: 0, from: 0, results: [], checked: "", answered: [], isOpening: false, open: null };

const card = () => lesson.told.cards[lesson.at];
const isDone = () => lesson.results.length === card().checks.length && lesson.results.every(({ holds }) => holds);
const isAnswered = () => !card().question || lesson.answered[lesson.at] === card().question.right;
/** The place in the browser where a lesson's card is kept. */
const place = () => `lesson:${lesson.told.name}`;

/** Opens a lesson at the card where it was left. */
export async function openLesson(name, isSheet = false) {
  lesson.told = await ask("/api/lesson", { name });
  Object.assign(lesson, { at: 0, answered: [], results: [] });
  const left = Number(localStorage.getItem(place())) || 0;
  // A card continues the season of the card before, so a return starts with the card that opened the season.
  let at = Math.min(left, lesson.told.cards.length - 1);
  while (at > 0 && !lesson.told.cards[at].season) at -= 1;
  history.replaceState(null, "", `#lesson=${encodeURIComponent(name)}`);
  await toCard(at);
  if (isSheet) screens.show("sheet");
}

/** Leaves the lesson when another game is opened. */
export function leaveLesson() {
  if (lesson.isOpening) return;
  lesson.told = null;
  $("of-lesson").hidden = true;
}

async function toCard(at) {
  lesson.at = at;
  Object.assign(lesson, { results: [], checked: "" });
  localStorage.setItem(place(), at);
  const { season } = card();
  if (season) {
    lesson.isOpening = true;
    try {
      const { game, seed, played, played_by: policy } = season;
      const before = played ? (await ask("/api/watch", { game, seed, policy })).actions.slice(0, played) : [];
      lesson.from = before.length;
      await lesson.open(game, seed, before.map((action) => ({ action, more: { by: policy } })), "lesson");
    } finally {
      lesson.isOpening = false;
    }
  } else {
    lesson.from = path(state.at).length;
    screens.show("lesson");
  }
  await check();
  $("lesson-title").focus({ preventScroll: true });
}

/** Asks which checks hold, once for each place. */
async function check() {
  if (!lesson.told || lesson.isOpening) return;
  const of = JSON.stringify([lesson.at, actions(state.at)]);
  if (lesson.checked === of) return;
  lesson.checked = of;
  const was = isDone();
  try {
    const { checks } = await ask("/api/lesson/check", { lesson: lesson.told.name, card: lesson.at, ...episode(), actions: actions(state.at), from: lesson.from });
    // An answer about an earlier place comes too late.
    if (lesson.checked !== of) return;
    lesson.results = checks;
  } catch (error) {
    lesson.checked = "";
    notice(error.message);
    return;
  }
  if (!was && isDone() && state.screen !== "lesson") notice(text("taskDone"));
  showStrip();
  if (state.screen === "lesson") show();
}

// Display

const heading = () => text("taskOf", { n: lesson.at + 1, of: lesson.told.cards.length });

/** The line below the header, while the season is played. */
export function showStrip() {
  $("of-lesson").hidden = !lesson.told || ["lesson", "sheet"].includes(state.screen);
  if ($("of-lesson").hidden) return;
  const marks = card().checks.map((_, i) => (lesson.results[i]?.holds ? "✓" : "○")).join(" ");
  $("lesson-line").textContent = `${heading()}: ${words(card().title)} ${marks}`;
  $("to-card").textContent = text(isDone() ? "taskReady" : "toCard");
  $("to-card").classList.toggle("pri", isDone());
}

function show() {
  if (!lesson.told) return;
  const own = card();
  $("title").textContent = words(lesson.told.title);
  $("sub").textContent = heading();
  document.title = words(lesson.told.title);
  $("lesson-steps").setAttribute("aria-label", heading());
  $("lesson-steps").replaceChildren(...lesson.told.cards.map((_, i) => element("li", { class: i < lesson.at ? "d" : i === lesson.at ? "c" : "" })));
  $("lesson-title").textContent = words(own.title);
  $("lesson-task").textContent = words(own.task);
  $("lesson-checks").replaceChildren(...own.checks.map((told, i) => {
    const result = lesson.results[i];
    const day = result?.holds && result.day !== null ? ` ${text("sinceDay", { n: result.day })}` : "";
    return element("li", { class: result?.holds ? "ok" : "" }, element("span", { "aria-hidden": "true" }, result?.holds ? "✓" : "○"), element("span", { class: "sr" }, text(result?.holds ? "checkOk" : "checkOpen")), ` ${words(told)}${day}`);
  }));
  showQuestion();
  const last = lesson.at === lesson.told.cards.length - 1;
  $("lesson-play").replaceChildren(icon("play"), text(lesson.results.some(({ day }) => day !== null) || path(state.at).length > lesson.from ? "goOnPlay" : "toField"));
  $("lesson-play").classList.toggle("pri", !isDone());
  const ready = isDone() && isAnswered();
  $("lesson-next").textContent = text(last ? "lessonEnd" : "nextTask");
  $("lesson-next").classList.toggle("pri", ready);
  $("lesson-next").setAttribute("aria-disabled", !ready);
  if (state.place?.season) drawSeason($("lesson-chart"), { season: state.place.season, info: state.info.farm, field: 0, short: true });
}

function showQuestion() {
  const { question } = card();
  $("lesson-question").hidden = !question || !isDone();
  if ($("lesson-question").hidden) return;
  $("lesson-asks").textContent = words(question.text);
  const given = lesson.answered[lesson.at];
  $("lesson-answers").setAttribute("aria-label", words(question.text));
  const focused = [...$("lesson-answers").children].indexOf(document.activeElement);
  $("lesson-answers").replaceChildren(...question.answers.map((answer, i) => element("button", { type: "button", "aria-pressed": String(i === given), onclick: () => choose(i) },
    element("b", {}, `${"ABCDEFGHI"[i]}.`), element("span", {}, words(answer)))));
  if (focused >= 0) $("lesson-answers").children[focused]?.focus();
  const told = given === undefined ? "" : given === question.right ? `✓ ${text("right")} ${words(question.because)}` : text("wrong");
  if ($("lesson-told").textContent !== told) $("lesson-told").textContent = told;
}

function choose(i) {
  if (!card().question?.answers[i] || $("lesson-question").hidden) return;
  lesson.answered[lesson.at] = i;
  show();
}

function next() {
  if ($("lesson-next").getAttribute("aria-disabled") === "true") { notice(text(isDone() ? "answerFirst" : "taskFirst")); return; }
  if (lesson.at < lesson.told.cards.length - 1) { attempt(() => toCard(lesson.at + 1)); return; }
  localStorage.removeItem(place());
  notice(text("lessonOver", { title: words(lesson.told.title) }));
  leaveLesson();
  toSeason();
}

/** From the card to the season, which may be over. */
const toSeason = () => screens.show(state.place.over ? "end" : "play");

/** The keys of a card. Returns whether the key was used. */
export function pressLesson(event) {
  const answer = "abcdefghi".indexOf(event.key);
  if (event.key === "Enter") (isDone() ? next : toSeason)();
  else if (event.key === "Escape") toSeason();
  else if (answer >= 0 && card().question) choose(answer);
  else return false;
  return true;
}

/** The sheet for the teacher: the whole lesson with its answers, to print. */
function showSheet() {
  const { told } = lesson;
  if (!told) return;
  $("title").textContent = words(told.title);
  $("sub").textContent = text("sheet");
  $("sheet-title").textContent = words(told.title);
  $("sheet-about").textContent = `${words(told.learns)} ${text("minutes", { n: told.minutes })}.`;
  $("sheet-cards").replaceChildren(...told.cards.map((one) => element("li", {}, element("h3", {}, words(one.title)), element("p", {}, words(one.task)),
    element("ul", {}, ...one.checks.map((own) => element("li", {}, words(own)))),
    ...(one.question ? [element("p", {}, element("b", {}, words(one.question.text))), element("ol", { class: "answers" }, ...one.question.answers.map((answer, i) =>
      element("li", { class: i === one.question.right ? "ok" : "" }, words(answer), i === one.question.right ? ` ✓ ${words(one.question.because)}` : "")))] : []),
    element("p", { class: "note" }, element("b", {}, text("forTeacher")), ` ${words(one.teacher)}`))));
}

/** Lists the lessons of the server, as links. */
export async function listLessons() {
  const lessons = await ask("/api/lessons");
  const links = () => lessons.map(({ name, title, learns, minutes }) => element("a", { href: `#lesson=${encodeURIComponent(name)}`, title: words(learns) }, `${words(title)}, ${text("minutes", { n: minutes })}`));
  $("lessons").hidden = !lessons.length;
  $("lesson-links").replaceChildren(...links());
}

/** Wires the screens of a lesson. `open` opens a season with its actions on a screen. */
export function wireLesson(open) {
  lesson.open = open;
  screens.on("lesson", () => { show(); attempt(check); });
  screens.on("sheet", showSheet);
  $("lesson-play").addEventListener("click", toSeason);
  $("lesson-next").addEventListener("click", next);
  $("to-card").addEventListener("click", () => { notice(""); screens.show("lesson"); });
  $("to-sheet").addEventListener("click", () => { notice(""); screens.show("sheet"); });
  $("sheet-back").addEventListener("click", () => screens.show("lesson"));
  $("sheet-print").addEventListener("click", () => print());
  document.addEventListener("place", () => attempt(check));
  document.addEventListener("screen", showStrip);
  new ResizeObserver(() => { if (state.screen === "lesson") show(); }).observe($("lesson-chart"));
}
