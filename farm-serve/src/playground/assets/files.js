// Links, files and traces of episodes.

import { element, notice } from "/common.js";
import { editorText } from "/editing.js";
import { actions, players, state } from "/tree.js";

const FORMAT = "farm-episode";
/** The preset with which the page starts, if the first game has it. */
export const FIRST = "4x3";

/** How the page opens an episode and goes to its start: set by the page. */
export const opening = { open: null, rewind: null };

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

/** Puts the episode into the address, and copies it. */
export async function share() {
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

/** Saves the episode as a file. */
export function save() {
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
  await opening.open(choice, Number(from.seed) || 0, from.actions.map((action) => ({ action: String(action), more })));
  if (yaml) await editorText(yaml);
  if (from.fingerprint && from.fingerprint !== state.info.fingerprint) {
    notice("The game has changed since this was saved: the same actions may have other results.");
  }
}

/** Opens an episode that a link contains. */
export const openPacked = async (text) => openSaved(JSON.parse(await unpacked(text)));

/** Opens the game of a link, `#game=…&preset=…&level=…&seed=…`. If its preset or level does not exist, opens the game without it and reports that. */
export async function openLink(given) {
  const name = given.get("game") ?? state.games[0]?.name;
  if (!name) return;
  const seed = Number(given.get("seed")) || 0;
  const variant = Object.fromEntries(["preset", "level"].filter((key) => given.get(key)).map((key) => [key, given.get(key)]));
  try {
    await opening.open({ name, ...variant }, seed);
  } catch (error) {
    const keys = Object.keys(variant);
    if (!keys.length) throw error;
    await opening.open({ name }, seed);
    notice(`Opened without the ${keys.join(" and ")} of the link: ${error.message}.`);
  }
  // A farm of several plots is the better first picture.
  if (!given.get("game") && state.info.presets.includes(FIRST)) await opening.open({ name, preset: FIRST }, seed);
}

/** Opens a file: a saved episode, a trace of an agent, or a recording. */
export async function openFile(file) {
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
  await opening.open(state.choice, seed ? Number(seed[1]) : state.seed, lines.map((action) => ({ action })));
}

/** Opens a trace. It contains the fingerprint of its game, which identifies a served game or one of its levels. */
async function openTrace(text) {
  const lines = text.split("\n").filter((one) => one.trim()).map((one) => { try { return JSON.parse(one); } catch { return {}; } });
  const episodeLine = lines.find((one) => one.type === "episode");
  const calls = lines.filter((one) => one.type === "call" && one.played);
  if (!episodeLine || !calls.length) throw new Error("This is not a trace of `farm agents play`, a recording, or an episode saved by this page.");
  const served = state.games.find((game) => game.fingerprint === episodeLine.fingerprint);
  const choice = { name: served?.name ?? state.choice.name };
  if (!served && episodeLine.level && state.info.levels.includes(episodeLine.level)) choice.level = episodeLine.level;
  const given = calls.map((call) => ({ action: call.actions.length ? call.actions.join("; ") : "[]", more: { by: "the agent", reply: call.reply } }));
  await opening.open(choice, episodeLine.seed, given, "details");
  await opening.rewind();
  notice(episodeLine.fingerprint === state.info.fingerprint
    ? "A trace: play it, or use the slider. Each reply is under “Seen”."
    : `This trace belongs to another game than ${choice.name}: choose its game, then open the trace again.`);
}

