// Written by `deploy/verifier/update` from the modules in js/; not edited by hand.
"use strict";
{
const modules = {};
modules["js/json.js"] = (() => {
// The canonical JSON of records (PGE-FAIR-1, section 6.2): objects with sorted keys, arrays, printable
// ASCII strings that escape only `"` and `\`, booleans, integers below 2^53; no spaces, no floats,
// no null. A text that this reads is the one spelling of its value.
//
// An envelope is no such payload: nobody signs its spelling. `{ loose: true }` lets it have blanks,
// any order of keys and every escape of JSON, but still no key twice.

// How many lists and objects may stand around a value.
const DEPTH = 16;

const ESCAPES = { "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

class NotCanonical extends Error {}

function parseCanonical(text, { loose = false } = {}) {
  let at = 0;
  const blanks = () => {
    while (loose && (text[at] === " " || text[at] === "\t" || text[at] === "\r" || text[at] === "\n")) {
      at += 1;
    }
  };
  const fail = (what) => {
    throw new NotCanonical(`${what} at byte ${at}`);
  };
  const expect = (character) => {
    blanks();
    if (text[at] !== character) fail(`expected ${character}`);
    at += 1;
  };

  function string() {
    expect('"');
    let out = "";
    for (;;) {
      const start = at;
      while (at < text.length && text[at] !== '"' && text[at] !== "\\") {
        const code = text.charCodeAt(at);
        if (code < 0x20 || code > 0x7e) fail("a character that is not printable ASCII");
        at += 1;
      }
      out += text.slice(start, at);
      if (text[at] === '"') {
        at += 1;
        return out;
      }
      if (text[at] !== "\\") fail("a string without an end");
      const escaped = text[at + 1];
      if (loose && escaped in ESCAPES) {
        out += ESCAPES[escaped];
        at += 2;
        continue;
      }
      const code = loose && escaped === "u" && /^[0-9a-fA-F]{4}$/.exec(text.slice(at + 2, at + 6));
      if (code) {
        out += String.fromCharCode(Number.parseInt(code[0], 16));
        at += 6;
        continue;
      }
      if (escaped !== '"' && escaped !== "\\") fail("another escape");
      out += escaped;
      at += 2;
    }
  }

  function integer() {
    const match = /^(?:0|[1-9][0-9]{0,15})/.exec(text.slice(at, at + 17));
    if (!match) fail("not a canonical integer");
    const value = Number(match[0]);
    if (!Number.isSafeInteger(value)) fail("an integer of 2^53 or more");
    at += match[0].length;
    if (/[0-9.eE]/.test(text[at] ?? "")) fail("not a canonical integer");
    return value;
  }

  function array(depth) {
    at += 1;
    const items = [];
    blanks();
    if (text[at] === "]") {
      at += 1;
      return items;
    }
    for (;;) {
      items.push(value(depth + 1));
      blanks();
      if (text[at] === "]") {
        at += 1;
        return items;
      }
      expect(",");
    }
  }

  function object(depth) {
    at += 1;
    // No prototype, so that no key of a stranger has a meaning.
    const members = Object.create(null);
    let last = null;
    blanks();
    if (text[at] === "}") {
      at += 1;
      return members;
    }
    for (;;) {
      const key = string();
      if (loose ? key in members : last !== null && key <= last) {
        fail("a key out of order or twice");
      }
      last = key;
      expect(":");
      members[key] = value(depth + 1);
      blanks();
      if (text[at] === "}") {
        at += 1;
        return members;
      }
      expect(",");
    }
  }

  function value(depth) {
    if (depth > DEPTH) fail("nested too deep");
    blanks();
    const first = text[at];
    if (first === "{") return object(depth);
    if (first === "[") return array(depth);
    if (first === '"') return string();
    if (text.startsWith("true", at)) {
      at += 4;
      return true;
    }
    if (text.startsWith("false", at)) {
      at += 5;
      return false;
    }
    return integer();
  }

  const whole = value(0);
  blanks();
  if (at !== text.length) fail("something after the end");
  return whole;
}

// Writes a value as the text that `parseCanonical` reads.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object") {
    const keys = Object.keys(value).filter((key) => value[key] !== undefined).sort();
    return `{${keys.map((key) => `${quoted(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return typeof value === "string" ? quoted(value) : String(value);
}

const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;

const sameJson = (a, b) =>
  a === b || (a !== undefined && b !== undefined && canonical(a) === canonical(b));
return { NotCanonical, parseCanonical, canonical, sameJson };
})();
modules["js/bytes.js"] = (() => {
// Bytes and their spellings. Every integer of the protocol is little-endian (PGE-FAIR-1, section 2).

const HEX = /^(?:[0-9a-f]{2})*$/;

function fromHex(text) {
  if (!HEX.test(text)) throw new Error("not lower-case hex");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUE[ALPHABET.charCodeAt(i)] = i;

// Standard base64, padded, strict (D14): the bits that padding leaves over must be zero, or two
// texts would stand for one payload.
function fromBase64(text) {
  if (text.length % 4 !== 0) throw new Error("base64 has a broken length");
  const pad = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - pad);
  let at = 0;
  for (let i = 0; i < text.length; i += 4) {
    let quad = 0;
    const given = i + 4 === text.length ? 4 - pad : 4;
    for (let k = 0; k < 4; k++) {
      const code = text.charCodeAt(i + k);
      const value = k < given ? (code < 128 ? VALUE[code] : -1) : 0;
      if (value < 0) throw new Error("base64 has a foreign character");
      quad = (quad << 6) | value;
    }
    if ((given === 2 && quad & 0xffff) || (given === 3 && quad & 0xff)) {
      throw new Error("base64 has bits left over");
    }
    for (let k = 16; k >= 0 && at < bytes.length; k -= 8) bytes[at++] = (quad >> k) & 0xff;
  }
  return bytes;
}

function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function ascii(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) throw new Error("not ASCII");
    bytes[i] = code;
  }
  return bytes;
}

function asciiText(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return text;
}

const utf8 = (text) => new TextEncoder().encode(text);

function u32(value) {
  return Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
}

function u64(value) {
  const bytes = new Uint8Array(8);
  for (let i = 0, rest = BigInt(value); i < 8; i++, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return bytes;
}

function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
return { fromHex, toHex, fromBase64, concat, ascii, asciiText, utf8, u32, u64, equal };
})();
modules["js/sha2.js"] = (() => {
// SHA-256, SHA-512 (FIPS 180-4), HMAC (RFC 2104) and HKDF-Expand (RFC 5869).
//
// Written out rather than taken from WebCrypto, which a page opened from a file does not have, and
// which answers only later.

const { concat } = modules["js/bytes.js"];

// The constants are the first bits of the fractional parts of square and cube roots of primes:
// computed, so that no table has to be believed.
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

function sha256(message) {
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
function sha512(message) {
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

function hmacSha256(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(concat(block.map((byte) => byte ^ 0x36), message));
  return sha256(concat(block.map((byte) => byte ^ 0x5c), inner));
}

function hkdfExpand(prk, info, length) {
  let out = new Uint8Array(0);
  let block = new Uint8Array(0);
  for (let i = 1; out.length < length; i++) {
    block = hmacSha256(prk, concat(block, info, Uint8Array.of(i)));
    out = concat(out, block);
  }
  return out.subarray(0, length);
}
return { sha256, sha512, hmacSha256, hkdfExpand };
})();
modules["js/ed25519.js"] = (() => {
// Ed25519 (RFC 8032), the verifying half, strict: canonical points, s < L, no small-order point,
// and the equation without the cofactor (PGE-FAIR-1, section 6.2), so that two verifiers never disagree.

const { concat, equal, toHex } = modules["js/bytes.js"];
const { sha512 } = modules["js/sha2.js"];

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;

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

const inverse = (x) => power(x, P - 2n);
const D = mod(-121665n * inverse(121666n));
const SQRT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

// Points are extended coordinates (X, Y, Z, T): x = X/Z, y = Y/Z, x y = T/Z.
const ZERO = [0n, 1n, 1n, 0n];

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = ((y1 - x1) * (y2 - x2)) % P;
  const b = ((y1 + x1) * (y2 + x2)) % P;
  const c = (((2n * t1 * t2) % P) * D) % P;
  const d = (2n * z1 * z2) % P;
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [(e * f) % P, (g * h) % P, (f * g) % P, (e * h) % P];
}

const negative = ([x, y, z, t]) => [-x, y, z, -t];
const isZero = ([x, y, z]) => mod(x) === 0n && mod(y - z) === 0n;

function number(bytes) {
  let value = 0n;
  for (let i = bytes.length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i]);
  return value;
}

function encode([x, y, z]) {
  const scale = inverse(z);
  let value = mod(y * scale) | ((mod(x * scale) & 1n) << 255n);
  const out = new Uint8Array(32);
  for (let i = 0; i < 32; i++, value >>= 8n) out[i] = Number(value & 255n);
  return out;
}

// The point of 32 bytes, or null where they are not the one spelling of a point.
function decode(bytes) {
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

// P, 2P, 4P, ...: a multiple is then the sum of those that its bits name.
function doublings(point) {
  const list = [point];
  for (let i = 1; i < 253; i++) list.push(add(list[i - 1], list[i - 1]));
  return list;
}

function sumOf(list, scalar, start) {
  let sum = start;
  for (let i = 0, rest = scalar; rest > 0n; i++, rest >>= 1n) {
    if (rest & 1n) sum = add(sum, list[i]);
  }
  return sum;
}

const BASE = doublings(decode(Uint8Array.from([0x58, ...Array(31).fill(0x66)])));

// A transcript names few keys many times; the bound keeps one that names many from filling memory.
const known = new Map();

function minusKey(publicKey) {
  const name = toHex(publicKey);
  if (!known.has(name)) {
    if (known.size >= 64) known.clear();
    const point = decode(publicKey);
    const usable = point !== null && !isSmallOrder(point);
    known.set(name, usable ? doublings(negative(point)) : null);
  }
  return known.get(name);
}

const isPublicKey = (bytes) => bytes.length === 32 && minusKey(bytes) !== null;

function verify(publicKey, message, signature) {
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
return { isPublicKey, verify };
})();
modules["js/seeds.js"] = (() => {
// Tuples, commitments and seeds (PGE-FAIR-1, sections 2, 3 and 6.1).

const { ascii, concat, u32, u64, utf8 } = modules["js/bytes.js"];
const { hkdfExpand, hmacSha256, sha256 } = modules["js/sha2.js"];

// The one encoding of a tuple: label, number of fields, each field with its length.
function enc(label, ...fields) {
  const name = ascii(label);
  const parts = [Uint8Array.of(name.length), name, Uint8Array.of(fields.length)];
  for (const field of fields) parts.push(u32(field.length), field);
  return concat(...parts);
}

const hash = (label, ...fields) => sha256(enc(`pge/v1/${label}`, ...fields));

const coords = ({ epoch, tenant, table, roundNo }) =>
  [u32(epoch), ascii(tenant), ascii(table), u64(roundNo)];

const kid = (publicKey) => hash("kid", publicKey).subarray(0, 8);
const roundId = (place) => hash("round-id", ...coords(place));
const epochCommit = (epoch, secret) => hash("epoch-commit", u32(epoch), secret);
const epochSaltParty = (publicKey, value) => hash("epoch-salt-party", publicKey, value);
// What the party signs is the tuple itself (D2).
const epochSaltStatement = (commit, value) =>
  enc("pge/v1/epoch-salt-party", commit, value);

const serverSeed = (secret, salt, place) =>
  hkdfExpand(secret, enc("pge/v1/server-seed", salt, ...coords(place)), 32);

const roundCommit = (seed, id, ruleset, engine) =>
  hash("commit", seed, id, ruleset, ascii(engine));

const clientCommit = (id, seat, seed) =>
  hash("client-commit", id, Uint8Array.of(seat), seed);

// `seeds`: pairs of seat and bytes, ascending; none is allowed and says so (3.4).
function roundSeed(seed, id, seeds) {
  const block = enc("pge/v1/client-seeds",
    ...seeds.map(([seat, bytes]) => concat(Uint8Array.of(seat), bytes)));
  return hmacSha256(seed, enc("pge/v1/round-seed", id, block, new Uint8Array(0)));
}

const deckCommit = (seed, deck) => hash("deck-commit", seed, Uint8Array.from(deck));

// The names of rule files are over their very bytes (D9).
const rulesetHash = (id, text) => hash("ruleset", ascii(id), utf8(text));
const houseWayHash = (id, text) => hash("house-way", ascii(id), utf8(text));
return { enc, kid, roundId, epochCommit, epochSaltParty, epochSaltStatement, serverSeed, roundCommit, clientCommit, roundSeed, deckCommit, rulesetHash, houseWayHash };
})();
modules["js/payload.js"] = (() => {
// The members of each kind of payload (D5, D14): all required unless `optional`, no others.
//
// Some that an engine always writes are optional here, as the format's published example leaves
// them out; the checks that need them say so.

const { fromHex, toHex } = modules["js/bytes.js"];
const { isPublicKey } = modules["js/ed25519.js"];
const { kid } = modules["js/seeds.js"];

class BadPayload extends Error {}

const bad = (path, what) => {
  throw new BadPayload(`${path.replace(/^\./, "")}: ${what}`);
};

const text = (pattern, what) => (value, path) => {
  if (typeof value !== "string" || !pattern.test(value)) bad(path, what);
};

const integer = (low, high, what = "a number out of range") => (value, path) => {
  if (!Number.isInteger(value) || value < low || value > high) bad(path, what);
};

const exactly = (wanted, what) => (value, path) => {
  if (value !== wanted) bad(path, what);
};

const list = (item, most = Infinity) => (value, path) => {
  if (!Array.isArray(value)) bad(path, "not a list");
  if (value.length > most) bad(path, `more than ${most}`);
  value.forEach((one, i) => item(one, `${path}[${i}]`));
};

const isObject = (value) =>
  value !== null && typeof value === "object" && !Array.isArray(value);

const map = (key, item) => (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  for (const [name, one] of Object.entries(value)) {
    if (!key.test(name)) bad(`${path}.${name}`, "not a seat");
    item(one, `${path}.${name}`);
  }
};

const optional = (check) => Object.assign((value, path) => check(value, path), { optional: true });

const object = (checks, more = () => {}) => (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  for (const name of Object.keys(value)) {
    if (!(name in checks)) bad(`${path}.${name}`, "an unknown member");
  }
  for (const [name, check] of Object.entries(checks)) {
    if (name in value) check(value[name], `${path}.${name}`);
    else if (!check.optional) bad(`${path}.${name}`, "missing");
  }
  more(value, path);
};

// Results and final lines are compared as a whole with what is recomputed (RESULTS), so any are
// well-formed here.
const anything = () => {};

const hex = (bytes) => text(new RegExp(`^[0-9a-f]{${2 * bytes}}$`), `not ${bytes} bytes in hex`);
const hash = hex(32);
// A key is a point that `verify` takes, or nothing it signs could ever be good.
const publicKey = (value, path) => {
  hash(value, path);
  if (!isPublicKey(fromHex(value))) bad(path, "not a public key");
};
const identifier = text(/^[A-Za-z0-9._:-]{1,64}$/, "not an identifier");
const enumerated = (...values) => (value, path) => {
  if (!values.includes(value)) bad(path, `not one of ${values.join(", ")}`);
};

// Decimal strings, bounded to what fits 64 bits (D14).
const decimal = (pattern, low, high, what) => (value, path) => {
  if (typeof value !== "string" || value.length > 20 || !pattern.test(value) ||
    BigInt(value) < low || BigInt(value) > high) bad(path, what);
};
const MAX = 2n ** 63n - 1n;
const UNSIGNED = /^(?:0|[1-9][0-9]*)$/;
const money = decimal(UNSIGNED, 0n, MAX, "not an amount");
const wager = decimal(UNSIGNED, 1n, 10n ** 15n, "not a wager of 1 to 10^15");
const number = decimal(UNSIGNED, 1n, MAX, "not a number of a round");
const sequence = decimal(UNSIGNED, 0n, MAX, "not a number");
const time = decimal(UNSIGNED, 0n, MAX, "not a time in seconds");

const SEAT = /^[1-7]$/;
const seats = (item) => map(SEAT, item);
const seat = integer(1, 7, "not a seat");
const card = integer(0, 52, "not a card");

const cards = (sorted) => (value, path) => {
  list(card)(value, path);
  if (new Set(value).size !== value.length) bad(path, "a card twice");
  if (sorted && value.some((one, i) => i > 0 && one < value[i - 1])) bad(path, "not ascending");
};
const dealt = cards(false);
const set = cards(true);

const epochNumber = integer(0, 2 ** 31 - 1);
const algo = exactly("PGE-FAIR-1", "not the protocol of this release");
const suite = enumerated("derived", "fresh");

const key = (more = {}) => object({ kid: hex(8), pk: publicKey, ...more }, (value, path) => {
  if (toHex(kid(fromHex(value.pk))) !== value.kid) bad(`${path}.kid`, "not the id of the key");
});

const policy = object({
  chain: enumerated("off", "required"), client: enumerated("none", "optional", "committed"),
  external: exactly("none", "not of this release"), lock: enumerated("off", "required"),
  seat_auth: enumerated("off", "optional", "required"),
});

// An object of a kind that one of its members names.
function byMember(member, kinds) {
  return (value, path) => {
    const kind = isObject(value) ? value[member] : undefined;
    if (typeof kind !== "string" || !Object.hasOwn(kinds, kind)) bad(`${path}.${member}`, "missing or unknown");
    kinds[kind](value, path);
  };
}

const yes = exactly(true, "true or absent");

// `drand` is reserved (D2): it is read, and EPOCH_SALT recomputes its hash alone.
const saltSource = (value, path) => {
  if (!isObject(value)) bad(path, "not an object");
  const checks = {
    none: { type: exactly("none") },
    party: { type: exactly("party"), pk: publicKey, value: optional(hex(32)), sig: optional(hex(64)) },
    drand: { type: exactly("drand"), chain: hash, round: sequence, signature: optional(hex(48)) },
  };
  const check = Object.hasOwn(checks, value.type) ? checks[value.type] : bad(path, "an unknown source");
  object(check)(value, path);
  if ("value" in value !== "sig" in value) bad(path, "value and sig come together");
};

const window = { epoch: epochNumber, open_from: time, open_until: time, settle_until: time,
  status: optional(enumerated("active", "revoked", "revealed")), suite };
// The fresh suite has neither commitment nor salt (D3).
const EPOCHS = {
  derived: object({ ...window, commit: hash, salt: optional(hash), salt_source: saltSource }),
  fresh: object(window),
};

// What no deployment needs more of.
const [MOST_KEYS, MOST_LISTED] = [16, 256];
const keys = (more) => list(key(more), MOST_KEYS);
const listed = (item) => list(item, MOST_LISTED);

const manifest = object({
  algo, engine: identifier, epochs: list(byMember("suite", EPOCHS), 400),
  house_ways: optional(listed(object({ hash, name: identifier }))), prev: hash,
  receipt_keys: keys({ revoked: optional(yes) }),
  root: optional(object({ keys: keys(), threshold: integer(0, 16) })),
  rulesets: listed(object({ cards: integer(0, 53), hash, name: identifier })), seq: sequence,
  tenants: listed(object({ ledger_keys: keys(), policy,
    tables: optional(list(identifier, 1024)), tenant: identifier })),
  builds: optional(list(object({ digest: hash, name: identifier }), 64)),
});

const ticket = object({
  algo, client: seats(hash), commit: hash, engine: identifier, epoch: epochNumber,
  external: object({ type: exactly("none", "not an external source of this release") }),
  manifest: hash, policy: optional(policy), prev: hash, round_id: hash, round_no: number,
  ruleset: hash, sealed: optional(hex(85)), seat_keys: seats(publicKey), suite, table: identifier,
  tenant: identifier,
}, (value, path) => {
  if ((value.suite === "fresh") !== ("sealed" in value)) bad(`${path}.sealed`, "only in a fresh ticket");
});

const facts = {
  action_pile: optional(integer(0, 6)), bank_minor: optional(money), banker_seat: optional(seat),
  chip_minor: optional(money), table_max_minor: optional(money), table_min_minor: optional(money),
};
const FACTS = Object.keys(facts);

const wagersLock = object({
  currency: optional(object({ code: text(/^[A-Z]{3,8}$/, "not a currency"), exponent: integer(0, 4) })),
  facts: optional(object(facts)), prev: hash, round_id: hash, step: exactly("wagers"),
  seats: seats(object({
    client_seed: optional(text(/^(?:[0-9a-f]{2}){16,64}$/, "not 16 to 64 bytes in hex")),
    wagers: list(object({ amount: wager, bet: text(/^/, "not a string"), choice: optional(enumerated("red", "black")) })),
  })),
});

const REASONS =
  ["client_seed", "player_left", "equipment", "operator", "epoch_revoked"];

const LOCKS = {
  wagers: wagersLock,
  final: object({ actions: list(hash), prev: hash, round_id: hash, step: exactly("final") }),
  void: object({ prev: hash, reason: enumerated(...REASONS), round_id: hash, step: exactly("void") }),
};

const deal = object({
  deck_commit: hash, dice: list(integer(1, 6, "not a die")), fees: optional(map(/^[0-7]$/, money)),
  lines: optional(anything), phase: exactly(1, "a deal is phase 1"), prev: hash,
  round_id: hash, ticket: hash, visible: seats(dealt),
});

const action = object({
  double_down: optional(yes), house_way: optional(hash), low: optional(set), prev: hash, seat,
}, (value, path) => {
  if ("low" in value === "house_way" in value) bad(path, "low cards or a house way");
});

const SETTLES = {
  settled: object({
    deal: hash, dealer: dealt, deck: dealt, disposition: exactly("settled"), prev: hash,
    results: optional(anything), round_id: hash, round_seed: hash, server_seed: hash, ticket: hash,
  }),
  void: object({
    disposition: exactly("void"), prev: hash, reason: enumerated(...REASONS),
    returns: map(/^[0-7]$/, money), round_id: hash, ticket: hash,
  }),
};

const PAYLOADS = {
  manifest, ticket, lock: byMember("step", LOCKS), deal, action,
  settle: byMember("disposition", SETTLES),
  "epoch-reveal": object({ epoch: epochNumber, epoch_secret: hash }),
};

// Throws BadPayload where a payload is not of its kind.
const checkPayload = (kind, payload) => PAYLOADS[kind](payload, "");
return { BadPayload, text, integer, exactly, list, optional, object, hash, enumerated, FACTS, REASONS, checkPayload };
})();
modules["js/record.js"] = (() => {
// Records: DSSE envelopes over canonical JSON (PGE-FAIR-1, section 6.2).

const { ascii, asciiText, concat, fromBase64, toHex } = modules["js/bytes.js"];
const { parseCanonical } = modules["js/json.js"];
const { sha256 } = modules["js/sha2.js"];
const { verify } = modules["js/ed25519.js"];

const KINDS = ["manifest", "ticket", "lock", "deal", "action", "settle", "epoch-reveal"];
const TYPE = /^application\/vnd\.pge\.([a-z-]+)\.v1\+json$/;

const MAX_SIGNATURES = 16;
// A hint that nobody signs.
const KEY_ID = /^[\x21-\x7e]{0,64}$/;

class NotARecord extends Error {}

const members = (value, ...names) =>
  value !== null && typeof value === "object" && !Array.isArray(value) &&
  Object.keys(value).sort().join() === names.sort().join();

function bytesOf(text, what) {
  try {
    return fromBase64(text);
  } catch {
    throw new NotARecord(`${what} is not standard padded base64`);
  }
}

class Record {
  constructor(kind, payload, signatures, line) {
    this.kind = kind;
    this.payload = payload;
    this.signatures = signatures;
    this.line = line;
    const type = `application/vnd.pge.${kind}.v1+json`;
    this.pae = concat(ascii(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload);
  }

  // The link that every `prev` uses.
  get hash() {
    return (this.cachedHash ??= toHex(sha256(this.pae)));
  }

  // The payload as text; a byte that is no ASCII becomes a character that no parser takes.
  get text() {
    return asciiText(this.payload);
  }

  // The payload, or throws NotCanonical.
  get json() {
    return (this.cachedJson ??= parseCanonical(this.text));
  }

  // Every signature is good, and by one of these keys (hex). None at all is the caller's business.
  allSignedBy(keys) {
    return this.signatures.every((signature) =>
      keys.some((key) => verify(key, this.pae, signature)));
  }

  // How many of these distinct keys have signed.
  signedBy(keys) {
    return keys.filter((key) =>
      this.signatures.some((signature) => verify(key, this.pae, signature))).length;
  }
}

// Reads one line of a transcript; `line` is its number.
function parseRecord(text, line) {
  let envelope;
  try {
    envelope = parseCanonical(text, { loose: true });
  } catch (error) {
    throw new NotARecord(`not JSON of the record profile: ${error.message}`);
  }
  if (!members(envelope, "payload", "payloadType", "signatures")) {
    throw new NotARecord("an envelope has the members payload, payloadType and signatures");
  }
  const { payload, payloadType, signatures } = envelope;
  const kind = typeof payloadType === "string" ? TYPE.exec(payloadType)?.[1] : undefined;
  if (!KINDS.includes(kind)) throw new NotARecord("not a kind of record of this protocol");
  if (typeof payload !== "string" || !Array.isArray(signatures)) {
    throw new NotARecord("payload is a string, signatures is a list");
  }
  if (signatures.length > MAX_SIGNATURES) throw new NotARecord("more than 16 signatures");
  const signed = signatures.map((one) => {
    if (!members(one, "keyid", "sig") || typeof one.keyid !== "string" ||
      typeof one.sig !== "string") {
      throw new NotARecord("a signature has the members keyid and sig");
    }
    if (!KEY_ID.test(one.keyid)) throw new NotARecord("a keyid is at most 64 printable characters");
    const bytes = bytesOf(one.sig, "a signature");
    if (bytes.length !== 64) throw new NotARecord("a signature has 64 bytes");
    return bytes;
  });
  return new Record(kind, bytesOf(payload, "the payload"), signed, line);
}
return { KINDS, NotARecord, Record, parseRecord };
})();
modules["js/audit/report.js"] = (() => {
// The checks of an audit in their order (D6), and what they come to.

const CODES = {
  FORMAT: "every line is a record, in its order, each at most once a round",
  CANONICAL: "every payload is in the one form that is signed",
  MANIFEST_SIG: "enough of the trusted root keys signed the manifests",
  MANIFEST_LINK: "the manifest lists epoch, tenant, ruleset and engine of each round",
  SIGNATURES: "every record is signed by a key that the manifest gives its role",
  CHAIN: "the records of each round link to one another",
  POLICY: "what the tenant's policy demands is there",
  ROUND_ID: "each round's id follows from its place",
  GENESIS: "each round follows the close of the one before, or the manifest",
  CLIENT_COMMIT: "the client seeds are those committed to before the deal",
  LOCK_COVERS_ACTIONS: "the final lock covers exactly the players' decisions",
  COMMIT: "the server seed is the one committed to before the deal",
  REPLAY: "seed, deck and dice follow from the revealed seeds",
  DECK_COMMIT: "the deck was fixed when the first cards were shown",
  CARDS_SHOWN: "the cards shown are those that the deck deals",
  RESULTS: "hands, wins and money follow from the rules",
  EPOCH_COMMIT: "the epoch's secret is the one committed to",
  EPOCH_SALT: "the epoch's salt is what its source gives",
  SALT_AFTER_COMMIT: "the epoch was committed to before its salt existed",
  SEED_WAS_NOT_CHOSEN: "each server seed was derived, not chosen",
  NO_FORK: "no round has two different records of one kind",
};

// Thrown by a check that does not hold, and by one whose inputs are missing.
class Failed extends Error {
  constructor(expected, found, { line = null } = {}) {
    super(`expected ${expected}, found ${found}`);
    Object.assign(this, { expected, found, line });
  }
}
class Skipped extends Error {}

const fail = (expected, found, more) => {
  throw new Failed(expected, found, more);
};
const skip = (why) => {
  throw new Skipped(why);
};

const WEIGHT = { passed: 0, skipped: 1, failed: 2 };

class Report {
  constructor() {
    this.checks = Object.keys(CODES).map((code) => ({ code, status: null }));
    this.rounds = [];
    // How each check came out by rounds, which one status for all does not tell.
    this.counts = Object.fromEntries(Object.keys(CODES)
      .map((code) => [code, { passed: 0, failed: 0, skipped: 0 }]));
    this.incomplete = false;
  }

  // Notes one outcome of a check: a failure outweighs a skip, a skip a pass, and of equals the
  // first is told.
  note(code, outcome) {
    const check = this.checks.find((one) => one.code === code);
    if (check.status === null || WEIGHT[outcome.status] > WEIGHT[check.status]) {
      Object.assign(check, { where: undefined, expected: undefined, found: undefined }, outcome);
    }
  }

  // Runs a check and notes how it came out.
  run(code, where, check) {
    const outcome = attempt(check);
    if (outcome.line != null) where = where ? `${where}, line ${outcome.line}` : `line ${outcome.line}`;
    this.note(code, { ...outcome, where: outcome.status === "passed" ? undefined : where });
    return outcome;
  }

  statusOf(code) {
    return this.checks.find((one) => one.code === code).status;
  }

  // What nothing was there to check is skipped; then the verdict (D6).
  finish() {
    for (const check of this.checks) {
      if (check.status === null) Object.assign(check, { status: "skipped", found: "nothing to check" });
    }
    const failed = this.checks.find((check) => check.status === "failed");
    this.code = failed?.code ?? null;
    this.verdict = failed ? "mismatch"
      : this.incomplete || this.rounds.length === 0 ? "incomplete" : "match";
    return this;
  }
}

// A fault of our own is thrown on: it is neither a pass nor evidence against anybody.
function attempt(check) {
  try {
    check();
    return { status: "passed" };
  } catch (error) {
    if (error instanceof Skipped) return { status: "skipped", found: error.message };
    if (!(error instanceof Failed)) throw error;
    const { expected, found, line } = error;
    return { status: "failed", expected, found, line };
  }
}
return { CODES, Failed, Skipped, fail, skip, Report, attempt };
})();
modules["js/audit/file.js"] = (() => {
// From the lines of a transcript to manifests, rounds and reveals: FORMAT (PGE-FAIR-1, section 6.4, D6).

const { NotCanonical } = modules["js/json.js"];
const { BadPayload, checkPayload } = modules["js/payload.js"];
const { NotARecord, parseRecord } = modules["js/record.js"];
const { Failed } = modules["js/audit/report.js"];

const STAGES = { ticket: 1, wagers: 2, deal: 3, action: 4, close: 5, settle: 6 };

// A round as it stands in the file; what is not there is null.
class Round {
  constructor(number, ticket) {
    Object.assign(this, { number, ticket, lock: null, deal: null, actions: [], close: null,
      settle: null, stage: STAGES.ticket });
  }

  get records() {
    return [this.ticket, this.lock, this.deal, ...this.actions, this.close, this.settle]
      .filter((record) => record !== null);
  }
}

// Which of a round's two locks a record is: by its step; one that CANONICAL will refuse, by its
// place.
function slotOfLock(round, record) {
  try {
    checkPayload("lock", record.json);
    return record.json.step === "wagers" ? "wagers" : "close";
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    return round.stage >= STAGES.wagers ? "close" : "wagers";
  }
}

const outOfPlace = (record) => {
  throw new Failed("records in the order made",
    `a ${record.kind} out of its place, or a second one`, { line: record.line });
};

function place(round, record) {
  const slot = record.kind === "lock" ? slotOfLock(round, record) : record.kind;
  const stage = STAGES[slot];
  if (stage < round.stage || (stage === round.stage && slot !== "action")) outOfPlace(record);
  if (slot === "action") {
    if (round.deal === null) outOfPlace(record);
    if (round.actions.some((one) => one.hash === record.hash)) outOfPlace(record);
    round.actions.push(record);
  } else {
    round[slot === "wagers" ? "lock" : slot] = record;
  }
  round.stage = stage;
}

// Lines end with a newline, the last one perhaps not; a blank line is no record.
function* linesOf(text) {
  let at = 0;
  for (let number = 1; at < text.length; number++) {
    const end = text.indexOf("\n", at);
    const stop = end < 0 ? text.length : end;
    // A file of one newline holds nothing.
    if (!(stop === at && text.length === 1)) yield { number, text: text.slice(at, stop) };
    at = stop + 1;
  }
}

// Yields now and then, so that a page stays alive; returns { manifests, rounds, reveals, records }.
function* readTranscript(text) {
  const file = { manifests: [], rounds: [], reveals: [], records: 0 };
  let round = null;
  for (const { number, text: line } of linesOf(text)) {
    let record;
    try {
      record = parseRecord(line, number);
    } catch (error) {
      if (!(error instanceof NotARecord)) throw error;
      throw new Failed("a record in JSON", error.message, { line: number });
    }
    file.records += 1;
    if (record.kind === "manifest") {
      file.manifests.push(record);
      round = null;
    } else if (record.kind === "epoch-reveal") {
      file.reveals.push(record);
      round = null;
    } else if (record.kind === "ticket") {
      // Where something was dealt from it, it may begin another telling of the round.
      const isBare = round !== null && round.stage === STAGES.ticket;
      if (isBare && round.ticket.hash === record.hash) outOfPlace(record);
      round = new Round(file.rounds.length + 1, record);
      file.rounds.push(round);
    } else {
      if (round === null) outOfPlace(record);
      place(round, record);
    }
    if (file.records % 64 === 0) yield { done: file.records, what: "reading" };
  }
  return file;
}
return { Round, linesOf, readTranscript };
})();
modules["js/audit/manifests.js"] = (() => {
// The manifests of a file: who may sign what, and the epochs (D2, D6, PGE-FAIR-1, section 3.2).

const { fromHex, toHex } = modules["js/bytes.js"];
const { verify } = modules["js/ed25519.js"];
const { canonical, sameJson } = modules["js/json.js"];
const { enc, epochCommit, epochSaltParty, epochSaltStatement } = modules["js/seeds.js"];
const { sha256 } = modules["js/sha2.js"];
const { u64 } = modules["js/bytes.js"];
const { Failed, fail, skip } = modules["js/audit/report.js"];

const ZEROS = "0".repeat(64);
const find = (list, member, value) => list.filter((one) => one[member] === value);

class Manifests {
  // `records` have been found canonical. One that is told again says nothing new.
  constructor(records) {
    this.byHash = new Map();
    for (const record of records) {
      if (!this.byHash.has(record.hash)) this.byHash.set(record.hash, record);
    }
    this.records = [...this.byHash.values()];
  }

  // Each follows the one before and is signed by enough of the trusted roots. One that names a
  // root is signed by that as well, which signs from there on: rotation by cross-signing (3.6).
  checkSignatures({ keys, threshold }) {
    if (this.records.length === 0) skip("no manifest in the file");
    if (keys.length === 0) skip("no root key to trust");
    let trusted = { keys: [...new Set(keys)].map(fromHex), threshold };
    let before = null;
    for (const record of this.records) {
      const bad = (found) =>
        fail("a chain of manifests signed by the trusted root", found, { line: record.line });
      const { seq, prev, root } = record.json;
      const first = BigInt(seq) >= 1n && (seq !== "1" || prev === ZEROS);
      const follows = before === null ? first
        : BigInt(seq) === BigInt(before.json.seq) + 1n && prev === before.hash;
      if (!follows) bad("seq or prev does not follow the manifest before");
      const next = root ? { keys: named(root), threshold: root.threshold } : trusted;
      if (record.signedBy(trusted.keys) < trusted.threshold) {
        bad(`not signed by ${trusted.threshold} of the ${trusted.keys.length} trusted root keys`);
      }
      if (next.threshold < 1 || record.signedBy(next.keys) < next.threshold) {
        bad("not signed by the root that it names");
      }
      trusted = next;
      before = record;
    }
  }

  // The manifest of a ticket, if it stands before the ticket in the file.
  of(ticket) {
    const record = this.byHash.get(ticket.json.manifest);
    return record && record.line < ticket.line ? record : null;
  }

  // Keys that some manifest of the file revokes: what they sign counts no more, as there is no log
  // that dates it (3.6).
  get revoked() {
    return (this.cachedRevoked ??= new Set(this.records.flatMap((record) =>
      record.json.receipt_keys.filter((key) => key.revoked).map((key) => key.pk))));
  }

  receiptKeys(record) {
    return record.json.receipt_keys.map((key) => key.pk)
      .filter((pk) => !this.revoked.has(pk)).map(fromHex);
  }

  // Who may sign a reveal: the engine, or the root.
  revealKeys(roots) {
    return [...this.records.flatMap((record) => [...this.receiptKeys(record), ...named(record.json.root)]),
      ...roots.map(fromHex)];
  }

  // Each manifest, and how it lists the epoch, if it does.
  listings(number) {
    return this.records.map((record) =>
      ({ record, epoch: find(record.json.epochs, "epoch", number)[0] ?? null }));
  }

  // A reveal is of an epoch that is listed, by a commitment that it opens.
  checkReveal(reveal) {
    const { epoch: number, epoch_secret: secret } = reveal.json;
    const commits = this.listings(number).flatMap(({ epoch }) => epoch?.commit ?? []);
    const at = { line: reveal.line };
    if (commits.length === 0) fail("an epoch that a manifest commits to", number, at);
    const commit = toHex(epochCommit(number, fromHex(secret)));
    if (!commits.includes(commit)) fail(commits[0], commit, at);
  }

  // The salt that the source gives. A drand signature is not verified in this release (D2).
  checkSalt(epoch) {
    if (epoch.suite === "fresh") skip("fresh");
    const source = epoch.salt_source;
    let salt;
    if (source.type === "none") salt = ZEROS;
    if (source.type === "party") {
      if (source.value === undefined) fail("a value and a signature", "none");
      const [pk, value] = [fromHex(source.pk), fromHex(source.value)];
      const statement = epochSaltStatement(fromHex(epoch.commit), value);
      if (!verify(pk, statement, fromHex(source.sig))) {
        fail("a value that the party signed for this epoch", "another signature");
      }
      salt = toHex(epochSaltParty(pk, value));
    }
    if (source.type === "drand") {
      if (source.signature === undefined) fail("a drand round with its signature", "none");
      salt = toHex(sha256(enc("pge/v1/epoch-salt-drand", fromHex(source.chain), u64(source.round),
        fromHex(source.signature))));
    }
    if (salt !== epoch.salt) fail(salt, epoch.salt);
  }

  // The first manifest that lists the epoch announces it without its salt, and none after it
  // changes anything but its completion and its status; it is listed until it is revealed (D2).
  checkSaltAfterCommit(number, own) {
    const { suite, salt_source: source } = find(own.json.epochs, "epoch", number)[0];
    if (suite === "fresh") skip("fresh");
    const listings = this.listings(number);
    let before = null;
    for (const { record, epoch } of listings) {
      const at = { line: record.line };
      if (before !== null && epoch === null && before.status !== "revealed") {
        fail("an epoch that stays listed", "a manifest without it", at);
      }
      if (before !== null && epoch !== null && !mayBecome(before, epoch)) {
        fail(`the epoch as announced, ${canonical(before)}`, canonical(epoch), at);
      }
      before = epoch ?? before;
    }
    if (source.type === "none") skip("the epoch has no salt: salt_source none");
    if (source.type === "drand") {
      skip("the signature of a drand salt is not verified in this release");
    }
    const first = listings.findIndex(({ epoch }) => epoch !== null);
    const { record, epoch } = listings[first];
    if (epoch.salt !== undefined || epoch.salt_source.value !== undefined) {
      // The file may begin after the announcement; what no manifest is before was not announced.
      if (first === 0 && record.json.seq !== "1") {
        skip("the manifest that announced the epoch is not in the file");
      }
      fail("an epoch announced without its salt", "a salt when it is first listed", { line: record.line });
    }
  }
}

const named = (root) => (root ? [...new Set(root.keys.map((key) => key.pk))].map(fromHex) : []);

// What an announcement fixes for ever: all but the salt, the value that gives it, and the status.
function announced({ commit, epoch, open_from, open_until, settle_until, suite, salt_source }) {
  const { type, pk, chain, round } = salt_source ?? {};
  return { commit, epoch, open_from, open_until, settle_until, suite, type, pk, chain, round };
}
const completed = ({ salt, salt_source }) => ({ salt, salt_source });

// Whether `later` lists the same epoch: completed at most once, its status only going on.
function mayBecome(epoch, later) {
  const [now, then] = [epoch.status ?? "active", later.status ?? "active"];
  return sameJson(announced(epoch), announced(later)) &&
    (epoch.salt === undefined || sameJson(completed(epoch), completed(later))) &&
    (now === "active" || now === then || then === "revealed");
}

// Everything in the ticket's world is listed, once (D4, D6). Returns what later checks need.
function checkLink(manifest, ticket, rules) {
  const own = manifest.json;
  const { epoch, tenant, ruleset, engine, suite, table } = ticket.json;
  const line = { line: ticket.line };
  const one = (list, member, value, what) => {
    const found = find(list, member, value);
    if (found.length !== 1) fail(`${what} that the manifest lists once`, value, line);
    return found[0];
  };
  if (own.engine !== engine) fail(`the engine ${own.engine}`, engine, line);
  const listedEpoch = one(own.epochs, "epoch", epoch, "an epoch");
  if (listedEpoch.suite !== suite) fail(`the suite ${listedEpoch.suite}`, suite, line);
  if (["revoked", "revealed"].includes(listedEpoch.status)) {
    fail("an epoch that is open", listedEpoch.status, line);
  }
  if (suite === "derived" && !listedEpoch.salt) fail("an epoch with its salt", "none yet", line);
  const listedTenant = one(own.tenants, "tenant", tenant, "a tenant");
  const { lock, chain } = listedTenant.policy;
  // Else no engine would have worked by the manifest (D3).
  if (suite === "fresh" && !(lock === "required" && chain === "required")) {
    fail("lock and chain required, as the suite is fresh", "a softer policy", line);
  }
  if (listedTenant.tables && !listedTenant.tables.includes(table)) {
    fail("a table that the manifest lists", table, line);
  }
  const listedRuleset = find(own.rulesets, "hash", ruleset)[0];
  if (!listedRuleset) fail("a ruleset that the manifest lists", ruleset, line);
  const known = rules.ruleset(ruleset);
  if (known !== null) {
    if (listedRuleset.name !== known.id) fail(known.id, listedRuleset.name, line);
    if (listedRuleset.cards !== known.cards) fail(known.cards, listedRuleset.cards, line);
    const { hash } = known.house_way;
    const ways = own.house_ways;
    if (ways && !ways.some((way) => way.hash === hash)) {
      fail("the house way of the ruleset, listed", hash, line);
    }
  }
  return { epoch: listedEpoch, tenant: listedTenant, cards: listedRuleset.cards, ruleset: known };
}
return { Manifests, checkLink };
})();
modules["js/dealing.js"] = (() => {
// Which cards of the deck go to which position (src/game/dealing.rs; PGE-FAIR-1, section 5.4).

const mod = (value, n) => ((value % n) + n) % n;

// How many positions are dealt to: with hands of seven always seven, whoever may sit there.
const positionsOf = ({ hand, seats }) => (hand === 7 ? 7 : seats + 1);

// The position that the dice name, counted over all of them; without dice seat 1.
const firstOf = (ruleset, dice) => (ruleset.dealing.dice === "none" ? 1
  : mod(dice.reduce((a, b) => a + b, 0) - 1, positionsOf(ruleset)));

// The positions in the order in which they are dealt to; `active` are the seats with a base wager.
function orderOf(ruleset, dice, active) {
  const n = positionsOf(ruleset);
  const first = firstOf(ruleset, dice);
  const step = ruleset.dealing.direction === "clockwise" ? 1 : -1;
  const order = Array.from({ length: n }, (_, k) => mod(first + step * k, n));
  if (ruleset.dealing.dead_hands === "all-positions") return order;
  return order.filter((q) => q === 0 || active.includes(q));
}

// Returns position -> cards in dealt order, for every position that is dealt to; 0 is the dealer.
function dealtHands(ruleset, deck, dice, { actionPile = 0, active = [] } = {}) {
  const { procedure, streets } = ruleset.dealing;
  const order = orderOf(ruleset, dice, active);
  if (procedure === "zigzag") {
    const first = firstOf(ruleset, dice);
    return new Map(order.map((q) => [q, pile(deck, mod(actionPile + q - first, 7))]));
  }
  const sizes = procedure === "streets" ? streets : [ruleset.hand];
  return new Map(order.map((q, k) => [q, street(deck, k, sizes, order.length)]));
}

// How a ruleset deals of which there is but a name: packets of seven, clockwise.
function defaultPacket(deck, dice, position) {
  return packet(deck, mod(position + 1 - dice.reduce((a, b) => a + b, 0), 7), 7);
}

const packet = (deck, k, size) => deck.slice(size * k, size * (k + 1));

// Seven piles: even rows left to right, odd rows right to left.
const pile = (deck, p) =>
  Array.from({ length: 7 }, (_, r) => deck[7 * r + (r % 2 === 0 ? p : 6 - p)]);

function street(deck, k, streets, hands) {
  const cards = [];
  let start = 0;
  for (const size of streets) {
    cards.push(...deck.slice(start + size * k, start + size * (k + 1)));
    start += size * hands;
  }
  return cards;
}

// Where settlement begins: who is dealt to first, or the lowest seat dealt to if that is the dealer.
function actionSeat(ruleset, dice, active) {
  const order = orderOf(ruleset, dice, active);
  return order[0] || Math.min(...order.filter((q) => q > 0));
}
return { dealtHands, defaultPacket, actionSeat };
})();
modules["js/cards.js"] = (() => {
// Cards are numbers: 13 * suit + rank, clubs first, deuce first; the joker is 52 (PGE-FAIR-1, section 5.3).

const JOKER = 52;
const ACE = 14;
const RANKS = "23456789TJQKA";
const SUITS = "cdhs";

// 2 to 14; the joker is an ace wherever an ace is asked for.
const rankOf = (card) => (card === JOKER ? ACE : (card % 13) + 2);
// 0 to 3; the joker has a suit of its own, behind all others.
const suitOf = (card) => Math.floor(card / 13);
const isRed = (card) => suitOf(card) === 1 || suitOf(card) === 2;

const nameOf = (card) =>
  card === JOKER ? "Jk" : RANKS[card % 13] + SUITS[suitOf(card)];

function cardOf(name) {
  if (name === "Jk") return JOKER;
  const card = 13 * SUITS.indexOf(name[1]) + RANKS.indexOf(name[0]);
  if (name.length !== 2 || !SUITS.includes(name[1]) || !RANKS.includes(name[0])) {
    throw new Error(`${name} is not a card`);
  }
  return card;
}

const rankOfLetter = (letter) => {
  const at = RANKS.indexOf(letter);
  if (letter.length !== 1 || at < 0) throw new Error(`${letter} is not a rank`);
  return at + 2;
};

const without = (cards, taken) => cards.filter((card) => !taken.includes(card));
const ascending = (cards) => [...cards].sort((a, b) => a - b);

// Every way to take `count` of `items`, in the order of the items.
function* choose(items, count, from = 0) {
  if (count === 0) {
    yield [];
    return;
  }
  for (let i = from; i <= items.length - count; i++) {
    for (const rest of choose(items, count - 1, i + 1)) yield [items[i], ...rest];
  }
}

// Groups of equal rank, the joker among the aces: larger first, then higher (src/house_way).
function groupsOf(cards) {
  const byRank = new Map();
  for (const card of cards) {
    const rank = rankOf(card);
    byRank.set(rank, [...(byRank.get(rank) ?? []), card]);
  }
  return [...byRank].map(([rank, members]) => ({ rank, cards: members }))
    .sort((a, b) => b.cards.length - a.cards.length || b.rank - a.rank);
}

const shapeOf = (groups) => groups.map((group) => group.cards.length).join("+");
return { JOKER, ACE, rankOf, suitOf, isRed, nameOf, cardOf, rankOfLetter, without, ascending, choose, groupsOf, shapeOf };
})();
modules["js/hands.js"] = (() => {
// High and low hands: what they are, which is higher, what is foul (src/hands).

const { ACE, JOKER, choose, groupsOf, rankOf, shapeOf, suitOf } = modules["js/cards.js"];

// Weakest first: the place is the strength.
const CATEGORIES = [
  "high card", "pair", "two pair", "three of a kind", "straight", "flush", "full house",
  "four of a kind", "straight flush", "royal flush", "five aces",
];
const place = (name) => CATEGORIES.indexOf(name);
const STRAIGHT = place("straight");

const SHAPES = {
  "5": "five aces", "4+1": "four of a kind", "3+2": "full house", "3+1+1": "three of a kind",
  "2+2+1": "two pair", "2+1+1+1": "pair", "1+1+1+1+1": "high card",
};

// A value is a list of numbers, compared from the left; the first is the category.
function compare(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (a[i] !== b[i]) return a[i] > b[i] ? 1 : -1;
  }
  return 0;
}

const best = (values) => values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
const categoryOf = (value) => CATEGORIES[value[0]];
const isComplete = (value) => value[0] >= STRAIGHT;

// A-2-3-4-5 is below A-high and above K-high, or the lowest (`wheel`).
const ACE_HIGH = ACE + 1;
const strengthOf = (top, wheel) => {
  if (top === ACE) return ACE_HIGH;
  return top === 5 && wheel === "second" ? ACE : top;
};

const STRAIGHTS = Array.from({ length: 10 }, (_, i) => {
  const top = ACE - i;
  return { top, ranks: [0, 1, 2, 3, 4].map((k) => (top - k === 1 ? ACE : top - k)) };
});

// The strength of the best straight of these ranks, the joker standing for a missing one; 0 if
// there is none.
function straightOf(ranks, wheel) {
  if (new Set(ranks).size !== ranks.length || ranks.length < 4) return 0;
  const made = STRAIGHTS.filter((one) => ranks.every((rank) => one.ranks.includes(rank)));
  return Math.max(0, ...made.map(({ top }) => strengthOf(top, wheel)));
}

// The value of five cards.
function highValue(cards, wheel = "second") {
  const groups = groupsOf(cards);
  const grouped = [place(SHAPES[shapeOf(groups)]), ...groups.map((group) => group.rank)];
  const naturals = cards.filter((card) => card !== JOKER);
  const ranks = naturals.map(rankOf);
  const straight = straightOf(ranks, wheel);
  const flush = naturals.every((card) => suitOf(card) === suitOf(naturals[0]));
  const values = [grouped];
  if (straight > 0 && flush) {
    values.push([place(straight === ACE_HIGH ? "royal flush" : "straight flush"), straight]);
  }
  if (straight > 0) values.push([STRAIGHT, straight]);
  if (flush) {
    // The joker is the highest rank that the others lack.
    let top = ACE;
    while (ranks.includes(top)) top -= 1;
    const all = ranks.length < 5 ? [...ranks, top] : ranks;
    values.push([place("flush"), ...all.sort((a, b) => b - a)]);
  }
  return best(values);
}

// The value of the low hand: two cards, or the one of Mini, where the joker is above an ace.
function lowValue(cards) {
  if (cards.length === 1) return [0, cards[0] === JOKER ? ACE + 1 : rankOf(cards[0])];
  const [a, b] = cards.map(rankOf).sort((x, y) => y - x);
  return a === b ? [1, a, a] : [0, a, b];
}

// The low hand is higher than the high hand as far as its cards go.
function isFoul(low, high) {
  if (high[0] >= place("two pair")) return false;
  const front = lowValue(low);
  if (low.length === 1) return high[0] === 0 && rankOf(low[0]) > high[1];
  if (high[0] === place("pair")) return front[0] === 1 && front[1] > high[1];
  return front[0] === 1 || compare(front.slice(1), high.slice(1, 3)) > 0;
}

// The values of all fives of a hand.
const fives = (cards, wheel = "second") =>
  [...choose(cards, 5)].map((five) => highValue(five, wheel));

const bestFive = (cards, wheel = "second") => best(fives(cards, wheel));
return { CATEGORIES, compare, best, categoryOf, isComplete, highValue, lowValue, isFoul, fives, bestFive };
})();
modules["js/bets.js"] = (() => {
// The rows of bonus bets, judged on all the cards dealt (src/game/bets).

const { ACE, JOKER, choose, groupsOf, isRed, rankOf, shapeOf, suitOf, without } = modules["js/cards.js"];
const { bestFive, categoryOf, fives, highValue } = modules["js/hands.js"];

const naturals = (cards) => cards.filter((card) => card !== JOKER);
const hasJoker = (cards) => cards.includes(JOKER);
const sameSuit = (cards) => cards.every((card) => suitOf(card) === suitOf(cards[0]));

// Some five of the cards make the category as their best.
const holds = (...names) => (cards) =>
  fives(cards).some((value) => names.includes(categoryOf(value)));

const anyStraightOrFlush = holds("straight", "flush", "straight flush", "royal flush");

// All seven cards of one suit within seven successive ranks; an ace is low or high.
function isSevenCardStraightFlush(cards) {
  const suited = naturals(cards);
  if (!sameSuit(suited)) return false;
  const ranks = suited.map(rankOf);
  const lows = ranks.map((rank) => (rank === ACE ? 1 : rank));
  const span = (list) => Math.max(...list) - Math.min(...list);
  return span(ranks) <= 6 || span(lows) <= 6;
}

// Two cards of these ranks, of one suit.
const isSuited = ([a, b], ...ranks) =>
  a !== JOKER && b !== JOKER && suitOf(a) === suitOf(b) &&
  ranks.every((rank) => rankOf(a) === rank || rankOf(b) === rank);

// A royal flush of five cards, the joker allowed, and two suited cards of these ranks beside it.
const royalAnd = (...ranks) => (cards) => [...choose(cards, 5)].some((five) =>
  categoryOf(highValue(five)) === "royal flush" && isSuited(without(cards, five), ...ranks));

// A-2-3-4-5 of one suit, with no joker anywhere in the seven.
const wheelsOf = (cards) => (hasJoker(cards) ? [] : [...choose(cards, 5)].filter((five) =>
  sameSuit(five) && five.every((card) => rankOf(card) === ACE || rankOf(card) <= 5)));

// Seven ranks and nothing else, also not with the joker; the rank of the highest card, or 0.
function paiGowHigh(cards) {
  const groups = groupsOf(cards);
  if (groups.length < cards.length || anyStraightOrFlush(cards)) return 0;
  return groups[0].rank;
}

const high = (rank) => (cards) => paiGowHigh(cards) === rank;

const isThreePair = (cards) =>
  shapeOf(groupsOf(cards)) === "2+2+2+1" && !anyStraightOrFlush(cards);

// `one_colour = "no_pair"` asks for seven different ranks, "any" does not (src/game).
const oneColour = (joker) => (cards, { bet }) => {
  const colours = new Set(naturals(cards).map(isRed));
  const ranks = bet.one_colour === "no_pair" ? groupsOf(cards).length === cards.length : true;
  return hasJoker(cards) === joker && colours.size === 1 && ranks && !anyStraightOrFlush(cards);
};

const ofColour = (count) => (cards, { choice }) =>
  naturals(cards).filter((card) => isRed(card) === (choice === "red")).length === count;

const SEVEN = {
  natural_seven_card_straight_flush: (cards) => !hasJoker(cards) && isSevenCardStraightFlush(cards),
  joker_seven_card_straight_flush: (cards) => hasJoker(cards) && isSevenCardStraightFlush(cards),
  royal_match: royalAnd(13, 12),
  royal_flush_with_ace_queen: royalAnd(ACE, 12),
  luhn_tao_wheel: (cards) => wheelsOf(cards).length > 0,
  luhn_tao_wheel_with_ace_queen: (cards) =>
    wheelsOf(cards).some((five) => isSuited(without(cards, five), ACE, 12)),
  natural_ace_to_five_straight_flush: (cards) =>
    wheelsOf(cards).length > 0 && !isSevenCardStraightFlush(cards),
  five_aces: holds("five aces"),
  royal_flush: holds("royal flush"),
  straight_flush: holds("straight flush", "royal flush"),
  four_of_a_kind: holds("four of a kind"),
  full_house: holds("full house"),
  flush: holds("flush"),
  straight: holds("straight"),
  three_of_a_kind: holds("three of a kind"),
  two_pair: holds("two pair"),
  three_pair: isThreePair,
  nine_high: high(9), ten_high: high(10), jack_high: high(11), queen_high: high(12),
  king_high: high(13), ace_high: high(ACE),
  one_colour: oneColour(false),
  one_colour_with_joker: oneColour(true),
  seven_of_colour: ofColour(7), six_of_colour: ofColour(6),
  five_of_colour: ofColour(5), four_of_colour: ofColour(4),
};

// Three cards: straights A-2-3 to Q-K-A, the joker completing or an ace.
function isThreeStraight(cards) {
  const ranks = naturals(cards).map(rankOf);
  if (new Set(ranks).size < ranks.length) return false;
  const lows = ranks.map((rank) => (rank === ACE ? 1 : rank));
  return [ranks, lows].some((list) => Math.max(...list) - Math.min(...list) <= 2);
}

const THREE = {
  natural_straight_flush: (cards) =>
    !hasJoker(cards) && sameSuit(cards) && isThreeStraight(cards),
  three_of_a_kind: (cards) => groupsOf(cards)[0].cards.length === 3,
  straight_flush: (cards) => sameSuit(naturals(cards)) && isThreeStraight(cards),
  straight: isThreeStraight,
  flush: (cards) => sameSuit(naturals(cards)),
  pair: (cards) => groupsOf(cards)[0].cards.length === 2,
};

// Wrangler Push: house way against house way (src/game/bets). `setting` has the outcome and both
// low hands.
const PAIRED_AT_LEAST_THREES = ([a, b]) => rankOf(a) === rankOf(b) && rankOf(a) >= 3;
const SETTING = {
  push: (_, { setting }) => setting.outcome === "push",
  push_with_threes_or_better: (_, { setting }) =>
    setting.outcome === "push" && setting.lows.some(PAIRED_AT_LEAST_THREES),
};

// Bets, and the conditions that their rows may name.
const ON_HANDS = Object.keys(SEVEN).filter((name) => !name.startsWith("one_colour") && !name.endsWith("_of_colour"));
const CONDITIONS = {
  bonus: ON_HANDS, pai_gow_bonus: ON_HANDS, dynasty: ON_HANDS, protection: ON_HANDS, queens_dragon: ON_HANDS,
  outlaw_9: [...ON_HANDS, "one_colour", "one_colour_with_joker"],
  red_black: Object.keys(SEVEN).filter((name) => name.endsWith("_of_colour")),
  wrangler_push: Object.keys(SETTING), three_card: Object.keys(THREE),
};

// The highest-paying row that holds: rows stand in paying order.
function rowOf(bet, cards, context = {}) {
  const tests = cards.length === 3 ? THREE : SEVEN;
  const row = bet.rows.find(({ condition }) => {
    const test = SETTING[condition] ?? tests[condition];
    return test(cards, { bet, ...context });
  });
  return row ?? null;
}

const isPairOrBetter = (cards, rank) => {
  const [category, top] = bestFive(cards);
  return category > 1 || (category === 1 && top >= rank);
};
return { CONDITIONS, rowOf, isPairOrBetter };
})();
modules["js/house-way/splits.js"] = (() => {
// What all house ways share: fronts and the choice between them (src/house_way).

const { JOKER, choose, groupsOf, rankOf, suitOf, without } = modules["js/cards.js"];
const { categoryOf, compare, highValue, isComplete, isFoul, lowValue } = modules["js/hands.js"];

class Hand {
  constructor(cards, wheel) {
    this.cards = cards;
    this.wheel = wheel;
    this.groups = groupsOf(cards);
    this.singletons = this.groups.filter((group) => group.cards.length === 1)
      .map((group) => group.cards[0]);
    this.fronts = [...choose(cards, cards.length - 5)];
    const values = this.fronts.map((front) => highValue(without(cards, front), wheel));
    this.values = values;
    this.best = values.reduce((a, b) => (compare(a, b) >= 0 ? a : b));
    // A straight, a flush or a straight flush among the cards.
    this.straightOrFlush = values.some((value) =>
      ["straight", "flush", "straight flush", "royal flush"].includes(categoryOf(value)));
    this.joker = cards.includes(JOKER);
  }

  high(front) {
    return highValue(without(this.cards, front), this.wheel);
  }

  isFoul(front) {
    return isFoul(front, this.high(front));
  }

  leavesComplete(front) {
    return isComplete(this.high(front));
  }

  // C1: of equal fronts, the one that is not foul, leaves the highest high hand, has the fewest
  // jokers and the lowest suits. None if all are foul.
  pick(fronts) {
    const legal = fronts.filter((front) => !this.isFoul(front));
    if (legal.length === 0) return null;
    return legal.reduce((a, b) => (this.prefer(a, b) <= 0 ? a : b));
  }

  prefer(a, b) {
    const jokers = (front) => front.filter((card) => card === JOKER).length;
    return compare(this.high(b), this.high(a)) || jokers(a) - jokers(b) ||
      compare(suits(a), suits(b));
  }

  // C2: the fronts with the highest two-card value, then C1.
  pickHighest(fronts) {
    const legal = fronts.filter((front) => !this.isFoul(front));
    if (legal.length === 0) return null;
    const top = legal.map(lowValue).reduce((a, b) => (compare(a, b) >= 0 ? a : b));
    return this.pick(legal.filter((front) => compare(lowValue(front), top) === 0));
  }
}

// The suits of a front, its higher rank first and lower suits first among equals.
const suits = (front) =>
  [...front].sort((a, b) => rankOf(b) - rankOf(a) || suitOf(a) - suitOf(b)).map(suitOf);
return { Hand };
})();
modules["js/house-way/chart.js"] = (() => {
// A house way as data: the clauses of a chart file, the first that fits (src/house_way/charts).

const { ACE, JOKER, choose, rankOf, rankOfLetter, shapeOf } = modules["js/cards.js"];
const { categoryOf, compare, highValue, lowValue } = modules["js/hands.js"];

const atLeast = (cards, letters) =>
  [...letters].every((letter, i) => i < cards.length && rankOf(cards[i]) >= rankOfLetter(letter));

const isOneOf = (group, letters) => [...letters].some((l) => rankOfLetter(l) === group.rank);

// Bally's exception: every straight among the seven is T-J-Q-K-A made with the joker, beside a
// natural ace, and there is no other flush.
function aceHighByJokerOnly(hand) {
  if (!hand.joker || !hand.cards.some((card) => card !== JOKER && rankOf(card) === ACE)) {
    return false;
  }
  const made = [...choose(hand.cards, 5)]
    .map((five) => ({ five, value: highValue(five, hand.wheel) }))
    .filter(({ value }) =>
      ["straight", "flush", "straight flush", "royal flush"].includes(categoryOf(value)));
  return made.length > 0 && made.every(({ five, value }) =>
    categoryOf(value) !== "flush" && value[1] === ACE + 1 && five.includes(JOKER));
}

const HELD = {
  "held": (hand) => hand.straightOrFlush,
  "not-held": (hand) => !hand.straightOrFlush,
  "ace-high-by-joker-only": aceHighByJokerOnly,
};

const FRONTS = {
  "first-group": (hand) => hand.pick([...choose(hand.groups[0].cards, 2)]),
  "second-group": (hand) => hand.pick([...choose(hand.groups[1].cards, 2)]),
  "first-group-and-highest": (hand) =>
    hand.pick(hand.groups[0].cards.map((card) => [card, hand.singletons[0]])),
  "two-highest": (hand) => hand.pick([hand.singletons.slice(0, 2)]),
  "second-and-third": (hand) => hand.pick([hand.singletons.slice(1, 3)]),
  "pair-leaving-complete": (hand) => hand.pickHighest(hand.fronts.filter((front) =>
    rankOf(front[0]) === rankOf(front[1]) && hand.leavesComplete(front))),
  "highest-leaving-complete": (hand) =>
    hand.pickHighest(hand.fronts.filter((front) => hand.leavesComplete(front))),
  "highest-leaving-best": (hand) => hand.pickHighest(hand.fronts.filter((front) =>
    categoryOf(hand.high(front)) === categoryOf(hand.best))),
};

function frontOf(clause, hand) {
  if (!clause.groups.includes(shapeOf(hand.groups))) return null;
  if (clause.first_rank && !isOneOf(hand.groups[0], clause.first_rank)) return null;
  if (clause.second_rank && !isOneOf(hand.groups[1], clause.second_rank)) return null;
  if (clause.straight_or_flush && !HELD[clause.straight_or_flush](hand)) return null;
  if (clause.singletons_at_least && !atLeast(hand.singletons, clause.singletons_at_least)) {
    return null;
  }
  if (clause.best && !clause.best.includes(categoryOf(hand.best))) return null;
  const front = FRONTS[clause.front](hand);
  if (front === null) return null;
  const value = lowValue(front);
  const ordered = [...front].sort((a, b) => rankOf(b) - rankOf(a));
  if (clause.front_at_least && value[0] === 0 && !atLeast(ordered, clause.front_at_least)) {
    return null;
  }
  if (clause.front_beats) {
    const other = FRONTS[clause.front_beats](hand);
    if (other !== null && compare(value, lowValue(other)) <= 0) return null;
  }
  return front;
}

function setByChart(chart, hand) {
  for (const clause of chart.clause) {
    const low = frontOf(clause, hand);
    if (low !== null) return { low, clause: clause.id };
  }
  throw new Error(`no clause of ${chart.id} sets the hand`);
}
return { HELD, FRONTS, setByChart };
})();
modules["js/house-way/mini.js"] = (() => {
// Mini Pai Gow, rules M1 to M13 (src/house_way/coded/mini.toml): six cards, one of them low.

const { JOKER, rankOf, shapeOf } = modules["js/cards.js"];
const { categoryOf } = modules["js/hands.js"];

const STRAIGHT_FLUSHES = ["straight flush", "royal flush"];
const order = (card) => (card === JOKER ? 15 : rankOf(card));

// The highest card, then the one that leaves the highest high hand, then the lowest suit.
function lowOf(hand, candidates) {
  const top = Math.max(...candidates.map(order));
  return hand.pick(candidates.filter((card) => order(card) === top).map((card) => [card]));
}

function rule(hand) {
  const [first, second] = hand.groups;
  switch (shapeOf(hand.groups)) {
    case "5+1": return ["M1", second.cards];
    case "4+2": return ["M2", second.cards];
    case "4+1+1": return ["M3", second.cards];
    case "3+3": return ["M4", first.cards];
    case "3+2+1": return ["M5", hand.singletons];
    case "2+2+2": return ["M6", first.cards];
  }
  const best = categoryOf(hand.best);
  const leaves = (names) =>
    hand.cards.filter((card) => names.includes(categoryOf(hand.high([card]))));
  const lettered = (id, cards) =>
    [id + (new Set(cards.map(order)).size > 1 ? "a" : "b"), cards];
  if (STRAIGHT_FLUSHES.includes(best)) return lettered("M7", leaves(STRAIGHT_FLUSHES));
  if (best === "flush") return lettered("M8", leaves(["flush"]));
  if (best === "straight") return lettered("M9", leaves(["straight"]));
  switch (shapeOf(hand.groups)) {
    case "3+1+1+1": return ["M10", hand.singletons.slice(0, 1)];
    case "2+2+1+1": return ["M11", hand.singletons.slice(0, 1)];
    case "2+1+1+1+1": return ["M12", hand.singletons.slice(0, 1)];
    default: return ["M13", hand.singletons.slice(1, 2)];
  }
}

function setByMini(hand) {
  const [clause, candidates] = rule(hand);
  return { low: lowOf(hand, candidates), clause };
}
return { setByMini };
})();
modules["js/house-way/online-rows.js"] = (() => {
// The F rows of a flush and the S rows of a straight in the online chart (src/house_way/coded/online.toml).

const { ACE, JOKER, rankOf, suitOf, without } = modules["js/cards.js"];
const { compare, lowValue } = modules["js/hands.js"];

const isNatural = (card) => card !== JOKER;
const descending = (cards) => [...cards].sort((a, b) => rankOf(b) - rankOf(a));

const countOf = (cards, suit) =>
  cards.filter((card) => card === JOKER || suitOf(card) === suit).length;

// The suit with five cards or more, the joker included; there are never two.
function flushSuit(hand) {
  const found = [0, 1, 2, 3].find((suit) => countOf(hand.cards, suit) >= 5);
  return found ?? null;
}

const leavesFlush = (cards) => [0, 1, 2, 3].some((suit) => countOf(cards, suit) >= 5);

function flushRows(hand, suit) {
  const suited = descending(hand.cards.filter((card) => isNatural(card) && suitOf(card) === suit));
  const others = hand.cards.filter((card) => isNatural(card) && suitOf(card) !== suit);
  const [row, front] = {
    5: () => ["F5", others],
    6: () => (hand.joker ? ["F6J", [JOKER, ...others]] : ["F6", [suited[0], ...others]]),
    7: () => (hand.joker ? ["F7J", [JOKER, suited[0]]] : ["F7", suited.slice(0, 2)]),
  }[countOf(hand.cards, suit)]();
  return { row, front };
}

// Every choice of one card a position: natural cards of its rank, the joker where there is none.
function* filled(held, positions) {
  if (positions.length === 0) {
    yield [];
    return;
  }
  for (const card of held(positions[0])) {
    for (const rest of filled(held, positions.slice(1))) yield [card, ...rest];
  }
}

// Runs of `length` positions, 1 being an ace low and 14 an ace high, at most one held by the joker.
function windows(hand, suit, length) {
  const natural = (position) => hand.cards.filter((card) => isNatural(card) &&
    (suit === null || suitOf(card) === suit) && rankOf(card) === (position === 1 ? ACE : position));
  const found = [];
  for (let start = 1; start + length - 1 <= 14; start++) {
    const positions = Array.from({ length }, (_, i) => start + i);
    const missing = positions.filter((position) => natural(position).length === 0);
    if (missing.length > (hand.joker ? 1 : 0)) continue;
    const held = (position) => (missing.includes(position) ? [JOKER] : natural(position));
    for (const cards of filled(held, positions)) found.push({ start, cards });
  }
  return found;
}

const ROWS = ["S5", "S6A", "S6J", "S6", "S7AJ", "S7A", "S7J1", "S7J2", "S7J7", "S7J6", "S7"];

function rowOf(hand, { start, cards }) {
  const rest = without(hand.cards, cards);
  const length = cards.length;
  const last = cards[length - 1];
  const joker = cards.indexOf(JOKER);
  const ace = start === 1 && cards[0] !== JOKER;
  if (length === 5) return ["S5", rest];
  if (length === 6) {
    if (ace) return ["S6A", [cards[0], ...rest]];
    if (joker === 0 || joker === 5) return ["S6J", [JOKER, ...rest]];
    return ["S6", [last, ...rest]];
  }
  if (ace && (joker === 1 || joker === 6)) return ["S7AJ", [cards[0], JOKER]];
  if (ace) return ["S7A", [cards[0], last]];
  switch (joker) {
    case 0: return ["S7J1", [JOKER, last]];
    case 1: return ["S7J2", [JOKER, cards[0]]];
    case 6: return ["S7J7", [JOKER, cards[5]]];
    case 5: return ["S7J6", [JOKER, last]];
    default: return ["S7", [cards[5], last]];
  }
}

function straightRows(hand, suit) {
  const length = [7, 6, 5].find((size) => windows(hand, suit, size).length > 0);
  const rows = windows(hand, suit, length).map((window) => rowOf(hand, window));
  const front = hand.pickHighest(rows.map(([, cards]) => cards));
  const same = (cards) => front !== null && compare(lowValue(cards), lowValue(front)) === 0 &&
    cards.every((card) => front.includes(card));
  const giving = rows.filter(([, cards]) => same(cards)).map(([row]) => row);
  return { row: ROWS.find((row) => giving.includes(row)), front };
}
return { flushSuit, leavesFlush, flushRows, straightRows };
})();
modules["js/house-way/online.js"] = (() => {
// The online chart, rules O1 to O42 with the pair rows (src/house_way/coded/online.toml).

const { ACE, JOKER, choose, rankOf, shapeOf, suitOf, without } = modules["js/cards.js"];
const { categoryOf, isComplete } = modules["js/hands.js"];
const { flushRows, flushSuit, leavesFlush, straightRows } = modules["js/house-way/online-rows.js"];

const KING = 13;
const TEN = 10;
const isNatural = (card) => card !== JOKER;

// Everything that the rules ask of a hand.
class Asked {
  constructor(hand) {
    this.hand = hand;
    this.shape = shapeOf(hand.groups);
    this.pairs = hand.groups.filter((group) => group.cards.length === 2);
    this.big = hand.groups[0];
    this.aceAndJoker = this.pairs.find((pair) => pair.cards.includes(JOKER));
    this.suit = flushSuit(hand);
    this.flush = this.suit !== null;
    this.straight = hand.values.some((value) => categoryOf(value).startsWith("straight") ||
      categoryOf(value) === "royal flush");
  }

  has(rank) {
    return this.hand.cards.some((card) => rankOf(card) === rank);
  }

  card(rank) {
    return this.hand.cards.find((card) => rankOf(card) === rank);
  }

  leavesStraight(front) {
    return straightIn(this.hand, front);
  }
}

// Five of the remaining cards form a straight or better.
function straightIn(hand, removed) {
  const left = without(hand.cards, removed);
  return [...choose(left, 5)].some((five) => isComplete(hand.high(without(hand.cards, five))));
}

const at = (clause, front) => (front === null ? null : { low: front, clause });

const twoOf = (asked, clause) =>
  at(clause, asked.hand.pick([...choose(asked.big.cards, 2)]));

const only = (asked, clause, front) => at(clause, asked.hand.pick([front]));

const byFlush = (asked, clause) => {
  const { row, front } = flushRows(asked.hand, asked.suit);
  return at(`${clause}/${row}`, front);
};

const byStraight = (asked, clause, suit = null) => {
  const { row, front } = straightRows(asked.hand, suit);
  return at(`${clause}/${row}`, front);
};

// The pair rows of the royal flush, the straight flush (i, j, k alone) and the flush.
function pairRows(asked, prefix) {
  const { hand, pairs, suit } = asked;
  if (pairs.length === 3) return only(asked, `${prefix}k`, asked.aceAndJoker.cards);
  if (pairs.length === 2) {
    const [higher, lower] = pairs;
    if (higher.rank === ACE && (lower.rank === 2 || lower.rank === KING)) {
      return byFlush(asked, `${prefix}i`);
    }
    return only(asked, `${prefix}j`, lower.cards);
  }
  const pair = pairs[0].cards;
  if (!hand.joker) return byFlush(asked, `${prefix}f`);
  if (leavesFlush(without(hand.cards, pair))) {
    return only(asked, prefix + (asked.aceAndJoker ? "a" : "b"), pair);
  }
  if (leavesFlush(hand.cards.filter(isNatural))) return byFlush(asked, `${prefix}c`);
  if (asked.aceAndJoker && pair.some((card) => isNatural(card) && suitOf(card) === suit)) {
    return only(asked, `${prefix}d`, hand.singletons.slice(0, 2));
  }
  const off = hand.singletons.find((card) => isNatural(card) && suitOf(card) !== suit);
  const front = off === undefined ? null : only(asked, `${prefix}e`, [JOKER, off]);
  return front ?? byFlush(asked, `${prefix}ex`);
}

function royalFlush(asked) {
  if (asked.big.cards.length >= 3) return twoOf(asked, "O3") ?? byFlush(asked, "O3x");
  if (asked.pairs.length > 0) return pairRows(asked, "O4");
  return byFlush(asked, "O5");
}

function straightFlush(asked) {
  const { hand, pairs, suit } = asked;
  if (asked.shape === "3+2+1+1") {
    return only(asked, asked.big.rank === ACE ? "O6" : "O7", hand.groups[1].cards);
  }
  if (asked.big.cards.length >= 3) {
    return twoOf(asked, "O8") ?? byStraight(asked, "O8x", suit);
  }
  if (pairs.length === 1) {
    const clause = asked.aceAndJoker ? "O9" : "O10";
    return only(asked, clause, pairs[0].cards) ?? byStraight(asked, `${clause}x`, suit);
  }
  if (pairs.length > 1) return pairRows(asked, "O11");
  return byStraight(asked, "O12", suit);
}

function fullHouseBesideMore(asked) {
  const { hand, big } = asked;
  const pair = hand.groups[1].cards;
  if (asked.flush) {
    if (big.rank === ACE) return only(asked, "O21", pair);
    if (big.rank >= TEN) return twoOf(asked, "O22");
    return only(asked, "O23", pair);
  }
  if (big.rank === ACE) return only(asked, "O27", pair);
  if (big.rank > TEN) return twoOf(asked, "O28");
  return only(asked, "O29", pair);
}

function fourOfAKind(asked) {
  const { hand, big } = asked;
  const second = hand.groups[1];
  if (asked.shape === "4+3") {
    if (Math.abs(big.rank - second.rank) === 1) {
      return at("O13", hand.pick([...choose(second.cards, 2)]));
    }
    const higher = big.rank > second.rank ? big : second;
    return at("O14", hand.pick([...choose(higher.cards, 2)]));
  }
  if (asked.shape === "4+2+1") {
    return big.rank > second.rank ? twoOf(asked, "O15") : only(asked, "O16", second.cards);
  }
  return only(asked, "O17", hand.singletons.slice(0, 2));
}

function fullHouse(asked) {
  const { hand, big } = asked;
  if (asked.shape === "3+3+1") return twoOf(asked, "O37");
  if (asked.shape === "3+2+2") {
    const ranks = hand.groups.map((group) => group.rank).join();
    if (ranks === `${ACE},3,2`) return twoOf(asked, "O18");
    return only(asked, "O19", hand.groups[1].cards);
  }
  return only(asked, "O20", hand.groups[1].cards);
}

function flush(asked) {
  if (asked.big.cards.length === 3) return byFlush(asked, "O24");
  if (asked.pairs.length > 0) return pairRows(asked, "O25");
  return byFlush(asked, "O26");
}

function straightWithOnePair(asked) {
  const { hand } = asked;
  const pair = asked.pairs[0];
  if (asked.aceAndJoker) {
    const ace = pair.cards.filter(isNatural);
    if (straightIn(hand, ace)) {
      return only(asked, "O31a", [...ace, hand.singletons[0]]) ?? byStraight(asked, "O31ax");
    }
  } else if (hand.joker && asked.leavesStraight(pair.cards)) {
    return only(asked, "O31b", pair.cards);
  }
  const broadway = [ACE, 13, 12, 11, 10].every((rank) => asked.has(rank));
  if (broadway && pair.rank === KING) {
    return only(asked, "O31c", [asked.card(ACE), asked.card(12)]);
  }
  if (broadway && pair.rank >= TEN && pair.rank < KING) {
    return only(asked, "O31d", [asked.card(ACE), asked.card(KING)]);
  }
  return byStraight(asked, "O31e");
}

function straight(asked) {
  const { hand, pairs } = asked;
  if (asked.big.cards.length === 3) return byStraight(asked, "O30");
  if (pairs.length === 0) return byStraight(asked, "O32");
  if (pairs.length === 1) return straightWithOnePair(asked);
  if (pairs.length === 3) return only(asked, "O31k", asked.aceAndJoker.cards);
  const [higher, lower] = pairs;
  if (asked.leavesStraight(lower.cards)) return only(asked, "O31f", lower.cards);
  const low = lower.rank === 2 && higher.rank <= 4 && !asked.has(ACE) && !hand.joker;
  return low ? byStraight(asked, "O31i") : only(asked, "O31j", lower.cards);
}

function threeOfAKind(asked) {
  const { hand, big } = asked;
  const oneAndHighest = (clause) =>
    at(clause, hand.pick(big.cards.map((card) => [card, hand.singletons[0]])));
  if (big.rank === ACE) return oneAndHighest("O33");
  const tens = hand.singletons.filter((card) => rankOf(card) >= TEN).length;
  if (big.rank === KING && tens < 2) return oneAndHighest("O35");
  return only(asked, big.rank === KING ? "O34" : "O36", hand.singletons.slice(0, 2));
}

function pairsOrHighCard(asked) {
  const { hand, pairs } = asked;
  if (pairs.length === 1) return only(asked, "O38", hand.singletons.slice(0, 2));
  if (pairs.length === 2) return only(asked, "O39", pairs[1].cards);
  if (pairs.length === 3) return only(asked, "O40", pairs[0].cards);
  const [first, second, third, fourth] = hand.singletons.map(rankOf);
  const named = first === ACE && (second === KING || second === 12) &&
    third >= 8 && third <= 10 && (fourth === 7 || fourth === 8);
  return named
    ? only(asked, "O41", [hand.singletons[1], hand.singletons[3]])
    : only(asked, "O42", hand.singletons.slice(1, 3));
}

function rule(hand) {
  const asked = new Asked(hand);
  const best = categoryOf(hand.best);
  if (best === "five aces") {
    const kings = asked.pairs.find((pair) => pair.rank === KING);
    if (kings) return only(asked, "O1", kings.cards);
    return at("O2", hand.pick([...choose(asked.big.cards.filter(isNatural), 2)]));
  }
  if (best === "royal flush") return royalFlush(asked);
  if (best === "straight flush") return straightFlush(asked);
  if (asked.shape === "3+2+1+1" && (asked.flush || asked.straight)) {
    return fullHouseBesideMore(asked);
  }
  switch (best) {
    case "four of a kind": return fourOfAKind(asked);
    case "full house": return fullHouse(asked);
    case "flush": return flush(asked);
    case "straight": return straight(asked);
    case "three of a kind": return threeOfAKind(asked);
    default: return pairsOrHighCard(asked);
  }
}

function setByOnline(hand) {
  const set = rule(hand);
  if (set === null) throw new Error("no rule of the online chart sets the hand");
  return set;
}
return { setByOnline };
})();
modules["js/house-way/index.js"] = (() => {
// A house way: a file of clauses, and the code that two of them need.

const { ascending, without } = modules["js/cards.js"];
const { Hand } = modules["js/house-way/splits.js"];
const { setByChart } = modules["js/house-way/chart.js"];
const { setByMini } = modules["js/house-way/mini.js"];
const { setByOnline } = modules["js/house-way/online.js"];

const CODED = { mini: setByMini, online: setByOnline };

// Sets a hand: low and high cards ascending, and the id of the clause that decided.
function setByHouseWay(houseWay, cards) {
  const hand = new Hand(cards, houseWay.wheel);
  const { low, clause } = houseWay.code
    ? CODED[houseWay.code](hand)
    : setByChart(houseWay, hand);
  return { low: ascending(low), high: ascending(without(cards, low)), clause };
}

// The sentences that a clause id cites: `O4c/F6J` cites a rule and a row.
function sentencesOf(houseWay, clause) {
  return clause.split("/").map((id) => houseWay.clause.find((one) => one.id === id)?.text ?? "");
}
return { setByHouseWay, sentencesOf };
})();
modules["js/money.js"] = (() => {
// Exact amounts: BigInt minor units, fractions as [numerator, denominator].

function fraction(text) {
  const [num, den = "1"] = text.split("/");
  return [BigInt(num), BigInt(den)];
}

const ROUND = {
  "down": (num, den) => num / den,
  "up": (num, den) => (num + den - 1n) / den,
  "half-up": (num, den) => (2n * num + den) / (2n * den),
};

// `amount` times a fraction, to a multiple of `increment`; a fraction that comes out even needs no
// rounding. Amounts are not negative.
function times(amount, [num, den], rounding = null, increment = 1n) {
  const top = amount * num;
  const bottom = den * increment;
  if (top % bottom === 0n) return (top / bottom) * increment;
  return ROUND[rounding ?? "down"](top, bottom) * increment;
}

const total = (amounts) => amounts.reduce((sum, amount) => sum + amount, 0n);
const smaller = (a, b) => (a < b ? a : b);

// An amount as people write it: minor units 1234 of exponent 2 are 12.34.
function decimal(minor, exponent) {
  const sign = minor < 0n ? "-" : "";
  const digits = (minor < 0n ? -minor : minor).toString().padStart(exponent + 1, "0");
  const at = digits.length - exponent;
  return sign + digits.slice(0, at) + (exponent > 0 ? `.${digits.slice(at)}` : "");
}
return { fraction, times, total, smaller, decimal };
})();
modules["js/sheet.js"] = (() => {
// The wagers of a lock, held against the ruleset (src/game/check).

const { fraction, times, total } = modules["js/money.js"];

class Refused extends Error {}

const refuse = (what) => {
  throw new Refused(what);
};

const MAX_STAKE = 10n ** 15n;
// Amounts, and the largest of each. Twice of a bank fits 64 bits, as what the wagers of a house's
// table may move together has to.
const AMOUNTS = { bank_minor: 10n ** 18n, chip_minor: MAX_STAKE, table_max_minor: MAX_STAKE,
  table_min_minor: MAX_STAKE };
const MAX_MOVED = 2n ** 63n - 1n;

function checkCurrency(ruleset, currency) {
  if (currency === undefined) refuse("the lock names no currency");
  const own = ruleset.currency;
  if (own && (own.code !== currency.code || own.exponent !== currency.exponent)) {
    refuse(`the ruleset's amounts are in ${own.code}`);
  }
  if (currency.exponent > 4) refuse("an exponent above 4");
}

function readFacts(ruleset, given) {
  if (given === undefined) refuse("the lock has no table facts");
  const facts = {};
  for (const name of ruleset.facts.required) {
    if (!(name in given)) refuse(`${name}: the ruleset needs it`);
  }
  for (const [name, value] of Object.entries(given)) {
    if (![...ruleset.facts.required, ...ruleset.facts.optional].includes(name)) {
      refuse(`${name}: the ruleset does not ask for it`);
    }
    facts[name] = name in AMOUNTS ? BigInt(value) : value;
    if (name in AMOUNTS && (facts[name] < 1n || facts[name] > AMOUNTS[name])) {
      refuse(`${name}: must be 1 to ${AMOUNTS[name]}`);
    }
  }
  if (facts.table_min_minor > (facts.table_max_minor ?? MAX_STAKE)) {
    refuse("table_min_minor: above the table's maximum");
  }
  if (facts.banker_seat > ruleset.seats) refuse(`banker_seat: must be 1 to ${ruleset.seats}`);
  if (facts.action_pile !== undefined && (facts.action_pile < 0 || facts.action_pile > 6)) {
    refuse("action_pile: must be 0 to 6");
  }
  return facts;
}

// The bets of a seat, in the order in which they are settled.
const betOrder = (ruleset) => ["base", ...(ruleset.bets ?? []).map((bet) => bet.id)];
const betOf = (ruleset, id) => (ruleset.bets ?? []).find((bet) => bet.id === id);

const asksChoice = (bet) => bet.rows.some((row) => row.condition.endsWith("_of_colour"));

function checkWager(ruleset, facts, { bet: id, amount, choice }) {
  const bet = id === "base" ? ruleset.base : betOf(ruleset, id);
  if (bet === undefined) refuse(`${id}: the ruleset has no such bet`);
  const asked = id !== "base" && asksChoice(bet);
  if (asked !== (choice !== undefined)) refuse(`${id}: a choice is missing, or out of place`);
  if (amount < BigInt(bet.minimum_minor ?? 1)) refuse(`${id}: below the minimum`);
  if (bet.maximum_minor !== undefined && amount > BigInt(bet.maximum_minor)) {
    refuse(`${id}: above the maximum`);
  }
  // The table's minimum is for the base alone, its maximum for every bet.
  if (id === "base" && amount < (facts.table_min_minor ?? 1n)) {
    refuse(`${id}: below the table's minimum`);
  }
  if (amount > (facts.table_max_minor ?? MAX_STAKE)) refuse(`${id}: above the table's maximum`);
  if (facts.chip_minor !== undefined && amount % facts.chip_minor !== 0n) {
    refuse(`${id}: not a multiple of the lowest chip`);
  }
  const most = mostWon(ruleset, bet, amount);
  if (ruleset.max_payout_minor !== undefined && most > BigInt(ruleset.max_payout_minor)) {
    refuse(`${id}: could win more than ${ruleset.max_payout_minor}`);
  }
  // What it can move: stake and win, twice if it can be doubled, and what others win with the hand.
  const others = Math.max(0, ...(bet.rows ?? []).map((row) => row.others_minor ?? 0));
  return (amount + most) * (id === "base" && ruleset.double_down ? 2n : 1n) +
    BigInt(others) * BigInt(ruleset.seats);
}

// What a wager may win at most.
function mostWon(ruleset, bet, amount) {
  const odds = bet.rows ? bet.rows.map((row) => row.pays).filter((pays) => pays !== "push") : [bet.pays];
  const wins = odds.map((pays) => times(amount, fraction(pays), ruleset.rounding));
  return wins.reduce((a, b) => (a > b ? a : b), 0n);
}

// Where a player banks he has a base wager, and money for twice the others' (src/game).
function checkBanker(ruleset, facts, seats) {
  const { banker_seat: banker, bank_minor: bank } = facts;
  if (!ruleset.banking) return;
  if ((banker === undefined) !== (bank === undefined)) refuse("banker_seat and bank_minor go together");
  if (banker === undefined) return;
  if (!seats.get(banker)?.has("base")) refuse("banker_seat: the banker has no base wager");
  const others = [...seats].filter(([seat]) => seat !== banker)
    .map(([, wagers]) => wagers.get("base")?.amount ?? 0n);
  if (bank < BigInt(ruleset.banking.bank_per_base) * total(others)) {
    refuse("bank_minor: less than the others' base wagers need");
  }
}

// Returns { currency, facts, seats: Map seat -> Map bet -> { amount, choice } }, or throws Refused.
function readSheet(ruleset, lock) {
  checkCurrency(ruleset, lock.currency);
  const facts = readFacts(ruleset, lock.facts);
  const order = betOrder(ruleset);
  const seats = new Map();
  let moved = 0n;
  for (const [number, { wagers }] of Object.entries(lock.seats)) {
    const seat = Number(number);
    if (seat < 1 || seat > ruleset.seats) refuse(`wagers are for seats 1 to ${ruleset.seats}`);
    const laid = new Map();
    for (const { bet, amount, choice } of wagers) {
      if (laid.has(bet)) refuse(`seat ${seat} has ${bet} already`);
      const wager = { bet, amount: BigInt(amount), choice };
      moved += checkWager(ruleset, facts, wager);
      laid.set(bet, wager);
    }
    const places = [...laid.keys()].map((bet) => order.indexOf(bet));
    if (places.some((place, i) => i > 0 && place < places[i - 1])) refuse("wagers in another order");
    for (const bet of laid.keys()) {
      if (bet !== "base" && betOf(ruleset, bet).needs_base && !laid.has("base")) {
        refuse(`${bet} at seat ${seat} needs a base wager`);
      }
    }
    if (laid.size === 0) refuse(`seat ${seat} has no wager`);
    seats.set(seat, laid);
  }
  if (seats.size === 0) refuse("a round needs a wager");
  // A limited bank bounds them by itself.
  if (ruleset.coverage === "house" && moved > MAX_MOVED) refuse("the wagers could move too much together");
  checkBanker(ruleset, facts, seats);
  return { currency: lock.currency, facts, seats };
}

const hasBase = (sheet, seat) => sheet.seats.get(seat)?.has("base") ?? false;
const activeSeats = (sheet) => [...sheet.seats.keys()].filter((seat) => hasBase(sheet, seat));

// Flat fees by bands, taken before the deal, where they are not 0; the dealer's stands at position 0.
function feesOf(ruleset, sheet) {
  const fees = new Map();
  if (!ruleset.fees) return fees;
  const bases = activeSeats(sheet).map((seat) => [seat, sheet.seats.get(seat).get("base").amount]);
  const sum = total(bases.map(([, amount]) => amount));
  if (sum > 0n) fees.set(0, band(ruleset.fees.player_dealer, sum));
  for (const [seat, amount] of bases) fees.set(seat, band(ruleset.fees.player, amount));
  return new Map([...fees].filter(([, fee]) => fee > 0n));
}

const band = (bands, amount) => BigInt(
  bands.find((one) => one.up_to_minor === undefined || amount <= BigInt(one.up_to_minor)).fee_minor);
return { Refused, betOrder, betOf, readSheet, hasBase, activeSeats, feesOf };
})();
modules["js/settle.js"] = (() => {
// The results of a round, recomputed from cards, wagers and decisions (src/game).

const { ascending, rankOf, rankOfLetter, without } = modules["js/cards.js"];
const { isPairOrBetter, rowOf } = modules["js/bets.js"];
const { CATEGORIES, compare, highValue, isFoul, lowValue } = modules["js/hands.js"];
const { actionSeat } = modules["js/dealing.js"];
const { setByHouseWay } = modules["js/house-way/index.js"];
const { fraction, smaller, times, total } = modules["js/money.js"];
const { activeSeats, betOf, feesOf, hasBase } = modules["js/sheet.js"];

const WIN = "win", LOSE = "lose", PUSH = "push", COPY = "copy";

// Low and high cards with what they are worth.
function settingOf(ruleset, low, high, clause = null) {
  const value = highValue(high, ruleset.wheel);
  return { low: ascending(low), high: ascending(high), clause, highValue: value,
    lowValue: lowValue(low), foul: isFoul(low, value) };
}

function byHouseWay(ruleset, houseWay, cards) {
  const { low, high, clause } = setByHouseWay(houseWay, cards);
  return settingOf(ruleset, low, high, clause);
}

const sign = (a, b) => ({ "1": WIN, "0": COPY, "-1": LOSE })[compare(a, b)];

// Both hands won wins, both lost loses, else a push; the dealer or banker wins a copy. A foul hand
// loses both.
function against(own, bank) {
  if (own.foul) return { high: LOSE, low: LOSE, outcome: LOSE };
  const high = sign(own.highValue, bank.highValue);
  const low = sign(own.lowValue, bank.lowValue);
  const wins = [high, low].filter((result) => result === WIN).length;
  return { high, low, outcome: [LOSE, PUSH, WIN][wins] };
}

// What would become of a wager that is covered: a line without its money.
const line = (bet, stake, status, more = {}) => ({ bet, stake, status, win: 0n, commission: 0n,
  uncovered: null, row: null, pays: null, causedBy: null, ...more });

const ofOutcome = { [WIN]: "won", [LOSE]: "lost", [PUSH]: "push" };

function evenMoney(bet, stake, outcome, pays, rounding) {
  const status = ofOutcome[outcome];
  if (status !== "won") return line(bet, stake, status);
  return line(bet, stake, status, { pays, win: times(stake, pays, rounding) });
}

function bonusLine(ruleset, bet, { amount, choice }, cards, context) {
  const row = rowOf(bet, cards, { choice, ...context });
  if (row === null) return line(bet.id, amount, "lost");
  if (row.pays === "push") return line(bet.id, amount, "push", { row: row.id });
  const pays = fraction(row.pays);
  return line(bet.id, amount, "won",
    { row: row.id, pays, win: times(amount, pays, ruleset.rounding) });
}

// What the bets of a sheet look at.
class Round {
  constructor(ruleset, houseWay, sheet, hands, dice, decisions) {
    Object.assign(this, { ruleset, houseWay, sheet, hands, dice, decisions });
    this.seats = [...sheet.seats.keys()].sort((a, b) => a - b);
    this.active = activeSeats(sheet).sort((a, b) => a - b);
    this.banker = sheet.facts.banker_seat ?? null;
    this.dealer = byHouseWay(ruleset, houseWay, hands.get(0));
    this.settings = new Map(this.active.map((seat) => [seat, this.set(seat)]));
  }

  set(seat) {
    const cards = this.hands.get(seat);
    const { low } = this.decisions.get(seat);
    if (low === undefined) return byHouseWay(this.ruleset, this.houseWay, cards);
    return settingOf(this.ruleset, low, without(cards, low));
  }

  stake(seat, bet) {
    return this.sheet.seats.get(seat).get(bet).amount;
  }

  // Whose hand a seat's base wager is settled against: the dealer's, or a banking player's.
  opponent(seat) {
    const banks = this.banker !== null && seat !== this.banker;
    return banks
      ? { setting: this.settings.get(this.banker), cards: this.hands.get(this.banker) }
      : { setting: this.dealer, cards: this.hands.get(0) };
  }

  base(seat) {
    const result = against(this.settings.get(seat), this.opponent(seat).setting);
    const { push_on_dealer: condition, push_beats_foul: first } = this.ruleset.base;
    const foul = this.settings.get(seat).foul;
    const pushes = condition !== undefined &&
      rowOf({ rows: [{ condition }] }, this.hands.get(0)) !== null;
    if (pushes && (first || !foul)) result.outcome = PUSH;
    return result;
  }

  // The double down pushes, even on a foul hand, unless the dealer or banker qualifies.
  double(seat, outcome) {
    const rank = rankOfLetter(this.ruleset.double_down.dealer_qualifies[0]);
    return isPairOrBetter(this.opponent(seat).cards, rank) ? outcome : PUSH;
  }

  // The outcome of house way against house way, however the player set his hand.
  wrangler(seat) {
    const own = byHouseWay(this.ruleset, this.houseWay, this.hands.get(seat));
    const { outcome } = against(own, this.dealer);
    return { setting: { outcome, lows: [own.low, this.dealer.low] } };
  }

  bonus(seat, id) {
    const bet = betOf(this.ruleset, id);
    const wager = this.sheet.seats.get(seat).get(id);
    const conditions = bet.rows.map((row) => row.condition);
    if (conditions.includes("push")) {
      return bonusLine(this.ruleset, bet, wager, this.hands.get(seat), this.wrangler(seat));
    }
    return bonusLine(this.ruleset, bet, wager, cardsOf(bet, this.hands, seat));
  }

  // Fixed amounts for each other player's qualifying hand; a player has a base wager.
  others(seat, id) {
    const bet = betOf(this.ruleset, id);
    if (!bet.others || this.stake(seat, id) < BigInt(bet.others.threshold_minor)) return [];
    return this.active.filter((other) => other !== seat).flatMap((other) => {
      const row = rowOf(bet, this.hands.get(other));
      if (row === null || row.others_minor === undefined) return [];
      return [line(bet.others.bet, 0n, "won",
        { row: row.id, win: BigInt(row.others_minor), causedBy: other })];
    });
  }

  linesOf(seat) {
    const { ruleset } = this;
    const lines = [];
    // What hands of other seats pay stands behind the seat's wagers.
    const others = [];
    const outcome = this.settings.has(seat) ? this.base(seat).outcome : null;
    for (const id of this.sheet.seats.get(seat).keys()) {
      if (id !== "base") {
        lines.push(this.bonus(seat, id));
        others.push(...this.others(seat, id));
        continue;
      }
      const pays = fraction(ruleset.base.pays);
      const stake = this.stake(seat, "base");
      lines.push(evenMoney("base", stake, outcome, pays, ruleset.rounding));
      if (this.decisions.get(seat).double_down) {
        lines.push(evenMoney("double_down", stake, this.double(seat, outcome), pays, ruleset.rounding));
      }
    }
    return [...lines, ...others];
  }
}

// Most bonus bets look at the seat's cards; Queen's Dragon at the dealer's, and the 3 Card Bonus at
// the first street.
function cardsOf(bet, hands, seat) {
  if (bet.id === "queens_dragon") return hands.get(0);
  return bet.id === "three_card" ? hands.get(seat).slice(0, 3) : hands.get(seat);
}

// Lines that the deal alone decides, before any decision is taken (src/game/dealing.rs).
function finalLines(ruleset, sheet, hands) {
  const bet = betOf(ruleset, "three_card");
  if (!bet) return [];
  return [...sheet.seats].sort(([a], [b]) => a - b).filter(([, wagers]) => wagers.has(bet.id))
    .map(([seat, wagers]) =>
      [seat, bonusLine(ruleset, bet, wagers.get(bet.id), cardsOf(bet, hands, seat))]);
}

function commissionOn(win, terms, facts) {
  const increment = terms.increment === "quarter-chip" ? (facts.chip_minor + 3n) / 4n : 1n;
  return smaller(win, times(win, fraction(terms.rate), terms.rounding, increment));
}

// The commission is on base and double together; the double's line has what the base's own does not
// account for.
function takeCommission(terms, facts, lines) {
  let won = 0n;
  for (const one of lines.filter((line) => !isBonus(line))) {
    one.commission = commissionOn(won + one.win, terms, facts) - commissionOn(won, terms, facts);
    won += one.win;
  }
}

// The player-dealer wins or loses no more than he has put up: p is what he holds.
function cover(lines, bank) {
  let p = bank;
  for (const one of lines) {
    if (p === 0n || p === 2n * bank) {
      if (one.status === "lost") one.uncovered = one.stake;
      if (one.status === "won") one.uncovered = one.win;
      one.status = "uncovered";
      one.win = 0n;
    } else if (one.status === "lost") {
      const collected = smaller(one.stake, 2n * bank - p);
      if (collected < one.stake) one.uncovered = one.stake - collected;
      p += collected;
    } else if (one.status === "won") {
      const paid = smaller(one.win, p);
      if (paid < one.win) one.uncovered = one.win - paid;
      one.win = paid;
      p -= paid;
    }
  }
  return p - bank;
}

// What is handed back, stake included, after commission.
function returnOf({ status, stake, win, commission, uncovered }) {
  if (status === "lost") return uncovered ?? 0n;
  return stake + win - commission;
}

const lineNet = (one) => returnOf(one) - one.stake;
const beforeCommission = (one) => lineNet(one) + one.commission;
const isBonus = (one) => one.bet !== "base" && one.bet !== "double_down";

function writeLine(one) {
  const written = { bet: one.bet, commission: String(one.commission),
    return: String(returnOf(one)), stake: String(one.stake), status: one.status,
    win: String(one.win) };
  if (one.row !== null) written.row = one.row;
  if (one.pays !== null) written.pays = { den: Number(one.pays[1]), num: Number(one.pays[0]) };
  if (one.causedBy !== null) written.caused_by_seat = one.causedBy;
  if (one.uncovered !== null) written.uncovered = String(one.uncovered);
  return written;
}

const writeFinalLines = (lines) =>
  lines.map(([seat, one]) => ({ ...writeLine(one), seat }));

const lowCategory = (value) => CATEGORIES[value[0]];

const writeSetting = (setting, houseWayHash) => ({
  ...(setting.clause === null ? {} : { clause: setting.clause, house_way: houseWayHash }),
  high: setting.high, high_category: CATEGORIES[setting.highValue[0]],
  low: setting.low, low_category: lowCategory(setting.lowValue),
});

// `decisions`: Map seat -> { low?, double_down? }, one for each seat with a base wager.
function resultsOf({ ruleset, houseWay, houseWayHash, sheet, hands, dice, decisions }) {
  const round = new Round(ruleset, houseWay, sheet, hands, dice, decisions);
  const lines = new Map(round.seats.map((seat) => [seat, round.linesOf(seat)]));
  const fees = feesOf(ruleset, sheet);
  const isOthers = (seat) => round.banker !== null && seat !== round.banker;
  for (const [seat, own] of lines) {
    // The player who banks pays his on the round as a whole.
    const terms = round.banker === null ? ruleset.base.commission : ruleset.banking.commission;
    if (terms && seat !== round.banker) takeCommission(terms, sheet.facts, own);
  }
  const nets = new Map();
  let bankNet = 0n;
  let houseNet = 0n;
  let commission = 0n;
  if (ruleset.coverage === "player-dealer") {
    const start = actionSeat(ruleset, dice, activeSeats(sheet));
    const around = [...lines.keys()].sort((a, b) => (a < start) - (b < start) || a - b);
    bankNet = cover(around.flatMap((seat) => lines.get(seat)), sheet.facts.bank_minor);
    bankNet -= fees.get(0) ?? 0n;
  } else {
    for (const [seat, own] of lines) {
      for (const one of own) {
        const lost = -beforeCommission(one);
        // With a player banking, the bank is his against the others; the rest is the house's.
        if (round.banker === null || (isOthers(seat) && !isBonus(one))) bankNet += lost;
        else houseNet += lost;
      }
    }
  }
  for (const [seat, own] of lines) {
    nets.set(seat, total(own.map(lineNet)) - (fees.get(seat) ?? 0n));
    commission += total(own.map((one) => one.commission));
  }
  if (round.banker !== null) {
    const outside = lines.get(round.banker).filter((one) => !isBonus(one)).map(lineNet);
    const won = bankNet + total(outside);
    const due = won > 0n ? commissionOn(won, ruleset.banking.commission, sheet.facts) : 0n;
    nets.set(round.banker, nets.get(round.banker) - due);
    commission += due;
  }
  const allFees = total([...fees.values()]);
  houseNet += commission + allFees;
  if (total([...nets.values()]) + bankNet + houseNet !== 0n) throw new Error("money does not add up");

  const seats = Object.create(null);
  for (const seat of round.seats) {
    const written = { lines: lines.get(seat).map(writeLine), net: String(nets.get(seat)) };
    if (hasBase(sheet, seat)) {
      const setting = round.settings.get(seat);
      const { high, low, outcome } = round.base(seat);
      Object.assign(written, writeSetting(setting, houseWayHash),
        { foul: setting.foul, high_result: high, low_result: low, outcome });
    }
    seats[seat] = written;
  }
  return {
    bank: { ...writeSetting(round.dealer, houseWayHash), net: String(bankNet) },
    commission: String(commission), fees: String(allFees), house_net: String(houseNet), seats,
  };
}
return { cardsOf, finalLines, writeFinalLines, resultsOf };
})();
modules["js/chacha20.js"] = (() => {
// ChaCha20, used only as a stream of little-endian u32 words (PGE-FAIR-1, section 5).

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

// One block of 16 words: the last four state words are as the caller says, which is a 64-bit
// counter and a 64-bit stream id here, and a 32-bit counter and a 96-bit nonce in RFC 8439.
function block(key, last) {
  const view = new DataView(key.buffer, key.byteOffset, 32);
  const start = new Uint32Array(16);
  start.set(CONSTANTS);
  for (let i = 0; i < 8; i++) start[4 + i] = view.getUint32(4 * i, true);
  start.set(last, 12);
  const s = start.slice();
  const rotate = (x, n) => (x << n) | (x >>> (32 - n));
  const quarter = (a, b, c, d) => {
    s[a] += s[b]; s[d] = rotate(s[d] ^ s[a], 16);
    s[c] += s[d]; s[b] = rotate(s[b] ^ s[c], 12);
    s[a] += s[b]; s[d] = rotate(s[d] ^ s[a], 8);
    s[c] += s[d]; s[b] = rotate(s[b] ^ s[c], 7);
  };
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 4; i++) quarter(i, 4 + i, 8 + i, 12 + i);
    for (let i = 0; i < 4; i++) {
      quarter(i, 4 + ((i + 1) % 4), 8 + ((i + 2) % 4), 12 + ((i + 3) % 4));
    }
  }
  return s.map((word, i) => word + start[i]);
}

// The words of a named stream, for ever; the name is eight ASCII bytes read as u64 LE.
function* words(key, stream) {
  const id = [0, 4].map((at) => [0, 1, 2, 3].reduce(
    (sum, i) => (sum | (stream.charCodeAt(at + i) << (8 * i))) >>> 0, 0));
  for (let counter = 0; ; counter++) yield* block(key, [counter, 0, ...id]);
}
return { block, words };
})();
modules["js/shuffle.js"] = (() => {
// From words to cards and dice without bias (PGE-FAIR-1, sections 5.2 to 5.4).

const { words } = modules["js/chacha20.js"];

// A word of the incomplete block at the top is thrown away, so that no residue is favoured.
function uniform(stream, bound, rejected = () => {}) {
  const limit = 0x100000000 - (0x100000000 % bound);
  for (;;) {
    const { value: word, done } = stream.next();
    if (done) throw new Error("no more words");
    if (word < limit) return { word, value: word % bound };
    rejected(word);
  }
}

// Forward Fisher-Yates on the deck in order. `step` is told of every draw, for those who want to
// see it: place, bound, word, what was rejected, and which places change cards.
function shuffle(stream, cards, step = null) {
  const deck = Array.from({ length: cards }, (_, card) => card);
  for (let i = 0; i < cards - 1; i++) {
    const rejected = [];
    const bound = cards - i;
    const { word, value } = uniform(stream, bound, (bad) => rejected.push(bad));
    const j = i + value;
    [deck[i], deck[j]] = [deck[j], deck[i]];
    if (step) step({ i, j, bound, word, value, rejected, card: deck[i], moved: deck[j] });
  }
  return deck;
}

const deckOf = (roundSeed, cards, step = null) =>
  shuffle(words(roundSeed, "pge.deck"), cards, step);

function diceOf(roundSeed) {
  const stream = words(roundSeed, "pge.dice");
  return [0, 1, 2].map(() => 1 + uniform(stream, 6).value);
}
return { uniform, shuffle, deckOf, diceOf };
})();
modules["js/audit/difference.js"] = (() => {
// Where two values first differ, and how, for people.

const { canonical } = modules["js/json.js"];

const isBranch = (value) => value !== null && typeof value === "object";
const shown = (value) => (value === undefined ? "none" : canonical(value));

function difference(expected, found, path) {
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
return { difference };
})();
modules["js/audit/round.js"] = (() => {
// The checks of one round (D6), each with the records that it relies on.

const { fromHex, toHex } = modules["js/bytes.js"];
const { dealtHands, defaultPacket } = modules["js/dealing.js"];
const { canonical, sameJson } = modules["js/json.js"];
const { clientCommit, deckCommit, epochCommit, roundCommit, roundId, roundSeed, serverSeed } = modules["js/seeds.js"];
const { finalLines, resultsOf, writeFinalLines } = modules["js/settle.js"];
const { Refused, activeSeats, feesOf, hasBase, readSheet } = modules["js/sheet.js"];
const { deckOf, diceOf } = modules["js/shuffle.js"];
const { fail, skip } = modules["js/audit/report.js"];
const { difference } = modules["js/audit/difference.js"];

// The outcome code that is written down here (D15): another may settle otherwise.
const ENGINE = "pge-1";

const seatsOf = (members) => Object.keys(members ?? {}).map(Number);
const same = (a, b) => a.length === b.length && a.every((one, i) => one === b[i]);
const bytes = (member) => fromHex(member);

class RoundAudit {
  // `world`: { manifests, rules, reveals, closes, roots }; `round` as `file.js` reads it.
  constructor(round, world) {
    Object.assign(this, { round, world });
    this.manifest = null;
    this.listed = null;
    // The lines that a check of this round refused.
    this.refused = new Set();
  }

  get ticket() {
    return this.round.ticket.json;
  }

  get policy() {
    return this.listed.tenant.policy;
  }

  get isVoid() {
    return this.round.settle?.json.disposition === "void";
  }

  // What is kept of a round when its audit is let go.
  get summary() {
    if (this.listed === null) return {};
    const { lock, chain } = this.policy;
    return { disposition: this.round.settle?.json.disposition ?? null, lock, chain,
      seeds: Object.keys(this.ticket.client).length };
  }

  // How the locks say that the round ends; the close must agree (CHAIN).
  get closesAsVoid() {
    const { close } = this.round;
    return close === null ? this.isVoid : close.json.step === "void";
  }

  get place() {
    const { epoch, tenant, table, round_no: roundNo } = this.ticket;
    return { epoch, tenant, table, roundNo };
  }

  // Every signature shown is verified (D12); none at all only where the policy allows it.
  signatures() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const engine = this.world.manifests.receiptKeys(this.manifest);
    const ledger = this.listed.tenant.ledger_keys.map((key) => fromHex(key.pk));
    const check = (record, keys, role, mayBeUnsigned) => {
      if (record === null) return;
      const signed = record.signatures.length > 0 ? record.allSignedBy(keys) : mayBeUnsigned;
      if (!signed) {
        fail(`a signature by ${role}`, "another, or none", { line: record.line });
      }
    };
    for (const record of [ticket, deal, settle]) check(record, engine, "a receipt key of the manifest", false);
    for (const record of [lock, close]) {
      check(record, ledger, "a ledger key of the tenant", this.policy.lock === "off");
    }
    for (const action of actions) {
      const key = this.ticket.seat_keys[action.json.seat];
      const free = key === undefined && this.policy.seat_auth !== "required";
      check(action, key === undefined ? [] : [fromHex(key)], "the seat's key", free);
    }
  }

  chain() {
    const { ticket, lock, deal, actions, close, settle } = this.round;
    const isSame = (record, expected, found) => {
      if (expected !== found) fail(expected, found, { line: record.line });
    };
    const link = (record, member, to) =>
      isSame(record, to === null ? "a record before it" : to.hash, record.json[member]);
    const ofRound = (record) => isSame(record, this.ticket.round_id, record.json.round_id);
    if (lock) {
      ofRound(lock);
      link(lock, "prev", ticket);
    }
    if (deal) {
      ofRound(deal);
      link(deal, "ticket", ticket);
      link(deal, "prev", lock);
    }
    for (const action of actions) link(action, "prev", deal);
    if (close) {
      ofRound(close);
      link(close, "prev", close.json.step === "final" ? deal : deal ?? lock ?? ticket);
    }
    if (settle) {
      ofRound(settle);
      link(settle, "ticket", ticket);
      link(settle, "prev", close);
      if (!this.isVoid) link(settle, "deal", deal);
      isSame(settle, `a close behind a lock that is ${this.isVoid ? "void" : "final"}`,
        `a close behind a lock that is ${close.json.step}`);
      if (this.isVoid) isSame(settle, close.json.reason, settle.json.reason);
    }
  }

  checkPolicy() {
    const at = { line: this.round.ticket.line };
    const { policy } = this;
    const stated = this.ticket.policy;
    // The published example of the format has no policy in its ticket, and no rules at hand.
    if (stated === undefined ? this.listed.ruleset !== null : !sameJson(stated, policy)) {
      fail("the policy of the manifest", "another policy, or none", at);
    }
    if (policy.chain === "required" && this.ticket.round_no !== "1" &&
      this.ticket.prev === this.ticket.manifest) {
      fail("the close of the round before", "a round that starts over", at);
    }
    if (policy.client === "committed" && seatsOf(this.ticket.client).length === 0) {
      fail("client commitments", "none", at);
    }
    if (policy.lock === "required" && this.round.deal !== null && this.round.lock === null) {
      fail("a lock of the wagers", "none", at);
    }
    const keyed = seatsOf(this.ticket.seat_keys);
    if (policy.seat_auth === "off" && keyed.length > 0) fail("no seat keys", "some", at);
    if (policy.seat_auth === "required" &&
      this.round.actions.some((action) => !keyed.includes(action.json.seat))) {
      fail("a key of every seat with a decision", "a seat without one", at);
    }
  }

  id() {
    const expected = toHex(roundId(this.place));
    if (expected !== this.ticket.round_id) {
      fail(expected, this.ticket.round_id, { line: this.round.ticket.line });
    }
  }

  genesis() {
    const { epoch, tenant, table, round_no: number, prev, manifest } = this.ticket;
    const at = { line: this.round.ticket.line };
    if (number === "1") {
      if (prev !== manifest) fail(manifest, prev, at);
      return;
    }
    // Where a chain is required POLICY has failed.
    if (prev === manifest) skip("the chain is off: the round stands by itself");
    const before = this.world.closes.get(`${epoch} ${tenant} ${table} ${BigInt(number) - 1n}`);
    if (before === undefined) skip("the round before is not in the file");
    if (!before.has(prev)) fail([...before].join(" or "), prev, at);
  }

  clientCommit() {
    const { lock } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    // Seeds that do not open can only be voided (D10): where nothing was dealt they are no fault.
    if (this.closesAsVoid && this.round.deal === null) skip("the round is void");
    const at = { line: lock.line };
    const committed = seatsOf(this.ticket.client);
    const { seats } = lock.json;
    const wagering = seatsOf(seats).filter((seat) => seats[seat].wagers.length > 0);
    const revealing = seatsOf(seats).filter((seat) => seats[seat].client_seed !== undefined);
    const wanted = {
      none: committed.length === 0 && revealing.length === 0,
      optional: same(committed, revealing) && committed.every((seat) => wagering.includes(seat)),
      committed: same(committed, revealing) && same(committed, wagering),
    };
    if (!wanted[this.policy.client]) {
      fail(`seeds of the seats ${committed}, for the policy client: ${this.policy.client}`,
        `of ${revealing}, with wagers of ${wagering}`, at);
    }
    for (const seat of revealing) {
      const id = bytes(this.ticket.round_id);
      const opened = toHex(clientCommit(id, seat, bytes(seats[seat].client_seed)));
      if (opened !== this.ticket.client[seat]) {
        fail(`seat ${seat}: ${this.ticket.client[seat]}`, opened, at);
      }
    }
  }

  lockCoversActions() {
    const { close, actions } = this.round;
    if (close === null) skip("no final lock in the file");
    const at = { line: close.line };
    if (this.closesAsVoid) {
      if (actions.length > 0) fail("no action in a void", "actions", at);
      skip("the round is void");
    }
    if (close.json.step !== "final") skip("no final lock in the file");
    const hashes = actions.map((action) => action.hash);
    if (!same(close.json.actions, hashes)) {
      fail(`the actions [${close.json.actions.join(", ")}]`, `[${hashes.join(", ")}]`, at);
    }
    const seats = actions.map((action) => action.json.seat);
    if (seats.some((seat, i) => i > 0 && seat <= seats[i - 1])) {
      fail("one action of each seat, seats ascending", `[${seats}]`, at);
    }
  }

  // The server seed as the close reveals it, or as the revealed epoch secret gives it for a round
  // that shows none.
  get serverSeed() {
    const shown = this.round.settle?.json.server_seed;
    if (shown !== undefined) return bytes(shown);
    const derived = this.derivedSeed;
    // If it does not open the commitment, SEED_WAS_NOT_CHOSEN says so.
    return derived !== null && this.opens(derived) === this.ticket.commit ? derived : null;
  }

  // The reveal of the ticket's epoch, or null. Of two that stand, one that a check of this round
  // has not refused.
  get reveal() {
    return this.world.reveals.find(({ json, line }) =>
      json.epoch === this.ticket.epoch && !this.refused.has(line)) ?? null;
  }

  get derivedSeed() {
    if (this.reveal === null || !this.listed.epoch.salt) return null;
    return serverSeed(bytes(this.reveal.json.epoch_secret), bytes(this.listed.epoch.salt), this.place);
  }

  epochCommit() {
    const { epoch } = this.listed;
    if (epoch.suite === "fresh") skip("fresh");
    const { reveal } = this;
    if (reveal === null) skip("not revealed");
    const opened = toHex(epochCommit(epoch.epoch, bytes(reveal.json.epoch_secret)));
    if (opened !== epoch.commit) fail(epoch.commit, opened, { line: reveal.line });
  }

  needSeed() {
    if (this.round.settle === null) skip("no close of the round in the file");
    if (this.serverSeed !== null) return;
    skip("a void reveals nothing");
  }

  opens(seed) {
    const { round_id: id, ruleset, engine } = this.ticket;
    return toHex(roundCommit(seed, bytes(id), bytes(ruleset), engine));
  }

  commit() {
    const { settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    // Whether an epoch's secret opens a void round is asked by SEED_WAS_NOT_CHOSEN.
    if (this.isVoid) skip("a void reveals nothing");
    const opened = this.opens(bytes(settle.json.server_seed));
    if (opened !== this.ticket.commit) {
      fail(this.ticket.commit, opened, { line: settle.line });
    }
  }

  get clientSeeds() {
    return Object.entries(this.round.lock.json.seats)
      .filter(([, one]) => one.client_seed !== undefined)
      .map(([seat, one]) => [Number(seat), bytes(one.client_seed)]);
  }

  // Without the rules nobody knows whether the game has dice.
  get hasDice() {
    const { ruleset } = this.listed;
    return ruleset === null ? this.round.deal.json.dice.length > 0 : ruleset.dealing.dice === "three";
  }

  // Seed, deck and dice from the revealed seeds alone; the bytes of the file are only compared.
  replay() {
    this.needSeed();
    const { lock, deal, settle } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    if (deal === null) skip("no deal in the file");
    const seed = roundSeed(this.serverSeed, bytes(this.ticket.round_id), this.clientSeeds);
    const deck = deckOf(seed, this.listed.cards);
    const dice = this.hasDice ? diceOf(seed) : [];
    if (settle && !this.isVoid) {
      const at = { line: settle.line };
      if (toHex(seed) !== settle.json.round_seed) fail(toHex(seed), settle.json.round_seed, at);
      if (!same(deck, settle.json.deck)) fail(`the deck ${deck}`, `${settle.json.deck}`, at);
    }
    if (!same(dice, deal.json.dice)) {
      fail(`the dice [${dice}]`, `[${deal.json.dice}]`, { line: deal.line });
    }
    this.played = { seed, deck, dice };
  }

  needPlayed() {
    if (!this.round.deal) skip("no deal in the file");
    if (!this.played) skip("the round could not be replayed");
  }

  deckCommit() {
    this.needPlayed();
    const expected = toHex(deckCommit(this.played.seed, this.played.deck));
    const { deal } = this.round;
    if (expected !== deal.json.deck_commit) {
      fail(expected, deal.json.deck_commit, { line: deal.line });
    }
  }

  // The ruleset, if it is at hand and this code plays it, or why not (D15).
  get rules() {
    const { ruleset } = this.listed;
    if (ruleset === null) return { missing: `ruleset ${this.ticket.ruleset} is not at hand` };
    const { engine } = this.ticket;
    return engine === ENGINE ? { ruleset } : { missing: `the round belongs to engine ${engine}` };
  }

  needRules() {
    if (this.listed === null) skip("no manifest to rely on");
    const { ruleset, missing } = this.rules;
    if (missing) skip(missing);
    return ruleset;
  }

  // The sheet of the lock, or null with the reason in `sheetFault`.
  get sheet() {
    if (this.cachedSheet === undefined) {
      try {
        this.cachedSheet = readSheet(this.needRules(), this.round.lock.json);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        this.cachedSheet = null;
        this.sheetFault = error.message;
      }
    }
    return this.cachedSheet;
  }

  // The lock, which the ruleset has to take.
  needSheet() {
    const { lock } = this.round;
    if (lock === null) skip("no lock of the wagers in the file");
    if (this.refused.has(lock.line)) skip("the lock of the wagers was refused by an earlier check");
    if (this.sheet === null) fail("wagers that the ruleset takes", this.sheetFault, { line: lock.line });
    return lock;
  }

  get hands() {
    if (!this.played) return null;
    const { deck, dice } = this.played;
    return dealtHands(this.listed.ruleset, deck, dice,
      { actionPile: this.sheet.facts.action_pile, active: activeSeats(this.sheet) });
  }

  // What the deck shows to players, and the dealer's cards.
  get dealt() {
    const { deal } = this.round;
    const { missing } = this.rules;
    if (!missing) {
      if (this.round.lock !== null && this.sheet === null) skip("the wagers are not the ruleset's: see RESULTS");
      this.needSheet();
      const { hands } = this;
      return { dealer: hands.get(0),
        visible: Object.fromEntries([...this.sheet.seats.keys()].map((seat) => [seat, hands.get(seat)])) };
    }
    // A deal that states fees follows rules, and they are not here. The published example has
    // none: its ruleset is a bare name.
    if (deal.json.fees !== undefined) skip(missing);
    const { deck } = this.played;
    const packet = (position) => defaultPacket(deck, deal.json.dice, position);
    return { dealer: packet(0),
      visible: Object.fromEntries(Object.keys(deal.json.visible).map((q) => [q, packet(Number(q))])) };
  }

  cardsShown() {
    const { deal, settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    this.needPlayed();
    const { dealer, visible } = this.dealt;
    if (!sameJson(visible, deal.json.visible)) {
      fail(canonical(visible), canonical(deal.json.visible), { line: deal.line });
    }
    if (!this.isVoid && !same(dealer, settle.json.dealer)) {
      fail(`the dealer's cards ${dealer}`, `${settle.json.dealer}`, { line: settle.line });
    }
  }

  // One decision for every seat with a base wager, none for others (src/game/check, D12).
  get decisions() {
    const { actions } = this.round;
    const { ruleset } = this.listed;
    const decisions = new Map();
    for (const action of actions) {
      const { seat, low, house_way: way, double_down: double } = action.json;
      const bad = (found) => fail("a decision that the rules take", found, { line: action.line });
      if (!hasBase(this.sheet, seat) || decisions.has(seat)) bad(`another of seat ${seat}`);
      if (way !== undefined && way !== ruleset.house_way.hash) bad("another house way");
      if (double && !ruleset.double_down) bad("a double down");
      if (low) {
        const cards = this.hands.get(seat);
        if (low.length !== ruleset.hand - 5 || !low.every((card) => cards.includes(card))) {
          bad("low cards that the seat was not dealt");
        }
        if (this.sheet.facts.banker_seat === seat) bad("a banker's hand that he set himself");
      }
      decisions.set(seat, { low, double_down: double ?? false });
    }
    const missing = activeSeats(this.sheet).filter((seat) => !decisions.has(seat));
    if (missing.length > 0) {
      fail("a decision of every seat with a base wager", `none of ${missing}`,
        { line: this.round.settle.line });
    }
    return decisions;
  }

  results() {
    const { deal, settle } = this.round;
    if (settle === null) skip("no close of the round in the file");
    if (this.isVoid) {
      this.voidResults();
      return;
    }
    const ruleset = this.needRules();
    const lock = this.needSheet();
    this.needPlayed();
    if (this.refused.has(deal.line)) skip("the deal was refused by an earlier check");
    const { hands, sheet } = this;
    this.compareFees();
    this.compareLines();
    const action = this.round.actions.find(({ line }) => this.refused.has(line));
    if (action) skip("an action was refused by an earlier check");
    const expected = resultsOf({ ruleset, houseWay: this.world.rules.houseWayOf(ruleset),
      houseWayHash: ruleset.house_way.hash, sheet, hands, dice: this.played.dice,
      decisions: this.decisions });
    this.recomputed = expected;
    if (settle.json.results === undefined) fail("results", "none", { line: settle.line });
    this.compare("results", expected, settle.json.results, settle);
  }

  compareFees() {
    const fees = [...feesOf(this.listed.ruleset, this.sheet)].map(([seat, fee]) => [seat, String(fee)]);
    this.compare("fees", Object.fromEntries(fees), this.round.deal.json.fees, this.round.deal);
  }

  compareLines() {
    const lines = writeFinalLines(finalLines(this.listed.ruleset, this.sheet, this.hands));
    this.compare("lines", lines.length > 0 ? lines : undefined, this.round.deal.json.lines, this.round.deal);
  }

  // A void hands back every stake, and the fees that the deal has taken (D13). A deal only follows
  // wagers that the rules take.
  voidResults() {
    const { lock, deal, settle } = this.round;
    if (deal) {
      this.needRules();
      this.needSheet();
      if (this.refused.has(deal.line)) skip("the deal was refused by an earlier check");
      this.compareFees();
      // The cards are known only once the epoch's secret is.
      if (this.played) this.compareLines();
    }
    if (lock && this.refused.has(lock.line)) skip("the lock of the wagers was refused by an earlier check");
    const back = new Map();
    const add = (seat, amount) => back.set(seat, (back.get(seat) ?? 0n) + BigInt(amount));
    for (const [seat, { wagers }] of Object.entries(lock?.json.seats ?? {})) {
      for (const { amount } of wagers) add(seat, amount);
    }
    for (const [seat, fee] of Object.entries(deal?.json.fees ?? {})) add(seat, fee);
    const returns = [...back].filter(([, amount]) => amount > 0n).map(([seat, amount]) => [seat, String(amount)]);
    this.compare("returns", Object.fromEntries(returns), settle.json.returns, settle);
  }

  compare(what, expected, found, record) {
    if (sameJson(expected, found)) return;
    const [path, wanted, there] = difference(expected, found, what);
    fail(`${path} ${wanted}`, there, { line: record.line });
  }

  seedWasNotChosen() {
    if (this.listed.epoch.suite === "fresh") skip("fresh");
    const derived = this.derivedSeed;
    if (derived === null) skip("not revealed");
    const opened = this.opens(derived);
    // The seed that a close shows opens the same commitment, or COMMIT has failed.
    if (opened !== this.ticket.commit) {
      fail(opened, this.ticket.commit, { line: this.round.ticket.line });
    }
  }
}
return { RoundAudit };
})();
modules["js/audit/index.js"] = (() => {
// An audit: a transcript, the root that is trusted, and the rule files; nothing else (D6).

const { NotCanonical } = modules["js/json.js"];
const { BadPayload, checkPayload } = modules["js/payload.js"];
const { readTranscript } = modules["js/audit/file.js"];
const { Manifests, checkLink } = modules["js/audit/manifests.js"];
const { CODES, Failed, Report, attempt, fail, skip } = modules["js/audit/report.js"];
const { RoundAudit } = modules["js/audit/round.js"];

function checkCanonical(record) {
  try {
    checkPayload(record.kind, record.json);
  } catch (error) {
    if (!(error instanceof NotCanonical || error instanceof BadPayload)) throw error;
    fail("a canonical payload", error.message, { line: record.line });
  }
}

// Only the published example, whose ticket states no policy, leaves members of its locks out (D5).
function checkLockIsWhole({ ticket, lock }) {
  if (ticket.json.policy === undefined || lock?.json.step !== "wagers") return;
  const missing = ["currency", "facts"].find((member) => !(member in lock.json));
  if (missing) {
    fail("a canonical payload", `${missing}: missing`,
      { line: lock.line, refuses: ["ticket", "close"] });
  }
}

// The checks of a round in order, with the records that each relies on.
const CHECKS = [
  ["SIGNATURES", ["ticket"], (audit) => audit.signatures()],
  ["CHAIN", ["ticket", "lock", "deal", "action", "close", "settle"], (audit) => audit.chain()],
  ["POLICY", ["ticket"], (audit) => audit.checkPolicy()],
  ["ROUND_ID", ["ticket"], (audit) => audit.id()],
  ["GENESIS", ["ticket"], (audit) => audit.genesis()],
  ["CLIENT_COMMIT", ["ticket", "lock"], (audit) => audit.clientCommit()],
  ["LOCK_COVERS_ACTIONS", ["close", "action"], (audit) => audit.lockCoversActions()],
  ["COMMIT", ["ticket", "settle"], (audit) => audit.commit()],
  ["REPLAY", ["ticket", "lock", "deal", "settle"], (audit) => audit.replay()],
  ["DECK_COMMIT", ["deal"], (audit) => audit.deckCommit()],
  ["CARDS_SHOWN", ["deal", "settle"], (audit) => audit.cardsShown()],
  ["RESULTS", ["ticket", "settle"], (audit) => audit.results()],
];

const NAMES = { ticket: "the ticket", lock: "the lock of the wagers", deal: "the deal",
  action: "an action", close: "the lock that closes the round", settle: "the close" };

// Audits one round; `world` as `RoundAudit` takes it. Returns { outcomes, audit }.
function auditRound(round, world) {
  const audit = new RoundAudit(round, world);
  const outcomes = [];
  const isRefused = (slot) => [round[slot === "action" ? "actions" : slot]].flat()
    .some((record) => record !== null && audit.refused.has(record.line));
  const run = (code, slots, check) => {
    const outcome = attempt(() => {
      const bad = slots.find(isRefused);
      if (bad) skip(`${NAMES[bad]} was refused by an earlier check`);
      if (slots.includes("ticket") && audit.listed === null) skip("no manifest to rely on");
      check();
    });
    // A check that fails refuses the record that it blames.
    if (outcome.status === "failed" && outcome.line) audit.refused.add(outcome.line);
    outcomes.push({ code, ...outcome });
    return outcome;
  };
  const canonical = run("CANONICAL", [], () => {
    round.records.forEach(checkCanonical);
    checkLockIsWhole(round);
  });
  if (canonical.status === "failed") round.records.forEach(({ line }) => audit.refused.add(line));
  run("MANIFEST_LINK", [], () => {
    if (isRefused("ticket")) skip("the ticket was refused by an earlier check");
    if (!world.reliable) skip("no manifest to rely on");
    const manifest = world.manifests.of(round.ticket);
    if (manifest === null) {
      fail("the ticket's manifest, before it in the file", round.ticket.json.manifest,
        { line: round.ticket.line });
    }
    audit.listed = checkLink(manifest, round.ticket, world.rules);
    audit.manifest = manifest;
  });
  for (const [code, slots, check] of CHECKS) run(code, slots, () => check(audit));
  run("EPOCH_COMMIT", ["ticket"], () => audit.epochCommit());
  run("EPOCH_SALT", ["ticket"], () => world.manifests.checkSalt(audit.listed.epoch));
  run("SALT_AFTER_COMMIT", ["ticket"], () =>
    world.manifests.checkSaltAfterCommit(audit.ticket.epoch, audit.manifest));
  run("SEED_WAS_NOT_CHOSEN", ["ticket"], () => audit.seedWasNotChosen());
  return { outcomes, audit };
}

// Two different records of one round and class (D1). In the fresh suite tickets alone are none (D3).
class Forks {
  constructor() {
    this.seen = new Map();
  }

  // Records that a check refused are no evidence against whoever seems to have signed them.
  add(round, refused) {
    const id = round.ticket.json.round_id;
    const classes = { ticket: round.ticket, lock: round.lock, deal: round.deal, close: round.close,
      settle: round.settle };
    if (round.ticket.json.suite === "fresh" && round.lock === null) delete classes.ticket;
    for (const [name, record] of Object.entries(classes)) {
      if (record === null || refused.has(record.line)) continue;
      const key = `${id} ${name}`;
      const hash = this.seen.get(key);
      if (hash !== undefined && hash !== record.hash) {
        fail(`one ${record.kind} of the round`, `${hash} and ${record.hash}`, { line: record.line });
      }
      if (hash === undefined) this.seen.set(key, record.hash);
    }
  }
}

// What a round's audit needs of the rest of the file.
function worldOf(file, roots, rules, report) {
  const canonical = attempt(() => file.manifests.forEach(checkCanonical));
  if (canonical.status === "failed") report.run("CANONICAL", null, () => {
    throw new Failed(canonical.expected, canonical.found, canonical);
  });
  const manifests = new Manifests(file.manifests);
  const signed = report.run("MANIFEST_SIG", null, () => {
    if (canonical.status === "failed") skip("not canonical");
    manifests.checkSignatures(roots);
  });
  return { manifests, rules, reveals: [], closes: new Map(), roots,
    reliable: signed.status === "passed" };
}

function readReveals(file, world, report) {
  for (const reveal of file.reveals) {
    const good = report.run("CANONICAL", null, () => checkCanonical(reveal)).status === "passed";
    if (!good || !world.reliable) continue;
    const keys = world.manifests.revealKeys(world.roots.keys);
    if (reveal.signatures.length === 0 || !reveal.allSignedBy(keys)) {
      report.run("SIGNATURES", null, () =>
        fail("a signature by the engine or the root", "another, or none", { line: reveal.line }));
      continue;
    }
    const opened = report.run("EPOCH_COMMIT", null, () => world.manifests.checkReveal(reveal));
    if (opened.status === "passed") world.reveals.push(reveal);
  }
}

// Which record closes each round, for the round after it; a forked round has two.
function readCloses(file, world) {
  for (const { ticket, settle } of file.rounds) {
    // The link is over the bytes of the close, whatever they are worth.
    if (settle === null || attempt(() => checkCanonical(ticket)).status !== "passed") continue;
    const { epoch, tenant, table, round_no: number } = ticket.json;
    const key = `${epoch} ${tenant} ${table} ${number}`;
    if (!world.closes.has(key)) world.closes.set(key, new Set());
    world.closes.get(key).add(settle.hash);
  }
}

// A generator: it yields { done, of, what } now and then and returns the report. `roots` is
// { keys: [hex], threshold }. `onRound` sees each round's audit, which is then let go.
function* audit(text, roots, rules, onRound = () => {}) {
  const report = new Report();
  let file;
  try {
    file = yield* readTranscript(text);
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    report.run("FORMAT", null, () => {
      throw error;
    });
    for (const { code } of report.checks.slice(1)) {
      report.note(code, { status: "skipped", found: "the file was refused by FORMAT" });
    }
    return report.finish();
  }
  report.note("FORMAT", { status: "passed" });
  if (file.records > 0) report.note("CANONICAL", { status: "passed" });
  const world = worldOf(file, roots, rules, report);
  readReveals(file, world, report);
  readCloses(file, world);
  const forks = new Forks();
  report.file = file;
  report.world = world;
  for (const round of file.rounds) {
    const where = `round ${round.number}`;
    const { outcomes, audit: done } = auditRound(round, world);
    for (const { code, line, ...outcome } of outcomes) {
      const there = outcome.status === "passed" ? undefined
        : line ? `${where}, line ${line}` : where;
      report.note(code, { ...outcome, where: there });
      report.counts[code][outcome.status] += 1;
    }
    const results = outcomes.find(({ code }) => code === "RESULTS");
    if (round.settle === null || results.status === "skipped") report.incomplete = true;
    // What cannot be read is no evidence of a fork.
    report.run("NO_FORK", where, () => {
      if (outcomes[0].status === "passed") forks.add(round, done.refused);
    });
    report.rounds.push({ number: round.number,
      failed: outcomes.find(({ status }) => status === "failed")?.code ?? null,
      ...done.summary });
    onRound(round, done, outcomes);
    // What one round needed is not kept for all.
    for (const record of round.records) record.cachedJson = undefined;
    yield { done: round.number, of: file.rounds.length, what: "checking" };
  }
  return report.finish();
}


// Runs an audit in one go.
function auditNow(text, roots, rules, onRound) {
  const steps = audit(text, roots, rules, onRound);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
return { auditRound, audit, auditNow, CODES };
})();
modules["js/data.js"] = (() => {
// Written by `deploy/verifier/update` from the rule files; not edited by hand.

const rulesets = [
  [ // src/game/rulesets/express-2.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 2. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-2\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 2\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"5000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 100000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"1000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"750/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 10000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"250/1\"",
    "condition = \"five_aces\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"100/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 2500",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 1000",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"20/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-pair\"",
    "title = \"Three Pair\"",
    "pays = \"push\"",
    "condition = \"three_pair\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express-3.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 3. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-3\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 3\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"8000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 500000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"2000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 100000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"1000/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 50000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"400/1\"",
    "condition = \"five_aces\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"150/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2000",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express-4.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 4. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-4\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 4\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"5000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 300000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"2000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 100000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"1000/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 50000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"400/1\"",
    "condition = \"five_aces\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"150/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2000",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express-5.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 5. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-5\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 5\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"2500/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 100000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"1000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 75000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"750/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"250/1\"",
    "condition = \"five_aces\"",
    "others_minor = 10000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"125/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2000",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express-6.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 6. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-6\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 6\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"5000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 250000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"2000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 50000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"1000/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"400/1\"",
    "condition = \"five_aces\"",
    "others_minor = 15000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"150/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5500",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2500",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 600",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express-7.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 7. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express-7\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 7\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-7-card-s-f\"",
    "title = \"Natural 7 Card S/F\"",
    "pays = \"5000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 250000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-a-qs\"",
    "title = \"Royal Flush + A/Qs\"",
    "pays = \"1000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 50000",
    "",
    "[[bets.rows]]",
    "id = \"wild-7-card-s-f\"",
    "title = \"Wild 7 Card S/F\"",
    "pays = \"500/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 25000",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"300/1\"",
    "condition = \"five_aces\"",
    "others_minor = 15000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"110/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5500",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"45/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2500",
    "",
    "[[bets.rows]]",
    "id = \"4-of-a-kind\"",
    "title = \"4 of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 600",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/express.toml
    "# Commission Free Pai Gow Express with Dynasty pay table 1. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"express\"",
    "family = \"express\"",
    "title = \"Commission Free Pai Gow Express, Dynasty pay table 1\"",
    "source = \"Commission Free Pai Gow Express, rules of play (Rev-February 2024)\"",
    "notes = [\"Some pay tables are only available in certain jurisdictions.\"]",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"counter-clockwise\"",
    "dice = \"three\"",
    "# \"active-only\" is the alternative of the source, rule 8b.",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# Instead of a commission every wager pushes when the dealer holds a queen-high pai",
    "# gow. A foul hand loses first.",
    "push_on_dealer = \"queen_high\"",
    "push_beats_foul = false",
    "",
    "# The dealer's seven cards.",
    "[[bets]]",
    "id = \"queens_dragon\"",
    "title = \"Queen's Dragon\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"dealer-queens-dragon\"",
    "title = \"Dealer Queen's Dragon\"",
    "pays = \"50/1\"",
    "condition = \"queen_high\"",
    "",
    "# The seven cards of the seat. An envy bonus, in others_minor, is paid for each other",
    "# player's hand to whoever has bet at least the threshold.",
    "[[bets]]",
    "id = \"dynasty\"",
    "title = \"Dynasty Bonus\"",
    "needs_base = true",
    "others = { bet = \"envy\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"natural-luhn-tao-wheel-with-aq-suited\"",
    "title = \"Natural Luhn Tao Wheel with AQ Suited\"",
    "pays = \"2000/1\"",
    "condition = \"luhn_tao_wheel_with_ace_queen\"",
    "others_minor = 50000",
    "",
    "[[bets.rows]]",
    "id = \"seven-card-natural-straight-flush\"",
    "title = \"Seven Card Natural Straight Flush\"",
    "pays = \"2000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "others_minor = 40000",
    "",
    "[[bets.rows]]",
    "id = \"natural-royal-flush-with-aq-suited\"",
    "title = \"Natural Royal Flush With AQ Suited\"",
    "pays = \"1000/1\"",
    "condition = \"royal_flush_with_ace_queen\"",
    "others_minor = 30000",
    "",
    "[[bets.rows]]",
    "id = \"seven-card-wild-straight-flush\"",
    "title = \"Seven Card Wild Straight Flush\"",
    "pays = \"1000/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "others_minor = 20000",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"Five Aces\"",
    "pays = \"500/1\"",
    "condition = \"five_aces\"",
    "others_minor = 10000",
    "",
    "[[bets.rows]]",
    "id = \"luhn-tao-wheel\"",
    "title = \"Luhn Tao Wheel\"",
    "pays = \"120/1\"",
    "condition = \"luhn_tao_wheel\"",
    "others_minor = 7500",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"120/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 2000",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "# A low hand: no pair, no straight and no flush, or the five lowest cards of a suit.",
    "[[bets]]",
    "id = \"protection\"",
    "title = \"Protection\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"a-5-natural-straight-flush\"",
    "title = \"A-5 Natural Straight Flush\"",
    "pays = \"120/1\"",
    "condition = \"natural_ace_to_five_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-pai-gow\"",
    "title = \"9 High Pai Gow\"",
    "pays = \"100/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ten-high\"",
    "title = \"Ten-High Pai Gow\"",
    "pays = \"25/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"jack-high\"",
    "title = \"Jack-High Pai Gow\"",
    "pays = \"15/1\"",
    "condition = \"jack_high\"",
    "",
    "[[bets.rows]]",
    "id = \"queen-high\"",
    "title = \"Queen-High Pai Gow\"",
    "pays = \"7/1\"",
    "condition = \"queen_high\"",
    "",
    "[[bets.rows]]",
    "id = \"king-high\"",
    "title = \"King-High Pai Gow\"",
    "pays = \"5/1\"",
    "condition = \"king_high\"",
    "",
    "[[bets.rows]]",
    "id = \"ace-high\"",
    "title = \"Ace-High Pai Gow\"",
    "pays = \"3/1\"",
    "condition = \"ace_high\"",
    "",
    "# The player names the colour; the joker is of neither.",
    "[[bets]]",
    "id = \"red_black\"",
    "title = \"Red/Black\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"7-cards-of-the-chosen-color\"",
    "title = \"7 cards of the chosen color\"",
    "pays = \"5/1\"",
    "condition = \"seven_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"6-cards-of-the-chosen-color\"",
    "title = \"6 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"six_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"5-cards-of-the-chosen-color\"",
    "title = \"5 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"five_of_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"4-cards-of-the-chosen-color\"",
    "title = \"4 cards of the chosen color\"",
    "pays = \"1/1\"",
    "condition = \"four_of_colour\"",
    "",
  ],
  [ // src/game/rulesets/mania.toml
    "# Pai Gow Mania. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"mania\"",
    "family = \"mania\"",
    "title = \"Pai Gow Mania\"",
    "source = \"Pai Gow Mania, rules and pay tables\"",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "# The source leaves the house way to the house.",
    "house_way = { id = \"trump-plaza\", hash = \"3e2198d92890e35bf96d21116f2e88cab42ce2dd5860571de03399b3b86c9dcd\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "[dealing]",
    "# Three cards to each position in turn, then four.",
    "procedure = \"streets\"",
    "streets = [3, 4]",
    "direction = \"clockwise\"",
    "dice = \"three\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }",
    "",
    "# The first three cards dealt: final before the other four are.",
    "[[bets]]",
    "id = \"three_card\"",
    "title = \"3 Card Bonus\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"st-flush-no-joker\"",
    "title = \"St. Flush-No Joker\"",
    "pays = \"40/1\"",
    "condition = \"natural_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"3-of-a-kind\"",
    "title = \"3 of a Kind\"",
    "pays = \"30/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"5/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"4/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"3/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"one-pair\"",
    "title = \"One Pair\"",
    "pays = \"1/1\"",
    "condition = \"pair\"",
    "",
    "# The best five of the seven cards, however they are set.",
    "[[bets]]",
    "id = \"pai_gow_bonus\"",
    "title = \"Pai Gow Bonus\"",
    "needs_base = true",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"5 Aces\"",
    "pays = \"1000/1\"",
    "condition = \"five_aces\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"250/1\"",
    "condition = \"royal_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"50/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
  ],
  [ // src/game/rulesets/mikes.toml
    "# Pai Gow Poker as Mike's Card Room plays it. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or a band too many is refused. A released",
    "# file is never edited, as its hash stands in the records: a change is a new id.",
    "schema = 1",
    "id = \"mikes\"",
    "family = \"mikes\"",
    "title = \"Mike's Card Room Pai Gow Poker with Wrangler Push and Outlaw 9 High or Better\"",
    "source = \"Mike's Card Room, BGC ID GEGA-004364 (November 2014)\"",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"mikes\", hash = \"2be74b99cc723c2b2de7e11c7b25a8ad455dbae20834dfecdbae65e2cb332ead\" }",
    "",
    "# The player-dealer pays and collects, and may win or lose no more than he put up.",
    "coverage = \"player-dealer\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "# Seven piles, left to right and right to left in turn; four cards are discarded.",
    "procedure = \"zigzag\"",
    "direction = \"clockwise\"",
    "# Three dice name the seat that is dealt to first.",
    "dice = \"three\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = [\"action_pile\", \"bank_minor\"]",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "minimum_minor = 1000",
    "",
    "# Flat amounts, taken before the deal. The last band has no upper end. The player's",
    "# bands are read from merged cells of the source.",
    "[fees]",
    "player = [",
    "  { up_to_minor = 30000, fee_minor = 100 },",
    "  { fee_minor = 200 },",
    "]",
    "# By the sum of all base wagers; none without a base wager.",
    "player_dealer = [",
    "  { up_to_minor = 10000, fee_minor = 100 },",
    "  { up_to_minor = 20000, fee_minor = 200 },",
    "  { up_to_minor = 30000, fee_minor = 300 },",
    "  { up_to_minor = 40000, fee_minor = 400 },",
    "  { fee_minor = 500 },",
    "]",
    "",
    "# The bets in the order in which each seat is settled, after its base wager.",
    "[[bets]]",
    "id = \"wrangler_push\"",
    "title = \"Wrangler Push\"",
    "needs_base = false",
    "",
    "[[bets.rows]]",
    "id = \"push-with-2-card-hand-of-3s-or-higher\"",
    "title = \"Push with 2 Card Hand of 3's or Higher\"",
    "pays = \"2/1\"",
    "condition = \"push_with_threes_or_better\"",
    "",
    "[[bets.rows]]",
    "id = \"push\"",
    "title = \"Push\"",
    "pays = \"1/1\"",
    "condition = \"push\"",
    "",
    "[[bets]]",
    "id = \"outlaw_9\"",
    "title = \"Outlaw 9 High or Better\"",
    "needs_base = false",
    "# \"any\" is the printed words; \"no_pair\" asks for seven different ranks, as the 9- and",
    "# 10-high rows do.",
    "one_colour = \"no_pair\"",
    "",
    "[[bets.rows]]",
    "id = \"7-card-straight-flush\"",
    "title = \"7-Card Straight Flush\"",
    "pays = \"4000/1\"",
    "condition = \"natural_seven_card_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush-and-royal-match\"",
    "title = \"Royal Flush and Royal Match\"",
    "pays = \"2000/1\"",
    "condition = \"royal_match\"",
    "",
    "[[bets.rows]]",
    "id = \"7-card-straight-flush-with-joker\"",
    "title = \"7-Card Straight Flush with Joker\"",
    "pays = \"1000/1\"",
    "condition = \"joker_seven_card_straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"5-aces\"",
    "title = \"5 Aces\"",
    "pays = \"200/1\"",
    "condition = \"five_aces\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"100/1\"",
    "condition = \"royal_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"40/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"25/1\"",
    "condition = \"four_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"9-high-seven-cards\"",
    "title = \"9 High Seven Cards, with no straights, flushes, pairs or Jokers\"",
    "pays = \"12/1\"",
    "condition = \"nine_high\"",
    "",
    "[[bets.rows]]",
    "id = \"10-high-seven-cards\"",
    "title = \"10 High Seven Cards, with no straights, flushes, pairs or Joker\"",
    "pays = \"10/1\"",
    "condition = \"ten_high\"",
    "",
    "[[bets.rows]]",
    "id = \"seven-cards-all-red-or-black\"",
    "title = \"Seven Cards all Red or Black with no straights or flushes\"",
    "pays = \"8/1\"",
    "condition = \"one_colour\"",
    "",
    "[[bets.rows]]",
    "id = \"seven-cards-all-red-or-black-with-a-joker\"",
    "title = \"Seven Cards all Red or Black with no straights or flushes with a joker\"",
    "pays = \"6/1\"",
    "condition = \"one_colour_with_joker\"",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"5/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"4/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"2/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-pairs\"",
    "title = \"Three Pairs\"",
    "pays = \"1/1\"",
    "condition = \"three_pair\"",
    "",
  ],
  [ // src/game/rulesets/mini-b.toml
    "# Mini Pai Gow with pay table B. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"mini-b\"",
    "family = \"mini\"",
    "title = \"Mini Pai Gow, Bonus pay table B\"",
    "source = \"Mini Pai Gow Dealing Procedures\"",
    "notes = [",
    "  \"Washington State: wagering limits are those of WAC 230-15-040 and WAC 230-15-140.\",",
    "  \"Whether a player may bank depends on the jurisdiction.\",",
    "]",
    "",
    "cards = 53",
    "# Five cards in the high hand and one in the low hand, where the joker beats an ace.",
    "hand = 6",
    "seats = 7",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"mini\", hash = \"71a7ca2039b010ace399a7bdb05a607c92c862b391d5dbdf337856c53fb20edb\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "# Packets of six to the seats from 1 on and then to the dealer, whoever sits.",
    "procedure = \"packets\"",
    "direction = \"clockwise\"",
    "dice = \"none\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"bank_minor\", \"banker_seat\", \"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "",
    "[double_down]",
    "# \"The dealer must qualify with a recommended pair of 5s or higher.\"",
    "dealer_qualifies = \"55\"",
    "",
    "# The player/banker option.",
    "[banking]",
    "banker_sets = \"house-way\"",
    "bank_per_base = 2",
    "# Of winning wagers; of the banker's net win.",
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }",
    "",
    "# The best five of the six cards, however they are set.",
    "[[bets]]",
    "id = \"bonus\"",
    "title = \"Bonus\"",
    "needs_base = true",
    "minimum_minor = 100",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"Five Aces\"",
    "pays = \"1000/1\"",
    "condition = \"five_aces\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"250/1\"",
    "condition = \"royal_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"75/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"50/1\"",
    "condition = \"four_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"20/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"7/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"4/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"two-pair\"",
    "title = \"Two Pair\"",
    "pays = \"1/1\"",
    "condition = \"two_pair\"",
    "",
  ],
  [ // src/game/rulesets/mini-c.toml
    "# Mini Pai Gow with pay table C. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"mini-c\"",
    "family = \"mini\"",
    "title = \"Mini Pai Gow, Bonus pay table C\"",
    "source = \"Mini Pai Gow Dealing Procedures\"",
    "notes = [",
    "  \"Washington State: wagering limits are those of WAC 230-15-040 and WAC 230-15-140.\",",
    "  \"Whether a player may bank depends on the jurisdiction.\",",
    "]",
    "",
    "cards = 53",
    "# Five cards in the high hand and one in the low hand, where the joker beats an ace.",
    "hand = 6",
    "seats = 7",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"mini\", hash = \"71a7ca2039b010ace399a7bdb05a607c92c862b391d5dbdf337856c53fb20edb\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "# Packets of six to the seats from 1 on and then to the dealer, whoever sits.",
    "procedure = \"packets\"",
    "direction = \"clockwise\"",
    "dice = \"none\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"bank_minor\", \"banker_seat\", \"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "",
    "[double_down]",
    "# \"The dealer must qualify with a recommended pair of 5s or higher.\"",
    "dealer_qualifies = \"55\"",
    "",
    "# The player/banker option.",
    "[banking]",
    "banker_sets = \"house-way\"",
    "bank_per_base = 2",
    "# Of winning wagers; of the banker's net win.",
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }",
    "",
    "# The best five of the six cards, however they are set.",
    "[[bets]]",
    "id = \"bonus\"",
    "title = \"Bonus\"",
    "needs_base = true",
    "minimum_minor = 100",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"Five Aces\"",
    "pays = \"1000/1\"",
    "condition = \"five_aces\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"250/1\"",
    "condition = \"royal_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"75/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"50/1\"",
    "condition = \"four_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"20/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"8/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"4/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"two-pair\"",
    "title = \"Two Pair\"",
    "pays = \"1/1\"",
    "condition = \"two_pair\"",
    "",
  ],
  [ // src/game/rulesets/mini-community.toml
    "# Mini Pai Gow with the Community Bonus. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"mini-community\"",
    "family = \"mini\"",
    "title = \"Mini Pai Gow, Bonus with Community Bonus\"",
    "source = \"Mini Pai Gow Dealing Procedures\"",
    "notes = [",
    "  \"Washington State: wagering limits are those of WAC 230-15-040 and WAC 230-15-140.\",",
    "  \"Whether a player may bank depends on the jurisdiction.\",",
    "]",
    "",
    "cards = 53",
    "# Five cards in the high hand and one in the low hand, where the joker beats an ace.",
    "hand = 6",
    "seats = 7",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"mini\", hash = \"71a7ca2039b010ace399a7bdb05a607c92c862b391d5dbdf337856c53fb20edb\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "# Packets of six to the seats from 1 on and then to the dealer, whoever sits.",
    "procedure = \"packets\"",
    "direction = \"clockwise\"",
    "dice = \"none\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"bank_minor\", \"banker_seat\", \"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "",
    "[double_down]",
    "# \"The dealer must qualify with a recommended pair of 5s or higher.\"",
    "dealer_qualifies = \"55\"",
    "",
    "# The player/banker option.",
    "[banking]",
    "banker_sets = \"house-way\"",
    "bank_per_base = 2",
    "# Of winning wagers; of the banker's net win.",
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }",
    "",
    "# The best five of the six cards, however they are set.",
    "[[bets]]",
    "id = \"bonus\"",
    "title = \"Bonus\"",
    "needs_base = true",
    "minimum_minor = 100",
    "others = { bet = \"community\", threshold_minor = 500 }",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"Five Aces\"",
    "pays = \"1000/1\"",
    "condition = \"five_aces\"",
    "others_minor = 100000",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"250/1\"",
    "condition = \"royal_flush\"",
    "others_minor = 20000",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"100/1\"",
    "condition = \"straight_flush\"",
    "others_minor = 5000",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"50/1\"",
    "condition = \"four_of_a_kind\"",
    "others_minor = 1500",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"15/1\"",
    "condition = \"full_house\"",
    "others_minor = 500",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"6/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"4/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"two-pair\"",
    "title = \"Two Pair\"",
    "pays = \"1/1\"",
    "condition = \"two_pair\"",
    "",
  ],
  [ // src/game/rulesets/mini.toml
    "# Mini Pai Gow with pay table A. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"mini\"",
    "family = \"mini\"",
    "title = \"Mini Pai Gow, Bonus pay table A\"",
    "source = \"Mini Pai Gow Dealing Procedures\"",
    "notes = [",
    "  \"Washington State: wagering limits are those of WAC 230-15-040 and WAC 230-15-140.\",",
    "  \"Whether a player may bank depends on the jurisdiction.\",",
    "]",
    "",
    "cards = 53",
    "# Five cards in the high hand and one in the low hand, where the joker beats an ace.",
    "hand = 6",
    "seats = 7",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"mini\", hash = \"71a7ca2039b010ace399a7bdb05a607c92c862b391d5dbdf337856c53fb20edb\" }",
    "",
    "coverage = \"house\"",
    "# Every bonus bet and the base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "# Every amount below is in minor units of this currency.",
    "[currency]",
    "code = \"USD\"",
    "exponent = 2",
    "",
    "[dealing]",
    "# Packets of six to the seats from 1 on and then to the dealer, whoever sits.",
    "procedure = \"packets\"",
    "direction = \"clockwise\"",
    "dice = \"none\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "required = []",
    "optional = [\"bank_minor\", \"banker_seat\", \"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "",
    "[double_down]",
    "# \"The dealer must qualify with a recommended pair of 5s or higher.\"",
    "dealer_qualifies = \"55\"",
    "",
    "# The player/banker option.",
    "[banking]",
    "banker_sets = \"house-way\"",
    "bank_per_base = 2",
    "# Of winning wagers; of the banker's net win.",
    "commission = { rate = \"1/20\", rounding = \"half-up\", increment = \"minor-unit\" }",
    "",
    "# The best five of the six cards, however they are set.",
    "[[bets]]",
    "id = \"bonus\"",
    "title = \"Bonus\"",
    "needs_base = true",
    "minimum_minor = 100",
    "",
    "[[bets.rows]]",
    "id = \"five-aces\"",
    "title = \"Five Aces\"",
    "pays = \"1000/1\"",
    "condition = \"five_aces\"",
    "",
    "[[bets.rows]]",
    "id = \"royal-flush\"",
    "title = \"Royal Flush\"",
    "pays = \"250/1\"",
    "condition = \"royal_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight-flush\"",
    "title = \"Straight Flush\"",
    "pays = \"75/1\"",
    "condition = \"straight_flush\"",
    "",
    "[[bets.rows]]",
    "id = \"four-of-a-kind\"",
    "title = \"Four of a Kind\"",
    "pays = \"50/1\"",
    "condition = \"four_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"full-house\"",
    "title = \"Full House\"",
    "pays = \"20/1\"",
    "condition = \"full_house\"",
    "",
    "[[bets.rows]]",
    "id = \"flush\"",
    "title = \"Flush\"",
    "pays = \"7/1\"",
    "condition = \"flush\"",
    "",
    "[[bets.rows]]",
    "id = \"straight\"",
    "title = \"Straight\"",
    "pays = \"5/1\"",
    "condition = \"straight\"",
    "",
    "[[bets.rows]]",
    "id = \"three-of-a-kind\"",
    "title = \"Three of a Kind\"",
    "pays = \"3/1\"",
    "condition = \"three_of_a_kind\"",
    "",
    "[[bets.rows]]",
    "id = \"two-pair\"",
    "title = \"Two Pair\"",
    "pays = \"1/1\"",
    "condition = \"two_pair\"",
    "",
  ],
  [ // src/game/rulesets/online.toml
    "# Pai Gow Poker as played online. The engine reads this file strictly: an",
    "# unknown key, a row out of paying order or one that no hand reaches is refused. A",
    "# released file is never edited, as its hash stands in the records: a change is a new",
    "# id.",
    "schema = 1",
    "id = \"online\"",
    "family = \"online\"",
    "title = \"Online Pai Gow Poker\"",
    "source = \"Pai Gow Poker, online rules and house way\"",
    "",
    "cards = 53",
    "hand = 7",
    "seats = 6",
    "joker = \"semi-wild\"",
    "wheel = \"second\"",
    "house_way = { id = \"online\", hash = \"ff6aeef1a6db66411062bf7a450a2fa85a2e4629e83418a1019a2986e0868175\" }",
    "",
    "coverage = \"house\"",
    "# The base game must return at most 100 %.",
    "allow_player_advantage = false",
    "",
    "[dealing]",
    "procedure = \"packets\"",
    "direction = \"clockwise\"",
    "dice = \"three\"",
    "dead_hands = \"all-positions\"",
    "",
    "[facts]",
    "# Commission and wagers hang on the lowest chip.",
    "required = [\"chip_minor\"]",
    "optional = [\"table_max_minor\", \"table_min_minor\"]",
    "",
    "[base]",
    "pays = \"1/1\"",
    "# \"Commission is rounded up to a quarter of the lowest chip denomination in the game.\"",
    "commission = { rate = \"1/20\", rounding = \"up\", increment = \"quarter-chip\" }",
    "",
  ],
].map((lines) => lines.join("\n"));

const houseWays = [
  [ // src/house_way/charts/ballys-ac.toml
    "# Bally's, Atlantic City, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"ballys-ac\"",
    "title = \"Bally's Pai Gow Poker House Way\"",
    "source = \"Bally's, Atlantic City: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads-and-three.aces\"",
    "text = \"Four of a kind and three of a kind: a pair of the trips low; aces only with kings.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"A\"",
    "second_rank = \"QJT98765432\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads-and-three\"",
    "text = \"Four of a kind and three of a kind: a pair of the trips low; aces only with kings.\"",
    "groups = [\"4+3\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads-and-pair.aces\"",
    "text = \"Four of a kind and a pair: pair low; aces only with kings.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"A\"",
    "second_rank = \"QJT98765432\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads-and-pair\"",
    "text = \"Four of a kind and a pair: pair low; aces only with kings.\"",
    "groups = [\"4+2+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads.aces\"",
    "text = \"Four of a kind, aces: split always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads.kings-to-tens-kept\"",
    "text = \"Four of a kind, kings to tens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJT\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads.kings-to-tens\"",
    "text = \"Four of a kind, kings to tens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJT\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.quads.nines-or-lower\"",
    "text = \"Four of a kind, nines and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"98765432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.full-house.ace-king\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "second_rank = \"2\"",
    "singletons_at_least = \"AK\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.full-house\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"ballys-ac.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"ballys-ac.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# Two pair: low pairs are twos to sixes, middle sevens to tens, high jacks to kings. Also",
    "# with a straight or a flush.",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.aces\"",
    "text = \"Two pair, aces with any: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.high-low-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.high-low\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.middle-middle-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.middle-middle\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.high\"",
    "text = \"Two pair, middle with high or high with high: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.low-kept\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.two-pair.low\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "front = \"second-group\"",
    "",
    "# With a natural ace beside the joker, and so a pair.",
    "[[clause]]",
    "id = \"ballys-ac.one-pair-complete.aces\"",
    "text = \"An ace-high straight or straight flush made with the joker is played as a pair of aces, unless A-2-3-4-5 or a lower straight can be played.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"ace-high-by-joker-only\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.one-pair-complete.pair-low\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.one-pair-complete\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.no-pair-complete\"",
    "text = \"Straight, flush or straight flush without a pair: the two highest low that leave any complete hand.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"ballys-ac.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/claridge.toml
    "# Claridge, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"claridge\"",
    "title = \"Claridge Pai Gow Poker House Way\"",
    "source = \"Claridge: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"claridge.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads-and-three\"",
    "text = \"Four of a kind and three of a kind: a pair of the trips low.\"",
    "groups = [\"4+3\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads-and-pair\"",
    "text = \"Four of a kind and a pair: pair low.\"",
    "groups = [\"4+2+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads.aces-to-jacks\"",
    "text = \"Four of a kind, aces to jacks: split always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"AKQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads.tens-to-sevens-kept\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.quads.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"65432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.full-house\"",
    "text = \"Full house: pair low always.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"claridge.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"claridge.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"claridge.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# Two pair: low pairs are twos to sixes, middle sevens to tens, high jacks to kings. Also",
    "# with a straight or a flush.",
    "[[clause]]",
    "id = \"claridge.two-pair.aces\"",
    "text = \"Two pair, aces with any: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.high-low-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.high-low\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.middle-middle-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.middle-middle\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.high\"",
    "text = \"Two pair, middle with high or high with high: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.low-kept\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.two-pair.low\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"claridge.one-pair-complete.pair-low\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"claridge.one-pair-complete\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"claridge.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"claridge.no-pair-complete\"",
    "text = \"Straight, flush or straight flush without a pair: the two highest low that leave any complete hand.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"claridge.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/flamingo-lv.toml
    "# Flamingo, Las Vegas, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"flamingo-lv\"",
    "title = \"Flamingo Pai Gow Poker House Way\"",
    "source = \"Flamingo, Las Vegas: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "# With a pair or three of a kind the low hand left is a pair of these.",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.aces-kept\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"A\"",
    "second_rank = \"KQJT987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.kings-to-jacks-kept\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"AKQJT\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "# Any pair is more than that.",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace and a face card low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-three.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.aces-kept\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"A\"",
    "second_rank = \"KQJT987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.kings-to-jacks-kept\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"AKQJT\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace and a face card low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads-and-pair.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads.tens-to-sevens-kept\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace and a face card low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"AJ\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace and a face card low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.quads.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"65432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.full-house.ace-king\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "second_rank = \"2\"",
    "singletons_at_least = \"AK\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.full-house\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"flamingo-lv.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"flamingo-lv.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# These three also with a straight or a flush, which is not kept with such pairs.",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair.aces\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair.tens-or-higher\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"QJT\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair.tens-or-lower-kept\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T9876543\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair-complete\"",
    "text = \"Straight, flush or straight flush with two pair: keep it, except aces with any; both tens or higher; both tens or lower with an ace singleton: as two pair.\"",
    "groups = [\"2+2+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair.face-and-low-kept\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"5432\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair.sixes-or-lower-kept\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"6543\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.two-pair\"",
    "text = \"Two pair: keep both if both are sixes or lower; if both are tens or lower with an ace; if one is a face pair and one is fives or lower, with an ace; otherwise split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.royal-flush-given-up\"",
    "text = \"Royal flush with one pair: keep it; given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.royal-flush\"",
    "text = \"Royal flush with one pair: keep it; given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.straight-flush-given-up\"",
    "text = \"Straight flush with one pair: keep it; given up for a straight or a flush if that puts an ace and a face card or a pair low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"AJ\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.straight-flush\"",
    "text = \"Straight flush with one pair: keep it; given up for a straight or a flush if that puts an ace and a face card or a pair low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.flush-given-up\"",
    "text = \"Flush with one pair: keep it; given up for a straight if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete.flush\"",
    "text = \"Flush with one pair: keep it; given up for a straight if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair-complete\"",
    "text = \"Straight with one pair: keep it, the best low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.royal-flush-given-up\"",
    "text = \"Royal flush without a pair: keep it; given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.royal-flush\"",
    "text = \"Royal flush without a pair: keep it; given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.straight-flush-given-up\"",
    "text = \"Straight flush without a pair: keep it; given up for a straight or a flush if that puts an ace and a face card or a pair low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"AJ\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.straight-flush\"",
    "text = \"Straight flush without a pair: keep it; given up for a straight or a flush if that puts an ace and a face card or a pair low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.flush-given-up\"",
    "text = \"Flush without a pair: keep it; given up for a straight if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete.flush\"",
    "text = \"Flush without a pair: keep it; given up for a straight if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair-complete\"",
    "text = \"Straight without a pair: keep it, the best low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"flamingo-lv.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/foxwoods.toml
    "# Foxwoods, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"foxwoods\"",
    "title = \"Foxwoods Pai Gow Poker House Way\"",
    "source = \"Foxwoods: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads-and-three\"",
    "text = \"Four of a kind and three of a kind: a pair of the trips low.\"",
    "groups = [\"4+3\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads-and-pair\"",
    "text = \"Four of a kind and a pair: pair low.\"",
    "groups = [\"4+2+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads.aces-to-jacks\"",
    "text = \"Four of a kind, aces to jacks: split always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"AKQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads.tens-to-sevens-kept\"",
    "text = \"Four of a kind, tens to sevens: keep them with at least a king low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with at least a king low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.quads.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"65432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "# Two of the trips are lower than the pair, or foul in front of it.",
    "[[clause]]",
    "id = \"foxwoods.full-house\"",
    "text = \"Full house: highest permissible pair low.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"foxwoods.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"foxwoods.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# Two pair: also with a straight or a flush.",
    "[[clause]]",
    "id = \"foxwoods.two-pair.aces-to-jacks\"",
    "text = \"Two pair, the big pair aces to jacks: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"AKQJ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.two-pair.tens-to-sevens-kept\"",
    "text = \"Two pair, the big pair tens to sevens: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.two-pair.tens-to-sevens\"",
    "text = \"Two pair, the big pair tens to sevens: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.two-pair.sixes-or-lower-kept\"",
    "text = \"Two pair, the big pair sixes or lower: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"6543\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.two-pair.sixes-or-lower\"",
    "text = \"Two pair, the big pair sixes or lower: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"6543\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.one-pair-complete.ace\"",
    "text = \"Straight, flush or straight flush with one pair: the best low hand, pair or not, that leaves a complete hand; except an ace and a pair of kings, queens, jacks or tens: pair high and ace low if the low hand is improved.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "first_rank = \"KQJT\"",
    "straight_or_flush = \"held\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "front_beats = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.one-pair-complete\"",
    "text = \"Straight, flush or straight flush with one pair: the best low hand, pair or not, that leaves a complete hand; except an ace and a pair of kings, queens, jacks or tens: pair high and ace low if the low hand is improved.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.no-pair-complete\"",
    "text = \"Straight, flush or straight flush without a pair: the two highest low that leave any complete hand.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"foxwoods.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/golden-nugget-lv.toml
    "# Golden Nugget, Las Vegas, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"golden-nugget-lv\"",
    "title = \"Golden Nugget Pai Gow Poker House Way\"",
    "source = \"Golden Nugget, Las Vegas: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "# With a pair or three of a kind the low hand left is a pair of these.",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.aces-kept\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"A\"",
    "second_rank = \"KQJT987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.kings-to-jacks-kept\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"AKQJT\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "# Any pair is more than that.",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-three.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+3\"]",
    "first_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.aces-kept\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"A\"",
    "second_rank = \"KQJT987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.kings-to-jacks-kept\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"AKQJT\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads-and-pair.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+2+1\"]",
    "first_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads.aces\"",
    "text = \"Four of a kind, aces: keep them with at least a pair of sevens low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with at least a pair of tens low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads.tens-to-sevens-kept\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.quads.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"65432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.full-house.ace-king\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "second_rank = \"2\"",
    "singletons_at_least = \"AK\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.full-house\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"golden-nugget-lv.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"golden-nugget-lv.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# These three also with a straight or a flush, which is not kept with such pairs.",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair.aces\"",
    "text = \"Two pair: keep both always, except one pair of sevens or better without an ace singleton; jacks or better with sixes or better, even with an ace; aces with any: split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair.jacks-and-sixes\"",
    "text = \"Two pair: keep both always, except one pair of sevens or better without an ace singleton; jacks or better with sixes or better, even with an ace; aces with any: split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"QJT9876\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair.ace-singleton\"",
    "text = \"Two pair: keep both always, except one pair of sevens or better without an ace singleton; jacks or better with sixes or better, even with an ace; aces with any: split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair-complete\"",
    "text = \"Straight, flush or straight flush with two pair: keep it, except any two pair with an ace singleton; jacks or better with sixes or better; aces with any pair: as two pair.\"",
    "groups = [\"2+2+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair.sevens-or-better\"",
    "text = \"Two pair: keep both always, except one pair of sevens or better without an ace singleton; jacks or better with sixes or better, even with an ace; aces with any: split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJT987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.two-pair.sixes-or-lower\"",
    "text = \"Two pair: keep both always, except one pair of sevens or better without an ace singleton; jacks or better with sixes or better, even with an ace; aces with any: split.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"6543\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair-complete.royal-flush-given-up\"",
    "text = \"Royal flush with one pair: given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair-complete.royal-flush\"",
    "text = \"Royal flush with one pair: given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair-complete.straight-flush-given-up\"",
    "text = \"Straight flush with one pair: given up for a straight or a flush if that puts a jack or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"J\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair-complete.straight-flush\"",
    "text = \"Straight flush with one pair: given up for a straight or a flush if that puts a jack or better low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair-complete\"",
    "text = \"Straight or flush with one pair: the best low that leaves a straight or a flush, either.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair-complete.royal-flush-given-up\"",
    "text = \"Royal flush without a pair: given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"K\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair-complete.royal-flush\"",
    "text = \"Royal flush without a pair: given up for a straight or a flush if that puts a king or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"royal flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair-complete.straight-flush-given-up\"",
    "text = \"Straight flush without a pair: given up for a straight or a flush if that puts a jack or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-complete\"",
    "front_at_least = \"J\"",
    "front_beats = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair-complete.straight-flush\"",
    "text = \"Straight flush without a pair: given up for a straight or a flush if that puts a jack or better low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "best = [\"straight flush\"]",
    "front = \"highest-leaving-best\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair-complete\"",
    "text = \"Straight or flush without a pair: the best low that leaves a straight or a flush, either.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"golden-nugget-lv.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/mikes.toml
    "# Mike's Cardroom, seven cards. The keys are explained in src/house_way/chart.rs.",
    "#",
    "# A clause id is never reused and a released clause is never edited. Where the",
    "# chart of the source leaves a choice open, a comment says what was read.",
    "",
    "id = \"mikes\"",
    "title = \"Mike's Cardroom Pai Gow Poker House Way\"",
    "source = \"Mike's Cardroom, Pai Gow Poker with Wrangler Push and Outlaw 9 High or Better Bonus Bet, BGC ID GEGA-004364 (November 2014)\"",
    "cards = 7",
    "# The source does not rank A-2-3-4-5; second highest, as in the games beside it.",
    "wheel = \"second\"",
    "",
    "# Also with a pair of kings: the source makes no exception.",
    "[[clause]]",
    "id = \"K1\"",
    "text = \"Five Aces: Put pair of Aces in Front\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "# A pair is at least a pair, a king and a queen: with a pair or trips beside them",
    "# the four stay behind whatever their rank.",
    "[[clause]]",
    "id = \"K2a\"",
    "text = \"Four of a Kind: A's, K's or Q's: Play four of a kind in back if you can put at least a pair in front, otherwise split\"",
    "groups = [\"4+3\", \"4+2+1\"]",
    "first_rank = \"AKQ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K2b\"",
    "text = \"Four of a Kind: J's, 10's or 9's: Play four of a kind in back if you can put at least a king up front, otherwise split\"",
    "groups = [\"4+3\", \"4+2+1\"]",
    "first_rank = \"JT9\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K2c\"",
    "text = \"Four of a Kind: 8's, 7's or 6's: Play four of a kind in back if you can put at least a queen up front, otherwise split\"",
    "groups = [\"4+3\", \"4+2+1\"]",
    "first_rank = \"876\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K2d\"",
    "text = \"Four of a Kind: 5's, 4's, 3's or 2's: Always play four of a kind behind.\"",
    "groups = [\"4+3\", \"4+2+1\"]",
    "first_rank = \"5432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K3a\"",
    "text = \"Four of a Kind: A's, K's or Q's: Play four of a kind in back if you can put at least a pair in front, otherwise split\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"AKQ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"K3b\"",
    "text = \"Four of a Kind: J's, 10's or 9's: Play four of a kind in back if you can put at least a king up front, otherwise split\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"JT9\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K3c\"",
    "text = \"Four of a Kind: J's, 10's or 9's: Play four of a kind in back if you can put at least a king up front, otherwise split\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"JT9\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"K3d\"",
    "text = \"Four of a Kind: 8's, 7's or 6's: Play four of a kind in back if you can put at least a queen up front, otherwise split\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"876\"",
    "singletons_at_least = \"Q\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K3e\"",
    "text = \"Four of a Kind: 8's, 7's or 6's: Play four of a kind in back if you can put at least a queen up front, otherwise split\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"876\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"K3f\"",
    "text = \"Four of a Kind: 5's, 4's, 3's or 2's: Always play four of a kind behind.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"5432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K5\"",
    "text = \"Three of a Kind x 2: Put pair from higher set in front.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "# Of two pairs the higher: the full house stays behind either way.",
    "[[clause]]",
    "id = \"K4\"",
    "text = \"Full House: Put the pair in front and keep the three of a kind behind.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "# Complete hands are straights and flushes here: with K-K-K-A-joker and a flush the",
    "# note asks for kings in front of the flush rather than the pair of aces.",
    "[[clause]]",
    "id = \"K6a\"",
    "text = \"*Always play a pair on top and a complete hand (straight or better) behind if possible.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"pair-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"K6b\"",
    "text = \"Full House: Put the pair in front and keep the three of a kind behind.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K7a\"",
    "text = \"Straight, Flush or Straight Flush with Trips: Pair in front with complete hand behind.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# The straight or flush needs an ace and the joker, so that no pair can go in front:",
    "# the row for trips asks for what cannot be, and the row beside it is followed.",
    "[[clause]]",
    "id = \"K7b\"",
    "text = \"Straight, Flush or Straight Flush and 1 Pair: Two highest possible cards in front that leaves any complete hand behind.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"K8a\"",
    "text = \"Three of a Kind: A's: A+ next highest card in front.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"K8b\"",
    "text = \"Three of a Kind: K's and below: Put three of a kind in back and the two other highest cards in front\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# The source has no row for a straight or flush with three pairs, where no pair can",
    "# go in front of it.",
    "[[clause]]",
    "id = \"K9s\"",
    "text = \"Three Pairs: Put the highest pair in front with 2 pair behind.\"",
    "groups = [\"2+2+2+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"K9\"",
    "text = \"Three Pairs: Put the highest pair in front with 2 pair behind.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# The named card or a higher one goes in front, with the next highest singleton.",
    "[[clause]]",
    "id = \"K10as\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. A's, K's or Q's: Put the small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"AKQ\"",
    "straight_or_flush = \"held\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10bs\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. J's, 10's or 9's: Put both pairs in back if you can put an Ace in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"JT9\"",
    "straight_or_flush = \"held\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10cs\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. J's, 10's or 9's: Put both pairs in back if you can put an Ace in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"JT9\"",
    "straight_or_flush = \"held\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10ds\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. 8's, 7's or 6's: Put both pairs in back if you can put a King in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"876\"",
    "straight_or_flush = \"held\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10es\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. 8's, 7's or 6's: Put both pairs in back if you can put a King in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"876\"",
    "straight_or_flush = \"held\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10fs\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. 5's, 4's or 3's: Put both pairs in back if you can put a Queen in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"543\"",
    "straight_or_flush = \"held\"",
    "singletons_at_least = \"Q\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10gs\"",
    "text = \"Straight, Flush or Straight Flush with 2 Pairs: Set according to the 2 pair strategy. 5's, 4's or 3's: Put both pairs in back if you can put a Queen in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"543\"",
    "straight_or_flush = \"held\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10a\"",
    "text = \"Two Pairs: If Big Pair is: A's, K's or Q's: Put the small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"AKQ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10b\"",
    "text = \"Two Pairs: If Big Pair is: J's, 10's or 9's: Put both pairs in back if you can put an Ace in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"JT9\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10c\"",
    "text = \"Two Pairs: If Big Pair is: J's, 10's or 9's: Put both pairs in back if you can put an Ace in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"JT9\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10d\"",
    "text = \"Two Pairs: If Big Pair is: 8's, 7's or 6's: Put both pairs in back if you can put a King in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"876\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10e\"",
    "text = \"Two Pairs: If Big Pair is: 8's, 7's or 6's: Put both pairs in back if you can put a King in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"876\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K10f\"",
    "text = \"Two Pairs: If Big Pair is: 5's, 4's or 3's: Put both pairs in back if you can put a Queen in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"543\"",
    "singletons_at_least = \"Q\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K10g\"",
    "text = \"Two Pairs: If Big Pair is: 5's, 4's or 3's: Put both pairs in back if you can put a Queen in front, otherwise put small pair in front.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"543\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"K11a\"",
    "text = \"*Always play a pair on top and a complete hand (straight or better) behind if possible.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"K11b\"",
    "text = \"Straight, Flush or Straight Flush and 1 Pair: Two highest possible cards in front that leaves any complete hand behind.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"K12\"",
    "text = \"One Pair: Pair behind. 2 highest unpaired cards in front.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"K13\"",
    "text = \"Straight, Flush or Straight Flush with No Pair: Two highest possible cards in front that leaves any completed hand in back.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"K14\"",
    "text = \"High Card: Put the 2nd and 3rd highest cards in front.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/charts/trump-plaza.toml
    "# Trump Plaza, seven cards.",
    "#",
    "# The keys are explained in src/house_way/chart.rs. A clause id is never reused and a",
    "# released clause is never edited.",
    "",
    "id = \"trump-plaza\"",
    "title = \"Trump Plaza Pai Gow Poker House Way\"",
    "source = \"Trump Plaza: house way as published by the house\"",
    "cards = 7",
    "wheel = \"second\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.five-aces.kings\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\"]",
    "first_rank = \"A\"",
    "second_rank = \"K\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.five-aces\"",
    "text = \"Five aces: two aces low, unless a pair of kings can go low.\"",
    "groups = [\"5+2\", \"5+1+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads-and-three\"",
    "text = \"Four of a kind and three of a kind: a pair of the trips low.\"",
    "groups = [\"4+3\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads-and-pair\"",
    "text = \"Four of a kind and a pair: pair low.\"",
    "groups = [\"4+2+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.aces\"",
    "text = \"Four of a kind, aces: split always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.kings-to-jacks-kept\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.kings-to-jacks\"",
    "text = \"Four of a kind, kings, queens or jacks: keep them with an ace low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.tens-to-sevens-kept\"",
    "text = \"Four of a kind, tens to sevens: keep them with at least a king low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.tens-to-sevens\"",
    "text = \"Four of a kind, tens to sevens: keep them with at least a king low, otherwise split.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"T987\"",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.quads.sixes-or-lower\"",
    "text = \"Four of a kind, sixes and below: keep them always.\"",
    "groups = [\"4+1+1+1\"]",
    "first_rank = \"65432\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-threes\"",
    "text = \"Two three of a kind: a pair of the higher low.\"",
    "groups = [\"3+3+1\"]",
    "front = \"first-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.full-house-and-pair\"",
    "text = \"Full house and a second pair: the higher pair low.\"",
    "groups = [\"3+2+2\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.full-house.ace-king\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "second_rank = \"2\"",
    "singletons_at_least = \"AK\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.full-house\"",
    "text = \"Full house: pair low, unless the pair is twos and A-K can go low.\"",
    "groups = [\"3+2+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.three.complete-pair-low\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "# Where no pair can go in front of a complete hand.",
    "[[clause]]",
    "id = \"trump-plaza.three.complete\"",
    "text = \"Straight, flush or straight flush with three of a kind: complete hand high, pair of the trips low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.three.aces\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"first-group-and-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.three\"",
    "text = \"Three of a kind: keep it, the two highest others low; aces: one ace and the next highest card low.\"",
    "groups = [\"3+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "# Also with a straight or a flush.",
    "[[clause]]",
    "id = \"trump-plaza.three-pair\"",
    "text = \"Three pair: highest pair low.\"",
    "groups = [\"2+2+2+1\"]",
    "front = \"first-group\"",
    "",
    "# Two pair: low pairs are twos to sixes, middle sevens to tens, high jacks to kings. Also",
    "# with a straight or a flush.",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.aces\"",
    "text = \"Two pair, aces with any: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"A\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.high-low-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.high-low\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "second_rank = \"65432\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.middle-middle-kept\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "singletons_at_least = \"A\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.middle-middle\"",
    "text = \"Two pair, low with high or middle with middle: keep both with an ace low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"T987\"",
    "second_rank = \"T987\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.high\"",
    "text = \"Two pair, middle with high or high with high: the small pair low always.\"",
    "groups = [\"2+2+1+1+1\"]",
    "first_rank = \"KQJ\"",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.low-kept\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "singletons_at_least = \"K\"",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.two-pair.low\"",
    "text = \"Two pair, low with low or low with middle: keep both with at least a king low, otherwise the small pair low.\"",
    "groups = [\"2+2+1+1+1\"]",
    "front = \"second-group\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.one-pair-complete.pair-low\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"pair-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.one-pair-complete\"",
    "text = \"Straight, flush or straight flush with one pair: pair low only if a complete hand remains, otherwise the best low that leaves one.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.one-pair\"",
    "text = \"One pair: pair high, the two highest others low.\"",
    "groups = [\"2+1+1+1+1+1\"]",
    "front = \"two-highest\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.no-pair-complete\"",
    "text = \"Straight, flush or straight flush without a pair: the two highest low that leave any complete hand.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "straight_or_flush = \"held\"",
    "front = \"highest-leaving-complete\"",
    "",
    "[[clause]]",
    "id = \"trump-plaza.no-pair\"",
    "text = \"No pair: second and third highest low.\"",
    "groups = [\"1+1+1+1+1+1+1\"]",
    "front = \"second-and-third\"",
    "",
  ],
  [ // src/house_way/coded/mini.toml
    "# Mini Pai Gow, six cards. The rules are code, src/house_way/coded/mini.rs; this file has",
    "# their sentences. An id ends in `a` where the cards that may go in front are of more",
    "# than one rank, in `b` where they are not. MA1 to MA12 are the judgments of the rules.",
    "#",
    "# A clause id is never reused and a released file is never edited.",
    "",
    "id = \"mini\"",
    "title = \"Mini Pai Gow House Ways\"",
    "source = \"Mini Pai Gow Dealing Procedures (No Commission), House Ways 1 to 5\"",
    "cards = 6",
    "# The source does not rank A-2-3-4-5: second highest, as in standard Pai Gow (MA11).",
    "wheel = \"second\"",
    "code = \"mini\"",
    "",
    "[[clause]]",
    "id = \"M1\"",
    "text = \"House way 2 (its list lacks five aces, which count as a made hand: judgment MA10): Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "# The four stay together and a card of the pair goes in front (MA10).",
    "[[clause]]",
    "id = \"M2\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M3\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "# Before the paragraphs that ask for the highest five cards in back (MA1).",
    "[[clause]]",
    "id = \"M4\"",
    "text = \"House way 3: If the Dealer has two three of a kinds in his hand he will play three of the lower ranking card and two of the higher ranking card (Full House) as the high hand in order to play the higher ranking card in the Low Hand.\"",
    "",
    "[[clause]]",
    "id = \"M5\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "# The mate of the low card is the fifth card of the high hand (MA9).",
    "[[clause]]",
    "id = \"M6\"",
    "text = \"House way 4: If the Dealer has 3 pair, he will play the lower ranking two pairs as the high hand and the highest ranking card of the 3rd pair in the second highest hand.\"",
    "",
    "# M7 to M9: the best five cards are the set that may not be broken (MA2), and house way 5",
    "# never lowers their category (MA3); a royal flush is a straight flush (MA4).",
    "[[clause]]",
    "id = \"M7a\"",
    "text = \"House way 5: If the Dealer has a 6-card straight or flush, the Dealer must use the highest ranking card as the low hand and use the lower ranking straight or flush as the high hand.\"",
    "",
    "[[clause]]",
    "id = \"M7b\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M8a\"",
    "text = \"House way 5: If the Dealer has a 6-card straight or flush, the Dealer must use the highest ranking card as the low hand and use the lower ranking straight or flush as the high hand.\"",
    "",
    "[[clause]]",
    "id = \"M8b\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M9a\"",
    "text = \"House way 5: If the Dealer has a 6-card straight or flush, the Dealer must use the highest ranking card as the low hand and use the lower ranking straight or flush as the high hand.\"",
    "",
    "[[clause]]",
    "id = \"M9b\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M10\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M11\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "# An ace and the joker are a pair and stay together (MA7).",
    "[[clause]]",
    "id = \"M12\"",
    "text = \"House way 2: The Dealer may not break apart any one pair, two pairs, three of a kind, straights, flushes, full houses, four of a kinds, straight flush or royal flush in order to play a higher card in the Low Hand. Once the dealer has played the set, he must use the highest-ranking kicker as his low hand.\"",
    "",
    "[[clause]]",
    "id = \"M13\"",
    "text = \"House way 1: No Pair - Dealer MUST play the highest ranking card in the High Hand, the second highest ranking card in the Low Hand and the remaining cards in the High Hand.\"",
    "",
  ],
  [ // src/house_way/coded/online.toml
    "# The online chart, seven cards. The rules are code, src/house_way/coded/online; this file",
    "# has their sentences, in the order in which they are tried. An answer that follows the",
    "# rows of a flush or of a straight cites the rule and the row, as `O25f/F6`. OA1 to OA27",
    "# are the judgments of the rules. Rows that can fit no hand are left out where they would",
    "# be a rule of their own (OA26).",
    "#",
    "# A clause id is never reused and a released file is never edited.",
    "",
    "id = \"online\"",
    "title = \"Online Pai Gow Poker House Way\"",
    "source = \"Pai Gow Poker (online game), help page, The House Way\"",
    "cards = 7",
    "wheel = \"second\"",
    "code = \"online\"",
    "",
    "[[clause]]",
    "id = \"O1\"",
    "text = \"Five of a kind: Hand contains two Kings: The two cards will be the two Kings.\"",
    "",
    "# Natural aces; the joker stays behind (OA24).",
    "[[clause]]",
    "id = \"O2\"",
    "text = \"Five of a kind: Otherwise: The two cards will be two Aces.\"",
    "",
    "# Four aces are of this row too, and a full house (OA9).",
    "[[clause]]",
    "id = \"O3\"",
    "text = \"Royal Flush: Royal Flush and 3-of-a-kind: The two cards will be two from the 3-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O3x\"",
    "text = \"The source has no row for the hand: Royal Flush and 3-of-a-kind, with every two from the 3-of-a-kind foul; the royal flush is kept by the rows of its length (judgment OA7).\"",
    "",
    "[[clause]]",
    "id = \"O4a\"",
    "text = \"Royal Flush and Pair: One Pair that uses Joker, and still have a Flush after removing the Joker and the Ace: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O4b\"",
    "text = \"Royal Flush and Pair: One Pair, Joker, and still have a Flush after removing the Pair: The two cards will be the pair.\"",
    "",
    "[[clause]]",
    "id = \"O4c\"",
    "text = \"Royal Flush and Pair: One Pair, Joker, and still have a flush after removing the Joker: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "# Of the ranks after the pair of aces: the two highest singletons (OA5).",
    "[[clause]]",
    "id = \"O4d\"",
    "text = \"Royal Flush and Pair: One Pair composed of Ace and Joker, where the Ace is also used by the flush: The two cards will be the 2nd and 3rd highest.\"",
    "",
    "[[clause]]",
    "id = \"O4e\"",
    "text = \"Royal Flush and Pair: Any other One Pair, Joker: The two cards will be the Joker and the highest singleton not from the flush.\"",
    "",
    "# No hand is known to come here.",
    "[[clause]]",
    "id = \"O4ex\"",
    "text = \"The source has no row for the hand: Royal Flush and Pair, any other One Pair, Joker, with the Joker and the highest singleton not from the flush foul; the flush is kept by the rows of its length (judgment OA6).\"",
    "",
    "[[clause]]",
    "id = \"O4f\"",
    "text = \"Royal Flush and Pair: Any other One Pair and flush: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "# The first pair is the lower (OA4).",
    "[[clause]]",
    "id = \"O4i\"",
    "text = \"Royal Flush and Pair: Two Pairs where the first ranks 2 or King, and the second ranks Ace: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O4j\"",
    "text = \"Royal Flush and Pair: All other Two Pairs: The two cards will be the lowest pair.\"",
    "",
    "[[clause]]",
    "id = \"O4k\"",
    "text = \"Royal Flush and Pair: Three Pairs: The two cards will be the Joker and the Ace.\"",
    "",
    "# The number of suited cards, the joker included (OA23).",
    "[[clause]]",
    "id = \"O5\"",
    "text = \"Royal Flush: 5-card, 6-card or 7-card Royal Flush: the two cards by the number of cards in the flush.\"",
    "",
    "[[clause]]",
    "id = \"O6\"",
    "text = \"Straight Flush: Straight Flush and Full House: 3-of-a-kind ranks Ace: The two cards will be the Pair.\"",
    "",
    "[[clause]]",
    "id = \"O7\"",
    "text = \"Straight Flush: Any other Straight Flush and Full House: The two cards will be the Joker and the Ace.\"",
    "",
    "# Four of a kind is of this row too (OA9).",
    "[[clause]]",
    "id = \"O8\"",
    "text = \"Straight Flush: Straight Flush and 3-of-a-kind: The two cards will be two from the 3-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O8x\"",
    "text = \"The source has no row for the hand: Straight Flush and 3-of-a-kind, with every two from the 3-of-a-kind foul; the straight flush is kept by the rows of its length (judgment OA7).\"",
    "",
    "[[clause]]",
    "id = \"O9\"",
    "text = \"Straight Flush: Straight Flush and Pair: Straight Flush and One Pair that uses Joker: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O9x\"",
    "text = \"The source has no row for the hand: Straight Flush and One Pair that uses Joker, with the Joker and the Ace foul; the straight flush is kept by the rows of its length (judgment OA8).\"",
    "",
    "[[clause]]",
    "id = \"O10\"",
    "text = \"Straight Flush: Straight Flush and Pair: Straight Flush and One Pair: The two cards will be the Pair.\"",
    "",
    "[[clause]]",
    "id = \"O10x\"",
    "text = \"The source has no row for the hand: Straight Flush and One Pair, with the Pair foul; the straight flush is kept by the rows of its length (judgment OA8).\"",
    "",
    "[[clause]]",
    "id = \"O11i\"",
    "text = \"The source has no row for a straight flush and two pairs; as in the other sections (judgment OA10): Two Pairs where the first ranks 2 or King, and the second ranks Ace: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O11j\"",
    "text = \"The source has no row for a straight flush and two pairs; as in the other sections (judgment OA10): All other Two Pairs: The two cards will be the lowest pair.\"",
    "",
    "[[clause]]",
    "id = \"O11k\"",
    "text = \"The source has no row for a straight flush and three pairs; as in the other sections (judgment OA10): Three Pairs: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O12\"",
    "text = \"Straight Flush: Straight Flush Alone: the two cards by the number of cards in the straight flush and the place of the Joker.\"",
    "",
    "# O21 to O29: before the rows for a full house alone, which would leave them no hand (OA3).",
    "[[clause]]",
    "id = \"O21\"",
    "text = \"Flush: Flush and Full House: 3 Aces in the Full House: The two cards will be the pair.\"",
    "",
    "[[clause]]",
    "id = \"O22\"",
    "text = \"Flush: Flush and Full House: 3 Tens or better in the Full House: The two cards will be two from the 3-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O23\"",
    "text = \"Flush: Any other Flush and Full House: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O27\"",
    "text = \"Straight: Straight and Full House: 3 Aces and One Pair: The two cards will be the pair.\"",
    "",
    "[[clause]]",
    "id = \"O28\"",
    "text = \"Straight: Straight and Full House: 3-of-a-kind higher than Ten and One Pair: The two cards will be two cards from the 3-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O29\"",
    "text = \"Straight: Straight and Full House: Any other 3-of-a-kind and One Pair: The two cards will be the Joker and the Ace.\"",
    "",
    "# The ace is above the king and not below the deuce (OA13).",
    "[[clause]]",
    "id = \"O13\"",
    "text = \"Four of a Kind: 4-of-a-kind and 3-of-a-kind: When the rank of the 4-of-a-kind is 1 above or below the rank of the 3-of-a-kind: The two cards will be two from the 3-of-a-kind.\"",
    "",
    "# Two of the higher rank (OA22).",
    "[[clause]]",
    "id = \"O14\"",
    "text = \"Four of a Kind: Any other 4-of-a-kind and 3-of-a-kind: The two cards will be the highest cards.\"",
    "",
    "[[clause]]",
    "id = \"O15\"",
    "text = \"Four of a Kind: 4-of-a-kind and a Pair: When the rank of the 4-of-a-kind is greater than the rank of the Pair: The two cards will be two from the 4-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O16\"",
    "text = \"Four of a Kind: Any other 4-of-a-kind and a Pair: The two cards will be the Pair.\"",
    "",
    "# There are three: the two highest (OA21).",
    "[[clause]]",
    "id = \"O17\"",
    "text = \"Four of a Kind: 4-of-a-kind and two singletons: The two cards will be the two singletons.\"",
    "",
    "# A full house by rank, but this is its only row (OA2).",
    "[[clause]]",
    "id = \"O37\"",
    "text = \"Three of a kind: Two 3-of-a-kind: The two cards will be two cards from the highest 3-of-a-kind.\"",
    "",
    "[[clause]]",
    "id = \"O18\"",
    "text = \"Full House: Full House and Pair: An Ace 3-of-a-kind, a Pair of 2s and a Pair of 3s: The two cards will be two Aces.\"",
    "",
    "[[clause]]",
    "id = \"O19\"",
    "text = \"Full House: Any other Full House and Pair: The two cards will be the higher Pair.\"",
    "",
    "# A pair is never lower than two singletons, so the row below it in the chart fits no hand",
    "# (OA11).",
    "[[clause]]",
    "id = \"O20\"",
    "text = \"Full House: Full House and Two Singletons: Full House where the Pair is higher than the Two Singletons hand: The two cards will be the Pair.\"",
    "",
    "[[clause]]",
    "id = \"O24\"",
    "text = \"Flush: Flush and 3-of-a-kind: the two cards by the number of cards in the flush.\"",
    "",
    "[[clause]]",
    "id = \"O25a\"",
    "text = \"Flush and Pair: One Pair that uses Joker, and still have a Flush after removing the Joker and the Ace: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O25b\"",
    "text = \"Flush and Pair: One Pair, Joker, and still have a Flush after removing the Pair: The two cards will be the pair.\"",
    "",
    "[[clause]]",
    "id = \"O25c\"",
    "text = \"Flush and Pair: One Pair, Joker, and still have a flush after removing the Joker: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "# Of the ranks after the pair of aces: the two highest singletons (OA5).",
    "[[clause]]",
    "id = \"O25d\"",
    "text = \"Flush and Pair: One Pair composed of Ace and Joker, where the Ace is also used by the flush: The two cards will be the 2nd and 3rd highest.\"",
    "",
    "[[clause]]",
    "id = \"O25e\"",
    "text = \"Flush and Pair: Any other One Pair, Joker: The two cards will be the Joker and the highest singleton not from the flush.\"",
    "",
    "[[clause]]",
    "id = \"O25ex\"",
    "text = \"The source has no row for the hand: Flush and Pair, any other One Pair, Joker, with the Joker and the highest singleton not from the flush foul; the flush is kept by the rows of its length (judgment OA6).\"",
    "",
    "[[clause]]",
    "id = \"O25f\"",
    "text = \"Flush and Pair: Any other One Pair and flush: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "# The first pair is the lower (OA4).",
    "[[clause]]",
    "id = \"O25i\"",
    "text = \"Flush and Pair: Two Pairs where the first ranks 2 or King, and the second ranks Ace: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O25j\"",
    "text = \"Flush and Pair: All other Two Pairs: The two cards will be the lowest pair.\"",
    "",
    "[[clause]]",
    "id = \"O25k\"",
    "text = \"Flush and Pair: Three Pairs: The two cards will be the Joker and the Ace.\"",
    "",
    "[[clause]]",
    "id = \"O26\"",
    "text = \"Flush: Otherwise: Follow the steps described for \\\"Flush and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O30\"",
    "text = \"Straight: Straight and 3-of-a-kind: the two cards by the number of cards in the straight and the place of the Joker.\"",
    "",
    "# Before the next row where both fit (OA14).",
    "[[clause]]",
    "id = \"O31a\"",
    "text = \"Straight: Straight and Pair: One Pair with a Joker and a Straight without Ace: The two cards will be the Ace and the highest singleton.\"",
    "",
    "[[clause]]",
    "id = \"O31ax\"",
    "text = \"The source has no row for the hand: One Pair with a Joker and a Straight without Ace, with the Ace and the highest singleton foul; the straight is kept by the rows of its length (judgment OA15).\"",
    "",
    "[[clause]]",
    "id = \"O31b\"",
    "text = \"Straight: Straight and Pair: One Pair, Joker, and still have a Straight after removing the pair: The two cards will be the pair.\"",
    "",
    "# The joker may be the ace (OA16).",
    "[[clause]]",
    "id = \"O31c\"",
    "text = \"Straight: Straight and Pair: One Pair ranking King, and a Straight containing Ace, King, Queen, Jack and 10: The two cards will be the Ace and the Queen.\"",
    "",
    "[[clause]]",
    "id = \"O31d\"",
    "text = \"Straight: Straight and Pair: One Pair ranking Queen, Jack or 10, and a Straight containing Ace, King, Queen, Jack and 10: The two cards will be the Ace and the King.\"",
    "",
    "[[clause]]",
    "id = \"O31e\"",
    "text = \"Straight: Straight and Pair: All other One Pair: Follow the steps described for \\\"Straight and 3-of-a-kind\\\".\"",
    "",
    "# The first pair is the lower (OA4).",
    "[[clause]]",
    "id = \"O31f\"",
    "text = \"Straight: Straight and Pair: Two Pairs, and still have a straight after removing the first pair: The two cards will be the first pair.\"",
    "",
    "[[clause]]",
    "id = \"O31i\"",
    "text = \"Straight: Straight and Pair: Two Pairs where the first ranks 2, second ranks lower than 5, and hand lacks Aces and Joker: Follow the steps described for \\\"Straight and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O31j\"",
    "text = \"Straight: Straight and Pair: All other Two Pairs: The two cards will be the lowest pair.\"",
    "",
    "[[clause]]",
    "id = \"O31k\"",
    "text = \"Straight: Straight and Pair: Three Pairs: The two cards will be the Ace and the Joker.\"",
    "",
    "[[clause]]",
    "id = \"O32\"",
    "text = \"The source has no row for a straight without a pair, which is kept as every other (judgment OA19): Follow the steps described for \\\"Straight and 3-of-a-kind\\\".\"",
    "",
    "[[clause]]",
    "id = \"O33\"",
    "text = \"Three of a kind: One 3-of-a-kind: 3 Aces or 2 Aces and 1 Joker: The two cards will be one from the 3-of-a-kind and the highest singleton.\"",
    "",
    "# Two others or more (OA17).",
    "[[clause]]",
    "id = \"O34\"",
    "text = \"Three of a kind: One 3-of-a-kind: 3 Kings & 2 others equal to or higher than Ten cards: The two cards will be the two highest singletons.\"",
    "",
    "[[clause]]",
    "id = \"O35\"",
    "text = \"Three of a kind: One 3-of-a-kind: 3 Kings: The two cards will be one from the 3-of-a-kind and the highest singleton.\"",
    "",
    "[[clause]]",
    "id = \"O36\"",
    "text = \"Three of a kind: One 3-of-a-kind: Any other 3-of-a-kind: The two cards will be the two highest singletons.\"",
    "",
    "[[clause]]",
    "id = \"O38\"",
    "text = \"Pairs: One pair: The two cards will be the two highest singletons.\"",
    "",
    "[[clause]]",
    "id = \"O39\"",
    "text = \"Pairs: Two pairs: The two cards will be the lowest pair.\"",
    "",
    "[[clause]]",
    "id = \"O40\"",
    "text = \"Pairs: Three pairs: The two cards will be the highest pair.\"",
    "",
    "# All four conditions together (OA18).",
    "[[clause]]",
    "id = \"O41\"",
    "text = \"High Card: 1st highest [Joker|A], 2nd highest [K|Q], 3rd highest [8|9|10], 4th highest [7|8]: The two cards will be 2nd & 4th highest.\"",
    "",
    "[[clause]]",
    "id = \"O42\"",
    "text = \"High Card: Otherwise: The two cards will be 2nd & 3rd highest.\"",
    "",
    "# The rows of the royal flush are the same.",
    "[[clause]]",
    "id = \"F5\"",
    "text = \"5-card Flush: The two cards will be the two non-flush.\"",
    "",
    "[[clause]]",
    "id = \"F6J\"",
    "text = \"6-card Flush with Joker: The two cards will be the Joker and the non-flush.\"",
    "",
    "[[clause]]",
    "id = \"F6\"",
    "text = \"6-card Flush without Joker: The two cards will be the highest card in the flush and the non-flush.\"",
    "",
    "[[clause]]",
    "id = \"F7J\"",
    "text = \"7-card Flush with Joker: The two cards will be the Joker and the highest card in the flush.\"",
    "",
    "[[clause]]",
    "id = \"F7\"",
    "text = \"7-card Flush without Joker: The two cards will be the highest cards in the Flush.\"",
    "",
    "# The rows of the straight flush are the same, of cards of its suit. Places ascend (OA20).",
    "[[clause]]",
    "id = \"S5\"",
    "text = \"5-card Straight: The two cards will be the two non-straights.\"",
    "",
    "[[clause]]",
    "id = \"S6A\"",
    "text = \"6-card Straight starting with Ace: The two cards will be the Ace and the non-straight.\"",
    "",
    "[[clause]]",
    "id = \"S6J\"",
    "text = \"6-card Straight with Joker in the first or last position of the straight: The two cards will be the Joker and the non-straight.\"",
    "",
    "[[clause]]",
    "id = \"S6\"",
    "text = \"Any other 6-card Straight: The two cards will be the last card in the straight and the non-straight.\"",
    "",
    "# No hand comes here: an ace and the joker are a pair (OA26).",
    "[[clause]]",
    "id = \"S7AJ\"",
    "text = \"7-card Straight starting with an Ace and with a Joker in the second or last position of the straight: The two cards will be the Ace and the Joker.\"",
    "",
    "[[clause]]",
    "id = \"S7A\"",
    "text = \"Any other 7-card Straight starting with an Ace: The two cards will be the Ace and the last card in the straight.\"",
    "",
    "[[clause]]",
    "id = \"S7J1\"",
    "text = \"7-card Straight starting with a Joker: The two cards will be the Joker and the last card in the straight.\"",
    "",
    "[[clause]]",
    "id = \"S7J2\"",
    "text = \"7-card Straight with a Joker in the second position of the straight: The two cards will be the Joker and the first card in the straight.\"",
    "",
    "# No hand comes here: the joker starts the straight as well, with the same cards (OA26).",
    "[[clause]]",
    "id = \"S7J7\"",
    "text = \"7-card Straight ending with a Joker: The two cards will be the Joker and the sixth card in the straight.\"",
    "",
    "[[clause]]",
    "id = \"S7J6\"",
    "text = \"7-card Straight with a Joker in the sixth position of the straight: The two cards will be the Joker and the last card in the straight.\"",
    "",
    "[[clause]]",
    "id = \"S7\"",
    "text = \"Any other 7-card Straight: The two cards will be the two last cards in the straight.\"",
    "",
  ],
].map((lines) => lines.join("\n"));
return { rulesets, houseWays };
})();
modules["js/rules-file.js"] = (() => {
// The keys of ruleset and house-way files, read as strictly as the engine reads them: a key or a
// word that is not known here could mean anything.

const { CONDITIONS } = modules["js/bets.js"];
const { CATEGORIES } = modules["js/hands.js"];
const { FRONTS, HELD } = modules["js/house-way/chart.js"];
const { FACTS, enumerated, exactly, hash, integer, list, object, optional, text } = modules["js/payload.js"];

const words = text(/^/, "not a text");
const flag = enumerated(true, false);
const id = text(/^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/, "not an id");
const odds = text(/^[1-9][0-9]{0,8}\/[1-9][0-9]{0,8}$/, "not odds as \"8/1\"");
const pays = text(/^(?:push|[1-9][0-9]{0,8}\/[1-9][0-9]{0,8})$/, "not odds as \"8/1\", or \"push\"");
const amount = integer(0, 10 ** 15);
const rounding = enumerated("down", "half-up", "up");
const wheel = enumerated("second", "lowest");
const limits = { minimum_minor: optional(amount), maximum_minor: optional(amount) };
const commission = object({ rate: odds, rounding, increment: enumerated("minor-unit", "quarter-chip") });
const bands = list(object({ up_to_minor: optional(integer(1, Number.MAX_SAFE_INTEGER)), fee_minor: amount }));
const facts = list(enumerated(...FACTS));

const bet = (value, path) => object({
  id: enumerated(...Object.keys(CONDITIONS)), title: words, needs_base: flag, ...limits,
  others: optional(object({ bet: enumerated("community", "envy"), threshold_minor: amount })),
  ...(value.id === "outlaw_9" ? { one_colour: enumerated("any", "no_pair") } : {}),
  rows: list(object({ id, title: words, pays, others_minor: optional(amount),
    condition: enumerated(...(CONDITIONS[value.id] ?? [])) })),
})(value, path);

const ruleset = object({
  schema: exactly(1, "not a schema of this release"), id,
  family: enumerated("mini", "mania", "mikes", "online", "express"), title: words, source: words,
  notes: optional(list(words)), cards: integer(53, 53), joker: enumerated("semi-wild"),
  hand: integer(6, 7), seats: integer(1, 7), wheel, house_way: object({ id, hash }),
  coverage: enumerated("house", "player-dealer"), allow_player_advantage: flag,
  max_payout_minor: optional(amount), rounding: optional(rounding),
  currency: optional(object({ code: text(/^[A-Z]{3,8}$/, "not a currency"), exponent: integer(0, 4) })),
  dealing: object({ procedure: enumerated("packets", "streets", "zigzag"), streets: optional(list(integer(1, 6))),
    direction: enumerated("clockwise", "counter-clockwise"), dice: enumerated("three", "none"),
    dead_hands: enumerated("all-positions", "active-only") }),
  facts: object({ required: facts, optional: facts }),
  base: object({ pays: odds, ...limits, commission: optional(commission),
    push_on_dealer: optional(enumerated(...CONDITIONS.queens_dragon)), push_beats_foul: optional(flag) }),
  double_down: optional(object({ dealer_qualifies: text(/^([2-9TJQKA])\1$/, "not a pair") })),
  banking: optional(object({ banker_sets: enumerated("house-way"), bank_per_base: integer(1, 100), commission })),
  fees: optional(object({ player: bands, player_dealer: bands })), bets: optional(list(bet)),
});

const ranks = text(/^[2-9TJQKA]+$/, "not letters of ranks");
const common = { id, title: words, source: words, cards: integer(6, 7), wheel };
const named = { id: text(/^[A-Za-z0-9.-]{1,64}$/, "not the id of a clause"), text: words };
const front = enumerated(...Object.keys(FRONTS));
const chart = object({ ...common, clause: list(object({
  ...named, front, groups: list(text(/^[1-5](?:\+[1-4]){1,6}$/, "not sizes of groups")),
  first_rank: optional(ranks), second_rank: optional(ranks), singletons_at_least: optional(ranks),
  front_at_least: optional(ranks), front_beats: optional(front), best: optional(list(enumerated(...CATEGORIES))),
  straight_or_flush: optional(enumerated(...Object.keys(HELD))),
})) });
// A way in code has but its sentences in its file.
const coded = object({ ...common, code: enumerated("mini", "online"), clause: list(object(named)) });

// Both throw BadPayload.
const checkRuleset = (file) => ruleset(file, "");
const checkHouseWay = (file) => ("code" in file ? coded : chart)(file, "");
return { checkRuleset, checkHouseWay };
})();
modules["js/toml.js"] = (() => {
// TOML 1.0 as far as ruleset and house-way files can use it, read strictly: every way to write
// tables, keys, strings, integers, booleans and arrays. They have no floating-point numbers, no
// dates and no integers beyond 2^53 - 1, and those are refused.

class NotToml extends Error {}

const COMMENT = "#[^\\x00-\\x08\\x0a-\\x1f\\x7f]*";
const ESCAPE = "\\\\(?:[btnfr\"\\\\]|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})";
const SKIPPED = new RegExp(`(?:[ \\t\\n]|\\r\\n|${COMMENT}(?=\\r?\\n|$))*`, "y");
const END_OF_LINE = new RegExp(`[ \\t]*(?:${COMMENT})?(?:\\r?\\n|$)`, "y");
const BASIC = new RegExp(`"(?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|${ESCAPE})*"`, "y");
const LITERAL = /'[^'\x00-\x08\x0a-\x1f\x7f]*'/y;
// One or two quotes may stand before the three that end them; they belong to the text.
const LONG_BASIC = new RegExp(
  `"""(?:\\r?\\n)?((?:[^"\\\\\\x00-\\x08\\x0b-\\x1f\\x7f]|\\r\\n|"{1,2}(?!")|${ESCAPE}`
  + `|\\\\[ \\t]*\\r?\\n(?:[ \\t\\n]|\\r\\n)*)*)("{3,5})`, "y");
const LONG_LITERAL = /'''(?:\r?\n)?((?:[^'\x00-\x08\x0b-\x1f\x7f]|\r\n|'{1,2}(?!'))*)('{3,5})/y;
const ESCAPED = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };
const INTEGER =
  /(?:[+-]?(?:0|[1-9](?:_?[0-9])*)|0x[0-9A-Fa-f](?:_?[0-9A-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*)(?![\w.:+-])/y;

// How a table or an array has come about, which says what may still be added to it: "implied" by
// the header of one below it, by a "header", by a "dotted" key, by headers in double brackets
// ("repeated"), or as a "value".
class Reader {
  constructor(text) {
    this.text = text;
    this.at = 0;
    this.made = new WeakMap();
  }

  fail(what) {
    const line = this.text.slice(0, this.at).split("\n").length;
    throw new NotToml(`line ${line}: ${what}`);
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (match !== null) this.at += match[0].length;
    return match;
  }

  take(pattern) {
    return this.match(pattern)?.[0] ?? null;
  }

  expect(pattern, what) {
    return this.take(pattern) ?? this.fail(`expected ${what}`);
  }

  // Blanks and comments, over lines.
  skip() {
    this.take(SKIPPED);
  }

  blanks() {
    this.take(/[ \t]*/y);
  }

  endOfLine() {
    this.expect(END_OF_LINE, "the end of the line");
  }

  // A key, which may lead through tables.
  path() {
    const path = [];
    do {
      this.blanks();
      path.push(this.take(/[A-Za-z0-9_-]+/y) ?? this.quoted() ?? this.fail("expected a key"));
      this.blanks();
    } while (this.take(/\./y) !== null);
    return path;
  }

  // A string of one line.
  quoted() {
    const basic = this.take(BASIC);
    if (basic !== null) return this.unescaped(basic.slice(1, -1));
    return this.take(LITERAL)?.slice(1, -1) ?? null;
  }

  unescaped(text) {
    return text.replace(/\\(?:u(.{4})|U(.{8})|([^\s])|\s+)/g, (_, short, long, letter) => {
      if (letter !== undefined) return ESCAPED[letter];
      if (short === undefined && long === undefined) return "";
      const point = parseInt(short ?? long, 16);
      const isScalar = point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
      return isScalar ? String.fromCodePoint(point) : this.fail("an escape of no character");
    });
  }

  string() {
    const basic = this.match(LONG_BASIC);
    if (basic !== null) return this.unescaped(basic[1]) + basic[2].slice(3);
    const literal = this.match(LONG_LITERAL);
    if (literal !== null) return literal[1] + literal[2].slice(3);
    if (this.take(/"""|'''/y) !== null) this.fail("a string that does not end");
    return this.quoted() ?? this.fail("expected a string");
  }

  value() {
    const first = this.text[this.at];
    if (first === '"' || first === "'") return this.string();
    if (first === "[") return this.array();
    if (first === "{") return this.inlineTable();
    const word = this.take(/(?:true|false)(?![\w.:+-])/y);
    if (word !== null) return word === "true";
    const digits = this.expect(INTEGER, "a value").replaceAll("_", "");
    // Without the sum -0 would be another number than 0.
    const number = Number(digits) + 0;
    return Number.isSafeInteger(number) ? number : this.fail("a number out of range");
  }

  array() {
    this.at += 1;
    const items = this.table("value", []);
    for (;;) {
      this.skip();
      if (this.take(/]/y) !== null) return items;
      if (items.length > 0) {
        this.expect(/,/y, "a comma");
        this.skip();
        if (this.take(/]/y) !== null) return items;
      }
      items.push(this.value());
    }
  }

  inlineTable() {
    this.at += 1;
    const table = this.table("dotted");
    for (let first = true; ; first = false) {
      this.blanks();
      if (this.take(/}/y) !== null) break;
      if (!first) this.expect(/,/y, "a comma");
      this.pair(table);
    }
    this.close(table);
    return table;
  }

  // Nothing is added to an inline table, nor to those that its keys have made.
  close(table) {
    this.made.set(table, "value");
    for (const inside of Object.values(table)) {
      if (this.made.get(inside) === "dotted") this.close(inside);
    }
  }

  table(made, table = Object.create(null)) {
    this.made.set(table, made);
    return table;
  }

  pair(root) {
    const path = this.path();
    const name = path.pop();
    let table = root;
    for (const step of path) {
      table = table[step] ??= this.table("dotted");
      if (!["dotted", "implied"].includes(this.made.get(table))) this.fail(`${step} twice`);
      this.made.set(table, "dotted");
    }
    if (name in table) this.fail(`${name} twice`);
    this.expect(/=[ \t]*/y, "=");
    table[name] = this.value();
  }

  // The table that a header names, below the newest element of each array on the way.
  header(root) {
    const isArray = this.text.startsWith("[[", this.at);
    this.at += isArray ? 2 : 1;
    const path = this.path();
    this.expect(isArray ? /\]\]/y : /\]/y, isArray ? "]]" : "]");
    const name = path.pop();
    let table = root;
    for (const step of path) {
      table = table[step] ??= this.table("implied");
      if (this.made.get(table) === "repeated") table = table[table.length - 1];
      if (!["implied", "header", "dotted"].includes(this.made.get(table))) this.fail(`${step} twice`);
    }
    if (isArray) {
      const list = table[name] ??= this.table("repeated", []);
      if (this.made.get(list) !== "repeated") this.fail(`${name} twice`);
      list.push(this.table("header"));
      return list[list.length - 1];
    }
    if (!(name in table)) table[name] = this.table("implied");
    if (this.made.get(table[name]) !== "implied") this.fail(`${name} twice`);
    return this.table("header", table[name]);
  }

  document() {
    const root = this.table("header");
    let table = root;
    for (;;) {
      this.skip();
      if (this.at === this.text.length) return root;
      if (this.text[this.at] === "[") table = this.header(root);
      else this.pair(table);
      this.endOfLine();
    }
  }
}

function parseToml(text) {
  return new Reader(text).document();
}
return { NotToml, parseToml };
})();
modules["js/rules.js"] = (() => {
// Rulesets and house ways by their content hashes, which are computed here from the very bytes of
// the files (D9).

const { toHex } = modules["js/bytes.js"];
const { houseWayHash, rulesetHash } = modules["js/seeds.js"];
const { BadPayload } = modules["js/payload.js"];
const { checkHouseWay, checkRuleset } = modules["js/rules-file.js"];
const { NotToml, parseToml } = modules["js/toml.js"];

// A file that is no rules file, or says what is not known here.
class BadRules extends Error {}

function read(text, check) {
  let file;
  try {
    file = parseToml(text);
    check(file);
  } catch (error) {
    if (!(error instanceof BadPayload || error instanceof NotToml)) throw error;
    throw new BadRules(`${file?.id ?? "a rules file"}: ${error.message}`);
  }
  return file;
}

// Rules files as somebody chose them, house ways and rulesets told apart by what they hold.
function sorted(texts) {
  const isHouseWay = (text) => "clause" in read(text, () => {});
  return { houseWays: texts.filter(isHouseWay), rulesets: texts.filter((text) => !isHouseWay(text)) };
}

class Rules {
  // `files`: { rulesets: [text], houseWays: [text] }
  constructor({ rulesets, houseWays }) {
    this.rulesets = new Map();
    this.houseWays = new Map();
    for (const text of houseWays) this.addHouseWay(text);
    for (const text of rulesets) this.addRuleset(text);
  }

  addHouseWay(text) {
    const houseWay = read(text, checkHouseWay);
    this.houseWays.set(toHex(houseWayHash(houseWay.id, text)), houseWay);
  }

  addRuleset(text) {
    const ruleset = read(text, checkRuleset);
    if (this.houseWayOf(ruleset) === null) {
      throw new BadRules(`${ruleset.id}: its house way ${ruleset.house_way.id} is not at hand`);
    }
    this.rulesets.set(toHex(rulesetHash(ruleset.id, text)), ruleset);
  }

  ruleset(hash) {
    return this.rulesets.get(hash) ?? null;
  }

  houseWayOf(ruleset) {
    return this.houseWays.get(ruleset.house_way.hash) ?? null;
  }
}
return { BadRules, sorted, Rules };
})();
modules["js/page/dom.js"] = (() => {
// Elements without markup in strings: what a transcript says is only ever text.

function h(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined));
  return element;
}

const byId = (id) => document.getElementById(id);

// A hash or a key, which people compare by its ends; the whole of it is there to copy.
const hashText = (text) => h("code", { class: "hash", title: text }, text);

const plural = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

// A sentence of words that stand elsewhere within one.
const sentence = (text) =>
  `${text[0].toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;

// A panel whose content is made when it is first opened.
function lazyDetails(summary, make) {
  const details = h("details", {}, h("summary", {}, summary));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(make());
  });
  return details;
}
return { h, byId, hashText, plural, sentence, lazyDetails };
})();
modules["js/page/cards.js"] = (() => {
// Cards as people know them.

const { JOKER, isRed, nameOf, rankOf, suitOf } = modules["js/cards.js"];
const { h } = modules["js/page/dom.js"];

const PIPS = ["♣", "♦", "♥", "♠"];
const SUITS = ["clubs", "diamonds", "hearts", "spades"];
const RANKS = { 11: "jack", 12: "queen", 13: "king", 14: "ace" };

const spoken = (card) =>
  card === JOKER ? "joker" : `${RANKS[rankOf(card)] ?? rankOf(card)} of ${SUITS[suitOf(card)]}`;

const rankText = (card) => nameOf(card)[0].replace("T", "10");

function cardView(card, extra = "") {
  const joker = card === JOKER;
  const colour = joker ? "joker" : isRed(card) ? "red" : "black";
  return h("span", { class: `card ${colour} ${extra}`, role: "img", "aria-label": spoken(card) },
    h("span", { class: "rank", "aria-hidden": "true" }, joker ? "★" : rankText(card)),
    h("span", { class: "pip", "aria-hidden": "true" }, joker ? "Jk" : PIPS[suitOf(card)]));
}

// The highest card first, as a hand is held; equal ranks together.
function heldOrder(cards) {
  const count = (card) => cards.filter((other) => rankOf(other) === rankOf(card)).length;
  return [...cards].sort((a, b) => count(b) - count(a) || rankOf(b) - rankOf(a) || a - b);
}

const cardRow = (cards, label) =>
  h("span", { class: "cards", role: "group", "aria-label": label }, cards.map((card) => cardView(card)));
return { spoken, cardView, heldOrder, cardRow };
})();
modules["js/page/shuffle.js"] = (() => {
// The shuffle, draw by draw (PGE-FAIR-1, section 5): the word, what was thrown away, the cards exchanged.

const { deckOf } = modules["js/shuffle.js"];
const { toHex } = modules["js/bytes.js"];
const { nameOf } = modules["js/cards.js"];
const { cardView, spoken } = modules["js/page/cards.js"];
const { h, hashText, lazyDetails } = modules["js/page/dom.js"];

function stepsOf(seed, cards) {
  const steps = [];
  deckOf(seed, cards, (step) => steps.push(step));
  return steps;
}

// The deck before draw `count`.
function deckBefore(steps, cards, count) {
  const deck = Array.from({ length: cards }, (_, card) => card);
  for (const { i, j } of steps.slice(0, count)) [deck[i], deck[j]] = [deck[j], deck[i]];
  return deck;
}

const sentence = ({ i, j, bound, word, value, rejected, card }) => [
  ...rejected.map((bad) => `Word ${bad} is in the incomplete block at the top and is thrown away. `),
  `Word ${word} mod ${bound} = ${value}: place ${i + 1} changes with place ${j + 1}, `,
  `and the ${spoken(card)} stands at place ${i + 1} for good.`];

function stepper(steps, cards) {
  const row = h("div", { class: "deck-row" });
  const text = h("p", { class: "draw", "aria-live": "polite" });
  const range = h("input", { type: "range", min: 0, max: steps.length, value: 0,
    "aria-label": "Draw", oninput: () => show(Number(range.value)) });
  const button = (label, move) => h("button", { type: "button", class: "button",
    onclick: () => show(Math.min(steps.length, Math.max(0, move(Number(range.value))))) }, label);
  function show(count) {
    range.value = String(count);
    const done = count === 0 ? null : steps[count - 1];
    row.replaceChildren(...deckBefore(steps, cards, count).map((card, place) => {
      const changed = done && (place === done.i || place === done.j);
      // When one card is left, it stays where it is.
      const fixed = place < count || count === steps.length;
      return cardView(card, `${fixed ? "fixed" : "open"} ${changed ? "changed" : ""}`);
    }));
    text.replaceChildren(...(done === null ? ["The deck in its order, before the first draw."]
      : [h("strong", {}, `Draw ${count} of ${steps.length}. `), ...sentence(done)]));
  }
  show(0);
  return h("div", { class: "stepper" },
    h("p", { class: "row" }, button("Start", () => 0), button("Back", (at) => at - 1), range,
      button("Next", (at) => at + 1), button("End", () => steps.length)), text, row);
}

function drawTable(steps) {
  const head = ["Draw", "Word", "Thrown away", "Bound", "Remainder", "Exchange", "Card fixed"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All draws" },
    h("table", { class: "draws" },
      h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
      h("tbody", {}, steps.map(({ i, j, bound, word, value, rejected, card }) => h("tr", {},
        h("th", { scope: "row" }, String(i + 1)), h("td", {}, String(word)),
        h("td", {}, rejected.join(", ") || "–"), h("td", {}, String(bound)),
        h("td", {}, String(value)), h("td", {}, `${i + 1} ↔ ${j + 1}`), h("td", {}, nameOf(card)))))));
}

function shuffleView(audit) {
  const { seed } = audit.played;
  const { cards } = audit.listed;
  return lazyDetails("The shuffle, step by step", () => {
    const steps = stepsOf(seed, cards);
    const thrown = steps.reduce((sum, { rejected }) => sum + rejected.length, 0);
    return h("div", { class: "shuffle" },
      h("p", {}, "The round seed is the key of ChaCha20; its stream ", h("code", {}, "pge.deck"),
        ` gives words of 32 bits. Each draw takes one word modulo the cards left; a word from the
        incomplete block at the top would favour some cards and is thrown away, which happened
        ${thrown} times here. Round seed: `, hashText(toHex(seed))),
      stepper(steps, cards), lazyDetails("All draws as a table", () => drawTable(steps)));
  });
}
return { shuffleView };
})();
modules["js/page/story.js"] = (() => {
// What each record fixed, and when: the round in the order in which it could no longer be changed.

const { h, hashText, plural } = modules["js/page/dom.js"];

const list = (seats) => seats.length === 0 ? "nobody" : `seat${seats.length > 1 ? "s" : ""} ${seats.join(", ")}`;
const day = (seconds) => new Date(Number(seconds) * 1000).toISOString().slice(0, 16).replace("T", " ");

function signedBy(record, who) {
  return record.signatures.length > 0 ? `Signed by ${who}.`
    : "Not signed: the policy of this tenant does not ask for it.";
}

const step = (title, when, ...body) =>
  h("li", {}, h("h4", {}, title), h("p", { class: "when" }, when), body);

function ticketStep({ ticket }) {
  const { client, commit, epoch, round_no: number, table, suite } = ticket.json;
  const seats = Object.keys(client);
  return step("Ticket", "before any wager was final", h("p", {}, signedBy(ticket, "the engine"),
    ` Round ${number} at table ${table}, epoch ${epoch} (${suite} suite). It commits to the server `,
    "seed and to the ruleset, without showing the seed: ", hashText(commit)),
  h("p", {}, seats.length === 0
    ? "No seat committed to a seed of its own."
    : `A seed of their own was committed to by ${list(seats)}.`));
}

function lockStep({ lock }) {
  if (lock === null) return null;
  const seeds = Object.entries(lock.json.seats ?? {}).filter(([, one]) => one.client_seed);
  return step("Wagers locked", "before the first card", h("p", {},
    signedBy(lock, "the platform's ledger"), " Wagers and table facts are fixed. ",
    seeds.length > 0 ? `The client seeds of ${list(seeds.map(([seat]) => seat))} are shown.` : ""));
}

function dealStep({ deal }) {
  if (deal === null) return null;
  return step("Deal", "players' cards shown", h("p", {}, signedBy(deal, "the engine"),
    ` Cards of ${list(Object.keys(deal.json.visible))}. The whole deck is committed to: `,
    hashText(deal.json.deck_commit)));
}

function decisionStep({ actions, close }) {
  if (actions.length === 0 && close === null) return null;
  if (close?.json.step === "void") {
    return step("Closed as void", "instead of a settlement",
      h("p", {}, signedBy(close, "the platform's ledger")));
  }
  const signed = actions.filter((action) => action.signatures.length > 0).length;
  return step("Decisions locked", "before the dealer's cards were shown", h("p", {},
    `${plural(actions.length, "decision")}, ${signed} signed by seats. `,
    close === null ? "" : signedBy(close, "the platform's ledger")));
}

function closeStep({ settle }) {
  if (settle === null) return step("No close", "the round is not finished in this file");
  if (settle.json.disposition === "void") {
    return step("Void", "nothing is revealed", h("p", {}, signedBy(settle, "the engine"),
      ` Reason: ${settle.json.reason.replaceAll("_", " ")}. All stakes and fees go back.`));
  }
  return step("Settlement", "everything is revealed", h("p", {}, signedBy(settle, "the engine"),
    " Server seed: ", hashText(settle.json.server_seed)));
}

function epochStep(audit) {
  const { epoch } = audit.listed;
  if (epoch.suite === "fresh") {
    return step("Epoch", "", h("p", {}, "Seeds of this suite are drawn afresh for each ticket: only ",
      "a player's own seed shows that none was picked."));
  }
  const secret = audit.reveal?.json.epoch_secret;
  return step("Epoch secret", secret ? "published" : "not yet published", h("p", {}, secret
    ? ["Every server seed of the epoch follows from it: ", hashText(secret)]
    : `It may be published after ${day(epoch.settle_until)} UTC. Then this page can also show that
       the server seed was derived, and not chosen.`));
}

const storyView = (round, audit) =>
  h("ol", { class: "story" }, ticketStep(round), lockStep(round), dealStep(round),
    decisionStep(round), closeStep(round), epochStep(audit));
return { storyView };
})();
modules["js/page/table.js"] = (() => {
// The table as it was played: the dealer's hand, the seats, every bet's line and money.

const { decimal } = modules["js/money.js"];
const { sentencesOf } = modules["js/house-way/index.js"];
const { betOf } = modules["js/sheet.js"];
const { cardRow, heldOrder } = modules["js/page/cards.js"];
const { h } = modules["js/page/dom.js"];

const TITLES = { base: "Base wager", double_down: "Double down", envy: "Envy bonus",
  community: "Community bonus" };
const OUTCOMES = { win: "wins", lose: "loses", push: "pushes" };
const RESULTS = { win: "wins", lose: "loses", copy: "copies, which the dealer wins" };
const STATUS = { won: "won", lost: "lost", push: "push", uncovered: "not covered",
  returned: "returned", void: "void" };

class TableView {
  constructor(round, audit) {
    Object.assign(this, { round, audit });
    this.ruleset = audit.listed.ruleset;
    this.houseWay = audit.world.rules.houseWayOf(this.ruleset);
    this.currency = audit.sheet.currency;
  }

  money(text, signed = false) {
    const minor = BigInt(text);
    const sign = signed && minor > 0n ? "+" : "";
    return sign + decimal(minor, this.currency.exponent).replace("-", "−");
  }

  hand(name, category, cards) {
    return h("div", { class: "hand" },
      h("p", { class: "hand-name" }, name, " ", h("span", { class: "category" }, category)),
      cardRow(heldOrder(cards), `${name}: ${category}`));
  }

  setting(one) {
    return h("div", { class: "setting" },
      this.hand("Low hand", one.low_category, one.low),
      this.hand("High hand", one.high_category, one.high));
  }

  clause(one, who) {
    if (one.clause === undefined) {
      return h("p", { class: "clause" }, "Set by the player.");
    }
    return h("p", { class: "clause" }, `${who} the house way, clause `,
      h("code", {}, one.clause), ": ",
      h("q", {}, sentencesOf(this.houseWay, one.clause).join(" ")));
  }

  dealer(results) {
    const banker = this.ruleset.coverage === "player-dealer" ? "Player-dealer" : "Dealer";
    return h("section", { class: "seat dealer", "aria-label": banker },
      h("h4", {}, banker, h("span", { class: "source" }, this.houseWay.title)),
      this.setting(results.bank), this.clause(results.bank, "Set by"));
  }

  lineRow(one) {
    const bet = betOf(this.ruleset, one.bet);
    const owner = (this.ruleset.bets ?? []).find((each) => each.others?.bet === one.bet) ?? bet;
    const row = owner?.rows.find((each) => each.id === one.row);
    const pays = one.pays ? `${one.pays.num} to ${one.pays.den}` : "";
    const why = [row?.title, one.caused_by_seat && `hand of seat ${one.caused_by_seat}`,
      pays, one.uncovered && `${this.money(one.uncovered)} had no cover`,
      one.commission !== "0" && `commission ${this.money(one.commission)}`]
      .filter(Boolean).join(" · ");
    return h("tr", { class: one.status },
      h("th", { scope: "row" }, bet?.title ?? TITLES[one.bet] ?? one.bet,
        why === "" ? null : h("span", { class: "why" }, why)),
      h("td", { class: "amount", "data-name": "Stake" }, this.money(one.stake)),
      h("td", { "data-name": "Result" }, h("span", { class: "tag" }, STATUS[one.status])),
      h("td", { class: "amount", "data-name": "Back" }, this.money(one.return)));
  }

  lines(one, fee, seat) {
    const head = ["Bet", "Stake", "Result", "Back"];
    const fees = fee === undefined ? null : h("tr", {}, h("th", { scope: "row" }, "Collection fee"),
      h("td", { class: "amount" }, this.money(fee)), h("td", {}), h("td", { class: "amount" }, this.money("0")));
    return h("table", { class: "lines" },
      h("caption", { class: "visually-hidden" }, `Bets of seat ${seat}, in ${this.currency.code}`),
      h("thead", {}, h("tr", {}, head.map((text, i) =>
        h("th", { scope: "col", class: i % 2 ? "amount" : "" }, text)))),
      h("tbody", {}, one.lines.map((line) => this.lineRow(line)), fees),
      h("tfoot", {}, h("tr", {}, h("th", { scope: "row", colspan: 3 }, "Net"),
        h("td", { class: "amount net" }, this.money(one.net, true)))));
  }

  seat(number, one, fee) {
    const banks = this.audit.sheet.facts.banker_seat === Number(number);
    const outcome = one.outcome === undefined ? null
      : h("span", { class: `outcome ${one.outcome}` }, OUTCOMES[one.outcome]);
    const body = one.outcome === undefined ? [h("p", { class: "clause" }, "No base wager.")] : [
      this.setting(one),
      h("p", { class: "compared" }, one.foul
        ? "Foul: the low hand outranks the high hand, which loses both."
        : `Low hand ${RESULTS[one.low_result]}, high hand ${RESULTS[one.high_result]}.`),
      this.clause(one, "Set by")];
    return h("section", { class: "seat", "aria-label": `Seat ${number}` },
      h("h4", {}, `Seat ${number}${banks ? ", banking" : ""}`, outcome), body,
      this.lines(one, fee, number));
  }

  // The money of the whole table, which must come out even.
  sums(results) {
    const pairs = [["Bank", this.money(results.bank.net, true)],
      ["House", this.money(results.house_net, true)],
      ["of which commission", this.money(results.commission)],
      ["of which fees", this.money(results.fees)]];
    return h("dl", { class: "sums" },
      pairs.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))));
  }

  view() {
    const results = this.audit.recomputed;
    const fees = this.round.deal.json.fees ?? {};
    const { dice } = this.audit.played;
    return h("div", { class: "table" },
      h("p", { class: "dice" }, dice.length === 0 ? "This game throws no dice."
        : ["Dice ", dice.map((die) => h("span", { class: "die", role: "img",
          "aria-label": String(die) }, "⚀⚁⚂⚃⚄⚅"[die - 1])),
        ` make ${dice.reduce((a, b) => a + b)}. `],
      ` Amounts in ${this.currency.code}.`),
      this.dealer(results),
      h("div", { class: "seats" },
        Object.entries(results.seats).map(([number, one]) => this.seat(number, one, fees[number]))),
      this.sums(results));
  }
}
return { TableView };
})();
modules["js/page/words.js"] = (() => {
// In plain words: what an audit has shown, and what no audit can show.

const { plural } = modules["js/page/dom.js"];

const VERDICTS = {
  match: ["Everything matches",
    "Every check that could be made was made, and all is as recorded."],
  mismatch: ["Something does not match",
    "At least one check failed: these records are not what the rules and the protocol give."],
  incomplete: ["Nothing is wrong, but something is missing",
    "What is there agrees. A round without its close, or rules that are not at hand, cannot be checked to the end."],
};

const passed = (report, ...codes) => codes.every((code) => report.statusOf(code) === "passed");

// In how many rounds these checks all could be made; none if one of them failed.
function made(report, ...codes) {
  const counts = codes.map((code) => report.counts[code]);
  if (counts.some(({ failed }) => failed > 0)) return 0;
  return Math.min(...counts.map((count) => count.passed));
}

function proven(report, { pinned }) {
  const total = report.rounds.length;
  const of = (disposition) =>
    report.rounds.filter((round) => round.disposition === disposition).length;
  const claims = [];
  const claim = (count, text) => {
    if (count === 0) return;
    claims.push(count === total ? text
      : `In ${count} of ${plural(total, "round")} ${text[0].toLowerCase()}${text.slice(1)}`);
  };
  if (passed(report, "MANIFEST_SIG", "SIGNATURES", "CHAIN")) {
    claims.push(pinned
      ? "These records were signed under the root that you trust, and not changed since."
      : "These records agree with the root that they name themselves.");
  }
  claim(made(report, "COMMIT"), "The server seed was fixed in the ticket, before cards were dealt.");
  claim(made(report, "REPLAY", "DECK_COMMIT", "CARDS_SHOWN"),
    "Deck and dice are exactly what the seeds give, and the cards shown are that deck's.");
  if (made(report, "CLIENT_COMMIT") > 0) {
    claim(report.rounds.filter(({ seeds, disposition }) => seeds > 0 && disposition === "settled").length,
      "Players' own seeds, committed to before, are in the shuffle: nobody alone could choose the deck.");
  }
  if (made(report, "RESULTS") > 0) {
    claim(of("settled"), "Hands, bets, fees and every amount follow from the rules, to the last unit.");
    claim(of("void"), "The round is void, and every stake and fee goes back.");
  }
  claim(made(report, "SEED_WAS_NOT_CHOSEN"),
    "The server seed was not picked: it follows from the secret of its epoch.");
  if (passed(report, "SALT_AFTER_COMMIT", "EPOCH_SALT")) {
    claims.push("The secret of the epoch was committed to before the salt that it is mixed with was known.");
  }
  return claims;
}

function notProven(report, { pinned }) {
  const limits = [];
  if (!pinned) limits.push("Whose records these are: the root was taken from the transcript itself.");
  if (report.statusOf("SEED_WAS_NOT_CHOSEN") === "skipped") {
    limits.push("That the server seed was not picked: this waits for the secret of the epoch.");
  }
  if (report.statusOf("SALT_AFTER_COMMIT") === "skipped") {
    limits.push("That the operator could not try secrets before committing to one.");
  }
  if (report.rounds.some(({ lock }) => lock === "off")) {
    limits.push("That wagers and settings were final before the next cards were seen: this tenant's policy asks for no locks.");
  }
  if (report.rounds.some(({ chain }) => chain === "off")) {
    limits.push("That no round was left out: this tenant's policy asks for no chain of rounds.");
  }
  return [...limits,
    "That nobody knew cards in advance: who holds the secret can compute them, unless a player's own seed was in the round.",
    "That no other version of this round exists elsewhere: only this file was seen.",
    "That table limits and a bank were the table's: only that they were applied.",
    "That money was paid, or that the rules are those on the felt: compare the name of the ruleset."];
}
return { VERDICTS, proven, notProven };
})();
modules["js/page/report.js"] = (() => {
// The report: verdict, what it means, the checks, and the rounds one at a time.

const { auditRound } = modules["js/audit/index.js"];
const { CODES } = modules["js/audit/report.js"];
const { decimal } = modules["js/money.js"];
const { h, hashText, lazyDetails, plural, sentence } = modules["js/page/dom.js"];
const { cardRow } = modules["js/page/cards.js"];
const { shuffleView } = modules["js/page/shuffle.js"];
const { storyView } = modules["js/page/story.js"];
const { TableView } = modules["js/page/table.js"];
const { VERDICTS, notProven, proven } = modules["js/page/words.js"];

const MARKS = { passed: "✓", failed: "✗", skipped: "–" };

function verdictView(report, trust) {
  const [title, text] = VERDICTS[report.verdict];
  const failed = report.code === null ? null : h("p", {}, "First failed check: ",
    h("code", {}, report.code), `. It is not so that ${CODES[report.code]}.`);
  return h("section", { class: `panel verdict ${report.verdict}`, "aria-labelledby": "verdict" },
    h("h2", { id: "verdict", tabindex: -1 },
      h("span", { class: "mark", "aria-hidden": "true" },
        { match: "✓", mismatch: "✗", incomplete: "…" }[report.verdict]), title),
    h("p", {}, text), failed,
    h("p", { class: "quiet" }, `${plural(report.rounds.length, "round")}, `,
      plural(report.file?.records ?? 0, "record"), "."),
    trust.pinned ? null : h("p", { class: "warning", role: "note" },
      h("strong", {}, "The root is not pinned. "), "It was taken from the transcript itself, so whoever wrote the ",
      "transcript may have made it. Give the root key that the operator publishes."));
}

const claims = (title, list, kind) => h("div", { class: `claims ${kind}` }, h("h3", {}, title),
  list.length === 0 ? h("p", {}, "Nothing: see the check that failed.")
    : h("ul", {}, list.map((text) => h("li", {}, text))));

const meaningView = (report, trust) => h("section",
  { class: "panel meaning", "aria-label": "What this proves" },
  claims("What this shows", proven(report, trust), "yes"),
  claims("What no audit of this file shows", notProven(report, trust), "no"));

// By rounds, where they differ.
function countText({ passed, failed, skipped }) {
  const parts = [[passed, "passed"], [failed, "failed"], [skipped, "skipped"]]
    .filter(([count]) => count > 0);
  return parts.length < 2 ? null
    : h("p", { class: "why" }, `By rounds: ${parts.map(([count, what]) => `${count} ${what}`).join(", ")}.`);
}

function checkRow({ code, status, where, expected, found }, counts) {
  const short = (value) => {
    const text = String(value);
    return text.length > 400 ? `${text.slice(0, 400)} …` : text;
  };
  const why = status === "failed"
    ? [h("dl", { class: "difference" }, h("dt", {}, "expected"), h("dd", {}, short(expected)),
      h("dt", {}, "found"), h("dd", {}, short(found)))]
    : status === "skipped" ? [h("p", { class: "why" }, sentence(found))] : [];
  return h("li", { class: `check ${status}` },
    h("span", { class: "mark", "aria-hidden": "true" }, MARKS[status]),
    h("div", {}, h("p", { class: "check-name" }, h("code", {}, code),
      h("span", { class: "tag" }, status), where ? h("span", { class: "where" }, where) : null),
    h("p", {}, sentence(CODES[code])), why, counts ? countText(counts) : null));
}

const checkList = (checks, counts = {}) =>
  h("ol", { class: "checks" }, checks.map((check) => checkRow(check, counts[check.code])));

function checksView(report) {
  const count = (status) => report.checks.filter((check) => check.status === status).length;
  return h("section", { class: "panel", "aria-labelledby": "checks" },
    h("h2", { id: "checks" }, "The checks"),
    h("p", { class: "quiet" },
      `${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped.`),
    checkList(report.checks, report.counts));
}

function voidView(round, audit) {
  const { exponent = 0, code = "" } = round.lock?.json.currency ?? {};
  const returns = Object.entries(round.settle.json.returns);
  return h("div", {}, h("p", {}, "The round is void: every stake and fee goes back."),
    h("ul", {}, returns.map(([seat, amount]) => h("li", {},
      `${seat === "0" ? "Player-dealer" : `Seat ${seat}`}: ${decimal(BigInt(amount), exponent)} ${code}`))));
}

// Cards without rules behind them, or without results.
function handsView(round, audit) {
  if (round.deal === null) return h("p", {}, "No cards were dealt in this file.");
  return h("div", {}, h("p", {}, audit.listed.ruleset === null
    ? "The rules of this round are not among those of this page: cards only. The operator has their files; choose them with the transcript."
    : "The results could not be recomputed: cards only."),
  Object.entries(round.deal.json.visible).map(([seat, cards]) =>
    h("p", {}, `Seat ${seat} `, cardRow(cards, `Cards of seat ${seat}`))));
}

function tableView(round, audit) {
  if (audit.recomputed) return new TableView(round, audit).view();
  return round.settle?.json.disposition === "void" ? voidView(round, audit) : handsView(round, audit);
}

function roundBody(report, index) {
  const round = report.file.rounds[index];
  const { outcomes, audit } = auditRound(round, report.world);
  if (outcomes[0].status !== "passed" || audit.listed === null) {
    return h("div", {}, h("p", {}, "This round's records cannot be relied on."),
      checkList(outcomes.filter(({ status }) => status !== "passed").slice(0, 3)));
  }
  const { ticket } = audit;
  const failed = outcomes.filter(({ status }) => status === "failed");
  return h("div", {},
    h("p", { class: "round-facts" },
      h("strong", {}, audit.listed.ruleset?.title ?? "Unknown ruleset"),
      ` · table ${ticket.table} · number ${ticket.round_no}`),
    h("p", { class: "quiet" }, "Round ", hashText(ticket.round_id)),
    failed.length === 0 ? null : h("div", { class: "warning", role: "note" },
      h("p", {}, h("strong", {}, "Checks of this round failed. "),
        "What is drawn below is what this page computed, not what was recorded."),
      checkList(failed)),
    tableView(round, audit),
    h("h3", {}, "What was fixed, and when"), storyView(round, audit),
    audit.played ? shuffleView(audit) : null,
    lazyDetails("The records of this round", () => h("div", { class: "scroll", tabindex: 0,
      role: "region", "aria-label": "Records" }, round.records.map((record) =>
      h("div", {}, h("p", { class: "quiet" }, `line ${record.line}, ${record.kind} `, hashText(record.hash)),
        h("pre", {}, JSON.stringify(record.json, null, 1)))))));
}

function roundsView(report) {
  const total = report.rounds.length;
  if (total === 0) return null;
  const body = h("div", { id: "round-body" });
  const failed = report.rounds.filter((round) => round.failed !== null);
  const number = h("input", { id: "round-number", type: "number", min: 1, max: total, value: 1,
    inputmode: "numeric", onchange: () => show(Number(number.value)) });
  const button = (label, move) => h("button", { type: "button", class: "button",
    onclick: () => show(move(Number(number.value))) }, label);
  const nextFailed = (at) => (failed.find((round) => round.number > at) ?? failed[0]).number;
  function show(wanted) {
    const at = Math.min(total, Math.max(1, Math.trunc(wanted) || 1));
    number.value = String(at);
    body.replaceChildren(roundBody(report, at - 1));
  }
  show(failed[0]?.number ?? 1);
  const chooser = total === 1 ? null : h("div", { class: "row chooser" },
    button("Back", (at) => at - 1), h("label", { for: "round-number" }, "Round"), number,
    h("span", {}, `of ${total}`), button("Next", (at) => at + 1),
    failed.length > 0 ? button(`Next of ${failed.length} failed`, nextFailed) : null);
  return h("section", { class: "panel round", "aria-labelledby": "rounds" },
    h("h2", { id: "rounds" }, total === 1 ? "The round" : "The rounds"), chooser, body);
}

const reportView = (report, trust) => [
  verdictView(report, trust), meaningView(report, trust), roundsView(report), checksView(report)];
return { reportView };
})();
modules["js/page/trust.js"] = (() => {
// Which root is trusted: the one that the reader gives, or, said loudly, the one in the file.

const { linesOf } = modules["js/audit/file.js"];
const { parseRecord } = modules["js/record.js"];

const KEY = /^[0-9a-f]{64}$/;

// Keys as words, or a root.json of `keys` and `threshold`. Throws with what to mend.
function readRoot(text, threshold) {
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
function rootInFile(text) {
  try {
    const first = linesOf(text).next().value;
    const { root } = parseRecord(first.text, 1).json;
    return { keys: root.keys.map((key) => key.pk), threshold: root.threshold, pinned: false };
  } catch {
    return { keys: [], threshold: 1, pinned: false };
  }
}
return { readRoot, rootInFile };
})();
modules["js/page/main.js"] = (() => {
// The page: takes a transcript, audits it in slices so that it stays alive, shows the report.

const { audit } = modules["js/audit/index.js"];
const { houseWays, rulesets } = modules["js/data.js"];
const { Rules, sorted } = modules["js/rules.js"];
const { byId, h } = modules["js/page/dom.js"];
const { reportView } = modules["js/page/report.js"];
const { readRoot, rootInFile } = modules["js/page/trust.js"];

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_RULES_BYTES = 1024 * 1024;
const SLICE_MS = 30;

let chosen = null;
// The operator's own rulesets and house ways that were chosen beside it.
let chosenRules = [];
let running = 0;

const status = (text, bad = false) => {
  byId("status").textContent = text;
  byId("status").classList.toggle("bad", bad);
};

// Lets the browser draw and take input between slices.
const breathe = () => new Promise((resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
});

// Bytes that are no UTF-8 become characters that no record has.
async function readFile(file) {
  if (file.size > MAX_BYTES) throw new Error("The file is larger than 64 MB: cut it by rounds.");
  return new TextDecoder("windows-1252").decode(await file.arrayBuffer());
}

async function readRules() {
  if (chosenRules.some((file) => file.size > MAX_RULES_BYTES)) {
    throw new Error("A rules file is larger than 1 MB.");
  }
  const own = sorted(await Promise.all(chosenRules.map((file) => file.text())));
  return new Rules({ rulesets: [...rulesets, ...own.rulesets], houseWays: [...houseWays, ...own.houseWays] });
}

async function inSlices(steps, onProgress) {
  const mine = ++running;
  for (;;) {
    const end = performance.now() + SLICE_MS;
    while (performance.now() < end) {
      const { done, value } = steps.next();
      if (done) return value;
      onProgress(value);
    }
    await breathe();
    if (mine !== running) throw new Error("Stopped.");
  }
}

function showProgress({ done, of, what }) {
  const bar = byId("progress");
  if (of) bar.value = done / of;
  else bar.removeAttribute("value");
  // Told in tenths, or a screen reader would read numbers without end.
  const tenth = of ? Math.floor((10 * done) / of) : Math.floor(done / 4096);
  const text = of ? `Checking round by round, ${10 * tenth} %` : `Reading records`;
  if (byId("status").textContent !== text) status(text);
}

function busy(on) {
  byId("go").disabled = on;
  byId("stop").hidden = !on;
  byId("progress").hidden = !on;
  byId("report").setAttribute("aria-busy", String(on));
}

async function run() {
  const text = chosen ? await readFile(chosen) : byId("text").value;
  if (text.trim() === "") throw new Error("Choose, drop or paste a transcript first.");
  const given = byId("root").value.trim();
  const trust = given === "" ? rootInFile(text) : readRoot(given, Number(byId("threshold").value));
  const rules = await readRules();
  const report = await inSlices(audit(text, trust, rules), showProgress);
  status(`Done: ${report.verdict}.`);
  const view = byId("report");
  view.replaceChildren(...reportView(report, trust).filter((part) => part !== null));
  view.hidden = false;
  byId("verdict").focus({ preventScroll: true });
  byId("verdict").scrollIntoView({ block: "start" });
}

async function start(event) {
  event?.preventDefault();
  byId("report").hidden = true;
  byId("report").replaceChildren();
  busy(true);
  status("Reading");
  try {
    await run();
  } catch (error) {
    status(error.message, true);
  } finally {
    busy(false);
  }
}

const isRules = (file) => file.name.toLowerCase().endsWith(".toml");

// A transcript with the rules files beside it; rules files alone are added to what there is.
function choose(files) {
  const [transcript, another] = files.filter((file) => !isRules(file));
  const rules = files.filter(isRules);
  if (another) {
    status(`One transcript at a time: ${transcript.name} is taken.`, true);
  }
  if (transcript || files.length === 0) chosen = transcript ?? null;
  const isAgain = (old) => rules.some((file) => file.name === old.name);
  chosenRules = transcript ? rules : [...chosenRules.filter((old) => !isAgain(old)), ...rules];
  const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const named = [chosen, ...chosenRules].filter((file) => file !== null);
  byId("chosen").replaceChildren(...(named.length === 0 ? ["JSON Lines, up to 64 MB"]
    : named.map((file, i) => h("span", {}, i > 0 ? "; " : "", h("strong", {}, file.name), `, ${size(file.size)}`))));
}

function wire() {
  byId("input").addEventListener("submit", start);
  byId("stop").addEventListener("click", () => {
    running += 1;
  });
  byId("file").addEventListener("change", (event) => choose([...event.target.files]));
  // What is pasted takes the place of what was chosen.
  byId("text").addEventListener("input", () => {
    byId("file").value = "";
    choose([]);
  });
  // A drop anywhere else must not make the browser leave the page.
  for (const name of ["dragover", "drop"]) {
    document.addEventListener(name, (event) => event.preventDefault());
  }
  const drop = byId("drop");
  document.addEventListener("dragover", () => drop.classList.add("over"));
  document.addEventListener("dragleave", () => drop.classList.remove("over"));
  document.addEventListener("drop", (event) => {
    drop.classList.remove("over");
    const files = [...event.dataTransfer?.files ?? []];
    if (files.length === 0) return;
    if (!files.every(isRules)) byId("text").value = "";
    choose(files);
    if (chosen || byId("text").value.trim() !== "") start();
  });
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", wire);
else wire();
return {  };
})();
}
