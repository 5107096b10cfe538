// The start page: games as pictures by theme, with difficulty, minutes and what one learns; and the lessons.

import { GAMES, THEMES } from "/catalogue.js";
import { $, ask, element } from "/common.js";
import { icon } from "/farm.js";
import { screens } from "/screens.js";
import { state } from "/tree.js";
import { language, text, words } from "/words.js";

/** The theme that is shown, all if none; the lessons; and how a game is opened or watched. */
const page = { theme: "", lessons: [], play: null, watch: null };

const chosen = (pair) => pair[language.code === "fr" ? 1 : 0];
/** The name of a game for people: `clay_bean` is `Clay bean`. */
const nameOf = (name) => { const plain = name.replace(/^.*\//, "").replace(/\.yaml$/, "").replaceAll("_", " "); return plain.charAt(0).toUpperCase() + plain.slice(1); };

/** A picture from the symbols of the page: a field of a crop, or a map. */
function art({ theme, plant }) {
  const uses = (symbol, y, size, n) => Array.from({ length: n }, (_, i) => `<use href="#i-${symbol}" x="${16 + i * (368 / n) + (368 / n - size) / 2}" y="${y}" width="${size}" height="${size * 0.9}"/>`).join("");
  if (theme === "maps") {
    const tiles = Array.from({ length: 24 }, (_, i) => `<rect x="${16 + (i % 8) * 46}" y="${6 + Math.floor(i / 8) * 38}" width="42" height="34" rx="6" fill="var(--${[9, 12, 18].includes(i) ? "soil1" : [3, 14].includes(i) ? "water-soft" : "grass2"})"/>`).join("");
    return `<rect width="400" height="120" fill="var(--grass)"/>${tiles}<use href="#i-house" x="16" y="4" width="42" height="38"/><use href="#i-ripe" x="64" y="44" width="38" height="34"/><use href="#i-seedling" x="202" y="44" width="38" height="34"/><use href="#i-bloom" x="294" y="82" width="38" height="34"/>`;
  }
  const sky = `<rect width="400" height="120" fill="var(--grass)"/><rect width="400" height="52" fill="var(--sky)"/><path d="M0 54q100-28 200-4t200-8v26H0z" fill="var(--grass2)"/>`;
  const extra = { water: `<use href="#i-wsun" x="340" y="4" width="44" height="44"/>`, nitrogen: `<use href="#i-wrain" x="336" y="4" width="46" height="46"/>`, dates: `<use href="#i-wrain" x="296" y="4" width="40" height="40"/><use href="#i-wsun" x="346" y="4" width="40" height="40"/>`,
    pests: `<g fill="var(--brick)"><circle cx="96" cy="66" r="5"/><circle cx="214" cy="58" r="5"/><circle cx="318" cy="70" r="5"/></g>`, several: `<use href="#i-house" x="330" y="2" width="52" height="52"/>`, looks: `<g class="eye"><use href="#i-eye" x="336" y="8" width="36" height="36"/></g>` }[theme] ?? "";
  const rows = theme === "several" ? `<rect x="10" y="70" width="184" height="20" rx="10" fill="var(--soil1)"/><rect x="206" y="70" width="184" height="20" rx="10" fill="var(--soil2)"/>` : "";
  return `${sky}${extra}${rows}<rect x="10" y="94" width="380" height="20" rx="10" fill="var(--soil2)"/>${rows ? uses(plant, 34, 46, 6) : ""}${uses(plant || "leaves", 50, 56, 6)}`;
}

function picture(info) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("viewBox", "0 0 400 120");
  made.setAttribute("preserveAspectRatio", "xMidYMid slice");
  made.setAttribute("aria-hidden", "true");
  made.innerHTML = art(info);
  return made;
}

function gameCard({ name, doc }) {
  const info = GAMES[name];
  const meta = info ? element("p", { class: "sm mut meta" }, element("span", {}, element("span", { "aria-hidden": "true" }, "●".repeat(info.level) + "○".repeat(3 - info.level)), ` ${text(["easy", "medium", "hard"][info.level - 1])}`),
    element("span", {}, text("minutes", { n: info.minutes })), element("span", {}, chosen(info.learns))) : "";
  const shown = nameOf(name);
  return element("li", { class: "card game" }, picture(info ?? { theme: "water", plant: "leaves" }), element("h3", {}, shown), element("p", { class: "about" }, info ? chosen(info.about) : doc), meta,
    element("div", { class: "row nw" }, element("button", { type: "button", class: "pri wide", "aria-label": text("playGame", { name: shown }), onclick: () => page.play(name) }, text("playIt")),
      ...(info?.theme === "maps" ? [] : [element("button", { type: "button", "aria-label": text("watchGame", { name: shown }), onclick: () => page.watch(name) }, icon("eye"), text("watchIt"))])));
}

function show() {
  $("title").textContent = text("farmGames");
  $("sub").textContent = "";
  document.title = text("farmGames");
  const games = state.games;
  const themes = Object.keys(THEMES).filter((theme) => games.some(({ name }) => GAMES[name]?.theme === theme));
  if (!themes.includes(page.theme)) page.theme = "";
  const chip = (theme, shown) => element("button", { type: "button", "aria-pressed": String(page.theme === theme), "data-theme-of": theme, onclick: () => { page.theme = theme; show(); document.querySelector(`[data-theme-of="${theme}"]`).focus(); } }, shown);
  $("themes").replaceChildren(chip("", text("allGames", { n: games.length })), ...themes.map((theme) => chip(theme, chosen(THEMES[theme]))));
  $("themes").hidden = themes.length < 2;
  const shown = games.filter(({ name }) => !page.theme || GAMES[name]?.theme === page.theme);
  // Easy games first, and games without an entry, which are the user's own, before them.
  shown.sort((one, other) => (GAMES[one.name]?.level ?? 0) - (GAMES[other.name]?.level ?? 0));
  $("game-cards").replaceChildren(...shown.map(gameCard));
  $("start-lessons").hidden = !page.lessons.length;
  $("lesson-cards").replaceChildren(...page.lessons.map(({ name, title, learns, minutes }) => element("li", { class: "card" }, element("a", { href: `#lesson=${encodeURIComponent(name)}` }, element("b", {}, words(title)), element("span", { class: "sm" }, words(learns)), element("span", { class: "sm mut" }, text("minutes", { n: minutes }))))));
}

/** Shows the start page. */
export async function showStart() {
  page.lessons = await ask("/api/lessons");
  screens.show("start");
}

/** Wires the start page. `play` and `watch` open a game by name. */
export function wireStart(play, watch) {
  Object.assign(page, { play, watch });
  screens.on("start", show);
}
