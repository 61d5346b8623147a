// Which root is trusted: the one that the reader gives, or, said loudly, the one in the file.

import { linesOf } from "../audit/file.js";
import { parseRecord } from "../record.js";

const KEY = /^[0-9a-f]{64}$/;

// Keys as words, or a root.json of `keys` and `threshold`. Throws with what to mend.
export function readRoot(text, threshold) {
  const trimmed = text.trim();
  let keys = trimmed.toLowerCase().split(/[\s,]+/);
  let needed = threshold;
  if (trimmed.startsWith("{")) {
    try {
      const root = JSON.parse(trimmed);
      keys = root.keys;
      needed = root.threshold;
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
  return { keys, threshold: needed, pinned: true };
}

// The root that the first manifest names; none where it names none.
export function rootInFile(text) {
  try {
    const first = linesOf(text).next().value;
    const { root } = parseRecord(first.text, 1).json;
    return { keys: root.keys.map((key) => key.pk), threshold: root.threshold, pinned: false };
  } catch {
    return { keys: [], threshold: 1, pinned: false };
  }
}
