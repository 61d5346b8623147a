// Rounds that the engine has played, of every ruleset, under five policies and both suites: every
// check, card and amount is as `paigow-lab audit --json` said.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { PAGE } from "./support/page.mjs";
import { FOLDER, answered, expected, names, rules, transcript } from "./support/fixtures.mjs";

const CLI = join(PAGE, "cli.mjs");
// A root that nobody's manifests are signed by: the key of RFC 8032, test 1.
const ANOTHER = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
// An answer without the sentences, which are each verifier's own.
const statuses = ({ because, ...answer }) => ({ ...answer,
  checks: answer.checks.map(({ code, status }) => `${code} ${status}`),
  claims: answer.claims.map(({ name, status }) => `${name} ${status}`),
  ...(answer.rounds ? { rounds: answer.rounds.map(statuses) } : {}) });

test("there is a transcript of every ruleset", () => {
  const ids = [...rules.rulesets.values()].map(({ id }) => id);
  assert.equal(ids.length, 14);
  assert.deepEqual(ids.filter((id) => !names().includes(id)), []);
});

for (const name of names()) {
  test(name, () => {
    const wanted = expected(name);
    const found = answered(transcript(name), { keys: wanted.rootKeys, witnesses: wanted.witnessKeys });
    assert.deepEqual(statuses(found), statuses(wanted));
  });
}

test("the command line prints the same, a line a file, and says the verdict by its status", () => {
  const { rootKeys } = expected("mikes");
  const run = (...args) => spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8" });
  const good = run(`${FOLDER}mikes.jsonl`, `${FOLDER}void.jsonl`, "--root", rootKeys[0]);
  assert.equal(good.status, 0, good.stderr);
  const [first, second] = good.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(first.rounds[0].seats, expected("mikes").rounds[0].seats);
  assert.equal(second.verdict, "VERDICT_MATCH");
  assert.equal(run(`${FOLDER}mikes.jsonl`, "--root", ANOTHER).status, 1);
});

test("what could not be audited has a status of its own", () => {
  const run = (...args) => spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8" }).status;
  const good = [`${FOLDER}mikes.jsonl`, "--root", ANOTHER];
  assert.equal(run(`${FOLDER}mikes.jsonl`), 64);
  // No point of the curve that signs anything.
  assert.equal(run(`${FOLDER}mikes.jsonl`, "--root", "00".repeat(32)), 64);
  assert.equal(run(...good, "--threshold", "2"), 64);
  assert.equal(run(...good, "--ruleset", CLI), 65);
  assert.equal(run(...good, "--ruleset", "no-such-file"), 66);
});
