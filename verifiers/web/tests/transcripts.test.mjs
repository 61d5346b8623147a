// Rounds that the engine has played, of every ruleset, under five policies and both suites: every
// check, card and amount is as `paigow-lab audit --json` said.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { PAGE } from "./support/page.mjs";
import { FOLDER, answered, bare, expected, names, rules, transcript } from "./support/fixtures.mjs";

const CLI = join(PAGE, "cli.mjs");
// A root that signs no manifest: the key of RFC 8032, test 1.
const ANOTHER = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

test("there is a transcript of every ruleset", () => {
  const ids = [...rules.rulesets.values()].map(({ id }) => id);
  assert.equal(ids.length, 25);
  assert.deepEqual(ids.filter((id) => !names().includes(id)), []);
});

for (const name of names()) {
  test(name, () => {
    const wanted = expected(name);
    const found = answered(transcript(name), { keys: wanted.rootKeys, witnesses: wanted.witnessKeys });
    assert.deepEqual(bare(found), bare(wanted));
  });
}

test("the command line prints the same, a line a file, and says the verdict by its status", () => {
  const { rootKeys, witnessKeys } = expected("mikes");
  const run = (...args) => spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8" });
  const good = run(`${FOLDER}mikes.jsonl`, `${FOLDER}void.jsonl`, "--root", rootKeys[0], "--witness", witnessKeys[0]);
  assert.equal(good.status, 0, good.stderr);
  const [first, second] = good.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  assert.deepEqual(bare(first), bare(expected("mikes")));
  assert.deepEqual(bare(second), bare(expected("void")));
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
  const hash = "11".repeat(32);
  for (const wrong of [["--witness", "00".repeat(32)], ["--beacon", "quicknet"], ["--beacon", "11"], ["--manifest", "11"],
    ["--after", hash], ["--after", `${hash}:11`],
    ["--as-of", "2026-02-30T00:00:00Z"], ["--as-of", "2026-11-25"], ["--my-seat", "0"], ["--my-seat", "8"],
    ["--my-seat", "1="], ["--my-seat", `1=${"00".repeat(32)}`], ["--require", "everything"]]) {
    assert.equal(run(...good, ...wrong), 64, wrong.join(" "));
  }
});

test("the status is the first of 1, 2, 3 and 0 that a verdict or a required claim asks for", () => {
  const run = (names, root, ...args) => spawnSync(process.execPath,
    [CLI, ...names.map((name) => `${FOLDER}${name}.jsonl`), "--root", root, ...args]).status;
  const before = ["--as-of", "1970-01-01T00:00:00Z"];
  const require = (...claims) => claims.flatMap((claim) => ["--require", claim]);
  const { rootKeys: [root], witnessKeys: [witness] } = expected("mikes");
  assert.equal(run(["mikes"], root, ...require("outcome_recomputed", "seed_not_chosen")), 0);
  assert.equal(run(["mikes"], root, ...require("salt_independent")), 2);
  assert.equal(run(["mikes"], root, "--witness", witness, ...require("salt_independent")), 0);
  // No round that the claim applies to: all are void.
  assert.equal(run(["mikes", "void"], root, ...require("outcome_recomputed")), 2);
  // Its secret is not revealed.
  const { rootKeys: [own] } = expected("development");
  assert.equal(run(["development"], own, ...before), 3);
  assert.equal(run(["development"], own, ...before, ...require("seed_not_chosen")), 3);
  assert.equal(run(["development"], own, ...before, ...require("seed_not_chosen", "salt_independent")), 2);
  assert.equal(run(["development"], own, "--as-of", "9999-12-31T23:59:59Z"), 2);
  assert.equal(run(["development", "mikes"], own, ...before, ...require("salt_independent")), 1);
});
