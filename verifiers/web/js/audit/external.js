// Public randomness of a round (PGE-FAIR-1, section 3.7). The ticket names a round of a beacon. The beacon publishes it
// after the wagers are locked, and its signature goes into the seed.

import { QUICKNET, isOfRound, publishedAt } from "../beacon.js";
import { fromHex } from "../bytes.js";
import { externalDrand } from "../seeds.js";
import { beaconOf } from "./manifest-rules.js";
import { fail, skip } from "./report.js";

export const UNTRUSTED = "the chain of the beacon is not among those given";
export const OTHER_BEACON = "the manifest lists another beacon, or none";
const NONE_NAMED = "the ticket names no beacon round";

// Whether the caller trusts a chain. Every caller trusts quicknet.
export const isTrusted = (chain, { beacons }) => chain === QUICKNET || beacons.includes(chain);

// Returns the bytes that public randomness adds to the seed of a round: none without a signature.
export function externalOf({ external: { type, chain, round } }, { beacon: signature }) {
  if (type === "none" || signature === undefined) return new Uint8Array(0);
  return externalDrand(fromHex(chain), round, fromHex(signature));
}

// The beacon that the ticket of a round names, as its manifest lists it; undefined if that is not known.
export function namedBeacon({ manifest, ticket: { external } }) {
  return manifest === null || external.type === "none" ? undefined : beaconOf(manifest.json, external.chain);
}

// The check BEACON of a round.
export function checkBeacon(audit) {
  const { deal, ticket: { line } } = audit.round;
  // Two records can contradict each other even without a reliable manifest.
  if (audit.refused.has(line)) skip("the ticket was refused by an earlier check");
  if (deal === null) skip("no deal");
  const { ticket } = audit;
  const { beacon: signature } = deal.json;
  const at = { line: deal.line };
  if (ticket.external.type === "none") {
    if (signature !== undefined) fail("no signature of a beacon", signature, at);
    skip(NONE_NAMED);
  }
  if (signature === undefined) fail("the signature of the beacon", "none", at);
  if (audit.listed === null) skip("no manifest to rely on");
  const beacon = namedBeacon(audit);
  if (beacon === undefined) skip(OTHER_BEACON);
  const { round: number } = ticket.external;
  if (!isOfRound(beacon, number, signature)) fail(`the signature of the beacon for its round ${number}`, signature, at);
}

// The check LOCKED_BEFORE_BEACON of a round.
export function checkLockedBeforeBeacon(audit) {
  const { round: { lock }, ticket: { external }, world: { log, terms } } = audit;
  if (external.type === "none") skip(NONE_NAMED);
  if (!isTrusted(external.chain, terms)) skip(UNTRUSTED);
  if (lock === null) skip("no lock of the wagers");
  const dated = log.timeOf(lock.hash, audit.manifest.json.log ?? null);
  if (dated === null) skip("no pinned witness dated the lock of the wagers");
  const beacon = namedBeacon(audit);
  if (beacon === undefined) skip(OTHER_BEACON);
  const published = publishedAt(beacon, external.round);
  if (dated >= published) {
    skip(`a witness dated the wagers at ${dated}, and the beacon's round was published at ${published}`);
  }
}
