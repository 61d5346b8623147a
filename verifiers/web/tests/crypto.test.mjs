// Published answers of the primitives, and Node's own as a second opinion.

import assert from "node:assert/strict";
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { test } from "node:test";
import { load } from "./support/page.mjs";

const { ascii, fromBase64, fromHex, toHex } = await load("js/bytes.js");
const { block } = await load("js/chacha20.js");
const { verify } = await load("js/ed25519.js");
const { leafHash, treeHash } = await load("js/merkle.js");
const { hkdfExpand, hmacSha256, sha256, sha512 } = await load("js/sha2.js");
const { outputOf } = await load("js/vrf.js");

test("SHA-256 and SHA-512 of RFC 6234", () => {
  const long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
  assert.equal(toHex(sha256(ascii("abc"))),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  assert.equal(toHex(sha256(ascii(long))),
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  assert.equal(toHex(sha512(ascii("abc"))), "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea2"
    + "0a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f");
});

test("every length about a block boundary hashes as Node hashes it", () => {
  for (let length = 0; length < 300; length++) {
    const message = randomBytes(length);
    assert.equal(toHex(sha256(message)), createHash("sha256").update(message).digest("hex"));
    assert.equal(toHex(sha512(message)), createHash("sha512").update(message).digest("hex"));
  }
});

test("HMAC-SHA-256 of RFC 4231, and of keys of any length", () => {
  assert.equal(toHex(hmacSha256(ascii("Jefe"), ascii("what do ya want for nothing?"))),
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  for (const length of [0, 1, 63, 64, 65, 200]) {
    const key = randomBytes(length);
    assert.equal(toHex(hmacSha256(key, key)), createHmac("sha256", key).update(key).digest("hex"));
  }
});

test("HKDF-Expand of RFC 5869, A.1", () => {
  const prk = fromHex("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
  const okm = hkdfExpand(prk, fromHex("f0f1f2f3f4f5f6f7f8f9"), 42);
  assert.equal(toHex(okm), "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"
    + "34007208d5b887185865");
});

test("Merkle trees of the tests of Certificate Transparency", () => {
  const leaves = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f"].map((hex) => leafHash(fromHex(hex)));
  for (const [count, root] of [
    [1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"],
    [2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"],
    [3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"],
    [5, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"],
    [8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"],
  ]) {
    assert.equal(toHex(treeHash(leaves.slice(0, count))), root, `${count} leaves`);
  }
});

test("the ChaCha20 block of RFC 8439, 2.3.2", () => {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i);
  const words = block(key, [1, 0x09000000, 0x4a000000, 0]);
  assert.deepEqual([...words], [
    0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
    0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2]);
});

// Key, message and signature of RFC 8032, 7.1, tests 1 to 3.
const RFC8032 = [
  ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
    + "d25bf5f0595bbe24655141438e7a100b"],
  ["3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
    "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
    + "387b2eaeb4302aeeb00d291612bb0c00"],
  ["fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
    + "4a7c15e9716ed28dc027beceea1ec40a"],
];

test("Ed25519 of RFC 8032, and no bit of it changed", () => {
  for (const [key, message, signature] of RFC8032) {
    const parts = [key, message, signature].map(fromHex);
    assert.ok(verify(...parts));
    for (const part of [0, 2]) {
      for (let bit = 0; bit < 8 * parts[part].length; bit += 29) {
        const changed = parts.map((one) => Uint8Array.from(one));
        changed[part][bit >> 3] ^= 1 << (bit & 7);
        assert.ok(!verify(...changed), `part ${part}, bit ${bit}`);
      }
    }
  }
});

test("what Node signs verifies", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const key = Uint8Array.from(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  for (let length = 0; length < 200; length += 17) {
    const message = randomBytes(length);
    assert.ok(verify(key, message, Uint8Array.from(sign(null, message, privateKey))));
  }
});

test("strict: no s of L or more, no point of small order, no second spelling of a point", () => {
  const [key, message, signature] = RFC8032[1].map(fromHex);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  let s = signature.subarray(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order;
  const larger = Uint8Array.from(signature);
  for (let i = 32; i < 64; i++, s >>= 8n) larger[i] = Number(s & 255n);
  assert.ok(!verify(key, message, larger), "s + L");

  // With the neutral element as key and as R, and s = 0, the bare equation holds for any message.
  const neutral = new Uint8Array(32);
  neutral[0] = 1;
  const forged = new Uint8Array(64);
  forged[0] = 1;
  assert.ok(!verify(neutral, message, forged), "a small-order key");
  assert.ok(!verify(key, message, forged), "a small-order R");
  // y = p + 1 is the neutral element again, and -0 is not a sign that x = 0 may have.
  const secondSpelling = fromHex("ee" + "ff".repeat(30) + "7f");
  const negativeZero = Uint8Array.from(neutral);
  negativeZero[31] = 0x80;
  for (const bad of [secondSpelling, negativeZero, fromHex("ed" + "ff".repeat(30) + "7f")]) {
    assert.ok(!verify(bad, message, forged));
  }
});

// Key, input, proof and output of RFC 9381, B.3, examples 16 to 18.
const RFC9381 = [
  ["d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
    "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f26f8a57ccaed74ee1b190bed1f479d97"
    + "27d2d0f9b005a6e456a35d4fb0daab1268a1b0db10836d9826a528ca76567805",
    "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff66b71dda49d2de59d03450451af02679"
    + "8e8f81cd2e333de5cdf4f3e140fdd8ae"],
  ["3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
    "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed5933bf0864a62558b3ed7f2fea45c92a465"
    + "301b3bbf5e3e54ddf2d935be3b67926da3ef39226bbc355bdc9850112c8f4b02",
    "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb5e33821bc613efb94db5e5b54c70a848"
    + "a0bef4553a41befc57663b56373a5031"],
  ["fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
    "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9ea3c0"
    + "e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
    "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c452118fec1219202a0edcf038bb6373241"
    + "578be7217ba85a2687f7a0310b2df19f"],
];

test("ECVRF of RFC 9381, and no bit of key, input or proof changed", () => {
  for (const [key, alpha, proof, output] of RFC9381) {
    const parts = [key, alpha, proof].map(fromHex);
    assert.equal(toHex(outputOf(...parts)), output);
    for (const part of [0, 1, 2]) {
      for (let bit = 0; bit < 8 * parts[part].length; bit += 29) {
        const changed = parts.map((one) => Uint8Array.from(one));
        changed[part][bit >> 3] ^= 1 << (bit & 7);
        assert.equal(outputOf(...changed), null, `part ${part}, bit ${bit}`);
      }
    }
    assert.equal(outputOf(parts[0], parts[1], parts[2].subarray(1)), null, "a short proof");
  }
});

test("a VRF is strict too: no s of L or more, no key of small order, no second spelling of a point", () => {
  const [key, alpha, proof] = RFC9381[1].map(fromHex);
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  let s = proof.subarray(48).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order;
  const larger = Uint8Array.from(proof);
  for (let i = 48; i < 80; i++, s >>= 8n) larger[i] = Number(s & 255n);
  assert.equal(outputOf(key, alpha, larger), null, "s + L");
  for (const bad of [`01${"00".repeat(31)}`, `01${"00".repeat(30)}80`, `ee${"ff".repeat(30)}7f`, "00".repeat(32)]) {
    assert.equal(outputOf(fromHex(bad), alpha, proof), null, bad);
    const other = Uint8Array.from(proof);
    other.set(fromHex(bad));
    assert.equal(outputOf(key, alpha, other), null, `Gamma ${bad}`);
  }
});

test("base64 is standard, padded and has one spelling", () => {
  for (let length = 0; length < 50; length++) {
    const bytes = randomBytes(length);
    assert.deepEqual([...fromBase64(bytes.toString("base64"))], [...bytes]);
  }
  for (const text of ["QQ", "QQ=", "QR==", "QUJ=", "QU=D", "QQ==QQ==", "-_-_", "QUI\n", "====", "é==="]) {
    assert.throws(() => fromBase64(text), text);
  }
});
