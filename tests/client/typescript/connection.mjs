// The messages of the TypeScript client where no engine answers, or a file is not the one that is needed.
//
//   node connection.mjs FOLDER
//
// FOLDER is where the package is installed. As tests/client/python/connection.py.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const { NoAnswer, connect, readRoot } = await import(pathToFileURL(`${process.argv[2]}/dist/index.js`).href);

const said = [];
// It takes connections, and ends each at once.
const silent = createServer((socket) => socket.destroy());
await new Promise((resolve) => silent.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${silent.address().port}`;
const engine = connect({ url, patienceMs: 500, onRepeat: (message) => said.push(message) });
await assert.rejects(engine.state(), (error) => error instanceof NoAnswer && error.message.startsWith("getEngine: "));
assert.equal(said.length, 1);
assert.match(said[0], /the client repeats it for 0\.5 s/);
assert.throws(() => connect({ url, token: "a" }), /need TLS/);

const folder = mkdtempSync(join(tmpdir(), "connection-"));
const wrong = join(folder, "public.json");
for (const content of ['{"key_id":"a"}', "[]", "-----BEGIN"]) {
  writeFileSync(wrong, content);
  assert.throws(() => readRoot(wrong), (error) => error.message.startsWith(`${wrong} holds no root keys`));
}
rmSync(folder, { recursive: true });
console.log("no engine, and files that are not a root: said plainly");
process.exit(0);
