// The terms of an audit: everything that its caller trusts (D6).

import { fromHex } from "../bytes.js";
import { isPublicKey } from "../ed25519.js";

export class BadTerms extends Error {}

const need = (holds, what) => {
  if (!holds) throw new BadTerms(what);
};
export const isHash = (text) => /^[0-9a-f]{64}$/.test(text);
export const isKey = (text) => isHash(text) && isPublicKey(fromHex(text));

// Checks the terms of an audit. All keys and hashes are lower-case hex.
//
// `keys` are those of the root.
// `threshold` of them have to sign.
// `witnesses` are the keys of the trusted witnesses.
// `beacons` are the chain hashes of the trusted beacons. Quicknet is always trusted.
// `manifest` is the hash of the first manifest.
// `after` maps the id of a round that was audited before to the hash of its close.
// `asOf` is the time of the audit in seconds since 1970. Without it no secret is overdue.
// `seat` is the caller's own seat: its number, and its key if the caller gave one.
// `proofs` are inclusion proofs, as `proofsOf` reads them.
// `logCopies` are copies of public logs, as `logCopyOf` reads them.
export function termsOf({ keys, threshold = 1, witnesses = [], beacons = [], manifest = null, after = {}, asOf = null,
  seat = null, proofs = [], logCopies = [] }) {
  need(keys.every(isKey), "--root: not an Ed25519 public key");
  need(Number.isInteger(threshold) && threshold >= 1 && threshold <= new Set(keys).size,
    "--threshold: 1 to the number of distinct root keys");
  need(witnesses.every(isKey), "--witness: not an Ed25519 public key");
  need(beacons.every(isHash), "--beacon: a chain hash of 64 hex digits");
  need(manifest === null || isHash(manifest), "--manifest: a hash of 64 hex digits");
  need(Object.entries(after).flat().every(isHash), "--after: ROUND_ID:HASH, each of 64 hex digits");
  need(asOf === null || (Number.isSafeInteger(asOf) && asOf >= 0), "--as-of: a time since 1970");
  need(seat === null || (Number.isInteger(seat.number) && seat.number >= 1 && seat.number <= 7),
    "--my-seat: a seat is 1 to 7");
  need((seat?.key ?? null) === null || isKey(seat.key), "--my-seat: not an Ed25519 public key");
  return { keys, threshold, witnesses: [...new Set(witnesses)].sort(), beacons: [...new Set(beacons)].sort(), manifest,
    after, asOf, seat, proofs, logCopies };
}

// Reads N or N=KEY.
export function seatOf(text) {
  const [, number, key] = /^([0-9])(?:=(.*))?$/.exec(text) ?? [];
  need(number !== undefined, "--my-seat: N or N=KEY");
  return { number: Number(number), key: key ?? null };
}

// Reads a time in UTC, like 2026-11-25T00:00:00Z, as seconds since 1970.
export function secondOf(text) {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? Date.parse(text) : NaN;
  need(!Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, -1)),
    "--as-of: a time like 2026-11-25T00:00:00Z");
  return time / 1000;
}

// The last second of the year 9999.
const LAST_SECOND = 253402300799n;

// The day of a second in UTC, as 2030-03-27; beyond the year 9999 the second.
export const dayOf = (second) => (BigInt(second) > LAST_SECOND ? `second ${second} of Unix time`
  : new Date(Number(second) * 1000).toISOString().slice(0, 10));

// The time of a second on its day in UTC, as 08:04:59; beyond the year 9999 nothing.
export const clockOf = (second) => (BigInt(second) > LAST_SECOND ? ""
  : new Date(Number(second) * 1000).toISOString().slice(11, 19));
