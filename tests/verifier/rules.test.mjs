// The rule files: the page has the very ones, and reads them strictly.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { canonical, parseCanonical } from "../../deploy/verifier/js/json.js";
import { parseToml } from "../../deploy/verifier/js/toml.js";
import { rules } from "./support/fixtures.mjs";

test("the copies are what the rule files and the modules say", () => {
  const update = fileURLToPath(new URL("../../deploy/verifier/update", import.meta.url));
  const { status, stderr } = spawnSync(update, ["--check"], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
});

test("each ruleset names its house way by the hash that is computed here", () => {
  for (const ruleset of rules.rulesets.values()) {
    assert.equal(rules.houseWayOf(ruleset)?.id, ruleset.house_way.id, ruleset.id);
  }
  assert.equal(rules.houseWays.size, 9);
});

test("what TOML of these files is not is refused", () => {
  assert.equal(canonical(parseToml('a = "x \\"y\\"" # c\nb = [1, 2,\n  3, ]\n[c]\nd = { e = true }\n[[f]]\ng = -4\n')),
    '{"a":"x \\"y\\"","b":[1,2,3],"c":{"d":{"e":true}},"f":[{"g":-4}]}');
  for (const text of ["a", "a =", "a = 1 b = 2", "a = 1\na = 2", "a = 01", "a = 1.5", "a = 'x'", '"a" = 1',
    "a = [1 2]", "[a]\n[a]", "[[a]\n", "a = nan", "a = 99999999999999999999", 'a = "\\u0041"', "a = {b = 1"]) {
    assert.throws(() => parseToml(text), text);
  }
});

test("JSON of the profile has one spelling", () => {
  const value = '{"a":[0,1,9007199254740991],"b":"q\\"\\\\","c":{"d":true,"e":false},"f":{},"g":[]}';
  assert.equal(canonical(parseCanonical(value)), value);
  const nested = (depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
  assert.equal(canonical(parseCanonical(nested(17))), nested(17));
  for (const text of ["", nested(18), '["\\u0041"]', "null", "1.0", "1e3", "-0", "-1", "01", "+1", "9007199254740992", '"\u00e9"', '"\\n"', '"\\/"',
    '"a', '{"b":1,"a":2}', '{"a":1,"a":2}', '{"a": 1}', "[1,]", "[1 ]", "{,}", "truefalse", "1 ", '{"a"}',
    `${"[".repeat(40)}${"]".repeat(40)}`]) {
    assert.throws(() => parseCanonical(text), text);
  }
});
