//! `paigow-lab play`: plays rounds against a server, as a table's software would.

pub(crate) mod caller;
mod choices;
pub(crate) mod ledger;
pub(crate) mod own_audit;
pub(crate) mod show;
mod summary;
pub(crate) mod table;

pub use caller::Credentials;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};

use self::own_audit::OwnAudit;
use self::summary::PlaySummary;
use self::table::{PlayTable, PlayedRound};
use super::{CommandError, CommandOutcome};
use paigow_engine::SecretKey;
use paigow_proto::v1 as pb;
use paigow_round::Catalogue;
use paigow_wire::proto_json::to_json;

/// The most rounds that are shown card by card. More rounds get a progress bar.
const SHOWN_ROUNDS: u64 = 20;

/// The request of `paigow-lab play`.
#[derive(Clone, Debug)]
pub struct PlayRequest {
    /// The address of the server, as `http://127.0.0.1:50051`.
    pub server: String,
    /// The credentials for a server that authenticates callers.
    pub credentials: Credentials,
    /// The number of rounds.
    pub rounds: u64,
    /// The ruleset, by id; the server's first if absent.
    pub ruleset: Option<String>,
    /// The name of the table.
    pub table: String,
    /// The number of the first round at that table, from 1.
    pub first_round: u64,
    /// The seed that wagers and decisions follow from, with the number of the round.
    pub seed_of_choices: u64,
    /// The key of the tenant's ledger, if its policy demands locks.
    pub ledger: Option<SecretKey>,
    /// The file for manifests and records, one a line.
    pub transcript: Option<PathBuf>,
    /// The output of the command.
    pub output: PlayOutput,
}

/// The output of the command.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PlayOutput {
    /// Card by card for few rounds, and a summary.
    Detailed,
    /// The summary only.
    SummaryOnly,
    /// One JSON object a round, `{"deal":...,"settle":...}`. It has the answers of the server in
    /// canonical proto JSON.
    Json,
}

/// Plays rounds, and audits each of them with the root keys that the server names.
///
/// The last line is the verdict on all of them. The outcome has findings only if an audit is a
/// mismatch.
///
/// The same play on a server with the same keys has the same records. Wagers and decisions follow
/// from `seed_of_choices` and the number of the round. Cards and dice come from the server.
///
/// # Errors
///
/// If the server cannot be reached or refuses, or a file cannot be written.
pub fn run(play: &PlayRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(play_all(play, out))
}

async fn play_all(play: &PlayRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let mut table = PlayTable::open(play).await?;
    let mut transcript = play.transcript.as_ref().map(TranscriptWriter::create).transpose()?;
    if let Some(transcript) = &mut transcript {
        transcript.write(&table.manifests)?;
    }
    let shown = play.output == PlayOutput::Detailed && play.rounds <= SHOWN_ROUNDS;
    let progress = if shown || play.output == PlayOutput::Json {
        ProgressBar::hidden()
    } else {
        progress_bar(play.rounds)
    };
    let mut summary = PlaySummary::default();
    let catalogue = Catalogue::shipped();
    let terms = own_audit::terms(&table.engine)?;
    let mut audit = OwnAudit::of(&table.manifests, &terms, &catalogue)?;
    let start = Instant::now();
    for round_no in (play.first_round..).take(usize::try_from(play.rounds).unwrap_or(usize::MAX)) {
        let played = table.round(round_no).await?;
        summary.add(&played)?;
        audit.add(&played);
        if let Some(transcript) = &mut transcript {
            transcript.write(&played.deal.records)?;
            transcript.write(&played.settle.records)?;
        }
        match play.output {
            PlayOutput::Json => writeln!(out, "{}", json(&played))?,
            PlayOutput::Detailed if shown => {
                let clauses = table.clauses(&played).await?;
                show::round(&played, &clauses, &table.ruleset, out)?;
                out.flush()?;
            }
            PlayOutput::Detailed | PlayOutput::SummaryOnly => {}
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    if let Some(transcript) = &mut transcript {
        transcript.finish()?;
    }
    if play.output != PlayOutput::Json {
        summary.write(&table.ruleset, &play.table, start.elapsed(), out)?;
        if let Some(path) = &play.transcript {
            let roots: String =
                table.engine.root_keys.iter().map(|key| format!(" --root {key}")).collect();
            let path = path.display();
            let threshold = match table.engine.root_threshold {
                1 => String::new(),
                more => format!(" --threshold {more}"),
            };
            writeln!(out, "\nCheck it offline, with root keys that you trust; the server says:")?;
            writeln!(out, "  paigow-lab audit {path}{roots}{threshold}")?;
        }
        audit.write(out)?;
    }
    Ok(audit.outcome())
}

fn progress_bar(rounds: u64) -> ProgressBar {
    let template = "{wide_bar} {pos}/{len} rounds, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    ProgressBar::new(rounds).with_style(style)
}

fn json(played: &PlayedRound) -> serde_json::Value {
    serde_json::json!({
        "deal": to_json("DealResponse", &played.deal),
        "settle": to_json("SettleResponse", &played.settle),
    })
}

/// A file of records.
pub(crate) struct TranscriptWriter {
    path: PathBuf,
    out: BufWriter<File>,
}

impl TranscriptWriter {
    pub(crate) fn create(path: &PathBuf) -> Result<Self, CommandError> {
        match File::create(path) {
            Ok(file) => Ok(Self { path: path.clone(), out: BufWriter::new(file) }),
            Err(error) => Err(CommandError::CannotCreate(format!("{}: {error}", path.display()))),
        }
    }

    pub(crate) fn write(&mut self, records: &[pb::Record]) -> Result<(), CommandError> {
        for record in records {
            let mut line = record.envelope.clone();
            line.push(b'\n');
            self.out.write_all(&line).map_err(|error| self.failed(&error))?;
        }
        Ok(())
    }

    /// Writes what is still held.
    pub(crate) fn finish(&mut self) -> Result<(), CommandError> {
        self.out.flush().map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> CommandError {
        CommandError::CannotCreate(format!("{}: {error}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_progress_bar_can_be_drawn() {
        super::progress_bar(3).finish();
    }
}
