// The public close of an epoch: whether the file has every round that it counts (D6).

import { ascii, asciiText, fromHex, toHex } from "../bytes.js";
import { canonical } from "../json.js";
import { leafHash, treeHash } from "../merkle.js";
import { roundId } from "../seeds.js";
import { missing } from "./claims.js";
import { leadsTo } from "./proofs.js";
import { fail, skip } from "./report.js";

const keyOf = ({ epoch, tenant }) => `${epoch} ${tenant}`;
const placeOf = ({ epoch, tenant, table, round_no: number }) => `${epoch} ${tenant} ${table} ${number}`;

// The engine or the root signs a close. Witnesses may sign it too.
export function isSigned(close, manifests, terms) {
  const engine = manifests.revealKeys(terms.keys, close.json.epoch);
  const witnesses = [...terms.witnesses, ...manifests.witnesses].map(fromHex);
  return close.signedBy(engine) > 0 && close.allSignedBy([...engine, ...witnesses]);
}

// The closes that count, and the rounds of the file in the epoch of each.
export class EpochCloses {
  constructor({ witnesses, after, proofs }) {
    this.witnesses = witnesses.map(fromHex);
    this.after = after;
    // The closes of each epoch and tenant, in the order of the file.
    this.closes = new Map();
    // The rounds of each, by table and number: the hashes of their records by kind.
    this.rounds = new Map();
    // The answers of `heldOf`.
    this.held = new Map();
    // The seed proofs of each close that counts, by table and number.
    this.seedProofs = new Map();
    // The inclusion proofs by the place of their round.
    this.proofs = new Map();
    for (const proof of proofs) {
      const key = placeOf(proof.place);
      if (!this.proofs.has(key)) this.proofs.set(key, []);
      this.proofs.get(key).push(proof);
    }
  }

  // The proofs that the caller gave for the round of a ticket.
  proofsOf(ticket) {
    return this.proofs.get(placeOf(ticket)) ?? [];
  }

  add(close) {
    const key = keyOf(close.json);
    if (!this.closes.has(key)) {
      this.closes.set(key, []);
      this.rounds.set(key, new Map());
    }
    this.closes.get(key).push(close);
  }

  // The close that counts for the round of a ticket, or null.
  of(ticket) {
    return this.closes.get(keyOf(ticket))?.[0] ?? null;
  }

  // The proof of the seed of a ticket's round in the close that counts, or undefined.
  seedProofOf(ticket) {
    const close = this.of(ticket);
    if (close === null) return undefined;
    if (!this.seedProofs.has(close)) {
      const { seed_proofs: proofs = [] } = close.json;
      this.seedProofs.set(close, new Map(proofs.map((one) => [`${one.table} ${one.round_no}`, one.proof])));
    }
    return this.seedProofs.get(close).get(`${ticket.table} ${ticket.round_no}`);
  }

  // Adds one telling of a round of a closed epoch.
  addRound({ ticket, records }, isReadable) {
    const { table, round_no: number } = ticket.json;
    const tables = this.rounds.get(keyOf(ticket.json));
    if (!tables.has(table)) tables.set(table, new Map());
    const rounds = tables.get(table);
    if (!rounds.has(number)) rounds.set(number, null);
    if (!isReadable) return;
    if (rounds.get(number) === null) {
      rounds.set(number, { settle: new Set(), deal: new Set(), lock: new Set(), ticket: new Set() });
    }
    for (const { kind, hash } of records) rounds.get(number)[kind]?.add(hash);
  }

  // No two closes of one epoch and tenant: part of NO_FORK.
  checkForks() {
    for (const [first, ...more] of this.closes.values()) {
      const other = more.find(({ hash }) => hash !== first.hash);
      if (other === undefined) continue;
      const { epoch, tenant } = first.json;
      fail(`one epoch-close of epoch ${epoch} and tenant ${tenant}`, `${first.hash} and ${other.hash}`,
        { line: other.line });
    }
  }

  // Compares a close with the rounds of the file, once for all rounds of the close.
  heldOf(close) {
    const key = keyOf(close.json);
    if (!this.held.has(key)) {
      this.held.set(key, { isWitnessed: close.signedBy(this.witnesses) > 0,
        ...heldOf(close.json, this.rounds.get(key), this.after) });
    }
    return this.held.get(key);
  }
}

// The tables of the close that have a round in the file, and the tree of all rounds that can be read.
function heldOf({ epoch, tenant, leaves: all, tables: closed }, tables, after) {
  const entries = new Map(closed.map((entry) => [entry.table, entry]));
  // Where the leaves of each table begin, if every number has one.
  const starts = new Map();
  const numbers = closed.reduce((before, { table, last }) => {
    starts.set(table, before);
    return before + BigInt(last);
  }, 0n);
  const held = new Map();
  const leaves = new Map();
  for (const table of [...tables.keys()].sort()) {
    const rounds = tables.get(table);
    const ascending = [...rounds.keys()].map(BigInt).sort((a, b) => (a < b ? -1 : 1));
    const entry = entries.get(table);
    if (entry) held.set(table, tableOf({ epoch, tenant, table }, entry, ascending, after));
    for (const number of ascending.map(String)) {
      const records = rounds.get(number);
      if (records === null) continue;
      const { settle, deal, lock, ticket } = records;
      const list = (hashes) => [...hashes].sort();
      leaves.set(`${table} ${number}`, canonical({ closes: list(settle), deals: list(deal), epoch,
        locks: list(lock), round_no: number, table, tenant, tickets: list(ticket) }));
    }
  }
  const hashes = [...leaves.values()].map((leaf) => leafHash(ascii(leaf)));
  return { tables: held, leaves, starts, unused: numbers - BigInt(all), root: hashes.length > 0 ? toHex(treeHash(hashes)) : null };
}

// The table's entry in the close, whether the caller named the close of the round before the first of
// the file, and the first rounds that are missing, or null.
function tableOf(place, entry, numbers, after) {
  const before = numbers[0] - 1n;
  const isContinued = before > 0n &&
    Object.hasOwn(after, toHex(roundId({ ...place, roundNo: String(before) })));
  return { entry, isContinued, gap: gapOf(entry, numbers, isContinued ? before : 0n) };
}

function gapOf({ table, last }, numbers, covered) {
  const end = BigInt(last);
  let next = covered + 1n;
  for (const number of numbers) {
    if (number > end) break;
    if (number > next) return missing(table, next, number - 1n);
    next = number + 1n;
  }
  return next <= end ? missing(table, next, end) : null;
}

// The proof that shows the leaf of a round, if one of those given does. Its path leads to the tree, and the
// leaf is where the tables of the close put it. So a round has one leaf. No honest tree has the leaf after
// that place, or more places before it than there are numbers without a leaf.
function provenBy(given, close, { starts, unused }, { table, round_no: number }) {
  const wanted = starts.get(table) + BigInt(number) - 1n;
  const found = given.filter((proof) => leadsTo(proof, close.json));
  for (const { index } of found) {
    if (index > wanted || index < wanted - unused) {
      fail(`the leaf of the round at place ${wanted} of the tree`, `place ${index}`, { line: close.line });
    }
  }
  return found.find(({ index }) => index === wanted);
}

// In the vrf suite the close has a proof of each void after a lock of the wagers: no secret opens it later.
// An unreadable lock is left out: it reaches no evidence.
function checkSeedProofs(audit, { json, line }) {
  const { listed, round: { lock, settle, hasUnreadableWagers }, ticket } = audit;
  if (!audit.isVrf && json.seed_proofs !== undefined) {
    fail("no seed proofs", `some, in the ${listed.epoch.suite} suite`, { line });
  }
  const isHere = (record) => record !== null && !audit.refused.has(record.line);
  if (!audit.isVrf || ![lock, settle].every(isHere) || !audit.isVoid || hasUnreadableWagers) return;
  if (audit.world.epochCloses.seedProofOf(ticket) === undefined) {
    fail(`a seed proof of round ${ticket.round_no} of table ${ticket.table}`, "none", { line });
  }
}

// The check EPOCH_CLOSE of a round.
export function checkEpochClose(audit) {
  const { ticket, round, world } = audit;
  const close = world.epochCloses.of(ticket);
  if (close === null) skip("the close of the epoch is not in the file");
  if (audit.refused.has(close.line)) skip("the close of the epoch was refused by an earlier check");
  const { table, round_no: number } = ticket;
  const held = world.epochCloses.heldOf(close);
  const { entry, isContinued, gap } = held.tables.get(table) ?? {};
  if (entry === undefined || BigInt(number) > BigInt(entry.last)) {
    fail("a round that the close of its epoch counts", `round ${number} of table ${table}`,
      { line: round.ticket.line });
  }
  const { settle } = round;
  if (number === entry.last && entry.head !== undefined && settle !== null &&
    !audit.refused.has(settle.line) && settle.hash !== entry.head) {
    fail(entry.head, settle.hash, { line: settle.line });
  }
  checkSeedProofs(audit, close);
  const proof = provenBy(world.epochCloses.proofsOf(ticket), close, held, ticket);
  if (proof && proof.place.closes.length > 0 && settle !== null && !audit.refused.has(settle.line) &&
    !proof.place.closes.includes(settle.hash)) {
    fail(`a close that the leaf lists: ${proof.place.closes.join(", ")}`, settle.hash, { line: settle.line });
  }
  if (!held.isWitnessed) skip("no witness that you named has signed the close of the epoch");
  if (gap !== null) skip(proof ? `${gap}; this round is in the tree` : gap);
  const { leaves, root } = close.json;
  const hasAll = !isContinued && String(held.leaves.size) === leaves;
  if (hasAll && held.root === root) return;
  if (proof === undefined) {
    if (world.epochCloses.proofsOf(ticket).length > 0) {
      skip("the inclusion proof does not lead to the round's place in the tree");
    }
    if (hasAll) skip("the rounds of the file do not make the tree of the close");
    skip(`the file has ${held.leaves.size} of the ${leaves} rounds of the epoch: an inclusion proof is needed`);
  }
  if (held.leaves.get(`${table} ${number}`) !== asciiText(proof.leaf)) {
    skip("the leaf of the round lists other records than the file");
  }
}
