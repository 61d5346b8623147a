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

// In how many rounds these checks all could be made; none if one of them failed.
function made(report, ...codes) {
  const counts = codes.map((code) => report.counts[code]);
  if (counts.some(({ failed }) => failed > 0)) return 0;
  return Math.min(...counts.map((count) => count.passed));
}

export function proven(report, { pinned }) {
  const total = report.rounds.length;
  const of = (disposition) =>
    report.rounds.filter((round) => round.disposition === disposition).length;
  const claims = [];
  const claim = (count, text) => {
    if (count === 0) return;
    claims.push(count === total ? text
      : `In ${count} of ${plural(total, "round")} ${text[0].toLowerCase()}${text.slice(1)}`);
  };
  if (passed(report, "MANIFEST_SIG", "SIGNATURES", "CHAIN")) {
    claims.push(pinned
      ? "These records were signed under the root that you trust, and not changed since."
      : "These records agree with the root that they name themselves.");
  }
  claim(made(report, "COMMIT"), "The server seed was fixed in the ticket, before cards were dealt.");
  claim(made(report, "REPLAY", "DECK_COMMIT", "CARDS_SHOWN"),
    "Deck and dice are exactly what the seeds give, and the cards shown are that deck's.");
  if (made(report, "CLIENT_COMMIT") > 0) {
    claim(report.rounds.filter(({ seeds, disposition }) => seeds > 0 && disposition === "settled").length,
      "Players' own seeds, committed to before, are in the shuffle: nobody alone could choose the deck.");
  }
  if (made(report, "RESULTS") > 0) {
    claim(of("settled"), "Hands, bets, fees and every amount follow from the rules, to the last unit.");
    claim(of("void"), "The round is void, and every stake and fee goes back.");
  }
  claim(made(report, "SEED_WAS_NOT_CHOSEN"),
    "The server seed was not picked: it follows from the secret of its epoch.");
  if (passed(report, "SALT_AFTER_COMMIT", "EPOCH_SALT")) {
    claims.push("The secret of the epoch was committed to before the salt that it is mixed with was known.");
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
  if (report.rounds.some(({ lock }) => lock === "off")) {
    limits.push("That wagers and settings were final before the next cards were seen: this tenant's policy asks for no locks.");
  }
  if (report.rounds.some(({ chain }) => chain === "off")) {
    limits.push("That no round was left out: this tenant's policy asks for no chain of rounds.");
  }
  return [...limits,
    "That nobody knew cards in advance: who holds the secret can compute them, unless a player's own seed was in the round.",
    "That no other version of this round exists elsewhere: only this file was seen.",
    "That table limits and a bank were the table's: only that they were applied.",
    "That money was paid, or that the rules are those on the felt: compare the name of the ruleset."];
}
