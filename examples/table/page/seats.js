// The seats around the table, without the player's own.

import { backs } from "./cards.js";
import { amountChip } from "./chips.js";
import { button, h } from "./dom.js";
import { netText } from "./money.js";

// Where the seats are, clockwise from the own seat at the bottom: up the left side, and down the right one.
const places = (count) => {
  const left = Math.ceil(count / 2);
  return Array.from({ length: count }, (_, at) => (at < left ? `l${left - at}` : `r${at - left + 1}`));
};

// The seat at the bottom of the table: the player's own, or the first free one.
export function ownPlace(view) {
  return view.you?.seat ?? view.seats.find((seat) => seat.name === null)?.seat ?? null;
}

export function othersOf(view) {
  const count = view.seats.length;
  const own = ownPlace(view);
  const from = own ?? 0;
  return view.seats.filter((seat) => seat.seat !== own)
    .sort((a, b) => ((a.seat - from + count) % count) - ((b.seat - from + count) % count));
}

const initials = (name) => [...name.trim()].slice(0, 1).join("").toUpperCase();

function stateOf(seat, view) {
  if (!seat.connected) return ["gone", "gone"];
  if (view.phase === "betting") return seat.bet ? ["done", "has bet"] : ["idle", "no bet"];
  if (!seat.bet) return ["idle", "sits out"];
  if (view.phase === "setting") return seat.decided ? ["done", "hand set"] : ["busy", "deciding"];
  return ["idle", "playing"];
}

const tick = () => h("span", { class: "tick", "aria-hidden": "true" }, "✓");

function taken(seat, view, rules, chips, result) {
  const [tone, words] = stateOf(seat, view);
  const stake = seat.wagers.reduce((sum, wager) => sum + wager.amount_minor, 0);
  const isDealt = seat.bet && ["setting", "settling"].includes(view.phase);
  return [
    h("span", { class: `avatar hue-${seat.seat}`, "aria-hidden": "true" }, initials(seat.name),
      tone === "done" ? tick() : null),
    h("span", { class: "who" },
      h("span", { class: "seat-name" }, seat.name),
      h("span", { class: `seat-state ${tone}` }, h("span", { class: "unseen" }, `Seat ${seat.seat}, `), words)),
    stake > 0 ? amountChip(stake, chips, rules.currency) : null,
    isDealt ? backs(seat.cards ?? rules.hand_cards, { small: true }) : null,
    result === null ? null : h("span", { class: `seat-net ${result.net_minor > 0 ? "gain" : ""}` },
      netText(result.net_minor, rules.currency)),
  ];
}

function free(seat, view, onSit) {
  const name = h("span", { class: "seat-name free" }, `Seat ${seat.seat}`);
  if (view.you.seat !== null) return [name, h("span", { class: "seat-state idle" }, "free")];
  return [name, button("Sit here", `sit-${seat.seat}`, () => onSit(seat.seat),
    { class: "button on-felt small", "aria-label": `Sit here, seat ${seat.seat}` })];
}

// `last` is the settlement that the table still shows, or null.
export function seatList(view, rules, chips, last, onSit) {
  const others = othersOf(view);
  const where = places(others.length);
  return others.map((seat, at) => {
    const result = last?.end === "settled"
      ? last.seats.find((one) => one.seat === seat.seat && one.name === seat.name) ?? null : null;
    const isFree = seat.name === null;
    return h("li", { class: `seat ${isFree ? "is-free" : ""} ${!isFree && !seat.connected ? "is-gone" : ""}`,
      "data-place": where[at], "data-test": `seat-${seat.seat}` },
      isFree ? free(seat, view, onSit) : taken(seat, view, rules, chips, result));
  });
}
