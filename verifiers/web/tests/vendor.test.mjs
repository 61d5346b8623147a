// The third-party library in the page is the file that its README names.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { PAGE } from "./support/page.mjs";

const NAME = "vendor/noble-bls12-381.js";
const source = (path) => readFileSync(new URL(`../${path}`, import.meta.url));

test("the library has the SHA-256 of its README, here and in the page", () => {
  const named = source("vendor/README.md").toString().match(/`[0-9a-f]{64}`/g);
  assert.equal(named.length, 1);
  for (const file of [source(NAME), readFileSync(join(PAGE, NAME))]) {
    assert.equal(`\`${createHash("sha256").update(file).digest("hex")}\``, named[0]);
  }
});

test("the library begins with its licence and needs no other file", () => {
  const text = source(NAME).toString();
  assert.ok(text.startsWith("/*\nThe MIT License (MIT)\n\nCopyright (c) 2022 Paul Miller"));
  assert.ok(!/^\s*import\b|\bimport\(|\brequire\(|\beval\(|new Function/m.test(text));
  assert.ok(text.length < 250_000, `${text.length}`);
});
