//! The wallets of the players, in SQLite or PostgreSQL.
//!
//! A stake leaves the wallet when it is placed. The close of a round puts back stake and net, once:
//! a round that is closed again changes nothing.

use std::collections::BTreeMap;

use paigow_client::Place;
use sha2::{Digest as _, Sha256};
use sqlx::any::AnyPoolOptions;
use sqlx::{AnyConnection, AnyPool, Row as _};

/// The balance of a new player, in minor units: 1,000.00.
const FIRST_BALANCE: i64 = 100_000;

const SCHEMA: [&str; 2] = [
    "CREATE TABLE IF NOT EXISTS table_players (
        player TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        token_hash TEXT NOT NULL UNIQUE,
        balance_minor BIGINT NOT NULL CHECK (balance_minor >= 0))",
    // `net_minor` is set once the round is closed.
    "CREATE TABLE IF NOT EXISTS table_stakes (
        table_name TEXT NOT NULL,
        epoch BIGINT NOT NULL,
        round_no BIGINT NOT NULL,
        seat BIGINT NOT NULL,
        player TEXT NOT NULL,
        stake_minor BIGINT NOT NULL,
        net_minor BIGINT,
        PRIMARY KEY (table_name, epoch, round_no, seat))",
];

/// A player, without the token.
#[derive(Clone, Debug)]
pub(crate) struct Player {
    pub(crate) id: String,
    pub(crate) name: String,
}

/// A seat of a round, with the player whose stake it is.
#[derive(Clone, Debug)]
pub(crate) struct StakeHolder {
    pub(crate) seat: i32,
    pub(crate) player: Player,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum WalletError {
    #[error("the wallet holds {balance_minor}, and {needed_minor} more are needed")]
    NotEnough { balance_minor: i64, needed_minor: i64 },
    #[error("the wallets: {0}")]
    Database(#[from] sqlx::Error),
}

/// The wallets.
#[derive(Clone, Debug)]
pub(crate) struct Wallets {
    pool: AnyPool,
}

impl Wallets {
    /// Opens the wallets at an address, `sqlite:FILE` or `postgres://...`.
    pub(crate) async fn open(address: &str) -> Result<Self, WalletError> {
        sqlx::any::install_default_drivers();
        let is_sqlite = address.starts_with("sqlite:");
        let pool = AnyPoolOptions::new()
            .max_connections(if is_sqlite { 1 } else { 8 })
            .after_connect(move |connection, _| {
                Box::pin(async move {
                    if is_sqlite {
                        for setting in ["PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"] {
                            sqlx::query(setting).execute(&mut *connection).await?;
                        }
                    }
                    Ok(())
                })
            })
            .connect(address)
            .await?;
        for statement in SCHEMA {
            sqlx::query(statement).execute(&pool).await?;
        }
        Ok(Self { pool })
    }

    /// Makes a player with a wallet. Returns the token, which nobody can read again.
    pub(crate) async fn enroll(&self, name: &str) -> Result<String, WalletError> {
        let (id, token) = (random_name::<8>(), random_name::<32>());
        sqlx::query("INSERT INTO table_players VALUES ($1, $2, $3, $4)")
            .bind(&id)
            .bind(name)
            .bind(hash_of(&token))
            .bind(FIRST_BALANCE)
            .execute(&self.pool)
            .await?;
        Ok(token)
    }

    /// Returns the player with a token, if there is one.
    pub(crate) async fn player(&self, token: &str) -> Result<Option<Player>, WalletError> {
        let row = sqlx::query("SELECT player, name FROM table_players WHERE token_hash = $1")
            .bind(hash_of(token))
            .fetch_optional(&self.pool)
            .await?;
        Ok(row
            .map(|row| Ok::<_, sqlx::Error>(Player { id: row.try_get(0)?, name: row.try_get(1)? }))
            .transpose()?)
    }

    pub(crate) async fn balance(&self, player: &str) -> Result<i64, WalletError> {
        let row = sqlx::query("SELECT balance_minor FROM table_players WHERE player = $1")
            .bind(player)
            .fetch_one(&self.pool)
            .await?;
        Ok(row.try_get(0)?)
    }

    /// Holds `total_minor` for a seat of a round: takes the missing amount from the wallet, or gives an excess
    /// back.
    pub(crate) async fn hold(
        &self,
        place: &Place,
        seat: i32,
        player: &str,
        total_minor: i64,
    ) -> Result<(), WalletError> {
        let mut transaction = self.pool.begin().await?;
        let held = self.held(&mut transaction, place, seat).await?;
        let more = total_minor - held;
        let taken = sqlx::query(
            "UPDATE table_players SET balance_minor = balance_minor - $1 WHERE player = $2 AND balance_minor >= $1",
        )
        .bind(more)
        .bind(player)
        .execute(&mut *transaction)
        .await?;
        if taken.rows_affected() != 1 {
            transaction.rollback().await?;
            let balance_minor = self.balance(player).await?;
            return Err(WalletError::NotEnough { balance_minor, needed_minor: more });
        }
        let statement = if total_minor == 0 {
            sqlx::query(
                "DELETE FROM table_stakes WHERE table_name = $1 AND epoch = $2 AND round_no = $3 AND seat = $4",
            )
        } else {
            sqlx::query(
                "INSERT INTO table_stakes (table_name, epoch, round_no, seat, player, stake_minor)
                 VALUES ($1, $2, $3, $4, $5, $6)
                 ON CONFLICT (table_name, epoch, round_no, seat) DO UPDATE SET stake_minor = excluded.stake_minor",
            )
        };
        let mut statement = statement
            .bind(&place.table)
            .bind(i64::from(place.epoch))
            .bind(place.round_no)
            .bind(i64::from(seat));
        if total_minor != 0 {
            statement = statement.bind(player).bind(total_minor);
        }
        statement.execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn held(
        &self,
        connection: &mut AnyConnection,
        place: &Place,
        seat: i32,
    ) -> Result<i64, WalletError> {
        let row = sqlx::query(
            "SELECT stake_minor FROM table_stakes
             WHERE table_name = $1 AND epoch = $2 AND round_no = $3 AND seat = $4",
        )
        .bind(&place.table)
        .bind(i64::from(place.epoch))
        .bind(place.round_no)
        .bind(i64::from(seat))
        .fetch_optional(connection)
        .await?;
        Ok(row.map_or(Ok(0), |row| row.try_get(0))?)
    }

    /// Closes a round: each seat gets back its stake and its net. A seat that is not in `nets` gets its stake.
    /// A seat that was closed before stays as it is.
    pub(crate) async fn close(
        &self,
        place: &Place,
        nets: &BTreeMap<i32, i64>,
    ) -> Result<(), WalletError> {
        let mut transaction = self.pool.begin().await?;
        for holder in holders_in(&mut transaction, place).await? {
            let net = nets.get(&holder.seat).copied().unwrap_or(0);
            let held = self.held(&mut transaction, place, holder.seat).await?;
            let closed = sqlx::query(
                "UPDATE table_stakes SET net_minor = $1 WHERE table_name = $2 AND epoch = $3 AND round_no = $4
                 AND seat = $5 AND net_minor IS NULL",
            )
            .bind(net)
            .bind(&place.table)
            .bind(i64::from(place.epoch))
            .bind(place.round_no)
            .bind(i64::from(holder.seat))
            .execute(&mut *transaction)
            .await?;
            if closed.rows_affected() == 1 {
                sqlx::query(
                    "UPDATE table_players SET balance_minor = balance_minor + $1 WHERE player = $2",
                )
                .bind(held + net)
                .bind(&holder.player.id)
                .execute(&mut *transaction)
                .await?;
            }
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Returns the rounds of a table that hold stakes, oldest first.
    pub(crate) async fn open_rounds(&self, table: &str) -> Result<Vec<Place>, WalletError> {
        let rows = sqlx::query(
            "SELECT DISTINCT epoch, round_no FROM table_stakes WHERE table_name = $1 AND net_minor IS NULL
             ORDER BY epoch, round_no",
        )
        .bind(table)
        .fetch_all(&self.pool)
        .await?;
        rows.iter()
            .map(|row| {
                let epoch: i64 = row.try_get(0)?;
                let epoch =
                    i32::try_from(epoch).map_err(|error| sqlx::Error::Decode(error.into()))?;
                Ok(Place { table: table.to_owned(), epoch, round_no: row.try_get(1)? })
            })
            .collect()
    }

    /// Returns the seats of a round with stakes, ascending.
    pub(crate) async fn holders(&self, place: &Place) -> Result<Vec<StakeHolder>, WalletError> {
        let mut connection = self.pool.acquire().await?;
        holders_in(&mut connection, place).await
    }
}

async fn holders_in(
    connection: &mut AnyConnection,
    place: &Place,
) -> Result<Vec<StakeHolder>, WalletError> {
    let rows = sqlx::query(
        "SELECT s.seat, s.player, p.name FROM table_stakes s JOIN table_players p ON p.player = s.player
         WHERE s.table_name = $1 AND s.epoch = $2 AND s.round_no = $3 ORDER BY s.seat",
    )
    .bind(&place.table)
    .bind(i64::from(place.epoch))
    .bind(place.round_no)
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let seat: i64 = row.try_get(0)?;
            let seat = i32::try_from(seat).map_err(|error| sqlx::Error::Decode(error.into()))?;
            Ok(StakeHolder { seat, player: Player { id: row.try_get(1)?, name: row.try_get(2)? } })
        })
        .collect()
}

fn hash_of(token: &str) -> String {
    hex::encode(Sha256::digest(token.as_bytes()))
}

fn random_name<const BYTES: usize>() -> String {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    hex::encode(bytes)
}
