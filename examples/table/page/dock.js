// The player's own place at the bottom of the table: it changes with the phase of the round.

import { Betting, placedBets } from "./betting.js";
import { feeOf } from "./bets.js";
import { button, h, show } from "./dom.js";
import { SettingPlace } from "./setting.js";
import { handLine, resultWords } from "./settlement.js";
import { highName, lowName } from "./hand.js";
import { ownPlace } from "./seats.js";
import { rankingOf } from "/verify/js/hands.js";

const WAITS = {
  opening: "The ticket is checked, and the seeds go to the engine.",
  settling: "The engine compares the hands.",
};

export function modeOf(view) {
  const own = view.seats.find((seat) => seat.seat === view.you.seat);
  if (own === undefined) return "watch";
  if (view.phase === "betting") return own.bet ? "placed" : "betting";
  if (!own.bet) return "sit-out";
  if (view.phase === "setting" && !own.decided && (view.cards ?? []).length > 0) return "setting";
  return view.phase === "opening" ? "opening" : "waiting";
}

export class Dock {
  // `actions` has sit, stand, bet, takeBack, houseWay, decide.
  constructor(rules, keeper, actions) {
    Object.assign(this, { rules, keeper, actions, mode: null });
    this.betting = new Betting(rules, actions.bet);
    this.setting = new SettingPlace(rules, actions);
    this.head = h("div", { class: "own-head" });
    this.result = h("div", { class: "own-result" });
    this.body = h("div", { class: "own-body" });
    this.element = h("section", { class: "dock", "aria-label": "Your place" }, this.head, this.result, this.body);
  }

  // `last` is the settlement that is still shown, `seatThen` the player's seat in it; null without one.
  set(view, last, seatThen) {
    const mode = modeOf(view);
    const own = view.seats.find((seat) => seat.seat === view.you.seat) ?? null;
    const hadFocus = this.body.contains(document.activeElement) || document.activeElement === document.body;
    const hasMoved = mode !== this.mode;
    this.mode = mode;
    this.drawHead(view, own, mode);
    show(this.result, JSON.stringify([last?.round, seatThen]), () => (last === null ? [] : this.results(last, seatThen)));
    if (mode === "betting") this.betting.set(view);
    if (mode === "setting") this.setting.set(view);
    const facts = ["betting", "setting"].includes(mode) ? null
      : [own, view.cards, view.phase, this.keeper.kept?.low, this.keeper.warning,
      view.seats.map((seat) => seat.name === null)];
    show(this.body, JSON.stringify([mode, facts]), () => this.content(mode, view, own));
    if (!hasMoved || !hadFocus) return;
    if (mode === "setting") this.setting.focusCard();
    if (mode === "betting") this.body.querySelector("[data-test=spot-base]")?.focus({ preventScroll: true });
    if (mode === "placed") this.body.querySelector("[data-test=take-back]")?.focus({ preventScroll: true });
  }

  drawHead(view, own, mode) {
    const canStand = own !== null && ["betting", "sit-out"].includes(mode);
    show(this.head, JSON.stringify([own?.seat, own?.name, canStand, mode === "watch"]), () => (own === null ? [] : [
      h("span", { class: `avatar hue-${own.seat}`, "aria-hidden": "true" }, own.name.slice(0, 1).toUpperCase()),
      h("h2", { class: "own-name" }, own.name, h("small", {}, `Seat ${own.seat}`)),
      canStand ? button("Stand up", "stand", () => this.actions.stand(), { class: "button on-felt small" }) : null,
    ]));
  }

  results(last, seatThen) {
    const words = seatThen === null ? null : resultWords(last, seatThen, this.rules.currency);
    if (words === null) return [];
    const seat = last.seats.find((one) => one.seat === seatThen);
    return [
      h("p", { class: `banner ${words[0]}`, "data-test": "result" }, words[1]),
      last.end === "settled" && (seat?.low ?? []).length > 0 ? h("div", { class: "own-hands" },
        handLine("Low", seat.low, seat.low_name, seat.low_result),
        handLine("High", seat.high, seat.high_name, seat.high_result)) : null,
    ];
  }

  content(mode, view, own) {
    const bets = () => placedBets(own.wagers, this.rules, this.betting.chips,
      feeOf(this.rules.fees, own.wagers.find((wager) => wager.bet === "base")?.amount_minor ?? 0));
    switch (mode) {
      case "betting": return [this.betting.element];
      case "setting": return [this.setting.element];
      case "watch": return this.invitation(view);
      case "sit-out": return [h("p", { class: "hint" }, "A round is under way. You can bet in the next one.")];
      case "placed": return [h("p", { class: "hint" },
        "Your bets are placed. The round begins when every seated player has bet, or when the time is up."),
        bets(), h("div", { class: "actions" }, button("Take back", "take-back", () => this.actions.takeBack(),
          { class: "button on-felt" }))];
      case "opening": return [this.keeper.warning === null ? h("p", { class: "hint" }, WAITS.opening)
        : h("p", { class: "warning", role: "alert", "data-test": "warning" }, this.keeper.warning), bets()];
      default: return [...this.ownHands(view), h("p", { class: "hint" },
        view.phase === "setting" ? "Your hand is set. The table waits for the other players."
          : WAITS[view.phase] ?? ""), bets()];
    }
  }

  invitation(view) {
    const place = ownPlace(view);
    if (place === null) return [h("p", { class: "hint" }, "All seats are taken. You can watch this table.")];
    return [h("p", { class: "hint" }, "Take a seat to play. The cards stay on the table while you watch."),
      h("div", { class: "actions" }, button(`Sit here: seat ${place}`, `sit-${place}`, () => this.actions.sit(place),
        { class: "button gold" }))];
  }

  // The hand that was set, as this browser remembers it.
  ownHands(view) {
    const low = this.keeper.kept?.low ?? null;
    const cards = view.cards ?? [];
    if (low === null || cards.length === 0) return [];
    const high = cards.filter((code) => !low.includes(code));
    const ranking = rankingOf(this.rules);
    return [h("div", { class: "own-hands" },
      handLine("Low", low, lowName(low, ranking)), handLine("High", high, highName(high, ranking)))];
  }
}
