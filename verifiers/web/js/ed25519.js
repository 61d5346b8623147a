// Ed25519 (RFC 8032), the verifying half, strict: canonical points, s < L, no small-order point,
// and the equation without the cofactor (PGE-FAIR-1, section 6.2), so that two verifiers never disagree.

import { concat, equal, toHex } from "./bytes.js";
import { sha512 } from "./sha2.js";

const P = 2n ** 255n - 19n;
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (x, m = P) => {
  const rest = x % m;
  return rest < 0n ? rest + m : rest;
};

function power(base, exponent) {
  let result = 1n;
  for (let square = mod(base), e = exponent; e > 0n; e >>= 1n, square = (square * square) % P) {
    if (e & 1n) result = (result * square) % P;
  }
  return result;
}

// By Euclid's algorithm, which is faster than a power. Nothing here is secret.
function inverse(x) {
  let [a, b, u, v] = [mod(x), P, 1n, 0n];
  while (a !== 0n) {
    const quotient = b / a;
    [a, b] = [b - quotient * a, a];
    [u, v] = [v - quotient * u, u];
  }
  return mod(v);
}

const D = mod(-121665n * inverse(121666n));
const SQRT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

// Points are extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x y = T/Z.
export const ZERO = [0n, 1n, 1n, 0n];

export function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (((2n * t1 * t2) % P) * D) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

export const negative = ([x, y, z, t]) => [-x, y, z, -t];
export const isZero = ([x, y, z]) => mod(x) === 0n && mod(y - z) === 0n;

export function number(bytes) {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
  return value;
}

export function encode([x, y, z]) {
  const scale = inverse(z);
  let value = mod(y * scale) | ((mod(x * scale) & 1n) << 255n);
  const out = new Uint8Array(32);
  for (let i = 0; i < 32; i++, value >>= 8n) out[i] = Number(value & 255n);
  return out;
}

// The point of 32 bytes, or null if they are not the canonical encoding of a point.
export function decode(bytes) {
  const sign = BigInt(bytes[31] >> 7);
  const y = number(bytes) & (2n ** 255n - 1n);
  if (y >= P) return null;
  // x^2 = (y^2 - 1) / (d y^2 + 1), and the root by RFC 8032, 5.1.3.
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = (u * v ** 3n * power(mod(u * v ** 7n), (P - 5n) / 8n)) % P;
  const square = mod(v * x * x);
  if (square === mod(-u)) x = (x * SQRT_OF_MINUS_ONE) % P;
  else if (square !== u) return null;
  if (x === 0n && sign === 1n) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, (x * y) % P];
}

const isSmallOrder = (point) => {
  let eightfold = point;
  for (let i = 0; i < 3; i++) eightfold = add(eightfold, eightfold);
  return isZero(eightfold);
};

// P, 2P, 4P, ...: a multiple is then the sum of those that its bits select.
function doublings(point) {
  const list = [point];
  for (let i = 1; i < 253; i++) list.push(add(list[i - 1], list[i - 1]));
  return list;
}

export function sumOf(list, scalar, start) {
  let sum = start;
  for (let i = 0, rest = scalar; rest > 0n; i++, rest >>= 1n) {
    if (rest & 1n) sum = add(sum, list[i]);
  }
  return sum;
}

export const BASE = doublings(decode(Uint8Array.from([0x58, ...Array(31).fill(0x66)])));

// A transcript names few keys many times; the bound keeps one that names many from filling memory.
const known = new Map();

export function minusKey(publicKey) {
  const name = toHex(publicKey);
  if (!known.has(name)) {
    if (known.size >= 64) known.clear();
    const point = decode(publicKey);
    const usable = point !== null && !isSmallOrder(point);
    known.set(name, usable ? doublings(negative(point)) : null);
  }
  return known.get(name);
}

export const isPublicKey = (bytes) => bytes.length === 32 && minusKey(bytes) !== null;

export function verify(publicKey, message, signature) {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const r = signature.subarray(0, 32);
  const s = number(signature.subarray(32));
  if (s >= L) return false;
  const minusA = minusKey(publicKey);
  if (minusA === null) return false;
  const h = number(sha512(concat(r, publicKey, message))) % L;
  // s B = R + h A, as R = s B - h A. Equal bytes are also the proof that R is canonical.
  const expected = sumOf(minusA, h, sumOf(BASE, s, ZERO));
  return equal(encode(expected), r) && !isSmallOrder(expected);
}
