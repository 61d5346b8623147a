// Public randomness: chains of drand with the scheme bls-unchained-g1-rfc9380 (PGE-FAIR-1, section 3.7). Nobody
// knows the value of a round before it is published: the BLS signature of the round's number.

import { bls12_381 } from "../vendor/noble-bls12-381.js";
import { ascii, concat, fromHex, toHex } from "./bytes.js";
import { sha256 } from "./sha2.js";

const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const { G2, shortSignatures: scheme } = bls12_381;

// The chain hash of quicknet of the League of Entropy, which every verifier trusts.
export const QUICKNET = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";

// A big-endian integer, as drand writes all of its integers.
function bigEndian(value, size) {
  const bytes = new Uint8Array(size);
  for (let i = size - 1, rest = BigInt(value); i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return bytes;
}

// The chain hash of a beacon of a manifest, as drand computes it.
export function chainOf({ genesis, group, id, period, pk }) {
  const name = id === "default" ? new Uint8Array(0) : ascii(id);
  return toHex(sha256(concat(bigEndian(period, 4), bigEndian(genesis, 8), fromHex(pk), fromHex(group), name)));
}

// When a round is published, in Unix seconds. Rounds are numbered from 1.
export const publishedAt = ({ genesis, period }, round) => BigInt(genesis) + (BigInt(round) - 1n) * BigInt(period);

// A compressed point of the subgroup, and not the identity; null for other bytes.
function pointOf(read, bytes) {
  try {
    const point = read(bytes);
    return point.is0() ? null : point;
  } catch {
    return null;
  }
}

// Whether a signature (48 bytes, a point of G1) is of a message under a public key (96 bytes, a point of G2).
export function verifyBls(publicKey, message, signature) {
  if (publicKey.length !== 96 || signature.length !== 48) return false;
  const key = pointOf((bytes) => G2.Point.fromBytes(bytes), publicKey);
  const point = pointOf((bytes) => scheme.Signature.fromBytes(bytes), signature);
  return key !== null && point !== null && scheme.verify(point, scheme.hash(message, DST), key);
}

// Earlier answers: all rounds of an epoch have one salt, and the page audits a round each time that it draws it.
// The bound keeps a file with many values from filling memory.
const known = new Map();

// Whether a signature is the one that a beacon of a manifest published for a round.
export function isOfRound({ pk }, round, signature) {
  const name = `${pk} ${round} ${signature}`;
  if (!known.has(name)) {
    if (known.size >= 1024) known.clear();
    known.set(name, verifyBls(fromHex(pk), sha256(bigEndian(round, 8)), fromHex(signature)));
  }
  return known.get(name);
}
