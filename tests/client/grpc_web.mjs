// A round by gRPC-Web from a page in a real headless Chromium, over TLS, at the real server:
//
//   TEST_SERVER=PROGRAM NODE_CLIENT=FOLDER node --test tests/client/grpc_web.mjs
//
// FOLDER has the packages of examples/node, which read the contract. CHROMIUM names another browser than
// the one on the path.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { Chromium } from "../../verifiers/web/tests/support/chromium.mjs";

const { loadSync } = createRequire(`${resolve(process.env.NODE_CLIENT)}/`)("protobufjs");
const contract = loadSync(new URL("../../proto/paigow/v1/paigow_service.proto", import.meta.url).pathname);
const type = (name) => contract.lookupType(`paigow.v1.${name}`);

const home = mkdtempSync(join(tmpdir(), "grpc-web-"));
let browser, page, server, address, site;

// Serves an empty page. Resolves to its server and its origin.
function listening() {
  const pages = createServer((_, answer) => answer.writeHead(200, { "content-type": "text/html" }).end("<p>A table"));
  return new Promise((done) => {
    pages.listen(0, "127.0.0.1", () => done({ pages, origin: `http://127.0.0.1:${pages.address().port}` }));
  });
}

// Starts the server on a port that the system chooses. Resolves to the process and its port.
function started(env) {
  const child = spawn(process.env.TEST_SERVER, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((done, failed) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const told = line.startsWith("{") ? JSON.parse(line) : {};
      if (told.message === "listening") done({ child, port: told.address.split(":").at(-1) });
    });
    child.on("exit", () => failed(new Error("the server ended before it listened")));
  });
}

before(async () => {
  const [certificate, key] = [join(home, "server.pem"), join(home, "server.key")];
  execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate],
  { stdio: "ignore" });
  execFileSync("chmod", ["600", key]);
  site = await listening();
  const settings = { SERVER__LISTEN: "127.0.0.1:0", SERVER__DRAIN_MS: "0", SERVER__GRPC_WEB_ORIGINS: site.origin,
    TLS__CERTIFICATE_FILE: certificate, TLS__KEY_FILE: key, LOG__FORMAT: "json" };
  const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`PAIGOW__${name}`, value]));
  let port;
  ({ child: server, port } = await started(env));
  address = `https://localhost:${port}`;
  // The browser trusts this one certificate, by the hash of its key.
  const shown = execFileSync("openssl", ["x509", "-in", certificate, "-pubkey", "-noout"]);
  const spki = execFileSync("openssl", ["pkey", "-pubin", "-outform", "der"], { input: shown });
  const pin = createHash("sha256").update(spki).digest("base64");
  browser = new Chromium(undefined, [`--ignore-certificate-errors-spki-list=${pin}`]);
  page = await browser.open();
  await page.go(`${site.origin}/`);
});

after(async () => {
  await browser?.close();
  site.pages.close();
  site.pages.closeAllConnections();
  const ended = new Promise((done) => server.on("exit", done));
  server.kill();
  await ended;
  rmSync(home, { recursive: true, force: true });
});

// Calls a method from within the page: bytes in, bytes out, and what the status says.
async function call(method, message, headers = {}) {
  const body = Buffer.from(type(`${method}Request`).encode(type(`${method}Request`).fromObject(message)).finish());
  const answer = JSON.parse(await page.evaluate(`(async () => {
    const message = Uint8Array.from(atob(${JSON.stringify(body.toString("base64"))}), (one) => one.charCodeAt(0));
    const frame = new Uint8Array(5 + message.length);
    new DataView(frame.buffer).setUint32(1, message.length);
    frame.set(message, 5);
    const response = await fetch("${address}/paigow.v1.PaiGowService/${method}", { method: "POST", body: frame,
      headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1", ...${JSON.stringify(headers)} } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    const status = { code: response.headers.get("grpc-status"), details: response.headers.get("grpc-status-details-bin"),
      id: response.headers.get("x-request-id"), message: "" };
    for (let at = 0; at < bytes.length;) {
      const end = at + 5 + new DataView(bytes.buffer).getUint32(at + 1);
      const part = bytes.subarray(at + 5, end);
      if (bytes[at] & 0x80) status.code = /grpc-status: ?(\\d+)/.exec(new TextDecoder().decode(part))[1];
      else status.message += String.fromCharCode(...part);
      at = end;
    }
    return JSON.stringify({ ...status, message: btoa(status.message) });
  })()`));
  if (answer.code !== "0") return answer;
  const answered = type(`${method}Response`);
  const bytes = Buffer.from(answer.message, "base64");
  return { ...answer, answer: answered.toObject(answered.decode(bytes), { longs: Number, enums: String }) };
}

test("a page plays a round", async () => {
  const dealt = await call("Deal", {
    open: { table: "browser", roundNo: 1, ruleset: "express" },
    sheet: { currency: { code: "USD", exponent: 2 }, wagers: [{ seat: 1, bet: "base", amountMinor: 2500 }] },
  }, { "x-request-id": "from-a-page" });
  assert.deepEqual([dealt.code, dealt.id, dealt.answer.hands[0].cards.length], ["0", "from-a-page", 7]);
  const settled = await call("Settle", { records: dealt.answer.records, decisions: [{ seat: 1, houseWay: true }] });
  const { bank, seats, houseNetMinor = 0 } = settled.answer;
  assert.equal((bank.netMinor ?? 0) + (seats[0].netMinor ?? 0) + houseNetMinor, 0);
});

test("a page reads why it was refused", async () => {
  const refused = await call("Deal", {});
  assert.equal(refused.code, "3");
  assert.match(Buffer.from(refused.details, "base64").toString("latin1"), /FIELD_MISSING/);
  assert.match(refused.id, /^[0-9a-f]{32}$/);
});

test("a page of another origin may not call", async () => {
  const other = await listening();
  const stranger = await browser.open();
  await stranger.go(`${other.origin}/`);
  const reached = await stranger.evaluate(`fetch("${address}/paigow.v1.PaiGowService/GetEngine", { method: "POST",
    body: new Uint8Array(5), headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" } })
    .then(() => "reached", () => "kept out")`);
  assert.equal(reached, "kept out");
  other.pages.close();
  other.pages.closeAllConnections();
});
