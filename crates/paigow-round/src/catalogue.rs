//! The rulesets and house ways that are loaded, by content hash (D9).

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use super::refusal::{FactKey, Reason, Refusal};
use paigow_exact::{BestPlay, HandWorths};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{ListedRuleset, Manifest};
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_rules::game::{self, HouseWayName, Ruleset};
use paigow_rules::house_way::{self, HouseWay, RulesFault};

/// A loaded ruleset with the house way that it names.
#[derive(Clone, Debug)]
pub struct ListedGame {
    /// The content hash of the ruleset.
    pub hash: Hash,
    /// The ruleset.
    pub ruleset: Ruleset,
    /// The content hash of the house way.
    pub house_way_hash: Hash,
    /// The house way that sets the dealer's hand.
    pub house_way: HouseWay,
    /// The counts of best play that were loaded with the house way.
    pub best_plays: Arc<[BestPlay]>,
    /// The values of hands of the game, after they are prepared.
    pub(super) worths: Arc<OnceLock<Option<HandWorths>>>,
}

impl ListedGame {
    /// Returns the fault in how a manifest lists the game, if there is one.
    #[must_use]
    pub fn listing_fault(&self, manifest: &Manifest) -> Option<&'static str> {
        let listed = manifest.ruleset(&self.hash)?;
        if listed.name.as_str() != self.ruleset.id() {
            Some("another name")
        } else if usize::from(listed.cards) != self.ruleset.cards() {
            Some("another deck")
        } else if !manifest.house_ways.iter().any(|way| way.hash == self.house_way_hash) {
            Some("its house way is not listed")
        } else {
            None
        }
    }
}

/// The reason why rules that a request or a command names are not found.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NamingFault {
    /// No rules are called so.
    #[error("unknown {kind} {name:?}; available: {}", nearest(name, known))]
    Unknown {
        /// `ruleset` or `house way`.
        kind: &'static str,
        /// The name as it was given.
        name: String,
        /// The names there are.
        known: BTreeSet<String>,
    },
    /// Such rules exist, but the manifest does not list them.
    #[error(
        "the {kind} {name:?} is loaded, and the manifest does not list it; it lists {}",
        nearest(name, known)
    )]
    Unlisted {
        /// `ruleset` or `house way`.
        kind: &'static str,
        /// The name as it was given.
        name: String,
        /// The names that are listed and loaded.
        known: BTreeSet<String>,
    },
    /// The manifest lists such a ruleset, but this replica has not loaded it. Another replica may
    /// have.
    #[error("the manifest lists the ruleset {name:?}, of hash {hash}, and it is not loaded here")]
    NotLoaded {
        /// The name as the manifest lists it.
        name: String,
        /// The content hash that it lists.
        hash: Hash,
    },
    /// Several rules match: a file that was changed under its id, and its earlier version.
    #[error("several {kind}s are called {name:?}, name one by its hash: {}", joined(hashes))]
    Ambiguous {
        /// `ruleset` or `house way`.
        kind: &'static str,
        /// The name as it was given.
        name: String,
        /// The content hashes.
        hashes: Vec<String>,
    },
}

impl NamingFault {
    /// Adds that rules that a manifest does not list are loaded, if they are.
    fn unlisted(self, is_loaded: bool) -> Self {
        match self {
            Self::Unknown { kind, name, known } if is_loaded => {
                Self::Unlisted { kind, name, known }
            }
            Self::Unknown { .. }
            | Self::Unlisted { .. }
            | Self::NotLoaded { .. }
            | Self::Ambiguous { .. } => self,
        }
    }

    /// Returns the refusal of a request that names such a ruleset in its field `ruleset`.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        match self {
            Self::NotLoaded { hash, .. } => {
                let refusal = Refusal::of(Reason::RulesetNotLoaded, self.to_string());
                refusal.with(FactKey::Ruleset, hash)
            }
            Self::Unknown { .. } | Self::Unlisted { .. } | Self::Ambiguous { .. } => {
                Refusal::at(Reason::Ruleset, "ruleset", self.to_string())
            }
        }
    }
}

/// The most names in a message. An operator may load hundreds of rulesets, and a status has to fit
/// a trailer.
const MOST_NAMES: usize = 8;

/// Lists those of `known` that share the longest beginning with `name`, and the number of the
/// others.
fn nearest(name: &str, known: &BTreeSet<String>) -> String {
    let alike = |other: &str| name.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    let mut names: Vec<&str> = known.iter().map(String::as_str).collect();
    names.sort_by_key(|other| Reverse(alike(other)));
    let more = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    let listed = joined(names);
    if more == 0 { listed } else { format!("{listed} and {more} more") }
}

fn joined<T: AsRef<str>>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.as_ref().to_owned()).collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

/// Returns the one of `items` that `name` names, by its hash or by its name.
fn named<'a, T>(
    kind: &'static str,
    name: &str,
    items: impl Iterator<Item = (Hash, &'a str, T)> + Clone,
) -> Result<(Hash, T), NamingFault> {
    if let Ok(wanted) = name.parse::<Hash>()
        && let Some((hash, _, item)) = items.clone().find(|(hash, _, _)| *hash == wanted)
    {
        return Ok((hash, item));
    }
    let mut found = items.clone().filter(|(_, id, _)| *id == name);
    match (found.next(), found.next()) {
        (Some((hash, _, item)), None) => Ok((hash, item)),
        (None, _) => {
            let known = items.map(|(_, id, _)| id.to_owned()).collect();
            Err(NamingFault::Unknown { kind, name: shortened(name), known })
        }
        (Some(_), Some(_)) => {
            let of_name = items.filter(|(_, id, _)| *id == name);
            let hashes = of_name.map(|(hash, _, _)| hash.to_string()).collect();
            Err(NamingFault::Ambiguous { kind, name: shortened(name), hashes })
        }
    }
}

/// Returns the part of a received name that an answer may repeat.
fn shortened(name: &str) -> String {
    name.chars().take(64).collect()
}

/// All rules that can be dealt, set or audited here.
///
/// # Examples
///
/// ```
/// use paigow_round::Catalogue;
///
/// let catalogue = Catalogue::shipped();
/// let game = catalogue.game_named("mikes")?;
/// assert_eq!(game.house_way.id(), "mikes");
/// // A record names the ruleset by its content hash.
/// assert_eq!(catalogue.game_named(&game.hash.to_string())?.hash, game.hash);
/// # Ok::<(), paigow_round::NamingFault>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    games: BTreeMap<Hash, ListedGame>,
    /// The hashes of the rulesets of an id. An id has one hash, unless its file was changed.
    by_id: BTreeMap<String, Vec<Hash>>,
    house_ways: BTreeMap<Hash, HouseWay>,
}

impl Catalogue {
    /// Returns the catalogue of the compiled-in rules.
    ///
    /// # Panics
    ///
    /// Never: a test checks that the shipped files fit together.
    #[must_use]
    pub fn shipped() -> Self {
        Self::new(house_way::shipped().to_vec(), game::shipped().to_vec())
            .expect("the shipped rulesets name the shipped house ways")
    }

    /// Makes a catalogue.
    ///
    /// # Errors
    ///
    /// Returns these faults:
    ///
    /// - every ruleset whose house way is not among `house_ways` under its hash;
    /// - every pair that disagrees on the rank of A-2-3-4-5;
    /// - every bet on two hands that returns more than it takes, unless the ruleset allows that.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_round::Catalogue;
    /// use paigow_rules::game::Ruleset;
    /// use paigow_rules::{game, house_way};
    ///
    /// let mikes = game::shipped().iter().find(|ruleset| ruleset.id() == "mikes").unwrap();
    /// // An operator's own file: another id, and at most five seats.
    /// let file = mikes.text().replace("id = \"mikes\"\nfamily", "id = \"mikes-five\"\nfamily");
    /// let own = Ruleset::parse(&file.replace("seats = 6", "seats = 5")).unwrap();
    /// let catalogue = Catalogue::new(house_way::shipped().to_vec(), vec![own]).unwrap();
    /// assert!(catalogue.game_named("mikes-five").is_ok());
    /// assert!(catalogue.game_named("mikes").is_err());
    /// ```
    pub fn new(house_ways: Vec<HouseWay>, rulesets: Vec<Ruleset>) -> Result<Self, Vec<RulesFault>> {
        Self::with_best_plays(house_ways, rulesets, BTreeMap::new())
    }

    /// Makes a catalogue with counts of best play against house ways, by the hashes of these, in
    /// addition to the compiled-in counts.
    ///
    /// # Errors
    ///
    /// As [`Self::new`]. Also counts for a house way that is not among `house_ways`.
    pub fn with_best_plays(
        house_ways: Vec<HouseWay>,
        rulesets: Vec<Ruleset>,
        best_plays: BTreeMap<Hash, Vec<BestPlay>>,
    ) -> Result<Self, Vec<RulesFault>> {
        let mut catalogue = Self::default();
        for way in house_ways {
            catalogue.house_ways.insert(house_way_hash(way.id(), way.text().as_bytes()), way);
        }
        let best_plays: BTreeMap<Hash, Arc<[BestPlay]>> =
            best_plays.into_iter().map(|(way, plays)| (way, plays.into())).collect();
        let strays = best_plays.keys().filter(|way| !catalogue.house_ways.contains_key(*way));
        let mut faults: Vec<RulesFault> = strays
            .map(|way| RulesFault {
                path: format!("{way}.best"),
                message: "no house way with this hash is loaded".to_owned(),
            })
            .collect();
        for ruleset in rulesets {
            let named = ruleset.house_way();
            let found = named.hash.parse().ok().and_then(|hash: Hash| {
                catalogue.house_ways.get(&hash).map(|way| (hash, way.clone()))
            });
            let mut fault = |message: String| {
                faults.push(RulesFault { path: format!("{}.house_way", ruleset.id()), message });
            };
            match found {
                None => fault(catalogue.without_house_way(named)),
                Some((_, way)) if way.id() != named.id => {
                    fault(format!("the hash is of {}, not of {}", way.id(), named.id));
                }
                Some((_, way)) if way.cards() != ruleset.hand_cards() => fault(format!(
                    "{} sets hands of {} cards, and the ruleset deals {}: name a house way for {}",
                    way.id(),
                    way.cards(),
                    ruleset.hand_cards(),
                    ruleset.hand_cards()
                )),
                Some((_, way)) if way.wheel() != ruleset.wheel() => {
                    fault("ranks A-2-3-4-5 unlike the ruleset".to_owned());
                }
                Some((_, way)) if way.joker() != ruleset.joker() => {
                    fault("has another joker than the ruleset".to_owned());
                }
                Some((house_way_hash, house_way)) => {
                    let hash = ruleset_hash(ruleset.id(), ruleset.text().as_bytes());
                    let best_plays = best_plays.get(&house_way_hash).cloned().unwrap_or_default();
                    let worths = Arc::default();
                    let game =
                        ListedGame { hash, ruleset, house_way_hash, house_way, best_plays, worths };
                    let id = game.ruleset.id();
                    let advantages = game.advantages().into_iter();
                    faults.extend(
                        advantages.map(|fault| RulesFault {
                            path: format!("{id}.{}", fault.path),
                            ..fault
                        }),
                    );
                    let same = catalogue.by_id.entry(id.to_owned()).or_default();
                    if !same.contains(&hash) {
                        same.push(hash);
                    }
                    catalogue.games.insert(hash, game);
                }
            }
        }
        if faults.is_empty() { Ok(catalogue) } else { Err(faults) }
    }

    /// Returns a game by the content hash of its ruleset.
    #[must_use]
    pub fn game(&self, hash: &Hash) -> Option<&ListedGame> {
        self.games.get(hash)
    }

    /// Returns a game by the id or the content hash of its ruleset.
    ///
    /// # Errors
    ///
    /// Returns [`NamingFault`] if there is no such game, or if several have the id.
    pub fn game_named(&self, name: &str) -> Result<&ListedGame, NamingFault> {
        // Rounds are replayed by name, one after another. Most names are plain ids.
        let plain = name.parse::<Hash>().is_err();
        if plain
            && let Some([only]) = self.by_id.get(name).map(Vec::as_slice)
            && let Some(game) = self.games.get(only)
        {
            return Ok(game);
        }
        let games = self.games.iter().map(|(hash, game)| (*hash, game.ruleset.id(), game));
        named("ruleset", name, games).map(|(_, game)| game)
    }

    /// Returns a game that a manifest lists, by the name or the content hash it lists.
    ///
    /// # Errors
    ///
    /// Returns [`NamingFault`] if the manifest lists none of that name, or if it is not loaded.
    pub fn game_listed(&self, manifest: &Manifest, name: &str) -> Result<&ListedGame, NamingFault> {
        let listed = manifest.rulesets.iter();
        // Nearly every name is a plain id that is listed once. Then only its game is looked up.
        let plain = name.parse::<Hash>().is_err();
        let mut of_name = listed
            .clone()
            .filter(|listed| listed.name.as_bytes() == name.as_bytes())
            .filter_map(|listed| self.games.get(&listed.hash));
        if plain && let (Some(only), None) = (of_name.next(), of_name.next()) {
            return Ok(only);
        }
        let games = listed.filter_map(|listed| {
            Some((listed.hash, listed.name.as_str(), self.games.get(&listed.hash)?))
        });
        let found = named("ruleset", name, games).map(|(_, game)| game);
        found.map_err(|error| {
            let is_named = |listed: &&ListedRuleset| {
                listed.name.as_str() == name || listed.hash.to_string() == name
            };
            match manifest.rulesets.iter().find(is_named) {
                Some(ListedRuleset { name, hash, .. }) => {
                    NamingFault::NotLoaded { name: name.to_string(), hash: *hash }
                }
                None => error.unlisted(self.game_named(name).is_ok()),
            }
        })
    }

    /// Returns a house way by its content hash.
    #[must_use]
    pub fn house_way(&self, hash: &Hash) -> Option<&HouseWay> {
        self.house_ways.get(hash)
    }

    /// Returns a house way by its id or its content hash, with the hash.
    ///
    /// # Errors
    ///
    /// Returns [`NamingFault`] if there is no such house way, or if several have the id.
    pub fn house_way_named(&self, name: &str) -> Result<(Hash, &HouseWay), NamingFault> {
        named("house way", name, self.house_ways.iter().map(|(hash, way)| (*hash, way.id(), way)))
    }

    /// Returns a house way that a manifest lists, by the name or the content hash it
    /// lists, with the hash.
    ///
    /// # Errors
    ///
    /// Returns [`NamingFault`] if the manifest lists none of that name, or if it is not loaded.
    pub fn house_way_listed(
        &self,
        manifest: &Manifest,
        name: &str,
    ) -> Result<(Hash, &HouseWay), NamingFault> {
        let ways = manifest.house_ways.iter().filter_map(|listed| {
            Some((listed.hash, listed.name.as_str(), self.house_ways.get(&listed.hash)?))
        });
        named("house way", name, ways)
            .map_err(|error| error.unlisted(self.house_way_named(name).is_ok()))
    }

    /// Says that a house way is not loaded, and lists those with the same id.
    fn without_house_way(&self, named: &HouseWayName) -> String {
        let HouseWayName { id, hash } = named;
        let same = self.house_ways.iter().filter(|(_, way)| way.id() == id);
        let hashes: Vec<String> = same.map(|(hash, _)| hash.to_string()).collect();
        if hashes.is_empty() {
            let ids: BTreeSet<&str> = self.house_ways.values().map(HouseWay::id).collect();
            return format!("no house way {id} with hash {hash}; loaded are {}", joined(ids));
        }
        format!("no house way {id} with hash {hash}: the loaded file has {}", joined(hashes))
    }

    /// Returns all games, by id.
    #[must_use]
    pub fn games(&self) -> Vec<&ListedGame> {
        let mut games: Vec<_> = self.games.values().collect();
        games.sort_by_key(|game| game.ruleset.id());
        games
    }

    /// Returns all house ways with their content hashes, by id.
    #[must_use]
    pub fn house_ways(&self) -> Vec<(Hash, &HouseWay)> {
        let mut ways: Vec<_> = self.house_ways.iter().map(|(hash, way)| (*hash, way)).collect();
        ways.sort_by_key(|(_, way)| way.id());
        ways
    }
}

#[cfg(test)]
mod tests;
