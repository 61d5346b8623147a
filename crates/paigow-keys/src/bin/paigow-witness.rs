//! `paigow-witness`: the witness's side of the ceremony. Arguments and exit codes; the command is
//! in the library.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use paigow_files::command::{CommandError, CommandOutcome, RootArguments, run_program};
use paigow_files::system;
use paigow_keys::{SaltRequest, SigningArguments, salt};

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  success
  64  an argument is wrong, or the epoch takes no salt of this key
  65  a file has invalid content, or the list refuses: a second announcement, a fork
  66  a file cannot be read
  69  the signer gives no signature
  73  the list cannot be written
  74  standard output or the system's random numbers failed";

/// Draws and signs the salts of announced epochs, each once.
///
/// The list remembers every salt that the key has signed, and every manifest that it has seen. The
/// same announcement gets the same salt again. Another announcement of that epoch under that root
/// gets none, and two manifests of one sequence number are refused as a fork. Keep the list as
/// carefully as the key: with a lost list an operator gets a second salt, and can choose.
///
/// Run it only after you have the manifest from where it is published. The program works offline
/// on files and links no network code.
#[derive(Parser)]
#[command(name = "paigow-witness", version, after_help = EXIT_CODES)]
struct WitnessArguments {
    /// The published manifests, `manifests.jsonl`, from manifest 1 on.
    #[arg(long, value_name = "FILE")]
    chain: PathBuf,
    #[command(flatten)]
    root: RootArguments,
    /// An epoch. Repeatable. Default: every epoch that waits for a salt of this key.
    #[arg(long = "epoch", value_name = "EPOCH")]
    epochs: Vec<u32>,
    #[command(flatten)]
    key: SigningArguments,
    /// The list of this key. It is created with the first salt.
    #[arg(long, value_name = "FILE")]
    list: PathBuf,
}

fn main() -> ExitCode {
    run_program("paigow-witness", |arguments: WitnessArguments, out| {
        let WitnessArguments { chain, root, epochs, key, list } = arguments;
        let Some(root) = root.root()? else {
            let what = "missing --root: give the root public keys that players trust";
            return Err(CommandError::Usage(what.to_owned()));
        };
        salt(&SaltRequest { chain, root, epochs, key, list }, &mut system::entropy, out)?;
        Ok(CommandOutcome::Well)
    })
}
