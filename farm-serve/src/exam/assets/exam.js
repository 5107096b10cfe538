// The page of an exam. It shows one text at a time; only the server stores the replies.

import { $, Actions, ask, attempt, element, isTaken, notice, takeToken } from "/common.js";

/** The current view, and whether a reply to it is on its way. */
const state = { view: null, isSent: false };

const controls = new Actions((line) => reply(line), "");

const said = (text, line) => element("li", {}, element("pre", {}, text), element("p", {}, element("strong", {}, "Reply: "), line));

/** Sends the reply to the current view. Ignores further replies to the same text. */
async function reply(line) {
  const { view } = state;
  if (!view || view.is_over || state.isSent) return;
  state.isSent = true;
  try {
    const next = await ask("/api/exam", { number: view.number, reply: line });
    $("reply").value = "";
    if (!next.is_over && next.episode === view.episode) $("past").append(said(view.text, line));
    else $("past").replaceChildren();
    show(next);
  } catch (error) {
    // The state of the server counts: another window may have replied.
    await attempt(load);
    notice(error.message);
  } finally {
    state.isSent = false;
  }
}

async function load() {
  const view = await ask("/api/exam");
  $("past").replaceChildren(...(view.past ?? []).map(([text, line]) => said(text, line)));
  show(view);
}

function show(view) {
  const isOther = JSON.stringify(view.tools) !== JSON.stringify(state.view?.tools);
  state.view = view;
  $("end").hidden = !view.is_over && view.ended === null;
  $("end-title").textContent = view.is_over ? "The exam is over" : "The previous episode is over. The next one starts below.";
  $("ended").textContent = view.ended ?? "";
  $("ended").hidden = view.ended === null;
  $("turn").hidden = view.is_over;
  $("before").hidden = $("past").childElementCount === 0;
  if (view.is_over) {
    $("status").textContent = "The exam is over. You can close this page.";
    $("now").focus();
    return;
  }
  $("status").textContent = `${view.episodes > 1 ? `Episode ${view.episode} of ${view.episodes} · ` : ""}reply ${view.turn + 1}`;
  $("instructions").textContent = view.instructions;
  $("text").textContent = view.text;
  $("picture").src = `data:image/png;base64,${view.picture.png}`;
  $("picture").width = view.picture.width;
  $("picture").height = view.picture.height;
  if (isOther) controls.show(view.tools, view.schedule, "wait");
  else controls.forget();
}

document.addEventListener("keydown", (event) => {
  if (isTaken(event)) return;
  if (event.key === "/") $("reply").focus();
  else if (!controls.press(event)) return;
  event.preventDefault();
});
$("write").addEventListener("submit", (event) => { event.preventDefault(); reply($("reply").value); });
takeToken();
attempt(load);
