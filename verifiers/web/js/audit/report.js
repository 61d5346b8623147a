// The checks of an audit in their order (D6), and the conclusion.

import { Tables, claimsOfFile, claimsOfRound, isDue, noClaims, noteCloses } from "./claims.js";
import { dayOf } from "./terms.js";

export const CODES = {
  FORMAT: "every line is a record, in its order, each at most once a round",
  CANONICAL: "every payload is in the one form that is signed",
  MANIFEST_SIG: "enough of the trusted root keys signed the manifests",
  MANIFEST_RULES: "the manifests keep the rules by which a server loads them",
  MANIFEST_LINK: "the manifest lists epoch, tenant, ruleset and engine of each round",
  SIGNATURES: "every record is signed by a key that the manifest gives its role",
  CHAIN: "the records of each round link to one another",
  POLICY: "what the tenant's policy demands is there",
  ROUND_ID: "each round's id follows from its place",
  GENESIS: "each round follows the close of the one before, or the manifest",
  CLIENT_COMMIT: "the client seeds are those committed to before the deal",
  LOCK_COVERS_ACTIONS: "the final lock covers exactly the players' decisions",
  SUPERSEDES: "each lock supersedes exactly the spent locks before it",
  COMMIT: "the server seed is the one committed to before the deal",
  REPLAY: "seed, deck and dice follow from the revealed seeds",
  DECK_COMMIT: "the deck was fixed when the first cards were shown",
  CARDS_SHOWN: "the cards shown are those that the deck deals",
  DEALER_SHOWN: "the dealer's hand is shown as set, where the ruleset exposes it",
  RESULTS: "hands, wins and money follow from the rules",
  BEACON: "the public random value is the one that the beacon published",
  EPOCH_COMMIT: "the epoch's secret is the one committed to",
  EPOCH_SALT: "the epoch's salt is what its source gives",
  SALT_AFTER_COMMIT: "the epoch was committed to before its salt existed",
  SEED_PROOF: "each server seed is the one that its proof shows",
  SEED_WAS_NOT_CHOSEN: "each server seed was derived, not chosen",
  PLACE_LISTED: "the table was listed before the salt was known",
  PLACE_NOT_CHOSEN: "your seat's seed is in the deck and in no other round",
  LOGGED: "ticket, wagers and close were in the public log, and a witness signed it",
  LOCKED_BEFORE_BEACON: "the wagers were locked before the public random value existed",
  EPOCH_CLOSE: "the file has every round that the public close of the epoch counts",
  NO_FORK: "no round has two different records of one kind",
};

// Thrown by a check that does not hold, and by one whose inputs are missing.
export class Failed extends Error {
  constructor(expected, found, { line = null } = {}) {
    super(`expected ${expected}, found ${found}`);
    Object.assign(this, { expected, found, line });
  }
}
export class Skipped extends Error {}

export const fail = (expected, found, more) => {
  throw new Failed(expected, found, more);
};
export const skip = (why) => {
  throw new Skipped(why);
};

const WEIGHT = { passed: 0, skipped: 1, failed: 2 };

// The worse of two outcomes of a check; of equals the first.
const worse = (one, other) => (one && WEIGHT[one.status] >= WEIGHT[other.status] ? one : other);

const NOT_CHECKED = { status: "skipped", found: "nothing to check" };

export class Report {
  constructor(terms) {
    this.terms = terms;
    // The finding of each check in the file as a whole, by its code.
    this.wide = {};
    // For each round its number, the findings of its checks, and the grounds of its verdict.
    this.rounds = [];
    // How each check ended by rounds, which one status for all does not show.
    this.counts = Object.fromEntries(Object.keys(CODES)
      .map((code) => [code, { passed: 0, failed: 0, skipped: 0 }]));
  }

  // Notes the finding of a check in the file as a whole.
  note(code, outcome) {
    this.wide[code] = worse(this.wide[code], outcome);
  }

  // Runs a check of the file as a whole and notes how it ended.
  run(code, where, check) {
    const outcome = attempt(check);
    if (outcome.line != null) where = where ? `${where}, line ${outcome.line}` : `line ${outcome.line}`;
    this.note(code, { ...outcome, where: outcome.status === "passed" ? undefined : where });
    return outcome;
  }

  // Every check over the file as a whole and the outcomes of rounds.
  over(rounds) {
    return Object.keys(CODES).map((code) => {
      const all = [this.wide[code], ...rounds.map(({ found }) => found[code])].filter(Boolean);
      return { code, ...(all.length > 0 ? all.reduce(worse) : NOT_CHECKED) };
    });
  }

  // A file that FORMAT refuses, or that is not a transcript.
  refuse(outcome, why) {
    const skipped = { status: "skipped", found: why };
    this.checks = Object.keys(CODES).map((code) => ({ code, ...(code === "FORMAT" ? outcome : skipped) }));
    this.claims = noClaims(why);
    const isFailed = outcome.status === "failed";
    return this.conclude(isFailed ? "mismatch" : "incomplete", isFailed ? "FORMAT failed first" : why);
  }

  // Checks, verdict and claims of each round and of the file (D6).
  finish() {
    const tables = new Tables(this.rounds.map(({ standing }) => standing), this.terms.after);
    noteCloses(this.rounds.map(({ standing }) => standing));
    this.checks = this.over(this.rounds);
    for (const round of this.rounds) {
      round.checks = this.over([round]);
      Object.assign(round, verdictOfRound(round));
      round.claims = claimsOfRound(round.standing, round.checks, tables);
      round.found = undefined;
    }
    this.claims = claimsOfFile(this.rounds, this.checks);
    const gap = this.terms.seat === null ? tables.gap : null;
    const first = (verdict) => this.rounds.find((round) => round.verdict === verdict);
    const code = firstFailed(this.checks);
    if (code) return this.conclude("mismatch", `${code} failed first`);
    if (this.rounds.length === 0) return this.conclude("incomplete", "there is no round in the file");
    const incomplete = first("incomplete");
    if (incomplete) return this.conclude("incomplete", incomplete.because);
    if (gap !== null) return this.conclude("incomplete", gap);
    const pending = first("pending");
    return pending ? this.conclude("pending", pending.because) : this.conclude("match", ALL_RECOMPUTED);
  }

  conclude(verdict, because) {
    return Object.assign(this, { verdict, because, code: firstFailed(this.checks) });
  }
}

const ALL_RECOMPUTED = "everything was recomputed and is as recorded";

const firstFailed = (checks) => checks.find(({ status }) => status === "failed")?.code ?? null;

function verdictOfRound({ number, checks, standing: { awaits, isOverdue, close, hasUnreadableWagers } }) {
  const code = firstFailed(checks);
  if (code) return { verdict: "mismatch", code, because: `${code} failed first` };
  if (close === "elsewhere") return { verdict: "match", code, because: "another telling of the round has its close" };
  const results = checks.find((check) => check.code === "RESULTS");
  if (results.status !== "passed" && !(hasUnreadableWagers && close === "here")) {
    return { verdict: "incomplete", code, because: `round ${number}: ${results.found}` };
  }
  if (awaits === null) return { verdict: "match", code, because: ALL_RECOMPUTED };
  if (isOverdue) {
    return { verdict: "incomplete", code,
      because: `the secret of epoch ${awaits.epoch} was due on ${dayOf(awaits.due)} and is not in this file` };
  }
  return { verdict: "pending", code, because: `everything computable agrees; ${isDue(awaits)}` };
}

// A fault of this program is rethrown: it is neither a pass nor evidence against anybody.
export function attempt(check) {
  try {
    check();
    return { status: "passed" };
  } catch (error) {
    if (error instanceof Skipped) return { status: "skipped", found: error.message };
    if (!(error instanceof Failed)) throw error;
    const { expected, found, line } = error;
    return { status: "failed", expected, found, line };
  }
}
