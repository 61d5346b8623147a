//! The list of a witness: every manifest that it has seen, and every salt that it has given.
//!
//! ```text
//! paigow-witness-list-1 <key of the witness>
//! manifest <chain> <seq> <hash> <root key>,<root key>
//! drawn <chain> <epoch> <announcement> <commitment> <value>
//! salt <chain> <epoch> <announcement> <commitment> <value> <signature>
//! ```
//!
//! `drawn` is a value whose signature is made on another machine.
//!
//! A chain is named by the hash of its manifest 1. Lines are only ever added.

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::seed::epoch_salt_statement;
use paigow_fairness::signature::PublicKey;
use paigow_files::command::CommandError;

const FIRST_WORD: &str = "paigow-witness-list-1";

/// A manifest that the witness has seen.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct SeenManifest {
    /// The hash of manifest 1 of its chain.
    pub(super) chain: Hash,
    pub(super) seq: u64,
    pub(super) hash: Hash,
    /// The keys of the root that it names.
    pub(super) roots: Vec<PublicKey>,
}

/// The value that was drawn for an announcement.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct DrawnSalt {
    /// The hash of manifest 1 of the chain.
    pub(super) chain: Hash,
    pub(super) epoch: u32,
    /// The hash of the manifest that first lists the epoch.
    pub(super) announcement: Hash,
    pub(super) commit: Hash,
    pub(super) value: [u8; 32],
}

impl DrawnSalt {
    /// Returns the bytes that the witness signs.
    pub(super) fn statement(&self) -> Vec<u8> {
        epoch_salt_statement(self.epoch, &self.announcement, &self.commit, &self.value)
    }

    /// Returns whether both are of one announcement.
    fn is_beside(&self, other: &Self) -> bool {
        let place = |one: &Self| (one.chain, one.epoch, one.announcement, one.commit);
        place(self) == place(other)
    }

    fn to_text(&self) -> String {
        let Self { chain, epoch, announcement, commit, value } = self;
        format!("{chain} {epoch} {announcement} {commit} {}", hex::encode(value))
    }

    fn parse(words: [&str; 5]) -> Result<Self, &'static str> {
        let [chain, epoch, announcement, commit, value] = words;
        Ok(Self {
            chain: hash(chain)?,
            epoch: epoch.parse().map_err(|_| "an epoch is a decimal number")?,
            announcement: hash(announcement)?,
            commit: hash(commit)?,
            value: hex_bytes(value).map_err(|_| "a value is 64 hex digits")?,
        })
    }
}

fn hash(text: &str) -> Result<Hash, &'static str> {
    text.parse().map_err(|_| "a hash is 64 hex digits")
}

/// A salt that the witness has given.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct GivenSalt {
    pub(super) drawn: DrawnSalt,
    pub(super) signature: [u8; 64],
}

/// A line of the list after the first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum ListLine {
    Manifest(SeenManifest),
    Drawn(DrawnSalt),
    Salt(GivenSalt),
}

impl ListLine {
    fn to_text(&self) -> String {
        match self {
            Self::Manifest(SeenManifest { chain, seq, hash, roots }) => {
                let roots: Vec<String> = roots.iter().map(ToString::to_string).collect();
                format!("manifest {chain} {seq} {hash} {}\n", roots.join(","))
            }
            Self::Drawn(drawn) => format!("drawn {}\n", drawn.to_text()),
            Self::Salt(GivenSalt { drawn, signature }) => {
                format!("salt {} {}\n", drawn.to_text(), hex::encode(signature))
            }
        }
    }

    fn parse(text: &str, key: &PublicKey) -> Result<Self, &'static str> {
        let words: Vec<&str> = text.split(' ').collect();
        let line = match words[..] {
            ["manifest", chain, seq, of_manifest, roots] => Self::Manifest(SeenManifest {
                chain: hash(chain)?,
                seq: seq.parse().map_err(|_| "a sequence number is a decimal number")?,
                hash: hash(of_manifest)?,
                roots: roots
                    .split(',')
                    .map(|root| {
                        PublicKey::from_hex(root).map_err(|_| "a root key is 64 hex digits")
                    })
                    .collect::<Result<_, _>>()?,
            }),
            ["drawn", chain, epoch, announcement, commit, value] => {
                Self::Drawn(DrawnSalt::parse([chain, epoch, announcement, commit, value])?)
            }
            ["salt", chain, epoch, announcement, commit, value, signature] => {
                let drawn = DrawnSalt::parse([chain, epoch, announcement, commit, value])?;
                let signature =
                    hex_bytes(signature).map_err(|_| "a signature is 128 hex digits")?;
                if !key.verifies(&drawn.statement(), &signature) {
                    return Err("the signature is not one of the witness over this salt");
                }
                Self::Salt(GivenSalt { drawn, signature })
            }
            _ => return Err("neither a manifest nor a salt"),
        };
        // One spelling only.
        if line.to_text().trim_end() == text { Ok(line) } else { Err("not in its one spelling") }
    }
}

/// The list on disk, locked for this process.
#[derive(Debug)]
pub(super) struct WitnessList {
    path: PathBuf,
    file: File,
    len: u64,
    key: PublicKey,
    manifests: Vec<SeenManifest>,
    drawn: Vec<DrawnSalt>,
    salts: Vec<GivenSalt>,
}

impl WitnessList {
    /// Opens the list of a witness's key, and creates it if it does not exist. Waits until no other
    /// process has it open.
    ///
    /// # Errors
    ///
    /// If the file system fails, or the file is not the whole list of this key.
    pub(super) fn open(path: &Path, key: PublicKey) -> Result<Self, CommandError> {
        let cannot = |error: io::Error| at(path, &error);
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(cannot)?;
        if !file.metadata().map_err(cannot)?.is_file() {
            return Err(at(path, &io::Error::other("not a regular file")));
        }
        file.lock().map_err(cannot)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(cannot)?;
        let mut list = Self {
            path: path.to_owned(),
            file,
            len: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            key,
            manifests: Vec::new(),
            drawn: Vec::new(),
            salts: Vec::new(),
        };
        list.read(&bytes).map_err(|(line, what)| {
            CommandError::Data(format!("{}: line {line}: {what}", path.display()))
        })?;
        Ok(list)
    }

    /// Reads the lines; fails with the number of the faulty line.
    fn read(&mut self, bytes: &[u8]) -> Result<(), (usize, String)> {
        if bytes.is_empty() {
            return Ok(());
        }
        let text = std::str::from_utf8(bytes).map_err(|_| (1, "not text".to_owned()))?;
        let last = text.split_inclusive('\n').count();
        if !text.ends_with('\n') {
            let what = "the line is cut off. A run that ended there has written no salt out: \
                        delete the line. If the file was damaged later, restore its copy";
            return Err((last, what.to_owned()));
        }
        for (number, line) in (1..).zip(text.split_terminator('\n')) {
            if number == 1 {
                if line != self.first_line().trim_end() {
                    let what = format!("not a list of the witness key {}", self.key);
                    return Err((1, what));
                }
                continue;
            }
            let line = ListLine::parse(line, &self.key);
            self.take(line.map_err(|what| (number, what.to_owned()))?);
        }
        Ok(())
    }

    fn first_line(&self) -> String {
        format!("{FIRST_WORD} {}\n", self.key)
    }

    /// Returns the chains of the list that share a root key with a chain, or are that chain.
    fn related(&self, seen: &[SeenManifest]) -> BTreeSet<Hash> {
        let roots: BTreeSet<&PublicKey> = seen.iter().flat_map(|one| &one.roots).collect();
        let shares = |one: &&SeenManifest| one.roots.iter().any(|root| roots.contains(root));
        let sharing = self.manifests.iter().filter(shares).map(|one| one.chain);
        sharing.chain(seen.iter().map(|one| one.chain)).collect()
    }

    /// Returns the fault if the epoch has a salt for another announcement, in this chain or in one
    /// that shares a root key with it.
    pub(super) fn other_announcement(
        &self,
        seen: &[SeenManifest],
        asked: &DrawnSalt,
    ) -> Option<String> {
        let related = self.related(seen);
        let is_other = |one: &&DrawnSalt| {
            one.epoch == asked.epoch && related.contains(&one.chain) && !one.is_beside(asked)
        };
        let other = self.values().find(is_other)?;
        Some(format!(
            "epoch {}: a second announcement gets no salt. Manifest {} announced it with the \
             commitment {}; now manifest {} announces it with {}",
            asked.epoch, other.announcement, other.commit, asked.announcement, asked.commit
        ))
    }

    /// Returns the fault if the list has another manifest of one sequence number.
    pub(super) fn fork(&self, seen: &[SeenManifest]) -> Option<String> {
        let related = self.related(seen);
        let listed = self.manifests.iter().filter(|one| related.contains(&one.chain));
        let mut pairs = listed.flat_map(|one| seen.iter().map(move |other| (one, other)));
        let (one, other) =
            pairs.find(|(one, other)| one.seq == other.seq && one.hash != other.hash)?;
        Some(format!(
            "a fork: two manifests of sequence number {} under one root, {} in the list and {} in \
             the file",
            one.seq, one.hash, other.hash
        ))
    }

    /// Returns the lines of the manifests that the list lacks.
    pub(super) fn unseen(&self, seen: &[SeenManifest]) -> Vec<ListLine> {
        let unseen = seen.iter().filter(|one| !self.manifests.contains(one));
        unseen.cloned().map(ListLine::Manifest).collect()
    }

    /// Returns every value, with a signature or without.
    fn values(&self) -> impl Iterator<Item = &DrawnSalt> {
        self.salts.iter().map(|given| &given.drawn).chain(&self.drawn)
    }

    /// Returns the salt that was given to an announcement.
    pub(super) fn given(&self, asked: &DrawnSalt) -> Option<&GivenSalt> {
        self.salts.iter().find(|one| one.drawn.is_beside(asked))
    }

    /// Returns the value that was drawn for an announcement.
    pub(super) fn drawn(&self, asked: &DrawnSalt) -> Option<&DrawnSalt> {
        self.drawn.iter().find(|one| one.is_beside(asked))
    }

    /// Whether the list has this value for an epoch.
    pub(super) fn has_value(&self, epoch: u32, value: &[u8; 32]) -> bool {
        self.values().any(|one| one.epoch == epoch && one.value == *value)
    }

    /// Adds lines, and returns when they are on disk.
    ///
    /// # Errors
    ///
    /// If the file system fails. The lines are then removed again, as far as the file system
    /// permits.
    pub(super) fn append(&mut self, lines: &[ListLine]) -> Result<(), CommandError> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut text = if self.len == 0 { self.first_line() } else { String::new() };
        text.extend(lines.iter().map(ListLine::to_text));
        let written = self.file.write_all(text.as_bytes()).and_then(|()| self.file.sync_all());
        let written = written.and_then(|()| match self.path.parent() {
            // The name of the file must be on disk too.
            Some(folder) if self.len == 0 => {
                let here = folder.as_os_str().is_empty();
                File::open(if here { Path::new(".") } else { folder })?.sync_all()
            }
            Some(_) | None => Ok(()),
        });
        written.map_err(|error| {
            // None of the lines was written out. A part that stays is refused as cut off.
            drop(self.file.set_len(self.len));
            at(&self.path, &error)
        })?;
        self.len += u64::try_from(text.len()).unwrap_or(u64::MAX);
        for line in lines {
            self.take(line.clone());
        }
        Ok(())
    }

    fn take(&mut self, line: ListLine) {
        match line {
            ListLine::Manifest(seen) => self.manifests.push(seen),
            ListLine::Drawn(drawn) => self.drawn.push(drawn),
            ListLine::Salt(given) => self.salts.push(given),
        }
    }
}

fn at(path: &Path, error: &io::Error) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}
