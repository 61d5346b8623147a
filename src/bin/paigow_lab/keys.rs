//! `paigow-lab keys`: its arguments, and what they call.

use std::io::Write;
use std::path::PathBuf;

use clap::Subcommand;
use paigow::keys::Role;
use paigow::lab::ceremony::{self, NewKey};
use paigow::lab::{self, Ended, LabError};

use crate::arguments::RootArguments;

#[derive(Subcommand)]
pub(crate) enum Keys {
    /// Makes a root key: signs manifests, kept offline.
    Root(Out),
    /// Makes a receipt key: signs the engine's records.
    Receipt(Out),
    /// Makes a ledger key: signs a tenant's locks.
    Ledger(Out),
    /// Makes a witness key: signs epoch salts, held by a party that is not the operator.
    Witness(Out),
    /// Makes the secret of an epoch.
    Epoch {
        /// The epoch, 0 to 2147483647.
        #[arg(long, value_parser = clap::value_parser!(u32).range(..=2_147_483_647))]
        epoch: u32,
        #[command(flatten)]
        out: Out,
    },
    /// Makes a token key of the fresh suite.
    Token {
        /// Its number: of several, the highest seals new tickets.
        #[arg(long, default_value_t = 1)]
        serial: u32,
        #[command(flatten)]
        out: Out,
    },
    /// Signs and shows manifests.
    #[command(subcommand)]
    Manifest(ManifestCommand),
    /// Draws and signs the salt of an announced epoch: for the witness.
    Salt {
        /// The published manifests, `manifests.jsonl`.
        #[arg(long, value_name = "FILE")]
        chain: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// The witness's key file.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
    },
    /// Publishes the secret of an epoch whose rounds can no longer be settled.
    Reveal {
        /// The keyring folder.
        #[arg(long, value_name = "DIR")]
        keyring: PathBuf,
        /// The epoch.
        #[arg(long)]
        epoch: u32,
        /// A receipt or root key file; the folder's receipt key if absent.
        #[arg(long, value_name = "FILE")]
        key: Option<PathBuf>,
        /// The time in Unix seconds; the clock's if absent.
        #[arg(long, value_name = "SECONDS")]
        now: Option<u64>,
    },
}

#[derive(clap::Args)]
pub(crate) struct Out {
    /// The folder that the key file is written into; it has to be there.
    #[arg(long = "out", value_name = "DIR", default_value = ".")]
    pub(crate) dir: PathBuf,
}

#[derive(Subcommand)]
pub(crate) enum ManifestCommand {
    /// Writes an example of a description, to be copied and filled in.
    Example,
    /// Writes the newest manifest as a description, to be changed and signed as the next.
    Next {
        /// The manifests, `manifests.jsonl`.
        #[arg(long, value_name = "FILE")]
        chain: PathBuf,
        /// A ruleset file that is not compiled in; may be repeated.
        #[arg(long = "ruleset", value_name = "FILE")]
        rulesets: Vec<PathBuf>,
        /// A house-way file that is not compiled in; may be repeated.
        #[arg(long = "house-way", value_name = "FILE")]
        house_ways: Vec<PathBuf>,
    },
    /// Makes the manifest of a description, signs it, and writes the record.
    Sign {
        /// The description, a TOML file like the example.
        description: PathBuf,
        /// The manifests before, `manifests.jsonl`; none for the first.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
        /// A root key file; may be repeated.
        #[arg(long = "key", value_name = "FILE", required = true)]
        keys: Vec<PathBuf>,
    },
    /// Adds the signature of one more root holder and writes the record.
    AddSignature {
        /// The file with the record.
        record: PathBuf,
        /// The root key file.
        #[arg(long, value_name = "FILE")]
        key: PathBuf,
        /// The manifests before, where the root changes.
        #[arg(long, value_name = "FILE")]
        chain: Option<PathBuf>,
    },
    /// Shows manifests for people, and with --root verifies them.
    Show {
        /// The manifests, `manifests.jsonl`.
        file: PathBuf,
        #[command(flatten)]
        root: RootArguments,
    },
}

/// Runs a command of the ceremony.
pub(crate) fn run(command: Keys, out: &mut dyn Write) -> Result<Ended, LabError> {
    let entropy = &mut lab::system::entropy;
    let mut make = |new, dir: Out| ceremony::new_key(new, &dir.dir, entropy, out);
    match command {
        Keys::Root(dir) => make(NewKey::Signing(Role::Root), dir)?,
        Keys::Receipt(dir) => make(NewKey::Signing(Role::Receipt), dir)?,
        Keys::Ledger(dir) => make(NewKey::Signing(Role::Ledger), dir)?,
        Keys::Witness(dir) => make(NewKey::Signing(Role::Witness), dir)?,
        Keys::Epoch { epoch, out: dir } => make(NewKey::Epoch(epoch), dir)?,
        Keys::Token { serial, out: dir } => make(NewKey::Token(serial), dir)?,
        Keys::Manifest(command) => return manifest(command, out),
        Keys::Salt { chain, epoch, key } => ceremony::salt(&chain, epoch, &key, entropy, out)?,
        Keys::Reveal { keyring, epoch, key, now } => {
            let now = now.unwrap_or_else(lab::system::now);
            ceremony::reveal(&keyring, epoch, key.as_deref(), now, out)?;
        }
    }
    Ok(Ended::Well)
}

fn manifest(command: ManifestCommand, out: &mut dyn Write) -> Result<Ended, LabError> {
    match command {
        ManifestCommand::Example => ceremony::manifest::example(out)?,
        ManifestCommand::Next { chain, rulesets, house_ways } => {
            ceremony::next(&chain, &rulesets, &house_ways, out)?;
        }
        ManifestCommand::Sign { description, chain, keys } => {
            ceremony::manifest::sign(&description, chain.as_deref(), &keys, out)?;
        }
        ManifestCommand::AddSignature { record, key, chain } => {
            ceremony::manifest::add_signature(&record, chain.as_deref(), &key, out)?;
        }
        ManifestCommand::Show { file, root } => {
            let root = lab::parse_root(&root.roots, root.threshold)?;
            return ceremony::manifest::show(&file, root.as_ref(), out);
        }
    }
    Ok(Ended::Well)
}
