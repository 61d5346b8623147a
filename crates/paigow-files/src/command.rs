//! Code that the commands of all programs share: their exit codes and the reading of their files.

use std::fmt;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;
use paigow_round::audit::AuditTerms;
use paigow_round::record::InclusionProofs;
use paigow_rules::house_way::{self, HouseWay, RulesFault};

use paigow_engine::SecretKey;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use zeroize::Zeroizing;

use crate::keys::{self, KeyFile, KeyRole, Passphrase, TrustFile};
use crate::system;

/// The outcome of a command that was carried out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CommandOutcome {
    /// As asked. Exit code 0.
    Well,
    /// Carried out, with findings: a bad input line, an audit that does not match. 1.
    WithFindings,
    /// An audit without a fault that lacks a record, or a claim that is not shown. 2.
    Incomplete,
    /// An audit without a fault that waits for the secret of an epoch. 3.
    Pending,
}

impl CommandOutcome {
    /// Returns the exit code.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Well => 0,
            Self::WithFindings => 1,
            Self::Incomplete => 2,
            Self::Pending => 3,
        }
    }
}

/// The reason why a command could not be carried out. The codes are those of `sysexits.h`.
#[derive(Debug)]
pub enum CommandError {
    /// The arguments contradict one another or name something unknown. Exit code 64.
    Usage(String),
    /// A file or a line is malformed. 65.
    Data(String),
    /// A file cannot be read. 66.
    NoInput(String),
    /// The server cannot be reached or refused. 69.
    Unavailable(String),
    /// A file cannot be written. 73.
    CannotCreate(String),
    /// Standard input or output failed. 74.
    Io(io::Error),
}

impl CommandError {
    /// Returns the exit code.
    #[must_use]
    pub const fn code(&self) -> u8 {
        match self {
            Self::Usage(_) => 64,
            Self::Data(_) => 65,
            Self::NoInput(_) => 66,
            Self::Unavailable(_) => 69,
            Self::CannotCreate(_) => 73,
            Self::Io(_) => 74,
        }
    }

    /// Returns whether the reader of the output has closed it, which needs no message.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(what)
            | Self::Data(what)
            | Self::NoInput(what)
            | Self::Unavailable(what)
            | Self::CannotCreate(what) => f.write_str(what),
            Self::Io(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CommandError {}

impl From<io::Error> for CommandError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Runs a program. Reads its arguments, passes them to `carry_out`, writes its whole output, and
/// prints an error under the `name` of the program. Returns the exit code.
pub fn run_program<P: clap::Parser>(
    name: &str,
    carry_out: impl FnOnce(P, &mut dyn Write) -> Result<CommandOutcome, CommandError>,
) -> ExitCode {
    let ended = match P::try_parse() {
        Ok(arguments) => {
            let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            // A command has succeeded only when all of its output is written.
            carry_out(arguments, &mut out)
                .and_then(|ended| out.flush().map(|()| ended).map_err(CommandError::from))
        }
        // Help and version are no errors, but wrong arguments are.
        Err(error) if !error.use_stderr() => {
            let printed = error.print().and_then(|()| io::stdout().flush());
            printed.map(|()| CommandOutcome::Well).map_err(CommandError::from)
        }
        Err(error) => {
            drop(error.print());
            return ExitCode::from(CommandError::Usage(String::new()).code());
        }
    };
    match ended {
        Ok(ended) => ExitCode::from(ended.code()),
        Err(error) => {
            if !error.is_closed_pipe() {
                eprintln!("{name}: {error}");
            }
            ExitCode::from(error.code())
        }
    }
}

/// Reads a whole file; `-` is standard input.
///
/// # Errors
///
/// If it cannot be read.
pub fn read_file(path: &Path) -> Result<Vec<u8>, CommandError> {
    let read = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    read.map_err(|error| CommandError::NoInput(format!("{}: {error}", path.display())))
}

/// Reads a whole file of text.
///
/// # Errors
///
/// If it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String, CommandError> {
    String::from_utf8(read_file(path)?)
        .map_err(|_| CommandError::Data(format!("{}: not UTF-8 text", path.display())))
}

/// Reads a root of trust from the command line: public keys, or the one path of a `root.json`.
///
/// Returns [`None`] if none is given. One signature is enough if `threshold` is absent.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - A key is not a public key.
/// - A file cannot be read or is not a root.
/// - The threshold is not 1 to the number of distinct keys.
pub fn parse_root(
    given: &[String],
    threshold: Option<usize>,
) -> Result<Option<Root>, CommandError> {
    Ok(parse_trust(given, threshold)?.map(|trust| trust.root))
}

/// Reads the trusted root as [`parse_root`] does, with the witnesses that a `root.json` names.
fn parse_trust(
    given: &[String],
    threshold: Option<usize>,
) -> Result<Option<TrustFile>, CommandError> {
    let trust = match given {
        [] => return Ok(None),
        [path] if path.ends_with(".json") => keys::parse_trust(&read_file(Path::new(path))?)
            .map_err(|error| CommandError::Data(format!("{path}: {error}")))?,
        given => {
            let mut keys = public_keys("--root", given)?;
            keys.sort();
            keys.dedup();
            let root = Root { keys, threshold: 1 };
            TrustFile { root, witnesses: Vec::new(), beacons: Vec::new() }
        }
    };
    let TrustFile { root, witnesses, beacons } = trust;
    let threshold = threshold.unwrap_or(root.threshold);
    if !(1..=root.keys.len()).contains(&threshold) {
        let what = format!("--threshold {threshold}: 1 to the number of distinct root keys");
        return Err(CommandError::Usage(what));
    }
    Ok(Some(TrustFile { root: Root { threshold, ..root }, witnesses, beacons }))
}

/// Reads public keys, each 64 hex digits.
fn public_keys(option: &str, given: &[String]) -> Result<Vec<PublicKey>, CommandError> {
    let key = |text: &String| {
        PublicKey::from_hex(text)
            .map_err(|error| CommandError::Usage(format!("{option} {text}: {error}")))
    };
    given.iter().map(key).collect()
}

/// Reads a file of rules.
///
/// # Errors
///
/// If the file cannot be read. Otherwise every fault of the rules in it.
pub fn parse_rules<T>(
    path: &Path,
    parse: impl Fn(&str) -> Result<T, Vec<RulesFault>>,
) -> Result<T, CommandError> {
    parse(&read_text(path)?).map_err(|faults| unusable(path, &faults))
}

/// Makes the error that lists every fault of a file of rules.
#[must_use]
pub fn unusable(path: &Path, faults: &[RulesFault]) -> CommandError {
    let lines: Vec<String> =
        faults.iter().map(|fault| format!("{}: {fault}", path.display())).collect();
    CommandError::Data(lines.join("\n"))
}

/// Finds a house way: the id of one that is compiled in, or the path of its file.
///
/// # Errors
///
/// Returns [`CommandError`] if it is neither, or if the file is not a house way. The error then
/// lists every fault of the file.
pub fn find_house_way(name: &str) -> Result<HouseWay, CommandError> {
    load_house_way(name)?.map_err(|faults| unusable(Path::new(name), &faults))
}

/// Finds a house way, or the faults of its file.
///
/// # Errors
///
/// If `name` is neither the id of a house way nor a file that can be read.
pub fn load_house_way(name: &str) -> Result<Result<HouseWay, Vec<RulesFault>>, CommandError> {
    if let Some(way) = house_way::shipped().iter().find(|way| way.id() == name) {
        return Ok(Ok(way.clone()));
    }
    if !Path::new(name).exists() {
        let ids: Vec<&str> = house_way::shipped().iter().map(HouseWay::id).collect();
        let what = format!("{name}: neither a file nor one of: {}", ids.join(", "));
        return Err(CommandError::Usage(what));
    }
    Ok(HouseWay::parse(&read_text(Path::new(name))?))
}

/// The root of trust on a command line, given out of band.
#[derive(Clone, Debug, clap::Args)]
pub struct RootArguments {
    /// A trusted root public key, 64 hex digits; may be repeated. Or one path of a
    /// root.json.
    #[arg(long = "root", value_name = "KEY")]
    pub roots: Vec<String>,
    /// How many distinct root keys must have signed: 1, or what root.json says.
    #[arg(long, value_name = "N")]
    pub threshold: Option<usize>,
}

impl RootArguments {
    /// Reads the root, if one is given.
    ///
    /// # Errors
    ///
    /// As [`parse_root`].
    pub fn root(&self) -> Result<Option<Root>, CommandError> {
        parse_root(&self.roots, self.threshold)
    }
}

/// The terms of an audit on a command line.
#[derive(Clone, Debug, clap::Args)]
pub struct TrustArguments {
    #[command(flatten)]
    root: RootArguments,
    /// A trusted witness public key, 64 hex digits; may be repeated. A root.json may name some
    /// too. Without any, SALT_AFTER_COMMIT and LOGGED are skipped.
    #[arg(long = "witness", value_name = "KEY")]
    witnesses: Vec<String>,
    /// The hash of a trusted chain of public randomness, beside quicknet; may be repeated. A
    /// root.json may name some too.
    #[arg(long = "beacon", value_name = "CHAIN")]
    beacons: Vec<Hash>,
    /// The hash of the first manifest of the input. Needed for MANIFEST_RULES where that is not
    /// manifest 1.
    #[arg(long = "manifest", value_name = "HASH")]
    first_manifest: Option<Hash>,
    /// A round that was audited before and its close; may be repeated, once for each table. The
    /// first round of the table in the input must follow it.
    #[arg(long = "after", value_name = "ROUND_ID:HASH", value_parser = audited_close)]
    after: Vec<(Hash, Hash)>,
    /// The time of the audit in UTC, as 2026-11-25T00:00:00Z. Default: now.
    #[arg(long = "as-of", value_name = "TIME", value_parser = utc_second)]
    as_of: Option<u64>,
}

impl TrustArguments {
    /// Reads the terms of an audit. The time of the audit is now if none is given.
    ///
    /// # Errors
    ///
    /// If no root is given, or if a witness is not a public key. Also as [`parse_root`].
    pub fn terms(&self) -> Result<AuditTerms, CommandError> {
        let trust = parse_trust(&self.root.roots, self.root.threshold)?;
        let Some(TrustFile { root, witnesses, beacons }) = trust else {
            let what = "missing --root: give root public keys or a root.json";
            return Err(CommandError::Usage(what.to_owned()));
        };
        let named = public_keys("--witness", &self.witnesses)?;
        Ok(AuditTerms {
            root,
            witnesses: witnesses.into_iter().chain(named).collect(),
            beacons: beacons.iter().chain(&self.beacons).copied().collect(),
            first_manifest: self.first_manifest,
            after: self.after.iter().copied().collect(),
            as_of: Some(self.as_of.unwrap_or_else(system::now)),
            my_seat: None,
            proofs: InclusionProofs::new(),
            log_copies: Vec::new(),
        })
    }
}

/// Reads `ROUND_ID:HASH`.
fn audited_close(text: &str) -> Result<(Hash, Hash), String> {
    let (round_id, close) = text.split_once(':').ok_or("write ROUND_ID:HASH")?;
    let hash = |text: &str| text.parse::<Hash>().map_err(|error| error.to_string());
    Ok((hash(round_id)?, hash(close)?))
}

/// Reads a public key of the command line: 64 hex digits.
///
/// # Errors
///
/// Returns an error if the text is not a public key.
pub fn public_key(text: &str) -> Result<PublicKey, String> {
    PublicKey::from_hex(text).map_err(|error| error.to_string())
}

/// Reads a time in UTC of the command line, as 2026-11-25T00:00:00Z, as seconds since 1970.
///
/// # Errors
///
/// Returns an error if the text is not such a time.
pub fn utc_second(text: &str) -> Result<u64, String> {
    let time = OffsetDateTime::parse(text, &Rfc3339).map_err(|error| error.to_string())?;
    if text.len() != "2026-11-25T00:00:00Z".len() || !text.ends_with('Z') {
        return Err("write the time in UTC to the second, as 2026-11-25T00:00:00Z".to_owned());
    }
    u64::try_from(time.unix_timestamp()).map_err(|_| "a time since 1970".to_owned())
}

/// Reads a signing key, and refuses roles other than `roles`. The passphrase is used if one
/// protects the key.
///
/// # Errors
///
/// If the file cannot be read, if others than its owner may read or write it, or if it holds
/// another key. Also if the passphrase is missing or wrong.
pub fn signing_key(
    path: &Path,
    roles: &[KeyRole],
    passphrase: Option<&Passphrase>,
) -> Result<SecretKey, CommandError> {
    let read = KeyFile::read(path, passphrase);
    match read.map_err(|fault| CommandError::NoInput(fault.to_string()))? {
        KeyFile::Signing { role, key } if roles.contains(&role) => Ok(key),
        KeyFile::Signing { .. } | KeyFile::Epoch { .. } | KeyFile::Token { .. } => {
            let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
            let what = format!("{}: not a {} key", path.display(), names.join(" or "));
            Err(CommandError::Usage(what))
        }
    }
}

/// Reads the key of a ledger.
///
/// # Errors
///
/// If the file cannot be read, if others than its owner may read or write it, or if it holds
/// another key.
pub fn ledger_key(path: &Path) -> Result<SecretKey, CommandError> {
    signing_key(path, &[KeyRole::Ledger], None)
}

/// Reads the passphrase of key files. It is the first line of a file that only its owner may read
/// and write, or of standard input for `-`.
///
/// # Errors
///
/// If it cannot be read, or has fewer than 12 bytes or more than 1,024.
pub fn passphrase(path: &Path) -> Result<Passphrase, CommandError> {
    if path == Path::new("-") {
        let bytes = Zeroizing::new(read_file(path)?);
        return Passphrase::new(&bytes)
            .map_err(|error| CommandError::Data(format!("standard input: {error}")));
    }
    Passphrase::read(path).map_err(|fault| CommandError::NoInput(fault.to_string()))
}
