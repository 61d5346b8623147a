//! `paigow-lab`: the program of a test laboratory, an operator or a player. Arguments only; the
//! commands are in the library.

mod admin;
mod arguments;
mod audit;
mod monitor;
mod release;
mod rng;
mod sink;

use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use paigow_files::command::{ledger_key, run_program};
use paigow_files::system;
use paigow_lab as lab;
use paigow_lab::audit::{AuditFormat, AuditRequest};
use paigow_lab::base_game::BaseGameRequest;
use paigow_lab::best::{BestRequest, BestTask};
use paigow_lab::every_row::EveryRowRequest;
use paigow_lab::play::{Credentials, PlayOutput, PlayRequest};
use paigow_lab::replay_all::BulkAuditRequest;
use paigow_lab::ruin::RuinRequest;
use paigow_lab::shard::Shard;
use paigow_lab::simulate::SimulationRequest;
use paigow_lab::strategy::StrategyRequest;
use paigow_lab::{CommandError, CommandOutcome, par, rules};
use paigow_round::audit::AuditTerms;

use crate::arguments::{
    BestArguments, EveryRowArguments, GameArguments, LabArguments, LabCommand, MergeCommand,
    ParForm, PlayArguments, RuinArguments, SimulateArguments,
};

// Records are many small values, and an audit spends a seventh of its time in the allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    run_program("paigow-lab", |arguments: LabArguments, out| carry_out(arguments.command, out))
}

fn carry_out(command: LabCommand, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    // Locked only where it is read, because `audit -` reads it itself.
    let input = || BufReader::with_capacity(1 << 16, io::stdin().lock());
    match command {
        LabCommand::Set { house_way } => {
            lab::set::run(&lab::find_house_way(&house_way)?, &mut input(), out)
        }
        LabCommand::HouseWay { house_way, every_hand } => {
            lab::house_way::run(&house_way, every_hand, out)
        }
        LabCommand::Judge { game } => {
            let game = lab::find_game(&game.ruleset, &game.house_ways)?;
            lab::judge::run(&game, &mut input(), out)
        }
        LabCommand::Rules { game, markdown, json } => {
            let format = match (markdown, json) {
                (true, _) => rules::SheetFormat::Markdown,
                (false, true) => rules::SheetFormat::Json,
                (false, false) => rules::SheetFormat::Text,
            };
            let game = lab::find_game(&game.ruleset, &game.house_ways)?;
            rules::run(&game, format, out)
        }
        LabCommand::Par { ruleset, house_ways, count, form } => {
            let Some(ruleset) = ruleset else {
                out.write_all(par::SCHEMA.as_bytes())?;
                return Ok(CommandOutcome::Well);
            };
            let format = match form {
                ParForm { csv: Some(folder), .. } => par::ParFormat::Csv(folder),
                ParForm { xlsx: Some(file), .. } => par::ParFormat::Xlsx(file),
                ParForm { html: true, .. } => par::ParFormat::Html,
                ParForm { json: true, .. } => par::ParFormat::Json,
                ParForm { .. } => par::ParFormat::Markdown,
            };
            par::run(&par::find_games(&ruleset, &house_ways)?, &format, count, out)
        }
        LabCommand::BaseGame { game, player, dealer, threads, counts } => {
            let GameArguments { ruleset, house_ways } = game;
            let asked = BaseGameRequest { ruleset, house_ways, player, dealer, threads, counts };
            lab::base_game::run(&asked, out)
        }
        LabCommand::Best(arguments) => lab::best::run(&best(arguments)?, out),
        LabCommand::Strategy { game, threads } => {
            let GameArguments { ruleset, house_ways } = game;
            lab::strategy::run(&StrategyRequest { ruleset, house_ways, threads }, out)
        }
        LabCommand::Replay => lab::replay::run(&mut input(), out),
        LabCommand::Audit {
            file,
            trust,
            my_seat,
            proofs,
            log_copies,
            required,
            rulesets,
            house_ways,
            json,
        } => {
            let (proofs, log_copies) = (proofs.proofs()?, log_copies.copies()?);
            let terms = AuditTerms { my_seat, proofs, log_copies, ..trust.terms()? };
            let catalogue = lab::audit::catalogue(&rulesets, &house_ways)?;
            let format = if json { AuditFormat::Json } else { AuditFormat::Table };
            let request = AuditRequest { terms, required: required.claims, format };
            lab::audit::run(&lab::read_file(&file)?, &request, &catalogue, out)
        }
        LabCommand::Rng(command) => rng::run(command, out),
        LabCommand::ReplayAll(arguments) => {
            let proofs = arguments.proofs.proofs()?;
            let terms = AuditTerms { proofs, ..arguments.trust.terms()? };
            let catalogue = lab::audit::catalogue(&arguments.rulesets, &arguments.house_ways)?;
            let request = BulkAuditRequest {
                threads: arguments.threads.given(),
                files: arguments.files,
                json: arguments.json,
                failures: arguments.failures,
                terms,
                required: arguments.required.claims,
                voids: arguments.voids.then_some(arguments.voids_samples),
                beacon_rounds: lab::replay_all::read_beacon_rounds(
                    arguments.beacon_rounds.as_deref(),
                )?,
                parts: arguments.parts,
                rounds: arguments.rounds,
            };
            match (arguments.shard, arguments.part) {
                (Some(shard), Some(part)) => {
                    lab::replay_all::run_shard(&request, shard, &part, &catalogue, out)
                }
                (_, _) => lab::replay_all::run(&request, &catalogue, out),
            }
        }
        LabCommand::Simulate(arguments) => simulate(arguments, out),
        LabCommand::Ruin(arguments) => ruin(arguments, out),
        LabCommand::Release(command) => release::run(command, out),
        LabCommand::Page { folder } => lab::page::run(&folder, out),
        LabCommand::Play(arguments) => lab::play::run(&play(arguments)?, out),
        LabCommand::EveryRow(arguments) => {
            let game = lab::find_game(&arguments.game.ruleset, &arguments.game.house_ways)?;
            lab::every_row::run(&game, &every_row(arguments), out)
        }
        LabCommand::Sink(command) => sink::run(command, out),
        LabCommand::Monitor(arguments) => monitor::run(arguments, out),
        LabCommand::Admin(arguments) => admin::run(arguments, out),
    }
}

fn best(arguments: BestArguments) -> Result<BestRequest, CommandError> {
    let BestArguments { game, dealer, threads, write, hand, dealer_hand, sample, seed, counts } =
        arguments;
    let task = match (write, hand, sample) {
        (Some(folder), ..) => BestTask::Write(folder),
        (None, Some(cards), _) => BestTask::Hand { cards, dealer: dealer_hand },
        (None, None, Some(hands)) => {
            BestTask::Sample { hands, seed: master_seed(seed)?, folder: counts }
        }
        (None, None, None) => BestTask::Count,
    };
    let GameArguments { ruleset, house_ways } = game;
    Ok(BestRequest { ruleset, house_ways, dealer, threads, task })
}

/// Reads a master seed, or draws one.
fn master_seed(text: Option<String>) -> Result<[u8; 32], CommandError> {
    let mut seed = [0; 32];
    match text {
        Some(text) => hex::decode_to_slice(&text, &mut seed)
            .map_err(|error| CommandError::Usage(format!("--seed {text}: {error}")))?,
        None => system::entropy(&mut seed)?,
    }
    Ok(seed)
}

fn simulate(
    arguments: SimulateArguments,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    if let Some(MergeCommand::Merge { files, json }) = arguments.merge {
        return lab::simulate::merge(&files, json, out);
    }
    let ruleset = arguments.ruleset.unwrap_or_default();
    let game = lab::find_game(&ruleset, &arguments.house_ways)?;
    let seed = master_seed(arguments.seed)?;
    let request = SimulationRequest {
        rounds: arguments.rounds,
        seats: arguments.seats,
        double_down: arguments.double_down,
        two_hands: arguments.two_hands,
        seed,
        shard: arguments.shard.unwrap_or(Shard::WHOLE),
        threads: arguments.threads.given(),
        json: arguments.json,
    };
    lab::simulate::run(&game, &request, out)
}

fn ruin(arguments: RuinArguments, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let game = lab::find_game(&arguments.game.ruleset, &arguments.game.house_ways)?;
    let request = RuinRequest {
        of: arguments.of,
        bankroll_minor: arguments.bankroll,
        wagers: arguments.wagers,
        seats: arguments.seats,
        sessions: arguments.sessions,
        rounds: arguments.rounds,
        seed: master_seed(arguments.seed)?,
        threads: arguments.threads.given(),
        json: arguments.json,
    };
    lab::ruin::run(&game, &request, out)
}

fn every_row(arguments: EveryRowArguments) -> EveryRowRequest {
    EveryRowRequest {
        keyring: arguments.keyring,
        tenant: arguments.tenant,
        tables: arguments.tables,
        limit: arguments.limit,
        threads: arguments.threads.given().unwrap_or_else(system::processors),
        server: arguments.server,
        transcript: arguments.transcript,
        json: arguments.json,
    }
}

fn play(arguments: PlayArguments) -> Result<PlayRequest, CommandError> {
    Ok(PlayRequest {
        server: arguments.server,
        credentials: Credentials {
            ca: arguments.ca,
            certificate: arguments.certificate,
            key: arguments.key,
            token_file: arguments.token_file,
        },
        rounds: arguments.rounds,
        ruleset: arguments.ruleset,
        table: match arguments.table {
            Some(table) => table,
            None => system::new_table()?,
        },
        first_round: arguments.first_round,
        seed_of_choices: arguments.seed_of_choices,
        ledger: arguments.ledger_key.as_deref().map(ledger_key).transpose()?,
        transcript: arguments.transcript,
        output: match (arguments.json, arguments.quiet) {
            (true, _) => PlayOutput::Json,
            (false, true) => PlayOutput::SummaryOnly,
            (false, false) => PlayOutput::Detailed,
        },
    })
}
