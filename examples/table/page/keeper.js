// The part of a round that the player's own browser plays: commit, check the ticket, release the seed, check the bytes
// to sign, sign.

import { fromBase64, toHex } from "/verify/js/bytes.js";

import { keysFor, loadRound, saveRound, signWith } from "./player-keys.js";
import { actionBytes, checkTicket, namedDeal, NotTheRecord, recordHash } from "./records.js";

const RETRY_MS = 1500;
const KEEPS = "Your browser does not send its seed. The round will be void.";
const idOf = ({ epoch, round_no: number }) => `${epoch}/${number}`;

export class Keeper {
  // `onChange` is called when the state of the round in this browser has changed.
  constructor(api, rules, onChange) {
    Object.assign(this, { api, rules, onChange });
    this.round = null;
    this.reset();
  }

  reset() {
    Object.assign(this, { kept: null, warning: null, isBusy: false, hasSent: false, hasSigned: false, timer: null });
  }

  get table() {
    return this.rules.id;
  }

  // Takes a view: finds the keys of its round, and releases the seed when it is time.
  async follow(view) {
    if (this.round === null || idOf(this.round) !== idOf(view.round)) {
      clearTimeout(this.timer);
      this.reset();
      this.round = view.round;
      const kept = await loadRound(this.table, view.round);
      if (idOf(this.round) !== idOf(view.round)) return;
      this.kept ??= kept;
      this.onChange();
    }
    this.latest = view;
    if (view.phase === "opening") await this.release();
  }

  hasBet(view) {
    return view.seats.some((seat) => seat.seat === view.you.seat && seat.bet);
  }

  async bet(view, wagers) {
    this.kept = await keysFor(this.table, view.round, view.you.seat, view.you.prefix);
    const { commit, publicKey } = this.kept;
    await this.api.post(`tables/${this.table}/bet`, { round: view.round, wagers, commit, public_key: publicKey });
    this.onChange();
  }

  // Sends the seed, once the ticket has been checked. A seed is for one ticket only.
  async release() {
    const view = this.latest;
    if (this.isBusy || this.hasSent || this.warning !== null || view.ticket === null || !this.hasBet(view)) return;
    this.isBusy = true;
    try {
      this.kept ??= await loadRound(this.table, view.round);
      if (this.kept === null) {
        throw new NotTheRecord("This browser does not have the seed of this round. You bet in another browser, or its "
          + "data was deleted.");
      }
      checkTicket(view.ticket, this.kept, this.rules);
      const hash = await recordHash(view.ticket);
      if (this.kept.ticketHash !== null && this.kept.ticketHash !== hash) {
        throw new NotTheRecord("The server shows a second ticket for this round.");
      }
      this.kept = { ...this.kept, ticket: view.ticket, ticketHash: hash };
      await saveRound(this.kept);
      await this.api.post(`tables/${this.table}/seed`, { round: view.round, seed: toHex(this.kept.seed) });
      this.hasSent = true;
    } catch (error) {
      if (error instanceof NotTheRecord) this.warning = `${error.message} ${KEEPS}`;
      else this.timer = setTimeout(() => this.latest.phase === "opening" && this.release(), RETRY_MS);
    } finally {
      this.isBusy = false;
      this.onChange();
    }
  }

  // Decides, checks the bytes, and signs them.
  async decide(view, low, doubles) {
    const { kept } = this;
    if (kept === null) {
      throw new Error("This browser does not have the key of this round, so it cannot sign. The house way will set "
        + "your hand.");
    }
    const answer = await this.api.post(`tables/${this.table}/decide`, { round: view.round, low, double_down: doubles });
    let asked = new Uint8Array();
    try {
      asked = fromBase64(answer.to_sign);
    } catch {
      // Bytes that are not base64 are not the expected ones either.
    }
    const deal = namedDeal(asked);
    const expected = actionBytes(deal, { seat: kept.seat, low, doubles });
    if (deal === null || toHex(asked) !== toHex(expected)) {
      throw new Error("The server asked for a signature under something else than your hand. Your browser did not "
        + "sign it.");
    }
    const signature = await signWith(kept, expected);
    // Before it is sent: the last signature settles the round, and the settlement is compared with what is stored.
    this.kept = { ...kept, low, doubles, deal, cards: view.cards };
    await saveRound(this.kept);
    await this.api.post(`tables/${this.table}/sign`, { round: view.round, signature });
    this.hasSigned = true;
    this.onChange();
  }

  // Returns the steps of this browser in the round, each with whether it is done.
  steps(view) {
    const hasBet = this.kept !== null && this.hasBet(view);
    const isReleased = hasBet && this.kept.ticketHash !== null;
    return [
      ["Your browser made a seed and a key, and committed to the seed.", hasBet],
      ["The signed ticket holds your commitment and your key.", isReleased],
      ["Your browser sent the seed.", isReleased && (this.hasSent || view.phase !== "opening")],
      ["Your key signed your hand.", hasBet && this.kept.low !== null],
    ];
  }
}
