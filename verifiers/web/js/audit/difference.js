// The first difference between two values, for people.

import { canonical } from "../json.js";

const isBranch = (value) => value !== null && typeof value === "object";
const shown = (value) => (value === undefined ? "none" : canonical(value));

export function difference(expected, found, path) {
  if (isBranch(expected) && isBranch(found)) {
    const keys = [...new Set([...Object.keys(expected), ...Object.keys(found)])].sort();
    for (const key of keys) {
      if (shown(expected[key]) !== shown(found[key])) {
        return difference(expected[key], found[key], `${path}.${key}`);
      }
    }
  }
  return [path, shown(expected), shown(found)];
}
