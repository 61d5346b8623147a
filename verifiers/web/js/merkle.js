// Merkle trees as RFC 9162, section 2.1.1, hashes them.

import { concat } from "./bytes.js";
import { sha256 } from "./sha2.js";

export const leafHash = (leaf) => sha256(concat(Uint8Array.of(0), leaf));

// The hash of the tree over the hashes of one leaf or more.
export function treeHash(leaves) {
  if (leaves.length === 1) return leaves[0];
  // The largest power of two below their number.
  let left = 1;
  while (2 * left < leaves.length) left *= 2;
  return sha256(concat(Uint8Array.of(1), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left))));
}

// The hash of the tree of `size` leaves to which a path leads from the leaf at `index` (RFC 9162, section
// 2.1.3.2). Null if the path does not fit that tree.
export function rootOfPath(leaf, index, size, path) {
  if (index >= size) return null;
  let [place, last, hash] = [index, size - 1n, leaf];
  for (const other of path) {
    if (last === 0n) return null;
    if (place % 2n === 1n || place === last) {
      hash = sha256(concat(Uint8Array.of(1), other, hash));
      // A subtree without a neighbour on its right moves up unchanged.
      while (place % 2n === 0n && place !== 0n) [place, last] = [place / 2n, last / 2n];
    } else {
      hash = sha256(concat(Uint8Array.of(1), hash, other));
    }
    [place, last] = [place / 2n, last / 2n];
  }
  return last === 0n ? hash : null;
}
