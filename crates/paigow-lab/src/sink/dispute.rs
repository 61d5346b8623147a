//! `paigow-lab sink dispute`: one round out of the evidence, in a player's words, and the files that
//! show it.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use serde_json::Value;

use super::transcript::{RoundWays, read_round};
use super::{SinkFileEvent, each_file};
use crate::audit::{self, AuditFormat, AuditRequest};
use crate::play::show::{money, net};
use crate::{CommandError, CommandOutcome, page};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_round::Catalogue;
use paigow_round::audit::AuditTerms;
use paigow_rules::cards::{Card, codes};
use paigow_rules::game::{BetId, Ruleset};

/// The round that a dispute is about.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum DisputedRound {
    /// By its id, 64 hexadecimal digits.
    Id(String),
    /// By where it stood.
    Place {
        /// The tenant; [`None`]: any.
        tenant: Option<String>,
        /// The table.
        table: String,
        /// The number of the round at the table.
        number: u64,
    },
}

/// The request of `paigow-lab sink dispute`.
#[derive(Clone, Debug)]
pub struct SinkDispute {
    /// The round.
    pub round: DisputedRound,
    /// The terms of the audit.
    pub terms: AuditTerms,
    /// A new folder for the transcript, the findings and the page; [`None`]: none.
    pub write: Option<PathBuf>,
    /// Files of the evidence, folders with files, and addresses.
    pub paths: Vec<PathBuf>,
}

/// Finds a round, tells it in a player's words, and audits it.
///
/// The outcome is that of the audit. A round that was answered in two ways is described once
/// for each answer, and its audit fails.
///
/// # Errors
///
/// If there is no such round or more than one, a record of it is missing, a file cannot be read or
/// written, or output fails.
pub fn dispute(
    request: &SinkDispute,
    catalogue: &Catalogue,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let round_id = match &request.round {
        DisputedRound::Id(text) => {
            text.parse().map_err(|error| CommandError::Usage(format!("--round {text}: {error}")))?
        }
        DisputedRound::Place { tenant, table, number } => {
            find(tenant.as_deref(), table, *number, &request.paths)?
        }
    };
    let ways = read_round(round_id, &request.paths)?;
    let mut told = Vec::new();
    tell_all(&ways, catalogue, &mut told)?;
    let transcript = ways.to_transcript();
    let audited = |format| AuditRequest { terms: request.terms.clone(), required: vec![], format };
    let mut table = Vec::new();
    let outcome = audit::run(&transcript, &audited(AuditFormat::Table), catalogue, &mut table)?;
    told.extend_from_slice(b"\nThe records, audited against the root keys:\n\n");
    told.extend_from_slice(&table);
    out.write_all(&told)?;
    if let Some(folder) = &request.write {
        let mut findings = Vec::new();
        audit::run(&transcript, &audited(AuditFormat::Json), catalogue, &mut findings)?;
        page::run(folder, &mut io::sink())?;
        for (name, bytes) in
            [("round.txt", &told), ("transcript.jsonl", &transcript), ("findings.json", &findings)]
        {
            let path = folder.join(name);
            fs::write(&path, bytes).map_err(|error| {
                CommandError::CannotCreate(format!("{}: {error}", path.display()))
            })?;
        }
        let folder = folder.display();
        writeln!(
            out,
            "\nwrote round.txt, transcript.jsonl, findings.json and the page to {folder}"
        )?;
        writeln!(out, "  from disk: open {folder}/verifier.html and drop transcript.jsonl on it")?;
        writeln!(out, "  served:    index.html#{}&file=transcript.jsonl", trust(&request.terms))?;
    }
    Ok(outcome)
}

/// Returns the trust of the terms in the form of a link to the verifier page. It has all
/// root keys, how many of them must sign, witnesses and chains of public randomness.
fn trust(terms: &AuditTerms) -> String {
    let roots = terms.root.keys.iter().map(|key| format!("root={key}"));
    let threshold = std::iter::once(format!("threshold={}", terms.root.threshold));
    let witnesses = terms.witnesses.iter().map(|key| format!("witness={key}"));
    let beacons = terms.beacons.iter().map(|chain| format!("beacon={chain}"));
    let parts: Vec<String> = roots.chain(threshold).chain(witnesses).chain(beacons).collect();
    parts.join("&")
}

/// Returns the id of the one round at a place.
fn find(
    tenant: Option<&str>,
    table: &str,
    number: u64,
    paths: &[PathBuf],
) -> Result<Hash, CommandError> {
    let mut found: Vec<(Hash, String)> = Vec::new();
    each_file(paths, &mut |event| {
        let SinkFileEvent::Line { bytes, whole: true } = event else { return };
        let Ok(line) = EvidenceLine::parse(bytes) else { return };
        let LineBody::Record(entry) = line.body else { return };
        let tickets = entry.records.iter().filter(|record| record.kind() == RecordKind::Ticket);
        for ticket in tickets.filter_map(|record| Ticket::parse(record.json().ok()?).ok()) {
            let place = &ticket.coordinates;
            let is_there = place.table.as_str() == table && place.round_no == number;
            if is_there && tenant.is_none_or(|tenant| place.tenant.as_str() == tenant) {
                found.push((ticket.round_id, place.tenant.to_string()));
            }
        }
    })?;
    found.sort();
    found.dedup();
    match &found[..] {
        [(round_id, _)] => Ok(*round_id),
        [] => Err(CommandError::Data(format!(
            "no round {number} at table {table} in these files: name the table as its tickets do"
        ))),
        several => {
            let ids: Vec<String> =
                several.iter().map(|(id, tenant)| format!("{id} of {tenant}")).collect();
            let ids = ids.join("\n  ");
            Err(CommandError::Data(format!(
                "several rounds {number} at table {table}: name one with --round or --tenant\n  {ids}"
            )))
        }
    }
}

fn tell_all(ways: &RoundWays, catalogue: &Catalogue, out: &mut Vec<u8>) -> io::Result<()> {
    let ways = &ways.ways;
    for (number, way) in (1..).zip(ways) {
        if ways.len() > 1 {
            writeln!(out, "Answer {number} of {}: these contradict each other.", ways.len())?;
        }
        ToldRound::of(way, catalogue).tell(out)?;
    }
    Ok(())
}

/// The records of one answer of a round that the description uses.
struct ToldRound<'c> {
    catalogue: &'c Catalogue,
    ruleset: Option<&'c Ruleset>,
    ticket: Value,
    lock: Value,
    deal: Value,
    close: Value,
    exponent: i32,
}

impl<'c> ToldRound<'c> {
    fn of(way: &[RecordEnvelope], catalogue: &'c Catalogue) -> Self {
        let last = |kind: RecordKind, is_it: fn(&Value) -> bool| {
            let records = way.iter().filter(|record| record.kind() == kind);
            let mut values =
                records.filter_map(|record| serde_json::from_slice(record.payload()).ok());
            values.find(is_it).unwrap_or(Value::Null)
        };
        let ticket = last(RecordKind::Ticket, |_| true);
        let lock = last(RecordKind::Lock, |lock| lock["step"] == "wagers");
        let exponent = lock["currency"]["exponent"].as_i64();
        let game = text(&ticket["ruleset"]).parse().ok().and_then(|hash| catalogue.game(&hash));
        Self {
            catalogue,
            ruleset: game.map(|game| &game.ruleset),
            deal: last(RecordKind::Deal, |_| true),
            close: last(RecordKind::Settle, |_| true),
            exponent: exponent.and_then(|exponent| i32::try_from(exponent).ok()).unwrap_or(0),
            ticket,
            lock,
        }
    }

    fn tell(&self, out: &mut Vec<u8>) -> io::Result<()> {
        let Self { ticket, lock, deal, close, .. } = self;
        let title = self.ruleset.map_or("a ruleset that is not among those loaded", Ruleset::title);
        let (number, table, tenant) =
            (text(&ticket["round_no"]), text(&ticket["table"]), text(&ticket["tenant"]));
        writeln!(out, "Round {number} at table {table} of {tenant}")?;
        writeln!(out, "  game     {title}")?;
        writeln!(out, "  id       {}", text(&ticket["round_id"]))?;
        if let Some(code) = lock["currency"]["code"].as_str() {
            writeln!(out, "  amounts  in {code}")?;
        }
        let dice = numbers(&deal["dice"]);
        if !dice.is_empty() {
            let dice: Vec<String> = dice.iter().map(ToString::to_string).collect();
            writeln!(out, "  dice     {}", dice.join(" "))?;
        }
        match close["disposition"].as_str() {
            Some("settled") => writeln!(out, "  result   settled")?,
            Some(_) => writeln!(
                out,
                "  result   void ({}): the round does not count, and wagers are handed back",
                text(&close["reason"])
            )?,
            None => writeln!(out, "  result   none yet: the round is open")?,
        }
        let results = &close["results"];
        if results["bank"].is_object() {
            writeln!(out, "\nThe dealer")?;
            writeln!(out, "  dealt    {}", cards(&close["dealer"]))?;
            self.tell_setting(&results["bank"], out)?;
        }
        for seat in self.seats() {
            writeln!(out, "\nSeat {seat}")?;
            let dealt = &deal["visible"][&seat];
            if dealt.is_array() {
                writeln!(out, "  dealt    {}", cards(dealt))?;
            }
            self.tell_seat(&seat, &results["seats"][&seat], out)?;
        }
        if results.is_object() {
            let amount = |name: &str| self.money(&results[name]);
            let bank = self.net(&results["bank"]["net"]);
            let house = self.net(&results["house_net"]);
            writeln!(
                out,
                "\nThe bank has {bank}; the house has {house}, with {} of fees and {} of commission.",
                amount("fees"),
                amount("commission")
            )?;
        }
        Ok(())
    }

    /// Returns the seats with a wager or a hand.
    fn seats(&self) -> Vec<String> {
        let keys = |value: &Value| {
            value.as_object().map(|all| all.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
        };
        let mut seats = [keys(&self.lock["seats"]), keys(&self.close["results"]["seats"])].concat();
        seats.sort();
        seats.dedup();
        seats
    }

    fn tell_seat(&self, seat: &str, result: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        if !result.is_object() {
            for wager in self.lock["seats"][seat]["wagers"].as_array().into_iter().flatten() {
                let (bet, stake) = (self.bet(&wager["bet"]), self.money(&wager["amount"]));
                writeln!(out, "  wagered  {stake} on {bet}")?;
            }
            if let Some(back) = self.close["returns"].get(seat) {
                writeln!(out, "  back     {}", self.money(back))?;
            }
            return Ok(());
        }
        if result["high"].is_array() {
            self.tell_setting(result, out)?;
            let how = |result: &Value| match result.as_str() {
                Some("win") => "wins",
                Some("lose") => "loses",
                Some("copy") => "is the same as the dealer's, which loses",
                _ => "is not compared",
            };
            let foul = if result["foul"] == true {
                "foul: the low hand beats the high hand; "
            } else {
                ""
            };
            let (high, low) = (how(&result["high_result"]), how(&result["low_result"]));
            let outcome = text(&result["outcome"]);
            writeln!(out, "  compared {foul}the high hand {high}, the low hand {low}: {outcome}")?;
        }
        for line in result["lines"].as_array().into_iter().flatten() {
            self.tell_line(line, out)?;
        }
        let fee = &self.deal["fees"][seat];
        let fee = if fee.is_string() {
            format!(" after a fee of {}", self.money(fee))
        } else {
            String::new()
        };
        writeln!(out, "  net      {}{fee}", self.net(&result["net"]))
    }

    fn tell_setting(&self, shown: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        for name in ["low", "high"] {
            let category = text(&shown[format!("{name}_category")]);
            writeln!(out, "  {name:<8} {} ({category})", cards(&shown[name]))?;
        }
        let Some(way) = shown["house_way"].as_str() else {
            return writeln!(out, "  set      by the player");
        };
        let clause = text(&shown["clause"]);
        let way = way.parse().ok().and_then(|hash| self.catalogue.house_way(&hash));
        let clauses = way.into_iter().flat_map(|way| way.clauses());
        let sentence = clauses.into_iter().find(|one| one.id == clause).map(|one| &one.text);
        let sentence = sentence.map_or_else(String::new, |sentence| format!(": \"{sentence}\""));
        writeln!(out, "  set      by the house way, {clause}{sentence}")
    }

    fn tell_line(&self, line: &Value, out: &mut Vec<u8>) -> io::Result<()> {
        let mut said = text(&line["status"]).to_owned();
        if let (Some(num), Some(den)) = (line["pays"]["num"].as_i64(), line["pays"]["den"].as_i64())
        {
            said += &format!(" at {num} to {den}");
        }
        if let Some(row) = line["row"].as_str() {
            said += &format!(" by \"{}\"", self.row(&line["bet"], row));
        }
        if let Some(other) = line["caused_by_seat"].as_u64() {
            said += &format!(", by the hand of seat {other}");
        }
        if line["commission"] != "0" {
            said += &format!(", less {} of commission", self.money(&line["commission"]));
        }
        if line["uncovered"].is_string() {
            said += &format!(", {} not covered by the bank", self.money(&line["uncovered"]));
        }
        let (stake, back) = (self.money(&line["stake"]), self.money(&line["return"]));
        writeln!(out, "  {:<8} {stake}: {said}; {back} comes back", self.bet(&line["bet"]))
    }

    /// Returns the name of a bet on the layout.
    fn bet(&self, id: &Value) -> String {
        let id = text(id);
        let known = BetId::from_name(id);
        let bonus = known.and_then(|bet| self.ruleset?.bonus_bet(bet));
        bonus.map_or_else(|| id.replace('_', " "), |bonus| bonus.title.clone())
    }

    /// Returns a row of a pay table as the layout prints it.
    fn row(&self, bet: &Value, row: &str) -> String {
        let bet = BetId::from_name(text(bet));
        let bonus = bet.and_then(|bet| self.ruleset?.bonus_bet(bet));
        let found = bonus.and_then(|bonus| bonus.rows.iter().find(|one| one.id == row));
        found.map_or_else(|| row.to_owned(), |row| row.title.clone())
    }

    fn money(&self, amount: &Value) -> String {
        money(minor(amount), self.exponent)
    }

    fn net(&self, amount: &Value) -> String {
        net(minor(amount), self.exponent)
    }
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns an amount of a record, in minor units.
fn minor(value: &Value) -> i64 {
    text(value).parse().unwrap_or_default()
}

fn numbers(value: &Value) -> Vec<u8> {
    let numbers = value.as_array().into_iter().flatten();
    numbers.filter_map(|number| u8::try_from(number.as_u64()?).ok()).collect()
}

fn cards(value: &Value) -> String {
    codes(&numbers(value).into_iter().filter_map(Card::from_number).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use paigow_fairness::manifest::Root;
    use paigow_fairness::signature::PublicKey;

    use super::*;

    #[test]
    fn a_served_page_trusts_what_the_audit_trusts() {
        // The public keys of RFC 8032, tests 1 to 3.
        let keys = [
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        ];
        let [first, second, witness] = keys.map(|key| PublicKey::from_hex(key).unwrap());
        let chain = "11".repeat(32);
        let mut terms = AuditTerms::of(Root { keys: vec![first, second], threshold: 2 });
        terms.witnesses.insert(witness);
        terms.beacons.insert(chain.parse().unwrap());
        let [first, second, witness] = keys;
        assert_eq!(
            trust(&terms),
            format!("root={first}&root={second}&threshold=2&witness={witness}&beacon={chain}")
        );
    }
}
