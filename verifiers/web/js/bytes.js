// Bytes and their spellings. Every integer of the protocol is little-endian (PGE-FAIR-1, section 2).

const HEX = /^(?:[0-9a-f]{2})*$/;

export function fromHex(text) {
  if (!HEX.test(text)) throw new Error("not lower-case hex");
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function toHex(bytes) {
  let text = "";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUE = new Int8Array(128).fill(-1);
for (let i = 0; i < 64; i++) VALUE[ALPHABET.charCodeAt(i)] = i;

// Standard base64, padded, strict (D14): unused bits must be zero. Otherwise two texts would encode one
// payload.
export function fromBase64(text) {
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

// Writes standard base64 with padding.
export function toBase64(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const given = bytes.subarray(i, i + 3);
    const [a, b = 0, c = 0] = given;
    const quad = (a << 16) | (b << 8) | c;
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET[(quad >> shift) & 63]);
    text += letters.slice(0, given.length + 1).join("").padEnd(4, "=");
  }
  return text;
}

export function concat(...parts) {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

export function ascii(text) {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) throw new Error("not ASCII");
    bytes[i] = code;
  }
  return bytes;
}

export function asciiText(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  }
  return text;
}

export const utf8 = (text) => new TextEncoder().encode(text);

export function u32(value) {
  return Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
}

export function u64(value) {
  const bytes = new Uint8Array(8);
  for (let i = 0, rest = BigInt(value); i < 8; i++, rest >>= 8n) bytes[i] = Number(rest & 255n);
  return bytes;
}

export function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
