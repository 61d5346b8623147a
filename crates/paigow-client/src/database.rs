//! The database of a ledger: its tables, the connections to it, and transactions on them.

#[cfg(feature = "sqlite")]
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use sqlx::any::AnyRow;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Connection as _, Row as _};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::errors::ClientError;

/// The tables, with the types of bytes and of a number that counts up.
pub(crate) fn schema(bytes: &str, serial: &str) -> [String; 6] {
    [
        "CREATE TABLE IF NOT EXISTS paigow_ledger (
            singleton INTEGER PRIMARY KEY CHECK (singleton = 1),
            identity TEXT NOT NULL,
            first_epoch BIGINT NOT NULL)"
            .to_owned(),
        format!(
            "CREATE TABLE IF NOT EXISTS paigow_rounds (
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
                PRIMARY KEY (table_name, epoch, round_no))"
        ),
        format!(
            "CREATE TABLE IF NOT EXISTS paigow_locks (
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
                signature {bytes})"
        ),
        "CREATE INDEX IF NOT EXISTS paigow_open_rounds ON paigow_rounds (table_name, epoch, round_no)
            WHERE closed IS NULL"
            .to_owned(),
        "CREATE INDEX IF NOT EXISTS paigow_locks_of_round ON paigow_locks (table_name, epoch, round_no, step)"
            .to_owned(),
        "CREATE UNIQUE INDEX IF NOT EXISTS paigow_one_lock ON paigow_locks (table_name, epoch, round_no, step)
            WHERE spent = 0"
            .to_owned(),
    ]
}

/// A value of a statement.
#[derive(Clone)]
pub(crate) enum SqlValue {
    Text(String),
    Number(i64),
    Bytes(Vec<u8>),
}

/// The connections of a store that have no transaction.
#[derive(Debug, Default)]
struct IdleConnections(Mutex<Vec<AnyConnection>>);

impl IdleConnections {
    fn take(&self) -> Option<AnyConnection> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    fn put(&self, connection: AnyConnection) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
    }
}

/// A transaction. One that is dropped takes its connection with it, so the database rolls it back.
pub(crate) struct LedgerWork {
    connection: AnyConnection,
    idle: Arc<IdleConnections>,
    _turn: OwnedSemaphorePermit,
}

impl LedgerWork {
    /// Runs a statement. Returns its rows.
    pub(crate) async fn rows(
        &mut self,
        statement: &str,
        values: Vec<SqlValue>,
    ) -> Result<Vec<AnyRow>, ClientError> {
        rows(&mut self.connection, statement, values).await.map_err(unavailable)
    }

    /// Runs a query that has a row. Returns its first row.
    pub(crate) async fn row(&mut self, statement: &str) -> Result<AnyRow, ClientError> {
        first_row(self.rows(statement, Vec::new()).await?, statement)
    }

    /// Ends the transaction: what it has written is durable.
    pub(crate) async fn commit(mut self) -> Result<(), ClientError> {
        self.rows("COMMIT", Vec::new()).await?;
        self.idle.put(self.connection);
        Ok(())
    }
}

/// Runs a statement. Returns its rows.
async fn rows(
    connection: &mut AnyConnection,
    statement: &str,
    values: Vec<SqlValue>,
) -> Result<Vec<AnyRow>, sqlx::Error> {
    trace(statement);
    let mut query = sqlx::query(AssertSqlSafe(statement));
    for value in values {
        query = match value {
            SqlValue::Text(text) => query.bind(text),
            SqlValue::Number(number) => query.bind(number),
            SqlValue::Bytes(bytes) => query.bind(bytes),
        };
    }
    query.fetch_all(connection).await
}

/// Returns the first row of a query that has one.
pub(crate) fn first_row(rows: Vec<AnyRow>, statement: &str) -> Result<AnyRow, ClientError> {
    let missing = || ClientError::LedgerUnavailable(format!("no row: {statement}"));
    rows.into_iter().next().ok_or_else(missing)
}

/// Traces a step before it is made.
pub(crate) fn trace(step: &str) {
    tracing::trace!(step);
}

/// Returns the value of a column.
pub(crate) fn cell<'r, T>(row: &'r AnyRow, column: usize) -> Result<T, ClientError>
where
    T: sqlx::Decode<'r, Any> + sqlx::Type<Any>,
{
    row.try_get(column).map_err(unavailable)
}

fn unavailable(error: sqlx::Error) -> ClientError {
    ClientError::LedgerUnavailable(error.to_string())
}

/// The kind of a database.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum DatabaseKind {
    #[cfg(feature = "sqlite")]
    Sqlite,
    #[cfg(feature = "postgres")]
    Postgres,
}

impl DatabaseKind {
    /// Returns the type of bytes, and of a number that counts up.
    pub(crate) const fn types(self) -> (&'static str, &'static str) {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => ("BLOB", "INTEGER PRIMARY KEY AUTOINCREMENT"),
            #[cfg(feature = "postgres")]
            Self::Postgres => ("BYTEA", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
        }
    }

    const fn begin(self) -> &'static str {
        match self {
            // A transaction that writes waits here for the one before it.
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "BEGIN IMMEDIATE",
            #[cfg(feature = "postgres")]
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    /// Returns the statements of a new connection.
    const fn settings(self) -> &'static [&'static str] {
        match self {
            // Durable when a transaction has ended, also after a loss of power.
            #[cfg(feature = "sqlite")]
            Self::Sqlite => &[
                "PRAGMA busy_timeout = 10000",
                "PRAGMA journal_mode = WAL",
                "PRAGMA synchronous = FULL",
            ],
            #[cfg(feature = "postgres")]
            Self::Postgres => &[],
        }
    }

    const fn max_connections(self) -> usize {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => 1,
            #[cfg(feature = "postgres")]
            Self::Postgres => 8,
        }
    }

    /// Returns the end of a query that makes other claims wait until its transaction has ended.
    ///
    /// So locks are counted in the order of their commits, and no backup has a later lock without an earlier one.
    pub(crate) const fn alone(self) -> &'static str {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite => "",
            #[cfg(feature = "postgres")]
            Self::Postgres => " FOR UPDATE",
        }
    }
}

/// A database. Clones share the connections.
#[derive(Clone)]
pub(crate) struct Database {
    pub(crate) kind: DatabaseKind,
    address: Arc<str>,
    idle: Arc<IdleConnections>,
    turns: Arc<Semaphore>,
}

impl Database {
    pub(crate) fn new(kind: DatabaseKind, address: &str) -> Self {
        sqlx::any::install_default_drivers();
        let turns = Arc::new(Semaphore::new(kind.max_connections()));
        Self { kind, address: address.into(), idle: Arc::default(), turns }
    }

    /// Closes the connections. The next call opens another one.
    pub(crate) async fn close(&self) {
        while let Some(connection) = self.idle.take() {
            // A connection that is lost is closed.
            drop(connection.close().await);
        }
    }

    async fn turn(&self) -> Result<OwnedSemaphorePermit, ClientError> {
        let turn = Arc::clone(&self.turns).acquire_owned().await;
        turn.map_err(|error| ClientError::LedgerUnavailable(error.to_string()))
    }

    /// Begins a transaction.
    pub(crate) async fn begin(&self) -> Result<LedgerWork, ClientError> {
        let turn = self.turn().await?;
        let begin = self.kind.begin();
        trace(begin);
        let connection = match self.idle.take() {
            Some(mut kept) => match sqlx::query(begin).execute(&mut kept).await {
                Ok(_) => Some(kept),
                // The database has closed it: nothing has begun.
                Err(_) => None,
            },
            None => None,
        };
        let connection = match connection {
            Some(connection) => connection,
            None => self.connection_after(&[begin]).await.map_err(unavailable)?,
        };
        Ok(LedgerWork { connection, idle: Arc::clone(&self.idle), _turn: turn })
    }

    /// Runs one query, which is a transaction of its own. Returns its rows.
    pub(crate) async fn read(
        &self,
        query: &str,
        values: Vec<SqlValue>,
    ) -> Result<Vec<AnyRow>, ClientError> {
        let _turn = self.turn().await?;
        // The database may have closed a connection that was kept.
        if let Some(mut kept) = self.idle.take()
            && let Ok(found) = rows(&mut kept, query, values.clone()).await
        {
            self.idle.put(kept);
            return Ok(found);
        }
        let mut connection = self.connection_after(&[]).await.map_err(unavailable)?;
        let found = rows(&mut connection, query, values).await.map_err(unavailable)?;
        self.idle.put(connection);
        Ok(found)
    }

    /// Makes a connection that has run its settings and these statements.
    async fn connection_after(
        &self,
        statements: &[&'static str],
    ) -> Result<AnyConnection, sqlx::Error> {
        let mut connection = AnyConnection::connect(&self.address).await?;
        for &statement in self.kind.settings().iter().chain(statements) {
            sqlx::query(statement).execute(&mut connection).await?;
        }
        Ok(connection)
    }
}

/// Returns the address of a file, whatever characters its name has.
#[cfg(feature = "sqlite")]
pub(crate) fn sqlite_address(file: &Path) -> String {
    use std::fmt::Write as _;
    let mut address = "sqlite:".to_owned();
    for &byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => address.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => address.push(char::from(byte)),
            _ => write!(address, "%{byte:02X}").expect("a string takes any text"),
        }
    }
    address + "?mode=rwc"
}
