// The place of a round: whether the operator could choose it by its cards (D6). The checks of
// places are passed or skipped; POLICY fails where the announcement of the epoch has another place.

import { fail, skip } from "./report.js";

const NOT_ANNOUNCED = "the manifest that announced the epoch is not in the file";

// The tenants of the manifest that announced the epoch of a round, or null if it is not known.
function tenantsOf(audit) {
  const { manifests } = audit.world;
  const hash = manifests.announcement(audit.ticket.epoch);
  return hash === undefined ? null : manifests.byHash.get(hash).json.tenants;
}

const ownOf = (audit, tenants) => tenants.find(({ tenant }) => tenant === audit.ticket.tenant);

// The last part of POLICY: the announcement lists the tenant, and the table if it pins tables.
export function checkAnnounced(audit) {
  const tenants = tenantsOf(audit);
  if (tenants === null) return;
  const own = ownOf(audit, tenants);
  const at = { line: audit.round.ticket.line };
  if (own === undefined) {
    fail("a tenant of the manifest that announced the epoch", audit.ticket.tenant, at);
  }
  if (own.tables && !own.tables.includes(audit.ticket.table)) {
    fail("a table that the announcement of the epoch lists", audit.ticket.table, at);
  }
}

export function checkListed(audit) {
  const tenants = tenantsOf(audit);
  if (tenants === null) skip(NOT_ANNOUNCED);
  if (!ownOf(audit, tenants).tables) skip("the announcement of the epoch pins no tables of the tenant");
  const free = tenants.find(({ tables, policy }) => !tables && policy.client !== "committed");
  if (free) skip(`tenant ${free.tenant} may use any name of a table`);
  audit.places = new Set(tenants.flatMap(({ tenant, tables = [] }) =>
    tables.map((table) => `${tenant} ${table}`))).size;
}

export function checkNotChosen(audit) {
  const { seat } = audit.world.terms;
  if (seat === null) skip("no seat is named as yours");
  if (tenantsOf(audit) === null) skip(NOT_ANNOUNCED);
  const { lock } = audit.round;
  if (lock === null) skip("no lock of the wagers in the file");
  if (audit.closesAsVoid) skip("the round is void");
  const seed = lock.json.seats[seat.number]?.client_seed;
  if (seed === undefined || audit.ticket.client[seat.number] === undefined) {
    skip(`seat ${seat.number} has committed to no seed`);
  }
  if (audit.world.seeds.get(seed).size > 1) {
    skip(`the seed of seat ${seat.number} stands under another ticket too`);
  }
}
