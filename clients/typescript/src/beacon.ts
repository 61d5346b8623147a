// Public randomness: rounds that wait for the signature of a beacon (`external: drand`).

import { randomBytes } from "node:crypto";
import { existsSync, openSync, closeSync, fsyncSync, renameSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { BeaconUnavailable, LedgerUnavailable, PaigowError, Refused } from "./errors.js";
import type { Beacon, Record } from "./gen/paigow/v1/paigow_service_pb.js";
import { body, type Payload } from "./records.js";

/** The source of a beacon's signatures, and what goes with it. A table needs it under the policy `external: drand`. */
export interface BeaconSettings {
  /**
   * Returns the beacon's signature of a round, 96 hexadecimal digits. It may wait until the beacon publishes the round.
   * A rejection means that there is no signature yet.
   */
  signature(round: bigint): Promise<string>;
  /** The seconds from the opening of a round to its value; 20 unless it is set. Betting has to end before. */
  lead?: number;
  /**
   * The folder that gives the locks of wagers to the writer of the public log. Without it the log has each lock after
   * its deal, which is too late to show that the wagers came before the value.
   */
  records?: string;
  /** The clock, in seconds since 1970: that of the system unless it is set. */
  now?(): number;
}

/** The source of public randomness of a table. */
export class BeaconSource {
  constructor(private readonly settings: BeaconSettings) {}

  private now(): bigint {
    return BigInt(Math.floor(this.settings.now?.() ?? Date.now() / 1000));
  }

  /** Returns the first round that the beacon publishes after the lead. */
  round({ genesis, period }: Beacon): bigint {
    const after = this.now() + BigInt(this.settings.lead ?? 20) - genesis;
    // Rounded up: the value comes after the lead.
    return after <= 0n ? 1n : (after + period - 1n) / period + 1n;
  }

  /** Whether the beacon has published a round. */
  isPublished({ genesis, period }: Beacon, round: bigint): boolean {
    return this.now() >= genesis + (round - 1n) * period;
  }

  /** Returns the signature of a round, from the source. Rejects with `BeaconUnavailable`. */
  async signature(round: bigint): Promise<string> {
    try {
      return await this.settings.signature(round);
    } catch (error) {
      throw new BeaconUnavailable(`no signature of the beacon's round ${round}: ${error}`, { cause: error });
    }
  }

  /** Gives the lock of a round's wagers to the writer of the log: a file of one line, whole. */
  giveLock({ envelope }: Record): void {
    const file = this.file(envelope);
    if (file === undefined || existsSync(file)) return;
    // Another process may write the same file.
    const whole = `${file}.${randomBytes(8).toString("hex")}.new`;
    try {
      const opened = openSync(whole, "wx");
      try {
        writeSync(opened, Buffer.concat([envelope, Buffer.from("\n")]));
        fsyncSync(opened);
      } finally {
        closeSync(opened);
      }
      renameSync(whole, file);
    } catch (error) {
      throw new LedgerUnavailable(`the folder of the locks: ${error}`, { cause: error });
    }
  }

  /** Deletes the file of a closed round. */
  forgetLock(envelope: Uint8Array): void {
    const file = this.file(envelope);
    if (file !== undefined) rmSync(file, { force: true });
  }

  private file(envelope: Uint8Array): string | undefined {
    if (this.settings.records === undefined) return undefined;
    const roundId = Buffer.from(String(body(envelope)["round_id"]), "hex").toString("hex");
    return join(this.settings.records, `${roundId}.jsonl`);
  }
}

/** Returns the beacon's round that a ticket waits for, if it waits for one. */
export function roundOf(ticket: Record): bigint | undefined {
  const external = body(ticket.envelope)["external"] as Payload;
  return external["type"] === "drand" ? BigInt(String(external["round"])) : undefined;
}

/**
 * Returns the round to name instead of one that is refused (`BEACON_ROUND`): a round later than the first that is taken,
 * since that one may come too soon for the next call. Rethrows another error.
 */
export function permitted(error: unknown): bigint {
  if (!(error instanceof Refused) || error.reason !== "BEACON_ROUND") throw error;
  const [minimum, maximum] = ["minimum", "maximum"].map((name) => BigInt(error.metadata[name] ?? 0)) as [bigint, bigint];
  return minimum < maximum ? minimum + 1n : maximum;
}

/** Returns the source, or throws what has to be passed. */
export function needsSource(source: BeaconSource | undefined): BeaconSource {
  if (source) return source;
  throw new PaigowError("the policy is external: drand: pass BeaconSettings as `beacon` of TableTerms");
}
