// Three players at the tables of examples/table, each in a browser context of a real Chromium.
//
//   node tests/client/table.mjs --table paigow-table [--beacon] [--pictures FOLDER]
//
// paigow-server, paigow-keys, paigow-log and paigow-log-witness lie beside paigow-table. AXE names the script of axe-core.
//
// 20 rounds over the six games. In one round the engine is killed after the deal, in another one a player closes
// the page after the deal. One round is played by keyboard alone. Every round is checked by its own link, and the
// verifier finds no fault. The wallets change by what the settlements say. Chips and cards are dragged, and
// foul hands warned of. axe-core finds no serious fault. The page shows each round in the public log, by a sentence and a
// picture, and the verifier finds LOGGED passed.
//
// With --beacon it is one round of one table, whose cards wait for a public value.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { Chromium, Page } from "../../verifiers/web/tests/support/chromium.mjs";

const option = { type: "string" };
const { values } = parseArgs({ options: { table: option, pictures: option, beacon: { type: "boolean", default: false } } });
const axe = readFileSync(process.env.AXE, "utf8");
const home = mkdtempSync(join(tmpdir(), "table-"));
if (values.pictures) mkdirSync(values.pictures, { recursive: true });

// The rounds of each table, 20 in all.
const ROUNDS = values.beacon ? { express: 1 } : { express: 4, "face-up": 3, "mini-community": 4, mania: 3, mikes: 3, online: 3 };
const BONUS = { express: "dynasty", "mini-community": "bonus", mania: "pai_gow_bonus", mikes: "outlaw_9" };

class GameServer {
  constructor() {
    this.engines = [];
    this.lines = [];
    // No clock of the table runs out on a slow machine, but that of a player who has gone.
    const clocks = ["bet", "seed", "set"].flatMap((name) => [`--${name}-seconds`, "600"]);
    this.child = spawn(values.table, ["--listen", "127.0.0.1:0", "--data", join(home, "data"), "--gone-seconds", "1",
      ...clocks, ...values.beacon ? ["--beacon"] : []], { stdio: ["ignore", "pipe", "inherit"] });
    this.opened = new Promise((done, failed) => {
      createInterface({ input: this.child.stdout }).on("line", (line) => {
        this.lines.push(line);
        const engine = /^Engine: process (\d+)/.exec(line);
        if (engine) this.engines.push(Number(engine[1]));
        const open = /^The tables are open: (.*)$/.exec(line);
        if (open) done(open[1]);
      });
      this.child.on("exit", () => failed(new Error(`the game server ended: ${this.lines.join("\n")}`)));
    });
  }

  killEngine() {
    process.kill(this.engines.at(-1), "SIGKILL");
  }

  async stop() {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((done) => this.child.on("exit", done));
    this.child.kill("SIGTERM");
    await ended;
  }
}

// The sentences and the picture of a round in public.
const PUBLIC = `(place) => ({
  unknown: place.querySelector("#unknown")?.textContent ?? null,
  logged: place.querySelector("#logged").textContent,
  steps: [...place.querySelectorAll(".timeline li")].map((step) =>
    [step.querySelector("strong").textContent, step.className, /\\d\\d:\\d\\d:\\d\\d/.test(step.textContent)]),
})`;

class Player {
  constructor(browser, site, name, look) {
    Object.assign(this, { browser, site, name, look, net: 0 });
  }

  async begin() {
    const { browserContextId } = await this.browser.send("Target.createBrowserContext");
    this.context = browserContextId;
    await this.openPage();
    await this.page.go(this.site);
    await this.waits(this.element("name"));
    await this.page.evaluate(`${this.element("name")}.value = ${JSON.stringify(this.name)}`);
    await this.click("enter");
    await this.waits(this.element("table-express"));
  }

  async openPage() {
    const { targetId } = await this.browser.send("Target.createTarget",
      { url: "about:blank", browserContextId: this.context });
    const { sessionId } = await this.browser.send("Target.attachToTarget", { targetId, flatten: true });
    this.target = targetId;
    this.page = new Page(this.browser, sessionId);
    await this.page.begin();
    await this.looks();
  }

  // Nothing moves: a picture and a search for faults see what a player sees in the end. Both features are set in one
  // call, as a page that may move for a moment begins to.
  async looks(dark = false) {
    const { width, height, mobile = false } = this.look;
    await this.page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile });
    await this.page.send("Emulation.setEmulatedMedia", { features: [
      { name: "prefers-color-scheme", value: dark ? "dark" : "light" },
      { name: "prefers-reduced-motion", value: "reduce" }] });
  }

  closePage() {
    return this.browser.send("Target.closeTarget", { targetId: this.target });
  }

  element(test) {
    return `document.querySelector('[data-test="${test}"]')`;
  }

  waits(expression) {
    return this.page.until(expression, 30_000);
  }

  async click(test) {
    await this.waits(`${this.element(test)} && !${this.element(test)}.disabled`);
    await this.page.evaluate(`${this.element(test)}.click()`);
  }

  minor(test) {
    return this.page.evaluate(`Number(${this.element(test)}.dataset.minor)`);
  }

  async sit(table, seat) {
    Object.assign(this, { table, seat });
    await this.page.go(`${this.site}/#${table}`);
    await this.click(`sit-${seat}`);
    await this.waits(this.element("spot-base"));
  }

  async stand() {
    await this.click("stand");
    await this.click("to-lobby");
    await this.waits(this.element("table-express"));
  }

  async bet(bonus, drags = false) {
    await this.waits(this.element("spot-base"));
    if (drags) {
      await this.drag("chip-25", "spot-base");
      await this.waits(`${this.element("spot-base")}.dataset.minor === "2500"`);
    } else {
      await this.click("chip-25");
      await this.click("spot-base");
    }
    if (bonus) {
      await this.click("chip-5");
      await this.click(`spot-${bonus}`);
    }
    await this.click("bet");
  }

  isDealt() {
    return this.waits(`document.querySelectorAll(".playing").length >= 6`);
  }

  async setByHouseWay(doubles = false) {
    await this.isDealt();
    await this.click("house-way");
    await this.waits(this.element("clause"));
    if (doubles) await this.click("double-down");
    await this.click("set-hand");
  }

  // Puts the first card, or the first two, in front. The highest stand first, so many such hands are foul: then the
  // page warns, and the button wants a second press. Returns whether the hand is foul.
  async setBySelf() {
    await this.isDealt();
    const cards = await this.page.evaluate(
      `[...document.querySelectorAll(".playing")].map((card) => card.dataset.test)`);
    for (const card of cards.slice(0, cards.length === 6 ? 1 : 2)) {
      await this.drag(card, "low");
      await this.waits(`${this.element("low")}.querySelector('[data-test="${card}"]')`);
    }
    await this.click("set-hand");
    const isFoul = await this.page.evaluate(`Boolean(${this.element("foul")})`);
    if (isFoul) await this.click("set-hand");
    return isFoul;
  }

  // Drags one element to another with the mouse.
  async drag(from, to) {
    const middle = (test) => this.page.evaluate(`(() => {
      const box = ${this.element(test)}.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + Math.min(box.height, innerHeight) / 2 };
    })()`);
    await this.page.send("Page.bringToFront");
    await this.page.evaluate(`${this.element(from)}.scrollIntoView({ block: "center" })`);
    const [start, end] = [await middle(from), await middle(to)];
    const mouse = (type, { x, y }) =>
      this.page.send("Input.dispatchMouseEvent", { type, x, y, button: "left", buttons: 1, clickCount: 1 });
    await mouse("mousePressed", start);
    for (const part of [0.3, 0.7, 1]) {
      await mouse("mouseMoved", { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part });
    }
    await mouse("mouseReleased", end);
  }

  // Waits for the settlement of a round, and returns the net of this player's seat.
  async settled(number) {
    await this.waits(`${this.element("settlement")}?.dataset.round === "${number}"`);
    const net = await this.minor(`net-${this.seat}`);
    this.net += net;
    await this.waits(`${this.element("balance")}.dataset.minor === "${100_000 + this.net}"`);
    return net;
  }

  // Waits until this page shows the round in public, and returns what it says.
  async inPublic() {
    await this.waits(this.element("public"));
    return this.page.evaluate(`(${PUBLIC})(${this.element("public")})`);
  }

  // Follows "Check this round" and returns what the verifier says.
  async checked() {
    const link = await this.page.evaluate(`${this.element("check")}.href`);
    assert.match(link, /root=[0-9a-f]{64}&threshold=1&witness=[0-9a-f]{64}&.*file=rounds\//);
    assert.ok(link.includes(`seat=${this.seat}=`), link);
    const { targetId } = await this.browser.send("Target.createTarget",
      { url: "about:blank", browserContextId: this.context });
    const { sessionId } = await this.browser.send("Target.attachToTarget", { targetId, flatten: true });
    const verifier = new Page(this.browser, sessionId);
    await verifier.begin();
    await verifier.go(link);
    await verifier.until(`document.querySelector("#verdict")`, 30_000);
    const told = await verifier.told();
    told.passed = await verifier.evaluate(
      `[...document.querySelectorAll("#checks > ol > .check.passed code")].map((code) => code.textContent)`);
    told.public = await verifier.evaluate(`(${PUBLIC})(document)`);
    await this.browser.send("Target.closeTarget", { targetId });
    return told;
  }

  // The faces of the cards are pictures with a spoken name: axe compares the text in a picture with the page behind it.
  async hasNoFault(where) {
    for (const dark of [false, true]) {
      await this.looks(dark);
      const found = await this.page.evaluate(`${axe};axe.run({ exclude: [".face"] }, { resultTypes: ["violations"] }).then((result) =>
        result.violations.filter(({ impact }) => ["serious", "critical"].includes(impact)).map(({ id, nodes }) =>
          [id, nodes[0].html, nodes[0].failureSummary]))`);
      assert.deepEqual(found, [], `${where}, ${dark ? "dark" : "light"}`);
    }
    await this.looks();
  }

  async picture(name) {
    if (!values.pictures) return;
    const { width, height } = this.look;
    await this.page.capture({ x: 0, y: 0, width, height, scale: 1 }, join(values.pictures, `${name}.png`));
  }

  // Keys, as a keyboard sends them.
  async press(key, code = key) {
    const codes = { Tab: 9, Enter: 13, " ": 32, ArrowRight: 39 };
    const windowsVirtualKeyCode = codes[key] ?? key.toUpperCase().charCodeAt(0);
    const text = key === "Enter" ? "\r" : key.length === 1 ? key : undefined;
    await this.page.send("Page.bringToFront");
    await this.page.send("Input.dispatchKeyEvent", { type: "keyDown", key, code, windowsVirtualKeyCode, text });
    await this.page.send("Input.dispatchKeyEvent", { type: "keyUp", key, code, windowsVirtualKeyCode });
  }

  async tabTo(test) {
    const isThere = () => this.page.evaluate(`document.activeElement?.dataset?.test === "${test}"`);
    for (let presses = 0; presses < 60 && !await isThere(); presses += 1) await this.press("Tab");
    assert.ok(await isThere(), `the keyboard does not reach ${test}`);
  }

  async betByKeyboard() {
    await this.waits(this.element("spot-base"));
    await this.page.evaluate(`document.activeElement.blur()`);
    await this.tabTo("spot-base");
    await this.press("3");
    await this.press("Enter");
    await this.tabTo("bet");
    await this.press("Enter");
  }

  async setByKeyboard() {
    await this.isDealt();
    await this.waits(`document.activeElement?.dataset?.test?.startsWith("card-")`);
    await this.press("h");
    await this.waits(this.element("clause"));
    await this.press("c");
    await this.waits(`document.activeElement?.dataset?.test === "set-hand"`);
    await this.press("Enter");
  }
}

const server = new GameServer();
let browser;
const players = [];
const seen = { rounds: 0, verified: 0, logged: 0, killed: 0, absent: 0, keyboard: 0, foul: 0, doubled: 0 };

// Checks the sentences and the picture of page and verifier: times of a witness for ticket, wagers and result, and the value
// between wagers and cards if there is one.
function isPublic({ unknown, logged, steps }, who) {
  assert.equal(logged, `In the public log: yes. A witness that ${who} named has signed for it.`);
  const seen = (title) => [title, "shown", true];
  const value = values.beacon ? [seen("Public random value")] : [];
  const deal = ["Cards dealt", values.beacon ? "shown" : "open", false];
  assert.deepEqual(steps, [seen("Round opened"), seen("Wagers locked"), ...value, deal, seen("Result")]);
  if (values.beacon) assert.match(unknown, /^Nobody knew the deck before the wagers: a witness saw them locked at /);
  else assert.equal(unknown, null);
}

async function playRound(table, number, players) {
  const [ann, ben, cleo] = players;
  const bonus = BONUS[table];
  const isByKeyboard = table === "online" && number === 1;
  if (isByKeyboard) await ann.betByKeyboard();
  else await ann.bet(bonus);
  if (table === "express" && number === 1) await ann.hasNoFault("a bet");
  await ben.bet(bonus, number === 1);
  await cleo.bet();
  for (const player of players) await player.isDealt();
  if (number === 1) {
    await ann.picture(`${table}-dealt`);
    if (table === "express") await ann.hasNoFault("a hand");
  }
  if (table === "express" && number === 2) {
    server.killEngine();
    seen.killed += 1;
  }
  const isLeft = table === "mania" && number === 2;
  if (isLeft) {
    await cleo.closePage();
    seen.absent += 1;
  } else {
    await cleo.setByHouseWay();
  }
  if (isByKeyboard) {
    await ann.setByKeyboard();
    seen.keyboard += 1;
  } else {
    const doubles = table === "mini-community" && number === 2;
    await ann.setByHouseWay(doubles);
    seen.doubled += doubles;
    // The second wager, as large as the first one, leaves the wallet with the decision.
    if (doubles) await ann.waits(`${ann.element("balance")}.dataset.minor === "${100_000 + ann.net - 5_500}"`);
  }
  seen.foul += await ben.setBySelf();
  if (isLeft) {
    await ann.waits(`${ann.element("settlement")}?.dataset.round === "${number}"`);
    const told = await ann.page.evaluate(`${ann.element("settlement")}.textContent`);
    assert.match(told, /The house way set this hand: the player was gone/);
    await cleo.openPage();
    await cleo.page.go(`${cleo.site}/#${table}`);
  }
  const nets = await Promise.all(players.map((player) => player.settled(number)));
  assert.equal(nets.length, 3);
  // Each browser compares the transcript with what it has signed. The player who has gone has signed nothing.
  for (const player of isLeft ? [ann, ben] : players) await player.waits(player.element("compared"));
  seen.rounds += 1;
  const checker = players[number % 3];
  isPublic(await checker.inPublic(), "this server");
  const isDemonstration = await checker.page.evaluate(`Boolean(${checker.element("demonstration")})`);
  assert.equal(isDemonstration, values.beacon);
  const { verdict, failed, passed, public: shown } = await checker.checked();
  assert.deepEqual(failed, [], `${table} ${number}: ${verdict}`);
  assert.ok(passed.includes("LOGGED"), `${table} ${number}: ${passed}`);
  isPublic(shown, "you");
  if (values.beacon) assert.ok(["BEACON", "LOCKED_BEFORE_BEACON"].every((code) => passed.includes(code)), `${passed}`);
  seen.logged += 1;
  assert.match(verdict, /everything computable agrees|Everything/i, `${table} ${number}: ${verdict}`);
  seen.verified += 1;
}

try {
  const site = await server.opened;
  // Three pages at once: none of them is in the background.
  browser = new Chromium(undefined, ["--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows"]);
  const desk = { width: 1280, height: 900 };
  const phone = { width: 390, height: 844, mobile: true };
  players.push(new Player(browser, site, "Ann", desk), new Player(browser, site, "Ben", desk),
    new Player(browser, site, "Cleo", phone));
  for (const player of players) await player.begin();
  await players[0].hasNoFault("the lobby");
  await players[0].picture("lobby");
  for (const [table, rounds] of Object.entries(ROUNDS)) {
    for (const [at, player] of players.entries()) await player.sit(table, [1, 3, 4][at]);
    for (let number = 1; number <= rounds; number += 1) await playRound(table, number, players);
    await players[0].picture(`${table}-settled`);
    if (table === "express") {
      await players[0].hasNoFault("a settlement");
      await players[2].hasNoFault("a settlement on a phone");
      await players[2].picture("phone-settled");
    }
    for (const player of players) await player.stand();
  }
  for (const player of players) assert.deepEqual(player.page.errors, [], player.name);
  assert.equal(server.engines.length, 1 + seen.killed, "the engine was started again once");
  assert.ok(seen.foul > 0 || values.beacon, "no hand was foul");
  console.log(JSON.stringify(seen));
} catch (error) {
  // The pages of the players, for readers of the failure.
  for (const { name, page } of players) {
    console.error(name, page?.errors, await page?.evaluate("document.querySelector('main').innerText").catch(String));
  }
  throw error;
} finally {
  await browser?.close();
  await server.stop();
  rmSync(home, { recursive: true, force: true, maxRetries: 10 });
}
