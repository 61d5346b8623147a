// The page: takes a transcript, audits it in slices so that it stays responsive, shows the report.

import { audit } from "../audit/index.js";
import { secondOf } from "../audit/terms.js";
import { byId, h, plural } from "./dom.js";
import { fetched, hasRecords, joined, readLogCopies, readProofs, readRecords, readRules } from "./intake.js";
import { BadLink, addressOf, keysByLink, readLink } from "./link.js";
import { reportView } from "./report.js";
import { readChains, readKeys, readRoot, rootInFile } from "./trust.js";

const SLICE_MS = 30;

// The files that were given, each with its kind; `choosing` settles when they are known.
let given = [];
let choosing = Promise.resolve();
// The content of the page's address; null if the address has no link form.
let link = null;
// The keys of the link that the reader has compared with another source, by their places in the form.
let compared = null;
let running = 0;

const status = (text, bad = false) => {
  byId("status").textContent = text;
  byId("status").classList.toggle("bad", bad);
};

// Lets the browser draw and take input between slices.
const breathe = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});

async function inSlices(steps, onProgress) {
  const mine = ++running;
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = steps.next();
      if (done) return value;
      onProgress(value);
    }
    await breathe();
    if (mine !== running) throw new Error("Stopped.");
  }
}

function showProgress({ done, of, what }) {
  const bar = byId("progress");
  if (of) bar.value = done / of;
  else bar.removeAttribute("value");
  // Announced in tenths. Otherwise a screen reader would read numbers without end.
  const tenth = of ? Math.floor((10 * done) / of) : Math.floor(done / 4096);
  const text = of ? `Checking round by round, ${10 * tenth} %` : `Reading records`;
  if (byId("status").textContent !== text) status(text);
}

function busy(on) {
  byId("go").disabled = on;
  byId("stop").hidden = !on;
  byId("progress").hidden = !on;
  byId("report").setAttribute("aria-busy", String(on));
}

// The time that the form names, or now.
function readTime() {
  const text = byId("as-of").value.trim();
  if (text === "") return Math.floor(Date.now() / 1000);
  try {
    return secondOf(text);
  } catch {
    throw new Error("The time of the check is one in UTC like 2026-11-25T00:00:00Z, or empty for now.");
  }
}

// The terms of the audit as the form has them.
function readTerms({ keys, threshold, witnesses, beacons }, proofs, logCopies) {
  const own = readKeys(byId("witness").value, "The key of a witness");
  const chains = readChains(byId("beacon").value);
  const number = Number(byId("seat").value);
  const [key = null, another] = readKeys(byId("seat-key").value, "The key of your seat");
  if (another) throw new Error("Your seat has one key.");
  if (key !== null && number === 0) throw new Error("Say which seat is yours: you gave its key.");
  return { keys, threshold, witnesses: [...new Set([...witnesses, ...own])].sort(),
    beacons: [...new Set([...beacons, ...chains])].sort(), manifest: null, after: {},
    asOf: readTime(), seat: number === 0 ? null : { number, key }, proofs, logCopies };
}

async function run() {
  await choosing;
  const { text, leftOut } = hasRecords(given) ? await readRecords(given, (steps) => inSlices(steps, showProgress))
    : { text: byId("text").value, leftOut: [] };
  if (text.trim() === "") throw new Error("Choose, drop or paste a transcript first.");
  const root = byId("root").value.trim();
  const trust = root === "" ? rootInFile(text) : readRoot(root, Number(byId("threshold").value));
  const rules = await readRules(given);
  const terms = readTerms(trust, await readProofs(given), await readLogCopies(given));
  const report = await inSlices(audit(text, terms, rules), showProgress);
  status([`Done: ${report.verdict}.`, ...leftOut.map((name) => `${name} is not a transcript and was left out.`)]
    .join(" "));
  show(report, { ...trust, byLink: keysByLink(link, terms) });
  byId("verdict").focus({ preventScroll: true });
  byId("verdict").scrollIntoView({ block: "start" });
}

function show(report, trust) {
  const named = trust.byLink.join();
  const view = byId("report");
  view.replaceChildren(...reportView(report, trust, {
    isCompared: () => compared === named,
    compare(isNow) {
      compared = isNow ? named : null;
    },
    chooseSeat(number) {
      byId("seat").value = String(number);
      start();
    },
  }));
  view.hidden = false;
}

async function start(event) {
  event?.preventDefault();
  byId("report").hidden = true;
  byId("report").replaceChildren();
  busy(true);
  status("Reading");
  try {
    await run();
  } catch (error) {
    status(error.message, true);
  } finally {
    busy(false);
  }
}

// Takes files, and joins them with the earlier ones as `joined` does.
function choose(files) {
  choosing = choosing.then(async () => {
    given = await joined(given, files);
    const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
    byId("chosen").replaceChildren(...(given.length === 0 ? ["JSON Lines, up to 64 MB"]
      : given.map(({ file }, i) => h("span", {}, i > 0 ? "; " : "", h("strong", {}, file.name), `, ${size(file.size)}`))));
  });
  return choosing;
}

// Whether the policy of this page lets it fetch from its own origin. A page from disk can fetch nothing.
const canFetch = () => location.protocol !== "file:" &&
  document.querySelector('meta[http-equiv="Content-Security-Policy"]').content.includes("connect-src 'self'");

function note(isBad, ...parts) {
  byId("link-note").classList.toggle("bad", isBad);
  byId("link-note").replaceChildren(...parts);
  byId("link-note").hidden = false;
}

// Fills in the form by the page's address, and fetches the files that it names.
async function followLink() {
  try {
    const read = readLink(location.hash.slice(1));
    if (read === null) return;
    const addresses = read.files.map((name) => [name, canFetch() ? addressOf(name, location.href) : null]);
    link = read;
    fillIn(link);
    const names = link.files.join(", ");
    if (names === "") return;
    if (!canFetch()) throw new Error(`This page cannot fetch ${names}, which the link names: choose or drop it.`);
    busy(true);
    status(`Fetching ${names}`);
    await choose(await Promise.all(addresses.map(([name, address]) => fetched(name, address))));
    await start();
  } catch (error) {
    busy(false);
    status("");
    if (!(error instanceof BadLink)) return void status(error.message, true);
    note(true, h("strong", {}, "The link to this page is wrong. "), `${error.message}. No part of it was used.`);
  }
}

function fillIn({ keys, threshold, witnesses, beacons, seat, files }) {
  byId("root").value = keys.join("\n");
  byId("threshold").value = String(threshold);
  byId("witness").value = witnesses.join("\n");
  byId("beacon").value = beacons.join("\n");
  byId("seat").value = String(seat?.number ?? 0);
  byId("seat-key").value = seat?.key ?? "";
  byId("more").open = witnesses.length + beacons.length > 0 || (seat?.key ?? null) !== null;
  const named = [keys.length > 0 ? plural(keys.length, "root key") : null,
    witnesses.length > 0 ? plural(witnesses.length, "witness key") : null,
    beacons.length > 0 ? plural(beacons.length, "beacon") : null,
    seat === null ? null : `seat ${seat.number}${seat.key === null ? "" : " and its key"}`, ...files];
  note(false, h("strong", {}, "You followed a link. "), `It named ${named.filter(Boolean).join(", ")}. `,
    "Keys from a link are the word of its sender: the result is not green until you have compared them.");
}

function wire() {
  byId("input").addEventListener("submit", start);
  byId("stop").addEventListener("click", () => {
    running += 1;
  });
  byId("file").addEventListener("change", (event) => choose([...event.target.files]));
  // Pasted text replaces the chosen files.
  byId("text").addEventListener("input", () => {
    byId("file").value = "";
    choose([]);
  });
  // A drop anywhere else must not make the browser leave the page.
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => event.preventDefault());
  }
  const drop = byId("drop");
  document.addEventListener("dragover", () => drop.classList.add("over"));
  document.addEventListener("dragleave", () => drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length === 0) return;
    choose(files).then(() => {
      if (hasRecords(given)) byId("text").value = "";
      if (hasRecords(given) || byId("text").value.trim() !== "") start();
    });
  });
  // Another link in the same tab begins anew.
  window.addEventListener("hashchange", () => {
    if (!["", "#main"].includes(location.hash)) location.reload();
  });
  followLink();
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wire);
else wire();
