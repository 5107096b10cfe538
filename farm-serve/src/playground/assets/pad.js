// Walking on a map: four buttons, and swipes on the picture. The forms of these actions stay, because the arrow keys use them.

import { $ } from "/common.js";
import { text } from "/words.js";

const MOVES = ["MoveN", "MoveE", "MoveS", "MoveW"];
/** The length of a swipe, in pixels. */
const SWIPE = 30;

const form = (move) => $("actions").querySelector(`[data-action="${move}"]`);
const walk = (move) => form(move)?.requestSubmit();

/** Shows the buttons if a game has all four moves. */
export function showPad(tools) {
  const isMap = MOVES.every((move) => tools.some(({ action }) => action === move));
  $("pad").hidden = !isMap;
  $("pad").setAttribute("aria-label", text("walk"));
  $("picture").classList.toggle("walked", isMap);
  for (const move of MOVES) if (isMap) form(move).hidden = true;
  for (const button of $("pad").querySelectorAll("button")) button.setAttribute("aria-label", text(button.dataset.move));
}

/** Marks the ways that are closed now, with the reason. */
export function showWays(refused) {
  for (const button of $("pad").querySelectorAll("button")) {
    const why = refused.get(button.dataset.move);
    button.setAttribute("aria-disabled", Boolean(why));
    button.title = why ?? "";
  }
}

export function wirePad() {
  for (const button of $("pad").querySelectorAll("button")) button.addEventListener("click", () => walk(button.dataset.move));
  let from = null;
  $("picture").addEventListener("pointerdown", (event) => { from = $("pad").hidden ? null : [event.clientX, event.clientY]; });
  addEventListener("pointercancel", () => { from = null; });
  addEventListener("pointerup", (event) => {
    if (!from) return;
    const [x, y] = [event.clientX - from[0], event.clientY - from[1]];
    from = null;
    if (Math.max(Math.abs(x), Math.abs(y)) < SWIPE) return;
    walk(Math.abs(x) > Math.abs(y) ? (x > 0 ? "MoveE" : "MoveW") : y > 0 ? "MoveS" : "MoveN");
  });
  $("picture").draggable = false;
}
