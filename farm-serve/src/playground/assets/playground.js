// The playground. Each request sends all actions of the episode; this page stores the tree of moves.

import { $, Actions, ask, attempt, counted, element, isTaken, notice, options, rounded, short, shownUnit, takeToken, unit, withUnit, words } from "/common.js";

const FORMAT = "farm-episode";

/** The game, its episode, and the tree of moves; node 0 is the start. */
const state = {
  games: [], info: null, choice: { name: "" }, seed: 0, nodes: [], at: 0, place: null, looks: "learner", watching: null, dismissed: new Set(),
};

// The tree of moves

function path(node) {
  const way = [];
  for (let at = node; at > 0; at = state.nodes[at].parent) way.push(at);
  return way.reverse();
}

const actions = (node) => path(node).map((at) => state.nodes[at].action);

/** Continues from a node with an action; the same action leads to the same node. `more` can have the player, `by`, and a `reply`. */
function grow(parent, action, more = {}) {
  const known = state.nodes[parent].children.find((child) => state.nodes[child].action === action);
  const node = known ?? state.nodes.length;
  if (known === undefined) {
    state.nodes.push({ parent, action, children: [], latest: null });
    state.nodes[parent].children.push(node);
  }
  Object.assign(state.nodes[node], more);
  state.nodes[parent].latest = node;
  return node;
}

function begin() {
  state.nodes = [{ parent: null, action: null, children: [], latest: null }];
  state.at = 0;
}

/** The path from the start through the current node to the end of the last continuation. */
function line() {
  const way = [0, ...path(state.at)];
  for (let at = state.nodes[state.at].latest; at !== null; at = state.nodes[at].latest) way.push(at);
  return way;
}

/** The players of the steps up to the current node; `undefined` for an unknown player. */
const players = () => [...new Set(path(state.at).map((node) => state.nodes[node].by))];

// An episode

const episode = () => ({ game: state.choice, seed: state.seed });

async function open(choice, seed, given = []) {
  stop();
  const info = await ask("/api/game", choice);
  state.choice = choice;
  state.info = info;
  state.seed = seed;
  begin();
  for (const entry of given) state.at = grow(state.at, entry.action, entry.more);
  showGame();
  await look();
  if (!choice.yaml) await editorText(info.yaml);
}

/** Requests the state after the actions and shows it. If two requests overlap, the later one counts. */
let asked = 0;
async function look() {
  asked += 1;
  const mine = asked;
  const hint = $("hints").checked && state.info.policies.length ? $("policy").value : null;
  const way = path(state.at);
  const place = await ask("/api/place", { ...episode(), actions: actions(state.at), looks: state.looks, hint });
  if (mine !== asked) return;
  place.actions.forEach((action, i) => { state.nodes[way[i]].action = action; });
  // Actions after the end of the episode were not played.
  if (place.steps < way.length) state.at = place.steps === 0 ? 0 : way[place.steps - 1];
  state.place = place;
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

function stop() {
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

async function watch() {
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

function showGame() {
  const { info, choice } = state;
  $("title").textContent = choice.yaml ? `${info.name} (edited)` : choice.name;
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
  if (state.told !== choice.name) $("shown").checked = state.games.find(({ name }) => name === choice.name)?.family !== "valleys" && !choice.name.includes("@");
  state.told = choice.name;
  showRules();
  showWarnings();
  attempt(showSigns);
}

/** Shows the warnings about the game. A dismissed warning is not shown again. */
function showWarnings() {
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

function show() {
  const { place, info } = state;
  const most = info.max_steps === null ? "" : ` of ${info.max_steps}`;
  const last = place.rewards.at(-1);
  $("status").textContent = `Step ${place.steps}${most} · return ${rounded(place.return)}${last === undefined ? "" : ` · last reward ${rounded(last)}`}`;
  const picture = $("picture");
  picture.src = `data:image/png;base64,${place.picture}`;
  picture.width = place.width;
  picture.height = place.height;
  picture.alt = `${state.looks === "learner" ? "The learner's view" : "The full view"} after ${counted(place.steps, "step")}; the tables under “Seen” show the same as text.`;
  picture.hidden = false;
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
  const ends = state.nodes.map((node, i) => i).filter((i) => state.nodes[i].children.length === 0 && i > 0);
  $("branches").replaceChildren(...ends.map((node) => element("li", {}, element("button", {
    type: "button", "aria-current": node === state.at ? "true" : undefined, onclick: () => go(node),
  }, `${counted(path(node).length, "step")}, the last: ${state.nodes[node].action === "[]" ? "nothing" : state.nodes[node].action}`))));
}

// Actions

function showChoices() {
  const refused = new Map(state.place.choices.map((choice) => [choice.action, choice.refused]));
  for (const card of $("actions").querySelectorAll(".action[data-action]")) {
    const why = refused.get(card.dataset.action);
    card.querySelector(".refused")?.remove();
    card.querySelector("button").disabled = state.place.over;
    if (why && !state.place.over) card.append(element("p", { class: "refused" }, `Rejected now: ${why}`));
  }
}

// Files and links

const bytesToText = (bytes) => btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const textToBytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let out = "";
  for (let i = 0; i < bytes.length; i += 3 * 4096) out += bytesToText(bytes.subarray(i, i + 3 * 4096));
  return out;
}

async function unpacked(text) {
  const stream = new Blob([textToBytes(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

/** The policy that played all steps up to the current node, if there is one. */
const onlyPolicy = () => (players().length === 1 ? players()[0]?.match(/^`(.*)`$/)?.[1] : undefined);

const saved = () => ({
  format: FORMAT, version: 1, ...state.choice, fingerprint: state.info.fingerprint, seed: state.seed, policy: onlyPolicy(), actions: actions(state.at),
});

async function share() {
  const link = new URL(location.href);
  link.hash = `e=${await packed(JSON.stringify(saved()))}`;
  history.replaceState(null, "", link);
  try {
    await navigator.clipboard.writeText(link.href);
    notice("The link is copied.");
  } catch {
    notice("The link is in the address bar.");
  }
}

function save() {
  const text = `${JSON.stringify(saved(), null, 1)}\n`;
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "application/json" })), download: `${state.info.name}-${state.seed}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Opens a saved episode, and warns if the game has changed since. */
async function openSaved(from) {
  if (from.format !== FORMAT || !Array.isArray(from.actions)) throw new Error("This is not an episode saved by this page.");
  const { name, preset, level, yaml } = from;
  const choice = Object.fromEntries(Object.entries({ name, preset, level, yaml }).filter(([, value]) => value !== undefined));
  const more = from.policy ? { by: `\`${from.policy}\`` } : {};
  await open(choice, Number(from.seed) || 0, from.actions.map((action) => ({ action: String(action), more })));
  if (yaml) await editorText(yaml);
  if (from.fingerprint && from.fingerprint !== state.info.fingerprint) {
    notice("The game has changed since this was saved: the same actions may have other results.");
  }
}

const openPacked = async (text) => openSaved(JSON.parse(await unpacked(text)));

/** Opens the game of a link, `#game=…&preset=…&level=…&seed=…`. If its preset or level does not exist, opens the game without it and reports that. */
async function openLink(given) {
  const name = given.get("game") ?? state.games[0]?.name;
  if (!name) return;
  const seed = Number(given.get("seed")) || 0;
  const variant = Object.fromEntries(["preset", "level"].filter((key) => given.get(key)).map((key) => [key, given.get(key)]));
  try {
    await open({ name, ...variant }, seed);
  } catch (error) {
    const keys = Object.keys(variant);
    if (!keys.length) throw error;
    await open({ name }, seed);
    notice(`Opened without the ${keys.join(" and ")} of the link: ${error.message}.`);
  }
}

/** Opens a file: a saved episode, a trace of an agent, or a recording. */
async function openFile(file) {
  if (file.size > 64 * 1024 * 1024) throw new Error("The file is larger than 64 MB.");
  const text = await file.text();
  if (text.trimStart().startsWith("{")) {
    let whole = null;
    try { whole = JSON.parse(text); } catch { /* a line each, then */ }
    if (whole?.format === FORMAT) return openSaved(whole);
    return openTrace(text);
  }
  const lines = text.split("\n").map((one) => one.trim()).filter((one) => one && !one.startsWith("#"));
  const seed = text.match(/--seed (\d+)/);
  await open(state.choice, seed ? Number(seed[1]) : state.seed, lines.map((action) => ({ action })));
}

/** Opens a trace. It contains the fingerprint of its game, which identifies a served game or one of its levels. */
async function openTrace(text) {
  const lines = text.split("\n").filter((one) => one.trim()).map((one) => { try { return JSON.parse(one); } catch { return {}; } });
  const opening = lines.find((one) => one.type === "episode");
  const calls = lines.filter((one) => one.type === "call" && one.played);
  if (!opening || !calls.length) throw new Error("This is not a trace of `farm agents play`, a recording, or an episode saved by this page.");
  const served = state.games.find((game) => game.fingerprint === opening.fingerprint);
  const choice = { name: served?.name ?? state.choice.name };
  if (!served && opening.level && state.info.levels.includes(opening.level)) choice.level = opening.level;
  const given = calls.map((call) => ({ action: call.actions.length ? call.actions.join("; ") : "[]", more: { by: "the agent", reply: call.reply } }));
  await open(choice, opening.seed, given);
  await go(0);
  notice(opening.fingerprint === state.info.fingerprint
    ? "A trace: play it, or use the slider. Each reply is under “Seen”."
    : `This trace belongs to another game than ${choice.name}: choose its game, then open the trace again.`);
}

// The game file

let editor = null;
let checking = 0;

async function editorText(text) {
  state.text = text;
  if (editor) { editor.set(text); await check(); }
}

async function openEditor() {
  if (editor) return;
  const { open: openEditor } = await import("/editor.js");
  editor = openEditor($("editor"), {
    nonce: document.querySelector("meta[name=nonce]").content,
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    label: "The game as YAML",
    change: () => { clearTimeout(checking); checking = setTimeout(() => attempt(check), 350); },
    complete: async (text, at) => {
      const { from, options } = await ask("/api/complete", { text, at });
      return { from, options: options.map(({ label, apply, info }) => ({ label, apply, info: info || undefined })), validFor: /^[\w#.°%^*-]*$/ };
    },
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => editor.theme(event.matches));
  editor.set(state.text ?? state.info.yaml);
  await check();
}

async function check() {
  const { problems, understood } = await ask("/api/check", { name: state.choice.name, yaml: editor.text() });
  editor.mark(problems.filter(({ line }) => line !== null));
  $("problems").replaceChildren(...problems.map(({ severity, text, line, column, code }) => element("button", {
    type: "button", class: severity, onclick: () => editor.go(line ?? 1, column ?? 1),
  }, `${severity === "error" ? "✗ error" : "△ warning"}${line ? `, line ${line}` : ""} [${code}]: ${text}`)),
  ...(problems.length ? [] : [document.createTextNode("✓ No errors.")]),
  ...understood.map((line) => element("p", { class: "understood" }, line)));
  return problems;
}

async function applyEdit() {
  const text = editor.text();
  const choice = { name: state.choice.name, yaml: text };
  await open(choice, state.seed);
  notice("Playing the edited game.");
  $("stage").focus();
}

// Keys and buttons

function tab(button) {
  for (const other of document.querySelectorAll("[role=tab]")) {
    const isChosen = other === button;
    other.setAttribute("aria-selected", isChosen);
    other.tabIndex = isChosen ? 0 : -1;
    $(other.getAttribute("aria-controls")).hidden = !isChosen;
  }
  if (button.id === "tab-file") attempt(openEditor);
  if (button.id === "tab-season" && state.place) showPlots();
}

function key(event) {
  if (isTaken(event) || !state.place || event.key.length > 1 && !event.key.startsWith("Arrow")) return;
  const known = { n: () => controls.wait(), u: undo, r: redo, h: toggleHint, y: followHint }[event.key];
  if (known) known();
  else if (!controls.press(event)) { if (event.key.length === 1) notice(`The key ${event.key} does nothing here.`); return; }
  event.preventDefault();
}

function toggleHint() {
  $("hints").checked = !$("hints").checked;
  attempt(look);
}

function followHint() {
  if (state.place.hint === null) { notice("There is no hint. Press h for one."); return; }
  act(state.place.hint);
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

function wire() {
  $("choose").addEventListener("submit", (event) => { event.preventDefault(); attempt(() => open(wanted(), Number($("seed").value) || 0)); });
  for (const id of ["game", "preset", "level"]) $(id).addEventListener("change", () => attempt(() => open(wanted(), state.seed)));
  $("dice").addEventListener("click", () => attempt(() => open(wanted(), crypto.getRandomValues(new Uint32Array(1))[0])));
  $("undo").addEventListener("click", undo);
  $("redo").addEventListener("click", redo);
  $("play").addEventListener("click", playOn);
  $("scrub").addEventListener("input", () => { stop(); go(line()[Number($("scrub").value)]); });
  $("everything").addEventListener("change", () => { state.looks = $("everything").checked ? "everything" : "learner"; attempt(look); });
  $("hints").addEventListener("change", () => attempt(look));
  $("policy").addEventListener("change", () => { if ($("hints").checked) attempt(look); });
  $("watch").addEventListener("click", watch);
  $("dismiss").addEventListener("click", () => {
    for (const { text } of state.info.warnings) state.dismissed.add(text);
    showWarnings();
    $("stage").focus();
  });
  $("signs").addEventListener("toggle", () => attempt(showSigns));
  $("share").addEventListener("click", () => attempt(share));
  $("save").addEventListener("click", save);
  $("open").addEventListener("change", () => attempt(async () => { await openFile($("open").files[0]); $("open").value = ""; }));
  $("shown").addEventListener("change", showRules);
  $("apply").addEventListener("click", () => attempt(applyEdit));
  $("revert").addEventListener("click", () => attempt(() => open({ name: state.choice.name }, state.seed)));
  const tabs = [...document.querySelectorAll("[role=tab]")];
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
  document.addEventListener("keydown", key);
}

async function start() {
  const given = takeToken();
  wire();
  const { games } = await ask("/api/games");
  state.games = games;
  const families = [...new Set(games.map((game) => game.family))];
  $("game").replaceChildren(...families.map((family) => element("optgroup", { label: family },
    ...games.filter((game) => game.family === family).map(({ name, doc }) => element("option", { value: name, title: doc }, name)))));
  addEventListener("hashchange", () => attempt(async () => {
    const other = takeToken();
    if (other.has("e")) await openPacked(other.get("e"));
    else if (other.has("game")) await openLink(other);
  }));
  if (given.has("e") && await attempt(async () => { await openPacked(given.get("e")); return true; })) return;
  await openLink(given);
}

attempt(start);
