// Merkle trees as RFC 9162, section 2.1.1, hashes them.

import { concat } from "./bytes.js";
import { sha256 } from "./sha2.js";

export const leafHash = (leaf) => sha256(concat(Uint8Array.of(0), leaf));

// The hash of the tree over the hashes of leaves, of which there is at least one.
export function treeHash(leaves) {
  if (leaves.length === 1) return leaves[0];
  // The largest power of two below their number.
  let left = 1;
  while (2 * left < leaves.length) left *= 2;
  return sha256(concat(Uint8Array.of(1), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left))));
}
