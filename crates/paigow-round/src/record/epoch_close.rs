//! The public close of an epoch: how many rounds a tenant had in it, and a tree of them all.

use std::collections::{BTreeMap, BTreeSet};

use super::{InclusionProof, Lock, SettleRecord};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::merkle::{MerkleTree, leaf_hash, tree_hash};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::vrf::VrfProof;

/// The most tables of a close.
const MAX_TABLES: usize = 65_536;

/// The payload of an epoch close.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EpochClose {
    /// The epoch.
    pub epoch: u32,
    /// The tenant.
    pub tenant: Identifier,
    /// How many rounds of the tenant in the epoch reached the evidence.
    pub leaves: u64,
    /// The hash of the tree with one leaf for each of them.
    pub root: Hash,
    /// How many of them ended in each way.
    pub rounds: RoundCounts,
    /// The proofs of the server seeds of rounds with a lock of the wagers and no settled close,
    /// ascending by table and number. Empty except in the vrf suite.
    pub seed_proofs: Vec<SeedProof>,
    /// The last round of each table, tables ascending.
    pub tables: Vec<ClosedTable>,
}

/// The proof of the server seed of one round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SeedProof {
    /// The table of the round.
    pub table: Identifier,
    /// The number of the round at the table in the epoch.
    pub round_no: u64,
    /// The proof.
    pub proof: VrfProof,
}

/// How many rounds ended in each way.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct RoundCounts {
    /// Without a close.
    pub never_closed: u64,
    /// Rounds with more than one ticket. Each is also counted as settled, void or never closed.
    pub opened_again: u64,
    /// Rounds with a close that settles.
    pub settled: u64,
    /// Rounds with a close, but none that settles.
    pub voided: u64,
}

/// The last round of a table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClosedTable {
    /// The table.
    pub table: Identifier,
    /// The highest number of its rounds.
    pub last: u64,
    /// The close of that round; [`None`] if it has none, or two.
    pub head: Option<Hash>,
}

/// The place of a round in an epoch of a tenant.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SeedPlace {
    /// The table of the round.
    pub table: Identifier,
    /// The number of the round at the table in the epoch.
    pub round_no: u64,
}

impl SeedPlace {
    /// Returns the place as a line of a list.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        Json::obj([("round_no", Json::str(self.round_no)), ("table", Json::str(&self.table))])
    }

    /// Reads a line of a list.
    ///
    /// # Errors
    ///
    /// If it is not the canonical JSON of a place.
    pub fn parse(line: &[u8]) -> Result<Self, PayloadError> {
        let mut members = Members::of(Json::parse_canonical(line)?)?;
        let place =
            Self { table: members.parsed("table")?, round_no: members.decimal("round_no")? };
        members.finish()?;
        Ok(place)
    }
}

impl SeedProof {
    /// Returns the proof as the close has it.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let Self { table, round_no, proof } = self;
        Json::obj([
            ("proof", Json::hex(&proof.to_bytes())),
            ("round_no", Json::str(round_no)),
            ("table", Json::str(table)),
        ])
    }

    /// Reads a proof as the close has it.
    ///
    /// # Errors
    ///
    /// If it is not the canonical JSON of a proof.
    pub fn parse(line: &[u8]) -> Result<Self, PayloadError> {
        let mut members = Members::of(Json::parse_canonical(line)?)?;
        let proof = Self::take(&mut members)?;
        members.finish()?;
        Ok(proof)
    }

    fn take(members: &mut Members<'_>) -> Result<Self, PayloadError> {
        Ok(Self {
            table: members.parsed("table")?,
            round_no: members.decimal("round_no")?,
            proof: VrfProof::from_bytes(members.bytes("proof")?),
        })
    }
}

impl EpochClose {
    /// Returns the payload as it is signed.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let count = |count: u64| Json::str(count);
        let table = |one: &ClosedTable| {
            Json::obj([("table", Json::str(&one.table)), ("last", count(one.last))])
                .with("head", one.head.map(Json::str))
        };
        let seed_proofs = (!self.seed_proofs.is_empty())
            .then(|| Json::arr(self.seed_proofs.iter().map(SeedProof::to_json)));
        Json::obj([
            ("epoch", Json::Int(u64::from(self.epoch))),
            ("leaves", count(self.leaves)),
            ("root", Json::str(self.root)),
            (
                "rounds",
                Json::obj([
                    ("never_closed", count(self.rounds.never_closed)),
                    ("opened_again", count(self.rounds.opened_again)),
                    ("settled", count(self.rounds.settled)),
                    ("voided", count(self.rounds.voided)),
                ]),
            ),
            ("tables", Json::arr(self.tables.iter().map(table))),
            ("tenant", Json::str(&self.tenant)),
        ])
        .with("seed_proofs", seed_proofs)
    }

    /// Returns the proof of the server seed of a round.
    #[must_use]
    pub fn seed_proof(&self, table: &Identifier, round_no: u64) -> Option<&VrfProof> {
        let place = |one: &SeedProof| (one.table.cmp(table)).then(one.round_no.cmp(&round_no));
        let at = self.seed_proofs.binary_search_by(place).ok()?;
        Some(&self.seed_proofs[at].proof)
    }

    /// Reads a payload.
    ///
    /// # Errors
    ///
    /// - A member is missing, unknown or malformed.
    /// - There is no table, or the tables do not ascend.
    /// - The counts do not add up to the number of leaves, or there are more leaves than round numbers.
    /// - The list of seed proofs is empty or does not ascend, or has a round that no table has.
    /// - There are more seed proofs than rounds without a settlement.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let epoch = members.int("epoch", (1 << 31) - 1)?;
        let close = Self {
            epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
            tenant: members.parsed("tenant")?,
            leaves: members.decimal("leaves")?,
            root: members.hash("root")?,
            rounds: members.object("rounds", |rounds| {
                Ok(RoundCounts {
                    never_closed: rounds.decimal("never_closed")?,
                    opened_again: rounds.decimal("opened_again")?,
                    settled: rounds.decimal("settled")?,
                    voided: rounds.decimal("voided")?,
                })
            })?,
            seed_proofs: members.optional("seed_proofs", parse_seed_proofs)?.unwrap_or_default(),
            tables: members.objects("tables", |table| {
                Ok(ClosedTable {
                    table: table.parsed("table")?,
                    last: table.decimal("last")?,
                    head: table.optional("head", Members::hash)?,
                })
            })?,
        };
        let RoundCounts { never_closed, settled, voided, .. } = close.rounds;
        let all = [never_closed, settled, voided].into_iter().map(u128::from).sum::<u128>();
        if close.leaves == 0 || all != u128::from(close.leaves) {
            return Err(members.blame("leaves", "not the sum of the rounds"));
        }
        let ascend = close.tables.windows(2).all(|pair| pair[0].table < pair[1].table);
        if !ascend || !(1..=MAX_TABLES).contains(&close.tables.len()) {
            return Err(members.blame("tables", "1 to 65536 tables, ascending"));
        }
        if close.tables.iter().any(|table| table.last == 0) {
            return Err(members.blame("tables", "round numbers begin with 1"));
        }
        if u128::from(close.leaves) > close.tables.iter().map(|table| u128::from(table.last)).sum()
        {
            return Err(members.blame("leaves", "more than the tables have round numbers"));
        }
        let has_round = |one: &SeedProof| {
            let at = close.tables.binary_search_by(|table| table.table.cmp(&one.table));
            at.is_ok_and(|at| (1..=close.tables[at].last).contains(&one.round_no))
        };
        let without_settlement = u128::from(never_closed) + u128::from(voided);
        if !close.seed_proofs.iter().all(has_round)
            || close.seed_proofs.len() as u128 > without_settlement
        {
            return Err(members.blame("seed_proofs", "not of the rounds without a settlement"));
        }
        members.finish()?;
        Ok(close)
    }
}

/// Reads the proofs of seeds, which ascend.
fn parse_seed_proofs(members: &mut Members<'_>, key: &str) -> Result<Vec<SeedProof>, PayloadError> {
    let proofs = members.objects(key, SeedProof::take)?;
    let place = |one: &SeedProof| (one.table.clone(), one.round_no);
    if proofs.is_empty() || !proofs.is_sorted_by(|one, next| place(one) < place(next)) {
        return Err(members.blame(key, "at least one, ascending by table and number"));
    }
    Ok(proofs)
}

/// The rounds of a tenant in an epoch, from which its close is made.
#[derive(Clone, Debug)]
pub struct EpochRounds {
    epoch: u32,
    tenant: Identifier,
    rounds: BTreeMap<(Identifier, u64), LeafRecords>,
}

/// The hashes of the records of a round, in any telling of it.
#[derive(Clone, Debug, Default)]
struct LeafRecords {
    tickets: BTreeSet<Hash>,
    locks: BTreeSet<Hash>,
    deals: BTreeSet<Hash>,
    closes: BTreeSet<Hash>,
    /// Whether one of the locks is of the wagers.
    has_wagers: bool,
    /// Whether one of the closes settles.
    is_settled: bool,
}

/// A record as a leaf has it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct LeafRecord {
    class: LeafClass,
    hash: Hash,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
enum LeafClass {
    Ticket,
    WagerLock,
    CloseLock,
    Deal,
    Settled,
    Void,
}

impl LeafRecord {
    /// Returns the facts that a leaf has of a record. A lock that cannot be read is one of the
    /// close.
    ///
    /// Returns [`None`] for a kind that no leaf has, and for a settle record that cannot be read.
    #[must_use]
    pub fn of(record: &RecordEnvelope) -> Option<Self> {
        let class = match record.kind() {
            RecordKind::Ticket => LeafClass::Ticket,
            RecordKind::Lock => match record.json().map_err(PayloadError::from).map(Lock::parse) {
                Ok(Ok(Lock::Wagers(_))) => LeafClass::WagerLock,
                Ok(Ok(Lock::Close(_)) | Err(_)) | Err(_) => LeafClass::CloseLock,
            },
            RecordKind::Deal => LeafClass::Deal,
            RecordKind::Settle => match SettleRecord::parse(record.json().ok()?).ok()? {
                SettleRecord::Settled(_) => LeafClass::Settled,
                SettleRecord::Void(_) => LeafClass::Void,
            },
            RecordKind::Manifest
            | RecordKind::Action
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof => return None,
        };
        Some(Self { class, hash: record.hash() })
    }
}

impl EpochRounds {
    /// Returns no rounds yet.
    #[must_use]
    pub const fn new(epoch: u32, tenant: Identifier) -> Self {
        Self { epoch, tenant, rounds: BTreeMap::new() }
    }

    /// Adds a record of the round with this number at a table.
    pub fn add(&mut self, table: &Identifier, round_no: u64, record: LeafRecord) {
        let round = self.rounds.entry((table.clone(), round_no)).or_default();
        let hashes = match record.class {
            LeafClass::Ticket => &mut round.tickets,
            LeafClass::WagerLock | LeafClass::CloseLock => &mut round.locks,
            LeafClass::Deal => &mut round.deals,
            LeafClass::Settled | LeafClass::Void => &mut round.closes,
        };
        hashes.insert(record.hash);
        round.has_wagers |= record.class == LeafClass::WagerLock;
        round.is_settled |= record.class == LeafClass::Settled;
    }

    /// Returns how many rounds there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rounds.len()
    }

    /// Whether there is no round.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rounds.is_empty()
    }

    /// Returns the hash of the tree of all rounds, or [`None`] if there are no rounds.
    #[must_use]
    pub fn root(&self) -> Option<Hash> {
        tree_hash(&self.leaf_hashes())
    }

    fn leaf_hashes(&self) -> Vec<Hash> {
        let leaf = |((table, number), round): (&(Identifier, u64), &LeafRecords)| {
            leaf_hash(&self.leaf(table, *number, round))
        };
        self.rounds.iter().map(leaf).collect()
    }

    /// Returns the leaf of the round with this number at a table, or [`None`] if there is no such
    /// round.
    #[must_use]
    pub fn leaf_of(&self, table: &Identifier, round_no: u64) -> Option<Vec<u8>> {
        let round = self.rounds.get(&(table.clone(), round_no))?;
        Some(self.leaf(table, round_no, round))
    }

    /// Returns the places of the rounds: their tables and numbers.
    #[must_use]
    pub fn places(&self) -> Vec<(Identifier, u64)> {
        self.rounds.keys().cloned().collect()
    }

    /// Returns the places of the rounds with a lock of the wagers and no settled close, in order. In
    /// the vrf suite the close has the proofs of their seeds.
    #[must_use]
    pub fn without_settlement(&self) -> Vec<SeedPlace> {
        let open = self.rounds.iter().filter(|(_, round)| round.has_wagers && !round.is_settled);
        let place = |(table, round_no): &(Identifier, u64)| SeedPlace {
            table: table.clone(),
            round_no: *round_no,
        };
        open.map(|(at, _)| place(at)).collect()
    }

    /// Removes a round, and returns the hash of its leaf; [`None`] if it does not exist.
    pub fn take_leaf(&mut self, table: &Identifier, round_no: u64) -> Option<Hash> {
        let round = self.rounds.remove(&(table.clone(), round_no))?;
        Some(leaf_hash(&self.leaf(table, round_no, &round)))
    }

    /// Returns the proof of each round for which `is_wanted` holds, in the order of the leaves.
    pub fn proofs(&self, is_wanted: impl Fn(&Identifier, u64) -> bool) -> Vec<InclusionProof> {
        let tree = MerkleTree::new(self.leaf_hashes());
        let wanted = self
            .rounds
            .iter()
            .enumerate()
            .filter(|(_, ((table, number), _))| is_wanted(table, *number));
        let proof =
            |(at, ((table, number), round)): (usize, (&(Identifier, u64), &LeafRecords))| {
                Some(InclusionProof {
                    index: u64::try_from(at).ok()?,
                    place: Coordinates {
                        epoch: self.epoch,
                        tenant: self.tenant.clone(),
                        table: table.clone(),
                        round_no: *number,
                    },
                    closes: round.closes.iter().copied().collect(),
                    leaf: self.leaf(table, *number, round),
                    path: tree.path(at)?,
                })
            };
        wanted.filter_map(proof).collect()
    }

    fn leaf(&self, table: &Identifier, round_no: u64, round: &LeafRecords) -> Vec<u8> {
        let hashes = |of: &BTreeSet<Hash>| Json::arr(of.iter().map(Json::str));
        let leaf = Json::obj([
            ("closes", hashes(&round.closes)),
            ("deals", hashes(&round.deals)),
            ("epoch", Json::Int(u64::from(self.epoch))),
            ("locks", hashes(&round.locks)),
            ("round_no", Json::str(round_no)),
            ("table", Json::str(table)),
            ("tenant", Json::str(&self.tenant)),
            ("tickets", hashes(&round.tickets)),
        ]);
        leaf.to_bytes()
    }

    /// Returns the close of the epoch without proofs of seeds, or [`None`] if there is no round.
    #[must_use]
    pub fn close(&self) -> Option<EpochClose> {
        let root = self.root()?;
        let mut rounds = RoundCounts::default();
        let mut tables: Vec<ClosedTable> = Vec::new();
        for ((table, number), round) in &self.rounds {
            let count = match (round.closes.is_empty(), round.is_settled) {
                (true, _) => &mut rounds.never_closed,
                (false, true) => &mut rounds.settled,
                (false, false) => &mut rounds.voided,
            };
            *count += 1;
            rounds.opened_again += u64::from(round.tickets.len() > 1);
            let head = round.closes.first().copied().filter(|_| round.closes.len() == 1);
            match tables.last_mut() {
                // Numbers ascend within a table.
                Some(last) if last.table == *table => {
                    last.last = *number;
                    last.head = head;
                }
                _ => tables.push(ClosedTable { table: table.clone(), last: *number, head }),
            }
        }
        let leaves = u64::try_from(self.rounds.len()).ok()?;
        let (epoch, tenant) = (self.epoch, self.tenant.clone());
        let seed_proofs = Vec::new();
        Some(EpochClose { epoch, tenant, leaves, root, rounds, seed_proofs, tables })
    }
}

#[cfg(test)]
mod tests;
