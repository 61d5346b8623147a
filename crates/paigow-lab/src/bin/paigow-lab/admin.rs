//! `paigow-lab admin`: its arguments, and the functions that they call.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use paigow_files::command::ledger_key;
use paigow_lab::admin::{self, AdminRequest, AdminTask, VoidOrder};
use paigow_lab::play::Credentials;
use paigow_lab::{CommandError, CommandOutcome};

/// The reasons of a void that an operator may have.
const REASONS: [&str; 6] =
    ["operator", "equipment", "player_left", "client_seed", "epoch_revoked", "misdeal"];

#[derive(clap::Args)]
pub(crate) struct AdminArguments {
    /// The address of a replica. Repeatable: name every replica. A name with several addresses, as
    /// of a headless service, is several replicas.
    #[arg(
        long = "server",
        value_name = "URL",
        global = true,
        default_value = "http://127.0.0.1:50051"
    )]
    servers: Vec<String>,
    /// The CA certificate of the servers (PEM), for https.
    #[arg(long, value_name = "FILE", global = true)]
    ca: Option<PathBuf>,
    /// The client certificate (PEM).
    #[arg(long, value_name = "FILE", global = true)]
    certificate: Option<PathBuf>,
    /// The private key of the client certificate (PEM).
    #[arg(long, value_name = "FILE", global = true)]
    key: Option<PathBuf>,
    /// A file with the bearer token.
    #[arg(long, value_name = "FILE", global = true)]
    token_file: Option<PathBuf>,
    /// Writes JSON instead of text, one object a line.
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    task: AdminCommand,
}

#[derive(Subcommand)]
enum AdminCommand {
    /// Shows of each replica: whether new rounds begin, manifest, keys, evidence, last verification,
    /// switches, and the settings that are not the defaults.
    ///
    /// Exit code 1: a replica begins no new rounds, its evidence fails, a loss of evidence waits for
    /// an acknowledgement, or it cannot be reached.
    Status,
    /// Has each replica verify itself against its signed release record.
    ///
    /// Exit code 1: a check fails, or a replica cannot be reached. Such a replica begins no new rounds
    /// until a verification passes.
    Verify,
    /// Shows the switches that hold for the tenant, of each replica.
    ///
    /// This command changes none: set them in the access file, which every replica reads. A switch
    /// that is set over the network would hold on one replica, until its restart. Exit code 1: the
    /// replicas differ, or one cannot be reached.
    Switches,
    /// Lists the tickets of the tenant that no replica has closed.
    ///
    /// The replicas read their evidence files, so `evidence.target` has to be `file`. Name every
    /// replica: a ticket may be closed at any of them. Exit code 1: a ticket is open. 69: a replica
    /// does not answer.
    OpenTickets {
        /// Lists only tickets that are at least so old, in seconds. A younger one may be in play.
        #[arg(long, value_name = "SECONDS", default_value_t = 0)]
        minimum_age: u32,
    },
    /// Voids a round that was left open, and writes its transcript for the platform's ledger.
    ///
    /// A void follows the latest record of its round: after a deal it is over the deal, never over
    /// the ticket alone. The command refuses a round if a replica has closed it, if the ticket or the
    /// deal is missing, or if evidence was taken away since the ticket was opened.
    ///
    /// Do not void a round of which your ledger has signed a lock that no replica lists: settle it
    /// from the platform's own store, or give the records with --records.
    Void {
        /// The id of the round, as `open-tickets` shows it.
        #[arg(long, value_name = "ID")]
        round: String,
        /// The reason that the record states.
        #[arg(long, value_name = "REASON", default_value = "operator",
            value_parser = PossibleValuesParser::new(REASONS))]
        reason: String,
        /// Refuses a ticket that is younger, in seconds: it may be in play.
        #[arg(long, value_name = "SECONDS", default_value_t = 600)]
        minimum_age: u32,
        /// The ledger key file of the tenant. Required if the policy requires locks.
        #[arg(long, value_name = "FILE")]
        ledger_key: Option<PathBuf>,
        /// The records of the round, one a line: the ticket, and lock and deal as far as they exist.
        /// Default: as the replicas have them.
        #[arg(long, value_name = "FILE")]
        records: Option<PathBuf>,
        /// Writes the manifests and all records of the round to this file.
        #[arg(long, value_name = "FILE")]
        transcript: PathBuf,
    },
    /// Shows the calls of the tenant that each replica refused lately: method, status, reason, field,
    /// client and address. No request is kept.
    Refusals {
        /// How many past ones of each replica, 0 to 1000.
        #[arg(long, value_name = "N", default_value_t = 100,
            value_parser = clap::value_parser!(u16).range(..=1000))]
        past: u16,
        /// Waits for those that follow, until the replicas stop or their limit for streams
        /// (`server.audit_stream_timeout_ms`) is over.
        #[arg(long)]
        follow: bool,
    },
}

/// Carries out a command.
pub(crate) fn run(
    arguments: AdminArguments,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let AdminArguments { servers, ca, certificate, key, token_file, json, task } = arguments;
    let task = match task {
        AdminCommand::Status => AdminTask::Status,
        AdminCommand::Verify => AdminTask::Verify,
        AdminCommand::Switches => AdminTask::Switches,
        AdminCommand::OpenTickets { minimum_age } => AdminTask::OpenTickets { minimum_age },
        AdminCommand::Void { round, reason, minimum_age, ledger_key: key, records, transcript } => {
            let ledger = key.as_deref().map(ledger_key).transpose()?;
            let order = VoidOrder { round, reason, minimum_age, ledger, records, transcript };
            AdminTask::Void(Box::new(order))
        }
        AdminCommand::Refusals { past, follow } => AdminTask::Refusals { past, follow },
    };
    let credentials = Credentials { ca, certificate, key, token_file };
    admin::run(&AdminRequest { servers, credentials, json, task }, out)
}
