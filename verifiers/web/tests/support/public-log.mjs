// A public log in the hands of its operator: entries, trees, checkpoints and proofs, signed by Node's own Ed25519.

import { Key, Record, enc, hash, write } from "./forge.mjs";

const above = (hashes) => hashes.flatMap((one, i) => {
  if (i % 2 === 1) return [];
  return [i + 1 < hashes.length ? hash(Buffer.concat([Buffer.of(1), one, hashes[i + 1]])) : one];
});

export const ORIGIN = "log.example/paigow";
export const LOG = Key.of(71);
export const LISTED = { origin: ORIGIN, pk: LOG.pk };

// Returns the part of a record that is in the log.
const entryOf = ({ pae }) => (pae.length <= 65535 ? pae : enc("pge/v1/log-entry", hash(pae)));

const textOf = ({ origin, root, size }) => `${origin}\n${size}\n${Buffer.from(root, "hex").toString("base64")}\n`;

// The proof of one of the records of a log, cosigned by each of `witnesses`: pairs of a key and a time. `edit` changes
// the payload before the log and its witnesses sign it.
export function proofOf(records, at, witnesses, { log = LOG, edit = () => {} } = {}) {
  let level = records.map((record) => hash(Buffer.concat([Buffer.of(0), entryOf(record)])));
  const path = [];
  for (let place = at; level.length > 1; place = Math.floor(place / 2)) {
    if ((place ^ 1) < level.length) path.push(level[place ^ 1].toString("hex"));
    level = above(level);
  }
  const payload = { index: String(at), origin: ORIGIN, path, record: records[at].hash, root: level[0].toString("hex"),
    size: String(records.length) };
  edit(payload);
  const text = textOf(payload);
  payload.cosignatures = witnesses.map(([key, time]) => ({ pk: key.pk, time: String(time),
    sig: key.sign(Buffer.from(`cosignature/v1\ntime ${time}\n${text}`)).toString("hex") }));
  payload.sig = log.sign(Buffer.from(text)).toString("hex");
  return new Record("log-proof", write(payload));
}

// Changes a proof after it was signed.
export function changed(proof, edit) {
  const payload = proof.json;
  edit(payload);
  return new Record("log-proof", write(payload), proof.signatures);
}
