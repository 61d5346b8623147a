// Copies of a public log: a checkpoint and every entry before it (PGE-FAIR-1, section 6.6). A copy is an input of an
// audit, no record. Its first line is the checkpoint. Each other line is the record of an entry, without signatures;
// or, where the entry is the hash of a record that is too long, that hash as a string.

import { ascii, fromHex, toHex } from "../bytes.js";
import { verify } from "../ed25519.js";
import { NotCanonical, parseCanonical } from "../json.js";
import { leafHash, treeHash } from "../merkle.js";
import { BadPayload, checkCheckpoint } from "../payload.js";
import { NotARecord, parseRecord } from "../record.js";
import { isCanonical } from "./canonical.js";
import { missing } from "./claims.js";
import { checkpointOf, cosignedOf, entryOf, longEntryOf } from "./public-log.js";
import { dayOf, isHash } from "./terms.js";

export class BadLogCopy extends Error {}

const need = (holds, what) => {
  if (!holds) throw new BadLogCopy(`not a copy of a log: ${what}`);
};

// Reads a copy. The signatures of the checkpoint are not verified.
export function logCopyOf(text) {
  const [first, ...lines] = text.replace(/\n$/, "").split("\n");
  try {
    const head = parseCanonical(first);
    checkCheckpoint(head);
    need(BigInt(lines.length) === BigInt(head.size), `${lines.length} entries, and the checkpoint counts ${head.size}`);
    const entries = lines.map((line, i) => entryIn(line, i + 2));
    need(toHex(treeHash(entries.map(({ bytes }) => leafHash(bytes)))) === head.root,
      "the entries do not make the root of the checkpoint");
    for (const entry of entries) delete entry.bytes;
    return { head, entries };
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    throw new BadLogCopy(`line 1: not a checkpoint: ${error.message}`);
  }
}

function entryIn(line, number) {
  if (line.startsWith("\"")) {
    const hash = line.slice(1, -1);
    need(isHash(hash) && line === `"${hash}"`, `line ${number}: neither a record nor a hash`);
    return { hash, record: null, bytes: longEntryOf(hash) };
  }
  let record;
  try {
    record = parseRecord(line, number);
  } catch (error) {
    if (!(error instanceof NotARecord)) throw error;
    throw new BadLogCopy(`line ${number}: neither a record nor a hash: ${error.message}`);
  }
  need(record.signatures.length === 0, `line ${number}: a record of a log has no signature`);
  return { hash: record.hash, record, bytes: entryOf(record) };
}

// Whether a text looks like a copy of a log.
export const looksLikeALogCopy = (text) => /^\{"cosignatures":/.test(text);

const tableOf = ({ epoch, tenant, table }) => `${epoch} ${tenant} ${table}`;
const placeOf = (ticket) => `${tableOf(ticket)} ${ticket.round_no}`;

// The highest number of each table of tickets.
function lastsOf(tickets) {
  const found = new Map();
  for (const ticket of tickets) {
    const [key, number] = [tableOf(ticket), BigInt(ticket.round_no)];
    if (!found.has(key) || found.get(key) < number) found.set(key, number);
  }
  return found;
}

// A record of a log that the file lacks: null if it says nothing of a round.
function toldBy({ hash, record }) {
  const { json, kind } = record;
  if (kind === "ticket") return { what: "ticket", ticket: hash };
  if (kind === "settle") return { what: "close", ticket: json.ticket };
  return json.step === "wagers" ? { what: "lock of the wagers", ticket: json.prev } : null;
}

// The tickets, locks of wagers and closes of a copy that a file lacks.
class LogRest {
  constructor({ entries }, file) {
    // Why the rest is not known, and of each round another record.
    this.unknown = null;
    this.others = new Map();
    const held = new Set();
    const tickets = new Map();
    for (const { records, ticket } of [{ records: [file.manifests, file.reveals, file.epochCloses].flat() }, ...file.rounds]) {
      for (const { hash } of records) held.add(hash);
      if (ticket !== undefined && isCanonical(ticket)) tickets.set(ticket.hash, ticket.json);
    }
    // The last round of each table in the file.
    this.held = lastsOf(tickets.values());
    const rest = [];
    for (const [index, entry] of entries.entries()) {
      if (held.has(entry.hash) || (entry.record !== null && !["ticket", "lock", "settle"].includes(entry.record.kind))) {
        continue;
      }
      if (entry.record === null || !isCanonical(entry.record)) {
        this.unknown ??= `entry ${index} of the log cannot be read`;
        continue;
      }
      if (entry.record.kind === "ticket") tickets.set(entry.hash, entry.record.json);
      const told = toldBy(entry);
      if (told !== null) rest.push({ index, hash: entry.hash, ...told });
      entry.record.cachedJson = undefined;
    }
    // The last round of each table in the file or in the log.
    this.lasts = lastsOf(tickets.values());
    for (const { index, hash, what, ticket } of rest) {
      if (!tickets.has(ticket)) {
        this.unknown ??= `entry ${index} of the log follows a ticket that neither log nor file has`;
        continue;
      }
      const place = placeOf(tickets.get(ticket));
      if (!this.others.has(place)) this.others.set(place, `the log has another ${what} of the round, ${hash}`);
    }
  }
}

// The copies of the caller, held against a file.
export class LogEnds {
  constructor({ logCopies = [], witnesses }, file) {
    this.copies = logCopies.map((copy) => ({ ...copy, file }));
    this.witnesses = witnesses;
  }

  // Up to where the file has everything of the log about the table of a round: { end }, or { why } it does not.
  of(audit) {
    const { isTicketCanonical, manifest } = audit;
    if (manifest === null || !isTicketCanonical) return { why: "no manifest to rely on" };
    const { ticket } = audit;
    const { log } = manifest.json;
    if (log === undefined) return { why: "the manifest lists no log" };
    const copy = this.copies.find(({ head }) => head.origin === log.origin && isSigned(log.pk, checkpointOf(head), head.sig));
    if (copy === undefined) return { why: "no copy of the log was given" };
    const { head } = copy;
    copy.times ??= head.cosignatures.filter(({ pk, sig, time }) => this.witnesses.includes(pk) &&
      isSigned(pk, cosignedOf(time, checkpointOf(head)), sig)).map(({ time }) => BigInt(time));
    if (copy.times.length === 0) return { why: "no pinned witness has signed the checkpoint of the copy" };
    copy.rest ??= new LogRest(copy, copy.file);
    const { unknown, others, held, lasts } = copy.rest;
    const why = unknown ?? others.get(placeOf(ticket));
    if (why !== undefined) return { why };
    const [last, highest] = [held, lasts].map((numbers) => numbers.get(tableOf(ticket)));
    if (highest > last) return { why: `the log goes on: ${missing(ticket.table, last + 1n, highest)}` };
    const day = dayOf(copy.times.reduce((a, b) => (a < b ? a : b)));
    return { end: `the first ${head.size} entries of the log, as a witness signed on ${day}` };
  }
}

const isSigned = (pk, text, sig) => verify(fromHex(pk), ascii(text), fromHex(sig));
