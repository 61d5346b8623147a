//! `paigow-lab every-row`: rounds that pay each row of each pay table, found and played.
//!
//! No card is forced. The decks of a development epoch follow from its secret, so the first rounds of
//! many tables can be dealt offline until every row was paid. These rounds are then played on a real
//! server, by the calls that every caller uses. The command takes a development keyring and no
//! other: no production server serves any of its epochs.

mod search;
mod sheet;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use serde_json::{Value, json};

use self::search::{PaidPlace, RoundSearch, RowPlace, SearchResult, TablePlaces};
use crate::play::own_audit::{self, OwnAudit};
use crate::play::table::{PlayTable, PlayedRound};
use crate::play::{Credentials, PlayOutput, PlayRequest, TranscriptWriter};
use crate::{CommandError, CommandOutcome, counted};
use paigow_fairness::encoding::Identifier;
use paigow_files::keys::DevKeyring;
use paigow_proto::v1 as pb;
use paigow_round::{Catalogue, ListedGame};
use paigow_rules::game::{BetSubject, BonusBet, PayRow};

/// The request of `paigow-lab every-row`.
#[derive(Clone, Debug)]
pub struct EveryRowRequest {
    /// The development keyring of the server.
    pub keyring: PathBuf,
    /// The tenant that the server takes the caller for.
    pub tenant: Identifier,
    /// The beginning of the names of the tables, each of which has one round.
    pub tables: Identifier,
    /// How many rounds are dealt offline at most.
    pub limit: u64,
    /// How many threads search. The result does not depend on it.
    pub threads: usize,
    /// The address of the server; the rounds are only found without one.
    pub server: Option<String>,
    /// Where manifests and records are written, one a line.
    pub transcript: Option<PathBuf>,
    /// Whether the rows are written as JSON, one object a line.
    pub json: bool,
}

/// One row with the round that pays it.
struct PaidRow<'a> {
    bet: &'a BonusBet,
    row: &'a PayRow,
    paid: PaidPlace,
}

/// Finds rounds that pay each row of the ruleset, and plays them.
///
/// Every seat wagers on every bet, and the house way sets every hand. The result is one with findings
/// if a row was not found, if the server paid another row, or if an audit is a mismatch.
///
/// # Errors
///
/// If the folder is no development keyring or has no secret for its epoch; if the server cannot be
/// reached, refuses, or deals other rounds; if a file cannot be written.
pub fn run(
    game: &ListedGame,
    request: &EveryRowRequest,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let keyring = DevKeyring::open(&request.keyring).map_err(|faults| {
        let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
        CommandError::Usage(lines.join("\n"))
    })?;
    let missing = |what: &str| {
        let path = request.keyring.display();
        CommandError::Data(format!("{path}: epoch {}: {what}", keyring.epoch()))
    };
    let manifest = &keyring.loaded.manifests.newest().manifest;
    let salt = manifest.epoch(keyring.epoch()).and_then(|epoch| epoch.salt);
    let salt = salt.ok_or_else(|| missing("no salt"))?;
    let held = keyring.loaded.keys.epoch(keyring.epoch());
    let (secret, _) = held.ok_or_else(|| missing("no secret"))?;
    let sheet = sheet::full_sheet(&game.ruleset);
    let wagers = game.ruleset.check(&sheet).map_err(|faults| {
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        CommandError::Data(format!("{}: {}", game.ruleset.id(), faults.join("\n")))
    })?;
    let places = TablePlaces {
        epoch: keyring.epoch(),
        tenant: request.tenant.clone(),
        prefix: request.tables.to_string(),
    };
    if places.first_round(request.limit).is_none() {
        let name = format!("{}-{}", request.tables, request.limit);
        return Err(CommandError::Usage(format!("--tables: {name} is too long for a table")));
    }
    let search = RoundSearch {
        game,
        wagers: &wagers,
        places: &places,
        secret,
        salt: &salt,
        threads: request.threads,
    };
    let result = search.run(request.limit);
    let bets = game.ruleset.bonus_bets();
    let rows: Vec<PaidRow<'_>> = result
        .found
        .iter()
        .map(|(at, paid)| PaidRow {
            bet: &bets[at.bet],
            row: &bets[at.bet].rows[at.row],
            paid: *paid,
        })
        .collect();
    let Some(server) = &request.server else {
        write_found(game, request, &result, &rows, out)?;
        return Ok(outcome(result.missing.is_empty()));
    };
    let play = PlayRequest {
        server: server.clone(),
        credentials: Credentials::default(),
        rounds: 0,
        ruleset: Some(game.hash.to_string()),
        table: request.tables.to_string(),
        first_round: 1,
        seed_of_choices: 0,
        ledger: None,
        transcript: request.transcript.clone(),
        output: PlayOutput::SummaryOnly,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let played = runtime.block_on(play_rows(&play, &places, &sheet::message(&sheet), &rows))?;
    write_played(game, request, &result, &rows, &played, out)
}

const fn outcome(is_well: bool) -> CommandOutcome {
    if is_well { CommandOutcome::Well } else { CommandOutcome::WithFindings }
}

/// The rounds as the server answered them.
struct PlayedRows {
    engine: pb::GetEngineResponse,
    manifests: Vec<pb::Record>,
    /// By the numbers of their tables.
    rounds: BTreeMap<u64, PlayedRound>,
}

/// Plays each round that pays a row, and writes the transcript.
async fn play_rows(
    play: &PlayRequest,
    places: &TablePlaces,
    sheet: &pb::WagerSheet,
    rows: &[PaidRow<'_>],
) -> Result<PlayedRows, CommandError> {
    let mut table = PlayTable::open(play).await?;
    let mut transcript = play.transcript.as_ref().map(TranscriptWriter::create).transpose()?;
    if let Some(transcript) = &mut transcript {
        transcript.write(&table.manifests)?;
    }
    let mut rounds = BTreeMap::new();
    for number in rows.iter().map(|row| row.paid.table).collect::<BTreeSet<u64>>() {
        let place = places.first_round(number);
        let place = place.ok_or_else(|| CommandError::Usage("no name of a table".to_owned()))?;
        let by_house_way = |deal: &pb::DealResponse| deal.hands.iter().map(house_way).collect();
        table.move_to(place.table.to_string());
        let played = table.play_sheet(1, sheet.clone(), by_house_way).await?;
        let expected = place.round_id();
        if played.deal.round_id != expected.to_string() {
            let what = format!(
                "table {}: the server's round id is {}, that of tenant {} is {expected}",
                place.table, played.deal.round_id, place.tenant
            );
            return Err(CommandError::Data(what));
        }
        if let Some(transcript) = &mut transcript {
            transcript.write(&played.deal.records)?;
            transcript.write(&played.settle.records)?;
        }
        rounds.insert(number, played);
    }
    if let Some(transcript) = &mut transcript {
        transcript.finish()?;
    }
    Ok(PlayedRows { engine: table.engine, manifests: table.manifests, rounds })
}

fn house_way(hand: &pb::DealtHand) -> pb::Decision {
    let setting = Some(pb::decision::Setting::HouseWay(true));
    pb::Decision { seat: hand.seat, setting, double_down: false }
}

/// Writes the rounds that were found.
fn write_found(
    game: &ListedGame,
    request: &EveryRowRequest,
    result: &SearchResult,
    rows: &[PaidRow<'_>],
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    if request.json {
        for row in rows {
            writeln!(out, "{}", row.found(game))?;
        }
        return write_missing(game, result, true, out);
    }
    write_head(game, request, result, out)?;
    for row in rows {
        let (bet, id) = (row.bet.id.name(), &row.row.id);
        let PaidPlace { table, seat } = row.paid;
        writeln!(out, "  {bet:<20} {id:<44} table {table}, seat {}", seat.number())?;
    }
    write_missing(game, result, false, out)
}

fn write_head(
    game: &ListedGame,
    request: &EveryRowRequest,
    result: &SearchResult,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let rows = result.found.len() + result.missing.len();
    let bets = game.ruleset.bonus_bets().len();
    let (rows, bets) = (counted(rows, "row"), counted(bets, "bonus bet"));
    let (id, tables) = (game.ruleset.id(), &request.tables);
    writeln!(out, "{id}: {rows} of {bets}")?;
    let dealt = counted(result.searched, "round");
    writeln!(
        out,
        "{dealt} dealt offline, the first of the tables {tables}-1, {tables}-2 and so on\n"
    )?;
    Ok(())
}

fn write_missing(
    game: &ListedGame,
    result: &SearchResult,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    for RowPlace { bet, row } in &result.missing {
        let bet = &game.ruleset.bonus_bets()[*bet];
        let (bet, row) = (bet.id.name(), &bet.rows[*row].id);
        if json {
            let missing =
                json!({ "ruleset": game.ruleset.id(), "bet": bet, "row": row, "missing": true });
            writeln!(out, "{missing}")?;
        } else {
            writeln!(out, "  {bet:<20} {row:<44} NOT FOUND: raise --limit")?;
        }
    }
    Ok(())
}

/// Writes what the server paid, and the verdict of the audit.
fn write_played(
    game: &ListedGame,
    request: &EveryRowRequest,
    result: &SearchResult,
    rows: &[PaidRow<'_>],
    played: &PlayedRows,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut is_well = result.missing.is_empty();
    if !request.json {
        write_head(game, request, result, out)?;
    }
    for row in rows {
        let round = &played.rounds[&row.paid.table];
        let line = row.line(round);
        let is_paid = line.is_some_and(|line| line.row == row.row.id);
        is_well &= is_paid;
        if request.json {
            writeln!(out, "{}", row.paid(game, round))?;
            continue;
        }
        let PaidPlace { table, seat } = row.paid;
        let (bet, id) = (row.bet.id.name(), &row.row.id);
        let cards = row.cards(round).join(" ");
        writeln!(out, "  {bet:<20} {id}")?;
        write!(out, "    table {table}, seat {}, {cards}: ", seat.number())?;
        match line {
            Some(line) if is_paid => {
                let (stake, win) = (line.stake_minor, line.win_minor);
                writeln!(out, "stake {stake}, won {win}, back {}", line.return_minor)?;
            }
            Some(line) => writeln!(out, "PAID BY ROW {:?}", line.row)?,
            None => writeln!(out, "NO SUCH WAGER IN THE SETTLEMENT")?,
        }
    }
    write_missing(game, result, request.json, out)?;
    let catalogue = Catalogue::shipped();
    let terms = own_audit::terms(&played.engine)?;
    let mut audit = OwnAudit::of(&played.manifests, &terms, &catalogue)?;
    played.rounds.values().for_each(|round| audit.add(round));
    if !request.json {
        audit.write(out)?;
    }
    Ok(outcome(is_well && matches!(audit.outcome(), CommandOutcome::Well)))
}

impl PaidRow<'_> {
    fn found(&self, game: &ListedGame) -> Value {
        json!({
            "ruleset": game.ruleset.id(),
            "bet": self.bet.id.name(),
            "row": self.row.id,
            "pays": self.row.pays.to_string(),
            "table": self.paid.table,
            "seat": self.paid.seat.number(),
        })
    }

    /// The line of the wager in a settlement.
    fn line<'r>(&self, round: &'r PlayedRound) -> Option<&'r pb::Line> {
        let number = i32::from(self.paid.seat.number());
        let seat = round.settle.seats.iter().find(|seat| seat.seat == number)?;
        seat.lines.iter().find(|line| line.bet == self.bet.id.name())
    }

    /// The cards that the bet looks at, as the server shows them.
    fn cards<'r>(&self, round: &'r PlayedRound) -> &'r [String] {
        let number = i32::from(self.paid.seat.number());
        let dealt = round.deal.hands.iter().find(|hand| hand.seat == number);
        match self.bet.looks_at {
            BetSubject::DealerHand => {
                round.settle.bank.as_ref().map_or(&[], |bank| bank.cards.as_slice())
            }
            BetSubject::FirstThree => dealt.and_then(|hand| hand.cards.get(..3)).unwrap_or(&[]),
            BetSubject::SeatHand | BetSubject::SeatSetHands | BetSubject::Showdown => {
                dealt.map_or(&[], |hand| hand.cards.as_slice())
            }
        }
    }

    fn paid(&self, game: &ListedGame, round: &PlayedRound) -> Value {
        let mut told = self.found(game);
        told["round_id"] = json!(round.deal.round_id);
        told["cards"] = json!(self.cards(round));
        if let Some(line) = self.line(round) {
            told["paid_row"] = json!(line.row);
            told["status"] = json!(line.status().as_str_name());
            told["stake_minor"] = json!(line.stake_minor);
            told["win_minor"] = json!(line.win_minor);
            told["return_minor"] = json!(line.return_minor);
        }
        let number = i32::from(self.paid.seat.number());
        let others = self.bet.to_others.as_ref().map(|terms| {
            let of_seat = |seat: &pb::SeatResult| {
                let caused = |line: &&pb::Line| {
                    line.bet == terms.bet.name() && line.caused_by_seat == Some(number)
                };
                seat.lines
                    .iter()
                    .find(caused)
                    .map(|line| json!({ "seat": seat.seat, "win_minor": line.win_minor }))
            };
            round.settle.seats.iter().filter_map(of_seat).collect::<Vec<Value>>()
        });
        told["others"] = json!(others.unwrap_or_default());
        told
    }
}
