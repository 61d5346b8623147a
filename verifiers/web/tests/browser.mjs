// The page in a real headless Chromium, served by the real server and opened from disk:
//
//   TEST_PAGE=PAGE TEST_SERVER=PROGRAM node verifiers/web/tests/browser.mjs [PICTURES]
//
// `paigow-lab page PAGE` has written PAGE, and PROGRAM is a `paigow-server` of the same build. Pictures
// go to the folder PICTURES, if it is given: both themes, a desk's and a phone's width. CHROMIUM names
// another browser than the one on the path.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Chromium } from "./support/chromium.mjs";
import { FAINT } from "./support/contrast.mjs";
import { Forgery } from "./support/forge.mjs";
import { FOLDER, expected, keys, keysOf, lines, transcript } from "./support/fixtures.mjs";
import { PAGE, load } from "./support/page.mjs";
import { elsewhere, siteOf } from "./support/site.mjs";

const { cardOf } = await load("js/cards.js");
const { spoken } = await load("js/page/cards.js");
const CODES = Object.keys((await load("js/audit/report.js")).CODES);

const ROOT = keys.root.pk;
const WITNESS = { witness: keys.witness.pk };
const MB = 1024 * 1024;
// A time at which no secret is overdue.
const BEFORE = "1970-01-01T00:00:00Z";

if (!process.env.TEST_SERVER) {
  throw new Error("TEST_SERVER is not set: set it to the program paigow-server");
}
const pictures = process.argv[2];
if (pictures) mkdirSync(pictures, { recursive: true });

// Starts the server on ports that the system chooses. Resolves to the process and the page's origin.
async function served(home) {
  const environment = { SERVER__LISTEN: "127.0.0.1:0", SERVER__VERIFIER_LISTEN: "127.0.0.1:0",
    SERVER__DRAIN_MS: "0", LOG__FORMAT: "json" };
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [`PAIGOW__${name}`, value]));
  const child = spawn(process.env.TEST_SERVER, { cwd: home, env, stdio: ["ignore", "pipe", "inherit"] });
  const logged = createInterface({ input: child.stdout });
  const address = await new Promise((resolve, reject) => {
    logged.on("line", (line) => {
      if (line.includes("the verifier page is at /")) resolve(JSON.parse(line).address);
    });
    child.on("error", reject);
    child.on("exit", () => reject(new Error("the server ended before it served the page")));
  });
  return { child, origin: `http://${address}` };
}

let browser, folder, origin, page, server;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "transcripts-"));
  ({ child: server, origin } = await served(folder));
  browser = new Chromium();
  page = await browser.open();
  await page.look({ width: 1200 });
  await page.go(`${origin}/`);
});

after(async () => {
  await browser.close();
  const ended = new Promise((resolve) => server.on("exit", resolve));
  server.kill();
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

// Writes text, byte for byte, into a file to choose.
function written(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text, "latin1");
  return path;
}

// A case of the conformance kit: its file, its root and the other terms that the form takes.
function kitCase(wanted) {
  const cases = readFileSync(new URL("../../conformance/records.jsonl", import.meta.url), "utf8").trimEnd()
    .split("\n").map((line) => JSON.parse(line));
  const { input, expect } = cases.find(({ about }) => about === wanted);
  const text = `${input.transcript.join("\n")}\n`;
  const asOf = input.as_of === undefined ? BEFORE : new Date(input.as_of * 1000).toISOString().replace(".000", "");
  const more = { witness: input.witnesses?.join(" "), beacon: input.beacons?.join(" "), seat: String(input.my_seat ?? 0), seatKey: input.my_seat_key, asOf };
  return { input, expect, text, root: input.root_keys[0], more };
}

const claims = () => page.evaluate(`Object.fromEntries([...document.querySelectorAll(".claims > .claim")]
  .map((one) => [one.querySelector("strong").textContent, one.querySelector(".tag").textContent]))`);

// Tries from within a page to reach another origin by all means that a script has.
async function tryToReach(one, evil) {
  const reached = await one.evaluate(`(async () => {
    const outcomes = [];
    const note = (name, attempt) => attempt.then(() => outcomes.push(name), () => {});
    const loads = (element, place) => new Promise((resolve, reject) => {
      element.onload = resolve;
      element.onerror = reject;
      for (const [name, value] of Object.entries(place)) element[name] = value;
      document.body.append(element);
      setTimeout(reject, 1000);
    });
    const make = (name) => document.createElement(name);
    await note("fetch", fetch("${evil}/"));
    await note("opaque fetch", fetch("${evil}/", { mode: "no-cors" }));
    await note("socket", new Promise((resolve, reject) => {
      const socket = new WebSocket("${evil.replace("http", "ws")}/");
      socket.onopen = resolve;
      socket.onerror = reject;
    }));
    await note("image", loads(new Image(), { src: "${evil}/" }));
    await note("script", loads(make("script"), { src: "${evil}/" }));
    await note("style", loads(make("link"), { rel: "stylesheet", href: "${evil}/" }));
    await note("object", loads(make("object"), { data: "${evil}/" }));
    navigator.sendBeacon("${evil}/");
    return outcomes;
  })()`);
  assert.deepEqual(reached, []);
}

const picture = async (name) => {
  if (pictures) await page.pictureOfAll(join(pictures, `${name}.png`));
};

test("the page has a strict policy, and nothing in it is inline", async () => {
  const policy = await page.evaluate(
    `document.querySelector('meta[http-equiv="Content-Security-Policy"]').content`);
  assert.equal(policy,
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'");
  const inline = await page.evaluate(`[...document.querySelectorAll("script:not([src]), style, [style]")]
    .length + [...document.querySelectorAll("*")].filter((one) =>
      [...one.attributes].some(({ name }) => name.startsWith("on"))).length`);
  assert.equal(inline, 0);
  await picture("empty");
});

test("a good transcript matches, and the table is drawn", async () => {
  const report = await page.audit(`${FOLDER}express.jsonl`, ROOT, WITNESS);
  assert.deepEqual(report, { status: "Done: match.", verdict: "✓Everything matches", failed: [],
    tone: "match", warnings: [] });
  const drawn = await page.evaluate(`({
    checks: document.querySelectorAll("#checks > ol > .check").length,
    sentence: document.querySelector(".happened").textContent.length > 10,
    cards: document.querySelectorAll(".table .card").length % 7,
    seats: document.querySelectorAll(".seats .seat").length > 0,
    clause: document.querySelector(".dealer .clause q").textContent.length > 10,
  })`);
  assert.deepEqual(drawn, { checks: CODES.length, sentence: true, cards: 0, seats: true, clause: true });
});

test("every ruleset is drawn, at every round, without an error", async () => {
  for (const name of ["mikes", "mini", "face-up", "mini-community", "mania", "online", "express-2", "void", "fresh"]) {
    const { status } = await page.audit(`${FOLDER}${name}.jsonl`, ROOT);
    assert.equal(status, "Done: match.", name);
    const rounds = await page.evaluate(`Number(document.getElementById("round-number")?.max ?? 1)`);
    for (let round = 1; round < rounds; round++) {
      await page.evaluate(`[...document.querySelectorAll(".chooser button")]
        .find((one) => one.textContent === "Next").click()`);
    }
    await picture(`round-${name}`);
  }
});

test("the dealer's hand that a deal exposed is drawn, also where the round is void", async () => {
  const report = await page.audit(`${FOLDER}face-up.jsonl`, ROOT, WITNESS);
  assert.equal(report.verdict, "✓Everything matches");
  const body = () => page.evaluate(`document.querySelector("main").textContent`);
  assert.match(await body(), /Shown before the players decided\./);
  // The last round was void after its deal.
  await page.evaluate(`(() => {
    const number = document.getElementById("round-number");
    number.value = number.max;
    number.dispatchEvent(new Event("change"));
  })()`);
  const drawn = await page.evaluate(`[...document.querySelectorAll(".exposed .cards")]
    .map((one) => [one.getAttribute("aria-label"), one.querySelectorAll(".card").length])`);
  assert.deepEqual(drawn.slice(0, 2), [["Low hand of the dealer", 2], ["High hand of the dealer", 5]]);
});

test("without a root key or the witness's it says loudly what that is worth, and is not green", async () => {
  const [root, witness] = ["The root is not pinned.", "The witness is not pinned."];
  const stranger = { witness: keys.stranger.pk };
  for (const [name, key, more, warnings, tone] of [
    ["mikes", "", {}, [root, witness], "open"], ["mikes", "", WITNESS, [root], "open"],
    ["mikes", ROOT, {}, [witness], "open"], ["mikes", ROOT, stranger, [witness], "open"],
    // Its epoch has no witness.
    ["fresh", ROOT, {}, [], "match"]]) {
    const report = await page.audit(`${FOLDER}${name}.jsonl`, key, more);
    assert.deepEqual([report.status, report.warnings, report.tone], ["Done: match.", warnings, tone]);
    const title = key === "" ? "Shown, if the keys are the right ones" : "Shown";
    assert.equal(await page.evaluate(`document.querySelector(".group.shown h3").textContent`), title);
  }
});

test("claims are told as the kit has them, also those of the reader's own seat", async () => {
  const { text, root, more, expect } = kitCase("every term");
  const file = written("seat.jsonl", text);
  assert.equal((await page.audit(file, root, more)).status, "Done: match.");
  // In the order of the data file.
  const names = ["records_authentic", "outcome_recomputed", "seed_not_chosen", "salt_independent", "place_listed",
    "place_not_chosen", "decided_before_reveal", "nothing_left_out", "nothing_left_out_of_log", "logged",
    "decks_unknown_in_advance"];
  const told = () => claims().then((found) => Object.values(found).map((status) => status.replace("not shown", "not_shown")));
  assert.deepEqual(await told(), names.map((name) => expect.claims[name]));
  await picture("seat");
  const { status } = await page.audit(file, root, { ...more, seatKey: "1" });
  assert.match(status, /^The key of your seat is a public key/);
  await page.audit(file, root, { witness: more.witness });
  const seatless = { place_not_chosen: "not_shown", decided_before_reveal: "not_shown", decks_unknown_in_advance: "not_shown" };
  assert.deepEqual(await told(), names.map((name) => seatless[name] ?? expect.claims[name]));
});

test("a secret that is not out yet is waited for", async () => {
  const waits = kitCase("settling ends at 253402300799");
  const report = await page.audit(written("waits.jsonl", waits.text), waits.root, waits.more);
  assert.deepEqual([report.status, report.failed, report.tone], ["Done: pending.", [], "pending"]);
  assert.match(await page.evaluate(`document.querySelector(".verdict").textContent`), /due after 9999-12-31/);
  assert.equal((await claims())["The server seed was not chosen"], "waits");
  await picture("pending");
  // As late as a record can say, which is no date.
  const forgery = new Forgery(lines("tampered-base").slice(0, -1), keysOf);
  forgery.collude(1, ({ epochs }) => void (epochs[0].settle_until = String(2n ** 63n - 1n)));
  const far = await page.audit(written("far.jsonl", forgery.text), ROOT, WITNESS);
  assert.deepEqual([far.status, far.failed[0]], ["Done: mismatch.", "MANIFEST_RULES"]);
});

// Opens the story of the round that is shown, with all details in it.
async function story() {
  await page.evaluate(`[...document.querySelectorAll("#round-body details")]
    .find((one) => one.textContent.startsWith("What was fixed")).open = true`);
  await page.until(`document.querySelector(".story")`);
  await page.evaluate(`document.querySelectorAll(".story details").forEach((one) => { one.open = true; })`);
  await page.until(`[...document.querySelectorAll(".story details")].every((one) => one.childElementCount > 1)`);
  return page.evaluate(`document.querySelector(".story").textContent.replaceAll(/\\s+/g, " ")`);
}

test("a round whose settlement proves its seed shows that at once, and waits for nothing", async () => {
  const { text, root, more } = kitCase("vrf: right after the round");
  const report = await page.audit(written("vrf.jsonl", text), root, more);
  assert.deepEqual([report.status, report.verdict, report.tone, report.failed],
    ["Done: match.", "✓Everything matches", "match", []]);
  const of = async (status) => page.evaluate(`[...document.querySelectorAll(".group.${status} li")]
    .map((one) => one.lastChild.textContent)`);
  assert.ok((await of("shown")).includes("The server seed was not chosen"));
  assert.deepEqual(await of("pending"), []);
  const top = await page.evaluate(`document.querySelector(".verdict").innerText`);
  assert.match(top, new RegExp(`At seat ${more.seat} you staked `));
  assert.doesNotMatch(top, /secret|publish|due|waits|open until/i);
  const sentence = await page.evaluate(`[...document.querySelectorAll("#checks .check")]
    .find((one) => one.textContent.includes("SEED_PROOF")).querySelector("div > p:last-child").textContent`);
  assert.equal(sentence, "Each server seed is the one that its proof shows.");

  const told = await story();
  assert.match(told, /Each settlement proves its own server seed with the key of the epoch\./);
  assert.match(told, /Nothing has to be published later\./);
  const payloads = text.trimEnd().split("\n")
    .map((line) => JSON.parse(Buffer.from(JSON.parse(line).payload, "base64")));
  const { vrf_key: key, salt } = payloads.findLast((one) => one.epochs).epochs[0];
  const { seed_proof: proof } = payloads.find((one) => one.disposition);
  const shown = await page.evaluate(`[...document.querySelectorAll(".story dd")].map((one) => one.textContent)`);
  assert.deepEqual(shown, [key, salt, proof]);
  await picture("vrf");
  // A proof of 160 digits fits a phone.
  for (const dark of [false, true]) {
    await page.look({ width: 390, height: 844, dark, mobile: true });
    assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= 390);
    assert.deepEqual(await page.evaluate(FAINT), []);
  }
  await page.look({ width: 1200 });
});

test("a void round of that suite is told with the proof in the close of its epoch, if there is one", async () => {
  for (const [about, proven] of [["vrf: void after the deal, and the close", /This file has that close/],
    ["vrf: void after the deal", /This file has no such proof/]]) {
    const { text, root, more } = kitCase(about);
    const report = await page.audit(written(`${about.replaceAll(/[^a-z]+/g, "-")}.jsonl`, text), root, more);
    assert.deepEqual([report.status, report.failed], ["Done: match.", []], about);
    assert.match(await story(), proven);
  }
});

// The public log and the public random value of the round that is shown; null if the page says nothing of them.
const publicParts = () => page.evaluate(`(() => {
  const view = document.getElementById("public");
  return view && { unknown: view.querySelector("#unknown")?.textContent ?? null,
    logged: view.querySelector("#logged").textContent,
    steps: [...view.querySelectorAll(".timeline li")].map((one) =>
      [one.className, one.querySelector("strong").textContent, one.querySelector("b")?.textContent ?? null]) };
})()`);

test("a public random value is told in one sentence and one picture", async () => {
  const { text, root, more } = kitCase("beacon: the derived suite");
  const file = written("beacon.jsonl", text);
  const report = await page.audit(file, root, more);
  assert.deepEqual([report.status, report.tone, report.failed], ["Done: match.", "match", []]);
  // The round of the kit's beacon that the ticket names, and the witness a second before it.
  const { external } = JSON.parse(Buffer.from(JSON.parse(text.split("\n").find((line) => line.includes("pge.ticket"))).payload, "base64"));
  const published = 1699999952 + 3 * (Number(external.round) - 1);
  const clock = (second) => new Date(1000 * second).toISOString().slice(11, 19);
  const [seen, out] = [clock(published - 1), clock(published)];
  const shown = await publicParts();
  assert.deepEqual(shown.steps, [["shown", "Round opened", seen], ["shown", "Wagers locked", seen],
    ["shown", "Public random value", out], ["shown", "Cards dealt", null], ["shown", "Result", seen]]);
  assert.equal(shown.unknown, `Nobody knew the deck before the wagers: a witness saw them locked at ${seen}, and the `
    + `public random value that the deck depends on was published at ${out}.`);
  assert.match(await page.evaluate(`document.getElementById("public").innerText`), /Times of 2023-11-14, in UTC\./);
  assert.match(shown.logged, /^In the public log: yes\./);
  await picture("beacon");
  for (const dark of [false, true]) {
    await page.look({ width: 390, height: 844, dark, mobile: true });
    assert.ok(await page.evaluate("document.documentElement.scrollWidth") <= 390);
    assert.deepEqual(await page.evaluate(FAINT), []);
    await picture(`beacon-phone-${dark ? "dark" : "light"}`);
  }
  await page.look({ width: 1200 });

  // Without the chain, and without the witness, less is shown.
  await page.audit(file, root, { ...more, beacon: "" });
  const unknown = await publicParts();
  assert.match(unknown.unknown, /not shown that nobody knew the deck before the wagers: this page does not know the beacon/);
  assert.deepEqual(unknown.steps[2], ["open", "Public random value", null]);
  const alone = await page.audit(file, root, { ...more, witness: "" });
  assert.equal(alone.tone, "open");
  assert.ok(alone.warnings.includes("No witness of the public log is pinned."));
  const unseen = await publicParts();
  assert.match(unseen.unknown, /you named no witness\.$/);
  assert.equal(unseen.logged, "In the public log: not shown. You named no witness.");
  assert.deepEqual(unseen.steps[1], ["open", "Wagers locked", null]);
});

test("wagers that a witness saw too late are told as that, in the order of the clock", async () => {
  const { text, root, more } = kitCase("beacon: the wagers are dated a second after of the publication");
  const report = await page.audit(written("late.jsonl", text), root, more);
  assert.deepEqual([report.status, report.failed], ["Done: match.", []]);
  const { steps, unknown } = await publicParts();
  assert.deepEqual(steps.map(([state, title]) => [state, title]), [["shown", "Public random value"], ["shown", "Round opened"],
    ["open", "Wagers locked"], ["shown", "Cards dealt"], ["shown", "Result"]]);
  assert.match(unknown, /a witness saw the wagers at .*, and the value was published at /);
  await picture("beacon-late");
});

test("nothing is told of a log or a beacon where a round has neither, or does not check out", async () => {
  await page.audit(`${FOLDER}express.jsonl`, ROOT, WITNESS);
  assert.equal(await publicParts(), null);
  const forgery = new Forgery(lines("tampered-base"), keysOf);
  forgery.collude(4, (p) => void (p.beacon = "42".repeat(48)));
  const report = await page.audit(written("forged-beacon.jsonl", forgery.text), ROOT, WITNESS);
  assert.deepEqual(report.failed, ["BEACON"]);
  assert.equal(await publicParts(), null);
});

test("a beacon that came with the link is the sender's word too", async () => {
  const { text, root, more } = kitCase("beacon: the derived suite");
  const site = await siteOf(origin, { "/verify/a.jsonl": text });
  const opened = await opening(`${site.origin}/verify/#root=${root}&witness=${more.witness}&beacon=${more.beacon}&file=a.jsonl`);
  await done(opened);
  assert.deepEqual((await opened.told()).warnings, ["The root, witness and beacon were named by the link."]);
  const compared = await opened.evaluate(`[...document.querySelectorAll(".compare code")].map((one) => one.textContent)`);
  assert.deepEqual(compared, [root, more.witness, more.beacon]);
  await site.close();
});

test("a tampered transcript names the check that failed", async () => {
  const forgery = new Forgery(lines("tampered-base"), keysOf);
  forgery.collude(8, ({ results: { seats } }) => {
    seats["1"].net = String(BigInt(seats["1"].net) + 1n);
  });
  const report = await page.audit(written("tampered.jsonl", forgery.text), ROOT);
  assert.equal(report.verdict, "✗Something does not match");
  assert.deepEqual(report.failed, ["RESULTS"]);
  assert.match(await page.evaluate(`document.querySelector(".happened").textContent`), /As this page computes it: /);
  await picture("tampered");
});

test("rubbish is refused as such, and is only ever text", async () => {
  const rubbish = {
    "text.jsonl": "<img src=x onerror=alert(1)><script>alert(1)</script>\n",
    "binary.jsonl": String.fromCharCode(...Array.from({ length: 4096 }, (_, i) => (i * 151) % 256)),
    "nest.jsonl": "[".repeat(MB),
    "json.jsonl": JSON.stringify({ payload: "<b>", payloadType: "<b>", signatures: [] }),
  };
  for (const [name, text] of Object.entries(rubbish)) {
    const report = await page.audit(written(name, text), ROOT);
    // Only the last one has a line that looks like a record. The others accuse nobody.
    const isRecord = name === "json.jsonl";
    assert.deepEqual(report.failed, isRecord ? ["FORMAT"] : [], name);
    assert.equal(report.status, isRecord ? "Done: mismatch." : "Done: incomplete.", name);
    assert.equal(report.verdict, isRecord ? "✗Something does not match" : "…This is not a transcript", name);
    // It shows nothing, so there is no claim to tick.
    assert.equal(await page.evaluate(`document.querySelectorAll(".claim.shown").length`), 0);
  }
  assert.equal(await page.evaluate(`document.querySelectorAll("main img, main script, main b").length`), 0);
  await picture("rubbish");
  const empty = await page.audit(written("empty.jsonl", "\n"), ROOT);
  assert.match(empty.status, /^Choose, drop or paste/);
});

test("a root that is none is asked for again", async () => {
  const { status, verdict } = await page.audit(`${FOLDER}mikes.jsonl`, "not a key");
  assert.match(status, /64 hexadecimal digits/);
  assert.equal(verdict, null);
});

test("50 MB of one line, and 65 MB of anything, are refused", async () => {
  const report = await page.audit(written("line.jsonl", "x".repeat(50 * MB)), ROOT);
  assert.deepEqual([report.status, report.failed], ["Done: incomplete.", []]);
  const large = await page.audit(written("large.jsonl", "x".repeat(65 * MB)), ROOT);
  assert.match(large.status, /larger than 64 MB/);
});

// The rounds of a transcript, over and over: each is audited in full.
function megabytes(count) {
  const all = lines("express");
  const manifests = all.filter((line) => line.includes("pge.manifest"));
  const rounds = all.filter((line) => !/pge\.(?:manifest|epoch-reveal)/.test(line));
  const block = `${rounds.join("\n")}\n`;
  return `${manifests.join("\n")}\n${block.repeat(Math.ceil((count * MB) / block.length))}`;
}

test("50 MB of rounds leave the page alive, and can be stopped", async () => {
  await page.choose(written("rounds.jsonl", megabytes(50)));
  await page.evaluate(`document.getElementById("go").click()`);
  // A page that hangs answers only when all is done, and then always the same.
  await page.until(`document.getElementById("status").textContent.startsWith("Checking") &&
    (window.seen ??= new Set()).add(document.getElementById("progress").value).size > 10`);
  await page.evaluate(`document.getElementById("stop").click()`);
  await page.until(`document.getElementById("status").textContent === "Stopped."`);
});

test("every 50 MB round is audited, if one waits", { skip: !process.env.VERIFIER_LONG }, async () => {
  const began = Date.now();
  const report = await page.audit(join(folder, "rounds.jsonl"), ROOT, { ms: 900_000 });
  console.log(`50 MB in ${Math.round((Date.now() - began) / 1000)} s`);
  assert.equal(report.failed.length, 0);
});

test("pasting works as choosing does", async () => {
  await page.evaluate(`(() => {
    const text = document.getElementById("text");
    text.value = ${JSON.stringify(transcript("mania"))};
    text.dispatchEvent(new Event("input"));
    document.getElementById("go").click();
  })()`);
  await page.until(`document.getElementById("status").textContent === "Done: match."`);
});

test("dropping works as choosing does, and a drop elsewhere leaves the page where it is", async () => {
  const drop = (target, name) => page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([${JSON.stringify(transcript("mini-b"))}], "${name}"));
    ${target}.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  for (const target of [`document.getElementById("drop")`, "document.body"]) {
    await page.evaluate(`document.getElementById("status").textContent = ""`);
    await drop(target, "dropped.jsonl");
    await page.until(`document.getElementById("status").textContent === "Done: match."`);
    assert.match(await page.evaluate(`document.getElementById("chosen").textContent`), /^dropped/);
  }
});

test("an operator's own rules are judged once their files are chosen or dropped too", async () => {
  const { input, text, root } = kitCase("express, a house way of one's own");
  const own = written("own.jsonl", text);
  const alone = await page.audit(own, root, { asOf: BEFORE });
  assert.deepEqual([alone.status, alone.failed], ["Done: incomplete.", []]);
  const files = [["our-game.toml", input.rulesets[0]], ["our-way.toml", input.house_ways[0]]];
  const go = () => page.evaluate(`document.getElementById("go").click()`);
  await page.choose(own, ...files.map(([name, text]) => written(name, text)));
  await go();
  await page.until(`document.getElementById("status").textContent === "Done: pending."`);
  await picture("own-rules");
  const bad = written("our-game.toml", "schema = 2\n");
  await page.choose(own, bad);
  await go();
  await page.until(`document.getElementById("status").textContent.includes("not a schema")`);

  await page.go(`${origin}/`);
  await page.evaluate(`document.getElementById("root").value = "${root}";
    document.getElementById("as-of").value = "${BEFORE}"`);
  const drop = (...dropped) => page.evaluate(`(() => {
    const dataTransfer = new DataTransfer();
    for (const [name, text] of ${JSON.stringify(dropped)}) dataTransfer.items.add(new File([text], name));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  })()`);
  await drop(["own.jsonl", text]);
  await page.until(`document.getElementById("status").textContent === "Done: incomplete."`);
  await drop(...files);
  await page.until(`document.getElementById("status").textContent === "Done: pending."`);
  await page.go(`${origin}/`);
});

test("a transcript and its reveal are dropped together, in any order, and a picture is left out", async () => {
  const all = lines("express");
  const isReveal = (line) => line.includes("pge.epoch-reveal");
  const parts = [["reveal.jsonl", all.filter(isReveal).join("\n")],
    ["rounds.jsonl", all.filter((line) => !isReveal(line)).join("\n")], ["photo.png", "\u0089PNG\r\n"]];
  const dropped = async (files) => {
    await page.go(`${origin}/`);
    await page.evaluate(`(() => {
      document.getElementById("as-of").value = "${BEFORE}";
      document.getElementById("root").value = "${ROOT}";
      const dataTransfer = new DataTransfer();
      for (const [name, text] of ${JSON.stringify(files)}) dataTransfer.items.add(new File([text], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    })()`);
    await page.until(`document.getElementById("status").textContent.startsWith("Done")`);
    return page.evaluate(`document.getElementById("status").textContent`);
  };
  assert.equal(await dropped(parts.slice(1, 2)), "Done: pending.");
  await picture("pending");
  assert.equal(await dropped(parts), "Done: match. photo.png is not a transcript and was left out.");
  assert.equal(await dropped(parts.slice(2)), "Done: incomplete.");
  await picture("no-transcript");
});

test("the shuffle is shown draw by draw, to the deck of the record", async () => {
  await page.audit(`${FOLDER}online.jsonl`, ROOT);
  await page.evaluate(`[...document.querySelectorAll("details")]
    .find((one) => one.textContent.startsWith("The shuffle")).open = true`);
  await page.until(`document.querySelector(".deck-row .card")`);
  const shown = await page.evaluate(`(() => {
    const details = document.querySelector(".deck-row").closest("details");
    [...details.querySelectorAll("button")].find((one) => one.textContent === "End").click();
    return [...details.querySelectorAll(".deck-row .card")].map((one) => one.getAttribute("aria-label"));
  })()`);
  const { rounds } = expected("online");
  const deck = rounds.find(({ disposition }) => disposition === "DISPOSITION_SETTLE").deck;
  assert.deepEqual(shown, deck.map((name) => spoken(cardOf(name))));
  await picture("shuffle");
});

test("every control has a name, and the keyboard reaches and works them", async () => {
  await page.send("Accessibility.enable");
  const { nodes } = await page.send("Accessibility.getFullAXTree");
  const roles = ["button", "textbox", "spinbutton", "slider", "image", "img", "progressbar", "link"];
  const nameless = nodes.filter(({ ignored, role, name }) =>
    !ignored && roles.includes(role?.value) && !name?.value);
  assert.deepEqual(nameless.map(({ role }) => role.value), []);

  await page.go(`${origin}/`);
  await page.choose(`${FOLDER}mikes.jsonl`);
  const key = async (name, code, text) => {
    await page.send("Input.dispatchKeyEvent", { type: "keyDown", key: name, code: name,
      windowsVirtualKeyCode: code, text });
    await page.send("Input.dispatchKeyEvent", { type: "keyUp", key: name, code: name,
      windowsVirtualKeyCode: code });
  };
  const seen = [];
  for (let i = 0; i < 12 && seen[seen.length - 1] !== "go"; i++) {
    await key("Tab", 9);
    seen.push(await page.evaluate(`document.activeElement.id || document.activeElement.className ||
      document.activeElement.tagName`));
  }
  assert.deepEqual(seen, ["skip", "file", "SUMMARY", "seat", "root", "threshold", "SUMMARY", "go"]);
  await key("Enter", 13, "\r");
  await page.until(`document.getElementById("status").textContent === "Done: match."`);
  assert.equal(await page.evaluate("document.activeElement.id"), "verdict");
});

test("nothing is wider than a phone or too faint, in either theme", async () => {
  await page.audit(`${FOLDER}mini-community.jsonl`, ROOT);
  for (const dark of [false, true]) {
    for (const width of [320, 390, 768, 1200]) {
      await page.look({ width, height: 844, dark, mobile: width < 500 });
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(wide <= width, `${wide} pixels wide at ${width}`);
      assert.deepEqual(await page.evaluate(FAINT), [], dark ? "dark" : "light");
      if (width === 390 || width === 1200) {
        await picture(`report-${width === 390 ? "phone" : "desk"}-${dark ? "dark" : "light"}`);
      }
    }
  }
  await page.look({ width: 1200 });
});

test("on a phone the chooser is one line, and the checks stand in one column", async () => {
  await page.look({ width: 390, height: 844, mobile: true });
  const edges = (selector, edge) => page.evaluate(`[...new Set([...document.querySelectorAll("${selector}")]
    .map((one) => Math.round(one.getBoundingClientRect().${edge})))].length`);
  assert.equal(await edges(".chooser .button", "top"), 1);
  assert.equal(await edges("#checks > ol code:first-child", "left"), 1);
  await page.look({ width: 1200 });
});

test("who asks for less motion gets none", async () => {
  const moving = async (motion) => {
    await page.send("Emulation.setEmulatedMedia",
      { features: [{ name: "prefers-reduced-motion", value: motion }] });
    return page.evaluate(`[...document.querySelectorAll("*")]
      .filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0).length`);
  };
  await page.evaluate(`[...document.querySelectorAll("details")]
    .find((one) => one.textContent.startsWith("The shuffle")).open = true`);
  await page.until(`document.querySelector(".deck-row .card")`);
  assert.ok(await moving("no-preference") > 0);
  assert.equal(await moving("reduce"), 0);
});

test("a secret that is overdue is told with its day, and the time of the check can be set", async () => {
  const { text, root, more } = kitCase("not revealed, a second later");
  const file = written("overdue.jsonl", text);
  const verdict = () => page.evaluate(`document.querySelector(".verdict").textContent`);
  const late = await page.audit(file, root, more);
  assert.deepEqual([late.status, late.verdict, late.tone, late.failed],
    ["Done: incomplete.", "…The operator's secret is overdue", "incomplete", []]);
  assert.match(await verdict(), /was due on 2030-03-29 and is not in this file/);
  await page.audit(file, root, { ...more, asOf: BEFORE });
  assert.equal((await page.told()).status, "Done: pending.");
  assert.match(await verdict(), /due after 2030-03-29/);
  const { status } = await page.audit(file, root, { ...more, asOf: "tomorrow" });
  assert.match(status, /^The time of the check is one in UTC like/);
});

test("a gap is told by the numbers of the rounds, and leaves a player's own verdict alone", async () => {
  const { text, root, more } = kitCase("a round is missing");
  const file = written("gap.jsonl", text);
  const report = await page.audit(file, root, more);
  assert.deepEqual([report.status, report.tone, report.failed], ["Done: incomplete.", "incomplete", []]);
  assert.equal(await page.evaluate(`document.querySelector(".because").textContent`),
    "Round 2 of table T1 is not in the file.");
  assert.equal((await page.audit(file, root, { ...more, seat: "1" })).status, "Done: match.");
  assert.equal((await claims())["No round was left out"], "not shown");
});

test("an inclusion proof is told from a transcript by its content, whatever it is called", async () => {
  const { input, text, root, more, expect } = kitCase("inclusion: one round and its proof");
  const round = written("round.jsonl", text);
  const why = async () => page.evaluate(`[...document.querySelectorAll("#checks .check")]
    .find((one) => one.textContent.includes("EPOCH_CLOSE")).querySelector(".why").textContent`);
  assert.equal((await page.audit(round, root, more)).status, `Done: ${expect.verdict}.`);
  assert.doesNotMatch(await why(), /this round is in the tree/);
  for (const name of ["proof.jsonl", "proof.txt"]) {
    const proof = written(name, `${input.proofs.join("\n")}\n`);
    assert.equal((await page.audit([proof, round], root, more)).status, `Done: ${expect.verdict}.`);
    assert.match(await why(), /this round is in the tree/);
  }
  const table = kitCase("inclusion: each round of a table");
  const proofs = written("proofs.jsonl", `${table.input.proofs.join("\n")}\n`);
  for (const [files, left] of [[[], "not shown"], [[proofs], "shown"]]) {
    await page.audit([...files, written("table.jsonl", table.text)], table.root, table.more);
    assert.equal((await claims())["No round was left out"], left);
  }
  const bad = written("proof.json", input.proofs[0].replace(/"path":.*/, "\"path\":[]}").replace("\"1\"", "\"x\""));
  const { status } = await page.audit([bad, round], root, more);
  assert.match(status, /^line 1: no inclusion proof/);
});

test("the seat that the reader chooses comes first: what happened there, in one sentence and one picture", async () => {
  const { seats, bank } = expected("mikes").rounds[0];
  const [{ seat: number }] = seats;
  const mine = seats[0];
  const seat = String(number);
  await page.audit(`${FOLDER}mikes.jsonl`, ROOT, { ...WITNESS, asOf: BEFORE });
  const lead = () => page.evaluate(`document.querySelector("#lead").innerText`);
  assert.match(await lead(), /Which seat was yours\?/);
  await page.evaluate(`[...document.querySelectorAll(".seat-chooser button")]
    .find((one) => one.textContent === "Seat ${seat}").click()`);
  await page.until(`document.getElementById("status").textContent === "Done: match."`);
  assert.equal(await page.evaluate(`document.getElementById("seat").value`), seat);
  const net = Number(mine.netMinor);
  const stake = mine.lines.reduce((sum, line) => sum + Number(line.stakeMinor), 0);
  const outcome = net === 0 ? "came out even" : `${net > 0 ? "won" : "lost"} ${(Math.abs(net) / 100).toFixed(2)}`;
  const text = await page.evaluate(`document.querySelector(".happened").textContent`);
  assert.ok(text.includes(`At seat ${seat} you staked ${(stake / 100).toFixed(2)} `) && text.includes(outcome), text);
  assert.equal(text.includes("a fee of"), mine.feeMinor !== undefined, text);
  const cards = await page.evaluate(`[...document.querySelectorAll(".picture .seat")].map((one) =>
    [one.querySelector("h4").textContent, [...one.querySelectorAll(".card")].map((card) => card.getAttribute("aria-label")).sort()])`);
  const of = ({ setting: { low, high } }) => [...low, ...high].map((name) => spoken(cardOf(name))).sort();
  assert.deepEqual(cards.map(([, one]) => one), [of(mine.base), of(bank)]);
  assert.equal(cards[0][0], `You${mine.base.outcome.replace("OUTCOME_", "").toLowerCase()}`);
  // Words of the protocol are inside details.
  const top = await page.evaluate(`document.querySelector(".verdict").innerText`);
  assert.doesNotMatch(top, /epoch|tenant|suite|salt|[A-Z]+_[A-Z]+|[0-9a-f]{16}/);
});

// Opens an address in a page of its own.
async function opening(address) {
  const opened = await browser.open();
  await opened.look({ width: 1200 });
  await opened.go(address);
  return opened;
}

const done = (opened) => opened.until(`document.getElementById("status").textContent.startsWith("Done")`);
const told = (opened, id) => opened.evaluate(`document.getElementById("${id}").textContent`);

test("a link gives keys, seat and file at one click, and is not green until its keys are compared", async () => {
  const [name, seat] = ["mikes", String(expected("mikes").rounds[0].seats[0].seat)];
  const site = await siteOf(origin, { "/verify/rounds/7.jsonl": transcript(name) });
  const opened = await opening(`${site.origin}/verify/#root=${ROOT}&witness=${keys.witness.pk}&seat=${seat}&file=rounds/7.jsonl`);
  await done(opened);
  const warning = "The root and witness were named by the link.";
  const before = await opened.told();
  assert.deepEqual([before.status, before.tone, before.warnings], ["Done: match.", "open", [warning]]);
  assert.match(await told(opened, "link-note"), /1 root key, 1 witness key, seat \d, rounds\/7.jsonl/);
  // The keys are there in full, to be compared.
  const compared = await opened.evaluate(`[...document.querySelectorAll(".compare code")].map((one) => one.textContent)`);
  assert.deepEqual(compared, [ROOT, keys.witness.pk]);
  assert.match(await opened.evaluate(`document.querySelector(".happened").textContent`), new RegExp(`At seat ${seat} you `));
  if (pictures) await opened.pictureOfAll(join(pictures, "link.png"));

  // Ticking the box does not change the round that is shown.
  await opened.evaluate(`[...document.querySelectorAll(".chooser button")].find((one) => one.textContent === "Next").click()`);
  const tick = () => opened.evaluate(`document.getElementById("compared").click()`);
  await tick();
  const after = await opened.told();
  assert.deepEqual([after.tone, after.warnings, after.verdict], ["match", [], "✓Everything matches"]);
  assert.match(await opened.evaluate(`document.querySelector(".happened").textContent`), /^Round 2 of 3/);
  assert.equal(await opened.evaluate("document.activeElement.id"), "compared");
  await tick();
  assert.equal((await opened.told()).tone, "open");
  // A comparison still counts in the next audit, unless that uses another key of the link.
  const again = async (witness) => {
    await opened.evaluate(`document.getElementById("witness").value = "${witness}"`);
    await opened.evaluate(`document.getElementById("go").click()`);
    await done(opened);
    return (await opened.told()).tone;
  };
  await tick();
  assert.equal(await again(keys.witness.pk), "match");
  assert.equal(await again(keys.stranger.pk), "open");
  await tick();
  assert.equal(await again(keys.witness.pk), "open");
  await tick();
  await tick();
  // Keys that the reader types are the reader's own. The other one still came with the link.
  await opened.evaluate(`document.getElementById("witness").value = "${keys.stranger.pk}"`);
  await opened.evaluate(`document.getElementById("go").click()`);
  await done(opened);
  assert.deepEqual((await opened.told()).warnings, ["The witness is not pinned.", "The root was named by the link."]);

  // Another link in the same tab begins anew.
  await opened.evaluate(`location.hash = "#seat=2"`);
  await opened.until(`document.getElementById("link-note")?.textContent.includes("seat 2") &&
    document.getElementById("root").value === ""`);
  // The page's own link to its content does not count as one of these.
  await opened.evaluate(`document.querySelector(".skip").click()`);
  assert.match(await told(opened, "link-note"), /seat 2/);
  assert.deepEqual(opened.requests.filter((url) => !url.startsWith(`${site.origin}/verify/`)
    && !url.endsWith("/favicon.ico")), []);
  assert.deepEqual(opened.errors.filter((text) => !text.includes("favicon")), []);
  assert.equal(site.asked.filter((path) => path.endsWith("7.jsonl")).length, 1);
  await site.close();
});

test("a key of the seat that came with the link is the sender's word too", async () => {
  const { text, more } = kitCase("every term");
  const site = await siteOf(origin, { "/verify/a.jsonl": text });
  const opened = await opening(`${site.origin}/verify/#seat=${more.seat}=${more.seatKey}&file=a.jsonl`);
  await done(opened);
  const { warnings } = await opened.told();
  assert.deepEqual(warnings, ["The root is not pinned.", "The witness is not pinned.", "The seat key was named by the link."]);
  await site.close();
});

test("a link that is wrong is told by name, and nothing of it is taken", async () => {
  const evil = await elsewhere();
  const site = await siteOf(origin, {});
  for (const [fragment, what] of [
    [`root=${ROOT}&witness=abc`, /witness: not an Ed25519 public key/], [`root=${ROOT}&seat=9`, /seat: a seat is 1 to 7/],
    [`root=${ROOT}&colour=red`, /"colour": no part of a link/], [`root=${ROOT}&file=${evil.origin}/a`, /file: a path below/],
    [`root=${ROOT}&file=//${new URL(evil.origin).host}/a`, /file: a path below/],
    [`root=${ROOT}&file=\\\\${new URL(evil.origin).host}\\a`, /file: a path below/],
    [`root=${ROOT}&file=/etc/passwd`, /file: a path below/], [`root=${ROOT}&file=../a`, /file: a path below/],
    [`root=${ROOT}&file=%2e%2e/a`, /file: a path below/], [`root=${ROOT}&file=javascript:alert(1)`, /file: a path below/]]) {
    const opened = await opening(`${site.origin}/verify/#${fragment}`);
    await opened.until(`!document.getElementById("link-note").hidden`);
    assert.match(await told(opened, "link-note"), what, fragment);
    assert.match(await told(opened, "link-note"), /No part of it was used/);
    assert.equal(await opened.evaluate(`document.getElementById("root").value`), "", fragment);
    assert.deepEqual(opened.requests.filter((url) => !/\/verify\/(?:#|$|style|js\/|vendor\/|start)/.test(url)
      && !url.endsWith("/favicon.ico")), [], fragment);
    if (fragment.includes("colour") && pictures) await opened.pictureOfAll(join(pictures, "link-wrong.png"));
  }
  assert.equal(evil.visits, 0);
  await site.close();
  await evil.close();
});

test("a file of a link that the server does not have, or has elsewhere, is told and not followed", async () => {
  const evil = await elsewhere();
  const away = { status: 302, headers: { location: `${evil.origin}/a` } };
  const near = { status: 302, headers: { location: "/verify/index.html" } };
  const site = await siteOf(origin, { "/verify/away": away, "/verify/near": near });
  for (const [file, what] of [["missing.jsonl", /missing.jsonl: the server answered 404/],
    ["away", /away: the file cannot be fetched/], ["near", /near: the file cannot be fetched/]]) {
    const opened = await opening(`${site.origin}/verify/#root=${ROOT}&file=${file}`);
    await opened.until(`document.getElementById("status").classList.contains("bad")`);
    assert.match(await told(opened, "status"), what);
    assert.match(await told(opened, "status"), /Choose or drop the file yourself/);
    assert.equal(await opened.evaluate(`document.getElementById("root").value`), ROOT);
    assert.equal(await opened.evaluate(`document.getElementById("go").disabled`), false);
  }
  assert.equal(evil.visits, 0);
  await site.close();
  await evil.close();
});

test("from disk a link pins keys, and names the file that the reader has to choose", async () => {
  for (const name of ["index.html", "verifier.html"]) {
    const opened = await opening(`${pathToFileURL(join(PAGE, name)).href}#root=${ROOT}&file=round.jsonl`);
    await opened.until(`document.getElementById("status").textContent !== ""`);
    assert.match(await told(opened, "status"), /cannot fetch round.jsonl, which the link names: choose or drop it/);
    assert.equal(await opened.evaluate(`document.getElementById("root").value`), ROOT);
    assert.deepEqual(opened.errors, [], name);
  }
});

test("verifier.html alone works from disk without an error, and reaches nothing", async () => {
  // In a folder without other files of the page.
  const alone = written("verifier.html", readFileSync(join(PAGE, "verifier.html"), "latin1"));
  const evil = await elsewhere();
  const opened = await opening(pathToFileURL(alone).href);
  const report = await opened.audit(`${FOLDER}mini.jsonl`, ROOT, { ...WITNESS, asOf: BEFORE });
  assert.deepEqual([report.status, report.tone], ["Done: match.", "match"]);
  assert.equal(await opened.evaluate(`getComputedStyle(document.querySelector(".table")).borderRadius !== "0px"`), true);
  assert.deepEqual(opened.requests, [pathToFileURL(alone).href]);
  assert.deepEqual(opened.errors, []);
  await tryToReach(opened, evil.origin);
  assert.equal(evil.visits, 0);
  await evil.close();
  // The policy runs exactly this script.
  const text = readFileSync(alone, "latin1").replace("const SLICE_MS = 30;", "const SLICE_MS = 31;");
  const changed = await opening(pathToFileURL(written("changed.html", text)).href);
  assert.equal(await changed.evaluate(`document.getElementById("link-note").hidden`), true);
  await changed.evaluate(`document.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true }))`);
  assert.equal(await changed.evaluate(`document.getElementById("drop").classList.contains("over")`), false);
  await opened.evaluate(`document.dispatchEvent(new DragEvent("dragover", { bubbles: true, cancelable: true }))`);
  assert.equal(await opened.evaluate(`document.getElementById("drop").classList.contains("over")`), true);
});

test("each state of the page fits a phone and can be read, in either theme", async () => {
  const overdue = kitCase("not revealed, a second later");
  const gap = kitCase("a round is missing");
  const mine = kitCase("every term");
  const forged = new Forgery(lines("tampered-base"), keysOf);
  forged.collude(8, ({ results: { seats } }) => {
    seats["1"].net = String(BigInt(seats["1"].net) + 1n);
  });
  const waiting = lines("tampered-base").filter((line) => !line.includes("pge.epoch-reveal"));
  const states = {
    match: [transcript("mikes"), ROOT, { ...WITNESS, seat: "4", asOf: BEFORE }, "match"],
    unpinned: [transcript("mikes"), "", { asOf: BEFORE }, "open"],
    waiting: [`${waiting.join("\n")}\n`, ROOT, { ...WITNESS, seat: "1", asOf: BEFORE }, "pending"],
    overdue: [overdue.text, overdue.root, overdue.more, "incomplete"],
    gap: [gap.text, gap.root, gap.more, "incomplete"],
    forged: [forged.text, ROOT, { ...WITNESS, seat: "1", asOf: BEFORE }, "mismatch"],
    mine: [mine.text, mine.root, mine.more, "match"],
    photo: ["\u0089PNG\r\n\u001a\n", ROOT, {}, "incomplete"],
  };
  for (const [state, [text, root, more, tone]] of Object.entries(states)) {
    assert.equal((await page.audit(written(`${state}.jsonl`, text), root, more)).tone, tone, state);
    for (const dark of [false, true]) {
      for (const [device, width] of [["phone", 390], ["desk", 1200]]) {
        await page.look({ width, height: 844, dark, mobile: width < 500 });
        const wide = await page.evaluate("document.documentElement.scrollWidth");
        assert.ok(wide <= width, `${state}: ${wide} pixels wide at ${width}`);
        assert.deepEqual(await page.evaluate(FAINT), [], `${state}, ${dark ? "dark" : "light"}`);
        if (pictures) await page.pictureOf("#report", join(pictures, `state-${state}-${device}-${dark ? "dark" : "light"}.png`));
      }
    }
  }
  await page.look({ width: 1200 });
});

test("opened as a file it works as well", async () => {
  const opened = await browser.open();
  await opened.go(pathToFileURL(join(PAGE, "index.html")).href);
  const report = await opened.audit(`${FOLDER}mini.jsonl`, ROOT);
  assert.equal(report.status, "Done: match.");
  assert.deepEqual(opened.requests.filter((url) => !url.startsWith("file:")), []);
});

// Last, because it tries requests that must not succeed.
test("no request has left the page, and none can", async () => {
  assert.deepEqual(page.requests.filter((url) => !url.startsWith(`${origin}/`)), []);
  assert.deepEqual(page.requests.filter((url) => !/\/(?:|(?:js\/)?[a-z0-9/-]+\.(?:js|css))$/.test(url)
    && !url.endsWith("/favicon.ico")), []);
  assert.deepEqual(page.errors.filter((text) => !text.includes("favicon")), []);
  const evil = await elsewhere();
  await tryToReach(page, evil.origin);
  assert.equal(evil.visits, 0);
  // The sites can be reached: it is the policy that keeps the page from it.
  assert.equal(await (await fetch(evil.origin)).text(), "reached");
  assert.ok(evil.visits > 0);
  await evil.close();
});
