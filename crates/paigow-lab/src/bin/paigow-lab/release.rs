//! `paigow-lab release`: its arguments, and the functions that they call.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use paigow_lab::release::{self, What};
use paigow_lab::{CommandError, CommandOutcome};

use paigow_files::command::RootArguments;

#[derive(Subcommand)]
pub(crate) enum ReleaseCommand {
    /// Makes the record of a release, without signatures, and shows it.
    ///
    /// It lists binaries and how each was built, the critical hash with its inputs,
    /// rulesets, house ways, settings, the page for players and the digest of the known answers.
    /// Version, commit, page and answers are those of this program, which has to be of the same build.
    Make(MakeArguments),
    /// Shows a record without verifying it.
    Show {
        /// The file with the record.
        record: PathBuf,
    },
    /// Verifies the signatures of a record, and compares the given files with it.
    ///
    /// Exit code 1: something differs. The output lists every difference.
    Verify(VerifyArguments),
    /// Prints the critical hash of a source tree, after the hash of each of its parts.
    ///
    /// docs/certify/critical-hash.md defines the critical hash.
    Hash {
        /// The source tree.
        #[arg(long, value_name = "DIR", default_value = ".")]
        tree: PathBuf,
    },
    /// Prints the inputs of the critical hash of a source tree.
    ///
    /// The SHA-256 of the output is the critical hash.
    Inputs {
        /// The source tree.
        #[arg(long, value_name = "DIR", default_value = ".")]
        tree: PathBuf,
        /// The folder of one finished release build, such as target/release; may be repeated.
        /// Every file that the build has read for a certified crate must be an input. Exit
        /// code 1 if one is not.
        #[arg(long, value_name = "DIR")]
        built: Vec<PathBuf>,
    },
    /// Lists the files of a record for `sha256sum -c`.
    ///
    /// The default list has the files among the inputs of the critical hash, by their path
    /// below the source tree.
    List {
        /// The file with the record.
        record: PathBuf,
        /// The inputs of the critical hash. The SHA-256 of this list is the critical hash.
        #[arg(long)]
        inputs: bool,
        /// Executables and shared objects, by name, and the page for players.
        #[arg(long, conflicts_with = "inputs")]
        binaries: bool,
    },
}

#[derive(clap::Args)]
pub(crate) struct MakeArguments {
    /// The source tree that the binaries were built from.
    #[arg(long, value_name = "DIR")]
    source: PathBuf,
    #[command(flatten)]
    files: FileArguments,
    /// The date to write in it, as 2026-12-01; the clock is not read.
    #[arg(long, value_name = "DATE")]
    created: Option<String>,
    /// The record of the previous release. The new record links to it, and the output lists the
    /// changes.
    #[arg(long, value_name = "FILE")]
    prev: Option<PathBuf>,
    /// The file to write the record to.
    #[arg(long = "out", value_name = "FILE")]
    record: PathBuf,
}

#[derive(clap::Args)]
pub(crate) struct VerifyArguments {
    /// The file with the record.
    record: PathBuf,
    #[command(flatten)]
    root: RootArguments,
    /// The page for players in one file: verifier.html.
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
    /// The source tree.
    #[arg(long, value_name = "DIR")]
    source: Option<PathBuf>,
    #[command(flatten)]
    files: FileArguments,
}

#[derive(clap::Args)]
pub(crate) struct FileArguments {
    /// An executable; may be repeated.
    #[arg(long = "binary", value_name = "FILE")]
    binaries: Vec<PathBuf>,
    /// A shared object that the executables load, where they are not static; may be
    /// repeated.
    #[arg(long = "library", value_name = "FILE")]
    libraries: Vec<PathBuf>,
    /// A file with settings of the server; may be repeated. The record has the settings in effect,
    /// with the defaults and the PAIGOW__ variables of the environment.
    #[arg(long = "config", value_name = "FILE")]
    configurations: Vec<PathBuf>,
    /// An operator's folder of rules, in addition to those compiled in.
    #[arg(long, value_name = "DIR")]
    rules: Option<PathBuf>,
}

/// Runs a command of releases.
pub(crate) fn run(
    command: ReleaseCommand,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    match command {
        ReleaseCommand::Make(make) => {
            let MakeArguments { source, files, created, prev, record } = make;
            let FileArguments { binaries, libraries, configurations, rules } = files;
            let make = release::Make {
                source,
                binaries,
                libraries,
                configurations,
                rules,
                created,
                prev,
                record,
            };
            release::make(&make, out)
        }
        ReleaseCommand::Show { record } => release::show(&record, out),
        ReleaseCommand::Verify(verify) => {
            let VerifyArguments { record, root, page, source, files } = verify;
            let root = root.root()?.ok_or_else(|| {
                CommandError::Usage(
                    "missing --root: give root public keys or a root.json".to_owned(),
                )
            })?;
            let FileArguments { binaries, libraries, configurations, rules } = files;
            let verify = release::Verify {
                record,
                root,
                binaries,
                libraries,
                page,
                source,
                configurations,
                rules,
            };
            release::verify(&verify, out)
        }
        ReleaseCommand::Hash { tree } => release::hash(&tree, out),
        ReleaseCommand::Inputs { tree, built } => {
            release::inputs(&tree, &built, out, &mut std::io::stderr().lock())
        }
        ReleaseCommand::List { record, inputs, binaries } => {
            let what = match (inputs, binaries) {
                (true, _) => What::Inputs,
                (false, true) => What::Binaries,
                (false, false) => What::Files,
            };
            release::list(&record, what, out)
        }
    }
}
