// Signed records: DSSE envelopes over canonical JSON (docs/protocol/records.md). The browser reads the ticket, the bytes
// that its key is asked to sign, and the transcript. It believes none of them.

import { ascii, asciiText, concat, fromBase64, fromHex, toHex } from "/verify/js/bytes.js";
import { cardOf } from "/verify/js/cards.js";
import { parseCanonical } from "/verify/js/json.js";

const typeOf = (kind) => `application/vnd.pge.${kind}.v1+json`;

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

// The pre-authentication encoding: a signature of a payload covers it, and the hash of a record is made of it.
const pae = (type, payload) => concat(ascii(`DSSEv1 ${type.length} ${type} ${payload.length} `), payload);

export async function recordHash({ payloadType, payload }) {
  return toHex(await sha256(pae(payloadType, fromBase64(payload))));
}

export class NotTheRecord extends Error {}
const need = (holds, what) => {
  if (!holds) throw new NotTheRecord(what);
};

function bodyOf(envelope, kind) {
  need(envelope?.payloadType === typeOf(kind), `The record is not a ${kind}.`);
  try {
    return parseCanonical(asciiText(fromBase64(envelope.payload)));
  } catch {
    throw new NotTheRecord(`The ${kind} is not in the form of a record.`);
  }
}

// The bytes before the seed in its commitment: enc("pge/v1/client-commit", round_id, u8 seat, seed) up to the seed.
const LABEL = "pge/v1/client-commit";
const lengthOf = (n) => Uint8Array.of(n, 0, 0, 0);
const prefixOf = (roundId, seat) => toHex(concat(Uint8Array.of(LABEL.length), ascii(LABEL), Uint8Array.of(3),
  lengthOf(32), fromHex(roundId), lengthOf(1), Uint8Array.of(seat), lengthOf(32)));

export const commitTo = async (prefix, seed) => toHex(await sha256(concat(fromHex(prefix), seed)));

// Checks that a ticket is the one that the browser bet for. `kept` is what the browser stored with the bet.
export function checkTicket(envelope, kept, rules) {
  const ticket = bodyOf(envelope, "ticket");
  const { seat, round } = kept;
  need(ticket.epoch === round.epoch && ticket.round_no === String(round.round_no), "The ticket is of another round.");
  need(ticket.ruleset === rules.ruleset_hash, "The ticket names other rules than this table.");
  need(ticket.client[seat] === kept.commit, "The ticket does not hold the commitment of this browser.");
  need(ticket.seat_keys[seat]?.key === kept.publicKey, "The ticket does not hold the key of this browser.");
  need(prefixOf(ticket.round_id, seat) === kept.prefix, "The commitment was made for another round or seat.");
}

// Returns the hash of the deal that the bytes of a decision name, or null.
export const namedDeal = (bytes) => /"prev":"([0-9a-f]{64})"/.exec(String.fromCharCode(...bytes))?.[1] ?? null;

// The bytes of a decision, in their one spelling: the browser writes them itself, so that a server cannot put
// anything else under the signature. `deal` is the hash of the deal.
export function actionBytes(deal, { seat, low, doubles }) {
  const numbers = low.map(cardOf).sort((a, b) => a - b);
  const payload = `{${doubles ? `"double_down":true,` : ""}"low":[${numbers.join(",")}],"prev":"${deal}","seat":${seat}}`;
  return pae(typeOf("action"), ascii(payload));
}

// Compares the transcript of a settled round with what this browser saw and signed. The deal shows the cards of all
// seats, so the browser gets it with the transcript alone.
export async function checkTranscript(text, kept) {
  const records = text.trim().split("\n").map((line) => JSON.parse(line));
  const envelope = records.find(({ payloadType }) => payloadType === typeOf("deal"));
  need(envelope !== undefined && await recordHash(envelope) === kept.deal,
    "The transcript has another deal than the one that your key has signed for.");
  const deal = bodyOf(envelope, "deal");
  need(deal.ticket === kept.ticketHash, "The deal does not follow the ticket that this browser checked.");
  need(String(deal.visible[kept.seat]) === String(kept.cards.map(cardOf)),
    "The deal has other cards than this page showed you.");
}
