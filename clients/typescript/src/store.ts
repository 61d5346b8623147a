// The database of a platform: rounds with the results of their steps, and the locks of the ledger.
//
// - A lock is in the database before it is signed, and its signature before it is sent.
// - One step of a round has at most one lock that is not spent. A second process gets the lock of the first.
// - No two locks of a round follow the same record, unless one supersedes the other. So a round whose wagers are
//   locked is never voided over its ticket alone.
// - The ledger's mark, a folder outside the database, counts the locks. A database with fewer was
//   restored from a backup, and the ledger signs nothing.

import { randomBytes } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Client as PostgresClient, ClientConfig } from "pg";
import { LedgerUnavailable, PaigowError, Restored, SignedOtherwise } from "./errors.js";
import { body } from "./records.js";

/** The steps of a round that have a lock. */
export const WAGERS = 1;
export const CLOSE = 2;

/** The place of a round. */
export interface Place {
  readonly table: string;
  readonly epoch: number;
  readonly roundNo: number;
}

/** A lock in the database; without a signature it was not sent. */
export interface StoredLock {
  readonly serial: number;
  readonly envelope: Uint8Array;
  readonly toSign: Uint8Array;
  readonly content: Uint8Array;
  readonly publicKey: string | undefined;
  readonly signature: Uint8Array | undefined;
}

/** The results of the steps of a round. */
export type Column = "opened" | "ticket" | "sheet" | "dealt" | "decisions" | "closed";

type Value = string | number | Uint8Array | null;
type Row = { [column: string]: Value };

const schema = (bytes: string, serial: string) => [
  `CREATE TABLE IF NOT EXISTS paigow_ledger (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1), identity TEXT NOT NULL, first_epoch BIGINT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS paigow_rounds (
    table_name TEXT NOT NULL, epoch BIGINT NOT NULL, round_no BIGINT NOT NULL, place ${bytes} NOT NULL,
    opened ${bytes}, ticket ${bytes}, sheet ${bytes}, dealt ${bytes}, decisions ${bytes}, closed ${bytes},
    PRIMARY KEY (table_name, epoch, round_no))`,
  `CREATE TABLE IF NOT EXISTS paigow_locks (
    serial ${serial}, table_name TEXT NOT NULL, epoch BIGINT NOT NULL, round_no BIGINT NOT NULL,
    step INTEGER NOT NULL, spent INTEGER NOT NULL DEFAULT 0, envelope ${bytes} NOT NULL,
    to_sign ${bytes} NOT NULL, content ${bytes} NOT NULL, public_key TEXT, signature ${bytes})`,
  `CREATE INDEX IF NOT EXISTS paigow_open_rounds ON paigow_rounds (table_name, epoch, round_no)
    WHERE closed IS NULL`,
  `CREATE INDEX IF NOT EXISTS paigow_locks_of_round ON paigow_locks (table_name, epoch, round_no, step)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS paigow_one_lock ON paigow_locks (table_name, epoch, round_no, step)
    WHERE spent = 0`,
];

// Why a lock of the step is refused, if a lock of the other step follows the same record.
const EXCLUDED: { [step: number]: string } = {
  [WAGERS]: "the void of the round is locked over its ticket: void it",
  [CLOSE]: "the wagers of the round were locked meanwhile: void it again",
};

const OF_ROUND = "table_name = ? AND epoch = ? AND round_no = ?";
const key = ({ table, epoch, roundNo }: Place): Value[] => [table, epoch, roundNo];

/** A connection to a database: statements with `?`, and transactions. */
interface Connection {
  run(statement: string, values: Value[]): Promise<Row[]>;
  close(): void | Promise<void>;
}

/**
 * Rounds and locks in a database. Open a `SqliteStore` or a `PostgresStore`.
 *
 * Every method is one transaction that is durable when it returns. A database that fails rejects with
 * `LedgerUnavailable`; nothing is signed then. It reads no clock.
 */
export abstract class LedgerStore {
  private connection: Connection | undefined;
  private turn: Promise<unknown> = Promise.resolve();

  protected constructor(private readonly mark: string) {}

  protected abstract connect(): Promise<Connection>;
  protected abstract readonly types: [bytes: string, serial: string];
  protected abstract readonly begins: string;
  // How a query makes other claims wait until its transaction has ended. So locks are counted in the order in which
  // they are committed, and no backup has a later lock without an earlier one.
  protected readonly alone: string = "";

  protected async prepare(checked = true): Promise<this> {
    await this.transaction(async () => {
      for (const statement of schema(...this.types)) await this.execute(statement);
      await this.execute("INSERT INTO paigow_ledger VALUES (1, ?, 0) ON CONFLICT DO NOTHING",
        randomBytes(16).toString("hex"));
    });
    if (checked) await this.transaction(() => this.checkMark());
    return this;
  }

  /** Closes the connection; the next call opens another one. */
  async close(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.close();
  }

  // Transactions

  /** Does work in one transaction; one at a time, since a connection has one. */
  private transaction<T>(work: () => Promise<T>): Promise<T> {
    const done = this.turn.then(() => this.transact(work));
    this.turn = done.catch(() => undefined);
    return done;
  }

  private async transact<T>(work: () => Promise<T>): Promise<T> {
    try {
      this.connection ??= await this.connect();
      await this.execute(this.begins);
      const result = await work();
      await this.commit();
      return result;
    } catch (error) {
      if (error instanceof PaigowError) {
        await this.connection?.run("ROLLBACK", []).catch(() => undefined);
        throw error;
      }
      await this.close().catch(() => undefined);
      throw new LedgerUnavailable(`the ledger's database: ${(error as Error).message}`, { cause: error });
    }
  }

  /** Runs a statement of the transaction. */
  protected execute(statement: string, ...values: Value[]): Promise<Row[]> {
    if (!this.connection) throw new Error("no connection");
    return this.connection.run(statement, values);
  }

  protected async commit(): Promise<void> {
    await this.execute("COMMIT");
  }

  // The mark

  /** Compares the database with the mark; returns its identity and the number of its locks. */
  private async checkMark(): Promise<[identity: string, count: number]> {
    const identity = String((await this.execute("SELECT identity FROM paigow_ledger"))[0]?.["identity"]);
    // The mark first: another process may add a lock in between, and raises the mark after it.
    let [marked, count] = [this.readMark(), await this.count()];
    // Another process may have begun the mark in between.
    if (!marked && count > 0) [marked, count] = [this.readMark(), await this.count()];
    if (!marked) {
      if (count > 0) throw new Restored(`${this.mark}: the ledger's mark is missing, and the database has ${count} locks`);
      this.raiseMark(identity, 0);
    } else if (marked.identity !== identity) {
      throw new Restored(`${this.mark}: the mark of another ledger's database`);
    } else if (count < marked.locks) {
      throw new Restored(`the database has ${count} locks and its mark says ${marked.locks}: it was restored`);
    }
    return [identity, count];
  }

  private async count(): Promise<number> {
    return Number((await this.execute("SELECT COALESCE(MAX(serial), 0) AS count FROM paigow_locks"))[0]?.["count"]);
  }

  // The mark is a folder with one file, whose name is the identity and the count. Files are only ever added
  // before lower ones are removed, so processes need no lock, and the mark never falls.

  private readMark(): { identity: string; locks: number } | undefined {
    let names: string[];
    try {
      names = readdirSync(this.mark);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
    const marks = names.map((name) => ({ identity: name.split("-")[0] ?? "", locks: Number(name.split("-")[1]) }));
    return marks.sort((one, other) => other.locks - one.locks || (other.identity < one.identity ? -1 : 1))[0];
  }

  protected raiseMark(identity: string, locks: number): void {
    try {
      const marked = this.readMark();
      if (marked && marked.identity === identity && marked.locks >= locks) return;
      mkdirSync(this.mark, { recursive: true });
      const own = `${identity}-${locks}`;
      closeSync(openSync(join(this.mark, own), "a", 0o600));
      for (const folder of [this.mark, dirname(this.mark)]) {
        const opened = openSync(folder, "r");
        fsyncSync(opened);
        closeSync(opened);
      }
      for (const name of readdirSync(this.mark)) {
        const [other, count] = name.split("-");
        if (name !== own && (other !== identity || Number(count) < locks)) rmSync(join(this.mark, name), { force: true });
      }
    } catch (error) {
      throw new LedgerUnavailable(`the ledger's mark: ${(error as Error).message}`, { cause: error });
    }
  }

  /**
   * Lets a restored database sign again, but only rounds of `firstEpoch` and later epochs.
   *
   * Choose an epoch that had not opened when the database was lost. Rounds before it may have locks that
   * the database lacks: void or settle them by the records that others hold.
   */
  protected async acceptRestored(firstEpoch: number): Promise<this> {
    const identity = randomBytes(16).toString("hex");
    await this.prepare(false);
    const count = await this.transaction(async () => {
      const newest = Number((await this.execute("SELECT COALESCE(MAX(epoch), -1) AS newest FROM paigow_rounds"))[0]?.["newest"]);
      if (firstEpoch <= newest) throw new PaigowError(`firstEpoch: the database has rounds of epoch ${newest}`);
      await this.execute("UPDATE paigow_ledger SET identity = ?, first_epoch = ?", identity, firstEpoch);
      return this.count();
    });
    this.raiseMark(identity, count);
    return this;
  }

  // Rounds

  /** Stores the place of the next round. An existing round stays. */
  begin(place: Place, request: Uint8Array): Promise<void> {
    return this.transaction(async () => {
      await this.execute("INSERT INTO paigow_rounds (table_name, epoch, round_no, place) VALUES (?, ?, ?, ?) " +
        "ON CONFLICT DO NOTHING", ...key(place), request);
      await this.execute(`UPDATE paigow_rounds SET place = ? WHERE ${OF_ROUND} AND opened IS NULL`, request, ...key(place));
    });
  }

  /** Returns the result of a step, or `undefined`. */
  get(place: Place, column: Column | "place"): Promise<Uint8Array | undefined> {
    return this.transaction(() => this.read(place, column));
  }

  /** Stores the result of a step, once. Returns the stored result. */
  put(place: Place, column: Column, value: Uint8Array): Promise<Uint8Array> {
    return this.transaction(async () => {
      await this.execute(`UPDATE paigow_rounds SET ${column} = ? WHERE ${OF_ROUND} AND ${column} IS NULL`,
        value, ...key(place));
      return (await this.read(place, column)) ?? value;
    });
  }

  /** Forgets an opening that was refused as malformed: no replica ever answered it. */
  async forgetOpening(place: Place): Promise<void> {
    await this.transaction(() => this.execute(
      `UPDATE paigow_rounds SET opened = NULL WHERE ${OF_ROUND} AND ticket IS NULL`, ...key(place)));
  }

  /** Returns the first epoch whose rounds the ledger signs: 0 unless it was restored. */
  firstEpoch(): Promise<number> {
    return this.transaction(async () =>
      Number((await this.execute("SELECT first_epoch FROM paigow_ledger"))[0]?.["first_epoch"]));
  }

  /** Stores the decisions so far. */
  async replaceDecisions(place: Place, value: Uint8Array): Promise<void> {
    await this.transaction(() => this.execute(`UPDATE paigow_rounds SET decisions = ? WHERE ${OF_ROUND}`, value, ...key(place)));
  }

  /** Returns the oldest round of a table that is not closed, with its opening. */
  unfinished(table: string): Promise<[Place, Uint8Array] | undefined> {
    return this.first(table, "closed IS NULL", "place", "epoch, round_no");
  }

  /** Returns the newest closed round of a table, with its close. */
  lastClosed(table: string): Promise<[Place, Uint8Array] | undefined> {
    return this.first(table, "closed IS NOT NULL", "closed", "epoch DESC, round_no DESC");
  }

  private first(table: string, condition: string, column: string, order: string): Promise<[Place, Uint8Array] | undefined> {
    return this.transaction(async () => {
      const [row] = await this.execute(`SELECT epoch, round_no, ${column} AS value FROM paigow_rounds ` +
        `WHERE table_name = ? AND epoch >= (SELECT first_epoch FROM paigow_ledger) AND ${condition} ORDER BY ${order} LIMIT 1`, table);
      return row && [{ table, epoch: Number(row["epoch"]), roundNo: Number(row["round_no"]) }, bytes(row["value"])!];
    });
  }

  private async read(place: Place, column: string): Promise<Uint8Array | undefined> {
    const [row] = await this.execute(`SELECT ${column} AS value FROM paigow_rounds WHERE ${OF_ROUND}`, ...key(place));
    return bytes(row?.["value"]);
  }

  // Locks

  /**
   * Stores the lock of a step before it is signed. Returns the lock that is stored: the first one.
   *
   * Rejects with `SignedOtherwise` if a lock of the other step follows the same record. Nothing is stored then.
   */
  claim(place: Place, step: number, envelope: Uint8Array, toSign: Uint8Array, content: Uint8Array): Promise<StoredLock> {
    return this.transaction(async () => {
      const [ledger] = await this.execute(`SELECT first_epoch FROM paigow_ledger${this.alone}`);
      await this.checkMark();
      const firstEpoch = Number(ledger?.["first_epoch"]);
      if (place.epoch < firstEpoch) throw new Restored(`the ledger was restored, and signs from epoch ${firstEpoch} on`);
      const first = await this.lockOf(place, step);
      if (first) return first;
      await this.checkOtherStep(place, step, envelope);
      await this.execute("INSERT INTO paigow_locks (table_name, epoch, round_no, step, envelope, to_sign, content) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", ...key(place), step, envelope, toSign, content);
      return (await this.lockOf(place, step))!;
    });
  }

  /** Rejects with `SignedOtherwise` if a lock of the other step, spent or not, follows the same record. */
  private async checkOtherStep(place: Place, step: number, envelope: Uint8Array): Promise<void> {
    const others = await this.execute(
      `SELECT * FROM paigow_locks WHERE ${OF_ROUND} AND step <> ? ORDER BY serial`, ...key(place), step);
    const before = body(envelope)["prev"];
    const rival = others.map(stored).find((other) => body(other.envelope)["prev"] === before);
    if (rival) throw new SignedOtherwise(EXCLUDED[step] ?? "", rival.content);
  }

  /**
   * Raises the mark to the locks of the database. Does so before anything is signed, so that a database that lacks
   * the lock is known to be too old.
   */
  async markLocks(): Promise<void> {
    const [identity, count] = await this.transaction(() => this.checkMark());
    this.raiseMark(identity, count);
  }

  /** Returns the lock of a step that is not spent, or `undefined`. */
  lock(place: Place, step: number): Promise<StoredLock | undefined> {
    return this.transaction(() => this.lockOf(place, step));
  }

  /** Stores the signature of a lock and its key, before it is sent. Returns the lock: the first one's. */
  signed(lock: StoredLock, publicKey: string, signature: Uint8Array): Promise<StoredLock> {
    return this.transaction(async () => {
      await this.execute("UPDATE paigow_locks SET public_key = ?, signature = ? WHERE serial = ? AND signature IS NULL",
        publicKey, signature, lock.serial);
      const [row] = await this.execute("SELECT * FROM paigow_locks WHERE serial = ?", lock.serial);
      return stored(row!);
    });
  }

  /** Marks the lock of a step as spent: another one may supersede it. */
  async spend(place: Place, step: number): Promise<void> {
    await this.transaction(() => this.execute(
      `UPDATE paigow_locks SET spent = 1 WHERE ${OF_ROUND} AND step = ? AND spent = 0`, ...key(place), step));
  }

  /** Returns the spent locks of a step, oldest first. */
  spent(place: Place, step: number): Promise<StoredLock[]> {
    return this.transaction(async () => (await this.execute(
      `SELECT * FROM paigow_locks WHERE ${OF_ROUND} AND step = ? AND spent = 1 ORDER BY serial`, ...key(place), step)).map(stored));
  }

  private async lockOf(place: Place, step: number): Promise<StoredLock | undefined> {
    const [row] = await this.execute(`SELECT * FROM paigow_locks WHERE ${OF_ROUND} AND step = ? AND spent = 0`, ...key(place), step);
    return row && stored(row);
  }
}

function stored(row: Row): StoredLock {
  return { serial: Number(row["serial"]), envelope: bytes(row["envelope"])!, toSign: bytes(row["to_sign"])!,
    content: bytes(row["content"])!, publicKey: row["public_key"] === null ? undefined : String(row["public_key"]),
    signature: bytes(row["signature"]) };
}

function bytes(value: Value | undefined): Uint8Array | undefined {
  return value instanceof Uint8Array ? new Uint8Array(value) : undefined;
}

/** A ledger in one SQLite file, for one machine (`node:sqlite`). */
export class SqliteStore extends LedgerStore {
  protected override readonly types: [string, string] = ["BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"];
  protected override readonly begins = "BEGIN IMMEDIATE";

  protected constructor(private readonly file: string, mark: string) {
    super(mark);
  }

  /** Opens it. `mark` is a folder: keep it where a backup of the database is not restored with it. */
  static open(file: string, mark: string): Promise<SqliteStore> {
    return new this(file, mark).prepare();
  }

  /** Lets a restored database sign again, from an epoch on that had not opened when it was lost. */
  static acceptRestore(file: string, mark: string, firstEpoch: number): Promise<SqliteStore> {
    return new this(file, mark).acceptRestored(firstEpoch);
  }

  protected override async connect(): Promise<Connection> {
    const database = new DatabaseSync(this.file, { timeout: 10_000 });
    database.exec("PRAGMA journal_mode = WAL");
    // Durable when a transaction has ended, also after a loss of power.
    database.exec("PRAGMA synchronous = FULL");
    return {
      run: async (statement, values) => database.prepare(statement).all(...values) as Row[],
      close: () => database.close(),
    };
  }
}

/** A ledger in PostgreSQL, for any number of processes. Needs the package `pg`. */
export class PostgresStore extends LedgerStore {
  protected override readonly types: [string, string] = ["BYTEA", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"];
  // A claim that has waited reads the locks of the claim before it, whatever the default of the server.
  protected override readonly begins = "BEGIN ISOLATION LEVEL READ COMMITTED";
  protected override readonly alone = " FOR UPDATE";

  protected constructor(private readonly config: ClientConfig, mark: string) {
    super(mark);
  }

  /** Opens it. `mark` is a folder that all processes share. */
  static open(config: ClientConfig, mark: string): Promise<PostgresStore> {
    return new this(config, mark).prepare();
  }

  /** Lets a restored database sign again, from an epoch on that had not opened when it was lost. */
  static acceptRestore(config: ClientConfig, mark: string, firstEpoch: number): Promise<PostgresStore> {
    return new this(config, mark).acceptRestored(firstEpoch);
  }

  protected override async connect(): Promise<Connection> {
    const { default: pg } = await import("pg");
    const client: PostgresClient = new pg.Client(this.config);
    // The next statement reports a lost connection.
    client.on("error", () => undefined);
    await client.connect();
    return {
      run: async (statement, values) => {
        let number = 0;
        const numbered = statement.replace(/\?/g, () => `$${++number}`);
        return (await client.query(numbered, values)).rows as Row[];
      },
      close: () => client.end(),
    };
  }
}
