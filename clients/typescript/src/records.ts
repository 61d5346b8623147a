// The records that a ledger signs, read by this package's own parser, never trusted as they come.
//
// A record is a DSSE envelope over canonical JSON. Its signatures sign the pre-authentication encoding.

import { createHash, createPublicKey, verify } from "node:crypto";
import { NotTheRecord } from "./errors.js";
import { Choice, type UnsignedRecord, type WagerSheet } from "./gen/paigow/v1/paigow_service_pb.js";

export const LOCK = "application/vnd.pge.lock.v1+json";
export const ACTION = "application/vnd.pge.action.v1+json";

export type Json = string | number | boolean | Json[] | { [name: string]: Json };
export type Payload = { [name: string]: Json };

/** Returns the bytes that are signed of a payload. */
export function pae(kind: string, payload: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${kind.length} ${kind} ${payload.length} `), payload]);
}

/** Returns the type and the payload of a record. */
export function parse(envelope: Uint8Array): { kind: string; payload: Buffer } {
  const read = JSON.parse(Buffer.from(envelope).toString()) as { payloadType: string; payload: string };
  return { kind: read.payloadType, payload: Buffer.from(read.payload, "base64") };
}

/** Returns the payload of a record as JSON. */
export function body(envelope: Uint8Array): Payload {
  return JSON.parse(parse(envelope).payload.toString()) as Payload;
}

/** Returns the hash by which other records name a record. */
export function recordHash(envelope: Uint8Array): string {
  const { kind, payload } = parse(envelope);
  return createHash("sha256").update(pae(kind, payload)).digest("hex");
}

// The prefix of the 32 bytes of an Ed25519 public key in DER (RFC 8410).
export const PUBLIC = Buffer.from("302a300506032b6570032100", "hex");

/** Whether a public key verifies the signature of bytes. */
export function isSignedBy(publicKey: string, toSign: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({ key: Buffer.concat([PUBLIC, Buffer.from(publicKey, "hex")]), format: "der", type: "spki" });
  return verify(null, toSign, key, signature);
}

/** Returns a record with a signature in its envelope, as the engine writes it. */
export function signed(envelope: Uint8Array, publicKey: string, signature: Uint8Array): Uint8Array {
  const { kind, payload } = parse(envelope);
  const own = { keyid: kid(publicKey), sig: Buffer.from(signature).toString("base64") };
  return Buffer.from(canonical({ payload: payload.toString("base64"), payloadType: kind, signatures: [own] }));
}

/** Returns the name of a public key in signatures: eight bytes of a hash, in hexadecimal. */
function kid(publicKey: string): string {
  const label = Buffer.from("pge/v1/kid"), key = Buffer.from(publicKey, "hex"), length = Buffer.alloc(4);
  length.writeUInt32LE(key.length);
  const tuple = Buffer.concat([Buffer.from([label.length]), label, Buffer.from([1]), length, key]);
  return createHash("sha256").update(tuple).digest("hex").slice(0, 16);
}

/** Returns JSON in its one spelling: members sorted, no spaces. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
}

/** Checks that the bytes to sign are exactly the record with the payload `expected`. */
export function checkToSign(unsigned: UnsignedRecord, kind: string, expected: Payload): void {
  const envelope = unsigned.record?.envelope ?? new Uint8Array();
  let found: { kind: string; payload: Buffer }, read: Payload;
  try {
    found = parse(envelope);
    read = JSON.parse(found.payload.toString()) as Payload;
  } catch {
    throw new NotTheRecord("the bytes to sign are no record");
  }
  if (found.kind !== kind || !pae(kind, found.payload).equals(unsigned.toSign)) {
    throw new NotTheRecord("the bytes to sign are not those of the record");
  }
  if (canonical(read) !== found.payload.toString("latin1")) {
    throw new NotTheRecord("the record is not in its one spelling");
  }
  if (canonical(inAnyOrder(read)) !== canonical(inAnyOrder(expected))) {
    const names = new Set([...Object.keys(read), ...Object.keys(expected)]);
    const differing = [...names].filter((name) => canonical(read[name] ?? "") !== canonical(expected[name] ?? ""));
    throw new NotTheRecord(`the record differs from what was asked for: ${differing.sort().join(", ")}`);
  }
}

/**
 * Returns a payload with its wagers and limits sorted. They are in the ruleset's order of bets, which the
 * engine knows and a ledger does not need.
 */
function inAnyOrder(value: Json): Json {
  if (Array.isArray(value)) {
    const isOfObjects = value.length > 0 && value.every((one) => typeof one === "object" && !Array.isArray(one));
    return isOfObjects ? [...value].sort((one, other) => (canonical(one) < canonical(other) ? -1 : 1)) : value;
  }
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inAnyOrder(inner)]));
}

/** Returns the part of a wager sheet that a lock has: currency, facts, seats and limits of bets. */
export function wagersOf(sheet: WagerSheet): Payload {
  const facts: Payload = {};
  const fact = (name: string, value: bigint | number | undefined) => {
    if (value !== undefined) facts[name] = typeof value === "bigint" ? String(value) : value;
  };
  fact("chip_minor", sheet.chipMinor);
  fact("table_min_minor", sheet.tableMinMinor);
  fact("table_max_minor", sheet.tableMaxMinor);
  fact("bank_minor", sheet.bankMinor);
  fact("banker_seat", sheet.bankerSeat);
  fact("action_pile", sheet.actionPile);
  fact("meter_minor", sheet.meterMinor);
  const seats: { [seat: string]: { wagers: Json[]; client_seed?: string } } = {};
  for (const wager of sheet.wagers) {
    const seat = (seats[String(wager.seat)] ??= { wagers: [] });
    const choice = { [Choice.UNSPECIFIED]: undefined, [Choice.RED]: "red", [Choice.BLACK]: "black" }[wager.choice];
    seat.wagers.push({ amount: String(wager.amountMinor), bet: wager.bet, ...(choice && { choice }) });
    if (wager.clientSeed !== "") seat.client_seed = wager.clientSeed;
  }
  const currency = { code: sheet.currency?.code ?? "", exponent: sheet.currency?.exponent ?? 0 };
  const limits = sheet.betLimits.map(({ bet, maxMinor }) => ({ bet, max: String(maxMinor) }));
  return { currency, facts, seats: seats as Payload, ...(limits.length > 0 && { bet_limits: limits }) };
}
