// Plays rounds of Pai Gow Poker against the paigow engine: locked, chained and checked.

export type { BeaconSettings } from "./beacon.js";
export { connect, type Address } from "./connect.js";
export { Engine, bearer } from "./engine.js";
export {
  BadSignature, BeaconUnavailable, LedgerError, LedgerUnavailable, NoAnswer, NotTheRecord, NotVerified, PaigowError,
  Refused, Restored, SignedOtherwise, TooLate, WrongStep, type FieldFault,
} from "./errors.js";
export { FileSigner, Ledger, privateKey, publicHalf, type LedgerSigner } from "./ledger.js";
export { SeatKey, commitment, hex, newSeed } from "./players.js";
export { Round, type SeatOpening } from "./round.js";
export { CLOSE, LedgerStore, PostgresStore, SqliteStore, WAGERS, type Place, type StoredLock } from "./store.js";
export { Table, type TableTerms } from "./table.js";
export { readRoot, type Root } from "./verify.js";
