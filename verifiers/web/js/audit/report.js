// The checks of an audit in their order (D6), and what they come to.

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
  COMMIT: "the server seed is the one committed to before the deal",
  REPLAY: "seed, deck and dice follow from the revealed seeds",
  DECK_COMMIT: "the deck was fixed when the first cards were shown",
  CARDS_SHOWN: "the cards shown are those that the deck deals",
  RESULTS: "hands, wins and money follow from the rules",
  EPOCH_COMMIT: "the epoch's secret is the one committed to",
  EPOCH_SALT: "the epoch's salt is what its source gives",
  SALT_AFTER_COMMIT: "the epoch was committed to before its salt existed",
  SEED_WAS_NOT_CHOSEN: "each server seed was derived, not chosen",
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

export class Report {
  constructor() {
    this.checks = Object.keys(CODES).map((code) => ({ code, status: null }));
    this.rounds = [];
    // How each check came out by rounds, which one status for all does not tell.
    this.counts = Object.fromEntries(Object.keys(CODES)
      .map((code) => [code, { passed: 0, failed: 0, skipped: 0 }]));
    this.incomplete = false;
  }

  // Notes one outcome of a check: a failure outweighs a skip, a skip a pass, and of equals the
  // first is told.
  note(code, outcome) {
    const check = this.checks.find((one) => one.code === code);
    if (check.status === null || WEIGHT[outcome.status] > WEIGHT[check.status]) {
      Object.assign(check, { where: undefined, expected: undefined, found: undefined }, outcome);
    }
  }

  // Runs a check and notes how it came out.
  run(code, where, check) {
    const outcome = attempt(check);
    if (outcome.line != null) where = where ? `${where}, line ${outcome.line}` : `line ${outcome.line}`;
    this.note(code, { ...outcome, where: outcome.status === "passed" ? undefined : where });
    return outcome;
  }

  statusOf(code) {
    return this.checks.find((one) => one.code === code).status;
  }

  // What nothing was there to check is skipped; then the verdict (D6).
  finish() {
    for (const check of this.checks) {
      if (check.status === null) Object.assign(check, { status: "skipped", found: "nothing to check" });
    }
    const failed = this.checks.find((check) => check.status === "failed");
    this.code = failed?.code ?? null;
    this.verdict = failed ? "mismatch"
      : this.incomplete || this.rounds.length === 0 ? "incomplete" : "match";
    return this;
  }
}

// A fault of our own is thrown on: it is neither a pass nor evidence against anybody.
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
