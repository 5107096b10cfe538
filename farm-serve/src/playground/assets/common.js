// Code that the pages of this server share: requests, words, and the actions of a game as forms with keys.

export const $ = (id) => document.getElementById(id);

// Requests

const token = () => sessionStorage.getItem("token");

/** The headers of a request. */
export const headers = () => ({ "Content-Type": "application/json", ...(token() ? { Authorization: `Bearer ${token()}` } : {}) });

export async function ask(path, body, signal = undefined) {
  const options = body === undefined ? { headers: headers() } : { method: "POST", headers: headers(), body: JSON.stringify(body), signal };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is its program still running?");
  }
  const text = await answer.text();
  if (answer.status === 401) throw new Error("This server requires a token: open the URL that it printed, which ends in #token=….");
  let json;
  try { json = JSON.parse(text); } catch { throw new Error(text || `The server answered ${answer.status}.`); }
  if (!answer.ok) throw Object.assign(new Error(json.error), { problems: json.problems ?? [], status: answer.status });
  return json;
}

let noticed = 0;
export function notice(text) {
  noticed += 1;
  const mine = noticed;
  $("notice").textContent = text;
  if (text) setTimeout(() => { if (mine === noticed) $("notice").textContent = ""; }, 9000);
}

/** Runs a request to the server, and shows its error if it fails. */
export async function attempt(work) {
  try { return await work(); } catch (error) { notice(error.message); return undefined; }
}

/** Stores the token of the URL and removes it from there; returns the other parameters of the URL. */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("token")) {
    sessionStorage.setItem("token", given.get("token"));
    given.delete("token");
    history.replaceState(null, "", `#${given}`);
  }
  return given;
}

// Words

export const words = (name) => name.split("#")[0].replaceAll("_", " ").replaceAll(".", " ");
export const unit = (name) => (name.includes("#") ? name.split("#")[1] : "");
/** A number with a noun: `1 day`, `2 days`. */
export const counted = (number, noun) => `${number} ${noun}${Number(number) === 1 ? "" : "s"}`;

const UNITS = { nb: "", bin: "", int100: "", int365: "", "-": "", "mm.day-1": "mm a day" };
/** Units that are nouns. */
const NOUNS = ["day", "seed"];
export const shownUnit = (name) => (NOUNS.includes(unit(name)) ? `${unit(name)}s` : UNITS[unit(name)] ?? unit(name));

/** A value with its unit. A day of the year (0 is 1 January) is a date, with the number for game files. */
export function withUnit(name, value) {
  if (unit(name) === "int365" && /^\d+$/.test(value)) return `${date(Number(value))} (day ${value})`;
  if (NOUNS.includes(unit(name))) return counted(short(value), unit(name));
  return `${short(value)} ${shownUnit(name)}`.trim();
}

/** The date of a day of a year without 29 February. */
function date(day) {
  const months = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });
  return months.format(new Date(Date.UTC(2021, 0, 1 + (day % 365))));
}

/** Rounds the numbers in a text to four significant digits. */
export const short = (text) => text.replace(/-?\d+\.\d{3,}/g, (number) => rounded(Number(number)));
export const rounded = (value) => (value === null ? "–" : Number(value.toPrecision(4)).toString());

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

export function options(select, entries, chosen) {
  select.replaceChildren(...entries.map(([value, text]) => element("option", { value, selected: value === chosen }, text)));
}

// Actions

const MOVES = { ArrowUp: "MoveN", ArrowDown: "MoveS", ArrowLeft: "MoveW", ArrowRight: "MoveE" };
const ARROWS = { ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" };

/** The inputs of an action's arguments, by its schema. */
function input(name, schema) {
  const label = words(name);
  if (schema.type === "array") {
    const most = (i) => schema.prefixItems[i].maximum;
    const axis = (i) => element("select", { "data-axis": i, "aria-label": `${label}, ${"xy"[i]}` },
      ...Array.from({ length: most(i) + 1 }, (_, value) => element("option", { value }, `${"xy"[i]} ${value}`)));
    return element("span", { "data-plot": name, class: "arguments" }, axis(0), axis(1));
  }
  const field = schema.enum
    ? element("select", { "data-name": name, "data-kind": schema.type }, ...schema.enum.map((value) => element("option", { value }, String(value))))
    : element("input", { "data-name": name, "data-kind": "number", type: "number", min: schema.minimum, max: schema.maximum,
      step: "any", value: (schema.minimum + schema.maximum) / 2 });
  if (schema.maximum !== undefined && !schema.enum) field.title = `from ${schema.minimum} to ${schema.maximum}`;
  return element("label", { title: schema.description }, label, field);
}

/** An action with the values of its inputs. */
function chosen(tool, card) {
  if (tool.action === "observe") return { action: `observe ${card.querySelector("[data-name=what]").value}` };
  const params = {};
  for (const field of card.querySelectorAll("[data-name]")) {
    params[field.dataset.name] = field.dataset.kind === "number" ? Number(field.value) : field.value;
  }
  for (const plot of card.querySelectorAll("[data-plot]")) {
    params[plot.dataset.plot] = [...plot.querySelectorAll("select")].map((axis) => Number(axis.value));
  }
  return Object.keys(params).length ? { action: tool.action, params } : { action: tool.action };
}

/** The name of an action as separate words: `UseWateringCan` is `Use Watering Can`. Names of parts, such as `BasicFarmer-0`, stay. */
const label = (action) => words(action).replace(/([a-z]{2})([A-Z])(?!\w*-)/g, "$1 $2");
/** A text that has no line break within a word, also none after a hyphen. */
const whole = (text) => element("span", {}, ...text.split(" ").flatMap((word) => [element("span", { class: "word" }, word), " "]));

const said = ({ action, params }) => label(action) + (params ? ` ${Object.values(params).map((value) => [value].flat().join(", ")).join("; ")}` : "");

/** Whether a key belongs to the focused element. */
export function isTaken(event) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input:not([type=checkbox]):not([type=range]), select, textarea, #editor, dialog")) return true;
  return Boolean(target.closest("button, a, [role=tab], summary, input")) && (key === " " || key === "Enter" || key.startsWith("Arrow"));
}

/** The actions of a game, each a form with a key. If a step can have several actions, they are planned first. */
export class Actions {
  /** `play` plays a line; the keys in `taken` have other uses. */
  constructor(play, taken) {
    Object.assign(this, { play, taken, plan: [], schedule: 1, waits: "wait" });
  }

  /** Shows the actions of a game. `schedule` is the maximum number of actions per step, `waits` the line of an empty step. */
  show(tools, schedule, waits) {
    Object.assign(this, { schedule, waits });
    const keys = new Set(this.taken);
    const keyOf = (tool) => {
      const arrow = Object.keys(MOVES).find((name) => MOVES[name] === tool.action);
      if (arrow) return ARROWS[arrow];
      if (tool.action.toLowerCase() === "wait") return "Space";
      const own = tool.action.split(".").at(-1).toLowerCase().match(/[a-z]/g) ?? [];
      const key = [...own, ..."abcdefgijklmopqstvwxz"].find((letter) => !keys.has(letter));
      if (key) keys.add(key);
      return key ?? "";
    };
    const cards = tools.map((tool) => {
      const properties = Object.entries(tool.arguments.properties ?? {});
      const key = keyOf(tool);
      const button = element("button", { type: "submit" }, whole(label(tool.action)), key ? element("kbd", {}, key) : "");
      const card = element("form", {
        class: "action", "data-action": tool.action, "data-key": key,
        onsubmit: (event) => { event.preventDefault(); this.choose(tool, card); },
      }, button);
      if (properties.length) card.append(element("div", { class: "arguments" }, ...properties.map(([name, schema]) => input(name, schema))));
      card.append(element("p", { class: "about" }, tool.description));
      return card;
    });
    const several = schedule > 1;
    if (several || !tools.some((tool) => tool.action.toLowerCase() === "wait")) {
      cards.unshift(element("form", { class: "action", "data-key": "Space", onsubmit: (event) => { event.preventDefault(); this.wait(); } },
        element("button", { type: "submit", class: "main" }, element("span", {}, several ? "Next step with the planned actions" : "Next step"),
          element("kbd", {}, "Space"))));
    }
    // Actions that are always possible come first.
    cards.sort((one, other) => (other.dataset.key === "Space") - (one.dataset.key === "Space"));
    $("actions").replaceChildren(...cards);
    // A word that is too long for the width of a card would break.
    $("actions").classList.toggle("broad", tools.some((tool) => label(tool.action).split(" ").some((word) => word.length > 12)));
    this.forget();
  }

  /** Plays the plan, or an empty step. */
  wait() {
    this.play(this.plan.length ? JSON.stringify(this.plan) : this.waits);
  }

  choose(tool, card) {
    const action = chosen(tool, card);
    if (tool.action === "wait") {
      this.wait();
    } else if (this.schedule === 1) {
      this.play(JSON.stringify(action));
    } else if (this.plan.length >= this.schedule) {
      notice(`A step can have at most ${counted(this.schedule, "action")}.`);
    } else {
      this.plan.push(action);
      this.showPlan();
      notice(`Planned: ${said(action)}. Space plays the step.`);
    }
  }

  /** Clears the plan. */
  forget() {
    this.plan = [];
    this.showPlan();
  }

  showPlan() {
    $("plan").hidden = this.plan.length === 0;
    const drop = (i) => element("button", { type: "button", onclick: () => { this.plan.splice(i, 1); this.showPlan(); } }, "Remove");
    $("plan").replaceChildren(element("strong", {}, "Planned for this step"),
      element("ol", {}, ...this.plan.map((action, i) => element("li", {}, `${said(action)} `, drop(i)))));
  }

  /** Runs the action of a key; returns whether there is one. */
  press(event) {
    if (event.key === " ") { this.wait(); return true; }
    const key = ARROWS[event.key] ?? event.key;
    const card = [...$("actions").querySelectorAll(".action")].find((one) => one.dataset.key === key);
    if (card?.querySelector("[data-name], [data-plot]")) card.querySelector("select, input, button").focus();
    else card?.requestSubmit();
    return card !== undefined;
  }
}
