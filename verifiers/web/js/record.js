// Records: DSSE envelopes over canonical JSON (PGE-FAIR-1, section 6.2).

import { ascii, asciiText, concat, fromBase64, toHex } from "./bytes.js";
import { parseCanonical } from "./json.js";
import { sha256 } from "./sha2.js";
import { verify } from "./ed25519.js";

export const KINDS = ["manifest", "ticket", "lock", "deal", "action", "settle", "epoch-reveal",
  "epoch-close", "log-proof"];
const TYPE = /^application\/vnd\.pge\.([a-z-]+)\.v1\+json$/;

const MAX_SIGNATURES = 16;
// A hint that no signature covers.
const KEY_ID = /^[\x21-\x7e]{0,64}$/;

export class NotARecord extends Error {}

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

export class Record {
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

  // The payload as text. A byte that is not ASCII becomes a character that no parser accepts.
  get text() {
    return asciiText(this.payload);
  }

  // The payload, or throws NotCanonical.
  get json() {
    return (this.cachedJson ??= parseCanonical(this.text));
  }

  // Every signature is good, and by one of these keys (hex). The caller decides whether there may be none at all.
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
export function parseRecord(text, line) {
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
