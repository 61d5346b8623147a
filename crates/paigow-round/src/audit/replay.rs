//! Rounds replayed from seeds alone, without signatures and without a record to compare.

use std::collections::BTreeMap;

use super::report::ReplayedRound;
use crate::refusal::{FactKey, Reason, Refusal, Refusals};
use crate::round::{path_in_sheet, sheet_refusal};
use crate::{Catalogue, client_seeds, decisions};
use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::seed::{client_block, round_seed};
use paigow_fairness::shuffle;
use paigow_rules::cards::{BySeat, Seat};
use paigow_rules::game::{Decision, WagerSheet};

/// The source of the seed of a replay.
#[derive(Clone, Debug)]
pub enum ReplaySeed {
    /// The round seed itself.
    Round(RoundSeed),
    /// A revealed epoch and the coordinates of a round in it.
    Epoch {
        /// The epoch's secret.
        secret: EpochSecret,
        /// The epoch's salt; zeros for the source `none`.
        salt: Hash,
        /// Where the round stands.
        coordinates: Coordinates,
    },
    /// The server's seed of a round, of either suite.
    Server {
        /// The seed.
        seed: ServerSeed,
        /// The public id of the round.
        round_id: Hash,
    },
}

impl ReplaySeed {
    /// Returns the seed of the round. A round seed already contains the client seeds.
    fn round_seed(&self, client_seeds: &BTreeMap<Seat, Vec<u8>>) -> RoundSeed {
        let from_server = |seed: &ServerSeed, round_id: &Hash| {
            round_seed(seed, round_id, &client_block(client_seeds), &[])
        };
        match self {
            Self::Round(seed) => seed.clone(),
            Self::Epoch { secret, salt, coordinates } => {
                let seed = coordinates.derived_server_seed(secret, salt);
                from_server(&seed, &coordinates.round_id())
            }
            Self::Server { seed, round_id } => from_server(seed, round_id),
        }
    }
}

/// A round to compute from its seeds.
#[derive(Clone)]
pub struct ReplayRequest {
    /// The seed.
    pub seed: ReplaySeed,
    /// The ruleset, by id or content hash.
    pub ruleset: String,
    /// The wagers.
    pub sheet: WagerSheet,
    /// The client seeds of the round, each with the place of the wager that shows it.
    pub client_seeds: Vec<(usize, Vec<u8>)>,
    /// The decisions; empty to deal only.
    pub decisions: Vec<(Seat, Decision)>,
}

impl std::fmt::Debug for ReplayRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ReplayRequest({})", self.ruleset)
    }
}

/// Replays a round.
///
/// # Errors
///
/// Returns a refusal for an unknown ruleset, wagers that it does not take, or decisions that do not
/// settle.
pub fn replay(catalogue: &Catalogue, request: &ReplayRequest) -> Result<ReplayedRound, Refusal> {
    let game = catalogue
        .game_named(&request.ruleset)
        .map_err(|error| Refusal::at(Reason::Ruleset, "ruleset", error.to_string()))?;
    let table = match game.ruleset.check(&request.sheet) {
        Ok(table) => table,
        Err(faults) => {
            let sheet = &request.sheet;
            let refusal = sheet_refusal(&game.ruleset, sheet, &faults, path_in_sheet);
            return Err(refusal.under("sheet"));
        }
    };
    let seeds = client_seeds::of_sheet(&request.sheet, &request.client_seeds)
        .map_err(|refusal| refusal.under("sheet"))?;
    let seed = request.seed.round_seed(&seeds);
    let deck = shuffle::full_deck(&seed);
    let dice = shuffle::dice(&seed);
    let dealt = game.ruleset.deal(&table, &deck, dice);
    let mut refusals = Refusals::default();
    let mut by_seat = BySeat::new();
    for (i, (seat, decision)) in request.decisions.iter().enumerate() {
        if by_seat.insert(*seat, decision.clone()).is_some() {
            let field = format!("decisions[{i}].seat");
            let what = "the seat has decided already";
            let refusal = Refusal::at(Reason::TwoActionsOneSeat, field, what);
            refusals.absorb(refusal.with(FactKey::Seat, seat));
        }
    }
    refusals.finish(())?;
    let settlement = if by_seat.is_empty() && table.base_total() > 0 {
        None
    } else {
        let path = |seat: Seat| {
            let index = request.decisions.iter().position(|(of, _)| *of == seat);
            index.map_or_else(|| "decisions".to_owned(), |i| format!("decisions[{i}]"))
        };
        match game.ruleset.settle(&game.house_way, &table, &dealt, &by_seat) {
            Ok(settlement) => Some(settlement),
            Err(error) => return Err(decisions::refusal(&error, path)),
        }
    };
    Ok(ReplayedRound {
        round_seed: seed,
        deck: deck.to_vec(),
        dice: game.ruleset.draws_dice().then_some(dice),
        dealer: dealt.dealer(),
        settlement,
    })
}
