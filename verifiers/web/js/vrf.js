// ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381), the verifying half, strict: canonical points, s < L, and no key of
// small order (PGE-FAIR-1, section 3.3). For one key and one input there is one output, so nobody chose it.

import { concat, equal } from "./bytes.js";
import { BASE, L, ZERO, add, decode, encode, isZero, minusKey, negative, number, sumOf } from "./ed25519.js";
import { sha512 } from "./sha2.js";

// Each hash begins with the suite and its use, and ends with a zero byte (section 5).
const SUITE = 3;
const hash = (use, ...parts) => sha512(concat(Uint8Array.of(SUITE, use), ...parts, Uint8Array.of(0)));

const eightfold = (point) => [1, 2, 3].reduce((sum) => add(sum, sum), point);

// The point of an input, by try and increment (section 5.4.1.1).
function pointOf(publicKey, alpha) {
  for (let count = 0; count < 256; count++) {
    const tried = decode(hash(1, publicKey, alpha, Uint8Array.of(count)).subarray(0, 32));
    const point = tried === null ? ZERO : eightfold(tried);
    if (!isZero(point)) return point;
  }
  return null;
}

// m P + n Q, both by one row of doublings.
function sumOfTwo(m, p, n, q) {
  const both = add(p, q);
  let sum = ZERO;
  for (let bit = 252n; bit >= 0n; bit--) {
    sum = add(sum, sum);
    const [hasP, hasQ] = [(m >> bit) & 1n, (n >> bit) & 1n];
    if (hasP && hasQ) sum = add(sum, both);
    else if (hasP) sum = add(sum, p);
    else if (hasQ) sum = add(sum, q);
  }
  return sum;
}

// The output of 64 bytes that a proof shows for a key and an input; null if it proves nothing.
export function outputOf(publicKey, alpha, proof) {
  if (publicKey.length !== 32 || proof.length !== 80) return null;
  const minusY = minusKey(publicKey);
  const gamma = decode(proof.subarray(0, 32));
  const c = number(proof.subarray(32, 48));
  const s = number(proof.subarray(48));
  if (minusY === null || gamma === null || s >= L) return null;
  const h = pointOf(publicKey, alpha);
  if (h === null) return null;
  // U = s B - c Y and V = s H - c Gamma.
  const u = sumOf(minusY, c, sumOf(BASE, s, ZERO));
  const v = sumOfTwo(s, h, c, negative(gamma));
  const challenge = hash(2, publicKey, encode(h), proof.subarray(0, 32), encode(u), encode(v)).subarray(0, 16);
  if (!equal(challenge, proof.subarray(32, 48))) return null;
  return hash(3, encode(eightfold(gamma)));
}
