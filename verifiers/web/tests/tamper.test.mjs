// Forged transcripts: each is refused by the check that should be the first to notice.
//
// With TEST_LAB naming the program, its audit has to agree on every check of each forgery;
// without, one test says that it was skipped.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { Forgery, Record, write } from "./support/forge.mjs";
import { FORGERIES, NEXT, REVEAL, RUBBISH, TICKET, epochClose } from "./support/forgeries.mjs";
import { answered, audited, bare, keys, keysOf, lines } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { CODES } = await load("js/audit/report.js");

const LAB = process.env.TEST_LAB;
const base = () => new Forgery(lines("tampered-base"), keysOf);

// How many reports had to be compared with the lab's, and how many were.
const held = { due: 0, done: 0 };

function agreesWithLab(text) {
  held.due += 1;
  if (!LAB) return;
  const { stdout } = spawnSync(LAB, ["audit", "-", "--root", keys.root.pk, "--witness", keys.witness.pk,
    "--as-of", "1970-01-01T00:00:00Z", "--json"],
    { input: Buffer.from(text, "latin1"), encoding: "utf8", maxBuffer: 2 ** 28 });
  const answer = answered(text, { keys: [keys.root.pk], witnesses: [keys.witness.pk] });
  assert.deepEqual(bare(answer), bare(JSON.parse(stdout)));
  held.done += 1;
}

// The checks of places never fail: POLICY does. Nor does one that asks for the time of a witness.
const NEVER_FAIL = ["PLACE_LISTED", "PLACE_NOT_CHOSEN", "LOCKED_BEFORE_BEACON"];
// The checks for which the untouched transcript has nothing to check: SEED_PROOF is of the vrf suite.
const SKIPPED = ["BEACON", "SEED_PROOF", "PLACE_LISTED", "PLACE_NOT_CHOSEN", "LOGGED", "LOCKED_BEFORE_BEACON",
  "EPOCH_CLOSE"];

test("the untouched transcript matches, and every check passes but those that have nothing to check", () => {
  const forgery = base();
  assert.equal(forgery.records.length, REVEAL + 1);
  const report = audited(forgery.text);
  assert.equal(report.verdict, "match");
  const open = report.checks.filter(({ status }) => status !== "passed");
  assert.deepEqual(open.map(({ code, status }) => [code, status]),
    SKIPPED.map((code) => [code, "skipped"]));
});

for (const [name, code, forge] of FORGERIES) {
  test(`${code}: ${name}`, () => {
    const forgery = base();
    forge(forgery);
    const report = audited(forgery.text);
    assert.equal(report.code, code, JSON.stringify(report.checks.find((one) => one.code === report.code)));
    assert.equal(report.verdict, "mismatch");
    agreesWithLab(forgery.text);
  });
}

test("no check that can fail is without a forgery that it is the first to notice", () => {
  const noticed = new Set(FORGERIES.map(([, code]) => code));
  assert.deepEqual([...noticed, ...NEVER_FAIL].sort(), Object.keys(CODES).sort());
});

for (const [name, at, edit] of RUBBISH) {
  test(`FORMAT: ${name}`, () => {
    const changed = lines("tampered-base");
    changed[at] = edit(changed[at]);
    const text = `${changed.join("\n")}\n`;
    const report = audited(text);
    assert.equal(report.code, "FORMAT");
    agreesWithLab(text);
  });
}

test("every byte of a record changed is noticed, whatever it is", () => {
  // One letter of every 97th place of the deal, of its payload and of its signature.
  const good = lines("tampered-base");
  for (let at = 0; at < good[4].length; at += 97) {
    const changed = [...good];
    const letter = good[4][at] === "A" ? "B" : "A";
    changed[4] = good[4].slice(0, at) + letter + good[4].slice(at + 1);
    const { verdict } = audited(`${changed.join("\n")}\n`);
    // The key id is a hint that no signature covers (PGE-FAIR-1, section 3.1).
    const isHint = good[4].indexOf('"keyid"') <= at && at < good[4].indexOf('"sig"');
    assert.equal(verdict, isHint ? verdict : "mismatch", `place ${at}`);
  }
});

// Manifest 3 names a new root, manifest 4 follows it.
function rotated(third, fourth) {
  const forgery = base();
  const { kid, pk } = keys.stranger;
  const next = (before, signers) => {
    const payload = { ...before.json, prev: before.hash, seq: String(BigInt(before.json.seq) + 1n),
      root: { keys: [{ kid, pk }], threshold: 1 } };
    return new Record("manifest", write(payload)).sealed(...signers);
  };
  const three = next(forgery.records[1], third);
  forgery.records.splice(2, 0, three, next(three, fourth));
  return forgery.text;
}

test("a new root is one that the old has signed with it, and signs alone from then on", () => {
  const { root, stranger } = keys;
  for (const [third, fourth, code] of [
    [[root, stranger], [stranger], null], [[root, stranger], [stranger, root], null],
    [[root, stranger], [root], "MANIFEST_SIG"], [[stranger], [stranger], "MANIFEST_SIG"],
    [[root], [stranger], "MANIFEST_SIG"],
  ]) {
    const text = rotated(third, fourth);
    const report = audited(text);
    assert.equal(report.code, code);
    agreesWithLab(text);
  }
});

test("a root that is not trusted proves nothing, nor one of two that must sign", () => {
  const { text } = base();
  assert.equal(audited(text, { keys: [keys.stranger.pk] }).code, "MANIFEST_SIG");
  const two = { keys: [keys.root.pk, keys.stranger.pk], threshold: 2 };
  assert.equal(audited(text, two).code, "MANIFEST_SIG");
  // The same key twice counts once (D18).
  assert.equal(audited(text, { keys: [keys.root.pk, keys.root.pk], threshold: 2 }).code, "MANIFEST_SIG");
  assert.equal(audited(text, { keys: [keys.root.pk, keys.stranger.pk] }).verdict, "match");
});

test("a round without its close is incomplete, and an empty file and a picture too", () => {
  const forgery = base();
  forgery.records.splice(REVEAL - 1, 1);
  assert.equal(audited(forgery.text).verdict, "incomplete");
  for (const text of ["", "\u0089PNG\r\n\u001a\n", "{}\n"]) {
    const report = audited(text);
    assert.deepEqual([report.verdict, report.because], ["incomplete", "this is not a transcript"]);
  }
});

test("client seeds that were not revealed make a void good only where nothing was dealt", () => {
  for (const [round, code] of [[0, "CLIENT_COMMIT"], [3, null]]) {
    const forgery = new Forgery(lines("void"), keysOf);
    const tickets = forgery.records.flatMap((record, at) => (record.kind === "ticket" ? [at] : []));
    forgery.collude(tickets[round] + 1, ({ seats }) => { delete seats[2].client_seed; });
    const report = audited(forgery.text);
    assert.equal(report.code, code);
    agreesWithLab(forgery.text);
  }
});

test("a drand salt of a chain that nobody trusts is never said to be younger than the commitment", () => {
  const forgery = base();
  const drand = { type: "drand", chain: "01".repeat(32), round: "1000" };
  forgery.collude(0, ({ epochs }) => { epochs[0].salt_source = drand; });
  forgery.collude(1, ({ epochs }) => {
    epochs[0].salt_source = { ...drand, signature: "42".repeat(48) };
  });
  const report = audited(forgery.text);
  const after = report.checks.find((check) => check.code === "SALT_AFTER_COMMIT");
  assert.equal(after.status, "skipped");
  agreesWithLab(forgery.text);
});

// The check EPOCH_CLOSE, and the claim that rests on it.
function closedAs(text, terms) {
  const report = audited(text, terms);
  const { status, found } = report.checks.find(({ code }) => code === "EPOCH_CLOSE");
  const claim = report.claims.find(({ name }) => name === "nothing_left_out");
  return { report, close: found === undefined ? status : `${status}: ${found}`, claim: claim.status };
}

test("with the close of its epoch a file with every round leaves nothing out", () => {
  const forgery = base();
  const close = epochClose(forgery);
  for (const at of [0, 2, REVEAL, REVEAL + 1]) {
    const { records } = base();
    records.splice(at, 0, close);
    // The same close may occur again.
    records.push(close);
    const text = records.map(({ line }) => `${line}\n`).join("");
    const { report, close: found, claim } = closedAs(text);
    assert.deepEqual([report.verdict, found, claim], ["match", "passed", "shown"], `place ${at}`);
    agreesWithLab(text);
  }
});

test("the close of an epoch proves nothing where a witness, a round or an equal tree is missing", () => {
  const [NO_CLOSE, NO_WITNESS] = ["the close of the epoch is not in the file",
    "no witness that you named has signed the close of the epoch"];
  const table = base().records[TICKET].json.table;
  const counted = (leaves, last, ...others) => (p) => {
    Object.assign(p, { leaves, rounds: { ...p.rounds, settled: leaves }, tables: [...p.tables, ...others] });
    Object.assign(p.tables[0], { last });
    if (last !== "2") delete p.tables[0].head;
  };
  for (const [edit, signers, found] of [
    [() => {}, [keys.receipt], NO_WITNESS],
    [(p) => void (p.epoch = 8), [keys.receipt, keys.witness], NO_CLOSE],
    [(p) => void (p.tenant = "nobody"), [keys.receipt, keys.witness], NO_CLOSE],
    [counted("3", "3"), [keys.root, keys.witness], `round 3 of table ${table} is not in the file`],
    [counted("9", "9"), [keys.root, keys.witness], `rounds 3 to 9 of table ${table} are not in the file`],
    [counted("5", "2", { last: "3", table: "zz" }), [keys.receipt, keys.witness],
      "the file has 2 of the 5 rounds of the epoch: an inclusion proof is needed"],
    [(p) => void (p.root = "11".repeat(32)), [keys.receipt, keys.witness],
      "the rounds of the file do not make the tree of the close"],
  ]) {
    const forgery = base();
    forgery.records.splice(REVEAL, 0, epochClose(forgery, edit, ...signers));
    const { report, close, claim } = closedAs(forgery.text);
    assert.deepEqual([report.verdict, close, claim], ["match", `skipped: ${found}`, "not_shown"]);
    agreesWithLab(forgery.text);
  }
});

test("a round that the caller has audited before is no round of the file", () => {
  const forgery = base();
  const { round_id: id } = forgery.records[TICKET].json;
  const after = { [id]: forgery.records[TICKET + NEXT - 1].hash };
  forgery.records.splice(REVEAL, 0, epochClose(forgery));
  forgery.records.splice(TICKET, NEXT);
  const { close, claim } = closedAs(forgery.text, { after });
  assert.deepEqual([close, claim], ["skipped: the file has 1 of the 2 rounds of the epoch: " +
    "an inclusion proof is needed", "not_shown"]);
  const { table } = forgery.records[TICKET].json;
  assert.equal(closedAs(forgery.text).close, `skipped: round 1 of table ${table} is not in the file`);
});

// The last test of this file: tests run in the order of the file.
test("the lab was asked about every forgery", { skip: LAB ? false : "TEST_LAB names no program" }, () => {
  assert.ok(held.due >= FORGERIES.length + RUBBISH.length, `${held.due}`);
  assert.equal(held.done, held.due);
});
