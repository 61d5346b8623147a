// From the lines of a transcript to manifests, rounds, reveals, closes of epochs and proofs of the public log:
// FORMAT (PGE-FAIR-1, section 6.4, D6).

import { NotCanonical, parseCanonical } from "../json.js";
import { BadPayload, MOST_SPENT, checkPayload } from "../payload.js";
import { NotARecord, parseRecord } from "../record.js";
import { Failed, skip } from "./report.js";

const STAGES = { ticket: 1, wagers: 2, deal: 3, action: 4, close: 5, settle: 6 };

// The records of a round in the file; a missing one is null. `spent` has the final locks that another
// lock follows, each with its actions. `hasUnreadableWagers` is whether the ledger locked wagers that
// cannot be read and voided them, which CANONICAL finds.
export class Round {
  constructor(number, ticket) {
    Object.assign(this, { number, ticket, lock: null, deal: null, spent: [], actions: [], close: null,
      settle: null, stage: STAGES.ticket, hasUnreadableWagers: false });
  }

  // The locks that close the round, in order.
  get locks() {
    return [...this.spent.map(({ lock }) => lock), this.close].filter((record) => record !== null);
  }

  get records() {
    const spent = this.spent.flatMap(({ actions, lock }) => [...actions, lock]);
    return [this.ticket, this.lock, this.deal, ...spent, ...this.actions, this.close, this.settle]
      .filter((record) => record !== null);
  }
}

// The step of a lock that can be read; null if it cannot.
export function stepOf(record) {
  try {
    checkPayload("lock", record.json);
    return record.json.step;
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    return null;
  }
}

// Which of a round's two locks a record is: by its step, or by its place if CANONICAL will refuse
// it.
function slotOfLock(round, record) {
  const step = stepOf(record);
  if (step === null) return round.stage >= STAGES.wagers ? "close" : "wagers";
  return step === "wagers" ? "wagers" : "close";
}

const outOfPlace = (record) => {
  throw new Failed("records in the order made",
    `a ${record.kind} out of its place, or a second one`, { line: record.line });
};

function place(round, record) {
  const slot = record.kind === "lock" ? slotOfLock(round, record) : record.kind;
  const stage = STAGES[slot];
  // Another group of actions and a lock may follow a final lock. Then that lock is spent.
  if (round.stage === STAGES.close && (slot === "action" || slot === "close")) {
    if (stepOf(round.close) === "void" || round.spent.length === MOST_SPENT) outOfPlace(record);
    round.spent.push({ actions: round.actions, lock: round.close });
    Object.assign(round, { actions: [], close: null, stage: STAGES.action });
  }
  if (stage < round.stage || (stage === round.stage && slot !== "action")) outOfPlace(record);
  if (slot === "action") {
    if (round.deal === null) outOfPlace(record);
    if (round.actions.some((one) => one.hash === record.hash)) outOfPlace(record);
    round.actions.push(record);
  } else {
    round[slot === "wagers" ? "lock" : slot] = record;
  }
  round.stage = stage;
}

// Lines end with a newline, except perhaps the last one. A blank line is not a record.
export function* linesOf(text) {
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    // A file of one newline has no line.
    if (!(stop === at && text.length === 1)) yield { number, text: text.slice(at, stop) };
    at = stop + 1;
  }
}

// Whether a line is an object with the members of an envelope, whatever their values.
function looksLikeAnEnvelope(line) {
  try {
    const value = parseCanonical(line, { loose: true });
    return ["payload", "payloadType", "signatures"].every((name) => Object.hasOwn(value, name));
  } catch (error) {
    if (!(error instanceof NotCanonical)) throw error;
    return false;
  }
}

// Yields now and then, as `readTranscript` does.
export function* looksLikeATranscript(text) {
  for (const { number, text: line } of linesOf(text)) {
    if (looksLikeAnEnvelope(line)) return true;
    if (number % 64 === 0) yield { done: number, what: "reading" };
  }
  return false;
}

// The list of each kind of record that stands outside of rounds.
const OUTSIDE = { manifest: "manifests", "epoch-reveal": "reveals", "epoch-close": "epochCloses",
  "log-proof": "logProofs" };

// Yields now and then, so that a page stays alive; returns { manifests, rounds, reveals,
// epochCloses, logProofs, records }.
export function* readTranscript(text) {
  if (!(yield* looksLikeATranscript(text))) skip("this is not a transcript");
  const file = { manifests: [], rounds: [], reveals: [], epochCloses: [], logProofs: [], records: 0 };
  let round = null;
  for (const { number, text: line } of linesOf(text)) {
    let record;
    try {
      record = parseRecord(line, number);
    } catch (error) {
      if (!(error instanceof NotARecord)) throw error;
      throw new Failed("a record in JSON", error.message, { line: number });
    }
    file.records += 1;
    if (Object.hasOwn(OUTSIDE, record.kind)) {
      file[OUTSIDE[record.kind]].push(record);
      round = null;
    } else if (record.kind === "ticket") {
      // If something was dealt from it, it may begin another telling of the round.
      const isBare = round !== null && round.stage === STAGES.ticket;
      if (isBare && round.ticket.hash === record.hash) outOfPlace(record);
      round = new Round(file.rounds.length + 1, record);
      file.rounds.push(round);
    } else {
      if (round === null) outOfPlace(record);
      place(round, record);
    }
    if (file.records % 64 === 0) yield { done: file.records, what: "reading" };
  }
  return file;
}
