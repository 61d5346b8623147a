// An audit: a transcript, the terms of its caller, and the rule files; nothing else (D6).

import { checkCanonical, checkRound, hasUnreadableWagers, isCanonical } from "./canonical.js";
import { standingOf } from "./claims.js";
import { EpochCloses, checkEpochClose, isSigned } from "./epoch-close.js";
import { checkBeacon, checkLockedBeforeBeacon } from "./external.js";
import { readTranscript } from "./file.js";
import { Forks } from "./forks.js";
import { LogEnds } from "./log-copy.js";
import { Manifests, checkLink } from "./manifests.js";
import { checkListed, checkNotChosen } from "./places.js";
import { PublicLog, checkLogged } from "./public-log.js";
import { CODES, Failed, Report, Skipped, attempt, fail, skip } from "./report.js";
import { RoundAudit } from "./round.js";

// The checks of a round in order, with the records that each relies on.
const CHECKS = [
  ["SIGNATURES", ["ticket"], (audit) => audit.signatures()],
  ["CHAIN", ["ticket", "lock", "deal", "spent", "action", "close", "settle"], (audit) => audit.chain()],
  ["POLICY", ["ticket"], (audit) => audit.checkPolicy()],
  ["ROUND_ID", ["ticket"], (audit) => audit.id()],
  ["GENESIS", ["ticket"], (audit) => audit.genesis()],
  ["CLIENT_COMMIT", ["ticket", "lock"], (audit) => audit.clientCommit()],
  ["LOCK_COVERS_ACTIONS", [], (audit) => audit.lockCoversActions()],
  ["SUPERSEDES", ["ticket"], (audit) => audit.supersedes()],
  ["COMMIT", ["ticket", "settle"], (audit) => audit.commit()],
  ["REPLAY", ["ticket", "lock", "deal", "settle"], (audit) => audit.replay()],
  ["DECK_COMMIT", ["deal"], (audit) => audit.deckCommit()],
  ["CARDS_SHOWN", ["deal", "settle"], (audit) => audit.cardsShown()],
  ["DEALER_SHOWN", ["deal", "settle"], (audit) => audit.dealerShown()],
  ["RESULTS", ["ticket", "settle"], (audit) => audit.results()],
];

const NAMES = { ticket: "the ticket", lock: "the lock of the wagers", deal: "the deal",
  spent: "a spent lock", action: "an action", close: "the lock that closes the round", settle: "the close" };

// Audits one round; `world` as `RoundAudit` takes it. Returns { outcomes, audit }.
export function auditRound(round, world) {
  const audit = new RoundAudit(round, world);
  const outcomes = [];
  const recordsOf = (slot) => {
    if (slot === "spent") return round.spent.map(({ lock }) => lock);
    return slot === "action" ? round.actions : [round[slot]];
  };
  const isRefused = (slot) =>
    recordsOf(slot).some((record) => record !== null && audit.refused.has(record.line));
  const run = (code, slots, check) => {
    const outcome = attempt(() => {
      const bad = slots.find(isRefused);
      if (bad) skip(`${NAMES[bad]} was refused by an earlier check`);
      if (slots.includes("ticket") && audit.listed === null) skip("no manifest to rely on");
      check();
    });
    // A check that fails refuses the record that it blames.
    if (outcome.status === "failed" && outcome.line) audit.refused.add(outcome.line);
    outcomes.push({ code, ...outcome });
    return outcome;
  };
  const canonical = run("CANONICAL", [], () => {
    checkRound(round, world);
  });
  if (canonical.status === "failed") round.records.forEach(({ line }) => audit.refused.add(line));
  audit.isReadable = canonical.status === "passed";
  audit.isTicketCanonical = isCanonical(round.ticket);
  round.hasUnreadableWagers = audit.isReadable && hasUnreadableWagers(round, world);
  run("MANIFEST_LINK", [], () => {
    if (isRefused("ticket")) skip("the ticket was refused by an earlier check");
    if (!world.reliable) skip("no manifest to rely on");
    const manifest = world.manifests.of(round.ticket);
    if (manifest === null) {
      fail("the ticket's manifest, before it in the file", round.ticket.json.manifest,
        { line: round.ticket.line });
    }
    audit.listed = checkLink(manifest, round.ticket, world.rules);
    audit.manifest = manifest;
  });
  for (const [code, slots, check] of CHECKS) run(code, slots, () => check(audit));
  run("BEACON", ["deal"], () => checkBeacon(audit));
  run("EPOCH_COMMIT", ["ticket"], () => audit.epochCommit());
  run("EPOCH_SALT", ["ticket"], () => world.manifests.checkSalt(audit.listed.epoch, audit.manifest));
  run("SALT_AFTER_COMMIT", ["ticket"], () =>
    world.manifests.checkSaltAfterCommit(audit.ticket.epoch, audit.manifest, world));
  run("SEED_PROOF", ["ticket", "settle"], () => audit.checkSeedProof());
  run("SEED_WAS_NOT_CHOSEN", ["ticket"], () => audit.seedWasNotChosen());
  run("PLACE_LISTED", ["ticket"], () => checkListed(audit));
  run("PLACE_NOT_CHOSEN", ["ticket", "lock"], () => checkNotChosen(audit));
  run("LOGGED", ["ticket"], () => checkLogged(audit));
  run("LOCKED_BEFORE_BEACON", ["ticket", "lock"], () => checkLockedBeforeBeacon(audit));
  run("EPOCH_CLOSE", ["ticket"], () => checkEpochClose(audit));
  return { outcomes, audit };
}

// Collects the parts of the file that the audit of every round reads.
function worldOf(file, terms, rules, report) {
  const canonical = attempt(() => file.manifests.forEach(checkCanonical));
  if (canonical.status === "failed") report.run("CANONICAL", null, () => {
    throw new Failed(canonical.expected, canonical.found, canonical);
  });
  const manifests = new Manifests(file.manifests);
  const signed = report.run("MANIFEST_SIG", null, () => {
    if (canonical.status === "failed") skip("not canonical");
    manifests.checkSignatures(terms);
  });
  return { manifests, rules, reveals: [], closes: new Map(), seeds: new Map(),
    epochCloses: new EpochCloses(terms), log: new PublicLog(terms), terms, reliable: signed.status === "passed" };
}

function readReveals(file, world, report) {
  for (const reveal of file.reveals) {
    const good = report.run("CANONICAL", null, () => checkCanonical(reveal)).status === "passed";
    if (!good || !world.reliable) continue;
    const keys = world.manifests.revealKeys(world.terms.keys, reveal.json.epoch);
    if (reveal.signatures.length === 0 || !reveal.allSignedBy(keys)) {
      report.run("SIGNATURES", null, () =>
        fail("a signature by the engine or the root", "another, or none", { line: reveal.line }));
      continue;
    }
    const opened = report.run("EPOCH_COMMIT", null, () => world.manifests.checkReveal(reveal));
    if (opened.status === "passed") world.reveals.push(reveal);
  }
}

function readEpochCloses(file, world, report) {
  for (const close of file.epochCloses) {
    const good = report.run("CANONICAL", null, () => checkCanonical(close)).status === "passed";
    if (!good || !world.reliable) continue;
    if (!isSigned(close, world.manifests, world.terms)) {
      report.run("SIGNATURES", null, () =>
        fail("signatures by the engine or the root, and by witnesses", "another, or none", { line: close.line }));
    } else if (world.manifests.lists(close.json)) {
      world.epochCloses.add(close);
    }
  }
}

// The records of a file that have one of these hashes, by hash. Proofs are left out.
function* recordsOf(file, hashes) {
  const found = new Map();
  const { manifests, reveals, epochCloses, rounds } = file;
  for (const { number = 0, records } of [{ records: [manifests, reveals, epochCloses].flat() }, ...rounds]) {
    for (const record of records) if (hashes.has(record.hash)) found.set(record.hash, record);
    yield { done: number, what: "reading" };
  }
  return found;
}

// The proofs of the public log.
function* readLogProofs(file, world, report) {
  const proofs = file.logProofs.filter((proof) =>
    report.run("CANONICAL", null, () => checkCanonical(proof)).status === "passed");
  if (proofs.length === 0 || !world.reliable) return;
  const records = yield* recordsOf(file, new Set(proofs.map(({ json }) => json.record)));
  const { logs } = world.manifests;
  for (const proof of proofs) {
    if (proof.signatures.length > 0) {
      report.run("SIGNATURES", null, () => fail("no signature of a proof", "one", { line: proof.line }));
    } else {
      const { line, ...judged } = attempt(() => world.log.add(proof, records.get(proof.json.record), logs));
      // Good proofs alone do not make a round logged.
      if (judged.status === "failed") report.note("LOGGED", { ...judged, where: `line ${line}` });
    }
    proof.cachedJson = undefined;
    yield { done: proof.line, what: "reading" };
  }
}

// The rounds of each epoch that has a close.
function* readClosedRounds(file, world) {
  for (const round of file.rounds) {
    if (!isCanonical(round.ticket)) continue;
    if (world.epochCloses.of(round.ticket.json) === null) continue;
    world.epochCloses.addRound(round, attempt(() => checkRound(round, world)).status === "passed");
    for (const record of round.records) record.cachedJson = undefined;
    yield { done: round.number, what: "reading" };
  }
}

// Which record closes each round, for the round after it; a forked round has two.
function readCloses(file, world) {
  for (const { ticket, settle } of file.rounds) {
    // The link is over the bytes of the close, even if they are not valid.
    if (settle === null || !isCanonical(ticket)) continue;
    const { epoch, tenant, table, round_no: number } = ticket.json;
    const key = `${epoch} ${tenant} ${table} ${number}`;
    if (!world.closes.has(key)) world.closes.set(key, new Set());
    world.closes.get(key).add(settle.hash);
  }
}

// The tickets under which each client seed appears.
function readSeeds(file, world) {
  for (const { ticket, lock } of file.rounds) {
    if (lock === null || ![ticket, lock].every(isCanonical)) continue;
    for (const { client_seed: seed } of Object.values(lock.json.seats)) {
      if (seed === undefined) continue;
      if (!world.seeds.has(seed)) world.seeds.set(seed, new Set());
      world.seeds.get(seed).add(ticket.hash);
    }
  }
}

// A generator: it yields { done, of, what } now and then and returns the report. `terms` is the result of
// `termsOf`. `onRound` gets each round's audit, which is not kept.
export function* audit(text, terms, rules, onRound = () => {}) {
  const report = new Report(terms);
  let file;
  try {
    file = yield* readTranscript(text);
  } catch (error) {
    if (!(error instanceof Failed || error instanceof Skipped)) throw error;
    const outcome = report.run("FORMAT", null, () => {
      throw error;
    });
    return report.refuse(report.wide.FORMAT,
      outcome.status === "failed" ? "the file was refused by FORMAT" : outcome.found);
  }
  report.note("FORMAT", { status: "passed" });
  if (file.records > 0) report.note("CANONICAL", { status: "passed" });
  const world = worldOf(file, terms, rules, report);
  readReveals(file, world, report);
  readEpochCloses(file, world, report);
  yield* readLogProofs(file, world, report);
  world.logEnds = new LogEnds(terms, file);
  report.run("MANIFEST_RULES", null, () => {
    if (!world.reliable) skip("no manifest to rely on");
    world.manifests.checkRules(world.reveals, terms.manifest);
  });
  readCloses(file, world);
  readSeeds(file, world);
  yield* readClosedRounds(file, world);
  const forks = new Forks();
  report.file = file;
  report.world = world;
  for (const round of file.rounds) {
    const where = `round ${round.number}`;
    const { outcomes, audit: done } = auditRound(round, world);
    const found = {};
    for (const { code, line, ...outcome } of outcomes) {
      const there = outcome.status === "passed" ? undefined
        : line ? `${where}, line ${line}` : where;
      found[code] = { ...outcome, where: there };
      report.counts[code][outcome.status] += 1;
    }
    // An unreadable record is no evidence of a fork.
    report.run("NO_FORK", where, () => {
      if (outcomes[0].status === "passed") forks.add(done);
    });
    report.rounds.push({ number: round.number, found, standing: standingOf(done),
      failed: outcomes.find(({ status }) => status === "failed")?.code ?? null });
    onRound(round, done, outcomes);
    // Data of one round is not kept for the whole audit.
    for (const record of round.records) record.cachedJson = undefined;
    yield { done: round.number, of: file.rounds.length, what: "checking" };
  }
  report.run("NO_FORK", null, () => {
    world.epochCloses.checkForks();
    if (file.rounds.length === 0) skip("no round in the file");
  });
  return report.finish();
}

export { CODES };

// Runs an audit in one go.
export function auditNow(text, terms, rules, onRound) {
  const steps = audit(text, terms, rules, onRound);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
