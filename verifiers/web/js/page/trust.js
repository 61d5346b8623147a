// Trust: the root that the reader gives, or, said loudly, the one in the file; and witnesses.

import { linesOf } from "../audit/file.js";
import { parseRecord } from "../record.js";

const KEY = /^[0-9a-f]{64}$/;

// Public keys as words. Throws with what to mend.
export function readKeys(text, whose) {
  const keys = text.trim().toLowerCase().split(/[\s,]+/).filter((word) => word !== "");
  if (!keys.every((key) => KEY.test(key))) throw new Error(`${whose} has 64 hexadecimal digits.`);
  return keys;
}

// Keys as words, or a root.json of `keys`, `threshold` and maybe `witnesses`. Throws with what to mend.
export function readRoot(text, threshold) {
  const trimmed = text.trim();
  let keys = trimmed.toLowerCase().split(/[\s,]+/);
  let needed = threshold;
  let witnesses = [];
  if (trimmed.startsWith("{")) {
    try {
      const root = JSON.parse(trimmed);
      keys = root.keys;
      needed = root.threshold;
      witnesses = root.witnesses ?? [];
    } catch {
      throw new Error("The root is not JSON.");
    }
  }
  if (!Array.isArray(keys) || !keys.every((key) => KEY.test(key))) {
    throw new Error("A root key has 64 hexadecimal digits.");
  }
  if (!Number.isInteger(needed) || needed < 1 || needed > keys.length) {
    throw new Error(`Of ${keys.length} keys, 1 to ${keys.length} can be asked to sign.`);
  }
  if (!Array.isArray(witnesses) || !witnesses.every((key) => KEY.test(key))) {
    throw new Error("The key of a witness has 64 hexadecimal digits.");
  }
  return { keys, threshold: needed, witnesses, pinned: true };
}

// The root that the first manifest names; none where it names none.
export function rootInFile(text) {
  try {
    const first = linesOf(text).next().value;
    const { root } = parseRecord(first.text, 1).json;
    return { keys: root.keys.map((key) => key.pk), threshold: root.threshold, witnesses: [], pinned: false };
  } catch {
    return { keys: [], threshold: 1, witnesses: [], pinned: false };
  }
}
