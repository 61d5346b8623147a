//! The state of a table, and what each player sees of it.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use paigow_client::Place;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::rules::TableRules;
use crate::wallet::Player;

/// The part of a round that the table is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum TablePhase {
    Betting,
    Opening,
    Setting,
    Settling,
}

/// A round, as the page names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RoundName {
    pub(crate) epoch: i32,
    pub(crate) round_no: i64,
}

impl From<&Place> for RoundName {
    fn from(place: &Place) -> Self {
        Self { epoch: place.epoch, round_no: place.round_no }
    }
}

/// A wager, as the page places it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlacedWager {
    pub(crate) bet: String,
    pub(crate) amount_minor: i64,
    #[serde(default)]
    pub(crate) choice: Option<Colour>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Colour {
    Red,
    Black,
}

/// A seat's part in a round, from the bet on.
#[derive(Clone, Debug)]
pub(crate) struct SeatHand {
    pub(crate) wagers: Vec<PlacedWager>,
    pub(crate) commit: String,
    pub(crate) public_key: String,
    pub(crate) seed: Option<[u8; 32]>,
    /// In the order in which they were dealt; empty before the deal.
    pub(crate) cards: Vec<String>,
    /// Whether the player has signed a decision.
    pub(crate) is_decided: bool,
}

impl SeatHand {
    pub(crate) fn stakes_minor(&self) -> i64 {
        self.wagers.iter().map(|wager| wager.amount_minor).sum()
    }

    pub(crate) fn base_minor(&self) -> i64 {
        self.wagers.iter().find(|wager| wager.bet == "base").map_or(0, |wager| wager.amount_minor)
    }
}

/// A seat with a player.
#[derive(Clone, Debug)]
pub(crate) struct TakenSeat {
    pub(crate) player: Player,
    pub(crate) hand: Option<SeatHand>,
}

/// The state of a table. Its dealer alone changes it. Only `connections` follow the pages.
#[derive(Debug)]
pub(crate) struct TableState {
    pub(crate) round: RoundName,
    pub(crate) phase: TablePhase,
    pub(crate) deadline: Option<Instant>,
    pub(crate) notice: Option<String>,
    pub(crate) seats: BTreeMap<i32, TakenSeat>,
    /// How many pages of a player are connected.
    connections: BTreeMap<String, usize>,
    pub(crate) prefixes: BTreeMap<i32, String>,
    pub(crate) ticket: Option<Value>,
    pub(crate) dealer: Option<Value>,
    pub(crate) dice: Vec<i32>,
    pub(crate) last: Option<Value>,
}

impl TableState {
    pub(crate) fn is_connected(&self, player: &str) -> bool {
        self.connections.contains_key(player)
    }

    /// Returns the seat of a player.
    pub(crate) fn seat_of(&self, player: &str) -> Option<i32> {
        self.seats.iter().find(|(_, taken)| taken.player.id == player).map(|(&seat, _)| seat)
    }

    /// Returns the round of the settlement that is shown.
    pub(crate) fn last_round(&self) -> Option<RoundName> {
        let round = self.last.as_ref()?.get("round")?;
        RoundName::deserialize(round).ok()
    }

    /// Returns the seats that play in the round, ascending.
    pub(crate) fn hands(&self) -> impl Iterator<Item = (i32, &SeatHand)> {
        self.seats.iter().filter_map(|(&seat, taken)| Some((seat, taken.hand.as_ref()?)))
    }

    pub(crate) fn hand_mut(&mut self, seat: i32) -> Option<&mut SeatHand> {
        self.seats.get_mut(&seat)?.hand.as_mut()
    }

    /// Whether every player at the table who is connected has bet.
    pub(crate) fn all_have_bet(&self) -> bool {
        self.seats
            .values()
            .all(|taken| taken.hand.is_some() || !self.is_connected(&taken.player.id))
    }

    /// Forgets everything about the round except the players and the settlement.
    pub(crate) fn begin(&mut self, round: RoundName) {
        self.round = round;
        self.phase = TablePhase::Betting;
        self.deadline = None;
        for taken in self.seats.values_mut() {
            taken.hand = None;
        }
        (self.prefixes, self.ticket, self.dealer, self.dice) = Default::default();
    }
}

/// A table as its dealer and its players share it.
#[derive(Debug)]
pub(crate) struct SharedTable {
    pub(crate) rules: TableRules,
    state: Mutex<TableState>,
    /// Counts the changes.
    changed: watch::Sender<u64>,
    /// Tells the dealer that a player connected or disconnected.
    pub(crate) presence: Notify,
}

impl SharedTable {
    pub(crate) fn new(rules: TableRules) -> Self {
        let state = TableState {
            round: RoundName { epoch: 0, round_no: 0 },
            phase: TablePhase::Settling,
            deadline: None,
            notice: Some("The table opens.".to_owned()),
            seats: BTreeMap::new(),
            connections: BTreeMap::new(),
            prefixes: BTreeMap::new(),
            ticket: None,
            dealer: None,
            dice: Vec::new(),
            last: None,
        };
        Self {
            rules,
            state: Mutex::new(state),
            changed: watch::Sender::new(0),
            presence: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&TableState) -> T) -> T {
        look(&self.state())
    }

    /// Changes the state, and notifies every player.
    pub(crate) fn change<T>(&self, change: impl FnOnce(&mut TableState) -> T) -> T {
        let made = change(&mut self.state());
        self.changed.send_modify(|version| *version += 1);
        made
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    pub(crate) fn connect(&self, player: &str) {
        self.change(|state| *state.connections.entry(player.to_owned()).or_default() += 1);
        self.presence.notify_one();
    }

    pub(crate) fn disconnect(&self, player: &str) {
        self.change(|state| {
            if let Some(pages) = state.connections.get_mut(player) {
                *pages -= 1;
                if *pages == 0 {
                    state.connections.remove(player);
                }
            }
        });
        self.presence.notify_one();
    }

    pub(crate) fn players(&self) -> usize {
        self.read(|state| state.seats.len())
    }

    /// Returns the view of a player.
    pub(crate) fn view(&self, player: &Player, balance_minor: i64) -> Value {
        let version = *self.changed.borrow();
        self.read(|state| view(state, &self.rules, version, player, balance_minor))
    }
}

fn view(
    state: &TableState,
    rules: &TableRules,
    version: u64,
    player: &Player,
    balance_minor: i64,
) -> Value {
    let own = state.seat_of(&player.id);
    let seats: Vec<Value> = (1..=rules.seats)
        .map(|seat| {
            let Some(taken) = state.seats.get(&seat) else {
                return json!({"seat": seat, "name": null, "connected": false, "bet": false,
                              "decided": false, "cards": 0, "wagers": []});
            };
            let hand = taken.hand.as_ref();
            json!({
                "seat": seat,
                "name": taken.player.name,
                "connected": state.is_connected(&taken.player.id),
                "bet": hand.is_some(),
                "decided": hand.is_some_and(|hand| hand.is_decided),
                "cards": hand.map_or(0, |hand| hand.cards.len()),
                "wagers": hand.map_or(&[][..], |hand| &hand.wagers),
            })
        })
        .collect();
    let hand = own.and_then(|seat| state.seats[&seat].hand.as_ref());
    let time_left =
        state.deadline.map(|end| end.saturating_duration_since(Instant::now()).as_millis());
    json!({
        "version": version,
        "round": state.round,
        "phase": state.phase,
        "time_left_ms": time_left.map(|left| u64::try_from(left).unwrap_or(u64::MAX)),
        "notice": state.notice,
        "you": {
            "name": player.name,
            "balance_minor": balance_minor,
            "seat": own,
            "prefix": own.and_then(|seat| state.prefixes.get(&seat)),
        },
        "seats": seats,
        "ticket": state.ticket,
        "cards": hand.map_or(&[][..], |hand| &hand.cards),
        "dealer": state.dealer,
        "dice": state.dice,
        "last": state.last,
    })
}
