// A pupil's part of a class: join it, open its season, and follow what the teacher does. The server keeps the season with each request.

import { $, ask, notice } from "/common.js";
import { screens } from "/screens.js";
import { text } from "/words.js";

/** The name under which this browser keeps the pupil's key. */
const KEY = "farm-class";
/** The milliseconds between two looks at the class, and between two tries without a connection. */
const [PAUSE, RETRY] = [3000, 5000];
const BANNERS = { waiting: "classWaiting", paused: "classPaused", ended: "classEnded" };

const pupil = { me: null, timer: null, open: null, isLost: false };

/** The state of the class, above the season. */
export function showPupil() {
  const { me } = pupil;
  const told = pupil.isLost ? "noConnection" : me && BANNERS[me.now];
  $("of-class").hidden = !told;
  $("of-class").textContent = told ? text(told) : "";
  if (!me) return;
  $("sub").textContent = text("inClass", { name: me.nickname, class: me.class });
  $("leave").hidden = false;
  $("leave").textContent = text("notMe", { name: me.nickname });
}

/** Forgets who plays here, and lets another pupil join. */
function leave() {
  clearTimeout(pupil.timer);
  localStorage.removeItem(KEY);
  sessionStorage.removeItem("token");
  Object.assign(pupil, { me: null, isLost: false });
  showPupil();
  $("sub").textContent = "";
  screens.show("join");
  $($("join-code").value ? "nickname" : "join-code").focus();
}

/** Looks at the class, opens its season if it is new, and looks again later. */
async function follow() {
  clearTimeout(pupil.timer);
  let me;
  try {
    me = await ask("/api/me");
  } catch (error) {
    if (error.status === 403) { leave(); return; }
    pupil.isLost = error.status === undefined;
    showPupil();
    pupil.timer = setTimeout(follow, RETRY);
    return;
  }
  const before = pupil.me;
  Object.assign(pupil, { me, isLost: false });
  try {
    if (me.round !== before?.round) {
      const { actions } = await ask("/api/season");
      await pupil.open(me.game, me.seed, actions.map((action) => ({ action, more: { by: "you" } })));
    } else if (me.now === "running" && before.now !== "running") {
      notice(text("classStarted"));
    }
  } catch (error) {
    // The next look opens the season again.
    pupil.me = before;
    notice(error.message);
  }
  showPupil();
  pupil.timer = setTimeout(follow, PAUSE);
}

async function join(event) {
  event.preventDefault();
  $("join-problem").textContent = "";
  try {
    const { key } = await ask("/api/join", { code: $("join-code").value, nickname: $("nickname").value });
    localStorage.setItem(KEY, key);
    sessionStorage.setItem("token", key);
  } catch (error) {
    $("join-problem").textContent = error.message;
    return;
  }
  await follow();
}

/** Starts a pupil's page. `open` opens a season with its actions. */
export async function startPupil(open) {
  pupil.open = open;
  $("join-code").value = decodeURIComponent(location.pathname.slice(1));
  $("join").addEventListener("submit", join);
  $("leave").addEventListener("click", leave);
  const key = localStorage.getItem(KEY);
  if (!key) { leave(); return; }
  sessionStorage.setItem("token", key);
  await follow();
}
