// The link form of the page: what its address may name, and what it may not.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keys } from "./support/fixtures.mjs";
import { load } from "./support/page.mjs";

const { BadLink, addressOf, keysByLink, readLink } = await load("js/page/link.js");
const { readChains, readRoot } = await load("js/page/trust.js");

const ROOT = keys.root.pk;
const OTHER = keys.stranger.pk;
const WITNESS = keys.witness.pk;
// The chain of a beacon: any hash.
const CHAIN = "0".repeat(64);

test("a link names keys, a seat and files in the spelling of the command line", () => {
  assert.deepEqual(readLink(`root=${ROOT}&witness=${WITNESS}&seat=3&file=round-7.jsonl`),
    { keys: [ROOT], threshold: 1, witnesses: [WITNESS], beacons: [], seat: { number: 3, key: null },
      files: ["round-7.jsonl"] });
  assert.deepEqual(readLink(`seat=1=${OTHER}&root=${ROOT}&root=${OTHER}&threshold=2&file=a/b_2/c.1&file=reveal`
    + `&beacon=${CHAIN}&beacon=${OTHER}`),
  { keys: [ROOT, OTHER], threshold: 2, witnesses: [], beacons: [CHAIN, OTHER], seat: { number: 1, key: OTHER },
    files: ["a/b_2/c.1", "reveal"] });
  for (const none of ["", "main"]) assert.equal(readLink(none), null);
});

test("each part that is wrong is told by its name", () => {
  const upper = ROOT.toUpperCase();
  for (const [name, ...parts] of [
    ["root", "root=", "root", `root=${ROOT.slice(1)}`, `root=${upper}`, `root=${ROOT}%20`, `root=${ROOT},${OTHER}`,
      `root=${ROOT}&root=${ROOT}`, `root= ${ROOT}`, `root=${"00".repeat(32)}`, `root=${ROOT}\n`],
    ["beacon", "beacon=", "beacon=quicknet", `beacon=${CHAIN.slice(1)}`, `beacon=${CHAIN}&beacon=${CHAIN}`, `beacon=${upper}`],
    ["witness", "witness=x", `witness=${upper}`, `witness=${WITNESS}=`],
    ["threshold", "threshold=1", `root=${ROOT}&threshold=2`, `root=${ROOT}&threshold=0`, `root=${ROOT}&threshold=01`,
      `root=${ROOT}&threshold=+1`, `root=${ROOT}&threshold=1&threshold=1`],
    ["seat", "seat=0", "seat=8", "seat=10", "seat=one", "seat=", "seat=1=", "seat=1=xyz", `seat=1=${upper}`,
      "seat=1&seat=2", `seat=9=${ROOT}`],
    ["file", "file=", "file=a&file=a", `file=${"a".repeat(201)}`,
      Array.from({ length: 9 }, (_, i) => `file=${i}`).join("&")],
    ["\"rooot\"", `rooot=${ROOT}`], ["\"\"", "&", `root=${ROOT}&`, `=${ROOT}`, "&&"],
    ["\"main\"", `root=${ROOT}&main`], ["\"__proto__\"", "__proto__=1"], ["\"as-of\"", "as-of=1970-01-01T00:00:00Z"],
    ["\"Root\"", `Root=${ROOT}`],
  ]) {
    for (const part of parts) {
      assert.throws(() => readLink(part), (error) => error instanceof BadLink && error.message.startsWith(`${name}: `),
        `${name}: ${part}`);
    }
  }
});

const ASIDE = ["//evil.example/a", "/a", "\\\\evil.example\\a", "\\a", "a\\b", "/\\evil.example/a", "https://evil.example/a",
  "https:a", "HTTPS:evil", "javascript:alert(1)", "data:text/plain,x", "blob:x", "file:a", "../a", "a/../b", "a/..", "..",
  ".", "./a", "a//b", "a/", ".a", "a/.b", "%2e%2e/a", "a%2fb", "%5c%5cevil", "a?b", "a#b", "@evil.example", "a:b", "a b",
  "a\tb", "a\nb", "/\t/evil.example", "\u0000a", "a\u2028", "\u2215a", "\uff0f\uff0fevil.example", "\u00e9", "-a", "_a"];

test("no file of a link is anywhere but below the folder of the page", () => {
  for (const name of ASIDE) {
    assert.throws(() => readLink(`file=${name}`), (error) => error instanceof BadLink && error.message.startsWith("file: "), name);
  }
  const page = "https://play.example/verify/index.html?x=/y#root=1";
  for (const name of ["a", "a/b.jsonl", "https", "evil.example", "a..b", "0"]) {
    assert.deepEqual(readLink(`file=${name}`).files, [name]);
    assert.equal(addressOf(name, page), `https://play.example/verify/${name}`);
  }
  // A second lock behind the first: the browser's own reading of the address.
  for (const name of ["//evil.example/a", "/a", "\\\\evil.example\\a", "https://evil.example/a", "../a", "a/../../b", "a?b",
    "javascript:1", "%2e%2e/a"]) {
    assert.throws(() => addressOf(name, page), BadLink, name);
  }
});

test("a root.json names keys, and may name witnesses and beacons", () => {
  const file = { keys: [ROOT], threshold: 1, witnesses: [WITNESS], beacons: [CHAIN] };
  assert.deepEqual(readRoot(JSON.stringify(file), 1), { ...file, pinned: true });
  const { beacons, ...bare } = file;
  assert.deepEqual(readRoot(JSON.stringify(bare), 1), { ...file, beacons: [], pinned: true });
  assert.deepEqual(readRoot(ROOT, 1), { keys: [ROOT], threshold: 1, witnesses: [], beacons: [], pinned: true });
  for (const bad of ["quicknet", CHAIN, [CHAIN.slice(1)], [ROOT.toUpperCase()], [7], {}]) {
    assert.throws(() => readRoot(JSON.stringify({ ...file, beacons: bad }), 1), /chain of a beacon is a hash/);
  }
  assert.deepEqual(readChains(` ${CHAIN.toUpperCase()},\n${ROOT} `), [CHAIN, ROOT]);
  assert.deepEqual(readChains(" "), []);
  assert.throws(() => readChains("quicknet"), /chain of a beacon is a hash/);
});

test("keys rest on the link until the reader puts others in their place", () => {
  const link = readLink(`root=${ROOT}&witness=${WITNESS}&beacon=${CHAIN}&seat=1=${OTHER}`);
  const form = { keys: [ROOT], witnesses: [WITNESS], beacons: [CHAIN], seat: { number: 1, key: OTHER } };
  assert.deepEqual(keysByLink(link, form), ["root", "witness", "beacon", "seat key"]);
  assert.deepEqual(keysByLink(link, { ...form, keys: [OTHER] }), ["witness", "beacon", "seat key"]);
  const none = { keys: [OTHER], witnesses: [], beacons: [], seat: null };
  assert.deepEqual(keysByLink(link, { ...none, beacons: [OTHER, CHAIN] }), ["beacon"]);
  // One key of several is enough to rest on it.
  assert.deepEqual(keysByLink(link, { ...none, keys: [OTHER, ROOT] }), ["root"]);
  assert.deepEqual(keysByLink(link, { ...none, seat: { number: 1, key: null } }), []);
  assert.deepEqual(keysByLink(readLink("seat=2"), form), []);
  assert.deepEqual(keysByLink(null, form), []);
});
