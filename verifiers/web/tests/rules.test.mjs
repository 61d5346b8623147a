// The generated files: the page has exactly the rule files and modules. It reads rule files strictly.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { join, posix } from "node:path";
import { Script } from "node:vm";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import { rules } from "./support/fixtures.mjs";

// The rule files of the engine, read here from its folder.
const RULES = fileURLToPath(new URL("../../../crates/paigow-rules/src/", import.meta.url));
const bytesIn = (...folders) => folders.flatMap((folder) => readdirSync(RULES + folder)
  .filter((name) => name.endsWith(".toml")).sort()
  .map((name) => readFileSync(`${RULES}${folder}/${name}`)));

test("js/data.js has every rule file byte for byte", async () => {
  const { houseWays, rulesets } = await load("js/data.js");
  for (const [texts, files, count] of [
    [rulesets, bytesIn("game/rulesets"), 25],
    [houseWays, bytesIn("house_way/charts", "house_way/coded"), 10],
  ]) {
    assert.equal(files.length, count);
    assert.deepEqual(texts.map((text) => Buffer.from(text)), files);
  }
});

// The modules that a module needs: itself, and those that its imports need.
function needed(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(join(PAGE, path), "utf8");
  for (const [, target] of text.matchAll(/^import [^;]* from "([^"]+)";$/gm)) {
    needed(posix.join(posix.dirname(path), target), found);
  }
  return found;
}

test("verifier.js has every module that the page loads, once, after those that it imports", () => {
  const text = readFileSync(join(PAGE, "verifier.js"), "utf8");
  new Script(text);
  const joined = [...text.matchAll(/^modules\["([^"]+)"\] = /gm)].map(([, path]) => path);
  const modules = needed("js/page/main.js");
  assert.ok(modules.size > 30, `${modules.size} modules`);
  assert.deepEqual([...joined].sort(), [...modules].sort());
  for (const [at, path] of joined.entries()) {
    for (const before of needed(path)) assert.ok(joined.indexOf(before) <= at, `${before} before ${path}`);
  }
});

test("verifier.js has each constant and function of the modules", () => {
  const text = readFileSync(join(PAGE, "verifier.js"), "utf8");
  for (const path of needed("js/page/main.js")) {
    // Everything except imports and exports is there unchanged.
    const parts = readFileSync(join(PAGE, path), "utf8")
      .split(/^(?:import [^;]*;\n|export \{[^}]*\};\n|export )/gm).filter((part) => part.trim() !== "");
    let from = text.indexOf(`modules["${path}"] = (() => {\n`);
    assert.ok(parts.length > 0, path);
    for (const part of parts) {
      from = text.indexOf(part, from);
      assert.notEqual(from, -1, `${path}: ${part.slice(0, 60)}`);
      from += part.length;
    }
  }
});

test("each ruleset names its house way by the hash that is computed here", () => {
  for (const ruleset of rules.rulesets.values()) {
    assert.equal(rules.houseWayOf(ruleset)?.id, ruleset.house_way.id, ruleset.id);
  }
  assert.equal(rules.houseWays.size, 10);
});

// The result of Python's tomllib for each text, as JSON; null if it refuses the text.
const TOMLLIB = `
import json, sys, tomllib
def read(text):
    try:
        return json.dumps(tomllib.loads(text))
    except tomllib.TOMLDecodeError:
        return None
json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout)
`;
import { PAGE, load } from "./support/page.mjs";

const { canonical, parseCanonical } = await load("js/json.js");
const { NotToml, parseToml } = await load("js/toml.js");

test("TOML is read as another reader reads it", () => {
  const good = [
    'a = "x \\"y\\"" # c\nb = [1, 2,\n  3, ]\n[c]\nd = { e = true }\n[[f]]\ng = -4\n', "", "# c", "a.b . c = 1\na.d = 2",
    "[a.b]\nc = 1\n[a]\nd = 2", "[a]\nb.c = 1\n[a.b.d]\ne = 2", "[[a]]\n[a.b]\n[[a.c]]\n[[a]]\nb = 1", "[ a . 'b.c' ]\r\nd=1\r\n",
    "a = 'x\\y'\n\"b c\" = 1\n'' = 2", 'a = "\\u0041\\t\\U0001F600é"', 'a = """\nx ""y"" \\\n   z""""', "a = '''\n'x'' y'''''",
    "a = +1_000\nb = 0x1F\nc = 0o17\nd = 0b1_01\ne = [[], [{}]]", "a = {b.c = 1, b.d = {}}", "a = [ # c\n]", "a = -9007199254740991",
    'a = ["x:A", "no_y"]\nb = [["x"], ["y", "z"]]',
    'a = [\n  ["x", # c\n  "y"],\n\n  [ "z", ],\r\n]\nb = [\n"x",\n"y"]',
  ];
  const bad = [
    "a", "a =", "a = 1 b = 2", "a = 1\na = 2", "a = 01", "a = 1__0", "a = 0x", "a = -0x1", "a = [1 2]", "a = [,]", "a = {b = 1",
    'a = [["x"] ["y"]]', 'a = ["x"', 'a = [["x"]', 'a = ["x",, "y"]',
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

test("a key that every object has is no key of a rules file", async () => {
  const { houseWays, rulesets } = await load("js/data.js");
  const { BadRules, Rules } = await load("js/rules.js");
  const refused = (text, key) => assert.throws(() => new Rules({ rulesets: [text], houseWays }), BadRules, key);
  for (const key of ["constructor", "__proto__", "toString"]) {
    refused(`${rulesets[0]}\n[facts.${key}]\n`, key);
    refused(`${rulesets[0]}\n[[bets]]\nid = "${key}"\ntitle = "x"\nneeds_base = true\nrows = []\n`, key);
  }
});
