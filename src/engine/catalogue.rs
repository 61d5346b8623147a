//! The rulesets and house ways that are loaded, by content hash (D9).

use std::collections::BTreeMap;

use crate::fairness::encoding::Hash;
use crate::fairness::manifest::Manifest;
use crate::fairness::seed::{house_way_hash, ruleset_hash};
use crate::game::{self, Ruleset};
use crate::house_way::{self, Fault, HouseWay};

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
}

impl ListedGame {
    /// Says what is wrong with the way in which a manifest lists the game, if it does.
    #[must_use]
    pub fn listing_fault(&self, manifest: &Manifest) -> Option<&'static str> {
        let listed = manifest.ruleset(&self.hash)?;
        let house_ways = manifest.house_ways.as_ref();
        if listed.name.as_str() != self.ruleset.id() {
            Some("another name")
        } else if usize::from(listed.cards) != self.ruleset.cards() {
            Some("another deck")
        } else if house_ways.is_some_and(|ways| !ways.iter().any(|w| w.hash == self.house_way_hash))
        {
            Some("its house way is not listed")
        } else {
            None
        }
    }
}

/// Everything that can be dealt, set or audited here.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    games: BTreeMap<Hash, ListedGame>,
    house_ways: BTreeMap<Hash, HouseWay>,
}

impl Catalogue {
    /// Returns the catalogue of what is compiled in.
    ///
    /// # Panics
    ///
    /// Never: a test holds the shipped files together.
    #[must_use]
    pub fn shipped() -> Self {
        Self::new(house_way::shipped().to_vec(), game::shipped().to_vec())
            .expect("the shipped rulesets name the shipped house ways")
    }

    /// Makes a catalogue.
    ///
    /// # Errors
    ///
    /// Every ruleset whose house way is not among `house_ways` under its hash, and every
    /// pair that disagrees on the rank of A-2-3-4-5.
    pub fn new(house_ways: Vec<HouseWay>, rulesets: Vec<Ruleset>) -> Result<Self, Vec<Fault>> {
        let mut catalogue = Self::default();
        for way in house_ways {
            catalogue.house_ways.insert(house_way_hash(way.id(), way.text().as_bytes()), way);
        }
        let mut faults = Vec::new();
        for ruleset in rulesets {
            let named = ruleset.house_way();
            let found = named.hash.parse().ok().and_then(|hash: Hash| {
                catalogue.house_ways.get(&hash).map(|way| (hash, way.clone()))
            });
            let mut fault = |message: String| {
                faults.push(Fault { path: format!("{}.house_way", ruleset.id()), message });
            };
            match found {
                None => fault(format!("no house way {} with hash {}", named.id, named.hash)),
                Some((_, way)) if way.id() != named.id => {
                    fault(format!("the hash is of {}, not of {}", way.id(), named.id));
                }
                Some((_, way)) if way.wheel() != ruleset.wheel() => {
                    fault("ranks A-2-3-4-5 unlike the ruleset".to_owned());
                }
                Some((house_way_hash, house_way)) => {
                    let hash = ruleset_hash(ruleset.id(), ruleset.text().as_bytes());
                    let game = ListedGame { hash, ruleset, house_way_hash, house_way };
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
    #[must_use]
    pub fn game_named(&self, name: &str) -> Option<&ListedGame> {
        self.games.values().find(|game| game.ruleset.id() == name).or_else(|| {
            let hash: Hash = name.parse().ok()?;
            self.game(&hash)
        })
    }

    /// Returns a house way by its id or its content hash, with the hash.
    #[must_use]
    pub fn house_way_named(&self, name: &str) -> Option<(Hash, &HouseWay)> {
        let by_id = self.house_ways.iter().find(|(_, way)| way.id() == name);
        by_id
            .or_else(|| {
                let hash: Hash = name.parse().ok()?;
                self.house_ways.get_key_value(&hash)
            })
            .map(|(hash, way)| (*hash, way))
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
