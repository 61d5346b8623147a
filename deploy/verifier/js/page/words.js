// In plain words: what an audit has shown, and what no audit can show.

import { plural } from "./dom.js";

export const VERDICTS = {
  match: ["Everything matches",
    "Every check that could be made was made, and all is as recorded."],
  mismatch: ["Something does not match",
    "At least one check failed: these records are not what the rules and the protocol give."],
  incomplete: ["Nothing is wrong, but something is missing",
    "What is there agrees. A round without its close, or rules that are not at hand, cannot be checked to the end."],
};

const passed = (report, ...codes) => codes.every((code) => report.statusOf(code) === "passed");

export function proven(report, { pinned }) {
  const claims = [];
  const rounds = plural(report.rounds.length, "round");
  if (passed(report, "MANIFEST_SIG", "SIGNATURES", "CHAIN")) {
    claims.push(pinned
      ? "These records were signed under the root that you trust, and not changed since."
      : "These records agree with the root that they name themselves.");
  }
  if (passed(report, "COMMIT")) {
    claims.push("The server seed was fixed in the ticket, before cards were dealt.");
  }
  if (passed(report, "REPLAY", "DECK_COMMIT", "CARDS_SHOWN")) {
    claims.push("Deck and dice are exactly what the seeds give, and the cards shown are that deck's.");
  }
  if (passed(report, "RESULTS")) {
    claims.push(`Hands, bets, fees and every amount of ${rounds} follow from the rules, to the last unit.`);
  }
  if (passed(report, "SEED_WAS_NOT_CHOSEN")) {
    claims.push("No server seed was picked: each follows from the secret of its epoch.");
  }
  if (passed(report, "SALT_AFTER_COMMIT", "EPOCH_SALT")) {
    claims.push("That secret was committed to before the salt that it was mixed with was known.");
  }
  return claims;
}

export function notProven(report, { pinned }) {
  const limits = [];
  if (!pinned) limits.push("Whose records these are: the root was taken from the transcript itself.");
  if (report.statusOf("SEED_WAS_NOT_CHOSEN") === "skipped") {
    limits.push("That the server seed was not picked: this waits for the secret of the epoch.");
  }
  if (report.statusOf("SALT_AFTER_COMMIT") === "skipped") {
    limits.push("That the operator could not try secrets before committing to one.");
  }
  return [...limits,
    "That nobody knew cards in advance: who holds the secret can compute them, unless a player's own seed was in the round.",
    "That no other version of this round exists elsewhere: only this file was seen.",
    "That table limits and a bank were the table's: only that they were applied.",
    "That money was paid, or that the rules are those on the felt: compare the name of the ruleset."];
}
