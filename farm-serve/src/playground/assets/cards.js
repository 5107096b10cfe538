// The start card with the facts of a game, and the end card with what was earned and lost.

import { $, ask, element } from "/common.js";
import { drawCurve } from "/chart.js";
import { adviser, dateAt, euros, icon, playFrom } from "/farm.js";
import { screens } from "/screens.js";
import { actions, episode, players, state } from "/tree.js";
import { dateOf, jobName, number, text, words } from "/words.js";

// Start card

const tree = (x, y, r) => `<ellipse cx="${x}" cy="${y + r}" rx="${r * 0.8}" ry="${r * 0.25}" fill="#0002"/><circle cx="${x}" cy="${y}" r="${r}" fill="#6E9E55"/><circle cx="${x - r * 0.3}" cy="${y - r * 0.3}" r="${r * 0.6}" fill="#86B56A"/>`;

function picture() {
  let s = `<rect width="500" height="640" fill="var(--grass)"/><rect width="500" height="180" fill="var(--sky)"/><path d="M0 184q125-34 250-6t250-8v30H0z" fill="var(--grass2)"/><use href="#i-wsun" x="360" y="40" width="84" height="84"/><g transform="translate(60 96)"><use href="#i-house" width="110" height="110"/></g>`;
  s += tree(210, 170, 34) + tree(256, 182, 24) + tree(20, 176, 26);
  for (let j = 0; j < 3; j += 1) {
    s += `<rect x="14" y="${230 + j * 132 + 73}" width="494" height="35" rx="18" fill="#8A6240"/>`;
    for (let i = 0; i < 4; i += 1) s += `<use href="#i-bloom" x="${20 + i * 122}" y="${230 + j * 132}" width="118" height="106"/>`;
  }
  return s;
}

/** A price of a text of the score, such as `€2 per kg`, in the language of the page. */
const price = (told) => (document.documentElement.lang === "fr" ? told.replace(/ per /g, " par ").replace(/ and /g, " et ").replace(/ of /g, " de ") : told);

export function showCard() {
  const { info } = state;
  const farm = info.farm;
  $("card-title").textContent = title();
  if (!$("card-picture").firstChild) $("card-picture").innerHTML = picture();
  const ends = farm.ends.map(words).map((reason) => (/^(after|après) /.test(reason) ? reason : text("when", { what: reason })));
  const works = farm.jobs.filter((job) => job.labour > 0);
  const list = [...new Map(works.map((job) => [`${jobName(job)} ${euros(job.labour)}`, true])).keys()].join(", ");
  const land = farm.fields.map((field) => {
    const size = text("plotsOf", { n: field.columns * field.rows, area: number(field.area_m2) });
    return farm.fields.length > 1 ? `${words(field.label)}: ${size}` : size;
  }).join("; ");
  const { season } = state.place;
  const rows = [
    ["goal", text("goal"), words(farm.goal).split("\n").filter((line) => !/^(The episode lasts|La partie dure)/.test(line)).join(" ")],
    ["flag", text("ends"), `${ends.join(`, ${text("or")} `)}.`],
    ["coin", text("money"), [farm.sales ? text("sales", { sales: price(farm.sales) }) : "", list ? text("labour", { list }) : ""].filter(Boolean).join(" ")],
    ["hand", text("work"), [text("jobsADay", { n: farm.jobs_a_day }), season.start === null ? "" : text("startsOn", { date: dateOf(season.start) })].filter(Boolean).join(" ")],
    ["menu", text("land"), `${land}.`],
  ];
  $("card-facts").replaceChildren(...rows.filter(([, , told]) => told).flatMap(([sign, head, told]) => [icon(sign), element("p", {}, element("b", {}, head), ` ${told}`)]));
  $("watch-expert").hidden = adviser() === null;
}

/** The name of the game for people: `clay_bean` is `Clay bean`. */
export const title = () => {
  const name = (state.choice.yaml ? state.info.name : state.choice.name).replace(/^.*\//, "").replace(/\.yaml$/, "").replaceAll("_", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
};

// End card

/** The verdict, and the actions that it belongs to. */
const found = { of: "", verdict: null, asked: null };

export function showEnd() {
  const { place, info } = state;
  const farm = info.farm;
  const { season } = place;
  const own = players();
  const isYours = own.length === 1 && own[0] === "you";
  const reason = words(place.reason_words ?? { en: place.reason ?? "" });
  $("end-reason").textContent = text(reason && reason !== text("newsOver") ? "overOn" : "isNow", { date: dateAt(place.steps), reason, what: text("newsOver") });
  $("end-who").textContent = isYours || own.includes(undefined) ? text("youEarned") : text("theyEarned", { who: own.join(" + ") });
  $("earned").textContent = euros(place.return);
  const spent = season.sold - place.return;
  $("sold").textContent = season.sold === null ? "" : text("sold", { money: euros(season.sold) });
  $("spent").textContent = season.sold === null ? "" : text("spent", { money: euros(spent) });
  const counts = season.jobs.flat();
  const plots = farm.fields.reduce((sum, field) => sum + field.columns * field.rows, 0);
  const harvested = place.farm.fields.reduce((sum, field, i) => sum + field.stage.filter((stage) => farm.fields[i].stages[stage]?.id === "harvested").length, 0);
  const met = [
    [text("harvest"), `${number(season.harvest_kg.at(-1) ?? 0)} kg`],
    [text("plotsHarvested"), text("ofPlots", { n: harvested, all: plots })],
    [text("irrigation"), `${number(season.irrigation_mm.reduce((a, b) => a + b, 0))} mm`],
    [text("jobs"), number(counts.reduce((sum, [, n]) => sum + n, 0))],
  ];
  $("met").replaceChildren(...met.map(([name, value]) => element("div", {}, element("span", { class: "sm mut" }, name), element("b", { class: "num" }, value))));
  showVerdict();
  judge();
}

/** Asks for the verdict of this season, once. Another season cancels it. */
async function judge() {
  const of = JSON.stringify([episode(), actions(state.at)]);
  if (found.of === of) return;
  found.asked?.abort();
  Object.assign(found, { of, verdict: null, asked: new AbortController() });
  showVerdict();
  try {
    const verdict = await ask("/api/verdict", { ...episode(), actions: actions(state.at) }, found.asked.signal);
    if (found.of === of) { found.verdict = verdict; if (state.screen === "end") showVerdict(); }
  } catch (error) {
    if (error.name !== "AbortError" && found.of === of) { found.of = ""; $("curve-doc").textContent = error.message; }
  }
}

/** Stops the computation when the player leaves. */
export function forgetVerdict() {
  if (found.asked && !found.verdict) { found.asked.abort(); found.of = ""; }
}

function causeText({ cause }) {
  if (cause.code === "ripe") return text("causeRipe", { n: cause.plots });
  if (cause.code === "limited") return text("causeLimited", { what: words(cause.label), n: cause.plots });
  return text("causeChoice");
}

/** Draws the curve as large as its place is. */
export function drawLosses() {
  const { verdict } = found;
  if (!verdict?.returns.length) return;
  drawCurve($("curve"), { returns: verdict.returns, losses: verdict.losses, start: state.place.season.start ?? 0, currency: state.info.farm.currency });
}

function showVerdict() {
  const { verdict } = found;
  const others = [...(verdict?.others ?? []).map(({ policy, return: total }) => [policy, total]), ["you", state.place.return]].sort((a, b) => b[1] - a[1]);
  const expert = others.find(([policy]) => policy === "expert");
  // A policy from a search is not the best known where the expert earns more.
  const label = ([policy, total]) => text(policy === "best_known" && (expert?.[1] > total || state.place.return > total) ? "searched" : policy);
  const most = Math.max(...others.map(([, total]) => total), 1);
  $("bench").replaceChildren(...others.map((one) => {
    const bar = element("i", { class: one[0] === "you" ? "you" : "" });
    bar.style.width = `${Math.max(0, (one[1] / most) * 100)}%`;
    return element("li", { class: one[0] === "you" ? "you" : "" }, element("span", {}, label(one)), element("span", {}, bar), element("span", { class: "num right" }, euros(one[1])));
  }));
  $("again").hidden = !verdict || verdict.play_again === null;
  if (!verdict) {
    $("curve-doc").textContent = text("computing");
    $("curve").replaceChildren();
    $("losses").replaceChildren();
    return;
  }
  if (verdict.heir === null) { $("curve-doc").textContent = text("noHeir"); return; }
  const who = label([verdict.heir, others.find(([policy]) => policy === verdict.heir)?.[1] ?? 0]);
  $("curve-doc").textContent = verdict.losses.length ? text("curveDoc", { who }) : text("noLoss");
  $("curve").setAttribute("aria-label", text("curveName", { first: dateAt(0), from: euros(verdict.returns[0]), to: euros(verdict.returns.at(-1)) }));
  $("losses").replaceChildren(...verdict.losses.map((loss, i) => {
    const when = text("fromTo", { from: dateAt(loss.from), to: dateAt(loss.to) });
    return element("li", {}, element("span", { class: "tag b place" }, String(i + 1)), element("span", {}, causeText(loss), " ", element("span", { class: "mut sm" }, when)),
      element("b", { class: "n num" }, euros(-loss.amount)), element("button", { type: "button", "aria-label": text("showIn", { when }), onclick: () => { state.reading = loss.from; screens.show("season"); } }, text("show")));
  }));
  drawLosses();
  if (verdict.play_again !== null) {
    $("again").replaceChildren(icon("branch"), text("playAgain", { date: dateAt(verdict.play_again) }));
    $("again").onclick = () => playFrom(verdict.play_again);
  }
}
