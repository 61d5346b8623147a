// The public log of records: inclusion proofs with checkpoints of C2SP tlog-checkpoint, which witnesses sign as C2SP
// tlog-cosignature says (PGE-FAIR-1, section 6.6).

import { ascii, concat, fromHex, toBase64, toHex } from "../bytes.js";
import { verify } from "../ed25519.js";
import { leafHash, rootOfPath } from "../merkle.js";
import { enc } from "../seeds.js";
import { fail, skip } from "./report.js";

// The longest entry of a log: a bundle of entries has their lengths in 16 bits.
const MAX_ENTRY = 65535;

// Returns the entry of a record in a log, and that of a record that is too long, by its hash.
export const longEntryOf = (hash) => enc("pge/v1/log-entry", fromHex(hash));
export const entryOf = ({ hash, pae }) => (pae.length <= MAX_ENTRY ? pae : longEntryOf(hash));

// The text of a checkpoint, which the log signs, and the text that a witness signs at a time.
export const checkpointOf = ({ origin, root, size }) => `${origin}\n${size}\n${toBase64(fromHex(root))}\n`;
export const cosignedOf = (time, text) => `cosignature/v1\ntime ${time}\n${text}`;

const isSigned = ({ pk, sig }, text) => verify(fromHex(pk), ascii(text), fromHex(sig));

// The proofs of a file that count: those that a pinned witness has signed.
export class PublicLog {
  constructor({ witnesses }) {
    this.witnesses = witnesses;
    // By the hash of the record: the logs whose key signed the checkpoint, and the earliest time of a pinned witness.
    this.proofs = new Map();
  }

  // Checks a proof of a record, which is undefined if the file does not have it. `logs` are those of all manifests.
  add({ json, line }, record, logs) {
    const at = { line };
    const { cosignatures, index, origin, path, record: hash, root, sig, size } = json;
    if (record === undefined) fail("a proof of a record of this file", hash, at);
    const found = rootOfPath(leafHash(entryOf(record)), BigInt(index), BigInt(size), path.map(fromHex));
    if (found === null || toHex(found) !== root) {
      fail("a path to the root of the checkpoint", found === null ? "none" : `one to ${toHex(found)}`, at);
    }
    const text = checkpointOf(json);
    const own = logs.filter((log) => log.origin === origin && isSigned({ pk: log.pk, sig }, text));
    if (own.length === 0) fail("the signature of a log that a manifest lists", "another", at);
    const times = [];
    for (const { pk, sig: signature, time } of cosignatures) {
      if (!this.witnesses.includes(pk)) continue;
      if (!isSigned({ pk, sig: signature }, cosignedOf(time, text))) fail("the cosignature of the witness", "another", at);
      times.push(BigInt(time));
    }
    if (times.length === 0) return;
    if (!this.proofs.has(hash)) this.proofs.set(hash, []);
    this.proofs.get(hash).push({ logs: own, time: times.reduce((a, b) => (a < b ? a : b)) });
  }

  // The earliest time at which a pinned witness had a record in a log, in Unix seconds; null if none had. Without
  // `log` any log of a manifest counts; null means no log.
  timeOf(hash, log) {
    const isOf = ({ logs }) => log === undefined ||
      logs.some(({ origin, pk }) => origin === log?.origin && pk === log?.pk);
    const times = (this.proofs.get(hash) ?? []).filter(isOf).map(({ time }) => time);
    return times.length === 0 ? null : times.reduce((a, b) => (a < b ? a : b));
  }
}

// The check LOGGED of a round.
export function checkLogged({ manifest: { json: { log } }, round: { lock, settle, ticket }, world }) {
  if (log === undefined) skip("the manifest lists no log");
  for (const [record, name] of [[ticket, "the ticket"], [lock, "the lock of the wagers"], [settle, "the close"]]) {
    if (record !== null && world.log.timeOf(record.hash, log) === null) skip(`no proof of a pinned witness has ${name}`);
  }
}
