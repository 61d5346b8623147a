// The lobby: a name once, then a table.

import { suitMark } from "./cards.js";
import { announce, h, plural, show } from "./dom.js";

const REFRESH_MS = 4000;
const SUITS = ["s", "h", "c", "d"];

// Asks for a name. `onName` rejects with the reason of a refusal.
export function welcome(onName) {
  const field = h("input", { id: "name", type: "text", maxlength: 20, required: true, autocomplete: "nickname",
    "data-test": "name", "aria-describedby": "name-error" });
  const error = h("p", { id: "name-error", class: "failure", role: "alert" });
  const go = h("button", { type: "submit", class: "button gold", "data-test": "enter" }, "Enter the casino");
  const form = h("form", { class: "welcome panel", onsubmit: async (event) => {
    event.preventDefault();
    const name = field.value.trim();
    if (name === "") {
      error.textContent = "Enter a name of 1 to 20 characters.";
      field.focus();
      return;
    }
    go.disabled = true;
    try {
      await onName(name);
    } catch (refusal) {
      error.textContent = refusal.message;
      go.disabled = false;
    }
  } },
  h("div", { class: "suits", "aria-hidden": "true" },
    SUITS.map((suit) => suitMark(suit, suit === "h" || suit === "d" ? "red" : ""))),
  h("h2", {}, "Welcome"),
  h("p", {}, "Choose a name. You get play money, and your browser remembers you."),
  h("label", { for: "name" }, "Your name"), field, error, go);
  return form;
}

function tableCard(table, at) {
  const free = table.seats - table.players;
  return h("li", {}, h("a", { class: `table-card felt-${at % 6}`, href: `#${table.id}`, "data-test": `table-${table.id}` },
    h("span", { class: "fan", "aria-hidden": "true" }, SUITS.slice(0, 3).map((_, one) => {
      const suit = SUITS[(at + one) % 4];
      return h("span", { class: "fan-card" }, suitMark(suit, suit === "h" || suit === "d" ? "red" : ""));
    })),
    h("span", { class: "table-name" }, table.game),
    table.title === table.game ? null : h("span", { class: "table-title" }, table.title),
    h("span", { class: "table-players" },
      h("span", { class: "pips", "aria-hidden": "true" }, Array.from({ length: table.seats },
        (_, seat) => h("i", { class: seat < table.players ? "full" : "" }))),
      table.players === 0 ? "Nobody plays yet"
        : `${plural(table.players, "player")}, ${free === 0 ? "no free seat" : plural(free, "free seat")}`)));
}

export class Lobby {
  constructor(api) {
    this.api = api;
    this.list = h("ul", { class: "tables" });
    this.state = h("p", { class: "quiet", role: "status" });
    this.element = h("div", { class: "lobby" },
      h("p", { class: "lead" }, "Six tables, six games. You can check every round yourself after it is settled."),
      this.state, this.list);
    this.timer = setInterval(() => document.hidden || this.load(), REFRESH_MS);
    this.load();
  }

  async load() {
    try {
      const { tables } = await this.api.get("tables");
      this.state.textContent = "";
      if (show(this.list, JSON.stringify(tables), () => tables.map(tableCard)) && !this.hasLoaded) {
        this.hasLoaded = true;
        announce(`The lobby has ${plural(tables.length, "table")}.`);
      }
    } catch (error) {
      this.state.textContent = error.message;
    }
  }

  close() {
    clearInterval(this.timer);
  }
}
