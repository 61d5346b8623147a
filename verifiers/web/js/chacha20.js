// ChaCha20, used only as a stream of little-endian u32 words (PGE-FAIR-1, section 5).

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

// One block of 16 words. The caller gives the last four state words: here a 64-bit counter and a 64-bit
// stream id, in RFC 8439 a 32-bit counter and a 96-bit nonce.
export function block(key, last) {
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
export function* words(key, stream) {
  const id = [0, 4].map((at) => [0, 1, 2, 3].reduce(
    (sum, i) => (sum | (stream.charCodeAt(at + i) << (8 * i))) >>> 0, 0));
  for (let counter = 0; ; counter++) yield* block(key, [counter, 0, ...id]);
}
