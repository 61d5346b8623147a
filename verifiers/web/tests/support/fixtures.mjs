// Transcripts that the engine wrote, the output of `paigow-lab audit --json` for them, and the keys that
// signed them.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Key } from "./forge.mjs";
import { load } from "./page.mjs";

const { auditNow } = await load("js/audit/index.js");
const { termsOf } = await load("js/audit/terms.js");
const { reportAnswer, roundAnswer } = await load("js/answer.js");
const { houseWays, rulesets } = await load("js/data.js");
const { Rules } = await load("js/rules.js");

export const FOLDER = fileURLToPath(new URL("../transcripts/", import.meta.url));
export const VECTORS = fileURLToPath(new URL("../../../../tests/vectors/", import.meta.url));

export const names = () => readdirSync(FOLDER).filter((name) => name.endsWith(".jsonl"))
  .map((name) => name.slice(0, -".jsonl".length));

export const transcript = (name) => readFileSync(`${FOLDER}${name}.jsonl`, "latin1");
export const expected = (name) => JSON.parse(readFileSync(`${FOLDER}${name}.expected.json`, "utf8"));
export const lines = (name) => transcript(name).trimEnd().split("\n");

const given = JSON.parse(readFileSync(`${FOLDER}keys.json`, "utf8"));
const keyOf = (hex) => new Key(Buffer.from(hex, "hex"));

export const keys = {
  root: keyOf(given.root), receipt: keyOf(given.receipt), ledger: keyOf(given.ledger),
  witness: keyOf(given.witness),
  seats: Object.fromEntries(Object.entries(given.seats).map(([seat, hex]) => [seat, keyOf(hex)])),
  stranger: Key.of(99),
};

// The signers of a record in an untouched file.
export const keysOf = (record) => [{
  manifest: () => keys.root, lock: () => keys.ledger,
  action: () => keys.seats[record.json.seat],
}[record.kind]?.() ?? keys.receipt];

export const rules = new Rules({ rulesets, houseWays });

// Audits under the terms that the tests share, or others: the witness is trusted.
export function audited(text, more = {}) {
  const terms = { keys: [keys.root.pk], threshold: 1, witnesses: [keys.witness.pk], beacons: [], manifest: null, after: {},
    asOf: null, seat: null, proofs: [], ...more };
  return auditNow(text, terms, rules);
}

// An answer without the sentences, which are each verifier's own.
export const bare = ({ because, ...answer }) => ({ ...answer,
  checks: answer.checks.map(({ code, status }) => `${code} ${status}`),
  claims: answer.claims.map(({ name, status }) => `${name} ${status}`),
  ...(answer.rounds ? { rounds: answer.rounds.map(bare) } : {}) });

// The whole answer, as the command line prints it.
export function answered(text, terms) {
  const rounds = [];
  const report = auditNow(text, termsOf(terms), rules, (round, audit) => {
    if (audit.isTicketCanonical) rounds.push({ number: round.number, answer: roundAnswer(round, audit) });
  });
  return JSON.parse(JSON.stringify(reportAnswer(report, rounds)));
}
