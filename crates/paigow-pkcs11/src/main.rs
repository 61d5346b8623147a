//! `paigow-pkcs11`: signs with keys in a token that speaks PKCS #11, as an HSM does.
//!
//! It is a signer: it answers the requests of `paigow-keys`, `paigow-witness` and `paigow-server`
//! that `paigow_files::keys` describes. The module of the token's vendor runs in this process
//! and in no other.

mod serve;
mod token;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use paigow_files::command::{CommandError, CommandOutcome, run_program};
use paigow_files::keys::KeyRole;
use token::{Module, TokenError, TokenPlace};

/// The exit codes, as the help shows them.
const EXIT_CODES: &str = "\
Exit codes:
   0  success
  64  an argument is wrong
  66  the file of the PIN cannot be read
  69  the token refuses, or has failed: the name of the error comes first, as WRONG_PIN
  74  standard output failed";

/// Signs with keys in a token that speaks PKCS #11, as an HSM does.
///
/// Without a command it answers requests on standard input, one line each: give this command line
/// to `--signer` of paigow-keys or paigow-witness. For paigow-server it serves a Unix socket.
///
/// A key is one of its role (root, receipt, ledger, witness) if that word is its label.
#[derive(Parser)]
#[command(name = "paigow-pkcs11", version, after_help = EXIT_CODES)]
struct Arguments {
    /// The PKCS #11 module of the token's vendor, a shared library.
    #[arg(long, value_name = "FILE")]
    module: PathBuf,
    /// The label of the token.
    #[arg(long, value_name = "LABEL")]
    token: String,
    /// The file whose first line is the PIN of the user, for its owner alone to read.
    #[arg(long, value_name = "FILE")]
    pin_file: PathBuf,
    #[command(subcommand)]
    command: Option<TokenCommand>,
}

#[derive(Subcommand)]
enum TokenCommand {
    /// Makes a key in the token that never leaves it, and writes its public half.
    Generate {
        /// The role of the key.
        #[arg(value_parser = role)]
        role: KeyRole,
    },
    /// Lists the keys.
    List,
    /// Serves a Unix socket that only the owner of this process can reach, until the token fails.
    ///
    /// Run it under a supervisor that restarts it. A token that comes back is then opened again.
    Listen {
        /// The socket. One that nobody serves any more is replaced.
        socket: PathBuf,
    },
}

fn role(text: &str) -> Result<KeyRole, String> {
    let known = KeyRole::ALL.into_iter().find(|role| role.name() == text);
    known.ok_or_else(|| "root, receipt, ledger or witness".to_owned())
}

fn main() -> ExitCode {
    run_program("paigow-pkcs11", |arguments: Arguments, out| run(arguments, out))
}

fn run(arguments: Arguments, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let Arguments { module, token, pin_file, command } = arguments;
    let pin = token::read_pin(&pin_file)?;
    let told = |error: TokenError| CommandError::Unavailable(error.to_string());
    let module = Module::load(&module).map_err(told)?;
    let place = TokenPlace { module, token, pin };
    match command {
        None => serve::standard_streams(&place)?,
        Some(TokenCommand::Generate { role }) => {
            let key = place.open().and_then(|token| token.generate(role)).map_err(told)?;
            let lines =
                [("role", role.name().to_owned()), ("kid", key.kid()), ("public", key.to_string())];
            for (name, value) in lines {
                writeln!(out, "{name:<7} {value}")?;
            }
        }
        Some(TokenCommand::List) => {
            for key in place.open().map_err(told)?.keys() {
                writeln!(out, "{} {} {}", key.role.name(), key.public.kid(), key.public)?;
            }
        }
        Some(TokenCommand::Listen { socket }) => {
            let fault = serve::socket(&place, &socket)?;
            return Err(told(fault));
        }
    }
    Ok(CommandOutcome::Well)
}
