// SUPERSEDES, and when a final lock is spent (D22). The actions of a spent lock alone prove that it can
// never settle. So it closes nothing, and the next lock of the round supersedes it.

import { NotCanonical } from "../json.js";
import { BadPayload, MOST_SPENT, checkPayload } from "../payload.js";
import { activeSeats, decisionFault } from "../sheet.js";
import { attempt, fail, skip } from "./report.js";

// The payload of an action, or null if the record is not an action, which a spent group may have.
function actionOf(record) {
  try {
    checkPayload("action", record.json);
    return record.json;
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    return null;
  }
}

// The first seat that a lock wrongly lists as absent, or undefined.
export function wronglyAbsent(audit, lock, actions) {
  const byHouseWay = new Set(actions.map(({ json }) => json)
    .filter((json) => json.house_way !== undefined && json.double_down === undefined).map(({ seat }) => seat));
  return (lock.json.absent ?? []).find((seat) =>
    audit.seatKey(seat)?.absent === undefined || !byHouseWay.has(seat));
}

// The actions that a lock lists, in its order.
function listed({ actions, lock }) {
  const known = new Map(actions.map((action) => [action.hash, action]));
  if (lock.json.actions.some((hash) => !known.has(hash))) skip("an action that a lock lists is not in the file");
  return lock.json.actions.map((hash) => known.get(hash));
}

// The facts by which the decisions of a dealt round are judged. They do not include the dealer's cards.
export class Judge {
  // Skips if a record or the rules are missing, or were refused: that spends no lock.
  constructor(audit) {
    const { ticket, lock, deal } = audit.round;
    if (audit.refused.has(ticket.line)) skip("the ticket was refused by an earlier check");
    if (deal === null) skip("no deal in the file");
    if (audit.refused.has(deal.line)) skip("the deal was refused by an earlier check");
    this.ruleset = audit.needRules();
    if (lock === null) skip("no lock of the wagers in the file");
    if (audit.refused.has(lock.line)) skip("the lock of the wagers was refused by an earlier check");
    if (audit.sheet === null) skip("the wagers are not the ruleset's: see RESULTS");
    Object.assign(this, { audit, sheet: audit.sheet, deal: deal.hash, visible: deal.json.visible });
  }

  // Why an action is not legal by itself, whatever the other seats decide; null if it is legal.
  fault(record) {
    const action = actionOf(record);
    if (action === null) return "no canonical action";
    if (action.prev !== this.deal) return "an action of another deal";
    const { house_way: way, seat } = action;
    if (way !== undefined && way !== this.ruleset.house_way.hash) return "another house way";
    return decisionFault(this.ruleset, this.sheet, action, this.visible[seat] ?? []);
  }

  // The actions that locks after these groups keep, by seat: the first that is legal by itself.
  kept(groups) {
    const found = new Map();
    for (const action of groups.flatMap(listed)) {
      if (this.fault(action) === null && !found.has(action.json.seat)) found.set(action.json.seat, action.hash);
    }
    return found;
  }

  // Whether the lock of a group is spent; `before` are the groups before it.
  isSpent(group, before) {
    const actions = listed(group);
    if (actions.some((action) => this.fault(action) !== null)) return true;
    const seats = actions.map(({ json }) => json.seat);
    if (seats.some((seat, i) => i > 0 && seat <= seats[i - 1])) return true;
    if (activeSeats(this.sheet).some((seat) => !seats.includes(seat))) return true;
    if (wronglyAbsent(this.audit, group.lock, actions) !== undefined) return true;
    return [...this.kept(before).values()].some((hash) => !group.lock.json.actions.includes(hash));
  }
}

// Whether the final lock at the end of a round is known not to be spent.
export function canSettle(audit) {
  const { actions, close, spent } = audit.round;
  let isSpent = true;
  const judged = attempt(() => {
    isSpent = new Judge(audit).isSpent({ actions, lock: close }, spent);
  });
  return judged.status === "passed" && !isSpent;
}

// Each lock that closes the round lists those before it, and they are spent; the last keeps what was legal.
export function checkSupersedes(audit) {
  const { close, locks, spent } = audit.round;
  if (locks.length === 0) skip("no lock that closes the round");
  if (locks.some(({ line }) => audit.refused.has(line))) skip("a lock was refused by an earlier check");
  for (const [i, { hash, json, line }] of locks.entries()) {
    const before = locks.slice(0, i).map((lock) => lock.hash);
    const named = json.supersedes ?? [];
    if (named.join() !== before.join()) fail(`supersedes [${before.join(", ")}]`, `[${named.join(", ")}]`, { line });
    if (i === MOST_SPENT && json.step === "final") fail("a void lock after 8 spent locks", `lock ${hash}`, { line });
  }
  if (spent.length === 0) return;
  const judge = new Judge(audit);
  for (const [i, group] of spent.entries()) {
    // No engine settles in an epoch that is revoked.
    const isExcused = audit.closesAsVoid && i === spent.length - 1 &&
      audit.world.manifests.revokes(audit.ticket.epoch);
    if (!judge.isSpent(group, spent.slice(0, i)) && !isExcused) {
      // If the file ends with actions, no lock follows them.
      const { line } = locks[i + 1] ?? group.lock;
      fail("a spent lock before it", `lock ${group.lock.hash} can still be settled`, { line });
    }
  }
  if (close === null || audit.closesAsVoid) return;
  for (const [seat, hash] of judge.kept(spent)) {
    if (!close.json.actions.includes(hash)) {
      fail(`the legal action ${hash} of seat ${seat}`, "a lock without it", { line: close.line });
    }
  }
}
