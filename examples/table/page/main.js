// The page: who plays, and whether the lobby or a table is shown. The address after # names the table.

import { Api } from "./api.js";
import { announce, h } from "./dom.js";
import { Lobby, welcome } from "./lobby.js";
import { amountText } from "./money.js";
import { loadPlayer, savePlayer } from "./store.js";
import { Table } from "./table.js";

const byId = (id) => document.getElementById(id);
const NAME = "Pai Gow Poker";

const api = new Api();
let player = loadPlayer();
let screen = null;
let currency = null;
// Answers that arrive after the player has moved on are dropped.
let turn = 0;

api.token = player?.token ?? null;

function showPlayer() {
  byId("player").hidden = player === null || currency === null;
  if (byId("player").hidden) return;
  byId("player-name").textContent = player.name;
  byId("balance").dataset.minor = player.balance_minor;
  byId("balance").textContent = amountText(player.balance_minor, currency);
}

function onPlayer({ name, balance_minor: balance }) {
  if (player.name !== name || player.balance_minor !== balance) {
    player = { ...player, name, balance_minor: balance };
    savePlayer(player);
  }
  showPlayer();
}

function onState(state) {
  byId("connection").textContent = state === "away" ? "Connecting again" : "";
}

function show(title, element, isLobby) {
  byId("title").textContent = title;
  document.title = title === NAME ? NAME : `${title} · ${NAME}`;
  byId("to-lobby").hidden = isLobby;
  document.body.dataset.screen = isLobby ? "lobby" : "table";
  byId("main").replaceChildren(element);
}

function leave() {
  screen?.close?.();
  screen = null;
  onState("open");
}

// The server does not know the token: the player has to choose a name again.
function forget() {
  savePlayer(null);
  player = null;
  api.token = null;
  route();
}

async function enter(name) {
  const made = await api.post("players", { name });
  player = { token: made.token, name: made.name, balance_minor: made.balance_minor };
  savePlayer(player);
  api.token = player.token;
  await route();
}

async function openTable(id, mine) {
  let rules;
  try {
    rules = await api.get(`tables/${encodeURIComponent(id)}`);
  } catch (error) {
    if (mine !== turn) return;
    show("No table", h("div", { class: "panel" }, h("p", { role: "alert" }, error.message),
      h("p", {}, h("a", { class: "button", href: "#" }, "To the lobby"))), false);
    return;
  }
  if (mine !== turn) return;
  ({ currency } = rules);
  screen = new Table(api, rules, {
    onPlayer, onState,
    onRefused: (status) => (status === 404 ? (location.hash = "") : forget()),
  });
  show(rules.game, screen.element, false);
  announce(`Table ${rules.game}.`);
}

async function route() {
  turn += 1;
  const mine = turn;
  leave();
  if (player === null) {
    showPlayer();
    show(NAME, welcome(enter), true);
    return;
  }
  const id = location.hash.slice(1);
  if (id !== "") {
    await openTable(decodeURIComponent(id), mine);
    return;
  }
  screen = new Lobby(api);
  show(NAME, screen.element, true);
  try {
    currency ??= (await api.get("tables")).currency;
    showPlayer();
  } catch {
    // The lobby says that the server does not answer.
  }
}

byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("main").focus();
});
addEventListener("hashchange", () => {
  route();
  byId("main").focus({ preventScroll: true });
  scrollTo(0, 0);
});
route();
