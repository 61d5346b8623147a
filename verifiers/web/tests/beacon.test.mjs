// Chains of drand: published rounds verify, and changed ones do not.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "./support/page.mjs";

const { QUICKNET, chainOf, isOfRound, publishedAt, verifyBls } = await load("js/beacon.js");

const bytes = (hex) => Uint8Array.from(Buffer.from(hex, "hex"));
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

function messageOf(round) {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(round));
  return Uint8Array.from(sha256(number));
}

// As https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/info says.
const quicknet = { genesis: "1692803367", id: "quicknet", period: 3,
  group: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
  pk: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    + "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a" };

// Published rounds of quicknet: the signature, and the randomness where it was published with it. Round 123 is of the
// tests of drand-verify 0.6.2 (src/verify.rs), 1000 to 1002 of those of ideal-lab5/idn-sdk, and 657413 of the README of
// mcdcam/python-drand-verify.
const ROUNDS = [
  [123, "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92"],
  [1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
    "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"],
  [1001, "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41"],
  [1002, "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e"],
  [657413, "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
    "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"],
];

// The same scheme under another key: rounds 3, 4 and 6 of the tests of drand-verify 0.6.2.
const OTHER = "a1ee12542360bf75742bcade13d6134e7d5283d9eb782887c47d3d9725f05805d37b0106b7f744395bf82c175dd7434a"
  + "169e998f188a657a030d588892c0cd2c01f996aaf331c4d8bc5b9734bbe261d09e7d2d39ef88b635077f262bd7bbb30f";
const OTHER_ROUNDS = [
  [3, "b98dae74f6a9d2ec79d75ba273dcfda86a45d589412860eb4c0fd056b00654dbf667c1b6884987c9aee0d43f8ba9db52"],
  [4, "962c2b2969e8f3351cf5cc457b04ecbf0c65bd79f4c1ee3bd0205f581368aaaa0cdeb1531a0709d39ef06a8ba1e1bb93"],
  [6, "a054dafb27a4a4fb9e06b17b30da3e0c7b13b4ca8e1dec3c6775f81758587029aa358523f2e7e62204018347db7cbd1c"],
];

// The round 1 of fastnet, whose hash to the curve has another label: drand-verify 0.6.2.
const FASTNET = "a0b862a7527fee3a731bcb59280ab6abd62d5c0b6ea03dc4ddf6612fdfc9d01f01c31542541771903475eb1ec6615f8d"
  + "0df0b8b6dce385811d6dcf8cbefb8759e5e616a3dfd054c928940766d9a5b9db91e3b697e5d70a975181e007f87fca5e";
const FASTNET_1 = "9544ddce2fdbe8688d6f5b4f98eed5d63eee3902e7e162050ac0f45905a55657714880adabe3c3096b92767d886567d0";

test("the chain hash of quicknet is the one that drand publishes", () => {
  assert.equal(QUICKNET, "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971");
  assert.equal(chainOf(quicknet), QUICKNET);
});

test("every member of a beacon is in its chain hash, and the id default is none", () => {
  const others = { genesis: "1692803368", group: "f4".repeat(32), id: "quicknet-t", period: 4, pk: OTHER };
  for (const [name, value] of Object.entries(others)) {
    assert.notEqual(chainOf({ ...quicknet, [name]: value }), QUICKNET, name);
  }
  const { genesis, group, period, pk } = quicknet;
  const head = Buffer.alloc(12);
  head.writeUInt32BE(period);
  head.writeBigUInt64BE(BigInt(genesis), 4);
  const unnamed = sha256(head, bytes(pk), bytes(group)).toString("hex");
  assert.equal(chainOf({ ...quicknet, id: "default" }), unnamed);
});

test("a round has a time, also the last one", () => {
  assert.equal(publishedAt(quicknet, "1"), 1692803367n);
  assert.equal(publishedAt(quicknet, "123"), 1692803367n + 366n);
  const [last, day] = [2n ** 63n - 1n, 86400];
  assert.equal(publishedAt({ genesis: String(last), period: day }, String(last)), last + (last - 1n) * 86400n);
});

test("published rounds verify, of quicknet and of another key", () => {
  for (const [round, signature, randomness] of ROUNDS) {
    assert.ok(isOfRound(quicknet, String(round), signature), `${round}`);
    if (randomness) assert.equal(sha256(bytes(signature)).toString("hex"), randomness);
  }
  for (const [round, signature] of OTHER_ROUNDS) assert.ok(verifyBls(bytes(OTHER), messageOf(round), bytes(signature)));
});

test("no round verifies with a bit changed, as another round or under another key", () => {
  for (const [round, signature] of ROUNDS) {
    for (const other of [round - 1, round + 1]) assert.ok(!isOfRound(quicknet, String(other), signature));
    assert.ok(!isOfRound({ ...quicknet, pk: OTHER }, String(round), signature));
  }
  const [[round, signature]] = ROUNDS;
  const good = [quicknet.pk, signature].map(bytes);
  // All flags and the lowest bits, and one bit of each second byte of both.
  for (const part of [0, 1]) {
    const size = 8 * good[part].length;
    const bits = [0, 1, 2, 3, 4, 5, 6, 7, size - 1, size - 8, ...Array.from({ length: size / 16 }, (_, i) => 16 * i + (i % 8))];
    for (const bit of bits) {
      const changed = good.map((one) => Uint8Array.from(one));
      changed[part][bit >> 3] ^= 0x80 >> (bit & 7);
      assert.ok(!verifyBls(changed[0], messageOf(round), changed[1]), `part ${part}, bit ${bit}`);
    }
  }
});

test("a hash to the curve with another label is another scheme", () => {
  assert.ok(!verifyBls(bytes(FASTNET), messageOf(1), bytes(FASTNET_1)));
});

// The field of BLS12-381, and as much of its first curve, y^2 = x^3 + 4, as the test needs.
const P = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const mod = (x) => ((x % P) + P) % P;

function power(base, exponent) {
  let [result, square] = [1n, mod(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % P) {
    if (rest & 1n) result = (result * square) % P;
  }
  return result;
}

const hexOf = (x) => x.toString(16).padStart(96, "0");

// The bytes of a point; the flags say that it is compressed, and which y it has.
function written([x, y]) {
  const point = bytes(hexOf(x));
  point[0] |= y > (P - 1n) / 2n ? 0xa0 : 0x80;
  return point;
}

// The point of a signature.
function pointOf(signature) {
  const x = BigInt(`0x${signature}`) & (2n ** 381n - 1n);
  const y = power(x ** 3n + 4n, (P + 1n) / 4n);
  assert.equal((y * y) % P, mod(x ** 3n + 4n), "on the curve");
  return [[x, y], [x, P - y]].find((point) => Buffer.from(written(point)).toString("hex") === signature);
}

// The sum of two points with different x.
function sum([x, y], [u, v]) {
  const slope = mod((v - y) * power(u - x, P - 2n));
  const third = mod(slope * slope - x - u);
  return [third, mod(slope * (x - third) - y)];
}

test("strict: only the one spelling of a point of the subgroup, and never the identity", () => {
  const [[round, signature]] = ROUNDS;
  const [key, message] = [bytes(quicknet.pk), messageOf(round)];
  const holds = (one, other) => verifyBls(one, message, other);
  assert.ok(holds(key, bytes(signature)));

  // With the identity as key and as signature the bare equation holds for every message.
  const identity = (size) => Uint8Array.of(0xc0, ...Array(size - 1).fill(0));
  assert.ok(!holds(identity(96), identity(48)), "both");
  assert.ok(!holds(key, identity(48)), "the identity as signature");
  assert.ok(!holds(identity(96), bytes(signature)), "the identity as key");

  // The point (0, 2) has order 3. Added to a signature it changes no pairing: without the check of the subgroup each
  // round would have three signatures, and three values.
  for (const three of [[0n, 2n], [0n, P - 2n]]) {
    assert.ok(!holds(key, written(sum(pointOf(signature), three))), "the sum with a point of order 3");
    assert.ok(!holds(key, written(three)), "a point of order 3");
  }

  // A coordinate has one spelling below P. The second one of the key has no flags and so has room for another.
  const second = BigInt(`0x${quicknet.pk.slice(96)}`);
  assert.ok(!holds(bytes(quicknet.pk.slice(0, 96) + hexOf(second + P)), bytes(signature)), "x + P");
  assert.ok(!holds(key, written([P, 2n])), "x = P");

  // Other encodings, and other lengths.
  assert.ok(!holds(key, bytes(signature + "00".repeat(48))), "a long signature");
  for (const cut of [0, 47]) assert.ok(!holds(key, bytes(signature).subarray(0, cut)), `${cut} bytes`);
  for (const cut of [0, 48, 95]) assert.ok(!holds(key.subarray(0, cut), bytes(signature)), `a key of ${cut} bytes`);
  const uncompressed = bytes(signature);
  uncompressed[0] &= 0x7f;
  assert.ok(!holds(key, uncompressed), "no flag of compression");
});

test("the beacon of the conformance kit has the key and the chain that it says, and signs its rounds", () => {
  const { beacon, chain, signatures } = JSON.parse(
    readFileSync(new URL("../../conformance/beacon.json", import.meta.url), "utf8"));
  assert.equal(chainOf(beacon), chain);
  assert.equal(Object.keys(signatures).length, 64);
  for (const round of ["1", "17", "64"]) {
    assert.ok(isOfRound(beacon, round, signatures[round]));
    assert.ok(!isOfRound(quicknet, round, signatures[round]));
  }
});
