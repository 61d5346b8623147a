// Tells a round in the order in which its parts were fixed: each record with the parts that it fixed.

import { dayOf } from "../audit/terms.js";
import { h, hashText, lazyDetails, plural } from "./dom.js";

const list = (seats) => seats.length === 0 ? "nobody" : `seat${seats.length > 1 ? "s" : ""} ${seats.join(", ")}`;

function signedBy(record, who) {
  return record.signatures.length > 0 ? `Signed by ${who}.`
    : "Not signed: the policy of this tenant does not ask for it.";
}

const step = (title, when, ...body) =>
  h("li", {}, h("h4", {}, title), h("p", { class: "when" }, when), body);

function ticketStep({ ticket }) {
  const { client, commit, epoch, external, round_no: number, table, suite } = ticket.json;
  const seats = Object.keys(client);
  return step("Ticket", "before any wager was final", h("p", {}, signedBy(ticket, "the engine"),
    ` Round ${number} at table ${table}, epoch ${epoch} (${suite} suite). It commits to the server `,
    "seed and to the ruleset, without showing the seed: ", hashText(commit)),
  h("p", {}, seats.length === 0
    ? "No seat committed to a seed of its own."
    : `A seed of their own was committed to by ${list(seats)}.`),
  external.type === "none" ? null
    : h("p", {}, `It names round ${external.round} of a public beacon, whose value goes into the deck: `,
      hashText(external.chain)));
}

function lockStep({ lock, hasUnreadableWagers }) {
  if (lock === null) return null;
  if (hasUnreadableWagers) {
    return step("Wagers locked", "before the first card", h("p", {},
      signedBy(lock, "the platform's ledger"), " Nobody can read these wagers, so the round was voided."));
  }
  const seeds = Object.entries(lock.json.seats ?? {}).filter(([, one]) => one.client_seed);
  return step("Wagers locked", "before the first card", h("p", {},
    signedBy(lock, "the platform's ledger"), " Wagers and table facts are fixed. ",
    seeds.length > 0 ? `The client seeds of ${list(seeds.map(([seat]) => seat))} are shown.` : ""));
}

function dealStep({ deal }) {
  if (deal === null) return null;
  const exposed = deal.json.dealer !== undefined;
  return step("Deal", exposed ? "players' cards and the dealer's hand shown" : "players' cards shown",
    h("p", {}, signedBy(deal, "the engine"), ` Cards of ${list(Object.keys(deal.json.visible))}. `,
    exposed ? "The dealer's hand as the house way sets it. " : "", "The whole deck is committed to: ",
    hashText(deal.json.deck_commit)),
  deal.json.beacon === undefined ? null
    : h("p", {}, "It states the value that the beacon published: ", hashText(deal.json.beacon)));
}

function decisionStep({ deal, actions, close }) {
  if (actions.length === 0 && close === null) return null;
  if (close?.json.step === "void") {
    return step("Closed as void", "instead of a settlement",
      h("p", {}, signedBy(close, "the platform's ledger")));
  }
  const signed = actions.filter((action) => action.signatures.length > 0).length;
  const exposed = deal?.json.dealer !== undefined;
  return step("Decisions locked", exposed ? "after the dealer's hand was shown" : "before the dealer's cards were shown", h("p", {},
    `${plural(actions.length, "decision")}, ${signed} signed by seats. `,
    close === null ? "" : signedBy(close, "the platform's ledger")));
}

function closeStep({ settle }) {
  if (settle === null) return step("No close", "the round is not finished in this file");
  if (settle.json.disposition === "void") {
    return step("Void", "nothing is revealed", h("p", {}, signedBy(settle, "the engine"),
      ` Reason: ${settle.json.reason.replaceAll("_", " ")}. All stakes and fees go back.`));
  }
  return step("Settlement", "everything is revealed", h("p", {}, signedBy(settle, "the engine"),
    " Server seed: ", hashText(settle.json.server_seed)));
}

// The proof of the seed that a settlement has itself: no later publication is needed.
function proofStep(audit) {
  const { salt, vrf_key: key } = audit.listed.epoch;
  const { proof } = audit.seedProof;
  const said = audit.isVoid
    ? `A void round shows no seed. The close of the epoch has a proof of its seed, if its wagers were locked.
       ${proof ? "This file has that close." : "This file has no such proof."}`
    : `Each settlement proves its own server seed with the key of the epoch. For one key, one salt and one round
       there is only one seed, so the engine had no choice. Nothing has to be published later.`;
  return step("Epoch key", "fixed before any round of the epoch", h("p", {}, said),
    lazyDetails("The key, the salt and the proof", () => h("dl", { class: "difference" },
      [["key", key], ["salt", salt], ["proof", proof ?? "none"]].map(([name, value]) =>
        [h("dt", {}, name), h("dd", {}, value)]))));
}

function epochStep(audit) {
  const { epoch } = audit.listed;
  if (audit.isVrf) return proofStep(audit);
  if (epoch.suite === "fresh") {
    return step("Epoch", "", h("p", {}, "Seeds of this suite are drawn afresh for each ticket: only ",
      "a player's own seed shows that none was picked."));
  }
  const secret = audit.reveal?.json.epoch_secret;
  return step("Epoch secret", secret ? "published" : "not yet published", h("p", {}, secret
    ? ["Every server seed of the epoch follows from it: ", hashText(secret)]
    : `It may be published after ${dayOf(epoch.settle_until)}. Then this page can also show that
       the server seed was derived, and not chosen.`));
}

export const storyView = (round, audit) =>
  h("ol", { class: "story" }, ticketStep(round), lockStep(round), dealStep(round),
    decisionStep(round), closeStep(round), epochStep(audit));
