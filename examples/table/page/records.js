// Signed records: DSSE envelopes over canonical JSON (docs/protocol/records.md). The browser reads the ticket, the
// deal, and the bytes that its key is asked to sign. It believes none of them.

import { ascii, asciiText, concat, fromBase64, fromHex, toHex } from "/verify/js/bytes.js";
import { cardOf } from "/verify/js/cards.js";
import { parseCanonical } from "/verify/js/json.js";

const typeOf = (kind) => `application/vnd.pge.${kind}.v1+json`;

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

// The pre-authentication encoding: what is signed of a payload, and what the hash of a record is made of.
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

// Checks that a deal follows the ticket to which the seed was sent, and has the cards that the page shows.
export function checkDeal(envelope, kept, cards) {
  const deal = bodyOf(envelope, "deal");
  need(deal.ticket === kept.ticketHash, "The deal does not follow the ticket that this browser checked.");
  need(String(deal.visible[kept.seat]) === String(cards.map(cardOf)),
    "The deal record has other cards than the page shows.");
}

// The bytes of a decision, in their one spelling: the browser writes them itself, so that a server cannot put
// anything else under the signature.
export async function actionBytes(deal, { seat, low, doubles }) {
  const type = typeOf("action");
  const numbers = low.map(cardOf).sort((a, b) => a - b);
  const payload = `{${doubles ? `"double_down":true,` : ""}"low":[${numbers.join(",")}],` +
    `"prev":"${await recordHash(deal)}","seat":${seat}}`;
  return pae(type, ascii(payload));
}
