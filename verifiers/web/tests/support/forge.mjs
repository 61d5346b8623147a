// A forger's tools: opens, changes, signs again and links again the records of a transcript.
//
// Signs with Node's own Ed25519, so that this file does not use the code under test.

import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";

const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

export class Key {
  constructor(seed) {
    const der = Buffer.concat([PKCS8, Buffer.from(seed)]);
    this.secret = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const spki = createPublicKey(this.secret).export({ format: "der", type: "spki" });
    this.pk = spki.subarray(-32).toString("hex");
    this.kid = hash(enc("pge/v1/kid", Buffer.from(this.pk, "hex"))).subarray(0, 8).toString("hex");
  }

  static of(number) {
    return new Key(Buffer.alloc(32, number));
  }

  sign(message) {
    return sign(null, message, this.secret);
  }
}

export const hash = (bytes) => createHash("sha256").update(bytes).digest();

export function enc(label, ...fields) {
  const parts = [Buffer.from([label.length]), Buffer.from(label), Buffer.from([fields.length])];
  for (const field of fields) {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(field.length);
    parts.push(length, Buffer.from(field));
  }
  return Buffer.concat(parts);
}

const sorted = (value) => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
};

export const write = (payload) => JSON.stringify(sorted(payload));

export const pae = (type, payload) =>
  Buffer.concat([Buffer.from(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload]);

export class Record {
  constructor(kind, payload, signatures = []) {
    this.kind = kind;
    this.payload = Buffer.from(payload);
    this.signatures = signatures;
  }

  static parse(line) {
    const envelope = JSON.parse(line);
    const kind = envelope.payloadType.split(".").slice(2, -1).join(".");
    return new Record(kind, Buffer.from(envelope.payload, "base64"), envelope.signatures);
  }

  get type() {
    return `application/vnd.pge.${this.kind}.v1+json`;
  }

  get json() {
    return JSON.parse(this.payload);
  }

  get pae() {
    return pae(this.type, this.payload);
  }

  get hash() {
    return hash(this.pae).toString("hex");
  }

  sealed(...keys) {
    this.signatures = keys.map((key) => ({
      keyid: key.kid, sig: key.sign(this.pae).toString("base64"),
    }));
    return this;
  }

  get line() {
    return JSON.stringify({
      payload: this.payload.toString("base64"), payloadType: this.type, signatures: this.signatures,
    });
  }
}

// A transcript of a forger that holds the keys which `keyOf(record)` gives.
export class Forgery {
  constructor(lines, keysOf) {
    this.records = lines.map((line) => Record.parse(line));
    this.keysOf = keysOf;
  }

  get text() {
    return this.records.map((record) => `${record.line}\n`).join("");
  }

  find(kind, nth = 0) {
    return this.records.map((record, i) => [record, i])
      .filter(([record]) => record.kind === kind)[nth][1];
  }

  // Changes one record without a new signature.
  flip(at, edit) {
    const payload = this.records[at].json;
    this.records[at].payload = Buffer.from(write(edit(payload) ?? payload));
    return this;
  }

  // Changes one record. Its signer signs again, and no other key holder helps.
  resign(at, edit) {
    const signed = this.records[at].signatures.length > 0;
    this.flip(at, edit);
    if (signed) this.records[at].sealed(...this.keysOf(this.records[at]));
    return this;
  }

  // Changes one record. Every key holder signs again, and every later link is repaired.
  collude(at, edit) {
    const old = this.records[at].hash;
    this.resign(at, edit);
    const changed = [[old, this.records[at].hash]];
    for (const record of this.records.slice(at + 1)) {
      let text = record.payload.toString();
      for (const [from, to] of changed) text = text.replaceAll(from, to);
      if (text === record.payload.toString()) continue;
      const before = record.hash;
      record.payload = Buffer.from(text);
      if (record.signatures.length > 0) record.sealed(...this.keysOf(record));
      changed.push([before, record.hash]);
    }
    return this;
  }
}
