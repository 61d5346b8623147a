"""The database of a platform: rounds with the results of their steps, and the locks of the ledger.

These rules prevent forks of a round:

- A lock is in the database before it is signed, and its signature before it is sent.
- One step of a round has at most one lock that is not spent. A second process gets the lock of the first.
- No two locks of a round follow the same record, unless one supersedes the other. So a round whose wagers are
  locked is never voided over its ticket alone.
- The ledger's mark, a folder outside the database, counts the locks. A database with fewer was
  restored from a backup, and the ledger signs nothing.
"""
import contextlib
import dataclasses
import os
import pathlib
import secrets
import sqlite3
import threading

from . import records
from .errors import LedgerUnavailable, Restored, SignedOtherwise

# The steps of a round that have a lock.
WAGERS, CLOSE = 1, 2

# Why a lock of the step is refused, if a lock of the other step follows the same record.
EXCLUDED = {WAGERS: "the void of the round is locked over its ticket: void it",
            CLOSE: "the wagers of the round were locked meanwhile: void it again"}

SCHEMA = """
CREATE TABLE IF NOT EXISTS paigow_ledger (
    singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
    identity TEXT NOT NULL,
    first_epoch BIGINT NOT NULL);
CREATE TABLE IF NOT EXISTS paigow_rounds (
    table_name TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    round_no BIGINT NOT NULL,
    place {bytes} NOT NULL,
    opened {bytes},
    ticket {bytes},
    sheet {bytes},
    dealt {bytes},
    decisions {bytes},
    closed {bytes},
    PRIMARY KEY (table_name, epoch, round_no));
CREATE TABLE IF NOT EXISTS paigow_locks (
    serial {serial},
    table_name TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    round_no BIGINT NOT NULL,
    step INTEGER NOT NULL,
    spent INTEGER NOT NULL DEFAULT 0,
    envelope {bytes} NOT NULL,
    to_sign {bytes} NOT NULL,
    content {bytes} NOT NULL,
    public_key TEXT,
    signature {bytes});
CREATE INDEX IF NOT EXISTS paigow_open_rounds ON paigow_rounds (table_name, epoch, round_no)
    WHERE closed IS NULL;
CREATE INDEX IF NOT EXISTS paigow_locks_of_round ON paigow_locks (table_name, epoch, round_no, step);
CREATE UNIQUE INDEX IF NOT EXISTS paigow_one_lock ON paigow_locks (table_name, epoch, round_no, step)
    WHERE spent = 0;
"""


@dataclasses.dataclass(frozen=True)
class Place:
    """The place of a round."""

    table: str
    epoch: int
    round_no: int


@dataclasses.dataclass(frozen=True)
class StoredLock:
    """A lock in the database; without a signature it was not sent."""

    serial: int
    envelope: bytes
    to_sign: bytes
    content: bytes
    public_key: str | None
    signature: bytes | None


COLUMNS = ("opened", "ticket", "sheet", "dealt", "decisions", "closed")


class LedgerStore:
    """Rounds and locks in a database of DB-API 2.0. Use ``SqliteStore`` or ``PostgresStore``.

    Every method is one transaction that is durable when it returns. A database that fails raises
    ``LedgerUnavailable``; nothing is signed then. It reads no clock.
    """

    #: How the database writes a parameter, bytes, and a number that counts up.
    parameter, bytes_type, serial_type = "?", "BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"
    #: How a query makes other claims wait until its transaction has ended. So locks are counted in the order in
    #: which they are committed, and no backup has a later lock without an earlier one.
    alone = ""
    errors: tuple = ()

    def __init__(self, mark):
        self.mark = pathlib.Path(mark)
        self._lock = threading.RLock()
        self._connection = None
        with self._transaction() as cursor:
            schema = SCHEMA.format(bytes=self.bytes_type, serial=self.serial_type)
            for statement in filter(str.strip, schema.split(";")):
                self._execute(cursor, statement)
            self._execute(cursor, "INSERT INTO paigow_ledger VALUES (1, ?, 0) ON CONFLICT DO NOTHING",
                          secrets.token_hex(16))
        with self._transaction() as cursor:
            self._check_mark(cursor)

    def connect(self):
        raise NotImplementedError

    # Transactions

    @contextlib.contextmanager
    def _transaction(self):
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = self.connect()
                cursor = self._connection.cursor()
                self._begin(cursor)
                yield cursor
                self._commit()
            except self.errors as error:
                self._forget()
                raise LedgerUnavailable(f"the ledger's database: {error}") from error
            except BaseException:
                if self._connection is not None:
                    with contextlib.suppress(*self.errors):
                        self._connection.rollback()
                raise

    def _forget(self):
        with contextlib.suppress(Exception):
            self._connection.close()
        self._connection = None

    def _begin(self, cursor):
        """A transaction that writes waits here for the one before it."""

    def _commit(self):
        self._connection.commit()

    def _execute(self, cursor, statement, *values):
        cursor.execute(statement.replace("?", self.parameter), values)
        return cursor

    # The mark

    def _check_mark(self, cursor):
        """Compares the database with the mark. Returns the number of locks of the database."""
        identity, = self._execute(cursor, "SELECT identity FROM paigow_ledger").fetchone()
        # The mark first: another process may add a lock in between, and raises the mark after it.
        marked, count = self._read_mark(), self._count(cursor)
        if marked is None and count > 0:
            # Another process may have begun the mark in between.
            marked, count = self._read_mark(), self._count(cursor)
        if marked is None and count == 0:
            self._write_mark(identity, 0)
        elif marked is None:
            raise Restored(f"{self.mark}: the ledger's mark is missing, and the database has {count} locks")
        elif marked["identity"] != identity:
            raise Restored(f"{self.mark}: the mark of another ledger's database")
        elif count < marked["locks"]:
            raise Restored(f"the database has {count} locks and its mark says {marked['locks']}: it was restored")
        return identity, count

    def _count(self, cursor):
        return self._execute(cursor, "SELECT COALESCE(MAX(serial), 0) FROM paigow_locks").fetchone()[0]

    # The mark is a folder with one file, whose name is the identity and the count. Files are only ever
    # added before lower ones are removed, so processes need no lock, and the mark never falls.

    def _read_mark(self):
        try:
            names = os.listdir(self.mark)
        except FileNotFoundError:
            return None
        marks = [(int(count), identity) for identity, _, count in (name.partition("-") for name in names)]
        return dict(zip(("locks", "identity"), max(marks))) if marks else None

    def _write_mark(self, identity, locks):
        """Raises the mark, durably."""
        try:
            self._raise_mark(identity, locks)
        except OSError as error:
            raise LedgerUnavailable(f"the ledger's mark: {error}") from error

    def _raise_mark(self, identity, locks):
        marked = self._read_mark()
        if marked and marked["identity"] == identity and marked["locks"] >= locks:
            return
        self.mark.mkdir(parents=True, exist_ok=True)
        own = f"{identity}-{locks}"
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.mark / own, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._sync(self.mark)
        self._sync(self.mark.parent)
        for name in os.listdir(self.mark):
            other, _, count = name.partition("-")
            if name != own and (other != identity or int(count) < locks):
                with contextlib.suppress(FileNotFoundError):
                    os.unlink(self.mark / name)

    @staticmethod
    def _sync(folder):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)

    @classmethod
    def accept_restore(cls, *arguments, first_epoch, **settings):
        """Opens a restored database so that it signs again, but only rounds of ``first_epoch`` and later.

        Call it on ``SqliteStore`` or ``PostgresStore``, with the arguments of its constructor. Choose an
        epoch that had not opened when the database was lost. Rounds before it may have locks that the
        database lacks: this ledger leaves them to others who hold their records.
        """
        store = cls.__new__(cls)
        store._check_mark = lambda cursor: None
        store.__init__(*arguments, **settings)
        del store._check_mark
        with store._transaction() as cursor:
            newest, = store._execute(cursor, "SELECT COALESCE(MAX(epoch), -1) FROM paigow_rounds").fetchone()
            if first_epoch <= newest:
                raise ValueError(f"first_epoch: the database has rounds of epoch {newest}")
            identity = secrets.token_hex(16)
            store._execute(cursor, "UPDATE paigow_ledger SET identity = ?, first_epoch = ?", identity, first_epoch)
            count = store._count(cursor)
        store._write_mark(identity, count)
        return store

    # Rounds

    def begin(self, place, request):
        """Stores the place of the next round. Returns the stored round: an existing round stays."""
        with self._transaction() as cursor:
            self._execute(cursor, "INSERT INTO paigow_rounds (table_name, epoch, round_no, place) "
                          "VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", *self._key(place), request)
            return self._get(cursor, place, "place")

    def replace_place(self, place, request):
        """Stores another opening of a round whose opening was never requested."""
        with self._transaction() as cursor:
            self._execute(cursor, "UPDATE paigow_rounds SET place = ? WHERE table_name = ? AND epoch = ? "
                          "AND round_no = ? AND opened IS NULL", request, *self._key(place))
            return self._get(cursor, place, "place")

    def get(self, place, column):
        """Returns the result of a step, or ``None``."""
        with self._transaction() as cursor:
            return self._get(cursor, place, column)

    def put(self, place, column, value):
        """Stores the result of a step, once. Returns the stored result."""
        assert column in COLUMNS
        with self._transaction() as cursor:
            self._execute(cursor, f"UPDATE paigow_rounds SET {column} = ? WHERE table_name = ? AND epoch = ? "
                          f"AND round_no = ? AND {column} IS NULL", value, *self._key(place))
            return self._get(cursor, place, column)

    def forget_opening(self, place):
        """Forgets an opening that was refused as malformed: no replica ever answered it."""
        with self._transaction() as cursor:
            self._execute(cursor, "UPDATE paigow_rounds SET opened = NULL WHERE table_name = ? AND epoch = ? "
                          "AND round_no = ? AND ticket IS NULL", *self._key(place))

    def replace_decisions(self, place, value):
        """Stores the decisions so far."""
        with self._transaction() as cursor:
            self._execute(cursor, "UPDATE paigow_rounds SET decisions = ? WHERE table_name = ? AND epoch = ? "
                          "AND round_no = ?", value, *self._key(place))

    def first_epoch(self):
        """Returns the first epoch whose rounds the ledger signs: 0 unless it was restored."""
        with self._transaction() as cursor:
            return self._execute(cursor, "SELECT first_epoch FROM paigow_ledger").fetchone()[0]

    def unfinished(self, table):
        """Returns the oldest round of a table that is not closed, with its opening."""
        return self._first(table, "closed IS NULL", "place", "epoch, round_no")

    def last_closed(self, table):
        """Returns the newest closed round of a table, with its close."""
        return self._first(table, "closed IS NOT NULL", "closed", "epoch DESC, round_no DESC")

    def _first(self, table, condition, column, order):
        with self._transaction() as cursor:
            row = self._execute(cursor, f"SELECT epoch, round_no, {column} FROM paigow_rounds WHERE table_name = ? "
                                "AND epoch >= (SELECT first_epoch FROM paigow_ledger) "
                                f"AND {condition} ORDER BY {order} LIMIT 1", table).fetchone()
            return (Place(table, row[0], row[1]), bytes(row[2])) if row else None

    def _get(self, cursor, place, column):
        row = self._execute(cursor, f"SELECT {column} FROM paigow_rounds WHERE table_name = ? AND epoch = ? "
                            "AND round_no = ?", *self._key(place)).fetchone()
        return bytes(row[0]) if row and row[0] is not None else None

    @staticmethod
    def _key(place):
        return place.table, place.epoch, place.round_no

    # Locks

    def claim(self, place, step, envelope, to_sign, content):
        """Stores the lock of a step before it is signed. Returns the lock that is stored: the first one.

        Raises ``SignedOtherwise`` if a lock of the other step follows the same record. Nothing is stored then.
        """
        with self._transaction() as cursor:
            first_epoch, = self._execute(cursor, f"SELECT first_epoch FROM paigow_ledger{self.alone}").fetchone()
            self._check_mark(cursor)
            if place.epoch < first_epoch:
                raise Restored(f"the ledger was restored, and signs from epoch {first_epoch} on")
            first = self._lock_of(cursor, place, step)
            if first:
                return first
            self._check_other_step(cursor, place, step, envelope)
            self._execute(cursor, "INSERT INTO paigow_locks (table_name, epoch, round_no, step, envelope, to_sign, "
                          "content) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", *self._key(place), step,
                          envelope, to_sign, content)
            return self._lock_of(cursor, place, step)

    def _check_other_step(self, cursor, place, step, envelope):
        """Raises ``SignedOtherwise`` if a lock of the other step, spent or not, follows the same record."""
        rows = self._execute(cursor, "SELECT envelope, content FROM paigow_locks WHERE table_name = ? AND epoch = ? "
                             "AND round_no = ? AND step <> ? ORDER BY serial", *self._key(place), step).fetchall()
        before = records.body(envelope).get("prev")
        for other, content in rows:
            if records.body(bytes(other)).get("prev") == before:
                raise SignedOtherwise(EXCLUDED[step], bytes(content))

    def mark_locks(self):
        """Raises the mark to the locks of the database. Does so before anything is signed, so that a database that
        lacks the lock is known to be too old."""
        with self._transaction() as cursor:
            identity, count = self._check_mark(cursor)
        self._write_mark(identity, count)

    def lock(self, place, step):
        """Returns the lock of a step that is not spent, or ``None``."""
        with self._transaction() as cursor:
            return self._lock_of(cursor, place, step)

    def signed(self, lock, public_key, signature):
        """Stores the signature of a lock and its key, before it is sent. Returns the lock: the first one's."""
        with self._transaction() as cursor:
            self._execute(cursor, "UPDATE paigow_locks SET public_key = ?, signature = ? "
                          "WHERE serial = ? AND signature IS NULL", public_key, signature, lock.serial)
            row = self._execute(cursor, "SELECT public_key, signature FROM paigow_locks WHERE serial = ?",
                                lock.serial).fetchone()
        return dataclasses.replace(lock, public_key=row[0], signature=bytes(row[1]))

    def spend(self, place, step):
        """Marks the lock of a step as spent: another one may supersede it."""
        with self._transaction() as cursor:
            self._execute(cursor, "UPDATE paigow_locks SET spent = 1 WHERE table_name = ? AND epoch = ? "
                          "AND round_no = ? AND step = ? AND spent = 0", *self._key(place), step)

    def spent(self, place, step):
        """Returns the spent locks of a step, oldest first."""
        with self._transaction() as cursor:
            rows = self._execute(cursor, "SELECT serial, envelope, to_sign, content, public_key, signature FROM paigow_locks "
                                 "WHERE table_name = ? AND epoch = ? AND round_no = ? AND step = ? AND spent = 1 "
                                 "ORDER BY serial", *self._key(place), step).fetchall()
        return [_stored(row) for row in rows]

    def _lock_of(self, cursor, place, step):
        row = self._execute(cursor, "SELECT serial, envelope, to_sign, content, public_key, signature FROM paigow_locks "
                            "WHERE table_name = ? AND epoch = ? AND round_no = ? AND step = ? AND spent = 0",
                            *self._key(place), step).fetchone()
        return _stored(row) if row else None


def _stored(row):
    serial, envelope, to_sign, content, public_key, signature = row
    signature = None if signature is None else bytes(signature)
    return StoredLock(serial, bytes(envelope), bytes(to_sign), bytes(content), public_key, signature)


class SqliteStore(LedgerStore):
    """A ledger in one SQLite file, for one machine. ``mark`` is the folder of the ledger's mark: keep
    it where a backup of the database is not restored with it."""

    errors = (sqlite3.Error,)

    def __init__(self, file, mark):
        self.file = pathlib.Path(file)
        super().__init__(mark)

    def connect(self):
        connection = sqlite3.connect(self.file, timeout=10, isolation_level=None, check_same_thread=False)
        connection.execute("PRAGMA journal_mode = WAL")
        # Durable when a transaction has ended, also after a loss of power.
        connection.execute("PRAGMA synchronous = FULL")
        return connection

    def _begin(self, cursor):
        self._execute(cursor, "BEGIN IMMEDIATE")


class PostgresStore(LedgerStore):
    """A ledger in PostgreSQL, for any number of processes. Needs ``psycopg``.

    ``conninfo`` is that of ``psycopg.connect``. ``mark`` is a folder that all processes share.
    """

    parameter, bytes_type = "%s", "BYTEA"
    serial_type = "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"
    alone = " FOR UPDATE"

    def __init__(self, conninfo, mark):
        import psycopg

        self.conninfo, self._psycopg = conninfo, psycopg
        self.errors = (psycopg.Error,)
        super().__init__(mark)

    def connect(self):
        connection = self._psycopg.connect(self.conninfo, autocommit=False)
        # A claim that has waited reads the locks of the claim before it, whatever the default of the server.
        connection.isolation_level = self._psycopg.IsolationLevel.READ_COMMITTED
        return connection
