//! `paigow-lab sink export`: rounds, wagers and money out of the evidence, as Parquet tables.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;
use serde_json::Value;

use super::{SinkFileEvent, each_file};
use crate::parquet_table::{Cell, ParquetTable};
use crate::{CommandError, CommandOutcome, counted};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

const ROUNDS: &str = "message rounds {
    REQUIRED BINARY round_id (UTF8);
    OPTIONAL BINARY tenant (UTF8);
    OPTIONAL BINARY table_id (UTF8);
    OPTIONAL INT64 round_no;
    OPTIONAL INT64 epoch;
    OPTIONAL BINARY suite (UTF8);
    OPTIONAL BINARY ruleset_hash (UTF8);
    REQUIRED BINARY disposition (UTF8);
    OPTIONAL BINARY void_reason (UTF8);
    OPTIONAL BINARY currency (UTF8);
    OPTIONAL INT64 exponent;
    OPTIONAL INT64 opened_at (TIMESTAMP(MILLIS,true));
    OPTIONAL INT64 closed_at (TIMESTAMP(MILLIS,true));
}";

const WAGERS: &str = "message wagers {
    REQUIRED BINARY round_id (UTF8);
    REQUIRED INT64 seat;
    REQUIRED BINARY bet (UTF8);
    REQUIRED INT64 stake_minor;
    REQUIRED BINARY status (UTF8);
    OPTIONAL INT64 win_minor;
    OPTIONAL INT64 return_minor;
    OPTIONAL INT64 commission_minor;
    OPTIONAL INT64 uncovered_minor;
    OPTIONAL INT64 pays_num;
    OPTIONAL INT64 pays_den;
    OPTIONAL BINARY row (UTF8);
    OPTIONAL INT64 caused_by_seat;
}";

const MONEY: &str = "message money {
    REQUIRED BINARY round_id (UTF8);
    REQUIRED BINARY account (UTF8);
    OPTIONAL INT64 seat;
    REQUIRED INT64 net_minor;
    OPTIONAL INT64 fee_minor;
}";

/// Writes `rounds.parquet`, `wagers.parquet` and `money.parquet` to a new or an empty folder.
///
/// A round that is not closed has the disposition `open`, and no wagers and no money. Of a round
/// with two closes, which a verification tells as a fork, the one that was read first is taken.
/// Amounts are in minor units of the round's currency. A round with two closes is a finding.
///
/// # Errors
///
/// If a file cannot be read, the folder is not empty, or a table cannot be written.
pub fn export(
    folder: &Path,
    paths: &[PathBuf],
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let failed = |error: &dyn std::fmt::Display| {
        CommandError::CannotCreate(format!("{}: {error}", folder.display()))
    };
    fs::create_dir_all(folder).map_err(|error| failed(&error))?;
    if fs::read_dir(folder).map_err(|error| failed(&error))?.next().is_some() {
        return Err(failed(&"the folder is not empty: give a new or an empty folder"));
    }
    let table = |name: &str, schema: &str| {
        ParquetTable::create(&folder.join(name), schema).map_err(|error| failed(&error))
    };
    let mut tables = Tables {
        rounds: table("rounds.parquet", ROUNDS)?,
        wagers: table("wagers.parquet", WAGERS)?,
        money: table("money.parquet", MONEY)?,
    };
    let mut rounds: BTreeMap<Hash, ExportedRound> = BTreeMap::new();
    let mut written: Result<(), ParquetError> = Ok(());
    each_file(paths, &mut |event| {
        let SinkFileEvent::Line { bytes, whole: true } = event else { return };
        // The verification finds damage.
        let Ok(line) = EvidenceLine::parse(bytes) else { return };
        let LineBody::Record(entry) = line.body else { return };
        let facts = rounds.entry(entry.round_id).or_default();
        entry.records.iter().for_each(|record| facts.take(record, line.time));
        if facts.is_complete() && !facts.is_written && written.is_ok() {
            written = tables.add(&entry.round_id, facts);
            // The entry stays, to say that the round was written.
            let (closed_by, is_forked) = (facts.closed_by, facts.is_forked);
            *facts = ExportedRound { is_written: true, closed_by, is_forked, ..Default::default() };
        }
    })?;
    written.map_err(|error| failed(&error))?;
    let forked = rounds.values().filter(|facts| facts.is_forked).count();
    let left = rounds.iter().filter(|(_, facts)| !facts.is_written);
    for (round_id, facts) in left {
        tables.add(round_id, facts).map_err(|error| failed(&error))?;
    }
    let counts = tables.close().map_err(|error| failed(&error))?;
    let [rounds, wagers, money] = counts;
    writeln!(
        out,
        "wrote {}, {} and {} to {}",
        counted(rounds, "round"),
        counted(wagers, "wager"),
        counted(money, "balance"),
        folder.display()
    )?;
    if forked == 0 {
        return Ok(CommandOutcome::Well);
    }
    let forked = counted(forked, "round");
    writeln!(out, "{forked} with two closes: the first was taken. Run `paigow-lab sink verify`")?;
    Ok(CommandOutcome::WithFindings)
}

/// The records of a round, as far as the tables have them.
#[derive(Default)]
struct ExportedRound {
    is_written: bool,
    /// The close that was taken.
    closed_by: Option<Hash>,
    /// Whether there is another one.
    is_forked: bool,
    ticket: Option<Value>,
    lock: Option<Value>,
    deal: Option<Value>,
    close: Option<Value>,
    opened_at: Option<u64>,
    closed_at: Option<u64>,
}

impl ExportedRound {
    fn take(&mut self, record: &RecordEnvelope, time: u64) {
        if record.kind() == RecordKind::Settle {
            let taken = *self.closed_by.get_or_insert_with(|| record.hash());
            self.is_forked |= taken != record.hash();
        }
        if self.is_written {
            return;
        }
        let value = || serde_json::from_slice::<Value>(record.payload()).ok();
        match record.kind() {
            RecordKind::Ticket => {
                self.ticket = self.ticket.take().or_else(value);
                self.opened_at = Some(self.opened_at.map_or(time, |before| before.min(time)));
            }
            RecordKind::Lock => {
                let wagers = value().filter(|lock| lock["step"] == "wagers");
                self.lock = self.lock.take().or(wagers);
            }
            RecordKind::Deal => self.deal = self.deal.take().or_else(value),
            RecordKind::Settle if self.close.is_none() => {
                self.close = value();
                self.closed_at = Some(time);
            }
            RecordKind::Settle
            | RecordKind::Action
            | RecordKind::Manifest
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof => {}
        }
    }

    /// Whether nothing that the tables have is still to come: the files of a round may be read in
    /// any order of the replicas.
    fn is_complete(&self) -> bool {
        let is_void = self.close.as_ref().is_some_and(|close| close["disposition"] == "void");
        let is_dealt = self.lock.is_some() && self.deal.is_some();
        // A void may have nothing before it but the ticket: it waits for the end.
        self.ticket.is_some() && self.close.is_some() && is_dealt && !is_void
    }
}

struct Tables {
    rounds: ParquetTable,
    wagers: ParquetTable,
    money: ParquetTable,
}

impl Tables {
    fn add(&mut self, round_id: &Hash, facts: &ExportedRound) -> Result<(), ParquetError> {
        let none = Value::Null;
        let [ticket, lock, deal, close] = [&facts.ticket, &facts.lock, &facts.deal, &facts.close]
            .map(|record| record.as_ref().unwrap_or(&none));
        let id = || Cell::from(round_id.to_string());
        let disposition = close["disposition"].as_str().unwrap_or("open");
        self.rounds.add(vec![
            id(),
            Cell::text(&ticket["tenant"]),
            Cell::text(&ticket["table"]),
            Cell::number(&ticket["round_no"]),
            Cell::number(&ticket["epoch"]),
            Cell::text(&ticket["suite"]),
            Cell::text(&ticket["ruleset"]),
            Cell::from(disposition.to_owned()),
            Cell::text(&close["reason"]),
            Cell::text(&lock["currency"]["code"]),
            Cell::number(&lock["currency"]["exponent"]),
            Cell::time(facts.opened_at),
            Cell::time(facts.closed_at),
        ])?;
        let results = &close["results"];
        for (seat, result) in results["seats"].as_object().into_iter().flatten() {
            for line in result["lines"].as_array().into_iter().flatten() {
                self.wagers.add(vec![
                    id(),
                    Cell::seat(seat),
                    Cell::text(&line["bet"]),
                    Cell::number(&line["stake"]),
                    Cell::text(&line["status"]),
                    Cell::number(&line["win"]),
                    Cell::number(&line["return"]),
                    Cell::number(&line["commission"]),
                    Cell::number(&line["uncovered"]),
                    Cell::number(&line["pays"]["num"]),
                    Cell::number(&line["pays"]["den"]),
                    Cell::text(&line["row"]),
                    Cell::number(&line["caused_by_seat"]),
                ])?;
            }
            let fee = Cell::number(&deal["fees"][seat]);
            let net = Cell::number(&result["net"]);
            self.money.add(vec![id(), Cell::word("seat"), Cell::seat(seat), net, fee])?;
        }
        if results.is_object() {
            let bank = Cell::number(&results["bank"]["net"]);
            self.money.add(vec![id(), Cell::word("bank"), Cell::Null, bank, Cell::Null])?;
            let house = Cell::number(&results["house_net"]);
            self.money.add(vec![id(), Cell::word("house"), Cell::Null, house, Cell::Null])?;
        }
        // A void hands back stakes and fees whole: its wagers have no result, and nobody has won.
        for seat in close["returns"].as_object().into_iter().flat_map(|returns| returns.keys()) {
            let wagers = lock["seats"][seat]["wagers"].as_array();
            for wager in wagers.into_iter().flatten() {
                let mut row = vec![
                    id(),
                    Cell::seat(seat),
                    Cell::text(&wager["bet"]),
                    Cell::number(&wager["amount"]),
                    Cell::word("void"),
                ];
                row.resize_with(13, || Cell::Null);
                self.wagers.add(row)?;
            }
            let zero = Cell::Number(0);
            self.money.add(vec![id(), Cell::word("seat"), Cell::seat(seat), zero, Cell::Null])?;
        }
        Ok(())
    }

    /// Writes what is left, and returns how many rows each table has.
    fn close(self) -> Result<[u64; 3], ParquetError> {
        Ok([self.rounds.close()?, self.wagers.close()?, self.money.close()?])
    }
}
