// The game, its episode, and the tree of moves. Node 0 is the start.

import { ask } from "/common.js";

export const state = {
  games: [], info: null, choice: { name: "" }, seed: 0, nodes: [], at: 0, place: null, looks: "learner", watching: null, dismissed: new Set(),
  screen: "details",
};

export function path(node) {
  const way = [];
  for (let at = node; at > 0; at = state.nodes[at].parent) way.push(at);
  return way.reverse();
}

export const actions = (node) => path(node).map((at) => state.nodes[at].action);

/** Continues from a node with an action; the same action leads to the same node. `more` can have the player, `by`, and a `reply`. */
export function grow(parent, action, more = {}) {
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

export function begin() {
  state.nodes = [{ parent: null, action: null, children: [], latest: null }];
  state.at = 0;
}

/** The path from the start through the current node to the end of the last continuation. */
export function line() {
  const way = [0, ...path(state.at)];
  for (let at = state.nodes[state.at].latest; at !== null; at = state.nodes[at].latest) way.push(at);
  return way;
}

/** The ends of all branches. */
export const ends = () => state.nodes.map((node, i) => i).filter((i) => state.nodes[i].children.length === 0 && i > 0);

/** The players of the steps up to the current node; `undefined` for an unknown player. */
export const players = () => [...new Set(path(state.at).map((node) => state.nodes[node].by))];

export const episode = () => ({ game: state.choice, seed: state.seed });

/** Asks for the state after the current node's actions, and notes it there. If two requests overlap, only the later one returns it. */
let asked = 0;
export async function fetchPlace(more = {}) {
  asked += 1;
  const mine = asked;
  const way = path(state.at);
  const place = await ask("/api/place", { ...episode(), actions: actions(state.at), ...more });
  if (mine !== asked) return null;
  place.actions.forEach((action, i) => { state.nodes[way[i]].action = action; });
  // Actions after the end of the episode were not played.
  if (place.steps < way.length) state.at = place.steps === 0 ? 0 : way[place.steps - 1];
  note(place);
  return place;
}

/** Makes an answer the current place. */
export function note(place) {
  state.place = place;
  state.nodes[state.at].total = place.return;
  document.dispatchEvent(new Event("place"));
}
