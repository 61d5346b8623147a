// CANONICAL: each payload in the one form that is signed.

import { fromHex } from "../bytes.js";
import { NotCanonical } from "../json.js";
import { BadPayload, checkPayload } from "../payload.js";
import { stepOf } from "./file.js";
import { attempt, fail } from "./report.js";

export function checkCanonical(record) {
  try {
    checkPayload(record.kind, record.json);
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    fail("a canonical payload", error.message, { line: record.line });
  }
}

export const isCanonical = (record) => attempt(() => checkCanonical(record)).status === "passed";

// Whether the ledger signed a lock of wagers that cannot be read, and voided it right away.
export function hasUnreadableWagers(round, { manifests, reliable }) {
  const { ticket, lock, deal, spent, actions, close } = round;
  if (lock === null || deal !== null || spent.length + actions.length > 0 || close === null) return false;
  if (stepOf(lock) !== null || stepOf(close) !== "void" || lock.signatures.length === 0) return false;
  if (!reliable || !isCanonical(ticket)) return false;
  const manifest = manifests.of(ticket);
  const tenant = manifest?.json.tenants.find((one) => one.tenant === ticket.json.tenant);
  return tenant !== undefined && lock.allSignedBy(tenant.ledger_keys.map(({ pk }) => fromHex(pk)));
}

// The records of a round. The actions of a spent lock may be anything: that may be why it is spent.
export function checkRound(round, world) {
  const { ticket, lock, deal, spent, actions, close, settle } = round;
  const own = [ticket, lock, deal, ...spent.map((group) => group.lock), ...actions, close, settle];
  for (const record of own.filter((one) => one !== null)) {
    if (record === lock && hasUnreadableWagers(round, world)) continue;
    checkCanonical(record);
    if (spent.some((group) => group.lock === record) && record.json.step !== "final") {
      fail("the step final", record.json.step, { line: record.line });
    }
  }
}
