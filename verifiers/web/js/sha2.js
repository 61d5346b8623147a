// SHA-256, SHA-512 (FIPS 180-4), HMAC (RFC 2104) and HKDF-Expand (RFC 5869).
//
// Not WebCrypto: a page opened from a file does not have it, and it only has asynchronous calls.

import { concat } from "./bytes.js";

// The constants are the first bits of the fractional parts of square and cube roots of primes.
// They are computed, so that no table has to be trusted.
function primes(count) {
  const found = [];
  for (let n = 2; found.length < count; n++) {
    if (found.every((p) => n % p !== 0)) found.push(n);
  }
  return found;
}

// The integer k-th root, by Newton's method.
function root(value, k) {
  let x = 1n << BigInt(Math.ceil(value.toString(2).length / Number(k)));
  for (;;) {
    const y = ((k - 1n) * x + value / x ** (k - 1n)) / k;
    if (y >= x) return x;
    x = y;
  }
}

const fraction64 = (prime, k) => root(BigInt(prime) << (64n * k), k) & 0xffffffffffffffffn;
const CUBES = primes(80).map((p) => fraction64(p, 3n));
const SQUARES = primes(8).map((p) => fraction64(p, 2n));
const high = (word) => Number(word >> 32n) | 0;
const low = (word) => Number(word & 0xffffffffn) | 0;

const K_HIGH = Int32Array.from(CUBES, high);
const K_LOW = Int32Array.from(CUBES, low);

// The message, a one bit, zeros, and the length in bits, big-endian, to whole blocks.
function padded(message, block, lengthBytes) {
  const size = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
  const out = new Uint8Array(size);
  out.set(message);
  out[message.length] = 0x80;
  const view = new DataView(out.buffer);
  view.setUint32(size - 8, Math.floor(message.length / 0x20000000));
  view.setUint32(size - 4, (message.length * 8) >>> 0);
  return view;
}

export function sha256(message) {
  const data = padded(message, 64, 8);
  const state = Int32Array.from(SQUARES, high);
  const w = new Int32Array(64);
  const rotate = (x, n) => (x >>> n) | (x << (32 - n));
  for (let at = 0; at < data.byteLength; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = data.getInt32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const x = w[i - 15];
      const y = w[i - 2];
      const s0 = rotate(x, 7) ^ rotate(x, 18) ^ (x >>> 3);
      const s1 = rotate(y, 17) ^ rotate(y, 19) ^ (y >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K_HIGH[i] + w[i]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + t1) | 0;
      d = c; c = b; b = a; a = (t1 + t2) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

// Words of 64 bits are pairs of 32: `h` and `l`.
export function sha512(message) {
  const data = padded(message, 128, 16);
  const stateHigh = Int32Array.from(SQUARES, high);
  const stateLow = Int32Array.from(SQUARES, low);
  const wh = new Int32Array(80);
  const wl = new Int32Array(80);
  for (let at = 0; at < data.byteLength; at += 128) {
    for (let i = 0; i < 16; i++) {
      wh[i] = data.getInt32(at + 8 * i);
      wl[i] = data.getInt32(at + 8 * i + 4);
    }
    for (let i = 16; i < 80; i++) {
      const xh = wh[i - 15], xl = wl[i - 15], yh = wh[i - 2], yl = wl[i - 2];
      const s0h = ((xh >>> 1) | (xl << 31)) ^ ((xh >>> 8) | (xl << 24)) ^ (xh >>> 7);
      const s0l = ((xl >>> 1) | (xh << 31)) ^ ((xl >>> 8) | (xh << 24)) ^ ((xl >>> 7) | (xh << 25));
      const s1h = ((yh >>> 19) | (yl << 13)) ^ ((yl >>> 29) | (yh << 3)) ^ (yh >>> 6);
      const s1l = ((yl >>> 19) | (yh << 13)) ^ ((yh >>> 29) | (yl << 3)) ^ ((yl >>> 6) | (yh << 26));
      const sum = (wl[i - 16] >>> 0) + (s0l >>> 0) + (wl[i - 7] >>> 0) + (s1l >>> 0);
      wl[i] = sum | 0;
      wh[i] = (wh[i - 16] + s0h + wh[i - 7] + s1h + Math.floor(sum / 0x100000000)) | 0;
    }
    let [ah, bh, ch, dh, eh, fh, gh, hh] = stateHigh;
    let [al, bl, cl, dl, el, fl, gl, hl] = stateLow;
    for (let i = 0; i < 80; i++) {
      const s1h = ((eh >>> 14) | (el << 18)) ^ ((eh >>> 18) | (el << 14)) ^ ((el >>> 9) | (eh << 23));
      const s1l = ((el >>> 14) | (eh << 18)) ^ ((el >>> 18) | (eh << 14)) ^ ((eh >>> 9) | (el << 23));
      const chh = (eh & fh) ^ (~eh & gh);
      const chl = (el & fl) ^ (~el & gl);
      const t1 = (hl >>> 0) + (s1l >>> 0) + (chl >>> 0) + (K_LOW[i] >>> 0) + (wl[i] >>> 0);
      const t1l = t1 | 0;
      const t1h = (hh + s1h + chh + K_HIGH[i] + wh[i] + Math.floor(t1 / 0x100000000)) | 0;
      const s0h = ((ah >>> 28) | (al << 4)) ^ ((al >>> 2) | (ah << 30)) ^ ((al >>> 7) | (ah << 25));
      const s0l = ((al >>> 28) | (ah << 4)) ^ ((ah >>> 2) | (al << 30)) ^ ((ah >>> 7) | (al << 25));
      const mh = (ah & bh) ^ (ah & ch) ^ (bh & ch);
      const ml = (al & bl) ^ (al & cl) ^ (bl & cl);
      const t2 = (s0l >>> 0) + (ml >>> 0);
      const t2h = (s0h + mh + Math.floor(t2 / 0x100000000)) | 0;
      hh = gh; hl = gl; gh = fh; gl = fl; fh = eh; fl = el;
      const e = (dl >>> 0) + (t1l >>> 0);
      el = e | 0;
      eh = (dh + t1h + Math.floor(e / 0x100000000)) | 0;
      dh = ch; dl = cl; ch = bh; cl = bl; bh = ah; bl = al;
      const a = (t1l >>> 0) + ((t2 | 0) >>> 0);
      al = a | 0;
      ah = (t1h + t2h + Math.floor(a / 0x100000000)) | 0;
    }
    const lows = [al, bl, cl, dl, el, fl, gl, hl];
    [ah, bh, ch, dh, eh, fh, gh, hh].forEach((word, i) => {
      const sum = (stateLow[i] >>> 0) + (lows[i] >>> 0);
      stateLow[i] = sum | 0;
      stateHigh[i] = (stateHigh[i] + word + Math.floor(sum / 0x100000000)) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(64));
  for (let i = 0; i < 8; i++) {
    out.setInt32(8 * i, stateHigh[i]);
    out.setInt32(8 * i + 4, stateLow[i]);
  }
  return new Uint8Array(out.buffer);
}

export function hmacSha256(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(concat(block.map((byte) => byte ^ 0x36), message));
  return sha256(concat(block.map((byte) => byte ^ 0x5c), inner));
}

export function hkdfExpand(prk, info, length) {
  let out = new Uint8Array(0);
  let block = new Uint8Array(0);
  for (let i = 1; out.length < length; i++) {
    block = hmacSha256(prk, concat(block, info, Uint8Array.of(i)));
    out = concat(out, block);
  }
  return out.subarray(0, length);
}
