// One table: it takes the views of the server, and gives each part of the page what it shows.

import { chipsOf } from "./chips.js";
import { Clock } from "./clock.js";
import { Dock, modeOf } from "./dock.js";
import { announce, button, h, show } from "./dom.js";
import { dealer, dice, PHASES } from "./felt.js";
import { Keeper } from "./keeper.js";
import { fairPlay, history, payTables, verifierLink } from "./panels.js";
import { canSign, idOf, loadRound } from "./player-keys.js";
import { checkTranscript } from "./records.js";
import { seatList } from "./seats.js";
import { resultWords, settlement } from "./settlement.js";
import { addToHistory, pinRoots, replaceRoots } from "./store.js";

const panel = (name, title) => h("section", { class: `panel ${name}`, "aria-labelledby": title });

export class Table {
  // `onPlayer` takes name and balance of each view, `onState` the connection, `onRefused` the status of a refusal.
  constructor(api, rules, { onPlayer, onState, onRefused }) {
    Object.assign(this, { api, rules, onPlayer, view: null, last: null });
    this.chips = chipsOf(rules);
    this.keeper = new Keeper(api, rules, () => this.draw());
    this.pinned = pinRoots(rules.verify);
    this.clock = new Clock();
    this.dock = new Dock(rules, this.keeper, this.actions());
    this.build();
    canSign().then((can) => {
      if (!can) {
        this.fail("This browser cannot make Ed25519 keys, so you cannot bet here. Use a current browser, over HTTPS "
          + "or on localhost.");
      }
    });
    this.stop = api.listen(rules.id, { onView: (view) => this.take(view), onState, onRefused });
  }

  build() {
    Object.assign(this, {
      notice: h("div", { class: "notices" }),
      dealer: h("section", { class: "dealer", "aria-label": "The dealer" }),
      phase: h("p", { class: "phase", "data-test": "phase" }),
      dice: h("div", { class: "dice-place" }),
      seats: h("ul", { class: "seats", "aria-label": "Other seats" }),
      settled: h("div", { class: "settled-place" }),
      fair: panel("fair", "fair-title"), pays: panel("pays-panel", "pays-title"), rounds: panel("rounds", "history-title"),
      failure: h("p", { class: "failure floating", role: "alert", "data-test": "failure", hidden: true }),
    });
    this.element = h("div", { class: "room" },
      h("div", { class: "felt-column" }, this.notice,
        h("div", { class: "felt" }, this.dealer,
          h("div", { class: "middle" }, this.clock.element, this.phase, this.dice), this.seats, this.dock.element),
        this.failure),
      h("div", { class: "side" }, this.settled, this.fair, this.pays, this.rounds));
  }

  actions() {
    const post = (what, body) => this.api.post(`tables/${this.rules.id}/${what}`, body);
    const shown = async (promise) => {
      this.fail(null);
      await promise.catch((error) => this.fail(error.message));
    };
    return {
      sit: (seat) => shown(post("sit", { seat })),
      stand: () => shown(post("stand")),
      takeBack: () => shown(post("take-back")),
      bet: (wagers) => this.keeper.bet(this.view, wagers),
      houseWay: () => post("house-way"),
      decide: (low, doubles) => this.keeper.decide(this.view, low, doubles),
    };
  }

  fail(sentence) {
    this.failure.hidden = sentence === null;
    this.failure.textContent = sentence ?? "";
  }

  async take(view) {
    this.view = view;
    this.onPlayer(view.you);
    await this.takeLast(view);
    if (this.view !== view) return;
    this.draw();
    const mode = modeOf(view);
    const words = this.phaseWords();
    this.clock.set(view.phase, view.time_left_ms, ["betting", "setting"].includes(mode));
    if (words !== this.words) announce(`${words}.`);
    this.words = words;
    this.keeper.follow(view).catch((error) => this.fail(error.message));
  }

  // Reads the settlement once: whose hand was this player's, and the link that checks it.
  async takeLast(view) {
    if (view.last === null) return;
    if (this.last?.id === idOf(this.rules.id, view.last.round)) {
      this.takeLogged(view.last.logged);
      return;
    }
    const { last } = view;
    const kept = await loadRound(this.rules.id, last.round).catch(() => null);
    const mine = kept !== null && last.seats.some((seat) => seat.seat === kept.seat) ? kept : null;
    const link = verifierLink(this.trusted(), last.file, mine);
    this.last = { id: idOf(this.rules.id, last.round), ...last, logged: false, own: mine?.seat ?? null, link,
      isCompared: false, publicPart: null };
    this.takeLogged(last.logged);
    if (mine === null) return;
    this.compare(this.last, mine).catch((error) => this.fail(error.message));
    const { net_minor: net } = last.seats.find((seat) => seat.seat === mine.seat);
    addToHistory({ id: this.last.id, game: this.rules.game, round_no: last.round.round_no, net_minor: net,
      currency: this.rules.currency, end: last.end, link });
    announce(`${resultWords(last, mine.seat, this.rules.currency)[1]}.`);
  }

  // The keys that this browser saw first, and the beacon of today.
  trusted() {
    return { ...this.pinned, beacons: this.rules.verify.beacons };
  }

  // Once the public log has the round, this browser audits it for the sentence and the picture.
  takeLogged(isLogged) {
    const { last } = this;
    if (!isLogged || last.logged) return;
    last.logged = true;
    this.readPublic(last).catch((error) => this.fail(error.message));
  }

  async readPublic(last) {
    const answer = await fetch(`/verify/${last.file}`);
    if (!answer.ok) return;
    const { publicPart } = await import("./public.js");
    last.publicPart = await publicPart(await answer.text(), this.trusted());
    if (this.last === last) this.draw();
  }

  // Compares the transcript with the cards that this page showed and the deal that the player's key has signed for.
  async compare(last, kept) {
    if (kept.deal === null) return;
    const answer = await fetch(`/verify/${last.file}`);
    if (!answer.ok) return;
    await checkTranscript(await answer.text(), kept);
    last.isCompared = true;
    if (this.last === last) this.draw();
  }

  phaseWords() {
    const mode = modeOf(this.view);
    if (mode === "setting") return "Set your hand";
    if (mode === "waiting" && this.view.phase === "setting") return "Your hand is set";
    if (mode === "watch" && this.view.phase === "betting") return "Bets are open";
    return mode === "placed" ? "Waiting for the other players" : PHASES[this.view.phase];
  }

  draw() {
    const { view, rules } = this;
    if (view === null) return;
    const isDone = view.last === null || view.seats.some((seat) => seat.seat === view.you.seat && seat.bet);
    const last = isDone ? null : this.last;
    const onFelt = ["betting", "opening"].includes(view.phase) ? last : null;
    this.phase.dataset.phase = view.phase;
    this.phase.textContent = this.phaseWords();
    show(this.notice, JSON.stringify([view.notice, this.pinned.changed]), () => this.notices());
    show(this.dealer, JSON.stringify([view.phase, view.dealer, onFelt?.id]), () => dealer(view, rules, onFelt));
    show(this.dice, JSON.stringify(view.dice ?? []), () => ((view.dice ?? []).length > 0 ? [dice(view.dice)] : []));
    show(this.seats, JSON.stringify([view.phase, view.seats, view.you.seat, onFelt?.id]),
      () => seatList(view, rules, this.chips, onFelt, (seat) => this.dock.actions.sit(seat)));
    this.dock.set(view, last, last?.own ?? null);
    const isRead = last !== null && last.publicPart !== null;
    show(this.settled, JSON.stringify([last?.id, last?.link, last?.isCompared, last?.logged, isRead]),
      () => (last === null ? [] : [settlement(last, rules, last.own, last.link)]));
    show(this.fair, JSON.stringify(this.keeper.steps(view)), () => fairPlay(this.keeper.steps(view)));
    show(this.pays, "once", () => payTables(rules));
    show(this.rounds, JSON.stringify([this.last?.id, this.last?.link]), () => history());
    this.element.dataset.mode = this.dock.mode;
  }

  notices() {
    const changed = h("div", { class: "warning", role: "alert", "data-test": "roots-changed" },
      h("p", {}, h("strong", {}, "The keys of this server have changed. "),
        `This browser saw another root or witness first, on ${this.pinned.since}. Ask the operator why. `,
        "The links to check a round use the keys that this browser saw first."),
      button("Use the new keys", "use-roots", () => {
        this.pinned = replaceRoots(this.rules.verify);
        this.last = null;
        this.take(this.view);
      }, { class: "button small" }));
    return [noticeLine(this.view.notice), this.pinned.changed ? changed : null];
  }

  close() {
    this.stop();
    this.clock.stop();
  }
}

const noticeLine = (text) => (text ? h("p", { class: "notice", role: "status", "data-test": "notice" }, text) : null);
