// Tuples, commitments and seeds (PGE-FAIR-1, sections 2, 3 and 6.1).

import { ascii, concat, u32, u64, utf8 } from "./bytes.js";
import { hkdfExpand, hmacSha256, sha256 } from "./sha2.js";
import { outputOf } from "./vrf.js";

// The one encoding of a tuple: label, number of fields, each field with its length.
export function enc(label, ...fields) {
  const name = ascii(label);
  const parts = [Uint8Array.of(name.length), name, Uint8Array.of(fields.length)];
  for (const field of fields) parts.push(u32(field.length), field);
  return concat(...parts);
}

const hash = (label, ...fields) => sha256(enc(`pge/v1/${label}`, ...fields));

const coords = ({ epoch, tenant, table, roundNo }) =>
  [u32(epoch), ascii(tenant), ascii(table), u64(roundNo)];

export const kid = (publicKey) => hash("kid", publicKey).subarray(0, 8);
export const roundId = (place) => hash("round-id", ...coords(place));
export const epochCommit = (epoch, secret) => hash("epoch-commit", u32(epoch), secret);
export const epochSaltParty = (publicKey, value) => hash("epoch-salt-party", publicKey, value);
export const epochSaltDrand = (chain, round, signature) => hash("epoch-salt-drand", chain, u64(round), signature);
// The party signs the tuple itself (D2).
export const epochSaltStatement = (epoch, announcement, commit, value) =>
  enc("pge/v1/epoch-salt-party", u32(epoch), announcement, commit, value);

export const serverSeed = (secret, salt, place) =>
  hkdfExpand(secret, enc("pge/v1/server-seed", salt, ...coords(place)), 32);

// The server seed that a proof shows under the key of an epoch (vrf suite), or null.
export function provenSeed(key, salt, place, proof) {
  const output = outputOf(key, enc("pge/v1/vrf-input", salt, ...coords(place)), proof);
  return output === null ? null : hash("vrf-seed", output);
}

export const roundCommit = (seed, id, ruleset, engine) =>
  hash("commit", seed, id, ruleset, ascii(engine));

export const clientCommit = (id, seat, seed) =>
  hash("client-commit", id, Uint8Array.of(seat), seed);

// Returns the bytes that the signature of a beacon's round adds to the seed of a round of play.
export const externalDrand = (chain, round, signature) => enc("pge/v1/external-drand", chain, u64(round), signature);

// `seeds`: pairs of seat and bytes, ascending. There may be none, which changes the encoding (3.4).
// `external` is the public randomness of the round.
export function roundSeed(seed, id, seeds, external = new Uint8Array(0)) {
  const block = enc("pge/v1/client-seeds",
    ...seeds.map(([seat, bytes]) => concat(Uint8Array.of(seat), bytes)));
  return hmacSha256(seed, enc("pge/v1/round-seed", id, block, external));
}

export const deckCommit = (seed, deck) => hash("deck-commit", seed, Uint8Array.from(deck));

// The hashes that name rule files are over their bytes (D9).
export const rulesetHash = (id, text) => hash("ruleset", ascii(id), utf8(text));
export const houseWayHash = (id, text) => hash("house-way", ascii(id), utf8(text));
