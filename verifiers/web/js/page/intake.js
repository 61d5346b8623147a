// The files that a reader gives: their kinds, and the parts that an audit uses.

import { looksLikeATranscript } from "../audit/file.js";
import { logCopyOf, looksLikeALogCopy } from "../audit/log-copy.js";
import { looksLikeProofs, proofsOf } from "../audit/proofs.js";
import { houseWays, rulesets } from "../data.js";
import { Rules, sorted } from "../rules.js";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_RULES_BYTES = 1024 * 1024;

// Bytes that are not UTF-8 become characters that no record has.
const textOf = async (blob) => new TextDecoder("windows-1252").decode(await blob.arrayBuffer());

// Returns the kind of a file by its name and its first bytes: an operator's own rules, inclusion proofs, a copy of a
// log, or records. Any other file counts as records until it is read.
export async function kindOf(file) {
  if (file.name.toLowerCase().endsWith(".toml")) return "rules";
  const first = await textOf(file.slice(0, 64));
  if (looksLikeALogCopy(first)) return "log copy";
  return looksLikeProofs(first) ? "proofs" : "records";
}

// Joins earlier files with new ones. Records replace all earlier files. Rules, proofs and copies of a log alone are
// added to them, or replace a file of the same name.
export async function joined(before, files) {
  const given = await Promise.all(files.map(async (file) => ({ kind: await kindOf(file), file })));
  if (given.length === 0 || given.some(({ kind }) => kind === "records")) return given;
  const isAgain = ({ file }) => given.some((one) => one.file.name === file.name);
  return [...before.filter((one) => !isAgain(one)), ...given];
}

const ofKind = (given, wanted) => given.filter(({ kind }) => kind === wanted).map(({ file }) => file);

// Reads the rules of the page and those that were given.
export async function readRules(given) {
  const files = ofKind(given, "rules");
  if (files.some((file) => file.size > MAX_RULES_BYTES)) throw new Error("A rules file is larger than 1 MB.");
  const own = sorted(await Promise.all(files.map((file) => file.text())));
  return new Rules({ rulesets: [...rulesets, ...own.rulesets], houseWays: [...houseWays, ...own.houseWays] });
}

export async function readProofs(given) {
  const files = ofKind(given, "proofs");
  if (files.some((file) => file.size > MAX_BYTES)) throw new Error("A file of proofs is larger than 64 MB.");
  return (await Promise.all(files.map(textOf))).flatMap(proofsOf);
}

export async function readLogCopies(given) {
  const files = ofKind(given, "log copy");
  if (files.some((file) => file.size > MAX_BYTES)) throw new Error("A copy of a log is larger than 64 MB.");
  return (await Promise.all(files.map(textOf))).map(logCopyOf);
}

// Whether files of records were given.
export const hasRecords = (given) => given.some(({ kind }) => kind === "records");

// The records of all files as one text: a round, the reveal, the close of its epoch. Files with manifests
// come first, as rounds name them. Of several files, one that is not a transcript is left out.
// `inSlices` runs a generator without blocking the page.
export async function readRecords(given, inSlices) {
  const files = ofKind(given, "records");
  const isAlone = files.length === 1;
  if (isAlone && files[0].size > MAX_BYTES) throw new Error("The file is larger than 64 MB: cut it by rounds.");
  if (files.reduce((sum, file) => sum + file.size, 0) > MAX_BYTES) {
    throw new Error("The files are larger than 64 MB: cut them by rounds.");
  }
  const texts = [];
  const leftOut = [];
  for (const file of files) {
    const text = await textOf(file);
    if (isAlone) return { text, leftOut };
    if (await inSlices(looksLikeATranscript(text))) texts.push(text.endsWith("\n") ? text : `${text}\n`);
    else leftOut.push(file.name);
  }
  if (texts.length === 0) throw new Error("None of the files is a transcript.");
  const hasManifest = (text) => text.includes("vnd.pge.manifest.v1+json");
  texts.sort((a, b) => hasManifest(b) - hasManifest(a));
  return { text: texts.join(""), leftOut };
}

// Fetches a file that a link names. `address` is of this page's own origin. Throws an error that says what to do instead.
export async function fetched(name, address) {
  const refused = (why) => new Error(`${name}: ${why}. Choose or drop the file yourself.`);
  let answer;
  try {
    answer = await fetch(address, { mode: "same-origin", credentials: "omit", redirect: "error",
      referrerPolicy: "no-referrer", cache: "no-store" });
  } catch {
    throw refused("the file cannot be fetched from the place of this page");
  }
  if (answer.status !== 200) throw refused(`the server answered ${answer.status} and no file`);
  const parts = [];
  let size = 0;
  for (const reader = answer.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return new File(parts, name);
    parts.push(value);
    size += value.length;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw refused("the file is larger than 64 MB");
    }
  }
}
