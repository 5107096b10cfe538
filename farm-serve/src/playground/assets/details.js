// The details of an episode: its picture, all actions, values, log, policies, rules and the game file. Map games are played here.

import { title } from "/cards.js";
import { $, Actions, ask, attempt, counted, element, notice, options, rounded, short, shownUnit, unit, withUnit, words } from "/common.js";
import { openEditor } from "/editing.js";
import { showPad, showWays, wirePad } from "/pad.js";
import { actions, ends, episode, fetchPlace, grow, line, path, players, state } from "/tree.js";

/** Requests the state after the actions, with picture and texts, and shows it. */
export async function look() {
  const hint = $("hints").checked && state.info.policies.length ? $("policy").value : null;
  if (!await fetchPlace({ looks: state.looks, hint })) return;
  controls.forget();
  show();
}

/** Plays a step. */
async function act(action, said) {
  if (state.place?.over) { notice("The episode is over: go back, or start a new one."); return; }
  stop();
  const before = state.at;
  const count = state.nodes.length;
  state.at = grow(before, action, { by: "you" });
  try {
    await look();
  } catch (error) {
    state.at = before;
    if (state.nodes.length > count) {
      state.nodes.pop();
      const { children } = state.nodes[before];
      state.nodes[before].children = children.filter((child) => child < count);
      state.nodes[before].latest = state.nodes[before].children.at(-1) ?? null;
    }
    notice(error.message);
    return;
  }
  const own = state.place.log.filter((entry) => entry.step === state.place.steps);
  const refused = own.filter((entry) => entry.sign === "x");
  notice(refused.length ? `Rejected: ${refused.map((entry) => entry.text).join("; ")}` : said ?? "");
}

async function go(node) {
  const before = state.at;
  state.at = node;
  try { await look(); } catch (error) { state.at = before; notice(error.message); }
}

/** Keys with other uses are not available for actions. */
const controls = new Actions((action) => act(action), "nurhy");
const undo = () => (state.at > 0 ? go(state.nodes[state.at].parent) : notice("This is the start."));
const redo = () => (state.nodes[state.at].latest !== null ? go(state.nodes[state.at].latest) : notice("There is no later step."));

// Automatic play

export function stop() {
  if (state.watching) clearTimeout(state.watching);
  state.watching = null;
  showPlayButton(false);
}

function showPlayButton(isPlaying) {
  $("play-word").textContent = isPlaying ? "Pause" : "Play";
  $("play-sign").setAttribute("d", isPlaying ? "M2 1h3v10H2zM7 1h3v10H7z" : "M2 1l9 5-9 5z");
}

async function playOn() {
  if (state.watching) { stop(); return; }
  if (state.nodes[state.at].latest === null) {
    notice("There is no later step. A policy can play the episode: see “Policies”.");
    return;
  }
  showPlayButton(true);
  const step = async () => {
    const next = state.nodes[state.at].latest;
    if (next === null || !state.watching) { stop(); return; }
    const begun = performance.now();
    await go(next);
    if (state.watching) state.watching = setTimeout(step, Math.max(0, 1000 / $("speed").value - (performance.now() - begun)));
  };
  state.watching = setTimeout(step, 0);
}

/** A policy plays the episode, which is then played back. */
export async function watch() {
  const policy = $("policy").value;
  const by = `\`${policy}\``;
  notice(`${by} plays…`);
  const played = await attempt(() => ask("/api/watch", { ...episode(), policy }));
  if (!played) return;
  state.at = 0;
  let at = 0;
  for (const action of played.actions) at = grow(at, action, { by });
  await attempt(look);
  notice(`${by} earned ${rounded(played.return)} in ${counted(played.actions.length, "step")}${played.cut ? ", and was stopped there" : ""}.`);
  stop();
  playOn();
}

// Display

/** Shows a game that has been opened. */
export function showGame() {
  const { info, choice } = state;
  $("title").textContent = info.farm ? `${title()}${choice.yaml ? " (edited)" : ""}` : choice.yaml ? `${info.name} (edited)` : choice.name;
  $("sub").textContent = [choice.preset, choice.level, `seed ${state.seed}`].filter(Boolean).join(", ");
  document.body.classList.toggle("is-farm", Boolean(info.farm));
  document.title = `${info.name} · Farm games`;
  $("goal").textContent = info.doc;
  if (![...$("game").options].some((option) => option.value === choice.name)) {
    $("game").append(element("option", { value: choice.name }, choice.name));
  }
  $("game").value = choice.name;
  $("seed").value = state.seed;
  // A link can combine presets, as `one+other`.
  const presets = new Set([...info.presets, ...(choice.preset ? [choice.preset] : [])]);
  options($("preset"), [["", "none"], ...[...presets].map((name) => [name, name])], choice.preset ?? "");
  options($("level"), [["", "drawn from the seed"], ...info.levels.map((name) => [name, name])], choice.level ?? "");
  $("level-label").hidden = info.levels.length === 0;
  const chosen = $("policy").value;
  const policies = [...info.policies].reverse().sort((one, other) => one.knows_hidden - other.knows_hidden);
  options($("policy"), policies.map(({ name, knows_hidden }) => [name, knows_hidden ? `${name} (knows hidden values)` : name]),
    policies.some(({ name }) => name === chosen) ? chosen : undefined);
  controls.show(info.tools, info.schedule, info.waits);
  showPad(info.tools);
  if (state.told !== choice.name) $("shown").checked = state.games.find(({ name }) => name === choice.name)?.family !== "valleys" && !choice.name.includes("@");
  state.told = choice.name;
  showRules();
  showWarnings();
  attempt(showSigns);
}

/** Shows the warnings about the game. A dismissed warning is not shown again. */
export function showWarnings() {
  const left = state.info.warnings.filter(({ text }) => !state.dismissed.has(text));
  $("warnings").hidden = left.length === 0;
  $("warnings-text").replaceChildren(...left.map(({ text }) => element("p", {}, `△ ${text}`)));
}

/** The sprites with their names, requested when the user opens them. */
async function showSigns() {
  if (!$("signs").open || $("sheet").dataset.of === JSON.stringify(state.choice)) return;
  const { picture, width, height } = await ask("/api/signs", state.choice);
  $("sheet").src = `data:image/png;base64,${picture}`;
  $("sheet").width = width;
  $("sheet").height = height;
  $("sheet").dataset.of = JSON.stringify(state.choice);
}

/** Shows or hides the effects of actions, which players of the valleys have to discover. */
function showRules() {
  const isTold = $("shown").checked;
  $("instructions").textContent = state.info.instructions[isTold ? "shown" : "hidden"];
  for (const about of document.querySelectorAll("#actions .about")) about.hidden = !isTold;
}

/** Shows the details of the current place. */
export function show() {
  const { place, info } = state;
  const most = info.max_steps === null ? "" : ` of ${info.max_steps}`;
  const last = place.rewards.at(-1);
  $("status").textContent = `Step ${place.steps}${most} · return ${rounded(place.return)}${last === undefined ? "" : ` · last reward ${rounded(last)}`}`;
  const picture = $("picture");
  picture.src = `data:image/png;base64,${place.picture}`;
  picture.width = place.width;
  picture.height = place.height;
  picture.alt = `${state.looks === "learner" ? "The learner's view" : "The full view"} after ${counted(place.steps, "step")}; the tables under “Seen” show the same as text.`;
  picture.hidden = !place.picture;
  $("end").hidden = !(place.over || place.failure);
  $("end").textContent = place.failure ? `No further step is possible: ${place.failure}`
    : `The episode is over${ending(place.reason)}. ${earned(place.return)} Go back to try something else, draw another seed, or let a policy play this one.`;
  $("text").replaceChildren(...place.text.split(/^( .*)$/m).map((part) => (part.startsWith(" ") ? element("span", { class: "row" }, part) : part)));
  const reply = state.nodes[state.at].reply;
  $("reply").hidden = reply === undefined;
  $("reply-text").textContent = reply ?? "";
  $("hint").hidden = place.hint === null;
  $("hint").textContent = place.hint === null ? "" : `${$("policy").value} would do: ${place.hint === "[]" ? "nothing" : place.hint} (y does it)`;
  const way = line();
  $("scrub").max = way.length - 1;
  $("scrub").value = way.indexOf(state.at);
  $("step-shown").textContent = `${way.indexOf(state.at)} of ${way.length - 1}`;
  $("undo").disabled = state.at === 0;
  $("redo").disabled = state.nodes[state.at].latest === null;
  showSeen();
  showPlots();
  showLog();
  showChoices();
}

/** The reason for the end: `: all plants are harvested` or ` after 40 steps`. */
const ending = (reason) => (reason ? `${reason.startsWith("after ") ? "" : ":"} ${reason}` : "");

function earned(total) {
  const all = players();
  if (!all.length || all.includes(undefined)) return `The return is ${rounded(total)}.`;
  const who = all.join(" and ");
  return `${who[0].toUpperCase()}${who.slice(1)} earned ${rounded(total)}.`;
}

/** A map, which keeps its rows and scrolls if it is too wide. */
const map = (title, value) => element("div", { class: "map", role: "group", "aria-label": title, tabindex: 0 }, element("table", {}, element("caption", {}, title),
  element("tbody", {}, ...value.split("\n").map((row) => element("tr", {}, ...row.trim().split(/\s+/).map((cell) => element("td", { title: cell }, short(cell))))))));

function showSeen() {
  const groups = new Map();
  for (const value of state.place.shown) {
    const forecast = /forecast/i.test(value.name);
    const group = forecast ? "Forecast" : value.part.replace(/^Field-0\./, "") || "Farmer";
    if (!groups.has(group)) groups.set(group, []);
    groups.get(group).push(value);
  }
  const table = ([group, values]) => element("table", {}, element("caption", {}, group), element("colgroup", {}, element("col", { class: "name" }), element("col")),
    element("tbody", {}, ...values.map(({ name, value, hidden }) => {
      const own = group === "Forecast" ? name.replace(/^.*forecast\./i, "") : name;
      if (value.includes("\n")) {
        const title = `${words(own)}${shownUnit(name) ? `, ${shownUnit(name)}` : ""}`;
        return element("tr", {}, element("td", { colspan: 2 }, map(title, value)));
      }
      return element("tr", { class: hidden ? "hidden" : undefined },
        element("th", { scope: "row" }, words(own), hidden ? element("span", { class: "mark" }, " (hidden)") : ""), element("td", { title: value }, withUnit(name, value)));
    })));
  $("seen").replaceChildren(...[...groups].map(table));
}

/** A line over the steps, with its minimum and maximum. */
function plot(title, values, note) {
  const known = values.filter((value) => value !== null);
  const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [0, 0];
  const [width, height] = [240, 70];
  const x = (i) => 4 + (i / Math.max(values.length - 1, 1)) * (width - 8);
  const y = (value) => (high === low ? height / 2 : 4 + (1 - (value - low) / (high - low)) * (height - 8));
  let drawn = "";
  values.forEach((value, i) => {
    if (value !== null) drawn += `${i > 0 && values[i - 1] !== null ? "L" : "M"}${x(i).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const said = `${title}: from ${rounded(low)} to ${rounded(high)}, now ${rounded(values.at(-1) ?? null)}`;
  svg.setAttribute("viewBox", `0 0 ${width} ${height + 2}`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", said);
  const add = (tag, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    svg.append(made);
  };
  add("line", { class: "axis", x1: 4, x2: width - 4, y1: height, y2: height });
  add("path", { class: "line", d: drawn || "M0 0" });
  return element("figure", {}, element("figcaption", {}, element("span", {}, title + (note ? ` (${note})` : "")),
    element("b", {}, rounded(values.at(-1) ?? null))), svg,
  element("div", { class: "range", "aria-hidden": true }, element("span", {}, `${rounded(low)} to ${rounded(high)}`), element("span", {}, `step ${values.length - 1}`)));
}

function showPlots() {
  if ($("panel-season").hidden) return;
  let total = 0;
  const returns = [0, ...state.place.rewards.map((reward) => (total += reward))];
  // A chart of the date shows nothing.
  const plots = state.place.series.filter(({ key }) => unit(key) !== "int365").map(({ key, values, is_mean }) => {
    const part = key.includes(".") ? `${key.replace(/^Field-0\./, "").split("-")[0]}: ` : "";
    const name = key.replace(/^([A-Za-z]+-\d+\.)*/, "");
    return plot(`${part}${words(name)}${shownUnit(name) ? `, ${shownUnit(name)}` : ""}`, values, is_mean ? "mean of the plots" : "");
  });
  $("plots").replaceChildren(plot("Return", returns), ...plots);
}

function showLog() {
  const entries = state.place.log.map(({ step, sign, text }) => {
    const earned = sign === "=" ? (text.startsWith("+") ? "gain" : "loss") : sign === "x" ? "x" : undefined;
    return element("li", { class: earned }, element("span", {}, String(step)), element("span", { "aria-hidden": true }, sign),
      element("span", {}, text));
  });
  $("log").replaceChildren(...(entries.length ? entries : [element("li", {}, "", "", "Nothing has happened yet.")]));
  $("log").scrollTop = $("log").scrollHeight;
  $("branches").replaceChildren(...ends().map((node) => element("li", {}, element("button", {
    type: "button", "aria-current": node === state.at ? "true" : undefined, onclick: () => go(node),
  }, `${counted(path(node).length, "step")}, the last: ${state.nodes[node].action === "[]" ? "nothing" : state.nodes[node].action}`))));
}

// Actions

function showChoices() {
  const refused = new Map(state.place.choices.map((choice) => [choice.action, choice.refused]));
  showWays(refused);
  for (const card of $("actions").querySelectorAll(".action[data-action]")) {
    const why = refused.get(card.dataset.action);
    card.querySelector(".refused")?.remove();
    card.querySelector("button").disabled = state.place.over;
    if (why && !state.place.over) card.append(element("p", { class: "refused" }, `Rejected now: ${why}`));
  }
}

// Keys and buttons

/** The keys of the details. Returns whether the key was used. */
export function pressDetails(event) {
  const known = { n: () => controls.wait(), u: undo, r: redo, h: toggleHint, y: followHint }[event.key];
  if (known) { known(); return true; }
  return controls.press(event);
}

function toggleHint() {
  $("hints").checked = !$("hints").checked;
  attempt(look);
}

function followHint() {
  if (state.place.hint === null) { notice("There is no hint. Press h for one."); return; }
  act(state.place.hint);
}

/** Shows a tab. */
export function tab(button) {
  for (const other of document.querySelectorAll("#tabs [role=tab]")) {
    const isChosen = other === button;
    other.setAttribute("aria-selected", isChosen);
    other.tabIndex = isChosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
  if (button.id === "tab-file") attempt(openEditor);
  if (button.id === "tab-season" && state.place) showPlots();
}

/** Buttons and tabs. */
export function wireDetails() {
  wirePad();
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("play").addEventListener("click", playOn);
  $("scrub").addEventListener("input", () => { stop(); go(line()[Number($("scrub").value)]); });
  $("everything").addEventListener("change", () => { state.looks = $("everything").checked ? "everything" : "learner"; attempt(look); });
  $("hints").addEventListener("change", () => attempt(look));
  $("policy").addEventListener("change", () => { if ($("hints").checked) attempt(look); });
  $("watch").addEventListener("click", watch);
  $("signs").addEventListener("toggle", () => attempt(showSigns));
  $("shown").addEventListener("change", showRules);
  const tabs = [...document.querySelectorAll("#tabs [role=tab]")];
  tabs.forEach((button, i) => {
    button.addEventListener("click", () => tab(button));
    button.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      const next = tabs[(i + by + tabs.length) % tabs.length];
      next.focus();
      tab(next);
    });
  });
}
