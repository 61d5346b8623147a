// NO_FORK: no two tellings of one round contradict each other (D1, D22).

import { fromHex } from "../bytes.js";
import { attempt, fail } from "./report.js";
import { Judge, canSettle } from "./spent.js";

const brief = ({ hash, line }) => ({ hash, line });

// One telling of a round: a ticket and the records after it. A record that a check refused is no evidence
// against its apparent signer.
function tellingOf(audit) {
  const { round, refused, ticket } = audit;
  const counted = (record) => (record === null || refused.has(record.line) ? null : brief(record));
  const locks = round.locks.filter(({ line }) => !refused.has(line));
  const [wagers, deal, settle] = [round.lock, round.deal, round.settle].map(counted);
  const isSigned = [wagers && round.lock, ...locks].some((lock) => lock !== null && lock.signatures.length > 0);
  const isLocked = ticket.policy.lock === "required"
    ? wagers !== null || locks.length > 0 : deal !== null || settle !== null || isSigned;
  const rank = deal !== null ? 2 : wagers !== null ? 1 : 0;
  const close = counted(round.close);
  const isFinal = close !== null && !audit.closesAsVoid;
  return {
    ticket: counted(round.ticket), isLocked, wagers, deal, settle, rank,
    isBound: ticket.suite !== "fresh" && Object.keys(ticket.client).length > 0,
    locks: locks.map((lock) => ({ ...brief(lock), supersedes: lock.json.supersedes ?? [] })),
    void: close !== null && audit.closesAsVoid ? close : null,
    isExcused: close !== null && audit.closesAsVoid && rank === 1 && hadClosed(audit),
    accepted: acceptedOf(audit),
    final: isFinal && canSettle(audit) ? { ...close, actions: round.close.json.actions } : null,
  };
}

// Whether a later manifest stopped the engine from dealing to the lock of the wagers: it revokes the
// epoch, or no longer lists a ledger key that signed the lock.
function hadClosed({ manifest, listed, round, ticket, world }) {
  if (listed === null) return false;
  return world.manifests.after(manifest).some(({ json: { epochs, tenants } }) => {
    const epoch = epochs.find((one) => one.epoch === ticket.epoch);
    const now = tenants.find(({ tenant }) => tenant === ticket.tenant)?.ledger_keys.map(({ pk }) => pk) ?? [];
    const dropped = listed.tenant.ledger_keys.map(({ pk }) => pk).filter((key) => !now.includes(key));
    return epoch?.status === "revoked" || round.lock.signedBy(dropped.map(fromHex)) > 0;
  });
}

// The actions that the ledger countersigned and that are legal by themselves.
function acceptedOf(audit) {
  if (audit.listed === null) return [];
  const ledger = audit.listed.tenant.ledger_keys.map(({ pk }) => fromHex(pk));
  const signed = audit.round.actions.filter((action) =>
    !audit.refused.has(action.line) && action.signedBy(ledger) > 0);
  let accepted = [];
  if (signed.length > 0) {
    attempt(() => {
      const judge = new Judge(audit);
      accepted = signed.filter((action) => judge.fault(action) === null).map(({ hash }) => hash);
    });
  }
  return accepted;
}

export class Forks {
  constructor() {
    // The tellings of each round, by its id, each once; and the tickets that are locked.
    this.rounds = new Map();
    this.locked = new Set();
  }

  // Adds a telling, and fails if it contradicts one before it.
  add(audit) {
    const now = tellingOf(audit);
    const id = audit.ticket.round_id;
    if (now.isLocked && now.ticket) this.locked.add(now.ticket.hash);
    if (!this.rounds.has(id)) this.rounds.set(id, new Map());
    const tellings = this.rounds.get(id);
    const before = [...tellings.values()];
    const key = JSON.stringify(now, (name, value) => (name === "line" ? undefined : value));
    if (!tellings.has(key)) tellings.set(key, now);
    this.compare(id, before, now);
  }

  compare(id, tellings, now) {
    const one = (what, record, other) => {
      if (record && other && record.hash !== other.hash) {
        fail(`one ${what} of round ${id}`, `${other.hash} and ${record.hash}`, { line: record.line });
      }
    };
    for (const { ticket, isBound } of tellings) {
      if (!ticket || !now.ticket) continue;
      const bothLocked = this.locked.has(ticket.hash) && this.locked.has(now.ticket.hash);
      if (isBound || now.isBound || bothLocked) one("ticket", now.ticket, ticket);
    }
    for (const { wagers } of tellings) one("phase-1 lock", now.wagers, wagers);
    for (const { deal } of tellings) one("deal", now.deal, deal);
    for (const { locks } of tellings) {
      for (const lock of now.locks) {
        const apart = locks.find(({ hash, supersedes }) =>
          !lock.supersedes.includes(hash) && !supersedes.includes(lock.hash) && hash !== lock.hash);
        one("phase-2 lock", lock, apart);
      }
    }
    for (const { settle } of tellings) one("close", now.settle, settle);
    const pairs = tellings.flatMap((before) => [[before, now], [now, before]]);
    for (const [told, other] of pairs) {
      const isLess = told.void && told.ticket && other.rank > told.rank && other.ticket?.hash === told.ticket.hash;
      if (isLess && !(told.isExcused && other.wagers?.hash === told.wagers.hash)) {
        fail(`a void over the latest record of round ${id}`,
          `${(other.deal ?? other.wagers).hash} in another telling`, { line: told.void.line });
      }
    }
    for (const [told, { deal, final }] of pairs) {
      if (!final || deal === null || told.deal?.hash !== deal.hash) continue;
      const left = told.accepted.find((hash) => !final.actions.includes(hash));
      if (left) fail(`a final lock that covers the countersigned action ${left}`, `lock ${final.hash}`, { line: final.line });
    }
  }
}
