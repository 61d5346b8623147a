// The public log and the beacon: what proofs of records show, which of them fail, and when a witness was too late.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Forgery, Key, Record, enc, hash, write } from "./support/forge.mjs";
import { ANNOUNCED, COMPLETED, DEAL, LOCK, NEXT, REVEAL, SETTLE, TICKET } from "./support/forgeries.mjs";
import { audited, keys, keysOf, lines } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";
import { LISTED, LOG, ORIGIN, changed, proofOf } from "./support/public-log.mjs";

const { PublicLog, checkpointOf, cosignedOf } = await load("js/audit/public-log.js");
const { attempt } = await load("js/audit/report.js");
const { toBase64, toHex } = await load("js/bytes.js");
const { parseRecord } = await load("js/record.js");
const { externalDrand, roundSeed } = await load("js/seeds.js");

const KIT = JSON.parse(readFileSync(new URL("../../conformance/beacon.json", import.meta.url), "utf8"));
const QUICKNET = { genesis: "1692803367", id: "quicknet", period: 3,
  group: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e",
  pk: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    + "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a" };
const WITNESS = keys.witness;
// A witness of the log alone: it has signed no salt.
const COSIGNER = Key.of(72);
const PINNED = { witnesses: [WITNESS.pk, COSIGNER.pk] };

const statusOf = (report, code, checks = report.checks) => {
  const { status, found } = checks.find((check) => check.code === code);
  return found === undefined ? status : `${status}: ${found}`;
};
const claimOf = (report, name) => report.claims.find((claim) => claim.name === name).status;

// Signs the witness's value for the epoch anew, as its announcement has changed.
function saltAgain(forgery) {
  forgery.collude(COMPLETED, ({ epochs: [epoch] }) => {
    const { value } = epoch.salt_source;
    const number = Buffer.alloc(4);
    number.writeUInt32LE(epoch.epoch);
    epoch.salt_source.sig = WITNESS.sign(enc("pge/v1/epoch-salt-party", number,
      Buffer.from(forgery.records[ANNOUNCED].hash, "hex"), Buffer.from(epoch.commit, "hex"),
      Buffer.from(value, "hex"))).toString("hex");
  });
}

// The untouched transcript, whose manifests list the log too.
function withLog(log = LISTED) {
  const forgery = new Forgery(lines("tampered-base"), keysOf);
  for (const at of [ANNOUNCED, COMPLETED]) forgery.collude(at, (p) => void (p.log = log));
  saltAgain(forgery);
  return forgery;
}

// Ticket, wagers and close of both rounds.
const PLAYED = [TICKET, LOCK, SETTLE].flatMap((at) => [at, at + NEXT]);

function logged(forgery, witnesses, { places = PLAYED, ...more } = {}) {
  const { records } = forgery;
  const proofs = places.map((at) => proofOf(records, at, witnesses, more));
  return `${forgery.text}${proofs.map(({ line }) => `${line}\n`).join("")}`;
}

test("a checkpoint and what a witness signs of it are as C2SP has them", () => {
  // The examples of tlog-cosignature.md in C2SP/C2SP.
  const text = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
  const root = Buffer.from("CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=", "base64").toString("hex");
  assert.equal(checkpointOf({ origin: "example.com/behind-the-sofa", root, size: "20852163" }), text);
  assert.equal(cosignedOf("1679315147", text), `cosignature/v1\ntime 1679315147\n${text}`);
});

test("base64 is written as Node writes it", () => {
  for (let length = 0; length < 40; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length * 17) & 255);
    assert.equal(toBase64(bytes), Buffer.from(bytes).toString("base64"));
  }
});

test("the seed of a round with public randomness is keyed by chain, round and signature", () => {
  const [chain, signature, id, server] = [1, 2, 3, 4].map((byte) => Buffer.alloc(byte === 2 ? 48 : 32, byte));
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(1000n);
  const external = enc("pge/v1/external-drand", chain, number, signature);
  assert.equal(toHex(externalDrand(...[chain, signature].map((one) => Uint8Array.from(one)).toSpliced(1, 0, "1000"))),
    external.toString("hex"));
  const seed = (more) => toHex(roundSeed(Uint8Array.from(server), Uint8Array.from(id), [], more));
  assert.notEqual(seed(Uint8Array.from(external)), seed());
});

test("without a log nothing is logged, and with one nothing is until a pinned witness has signed for all of a round", () => {
  const bare = audited(new Forgery(lines("tampered-base"), keysOf).text, PINNED);
  assert.equal(statusOf(bare, "LOGGED"), "skipped: the manifest lists no log");
  const forgery = withLog();
  const none = audited(forgery.text, PINNED);
  assert.deepEqual([none.verdict, statusOf(none, "LOGGED"), claimOf(none, "logged")],
    ["match", "skipped: no proof of a pinned witness has the ticket", "not_shown"]);
  const all = audited(logged(forgery, [[COSIGNER, 1700000000]]), PINNED);
  assert.deepEqual([all.verdict, statusOf(all, "LOGGED"), claimOf(all, "logged")], ["match", "passed", "shown"]);
  for (const [left, name] of [[TICKET, "the ticket"], [LOCK + NEXT, "the lock of the wagers"], [SETTLE, "the close"]]) {
    const text = logged(forgery, [[COSIGNER, 1700000000]], { places: PLAYED.filter((at) => at !== left) });
    const report = audited(text, PINNED);
    assert.deepEqual([report.verdict, statusOf(report, "LOGGED"), claimOf(report, "logged")],
      ["match", `skipped: no proof of a pinned witness has ${name}`, "not_shown"]);
  }
});

test("only a witness that the caller pinned counts, and what another has signed is not asked", () => {
  const forgery = withLog();
  const strangers = audited(logged(forgery, [[keys.stranger, 1]]), PINNED);
  assert.equal(statusOf(strangers, "LOGGED"), "skipped: no proof of a pinned witness has the ticket");
  const broken = proofOf(forgery.records, TICKET, [[COSIGNER, 1], [keys.stranger, 2]]);
  const bad = (pk) => changed(broken, (p) => {
    p.cosignatures.find((one) => one.pk === pk).time = "3";
  });
  const audit = (proof, terms) => audited(`${forgery.text}${proof.line}\n`, terms);
  assert.equal(audit(bad(keys.stranger.pk), PINNED).verdict, "match");
  const report = audit(bad(COSIGNER.pk), PINNED);
  assert.deepEqual([report.verdict, report.code], ["mismatch", "LOGGED"]);
  assert.equal(audit(bad(COSIGNER.pk), { witnesses: [WITNESS.pk] }).verdict, "match");
});

test("a proof of the log may stand wherever a manifest may, and again", () => {
  const forgery = withLog();
  const proofs = PLAYED.map((at) => proofOf(forgery.records, at, [[COSIGNER, 1700000000]]));
  for (const place of [0, COMPLETED, TICKET, TICKET + NEXT, REVEAL]) {
    const records = [...forgery.records];
    records.splice(place, 0, ...proofs, ...proofs);
    const report = audited(records.map(({ line }) => `${line}\n`).join(""), PINNED);
    assert.deepEqual([report.verdict, statusOf(report, "LOGGED")], ["match", "passed"], `place ${place}`);
  }
});

test("every entry of every small log has one place", () => {
  const entries = Array.from({ length: 40 }, (_, i) => new Record("lock", `{"n":${i}}`));
  const found = entries.map(({ line }) => parseRecord(line, 1));
  const isGood = (proof, record) => attempt(() =>
    new PublicLog({ witnesses: [] }).add(parseRecord(proof.line, 2), record, [LISTED])).status === "passed";
  for (let size = 1; size <= 40; size += 1) {
    const at = (7 * size) % size;
    const others = [0, size - 1, size >> 1, at].flatMap((place) => [[place, place], [place, (place + 1) % size]]);
    for (const [place, index] of others) {
      const proof = proofOf(entries.slice(0, size), place, [], { edit: (p) => void (p.index = String(index)) });
      assert.equal(isGood(proof, found[place]), place === index, `${place} as ${index} of ${size}`);
    }
  }
  const [proof, record] = [proofOf(entries, 5, []), found[5]];
  assert.ok(isGood(proof, record));
  for (const edit of [(p) => void (p.index = "40"), (p) => void (p.size = "5"), (p) => void p.path.pop(),
    (p) => void p.path.push("11".repeat(32)), (p) => void p.path.reverse(), (p) => void (p.root = "11".repeat(32))]) {
    assert.ok(!isGood(proofOf(entries, 5, [], { edit }), record), `${edit}`);
  }
});

test("a record that is too long for an entry is there by its hash", () => {
  const forgery = withLog();
  const names = Array.from({ length: 1024 }, (_, i) => `${i}-`.padEnd(64, "x"));
  forgery.collude(COMPLETED, (p) => p.tenants.forEach((tenant) => void (tenant.tables = [...tenant.tables ?? [], ...names])));
  assert.ok(forgery.records[COMPLETED].pae.length > 65535);
  const proof = proofOf(forgery.records, COMPLETED, [[COSIGNER, 1]]);
  assert.notEqual(statusOf(audited(`${forgery.text}${proof.line}\n`, PINNED), "LOGGED").split(":")[0], "failed");
  const path = changed(proof, (p) => void (p.record = forgery.records[TICKET].hash));
  assert.equal(statusOf(audited(`${forgery.text}${path.line}\n`, PINNED), "LOGGED").split(":")[0], "failed");
});

test("the log of a round is the one of its own manifest", () => {
  const other = { origin: ORIGIN, pk: keys.stranger.pk };
  const forgery = withLog();
  // A later manifest changes to another log. Proofs of that log show nothing about earlier rounds.
  const { json: payload, hash: prev } = forgery.records[COMPLETED];
  const later = new Record("manifest", write({ ...payload, log: other, prev, seq: "3" })).sealed(keys.root);
  forgery.records.push(later);
  const told = (log) => audited(logged(forgery, [[COSIGNER, 1]], { log }), PINNED);
  assert.equal(statusOf(told(LOG), "LOGGED"), "passed");
  assert.equal(statusOf(told(keys.stranger), "LOGGED"), "skipped: no proof of a pinned witness has the ticket");
});

// The transcript whose epoch has a drand salt, without its reveal: the seeds of its rounds have another.
function withDrandSalt({ beacon, chain }, round, signature, { announced = {}, salt, isEarly = false } = {}) {
  const forgery = withLog();
  const source = { chain, round: String(round), type: "drand" };
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(round));
  const given = hash(enc("pge/v1/epoch-salt-drand", Buffer.from(chain, "hex"), number, Buffer.from(signature, "hex")));
  for (const at of [ANNOUNCED, COMPLETED]) forgery.collude(at, (p) => void (p.beacon = beacon));
  const completed = { salt_source: { ...source, signature }, salt: salt ?? given.toString("hex") };
  forgery.collude(ANNOUNCED, ({ epochs: [epoch] }) =>
    void Object.assign(epoch, isEarly ? completed : { salt_source: source, ...announced }));
  forgery.collude(COMPLETED, ({ epochs: [epoch] }) => void Object.assign(epoch, completed));
  forgery.records.splice(REVEAL, 1);
  return forgery;
}

const BEACONS = { beacons: [KIT.chain] };
// When round 9 of the kit's beacon was published.
const PUBLISHED_9 = 1699999952 + 8 * 3;

test("a drand salt is younger than the announcement if a pinned witness dated that before the round", () => {
  const forgery = withDrandSalt(KIT, 9, KIT.signatures[9]);
  const audit = (witnesses, terms = { ...PINNED, ...BEACONS }) =>
    audited(logged(forgery, witnesses, { places: [ANNOUNCED] }), terms);
  const before = audit([[COSIGNER, PUBLISHED_9 - 1]]);
  assert.deepEqual(["MANIFEST_RULES", "EPOCH_SALT", "SALT_AFTER_COMMIT"].map((code) => statusOf(before, code)),
    ["passed", "passed", "passed"]);
  assert.deepEqual([before.verdict, claimOf(before, "salt_independent")], ["pending", "shown"]);
  // Of two witnesses the earlier counts.
  assert.equal(statusOf(audit([[COSIGNER, PUBLISHED_9 + 5], [WITNESS, PUBLISHED_9 - 5]]), "SALT_AFTER_COMMIT"), "passed");
  for (const time of [PUBLISHED_9, PUBLISHED_9 + 1]) {
    const late = audit([[COSIGNER, time]]);
    assert.equal(statusOf(late, "SALT_AFTER_COMMIT"),
      `skipped: a witness dated the announcement at ${time}, and the beacon's round was published at ${PUBLISHED_9}`);
    assert.deepEqual([late.verdict, claimOf(late, "salt_independent")], ["pending", "not_shown"]);
  }
  const NOBODY = "skipped: no pinned witness dated the announcement";
  assert.equal(statusOf(audit([[keys.stranger, 1]]), "SALT_AFTER_COMMIT"), NOBODY);
  assert.equal(statusOf(audited(forgery.text, { ...PINNED, ...BEACONS }), "SALT_AFTER_COMMIT"), NOBODY);
  assert.equal(statusOf(audit([[COSIGNER, 1]], PINNED), "SALT_AFTER_COMMIT"),
    "skipped: the chain of the beacon is not among those given");
});

test("quicknet is trusted without a word, and its published rounds make salts", () => {
  const chain = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
  const signature = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
  const forgery = withDrandSalt({ beacon: QUICKNET, chain }, 1000, signature);
  const report = audited(logged(forgery, [[COSIGNER, 1692803367 + 999 * 3 - 1]], { places: [ANNOUNCED] }), PINNED);
  assert.deepEqual(["MANIFEST_RULES", "EPOCH_SALT", "SALT_AFTER_COMMIT"].map((code) => statusOf(report, code)),
    ["passed", "passed", "passed"]);
});

test("a drand salt that the beacon has not signed fails, whoever dated it", () => {
  const [OTHER, ANOTHER_CHAIN] = [KIT.signatures[10], { ...KIT, beacon: { ...KIT.beacon, id: "another" } }];
  for (const [forgery, rule] of [
    [withDrandSalt(KIT, 9, OTHER), "SALT: epoch 7: the signature is not the beacon's of that round"],
    [withDrandSalt(KIT, 9, KIT.signatures[9], { salt: "11".repeat(32) }), "SALT: epoch 7: not what its source gives"],
    [withDrandSalt(ANOTHER_CHAIN, 9, KIT.signatures[9]),
      "SALT_SOURCE: epoch 7: a drand salt of another chain than the beacon of the manifest"],
    [withDrandSalt(KIT, 9, KIT.signatures[9], { announced: { salt_source: { chain: KIT.chain, round: "9",
      signature: KIT.signatures[9], type: "drand" } } }), "SALT: epoch 7: a value without its salt"],
  ]) {
    const report = audited(logged(forgery, [[COSIGNER, 1]], { places: [ANNOUNCED] }), { ...PINNED, ...BEACONS });
    assert.deepEqual([report.code, statusOf(report, "MANIFEST_RULES")], ["MANIFEST_RULES", `failed: ${rule}`]);
    assert.equal(claimOf(report, "salt_independent"), "not_shown");
  }
  // A salt in the announcement itself is older than that.
  const early = audited(logged(withDrandSalt(KIT, 9, KIT.signatures[9], { isEarly: true }), [[COSIGNER, 1]],
    { places: [ANNOUNCED] }), { ...PINNED, ...BEACONS });
  assert.equal(statusOf(early, "MANIFEST_RULES"), "failed: SALT_BEFORE_ANNOUNCEMENT: epoch 7");
  assert.equal(statusOf(early, "SALT_AFTER_COMMIT").split(":")[0], "failed");
  // Without its first manifest the chain is not checked against the rules, but the salt is.
  const late = withDrandSalt(KIT, 9, OTHER);
  late.records.splice(ANNOUNCED, 1);
  assert.equal(audited(late.text, { ...PINNED, ...BEACONS }).code, "EPOCH_SALT");
});

// The transcript whose first ticket names a round of the beacon. Its deck differs then, which REPLAY reports.
function withBeaconRound(round, { signature = KIT.signatures[round], chain = KIT.chain, listed = KIT.beacon } = {}) {
  const forgery = withLog();
  for (const at of [ANNOUNCED, COMPLETED]) {
    forgery.collude(at, (p) => {
      if (listed !== null) p.beacon = listed;
      p.tenants.forEach(({ policy }) => void (policy.external = policy.lock === "required" ? "drand" : "none"));
    });
  }
  saltAgain(forgery);
  for (const at of [TICKET, TICKET + NEXT]) {
    forgery.collude(at, (p) => {
      p.policy.external = "drand";
      p.external = { chain, round: String(round), type: "drand" };
    });
    forgery.collude(at - TICKET + DEAL, (p) => {
      if (signature !== null) p.beacon = signature;
    });
  }
  return forgery;
}

const PUBLISHED_20 = 1699999952 + 19 * 3;

test("the wagers came before the beacon's round if a pinned witness dated them before it", () => {
  const forgery = withBeaconRound(20);
  const audit = (witnesses, { terms = { ...PINNED, ...BEACONS }, ...more } = {}) => {
    const report = audited(logged(forgery, witnesses, more), terms);
    assert.deepEqual([report.code, statusOf(report, "BEACON")], ["REPLAY", "passed"]);
    return statusOf(report, "LOCKED_BEFORE_BEACON");
  };
  assert.equal(audit([[COSIGNER, PUBLISHED_20 - 1]]), "passed");
  assert.equal(audit([[COSIGNER, PUBLISHED_20 + 9], [WITNESS, PUBLISHED_20 - 1]]), "passed");
  assert.equal(audit([[COSIGNER, PUBLISHED_20]]),
    `skipped: a witness dated the wagers at ${PUBLISHED_20}, and the beacon's round was published at ${PUBLISHED_20}`);
  const NOBODY = "skipped: no pinned witness dated the lock of the wagers";
  assert.equal(audit([[COSIGNER, 1]], { places: [TICKET, SETTLE] }), NOBODY);
  assert.equal(audit([[keys.stranger, 1]]), NOBODY);
  assert.equal(audit([[COSIGNER, 1]], { terms: PINNED }), "skipped: the chain of the beacon is not among those given");
});

test("a deal has the signature of exactly the beacon's round that its ticket names", () => {
  for (const more of [{ signature: KIT.signatures[21] }, { signature: null }, { signature: "c0".padEnd(96, "0") }]) {
    const report = audited(withBeaconRound(20, more).text, { ...PINNED, ...BEACONS });
    const beacon = report.rounds.map(({ checks }) => statusOf(report, "BEACON", checks).split(":")[0]);
    assert.deepEqual(beacon, ["failed", "failed"]);
  }
});

test("a beacon whose key is no point of its group signs nothing", () => {
  // The identity, a point that is not on the curve or not in the subgroup, and no encoding of a point.
  for (const pk of [`c0${"00".repeat(95)}`, `80${"00".repeat(95)}`, "ff".repeat(96)]) {
    const report = audited(withBeaconRound(20, { listed: { ...KIT.beacon, pk }, chain: chainOf(pk) }).text, PINNED);
    assert.equal(statusOf(report, "BEACON", report.rounds[0].checks).split(":")[0], "failed", pk);
  }
});

// The chain hash of the kit's beacon with another key.
function chainOf(pk) {
  const { genesis, group, id, period } = KIT.beacon;
  const head = Buffer.alloc(12);
  head.writeUInt32BE(period);
  head.writeBigUInt64BE(BigInt(genesis), 4);
  return hash(Buffer.concat([head, Buffer.from(pk + group, "hex"), Buffer.from(id)])).toString("hex");
}

test("a policy without a beacon, and a beacon that changes, break the rules for manifests", () => {
  const found = (forgery) => statusOf(audited(forgery.text, PINNED), "MANIFEST_RULES").split(":").slice(0, 2).join(":");
  assert.equal(found(withBeaconRound(20, { listed: null })), "failed: EXTERNAL_POLICY");
  const unlocked = withBeaconRound(20);
  unlocked.collude(COMPLETED, ({ tenants }) => tenants.forEach(({ policy }) => {
    Object.assign(policy, { external: "drand", lock: "off" });
  }));
  assert.equal(found(unlocked), "failed: EXTERNAL_POLICY");
  for (const beacon of [{ ...KIT.beacon, period: 4 }, undefined]) {
    const forgery = withLog();
    forgery.collude(ANNOUNCED, (p) => void (p.beacon = KIT.beacon));
    forgery.collude(COMPLETED, (p) => void (p.beacon = beacon));
    saltAgain(forgery);
    assert.equal(found(forgery), "failed: BEACON_CHANGED");
  }
  // It may be listed later than the first manifest.
  const later = withLog();
  later.collude(COMPLETED, (p) => void (p.beacon = KIT.beacon));
  assert.equal(found(later), "passed");
});
