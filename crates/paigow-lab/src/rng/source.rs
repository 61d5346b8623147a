//! The sources of round seeds: a list, a secret that they are derived from, or the operating
//! system.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use crate::CommandError;
use paigow_fairness::encoding::{Hash, Identifier, hex_bytes};
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::{self, Coordinates};
use paigow_files::system;

/// The tenant of every round whose seed is derived here.
const TENANT: &str = "lab";
/// The last number that a round can have.
const LAST_ROUND: u64 = (1 << 63) - 1;

/// The source of round seeds.
#[derive(Clone, Debug)]
pub enum SeedSource {
    /// A file of round seeds, 64 lower-case hexadecimal digits a line; `-` is standard
    /// input.
    List(PathBuf),
    /// Round seeds of the suite `derived`, made as in production: see [`SeedDerivation`].
    Derived(SeedDerivation),
    /// Round seeds of the suite `fresh`, made as in production.
    ///
    /// Each server seed is 32 bytes of the operating system. The round seed follows from it as in
    /// [`SeedDerivation`], with the table `rng`.
    Entropy,
}

/// Round seeds that follow from one secret, so that a run can be repeated.
///
/// They are those of rounds 1, 2, 3, ... of the suite `derived` (PGE-FAIR-1, sections 3.3 and 3.4).
/// The secret is that of epoch 0, and the epoch's salt is 32 zero bytes. The tenant is `lab`, with
/// a table and no client seeds. `paigow-lab replay` gives the same from the same inputs.
#[derive(Clone, Debug)]
pub struct SeedDerivation {
    secret: EpochSecret,
    table: Identifier,
    first: u64,
}

impl SeedDerivation {
    /// Returns the default name of the table: `rng`.
    ///
    /// # Panics
    ///
    /// Never: it is a constant.
    #[must_use]
    pub fn default_table() -> Identifier {
        "rng".parse().expect("a constant that a test reads")
    }

    /// Takes the secret and the name of the table, and begins with round 1.
    #[must_use]
    pub fn new(secret: [u8; 32], table: Identifier) -> Self {
        Self::from_round(secret, table, 1)
    }

    /// Begins with another round, so that a run can be split.
    #[must_use]
    pub fn from_round(secret: [u8; 32], table: Identifier, first: u64) -> Self {
        Self { secret: EpochSecret::new(secret), table, first }
    }

    /// Returns the seed of a round by its number, from 1.
    #[must_use]
    pub fn seed(&self, round_no: u64) -> RoundSeed {
        let place = place(self.table.clone(), round_no);
        round_seed(&place.derived_server_seed(&self.secret, &Hash::ZERO), &place)
    }
}

fn place(table: Identifier, round_no: u64) -> Coordinates {
    let tenant = TENANT.parse().expect("a constant that a test reads");
    Coordinates { epoch: 0, tenant, table, round_no }
}

fn round_seed(server_seed: &ServerSeed, place: &Coordinates) -> RoundSeed {
    seed::round_seed(server_seed, &place.round_id(), &seed::client_block([]), &[])
}

/// Round seeds, one after another.
pub struct Seeds {
    from: OpenSource,
    /// The name of the list in messages; empty without a list.
    name: String,
    saved: Option<(PathBuf, BufWriter<File>)>,
    given: u64,
}

enum OpenSource {
    List(Box<dyn BufRead>),
    Derived(SeedDerivation),
    Entropy(Identifier),
}

impl std::fmt::Debug for Seeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Seeds({} given)", self.given)
    }
}

impl Seeds {
    /// Opens a source. With `save` every seed that is used is written to a new file, as a
    /// list that [`SeedSource::List`] reads.
    ///
    /// # Errors
    ///
    /// If the list cannot be read or the file cannot be written.
    pub fn open(source: SeedSource, save: Option<PathBuf>) -> Result<Self, CommandError> {
        let mut name = String::new();
        let from = match source {
            SeedSource::List(path) if path.as_os_str() == "-" => {
                "standard input".clone_into(&mut name);
                OpenSource::List(Box::new(BufReader::new(io::stdin())))
            }
            SeedSource::List(path) => {
                name = path.display().to_string();
                let file = File::open(&path)
                    .map_err(|error| CommandError::NoInput(format!("{name}: {error}")))?;
                OpenSource::List(Box::new(BufReader::with_capacity(1 << 16, file)))
            }
            SeedSource::Derived(derived) => OpenSource::Derived(derived),
            SeedSource::Entropy => OpenSource::Entropy(SeedDerivation::default_table()),
        };
        let create = |path: PathBuf| match File::create(&path) {
            Ok(file) => Ok((path, BufWriter::new(file))),
            Err(error) => Err(CommandError::CannotCreate(format!("{}: {error}", path.display()))),
        };
        Ok(Self { from, name, saved: save.map(create).transpose()?, given: 0 })
    }

    /// Returns the next seed, or [`None`] at the end of a list.
    ///
    /// # Errors
    ///
    /// If a line of the list is not a seed, if the operating system has no random numbers, or if
    /// the seed cannot be saved.
    pub fn next_seed(&mut self) -> Result<Option<RoundSeed>, CommandError> {
        let seed = match &mut self.from {
            OpenSource::List(lines) => read_seed(lines.as_mut(), &self.name, self.given + 1)?,
            OpenSource::Derived(derived) => {
                let number = derived.first.checked_add(self.given);
                let number = number.filter(|number| *number <= LAST_ROUND).ok_or_else(|| {
                    CommandError::Usage(format!(
                        "--first-round: the round number exceeds {LAST_ROUND}"
                    ))
                })?;
                Some(derived.seed(number))
            }
            OpenSource::Entropy(table) => {
                let mut bytes = [0; 32];
                system::entropy(&mut bytes)?;
                let place = place(table.clone(), self.given + 1);
                Some(round_seed(&ServerSeed::new(bytes), &place))
            }
        };
        if let Some(seed) = &seed {
            self.given += 1;
            if let Some((path, out)) = &mut self.saved {
                writeln!(out, "{}", hex::encode(seed.expose()))
                    .map_err(|error| cannot_write(path, &error))?;
            }
        }
        Ok(seed)
    }

    /// Returns the next seed of so many that are `wanted`. Without a number, returns [`None`] at
    /// the end of a list.
    ///
    /// # Errors
    ///
    /// As [`Self::next_seed`], and if the list ends too early.
    pub fn next_of(&mut self, wanted: Option<u64>) -> Result<Option<RoundSeed>, CommandError> {
        let given = self.given;
        match (self.next_seed()?, wanted) {
            (None, Some(wanted)) if given < wanted => {
                let name = &self.name;
                Err(CommandError::Data(format!("{name}: too few seeds: {given} of {wanted}")))
            }
            (seed, _) => Ok(seed),
        }
    }

    /// Returns the one seed of the source. A list must not have another.
    ///
    /// # Errors
    ///
    /// As [`Self::next_seed`], and if a list has no seed or more than one.
    ///
    /// # Panics
    ///
    /// Never: a list without a seed is an error.
    pub fn only(&mut self) -> Result<RoundSeed, CommandError> {
        let seed = self.next_of(Some(1))?.expect("a list without a seed is an error");
        let more = match &mut self.from {
            OpenSource::List(lines) => read_seed(lines.as_mut(), &self.name, 2)?.is_some(),
            OpenSource::Derived(_) | OpenSource::Entropy(_) => false,
        };
        if more {
            let what = "the file has more than one seed: give --per-seed";
            return Err(CommandError::Usage(format!("{}: {what}", self.name)));
        }
        Ok(seed)
    }

    /// Ends the file of saved seeds.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<(), CommandError> {
        match &mut self.saved {
            Some((path, out)) => out.flush().map_err(|error| cannot_write(path, &error)),
            None => Ok(()),
        }
    }
}

fn cannot_write(path: &std::path::Path, error: &io::Error) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}

/// Reads one line of a list, in constant memory for any file.
fn read_seed(
    lines: &mut dyn BufRead,
    name: &str,
    number: u64,
) -> Result<Option<RoundSeed>, CommandError> {
    /// The digits and the end of the line, carriage return included.
    const LONGEST: u64 = 66;
    let mut line = Vec::with_capacity(66);
    io::Read::take(lines, LONGEST)
        .read_until(b'\n', &mut line)
        .map_err(|error| CommandError::NoInput(format!("{name}: {error}")))?;
    if line.is_empty() {
        return Ok(None);
    }
    let text = line.strip_suffix(b"\n").unwrap_or(&line);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let seed = std::str::from_utf8(text).ok().and_then(|text| hex_bytes(text).ok());
    match seed {
        Some(bytes) => Ok(Some(RoundSeed::new(bytes))),
        None => Err(CommandError::Data(format!(
            "{name}: line {number}: not a seed of 64 lower-case hexadecimal digits"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str) -> Identifier {
        name.parse().unwrap()
    }

    #[test]
    fn a_list_is_read_line_by_line_whatever_ends_a_line() {
        let text = format!("{}\r\n{}\n{}", "00".repeat(32), "ab".repeat(32), "ff".repeat(32));
        let mut lines = text.as_bytes();
        for byte in [0, 0xab, 0xff] {
            let seed = read_seed(&mut lines, "list", 1).unwrap().unwrap();
            assert_eq!(seed.expose(), &[byte; 32]);
        }
        assert!(read_seed(&mut lines, "list", 4).unwrap().is_none());
    }

    #[test]
    fn a_line_that_is_no_seed_is_named() {
        let long = "0".repeat(66);
        for line in ["", "00", "zz", &"AB".repeat(32), &long, &format!(" {}", "00".repeat(32))] {
            let text = format!("{line}\n");
            let error = read_seed(&mut text.as_bytes(), "list", 7).unwrap_err();
            assert!(error.to_string().starts_with("list: line 7: not a seed"), "{line:?}: {error}");
            assert_eq!(error.code(), 65);
        }
    }

    #[test]
    fn another_table_and_another_round_have_another_seed() {
        let seed = |name, number| *SeedDerivation::new([7; 32], table(name)).seed(number).expose();
        assert_ne!(seed("rng", 1), seed("rng", 2));
        assert_ne!(seed("rng", 1), seed("decks", 1));
        assert_eq!(seed("rng", 1), seed("rng", 1));
    }

    #[test]
    fn the_operating_system_gives_no_seed_twice() {
        let mut seeds = Seeds::open(SeedSource::Entropy, None).unwrap();
        let mut next = || *seeds.next_seed().unwrap().unwrap().expose();
        assert_ne!(next(), next());
    }
}
