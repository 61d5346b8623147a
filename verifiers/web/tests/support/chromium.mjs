// A real Chromium, driven through the DevTools protocol over pipes: no package needed.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export class Chromium {
  // `more` are further arguments of the program.
  constructor(path = process.env.CHROMIUM ?? "chromium", more = []) {
    this.profile = mkdtempSync(join(tmpdir(), "verifier-"));
    this.child = spawn(path, ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--disable-extensions", "--disable-background-networking", "--disable-component-update",
      "--disable-dev-shm-usage", "--remote-debugging-pipe", `--user-data-dir=${this.profile}`,
      ...more, "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
    this.next = 1;
    this.waiting = new Map();
    this.listeners = [];
    let rest = "";
    this.child.stdio[4].setEncoding("utf8").on("data", (chunk) => {
      const messages = (rest + chunk).split("\0");
      rest = messages.pop();
      for (const message of messages) this.receive(JSON.parse(message));
    });
    this.child.on("exit", () => {
      for (const { reject } of this.waiting.values()) reject(new Error("Chromium has gone"));
    });
  }

  receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      for (const listener of this.listeners) listener(method, params, sessionId);
      return;
    }
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (error) reject(new Error(error.message));
    else resolve(result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = this.next++;
    this.child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async open() {
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank" });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId);
    await page.begin();
    return page;
  }

  async close() {
    const gone = new Promise((resolve) => this.child.on("exit", resolve));
    await this.send("Browser.close").catch(() => {});
    await gone;
    // Its helper processes may outlive it by a moment, and write there.
    rmSync(this.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

export class Page {
  constructor(browser, session) {
    Object.assign(this, { browser, session, requests: [], errors: [] });
    browser.listeners.push((method, params, sessionId) => {
      if (sessionId !== session) return;
      if (method === "Network.requestWillBeSent") this.requests.push(params.request.url);
      if (method === "Runtime.exceptionThrown") this.errors.push(params.exceptionDetails.text);
      if (method === "Log.entryAdded" && params.entry.level === "error") {
        this.errors.push(params.entry.text);
      }
    });
  }

  send(method, params) {
    return this.browser.send(method, params, this.session);
  }

  async begin() {
    for (const domain of ["Page", "Runtime", "Network", "Log", "DOM"]) {
      await this.send(`${domain}.enable`);
    }
  }

  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate",
      { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async until(expression, ms = 60_000) {
    const end = Date.now() + ms;
    while (!(await this.evaluate(`Boolean(${expression})`))) {
      if (Date.now() > end) throw new Error(`never came true: ${expression}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async go(url) {
    await this.send("Page.navigate", { url });
    await this.until(`document.readyState === "complete" && location.href !== "about:blank"`);
  }

  async choose(...files) {
    const { root } = await this.send("DOM.getDocument");
    const { nodeId } = await this.send("DOM.querySelector", { nodeId: root.nodeId, selector: "#file" });
    await this.send("DOM.setFileInputFiles", { nodeId, files });
  }

  // Fills in the form, by the ids of its fields, and audits a file.
  async audit(file, root = "", { witness = "", beacon = "", seat = "0", seatKey = "", asOf = "", ms = 60_000 } = {}) {
    await this.choose(...[file].flat());
    for (const [id, value] of Object.entries({ root, witness, beacon, seat, "seat-key": seatKey, "as-of": asOf })) {
      await this.evaluate(`document.getElementById("${id}").value = ${JSON.stringify(value)}`);
    }
    await this.evaluate(`document.getElementById("go").click()`);
    await this.until(`!document.getElementById("go").disabled`, ms);
    return this.told();
  }

  // Returns the page's answer to the last audit.
  told() {
    return this.evaluate(`({
      status: document.getElementById("status").textContent,
      verdict: document.querySelector("#verdict")?.textContent ?? null,
      failed: [...document.querySelectorAll("#checks > ol > .check.failed code")].map((c) => c.textContent),
      tone: document.querySelector(".verdict")?.classList[2] ?? null,
      warnings: [...document.querySelectorAll(".verdict .warning strong")].map((one) => one.textContent.trim()),
    })`);
  }

  async look({ width, height = 900, dark = false, mobile = false }) {
    await this.send("Emulation.setDeviceMetricsOverride",
      { width, height, deviceScaleFactor: 1, mobile });
    await this.send("Emulation.setEmulatedMedia",
      { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
  }

  // A tab in the background draws nothing, and so has no picture.
  async capture(clip, path) {
    await this.send("Page.bringToFront");
    const { data } = await this.send("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  // The picture of one element.
  async pictureOf(selector, path) {
    const clip = await this.evaluate(`(() => {
      const box = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect();
      return { x: box.x + scrollX, y: box.y + scrollY, width: box.width,
        height: Math.min(box.height, 4000), scale: 1 };
    })()`);
    await this.capture(clip, path);
  }

  // The whole page, however long.
  async pictureOfAll(path) {
    const { cssContentSize } = await this.send("Page.getLayoutMetrics");
    await this.capture({ x: 0, y: 0, width: cssContentSize.width,
      height: Math.min(cssContentSize.height, 8000), scale: 1 }, path);
  }
}
