// Inclusion proofs: that a round is in the tree of the public close of its epoch. They are inputs of an
// audit, not records.

import { ascii, fromHex, toHex } from "../bytes.js";
import { NotCanonical, canonical, parseCanonical } from "../json.js";
import { leafHash, rootOfPath } from "../merkle.js";
import { BadPayload, checkProof } from "../payload.js";

export class BadProof extends Error {}

// Reads a file of proofs, one a line.
export function proofsOf(text) {
  return text.split("\n").filter((line) => line !== "").map((line, i) => {
    try {
      const proof = parseCanonical(line);
      checkProof(proof);
      const { index, leaf, path } = proof;
      return { index: BigInt(index), leaf: ascii(canonical(leaf)), path: path.map(fromHex), place: leaf };
    } catch (error) {
      if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
      throw new BadProof(`line ${i + 1}: no inclusion proof: ${error.message}`);
    }
  });
}

// Whether a text looks like a file of proofs.
export const looksLikeProofs = (text) => /^\{"index":/.test(text);

// Whether the path leads from the leaf to the tree of a close.
export function leadsTo({ index, leaf, path }, { leaves, root }) {
  const found = rootOfPath(leafHash(leaf), index, BigInt(leaves), path);
  return found !== null && toHex(found) === root;
}
