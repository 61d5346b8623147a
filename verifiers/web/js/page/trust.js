// Trust: the root that the reader gives, or, with a clear warning, the one in the file; witnesses; and beacons.

import { linesOf } from "../audit/file.js";
import { isHash, isKey } from "../audit/terms.js";
import { parseRecord } from "../record.js";

const isKeyText = (key) => typeof key === "string" && isKey(key);
const wordsOf = (text) => text.trim().toLowerCase().split(/[\s,]+/).filter((word) => word !== "");

// Public keys as words. Throws with what to mend.
export function readKeys(text, whose) {
  const keys = wordsOf(text);
  if (!keys.every(isKey)) throw new Error(`${whose} is a public key of 64 hexadecimal digits.`);
  return keys;
}

const NO_CHAIN = "The chain of a beacon is a hash of 64 hexadecimal digits.";

// Chain hashes of beacons as words. Throws with what to mend.
export function readChains(text) {
  const chains = wordsOf(text);
  if (!chains.every(isHash)) throw new Error(NO_CHAIN);
  return chains;
}

// Keys as words, or a root.json of `keys`, `threshold` and maybe `witnesses` and `beacons`. Throws with what to mend.
export function readRoot(text, threshold) {
  const trimmed = text.trim();
  let keys = trimmed.toLowerCase().split(/[\s,]+/);
  let needed = threshold;
  let [witnesses, beacons] = [[], []];
  if (trimmed.startsWith("{")) {
    try {
      const root = JSON.parse(trimmed);
      keys = root.keys;
      needed = root.threshold;
      witnesses = root.witnesses ?? [];
      beacons = root.beacons ?? [];
    } catch {
      throw new Error("The root is not JSON.");
    }
  }
  if (!Array.isArray(keys) || !keys.every(isKeyText)) {
    throw new Error("A root key is a public key of 64 hexadecimal digits.");
  }
  const most = new Set(keys).size;
  if (!Number.isInteger(needed) || needed < 1 || needed > most) {
    throw new Error(`Of ${most} different root keys, 1 to ${most} can be asked to sign.`);
  }
  if (!Array.isArray(witnesses) || !witnesses.every(isKeyText)) {
    throw new Error("The key of a witness is a public key of 64 hexadecimal digits.");
  }
  if (!Array.isArray(beacons) || !beacons.every((chain) => typeof chain === "string" && isHash(chain))) {
    throw new Error(NO_CHAIN);
  }
  return { keys, threshold: needed, witnesses, beacons, pinned: true };
}

// The root that the first manifest names, if it names one.
export function rootInFile(text) {
  try {
    const first = linesOf(text).next().value;
    const { root } = parseRecord(first.text, 1).json;
    return { keys: root.keys.map((key) => key.pk), threshold: root.threshold, witnesses: [], beacons: [], pinned: false };
  } catch {
    return { keys: [], threshold: 1, witnesses: [], beacons: [], pinned: false };
  }
}
