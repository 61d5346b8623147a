// The link form: what follows # in the page's address names keys, a seat and files.
//
//   #root=KEY&threshold=N&witness=KEY&beacon=HASH&seat=N=KEY&file=NAME
//
// A part is spelt as its value on the command line: nothing is decoded, trimmed or put in lower case.
// `root`, `witness`, `beacon` and `file` may be repeated.

import { BadTerms, isHash, isKey, seatOf } from "../audit/terms.js";

export class BadLink extends Error {}

// A path below the page's own folder, without a character that could lead elsewhere.
const FILE = /^(?:[A-Za-z0-9][A-Za-z0-9._-]*\/)*[A-Za-z0-9][A-Za-z0-9._-]*$/;
const MAX_FILES = 8;
const MAX_LENGTH = 200;
const ONCE = ["threshold", "seat"];
const NAMES = ["root", "threshold", "witness", "beacon", "seat", "file"];

const need = (holds, what) => {
  if (!holds) throw new BadLink(what);
};

function keyOf(name, text) {
  need(isKey(text), `${name}: not an Ed25519 public key of 64 digits 0-9 a-f`);
  return text;
}

function chainOf(text) {
  need(isHash(text), "beacon: not a chain hash of 64 digits 0-9 a-f");
  return text;
}

function mySeatOf(text) {
  try {
    const seat = seatOf(text);
    need(seat.number >= 1 && seat.number <= 7, "seat: a seat is 1 to 7");
    if (seat.key !== null) keyOf("seat", seat.key);
    return seat;
  } catch (error) {
    if (error instanceof BadTerms) throw new BadLink("seat: N or N=KEY");
    throw error;
  }
}

function fileOf(text) {
  need(text.length <= MAX_LENGTH && FILE.test(text), "file: a path below the folder of this page, such as "
    + "round.jsonl: letters, digits and . _ - in names that begin with a letter or a digit, / between them. "
    + "No other site, scheme, root of a server, .. or \\ is followed");
  return text;
}

// Reads the text after #: { keys, threshold, witnesses, beacons, seat, files }, or null if it is not in the link form.
// Throws `BadLink` with the part that is wrong.
export function readLink(fragment) {
  // The page's own link to its content.
  if (fragment === "" || fragment === "main") return null;
  const given = Object.fromEntries(NAMES.map((name) => [name, []]));
  for (const part of fragment.split("&")) {
    const at = part.indexOf("=");
    const name = at < 0 ? part : part.slice(0, at);
    need(Object.hasOwn(given, name),
      `${JSON.stringify(name.slice(0, 40))}: no part of a link; the parts are ${NAMES.join(", ")}`);
    need(at >= 0 && at + 1 < part.length, `${name}: has no value`);
    need(!ONCE.includes(name) || given[name].length === 0, `${name}: given twice`);
    need(!given[name].includes(part.slice(at + 1)), `${name}: the same value twice`);
    given[name].push(part.slice(at + 1));
  }
  const keys = given.root.map((text) => keyOf("root", text));
  const [threshold = "1"] = given.threshold;
  need(given.threshold.length === 0 || keys.length > 0, "threshold: needs a root");
  need(/^[1-9][0-9]?$/.test(threshold) && Number(threshold) <= Math.max(keys.length, 1),
    "threshold: 1 to the number of root keys in the link");
  need(given.file.length <= MAX_FILES, `file: at most ${MAX_FILES}`);
  return {
    keys, threshold: Number(threshold),
    witnesses: given.witness.map((text) => keyOf("witness", text)),
    beacons: given.beacon.map(chainOf),
    seat: given.seat.length === 0 ? null : mySeatOf(given.seat[0]),
    files: given.file.map(fileOf),
  };
}

// The address of a file of a link. `page` is the address of the page. Throws `BadLink` if it is not
// below the folder of the page, even if the form of the name is valid.
export function addressOf(name, page) {
  const here = new URL(".", page);
  const there = new URL(name, here);
  const isPlain = there.search === "" && there.hash === "" && there.href === here.href + name;
  need(there.origin === here.origin && isPlain,
    `file: ${JSON.stringify(name)} is not below the folder of this page`);
  return there.href;
}

// The keys and chains of a link that the reader left unchanged, by their place in the form. Only the maker of the
// link vouches for them. `form` has the same members as the link.
export function keysByLink(link, form) {
  if (link === null) return [];
  const hasSome = (ours, theirs) => theirs.some((key) => ours.includes(key));
  return [
    hasSome(link.keys, form.keys) ? "root" : null,
    hasSome(link.witnesses, form.witnesses) ? "witness" : null,
    hasSome(link.beacons, form.beacons) ? "beacon" : null,
    link.seat !== null && link.seat.key !== null && form.seat?.key === link.seat.key ? "seat key" : null,
  ].filter((name) => name !== null);
}
