//! The database of a platform: rounds with the results of their steps, and the locks of the ledger.
//!
//! The database and its mark keep four promises, so that no round has two stories:
//!
//! - A lock is in the database before it is signed. Its signature is there before it is sent.
//! - Of one step of a round at most one lock is not spent. A process that comes second gets the lock of the first.
//! - No two locks of a round follow one record, unless one supersedes the other. So a round is never voided over its
//!   ticket alone while its wagers are locked.
//! - The ledger's mark, a folder outside the database, counts the locks. A database with fewer was restored
//!   from a backup, and the ledger signs nothing.
//!
//! Every statement, commit and change of the mark is traced before it is made, with `tracing` at level TRACE.

use std::fmt;
#[cfg(feature = "sqlite")]
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use paigow_proto::v1::WagerSheet;
use prost::Message as _;
use serde_json::Value;
use sqlx::any::AnyRow;

#[cfg(feature = "sqlite")]
use crate::database::sqlite_address;
use crate::database::{
    Database, DatabaseKind, LedgerWork, SqlValue, cell, first_row, schema, trace,
};
use crate::errors::ClientError;
use crate::mark::{LedgerMark, MarkFolder};
use crate::players::new_seed;
use crate::records::body;

const OF_ROUND: &str = "table_name = $1 AND epoch = $2 AND round_no = $3";

const LOCKS: &str =
    "SELECT serial, envelope, to_sign, content, public_key, signature FROM paigow_locks
     WHERE table_name = $1 AND epoch = $2 AND round_no = $3 AND step = $4 AND spent = $5 ORDER BY serial";

/// The place of a round.
///
/// # Examples
///
/// ```no_run
/// use paigow_client::{ClientError, Place, Table};
///
/// # async fn transcript(table: &Table) -> Result<(), ClientError> {
/// let first = Place { table: "T1".into(), epoch: 1, round_no: 1 };
/// let transcript = table.transcript(&[table.round(first)]).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Place {
    /// The table.
    pub table: String,
    /// The epoch, 0 to 2147483647.
    pub epoch: i32,
    /// The number of the round at its table in the epoch, from 1.
    pub round_no: i64,
}

impl Place {
    /// Returns `$1` to `$3` of [`OF_ROUND`].
    fn key(&self) -> Vec<SqlValue> {
        vec![
            SqlValue::Text(self.table.clone()),
            SqlValue::Number(self.epoch.into()),
            SqlValue::Number(self.round_no),
        ]
    }

    fn key_and<const N: usize>(&self, more: [SqlValue; N]) -> Vec<SqlValue> {
        let mut values = self.key();
        values.extend(more);
        values
    }
}

/// A step of a round that has a lock.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LockStep {
    /// The wagers.
    Wagers,
    /// The decisions, or the void.
    Close,
}

impl LockStep {
    const fn value(self) -> SqlValue {
        SqlValue::Number(match self {
            Self::Wagers => 1,
            Self::Close => 2,
        })
    }

    const fn other(self) -> Self {
        match self {
            Self::Wagers => Self::Close,
            Self::Close => Self::Wagers,
        }
    }

    /// Returns the error of a lock that would follow the same record as `rival`, a lock of the other step.
    fn rivalled(self, rival: &StoredLock) -> ClientError {
        match self {
            Self::Wagers => ClientError::SignedOtherwise {
                message: "the void of the round is locked over its ticket: void it".to_owned(),
                locked: None,
            },
            Self::Close => ClientError::SignedOtherwise {
                message: "the wagers of the round were locked meanwhile: void it again".to_owned(),
                locked: WagerSheet::decode(&rival.content[..]).ok().map(Box::new),
            },
        }
    }
}

/// A lock in the database. A lock without a signature was not sent.
#[derive(Clone)]
pub struct StoredLock {
    serial: i64,
    /// The record, without a signature.
    pub envelope: Vec<u8>,
    /// The bytes that are signed.
    pub to_sign: Vec<u8>,
    /// The content that the platform has locked: a sheet, or actions.
    pub content: Vec<u8>,
    /// The key that has signed it, 64 hexadecimal digits.
    pub public_key: Option<String>,
    /// The signature, 64 bytes.
    pub signature: Option<Vec<u8>>,
}

impl StoredLock {
    /// Reads a row of [`LOCKS`].
    fn of_row(row: &AnyRow) -> Result<Self, ClientError> {
        Ok(Self {
            serial: cell(row, 0)?,
            envelope: cell(row, 1)?,
            to_sign: cell(row, 2)?,
            content: cell(row, 3)?,
            public_key: cell(row, 4)?,
            signature: cell(row, 5)?,
        })
    }
}

impl fmt::Debug for StoredLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoredLock").field("serial", &self.serial).finish_non_exhaustive()
    }
}

/// A step of a round whose result the database keeps, as an encoded message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum StepColumn {
    /// The request of the opening, without the seats' part.
    Place,
    /// The request of the opening, as it was sent.
    Opened,
    /// The ticket.
    Ticket,
    /// The sheet, if the policy demands no lock.
    Sheet,
    /// The answer of the deal.
    Dealt,
    /// The decisions so far, with their actions.
    Decisions,
    /// The answer of `Settle` behind an `S`, or of `VoidRound` behind a `V`.
    Closed,
}

impl StepColumn {
    const fn name(self) -> &'static str {
        match self {
            Self::Place => "place",
            Self::Opened => "opened",
            Self::Ticket => "ticket",
            Self::Sheet => "sheet",
            Self::Dealt => "dealt",
            Self::Decisions => "decisions",
            Self::Closed => "closed",
        }
    }

    fn select(self) -> String {
        format!("SELECT {} FROM paigow_rounds WHERE {OF_ROUND}", self.name())
    }
}

impl LedgerWork {
    /// Returns the serial of the newest lock.
    async fn count(&mut self) -> Result<i64, ClientError> {
        cell(&self.row("SELECT COALESCE(MAX(serial), 0) FROM paigow_locks").await?, 0)
    }

    async fn locks(
        &mut self,
        place: &Place,
        step: LockStep,
        spent: i64,
    ) -> Result<Vec<StoredLock>, ClientError> {
        let values = place.key_and([step.value(), SqlValue::Number(spent)]);
        self.rows(LOCKS, values).await?.iter().map(StoredLock::of_row).collect()
    }

    /// Returns a lock of the other step that follows the same record as a new one.
    async fn rival(
        &mut self,
        place: &Place,
        step: LockStep,
        envelope: &[u8],
    ) -> Result<Option<StoredLock>, ClientError> {
        let before = record_before(envelope)?;
        for spent in [0, 1] {
            for lock in self.locks(place, step.other(), spent).await? {
                if record_before(&lock.envelope)? == before {
                    return Ok(Some(lock));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the record that a lock follows.
fn record_before(envelope: &[u8]) -> Result<Value, ClientError> {
    Ok(body(envelope)?["prev"].clone())
}

/// Rounds and locks, in SQLite or PostgreSQL. Clones share the connections.
///
/// Every method is one transaction, which is durable when the method returns. A future that is dropped leaves no
/// transaction behind. A database that fails gives [`ClientError::LedgerUnavailable`], and nothing is signed then. The
/// next call connects again. The store reads no clock.
///
/// The Python and the TypeScript client read and write the same databases.
#[derive(Clone)]
pub struct LedgerStore {
    database: Database,
    mark: Arc<MarkFolder>,
}

impl fmt::Debug for LedgerStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LedgerStore")
            .field("kind", &self.database.kind)
            .field("mark", &self.mark.0)
            .finish_non_exhaustive()
    }
}

impl LedgerStore {
    /// Opens a ledger in one SQLite file, for one machine. Makes the file if it is missing.
    ///
    /// `mark` is the folder of the ledger's mark. Keep it where a backup of the database is not restored with it.
    ///
    /// # Errors
    ///
    /// - [`ClientError::LedgerUnavailable`] if the database or the mark cannot be used.
    /// - [`ClientError::Restored`] if the database is older than its mark.
    #[cfg(feature = "sqlite")]
    pub async fn sqlite(
        file: impl AsRef<Path>,
        mark: impl Into<PathBuf>,
    ) -> Result<Self, ClientError> {
        let store =
            Self::connect(DatabaseKind::Sqlite, &sqlite_address(file.as_ref()), mark.into())
                .await?;
        store.checked().await
    }

    /// Opens a ledger in PostgreSQL, for any number of processes. All of them share the folder `mark`.
    ///
    /// `address` is `postgres://user:password@host/database`. It takes the parameters of libpq, as `sslmode` and
    /// `sslrootcert`, and `?host=/folder` for a Unix socket.
    ///
    /// # Errors
    ///
    /// - [`ClientError::LedgerUnavailable`] if the database or the mark cannot be used.
    /// - [`ClientError::Restored`] if the database is older than its mark.
    #[cfg(feature = "postgres")]
    pub async fn postgres(address: &str, mark: impl Into<PathBuf>) -> Result<Self, ClientError> {
        Self::connect(DatabaseKind::Postgres, address, mark.into()).await?.checked().await
    }

    /// Opens a restored SQLite file so that it signs again, but only rounds of `first_epoch` and later.
    ///
    /// Choose an epoch that had not opened when the database was lost. Rounds before it may have locks that the
    /// database lacks: this ledger leaves them to others who hold their records.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Ledger`] if the database has rounds of `first_epoch` or later.
    /// - [`ClientError::LedgerUnavailable`] if the database or the mark cannot be used.
    #[cfg(feature = "sqlite")]
    pub async fn accept_restored_sqlite(
        file: impl AsRef<Path>,
        mark: impl Into<PathBuf>,
        first_epoch: i32,
    ) -> Result<Self, ClientError> {
        let store =
            Self::connect(DatabaseKind::Sqlite, &sqlite_address(file.as_ref()), mark.into())
                .await?;
        store.accepted(first_epoch).await
    }

    /// Opens a restored PostgreSQL database so that it signs again, as
    /// `LedgerStore::accept_restored_sqlite` does.
    ///
    /// # Errors
    ///
    /// - [`ClientError::Ledger`] if the database has rounds of `first_epoch` or later.
    /// - [`ClientError::LedgerUnavailable`] if the database or the mark cannot be used.
    #[cfg(feature = "postgres")]
    pub async fn accept_restored_postgres(
        address: &str,
        mark: impl Into<PathBuf>,
        first_epoch: i32,
    ) -> Result<Self, ClientError> {
        Self::connect(DatabaseKind::Postgres, address, mark.into())
            .await?
            .accepted(first_epoch)
            .await
    }

    /// Closes the connections. The next call opens another one.
    pub async fn close(&self) {
        self.database.close().await;
    }

    async fn connect(
        kind: DatabaseKind,
        address: &str,
        mark: PathBuf,
    ) -> Result<Self, ClientError> {
        let store =
            Self { database: Database::new(kind, address), mark: Arc::new(MarkFolder(mark)) };
        let (bytes, serial) = kind.types();
        let mut work = store.database.begin().await?;
        for statement in schema(bytes, serial) {
            work.rows(&statement, Vec::new()).await?;
        }
        let identity = vec![SqlValue::Text(new_identity())];
        work.rows("INSERT INTO paigow_ledger VALUES (1, $1, 0) ON CONFLICT DO NOTHING", identity)
            .await?;
        work.commit().await?;
        Ok(store)
    }

    async fn checked(self) -> Result<Self, ClientError> {
        let mut work = self.database.begin().await?;
        self.check_mark(&mut work).await?;
        work.commit().await?;
        Ok(self)
    }

    async fn accepted(self, first_epoch: i32) -> Result<Self, ClientError> {
        let mut work = self.database.begin().await?;
        let newest: i64 =
            cell(&work.row("SELECT COALESCE(MAX(epoch), -1) FROM paigow_rounds").await?, 0)?;
        if i64::from(first_epoch) <= newest {
            return Err(ClientError::Ledger(format!(
                "first_epoch: the database has rounds of epoch {newest}"
            )));
        }
        let identity = new_identity();
        let values = vec![SqlValue::Text(identity.clone()), SqlValue::Number(first_epoch.into())];
        work.rows("UPDATE paigow_ledger SET identity = $1, first_epoch = $2", values).await?;
        let locks = work.count().await?;
        work.commit().await?;
        self.raise_mark(LedgerMark { locks, identity }).await?;
        Ok(self)
    }

    // The mark

    /// Compares the database with the mark. Returns the mark that the database has earned.
    async fn check_mark(&self, work: &mut LedgerWork) -> Result<LedgerMark, ClientError> {
        let identity: String = cell(&work.row("SELECT identity FROM paigow_ledger").await?, 0)?;
        // The mark is read first. Another process may add a lock in between, and raises the mark
        // after it.
        let (mut marked, mut locks) = (self.read_mark().await?, work.count().await?);
        if marked.is_none() && locks > 0 {
            // Another process may have begun the mark in between.
            (marked, locks) = (self.read_mark().await?, work.count().await?);
        }
        let own = LedgerMark { locks, identity };
        let folder = self.mark.0.display();
        let restored = match marked {
            None if locks == 0 => {
                self.raise_mark(own.clone()).await?;
                return Ok(own);
            }
            None => format!(
                "{folder}: the ledger's mark is missing, and the database has {locks} locks"
            ),
            Some(mark) if mark.identity != own.identity => {
                format!("{folder}: the mark of another ledger's database")
            }
            Some(mark) if locks < mark.locks => {
                format!(
                    "the database has {locks} locks and its mark says {}: it was restored",
                    mark.locks
                )
            }
            Some(_) => return Ok(own),
        };
        Err(ClientError::Restored(restored))
    }

    async fn read_mark(&self) -> Result<Option<LedgerMark>, ClientError> {
        let folder = Arc::clone(&self.mark);
        blocking(move || folder.read()).await
    }

    async fn raise_mark(&self, own: LedgerMark) -> Result<(), ClientError> {
        trace("raise the mark");
        let folder = Arc::clone(&self.mark);
        blocking(move || folder.raise(&own)).await
    }

    /// Raises the mark to the locks of the database. Does so before anything is signed, so that a database that lacks
    /// the lock is known to be too old.
    pub(crate) async fn mark_locks(&self) -> Result<(), ClientError> {
        let mut work = self.database.begin().await?;
        let own = self.check_mark(&mut work).await?;
        work.commit().await?;
        self.raise_mark(own).await
    }

    // Rounds

    /// Stores the place of the next round. A round whose ticket was requested keeps its place.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn start(&self, place: &Place, request: &[u8]) -> Result<(), ClientError> {
        let values = || place.key_and([SqlValue::Bytes(request.to_vec())]);
        let insert =
            "INSERT INTO paigow_rounds (table_name, epoch, round_no, place) VALUES ($1, $2, $3, $4)
                      ON CONFLICT DO NOTHING";
        let update =
            format!("UPDATE paigow_rounds SET place = $4 WHERE {OF_ROUND} AND opened IS NULL");
        let mut work = self.database.begin().await?;
        work.rows(insert, values()).await?;
        work.rows(&update, values()).await?;
        work.commit().await
    }

    /// Returns the result of a step.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`].
    pub async fn get(
        &self,
        place: &Place,
        column: StepColumn,
    ) -> Result<Option<Vec<u8>>, ClientError> {
        let found = self.database.read(&column.select(), place.key()).await?;
        found.first().map_or(Ok(None), |row| cell(row, 0))
    }

    /// Stores the result of a step, once. Returns the result that is stored.
    ///
    /// # Errors
    ///
    /// [`ClientError::LedgerUnavailable`], and [`ClientError::WrongStep`] if the database does not have the round.
    pub async fn put(
        &self,
        place: &Place,
        column: StepColumn,
        value: Vec<u8>,
    ) -> Result<Vec<u8>, ClientError> {
        let name = column.name();
        let statement =
            format!("UPDATE paigow_rounds SET {name} = $4 WHERE {OF_ROUND} AND {name} IS NULL");
        let mut work = self.database.begin().await?;
        work.rows(&statement, place.key_and([SqlValue::Bytes(value)])).await?;
        let found = work.rows(&column.select(), place.key()).await?;
        work.commit().await?;
        let stored: Option<Vec<u8>> = found.first().map_or(Ok(None), |row| cell(row, 0))?;
        stored.ok_or_else(|| {
            ClientError::WrongStep(format!("the ledger does not know round {}", place.round_no))
        })
    }

    /// Forgets an opening that was refused as malformed: no replica has ever answered it.
    pub(crate) async fn forget_opening(&self, place: &Place) -> Result<(), ClientError> {
        let statement =
            format!("UPDATE paigow_rounds SET opened = NULL WHERE {OF_ROUND} AND ticket IS NULL");
        self.write(&statement, place.key()).await
    }

    /// Stores the decisions so far.
    pub(crate) async fn replace_decisions(
        &self,
        place: &Place,
        value: Vec<u8>,
    ) -> Result<(), ClientError> {
        let statement = format!("UPDATE paigow_rounds SET decisions = $4 WHERE {OF_ROUND}");
        self.write(&statement, place.key_and([SqlValue::Bytes(value)])).await
    }

    async fn write(&self, statement: &str, values: Vec<SqlValue>) -> Result<(), ClientError> {
        let mut work = self.database.begin().await?;
        work.rows(statement, values).await?;
        work.commit().await
    }

    /// Returns the first epoch whose rounds the ledger signs: 0 unless it was restored.
    pub(crate) async fn first_epoch(&self) -> Result<i64, ClientError> {
        let statement = "SELECT first_epoch FROM paigow_ledger";
        cell(&first_row(self.database.read(statement, Vec::new()).await?, statement)?, 0)
    }

    /// Returns the oldest round of a table that is not closed.
    pub(crate) async fn unfinished(&self, table: &str) -> Result<Option<Place>, ClientError> {
        Ok(self.first(table, "closed IS NULL", "epoch, round_no").await?.map(|(place, _)| place))
    }

    /// Returns the newest closed round of a table, with its close.
    pub(crate) async fn last_closed(
        &self,
        table: &str,
    ) -> Result<Option<(Place, Vec<u8>)>, ClientError> {
        let found = self.first(table, "closed IS NOT NULL", "epoch DESC, round_no DESC").await?;
        Ok(found.map(|(place, closed)| (place, closed.unwrap_or_default())))
    }

    async fn first(
        &self,
        table: &str,
        condition: &str,
        order: &str,
    ) -> Result<Option<(Place, Option<Vec<u8>>)>, ClientError> {
        let statement = format!(
            "SELECT epoch, round_no, closed FROM paigow_rounds WHERE table_name = $1
             AND epoch >= (SELECT first_epoch FROM paigow_ledger) AND {condition} ORDER BY {order} LIMIT 1"
        );
        let rows = self.database.read(&statement, vec![SqlValue::Text(table.to_owned())]).await?;
        let Some(row) = rows.first() else { return Ok(None) };
        let epoch: i64 = cell(row, 0)?;
        let epoch = i32::try_from(epoch).map_err(|_| {
            ClientError::LedgerUnavailable(format!("the database has an epoch {epoch}"))
        })?;
        Ok(Some((Place { table: table.to_owned(), epoch, round_no: cell(row, 1)? }, cell(row, 2)?)))
    }

    // Locks

    /// Stores the lock of a step before it is signed. Returns the lock that is stored: the first one.
    ///
    /// # Errors
    ///
    /// [`ClientError::SignedOtherwise`] if a lock of the other step follows the same record.
    pub(crate) async fn claim(
        &self,
        place: &Place,
        step: LockStep,
        envelope: Vec<u8>,
        to_sign: Vec<u8>,
        content: Vec<u8>,
    ) -> Result<StoredLock, ClientError> {
        let mut work = self.database.begin().await?;
        let alone = self.database.kind.alone();
        let first_epoch: i64 =
            cell(&work.row(&format!("SELECT first_epoch FROM paigow_ledger{alone}")).await?, 0)?;
        self.check_mark(&mut work).await?;
        if i64::from(place.epoch) < first_epoch {
            let sentence =
                format!("the ledger was restored, and signs from epoch {first_epoch} on");
            return Err(ClientError::Restored(sentence));
        }
        if let Some(first) = work.locks(place, step, 0).await?.into_iter().next() {
            work.commit().await?;
            return Ok(first);
        }
        if let Some(rival) = work.rival(place, step, &envelope).await? {
            return Err(step.rivalled(&rival));
        }
        let statement = "INSERT INTO paigow_locks (table_name, epoch, round_no, step, envelope, to_sign, content)
                         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING";
        let content = [envelope, to_sign, content].map(SqlValue::Bytes);
        let mut values = place.key_and([step.value()]);
        values.extend(content);
        work.rows(statement, values).await?;
        let lock = work.locks(place, step, 0).await?.into_iter().next();
        work.commit().await?;
        lock.ok_or_else(|| {
            ClientError::LedgerUnavailable("a lock that was stored is not there".to_owned())
        })
    }

    /// Returns the lock of a step that is not spent.
    pub(crate) async fn lock(
        &self,
        place: &Place,
        step: LockStep,
    ) -> Result<Option<StoredLock>, ClientError> {
        Ok(self.locks(place, step, 0).await?.into_iter().next())
    }

    /// Returns the spent locks of a step, oldest first.
    pub(crate) async fn spent(
        &self,
        place: &Place,
        step: LockStep,
    ) -> Result<Vec<StoredLock>, ClientError> {
        self.locks(place, step, 1).await
    }

    async fn locks(
        &self,
        place: &Place,
        step: LockStep,
        spent: i64,
    ) -> Result<Vec<StoredLock>, ClientError> {
        let values = place.key_and([step.value(), SqlValue::Number(spent)]);
        self.database.read(LOCKS, values).await?.iter().map(StoredLock::of_row).collect()
    }

    /// Stores the signature of a lock and its key, before it is sent. Returns the lock with the first signature.
    pub(crate) async fn signed(
        &self,
        lock: StoredLock,
        public_key: &str,
        signature: &[u8],
    ) -> Result<StoredLock, ClientError> {
        let update = "UPDATE paigow_locks SET public_key = $1, signature = $2 WHERE serial = $3 AND signature IS NULL";
        let serial = SqlValue::Number(lock.serial);
        let values = vec![
            SqlValue::Text(public_key.to_owned()),
            SqlValue::Bytes(signature.to_vec()),
            serial,
        ];
        let select = "SELECT public_key, signature FROM paigow_locks WHERE serial = $1";
        let mut work = self.database.begin().await?;
        work.rows(update, values).await?;
        let rows = work.rows(select, vec![SqlValue::Number(lock.serial)]).await?;
        work.commit().await?;
        let gone =
            || ClientError::LedgerUnavailable("a lock that was stored is not there".to_owned());
        let row = rows.first().ok_or_else(gone)?;
        Ok(StoredLock { public_key: cell(row, 0)?, signature: cell(row, 1)?, ..lock })
    }

    /// Marks the lock of a step as spent: another one may supersede it.
    pub(crate) async fn spend(&self, place: &Place, step: LockStep) -> Result<(), ClientError> {
        let statement = format!(
            "UPDATE paigow_locks SET spent = 1 WHERE {OF_ROUND} AND step = $4 AND spent = 0"
        );
        self.write(&statement, place.key_and([step.value()])).await
    }
}

/// Does work with files away from the threads of the runtime.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, ClientError> {
    let done = tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(error.into()));
    done.map_err(|error| ClientError::LedgerUnavailable(format!("the ledger's mark: {error}")))
}

fn new_identity() -> String {
    hex::encode(&new_seed()[..16])
}
