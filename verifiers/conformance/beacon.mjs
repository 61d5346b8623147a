// Makes beacon.json: a beacon for the kit alone, with its signatures of rounds 1 to 64.
//
//   node verifiers/conformance/beacon.mjs > verifiers/conformance/beacon.json
//
// The beacon has the scheme of drand's quicknet, `bls-unchained-g1-rfc9380`. Its secret is public, so a signature of it
// proves nothing. Round 17 is published when the first epoch of the kit opens, at 1700000000.

import { createHash } from "node:crypto";
import { bls12_381 } from "../web/vendor/noble-bls12-381.js";

const ROUNDS = 64;
const DST = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();
const hex = (bytes) => Buffer.from(bytes).toString("hex");

function u64be(value) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

function u32be(value) {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const { shortSignatures, fields } = bls12_381;
const secret = fields.Fr.toBytes(
  fields.Fr.create(BigInt(`0x${hex(sha256("paigow conformance kit beacon"))}`)),
);
const pk = shortSignatures.getPublicKey(secret).toBytes();
const group = sha256("paigow conformance kit group");
const [genesis, id, period] = [1_699_999_952, "paigow-kit", 3];

const signatures = {};
for (let round = 1; round <= ROUNDS; round += 1) {
  const point = shortSignatures.hash(sha256(u64be(round)), DST);
  signatures[round] = hex(shortSignatures.Signature.toBytes(shortSignatures.sign(point, secret)));
}
const beacon = { genesis: String(genesis), group: hex(group), id, period, pk: hex(pk) };
const chain = hex(sha256(u32be(period), u64be(genesis), pk, group, id));
process.stdout.write(`${JSON.stringify({ beacon, chain, signatures }, null, 2)}\n`);
