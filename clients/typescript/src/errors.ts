// What can go wrong, each with a type of its own.

/** The base of every error of this package. */
export class PaigowError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** A faulty field of a request: its path, and what is wrong. */
export interface FieldFault {
  path: string;
  description: string;
}

/**
 * The engine refuses a call. `reason` is the machine-readable reason (`ErrorInfo.reason`), `metadata`
 * its values, `retryAfterMs` how long to wait where the engine says so.
 */
export class Refused extends PaigowError {
  constructor(readonly code: string, readonly reason: string, message: string, readonly fields: FieldFault[] = [],
    readonly metadata: Record<string, string> = {}, readonly retryAfterMs?: number) {
    const listed = fields.map((field) => `\n  ${field.path}: ${field.description}`).join("");
    super(`${code} ${reason}: ${message}${listed}`);
  }
}

/** No replica has answered in time. The call may have been carried out: repeat the step. */
export class NoAnswer extends PaigowError {}

/** The round is not at this step. */
export class WrongStep extends PaigowError {}

/** The key of the seat has not made this signature. */
export class BadSignature extends PaigowError {}

/**
 * A settlement is not what ticket, locks and cards make of it. Do not pay it. `records` are those of the round,
 * with the settlement, as envelopes: keep them.
 */
export class NotVerified extends PaigowError {
  constructor(message: string, readonly records: Uint8Array[] = []) {
    super(message);
  }
}

/**
 * The source has no signature of the beacon's round yet, or a wrong one. The wagers are locked: call `deal` again, or void
 * the round.
 */
export class BeaconUnavailable extends PaigowError {}

/** The ledger does not sign. */
export class LedgerError extends PaigowError {}

/** The beacon has published its round, and no wagers are locked: the ledger signs none any more. Void the round. */
export class TooLate extends LedgerError {}

/** The bytes to sign are not the record that was asked for. */
export class NotTheRecord extends LedgerError {}

/**
 * The round has another lock already, which excludes the one that was asked for. Nothing was signed.
 *
 * `locked` is the content of the other lock. If it locks the same step, call the step without content to go on with
 * it. If it locks the other step over the same record, the message says what to call.
 */
export class SignedOtherwise extends LedgerError {
  constructor(message: string, readonly locked: Uint8Array) {
    super(message);
  }
}

/** The database of the ledger cannot be used. Nothing was signed. */
export class LedgerUnavailable extends LedgerError {}

/** The database is older than the ledger's mark: it was restored, and may lack locks. */
export class Restored extends LedgerError {}
