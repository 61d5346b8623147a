// The page: takes a transcript, audits it in slices so that it stays alive, shows the report.

import { looksLikeATranscript } from "../audit/file.js";
import { audit } from "../audit/index.js";
import { looksLikeProofs, proofsOf } from "../audit/proofs.js";
import { houseWays, rulesets } from "../data.js";
import { Rules, sorted } from "../rules.js";
import { byId, h } from "./dom.js";
import { reportView } from "./report.js";
import { readKeys, readRoot, rootInFile } from "./trust.js";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_RULES_BYTES = 1024 * 1024;
const SLICE_MS = 30;

// The files that were chosen as transcripts.
let chosen = [];
// The operator's own rulesets and house ways that were chosen beside it.
let chosenRules = [];
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

// Bytes that are no UTF-8 become characters that no record has.
async function readFile(file) {
  if (file.size > MAX_BYTES) throw new Error("The file is larger than 64 MB: cut it by rounds.");
  return new TextDecoder("windows-1252").decode(await file.arrayBuffer());
}

async function readRules() {
  if (chosenRules.some((file) => file.size > MAX_RULES_BYTES)) {
    throw new Error("A rules file is larger than 1 MB.");
  }
  const own = sorted(await Promise.all(chosenRules.map((file) => file.text())));
  return new Rules({ rulesets: [...rulesets, ...own.rulesets], houseWays: [...houseWays, ...own.houseWays] });
}

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
  // Told in tenths, or a screen reader would read numbers without end.
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

// The transcripts of all chosen files as one: a round, the reveal, the close of its epoch. Files with
// manifests stand first, as rounds name them. Inclusion proofs stand beside them. Any other file is left out of
// several.
async function readTranscripts() {
  if (chosen.reduce((sum, file) => sum + file.size, 0) > MAX_BYTES) {
    throw new Error("The files are larger than 64 MB: cut them by rounds.");
  }
  const texts = [];
  const leftOut = [];
  const proofs = [];
  for (const file of chosen) {
    const text = await readFile(file);
    if (looksLikeProofs(text)) {
      for (const proof of proofsOf(text)) proofs.push(proof);
      continue;
    }
    const isOne = chosen.length === 1 || await inSlices(looksLikeATranscript(text), showProgress);
    if (isOne) texts.push(text.endsWith("\n") || chosen.length === 1 ? text : `${text}\n`);
    else leftOut.push(file.name);
  }
  if (texts.length === 0) throw new Error("None of the files is a transcript.");
  const hasManifest = (text) => text.includes("vnd.pge.manifest.v1+json");
  texts.sort((a, b) => hasManifest(b) - hasManifest(a));
  return { text: texts.join(""), leftOut, proofs };
}

// The terms of the audit as the form has them; its time is now.
function readTerms({ keys, threshold, witnesses }, proofs) {
  const own = readKeys(byId("witness").value, "The key of a witness");
  const number = Number(byId("seat").value);
  const [key = null, another] = readKeys(byId("seat-key").value, "The key of your seat");
  if (another) throw new Error("Your seat has one key.");
  return { keys, threshold, witnesses: [...witnesses, ...own], manifest: null, after: {},
    asOf: Math.floor(Date.now() / 1000), seat: number === 0 ? null : { number, key }, proofs };
}

async function run() {
  const { text, leftOut, proofs } = chosen.length > 0 ? await readTranscripts()
    : { text: byId("text").value, leftOut: [], proofs: [] };
  if (text.trim() === "") throw new Error("Choose, drop or paste a transcript first.");
  const given = byId("root").value.trim();
  const trust = given === "" ? rootInFile(text) : readRoot(given, Number(byId("threshold").value));
  const rules = await readRules();
  const report = await inSlices(audit(text, readTerms(trust, proofs), rules), showProgress);
  status([`Done: ${report.verdict}.`, ...leftOut.map((name) => `${name} is not a transcript and was left out.`)]
    .join(" "));
  const view = byId("report");
  view.replaceChildren(...reportView(report, trust).filter((part) => part !== null));
  view.hidden = false;
  byId("verdict").focus({ preventScroll: true });
  byId("verdict").scrollIntoView({ block: "start" });
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

const isRules = (file) => file.name.toLowerCase().endsWith(".toml");

// Transcripts with the rules files beside them; rules files alone are added to what there is.
function choose(files) {
  const transcripts = files.filter((file) => !isRules(file));
  const rules = files.filter(isRules);
  if (transcripts.length > 0 || files.length === 0) chosen = transcripts;
  const isAgain = (old) => rules.some((file) => file.name === old.name);
  chosenRules = transcripts.length > 0 ? rules : [...chosenRules.filter((old) => !isAgain(old)), ...rules];
  const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const named = [...chosen, ...chosenRules];
  byId("chosen").replaceChildren(...(named.length === 0 ? ["JSON Lines, up to 64 MB"]
    : named.map((file, i) => h("span", {}, i > 0 ? "; " : "", h("strong", {}, file.name), `, ${size(file.size)}`))));
}

function wire() {
  byId("input").addEventListener("submit", start);
  byId("stop").addEventListener("click", () => {
    running += 1;
  });
  byId("file").addEventListener("change", (event) => choose([...event.target.files]));
  // What is pasted takes the place of what was chosen.
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
    if (!files.every(isRules)) byId("text").value = "";
    choose(files);
    if (chosen.length > 0 || byId("text").value.trim() !== "") start();
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wire);
else wire();
