// The screens of the page, one at a time. A game that is not a farm has only its details.

import { $ } from "/common.js";
import { state } from "/tree.js";

const NAMES = ["card", "play", "season", "end", "details", "join", "class", "lesson", "sheet", "start"];
const shown = {};

export const screens = {
  /** Names what is done when a screen is shown. */
  on(name, show) { shown[name] = show; },

  /** Shows a screen. */
  show(name) {
    state.screen = name;
    for (const own of NAMES) $(`screen-${own}`).hidden = own !== name;
    document.body.dataset.screen = name;
    $("to-details").setAttribute("aria-pressed", name === "details");
    $("to-season").setAttribute("aria-pressed", name === "season");
    scrollTo(0, 0);
    shown[name]?.();
    document.dispatchEvent(new Event("screen"));
  },
};
