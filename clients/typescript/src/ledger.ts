// The ledger: reads what it signs, keeps it before it sends it, and signs one lock of a step of a round.

import { create } from "@bufbuild/protobuf";
import { createPrivateKey, createPublicKey, sign, type KeyObject } from "node:crypto";
import { readFileSync } from "node:fs";
import { LedgerError, SignedOtherwise } from "./errors.js";
import { RecordSchema, type Record, type UnsignedRecord } from "./gen/paigow/v1/paigow_service_pb.js";
import { LOCK, PUBLIC, checkToSign, isSignedBy, signed, type Payload } from "./records.js";
import type { LedgerStore, Place, StoredLock } from "./store.js";

/**
 * A signer: a function over bytes, of a file, an HSM or a KMS. `limit` is the most bytes that it takes: a
 * KMS may sign at most 4,096.
 */
export interface LedgerSigner {
  readonly publicKey: string;
  readonly limit?: number;
  sign(toSign: Uint8Array): Uint8Array | Promise<Uint8Array>;
}

// DER before the 32 bytes of a key.
const PRIVATE = Buffer.from("302e020100300506032b657004220420", "hex");

/** Returns the private key of 32 bytes. */
export function privateKey(secret: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE, secret]), format: "der", type: "pkcs8" });
}

/** Returns the public half of a private key, in hexadecimal. */
export function publicHalf(key: KeyObject): string {
  return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(PUBLIC.length).toString("hex");
}

/** Signs with a key file of `paigow-keys` (`paigow-key-1`, role `ledger`). */
export class FileSigner implements LedgerSigner {
  readonly publicKey: string;
  private readonly key: KeyObject;

  constructor(file: string) {
    const lines = readFileSync(file, "utf8").split("\n").map((line) => line.split(" "));
    const members = new Map(lines.map(([name, value]) => [name ?? "", value ?? ""]));
    const secret = members.get("secret");
    if (members.get("role") !== "ledger" || !secret) throw new LedgerError(`${file}: not the key file of a ledger`);
    this.key = privateKey(Buffer.from(secret, "hex"));
    this.publicKey = publicHalf(this.key);
  }

  sign(toSign: Uint8Array): Uint8Array {
    return sign(null, toSign, this.key);
  }
}

/** Signs locks with `signer` and keeps them in `store`. */
export class Ledger {
  constructor(readonly signer: LedgerSigner, readonly store: LedgerStore) {}

  /**
   * Returns the signed lock of a step, or `undefined` if the step has no lock yet. A lock that a crash left
   * without its signature is signed now: it is the lock that was requested.
   */
  async stored(place: Place, step: number): Promise<StoredLock | undefined> {
    const lock = await this.store.lock(place, step);
    return lock && this.signed(lock);
  }

  /**
   * Signs the lock of a step, or returns the one that was signed. `expected` is the payload that the platform
   * asked for, made without the engine; `content` is stored with the lock.
   *
   * Rejects with `NotTheRecord` if the bytes are another record. Rejects with `SignedOtherwise` if the step has
   * another lock, or if a lock of the other step follows the same record.
   */
  async lock(place: Place, step: number, unsigned: UnsignedRecord | undefined, expected: Payload,
    content: Uint8Array): Promise<StoredLock> {
    if (!unsigned?.record) throw new LedgerError("there is nothing to sign");
    checkToSign(unsigned, LOCK, expected);
    const lock = await this.store.claim(place, step, unsigned.record.envelope, unsigned.toSign, content);
    if (!Buffer.from(lock.toSign).equals(unsigned.toSign)) {
      throw new SignedOtherwise(`round ${place.roundNo} at ${place.table} is locked otherwise`, lock.content);
    }
    return this.signed(lock);
  }

  private async signed(lock: StoredLock): Promise<StoredLock> {
    if (lock.signature) return lock;
    const { publicKey, limit } = this.signer;
    if (limit !== undefined && lock.toSign.length > limit) {
      throw new LedgerError(`the lock has ${lock.toSign.length} bytes, and the signer takes ${limit}`);
    }
    await this.store.markLocks();
    const signature = await this.signer.sign(lock.toSign);
    if (!isSignedBy(publicKey, lock.toSign, signature)) {
      throw new LedgerError("the signer has made a signature that its public key does not verify");
    }
    return this.store.signed(lock, publicKey, signature);
  }

  /** Returns a signed lock in the form of calls and transcripts: its signature is in the envelope. */
  record(lock: StoredLock): Record {
    if (!lock.publicKey || !lock.signature) throw new LedgerError("the lock has no signature");
    return create(RecordSchema, { envelope: signed(lock.envelope, lock.publicKey, lock.signature) });
  }
}
