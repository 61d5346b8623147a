//! Voids compared with what they would have paid: rounds with locked wagers and no settlement.
//!
//! After the reveal, or in the vrf suite the close, anyone can deal these rounds again. If voids
//! were independent of the cards, the house's wins in them would be those of any rounds with the
//! same wagers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::io::{self, Write};

use serde_json::{Value, json};

use crate::in_order::in_order;
use paigow_fairness::beacon::BeaconSignature;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::Manifest;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::{EpochSecret, RoundSeed};
use paigow_fairness::seed::{client_block, round_commit};
use paigow_fairness::shuffle;
use paigow_fairness::ticket::Ticket;
use paigow_round::audit::{RoundEnding, RoundFindings};
use paigow_round::derived::DerivedRound;
use paigow_round::record::{DealRecord, EpochClose, EpochReveal, Lock, WagerLock};
use paigow_round::{Catalogue, ENGINE, ListedGame};
use paigow_rules::cards::Deck;
use paigow_rules::game::{Coverage, Decision, SettingChoice, WagerTable};

/// The default number of further decks that each round is dealt with.
pub const DEFAULT_SAMPLES: u32 = 999;

/// The label of the round seeds of these decks.
const LABEL: &str = "pge/v1/void-sample";

/// The rounds with locked wagers and no settlement so far. For each settled round it holds the id,
/// some 50 bytes, because another telling of it may have no close.
#[derive(Debug, Default)]
pub(crate) struct OpenStakes {
    rounds: BTreeMap<Hash, StakedRound>,
    settled: BTreeSet<Hash>,
}

#[derive(Debug)]
struct StakedRound {
    ticket: Ticket,
    /// [`None`]: a lock that cannot be read.
    lock: Option<WagerLock>,
    /// The beacon's signature in the deal, if the round was dealt.
    beacon: Option<BeaconSignature>,
    is_void: bool,
}

impl OpenStakes {
    /// Adds an audited round.
    pub(super) fn add(&mut self, lines: &[(usize, &[u8])], round: &RoundFindings) {
        let Some(id) = round.round_id else { return };
        if round.ending == Some(RoundEnding::Settled) {
            self.rounds.remove(&id);
            self.settled.insert(id);
            return;
        }
        let is_void = round.ending == Some(RoundEnding::Void);
        if let Some(known) = self.rounds.get_mut(&id) {
            known.is_void |= is_void;
        }
        let Some(staked) = staked(lines).filter(|_| !self.settled.contains(&id)) else {
            return;
        };
        self.rounds.entry(id).or_insert(StakedRound { is_void, ..staked });
    }

    /// Adds a round with locked wagers and no settlement.
    pub(crate) fn insert(&mut self, ticket: Ticket, lock: WagerLock, is_void: bool) {
        let lock = Some(lock);
        self.rounds.insert(ticket.round_id, StakedRound { ticket, lock, beacon: None, is_void });
    }

    /// Deals these rounds again, and sums the wins that the house would have had.
    pub(crate) fn count(
        &self,
        all_rounds: u64,
        known: &[(usize, RecordEnvelope)],
        beacons: &BTreeMap<u64, BeaconSignature>,
        catalogue: &Catalogue,
        samples: u32,
        threads: usize,
    ) -> VoidCount {
        let facts = EpochFacts::of(known, beacons);
        let mut count =
            VoidCount { all_rounds, void: 0, never_closed: 0, samples, groups: BTreeMap::new() };
        let made: Result<(), std::convert::Infallible> = in_order(
            threads,
            |(id, round): (&Hash, &StakedRound)| {
                let dealt = facts.deal(id, round, catalogue);
                (round, dealt.map(|dealt| dealt.house_nets(id, samples)))
            },
            |(round, dealt)| {
                count.add(round, dealt);
                Ok(())
            },
            |give| self.rounds.iter().try_for_each(give),
        );
        match made {
            Ok(()) => count,
        }
    }
}

/// Reads a round, if it has a lock of the wagers.
fn staked(lines: &[(usize, &[u8])]) -> Option<StakedRound> {
    let records: Vec<RecordEnvelope> =
        lines.iter().filter_map(|(_, line)| RecordEnvelope::parse(line).ok()).collect();
    let ticket = records.first().filter(|record| record.kind() == RecordKind::Ticket)?;
    let ticket = Ticket::parse(ticket.json().ok()?).ok()?;
    let lock = records.get(1).filter(|record| record.kind() == RecordKind::Lock)?;
    let lock = match lock.json().map_err(PayloadError::from).and_then(Lock::parse) {
        Ok(Lock::Wagers(lock)) => Some(lock),
        Ok(Lock::Close(_)) => return None,
        Err(_) => None,
    };
    let deal = records.get(2).filter(|record| record.kind() == RecordKind::Deal);
    let deal = deal.and_then(|deal| DealRecord::parse(deal.json().ok()?).ok());
    let beacon = deal.and_then(|deal| deal.beacon);
    Some(StakedRound { ticket, lock, beacon, is_void: false })
}

/// The facts about epochs in manifests, reveals and closes.
struct EpochFacts {
    manifests: BTreeMap<Hash, Manifest>,
    secrets: BTreeMap<u32, EpochSecret>,
    closes: BTreeMap<(u32, Identifier), EpochClose>,
    /// The signatures of the beacon's rounds that the caller has.
    beacons: BTreeMap<u64, BeaconSignature>,
}

impl EpochFacts {
    fn of(known: &[(usize, RecordEnvelope)], beacons: &BTreeMap<u64, BeaconSignature>) -> Self {
        let (manifests, secrets, closes) = Default::default();
        let mut facts = Self { manifests, secrets, closes, beacons: beacons.clone() };
        for (_, record) in known {
            let Ok(json) = record.json() else { continue };
            if record.kind() == RecordKind::Manifest
                && let Ok(manifest) = Manifest::parse(json)
            {
                facts.manifests.insert(record.hash(), manifest);
            } else if record.kind() == RecordKind::EpochReveal
                && let Ok(reveal) =
                    record.json().map_err(PayloadError::from).and_then(EpochReveal::parse)
            {
                facts.secrets.insert(reveal.epoch, reveal.secret);
            } else if record.kind() == RecordKind::EpochClose
                && let Ok(close) =
                    record.json().map_err(PayloadError::from).and_then(EpochClose::parse)
            {
                // The first one counts, as in an audit.
                facts.closes.entry((close.epoch, close.tenant.clone())).or_insert(close);
            }
        }
        facts
    }

    /// Deals a round again, from the seed that its ticket committed to.
    fn deal<'c>(
        &self,
        id: &Hash,
        round: &StakedRound,
        catalogue: &'c Catalogue,
    ) -> Option<DealtAgain<'c>> {
        let (ticket, lock) = (&round.ticket, round.lock.as_ref()?);
        let place = &ticket.coordinates;
        let manifest = self.manifests.get(&ticket.manifest)?;
        let epoch = manifest.epoch(place.epoch)?;
        let salt = epoch.salt?;
        let seed = match epoch.vrf_key {
            Some(key) => {
                let close = self.closes.get(&(place.epoch, place.tenant.clone()))?;
                let proof = close.seed_proof(&place.table, place.round_no)?;
                place.proven_server_seed(&key, &salt, proof)?
            }
            None => place.derived_server_seed(self.secrets.get(&place.epoch)?, &salt),
        };
        if round_commit(&seed, id, &ticket.ruleset, &ticket.engine) != ticket.commit {
            return None;
        }
        let game = catalogue.game(&ticket.ruleset).filter(|_| ticket.engine == ENGINE)?;
        let table = game.ruleset.check(&lock.sheet()).ok()?;
        let beacon = match ticket.external {
            None => None,
            Some(named) => {
                let signature = round.beacon.or(self.beacons.get(&named.round).copied())?;
                if !manifest.beacon.as_ref()?.verifies(named.round, &signature) {
                    return None;
                }
                Some(signature)
            }
        };
        let external = ticket.external_of(beacon.as_ref());
        let block = client_block(&lock.client_seeds);
        let DerivedRound { deck, dice, .. } = DerivedRound::from_seed(seed, id, &block, &external);
        Some(DealtAgain { game, table, deck, dice })
    }
}

struct DealtAgain<'c> {
    game: &'c ListedGame,
    table: WagerTable,
    deck: Deck,
    dice: [u8; 3],
}

/// The net win of the house in one round: with its real deck, and with others.
struct HouseNets {
    real: i64,
    others: Vec<i64>,
}

impl DealtAgain<'_> {
    fn house_nets(&self, id: &Hash, samples: u32) -> Option<HouseNets> {
        let other = |number: u32| {
            let seed = Hash::of_tuple(LABEL, &[id.as_bytes(), &number.to_le_bytes()]);
            let seed = RoundSeed::new(*seed.as_bytes());
            self.house_net(&shuffle::full_deck(&seed), shuffle::dice(&seed))
        };
        Some(HouseNets {
            real: self.house_net(&self.deck, self.dice)?,
            others: (0..samples).map(other).collect::<Option<_>>()?,
        })
    }

    /// Returns the net win of the house, with the dealer's result unless a player banks. The house
    /// way sets every hand, and nobody doubles.
    fn house_net(&self, deck: &Deck, dice: [u8; 3]) -> Option<i64> {
        let ruleset = &self.game.ruleset;
        let dealt = ruleset.deal(&self.table, deck, dice);
        let seats = self.table.seats().map(|(seat, _)| seat);
        let decide = Decision { setting: SettingChoice::HouseWay, double_down: false };
        let decisions = seats
            .filter(|seat| self.table.base_stake(*seat).is_some())
            .map(|seat| (seat, decide.clone()))
            .collect();
        let settled = ruleset.settle(&self.game.house_way, &self.table, &dealt, &decisions).ok()?;
        let player_banks =
            self.table.banker().is_some() || ruleset.coverage() == Coverage::PlayerDealer;
        let bank = if player_banks { 0 } else { settled.bank.net };
        settled.house_net.checked_add(bank)
    }
}

/// The key of a sum: a table of a tenant, and a currency.
type GroupKey = (Identifier, Identifier, String);

/// The result of the count.
#[derive(Debug)]
pub(crate) struct VoidCount {
    all_rounds: u64,
    void: u64,
    never_closed: u64,
    samples: u32,
    groups: BTreeMap<GroupKey, VoidSums>,
}

#[derive(Clone, Debug, Default)]
struct VoidSums {
    rounds: u64,
    not_computable: u64,
    real: i128,
    others: Vec<i128>,
}

impl VoidSums {
    fn add(&mut self, other: &Self) {
        self.rounds += other.rounds;
        self.not_computable += other.not_computable;
        self.real += other.real;
        self.others.resize(self.others.len().max(other.others.len()), 0);
        for (sum, one) in self.others.iter_mut().zip(&other.others) {
            *sum += one;
        }
    }

    /// Returns how many of all sums, the real one included, are at most as high as the real one.
    fn at_most(&self) -> usize {
        1 + self.others.iter().filter(|sum| **sum <= self.real).count()
    }
}

impl VoidCount {
    fn add(&mut self, round: &StakedRound, dealt: Option<Option<HouseNets>>) {
        *(if round.is_void { &mut self.void } else { &mut self.never_closed }) += 1;
        let currency = round.lock.as_ref().map_or_else(String::new, |lock| {
            let exponent = lock.currency.exponent();
            format!("{} (10^-{exponent})", lock.currency.code())
        });
        let place = &round.ticket.coordinates;
        let key = (place.tenant.clone(), place.table.clone(), currency);
        let one = match dealt.flatten() {
            Some(HouseNets { real, others }) => VoidSums {
                rounds: 1,
                not_computable: 0,
                real: real.into(),
                others: others.into_iter().map(i128::from).collect(),
            },
            None => VoidSums { rounds: 1, not_computable: 1, ..VoidSums::default() },
        };
        self.groups.entry(key).or_default().add(&one);
    }

    /// The sums of all tables, by currency.
    fn totals(&self) -> BTreeMap<&str, VoidSums> {
        let mut totals: BTreeMap<&str, VoidSums> = BTreeMap::new();
        for ((_, _, currency), sums) in &self.groups {
            totals.entry(currency).or_default().add(sums);
        }
        totals
    }

    /// Writes the sums for people.
    pub(crate) fn text(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { all_rounds, void, never_closed, samples, .. } = self;
        let all = void + never_closed;
        writeln!(
            out,
            "\n{all} of {all_rounds} rounds have locked wagers and no settlement: {void} void, \
             {never_closed} never closed"
        )?;
        if all == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "the house's result in them, all hands by house way, beside {samples} other deals of \
             the same wagers"
        )?;
        for ((tenant, table, currency), sums) in &self.groups {
            let place = format!("tenant {tenant}, table {table}");
            write_sums(out, &place, currency, sums)?;
        }
        for (currency, sums) in self.totals() {
            write_sums(out, &"all tables", currency, &sums)?;
        }
        Ok(())
    }

    /// Returns the sums for programs.
    pub(crate) fn json(&self) -> Value {
        let one = |sums: &VoidSums, currency: &str| {
            json!({
                "currency": currency, "rounds": sums.rounds,
                "not_computable": sums.not_computable, "house_net_minor": sums.real.to_string(),
                "at_most": sums.at_most(), "sums": sums.others.len() + 1,
            })
        };
        let group = |((tenant, table, currency), sums): (&GroupKey, &VoidSums)| {
            let mut group = one(sums, currency);
            group["tenant"] = json!(tenant.as_str());
            group["table"] = json!(table.as_str());
            group
        };
        let totals = self.totals();
        json!({
            "void": self.void, "never_closed": self.never_closed, "samples": self.samples,
            "tables": self.groups.iter().map(group).collect::<Vec<_>>(),
            "all": totals.iter().map(|(currency, sums)| one(sums, currency)).collect::<Vec<_>>(),
        })
    }
}

fn write_sums(
    out: &mut dyn Write,
    place: &dyn Display,
    currency: &str,
    sums: &VoidSums,
) -> io::Result<()> {
    let VoidSums { rounds, not_computable, real, others } = sums;
    write!(out, "  {place}: {rounds} rounds, {not_computable} not computable")?;
    if rounds > not_computable {
        let all = others.len() + 1;
        write!(out, "; {real} {currency}, the {} lowest of {all} sums", sums.at_most())?;
    }
    writeln!(out)
}
