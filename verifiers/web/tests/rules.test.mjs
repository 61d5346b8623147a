// The rule files: the page has the very ones, and reads them strictly.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { canonical, parseCanonical } from "../../deploy/verifier/js/json.js";
import { NotToml, parseToml } from "../../deploy/verifier/js/toml.js";
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

// What Python's tomllib reads in each text as JSON; null where it refuses it.
const TOMLLIB = `
import json, sys, tomllib
def read(text):
    try:
        return json.dumps(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return None
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;

test("TOML is read as another reader reads it", () => {
  const good = [
    'a = "x \\"y\\"" # c\nb = [1, 2,\n  3, ]\n[c]\nd = { e = true }\n[[f]]\ng = -4\n', "", "# c", "a.b . c = 1\na.d = 2",
    "[a.b]\nc = 1\n[a]\nd = 2", "[a]\nb.c = 1\n[a.b.d]\ne = 2", "[[a]]\n[a.b]\n[[a.c]]\n[[a]]\nb = 1", "[ a . 'b.c' ]\r\nd=1\r\n",
    "a = 'x\\y'\n\"b c\" = 1\n'' = 2", 'a = "\\u0041\\t\\U0001F600é"', 'a = """\nx ""y"" \\\n   z""""', "a = '''\n'x'' y'''''",
    "a = +1_000\nb = 0x1F\nc = 0o17\nd = 0b1_01\ne = [[], [{}]]", "a = {b.c = 1, b.d = {}}", "a = [ # c\n]", "a = -9007199254740991",
  ];
  const bad = [
    "a", "a =", "a = 1 b = 2", "a = 1\na = 2", "a = 01", "a = 1__0", "a = 0x", "a = -0x1", "a = [1 2]", "a = [,]", "a = {b = 1",
    "a = {b = 1,}", "a = {b = 1\n}", "[a]\n[a]", "[[a]\n", "[a]b = 1", "[a]\n[[a]]", "[[a]]\n[a]", "a = []\n[[a]]", "a = {}\n[a.b]",
    "a = {b = {}}\na.b.c = 1", "a = {b.c = 1}\n[a.b.d]", "a = 1\na.b = 2", "a.b = 1\n[a]", "[a.b.c]\n[a]\nb.c.d = 1", "a = 'x\n'",
    'a = "x\n"', 'a = """x""', 'a = """x""""""', 'a = "\\q"', 'a = "\\ud800"', 'a = "\\U00110000"', 'a = "\u0007"', "# \u0007",
    "a = 1\r", "a = tru", "a = truex", "= 1", "[]", "a. = 1",
  ];
  const texts = [...good, ...bad];
  const python = spawnSync("python3", ["-c", TOMLLIB], { encoding: "utf8", input: JSON.stringify(texts) });
  assert.equal(python.status, 0, python.stderr);
  for (const [at, read] of JSON.parse(python.stdout).entries()) {
    assert.equal(read !== null, at < good.length, texts[at]);
    if (read === null) assert.throws(() => parseToml(texts[at]), NotToml, texts[at]);
    // Through JSON, which gives both the same prototypes.
    else assert.deepEqual(JSON.parse(JSON.stringify(parseToml(texts[at]))), JSON.parse(read), texts[at]);
  }
});

test("TOML that no rules file has use for is refused", () => {
  for (const text of ["a = 1.5", "a = 1e3", "a = nan", "a = -inf", "a = 1979-05-27", "a = 07:32:00", "a = 9007199254740992"]) {
    assert.throws(() => parseToml(text), NotToml, text);
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
