//! The rules of Pai Gow Poker: cards, hands, house ways, games and their settlement.
//!
//! Pure and certified: no clock, no file, no network, no random number and no
//! cryptography. Imports run one way: `game -> house_way -> hands -> cards`.
//!
//! ```
//! use paigow_rules::cards::{Card, codes};
//! use paigow_rules::house_way;
//!
//! let cards: Vec<Card> = "9c 2h Js 2d 2c 9d Jh".split(' ').flat_map(str::parse).collect();
//! let way = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
//! let setting = way.set(&cards).unwrap();
//! // "Full House: Put the pair in front and keep the three of a kind behind."
//! assert_eq!((setting.clause.id(), codes(&setting.low)), ("K4".into(), "Jh Js".into()));
//! ```

pub mod cards;
pub mod game;
pub mod hands;
pub mod house_way;
