//! The dealer of a table: plays one round after the other with the client, and takes what the players do.
//!
//! Every step of a round can be repeated. When a step fails, the dealer tells the players, asks the client for
//! the round again, and goes on with its next step.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_client::{ClientError, Engine, Opening, Place, Round, RoundClose, Table, commitment};
use paigow_proto::v1::{self as pb, decision};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

use crate::public_log::PublicLog;
use crate::rules::{WagerRefused, amount};
use crate::settlement;
use crate::state::{
    PlacedWager, RoundName, SeatHand, SharedTable, TablePhase, TableState, TakenSeat,
};
use crate::wallet::{Player, WalletError, Wallets};

/// How long the table waits for its players.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableClock {
    /// For the other bets, from the first one on.
    pub(crate) betting: Duration,
    /// For the seeds of the browsers.
    pub(crate) seeds: Duration,
    /// For the decisions.
    pub(crate) setting: Duration,
    /// For players whose pages are closed, when all others have decided.
    pub(crate) gone: Duration,
}

/// How long the dealer waits before it tries a failed step again.
const AGAIN: Duration = Duration::from_secs(1);

/// A move of a player at a table.
#[derive(Debug)]
pub(crate) enum Move {
    Sit { seat: i32 },
    Stand,
    Bet(BetMove),
    TakeBack,
    Seed { round: RoundName, seed: [u8; 32] },
    Decide(DecideMove),
    Sign { round: RoundName, signature: Vec<u8> },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BetMove {
    round: RoundName,
    wagers: Vec<PlacedWager>,
    commit: String,
    public_key: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecideMove {
    round: RoundName,
    #[serde(default)]
    low: Vec<String>,
    #[serde(default)]
    house_way: bool,
    #[serde(default)]
    double_down: bool,
}

/// A move that is refused, with a sentence for the player.
#[derive(Debug)]
pub(crate) struct MoveRefused {
    pub(crate) status: StatusCode,
    pub(crate) sentence: String,
}

impl MoveRefused {
    pub(crate) fn new(sentence: impl Into<String>) -> Self {
        Self { status: StatusCode::CONFLICT, sentence: sentence.into() }
    }
}

impl From<WagerRefused> for MoveRefused {
    fn from(refused: WagerRefused) -> Self {
        Self { status: StatusCode::BAD_REQUEST, sentence: refused.to_string() }
    }
}

impl From<WalletError> for MoveRefused {
    fn from(error: WalletError) -> Self {
        match error {
            WalletError::NotEnough { balance_minor, needed_minor } => Self::new(format!(
                "Your wallet holds {}, and {} are needed.",
                amount(balance_minor),
                amount(needed_minor)
            )),
            WalletError::Database(error) => {
                tracing::error!(%error, "the wallets cannot be used");
                Self {
                    status: StatusCode::SERVICE_UNAVAILABLE,
                    sentence: "The wallets cannot be used now.".to_owned(),
                }
            }
        }
    }
}

type MoveResult = Result<Value, MoveRefused>;

/// A move on its way to the dealer.
#[derive(Debug)]
pub(crate) struct PlayerMove {
    pub(crate) player: Player,
    pub(crate) made: Move,
    pub(crate) answer: oneshot::Sender<MoveResult>,
}

#[derive(Debug, thiserror::Error)]
enum DealerError {
    #[error(transparent)]
    Client(#[from] ClientError),
    #[error(transparent)]
    Wallet(#[from] WalletError),
}

/// An event that ends the dealer's waiting.
enum Event {
    Move(PlayerMove),
    Presence,
    Time,
}

/// The dealer of one table.
#[derive(Debug)]
pub(crate) struct Dealer {
    pub(crate) engine: Engine,
    pub(crate) table: Table,
    pub(crate) wallets: Wallets,
    pub(crate) shared: Arc<SharedTable>,
    pub(crate) log: Arc<PublicLog>,
    /// Whether the cards of each round wait for a public value.
    pub(crate) waits_for_beacon: bool,
    pub(crate) moves: mpsc::Receiver<PlayerMove>,
    pub(crate) clock: TableClock,
}

impl Dealer {
    /// Plays rounds until the program ends.
    pub(crate) async fn run(mut self) {
        loop {
            match self.play().await {
                Ok(()) => {}
                Err(DealerError::Client(ClientError::NotVerified { message, .. })) => {
                    // A settlement that fails its check is not paid. Play stops until an operator has checked it.
                    tracing::error!(table = self.shared.rules.id, message, "a settlement is wrong");
                    self.tell("The settlement failed its check. The table is closed.");
                    return;
                }
                Err(error) => {
                    tracing::warn!(table = self.shared.rules.id, %error, "a step failed, and is tried again");
                    self.tell("The table waits: a step of the round failed, and the dealer tries it again.");
                    self.wait_a_moment().await;
                }
            }
        }
    }

    fn tell(&self, sentence: &str) {
        self.shared.change(|state| state.notice = Some(sentence.to_owned()));
    }

    /// Refuses moves for a moment.
    async fn wait_a_moment(&mut self) {
        let end = Instant::now() + AGAIN;
        while let Event::Move(PlayerMove { answer, .. }) = self.next(Some(end)).await {
            drop(answer.send(Err(MoveRefused {
                status: StatusCode::SERVICE_UNAVAILABLE,
                sentence: "The table waits. Try again in a moment.".to_owned(),
            })));
        }
    }

    async fn next(&mut self, deadline: Option<Instant>) -> Event {
        let time = async {
            match deadline {
                Some(end) => tokio::time::sleep_until(end).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            made = self.moves.recv() => match made {
                Some(made) => Event::Move(made),
                // No player is left who could move.
                None => std::future::pending().await,
            },
            () = self.shared.presence.notified() => Event::Presence,
            () = time => Event::Time,
        }
    }

    /// Plays the round that is not closed, or the next one, to its end.
    async fn play(&mut self) -> Result<(), DealerError> {
        self.close_what_was_left().await?;
        let mut round = self.table.next_round().await?;
        let name = RoundName::from(&round.place);
        let is_known =
            self.shared.read(|state| state.round == name && state.hands().next().is_some());
        if !is_known {
            self.shared.change(|state| state.begin(name));
            self.seat_again(&round).await?;
        }
        self.shared.change(|state| state.notice = None);
        let is_seated = self.shared.read(|state| state.hands().next().is_some());
        if !is_seated {
            self.take_bets(&round).await?;
        }
        if round.dealt().await?.is_none() && !self.deal(&mut round).await? {
            return Ok(());
        }
        self.show_deal(&round).await?;
        if !round.is_locked().await? {
            self.take_decisions(&mut round).await?;
        }
        self.settle(&mut round).await
    }

    /// Closes the wallets of rounds that were closed when the program ended.
    async fn close_what_was_left(&self) -> Result<(), DealerError> {
        for place in self.wallets.open_rounds(&self.shared.rules.id).await? {
            match self.table.round(place.clone()).close().await? {
                Some(RoundClose::Settled(settled)) => {
                    let nets =
                        settled.seats.iter().map(|seat| (seat.seat, seat.net_minor)).collect();
                    self.wallets.close(&place, &nets).await?;
                }
                Some(RoundClose::Voided(_)) => self.wallets.close(&place, &BTreeMap::new()).await?,
                None => {}
            }
        }
        Ok(())
    }

    /// Seats the players of a round that the program before this one has begun.
    async fn seat_again(&self, round: &Round) -> Result<(), DealerError> {
        let holders = self.wallets.holders(&round.place).await?;
        let sheet = round.sheet().await?.unwrap_or_default();
        self.shared.change(|state| {
            for holder in holders {
                let wagers = sheet.wagers.iter().filter(|wager| wager.seat == holder.seat);
                let hand = SeatHand {
                    wagers: wagers.map(placed).collect(),
                    commit: String::new(),
                    public_key: String::new(),
                    seed: None,
                    cards: Vec::new(),
                    is_decided: false,
                };
                state.seats.retain(|_, taken| taken.player.id != holder.player.id);
                state
                    .seats
                    .insert(holder.seat, TakenSeat { player: holder.player, hand: Some(hand) });
            }
        });
        Ok(())
    }

    // Bets

    async fn take_bets(&mut self, round: &Round) -> Result<(), DealerError> {
        let prefixes = round.commit_prefixes().await?;
        self.shared.change(|state| {
            state.prefixes =
                prefixes.iter().map(|(&seat, prefix)| (seat, hex::encode(prefix))).collect();
        });
        loop {
            let (any, all) =
                self.shared.read(|state| (state.hands().next().is_some(), state.all_have_bet()));
            if any && all {
                break;
            }
            let deadline = self.shared.read(|state| state.deadline);
            if any != deadline.is_some() {
                let end = any.then(|| Instant::now() + self.clock.betting);
                self.shared.change(|state| state.deadline = end);
            }
            match self.next(self.shared.read(|state| state.deadline)).await {
                Event::Move(PlayerMove { player, made, answer }) => {
                    let result = self.move_while_betting(&round.place, &player, made).await;
                    drop(answer.send(result));
                }
                Event::Presence => {}
                Event::Time => break,
            }
        }
        // A player who left without a bet gives up the seat.
        self.shared.change(|state| {
            let gone: Vec<i32> = state
                .seats
                .iter()
                .filter(|(_, taken)| taken.hand.is_none() && !state.is_connected(&taken.player.id))
                .map(|(&seat, _)| seat)
                .collect();
            state.seats.retain(|seat, _| !gone.contains(seat));
            state.deadline = None;
        });
        Ok(())
    }

    async fn move_while_betting(
        &mut self,
        place: &Place,
        player: &Player,
        made: Move,
    ) -> MoveResult {
        match made {
            Move::Bet(bet) => self.bet(place, player, bet).await,
            Move::TakeBack => self.take_back(place, player).await,
            Move::Stand => {
                if self.shared.read(|state| state.seat_of(&player.id)).is_some() {
                    self.take_back(place, player).await?;
                }
                self.stand(player)
            }
            Move::Sit { seat } => self.sit(player, seat),
            Move::Seed { .. } | Move::Decide(_) | Move::Sign { .. } => {
                Err(MoveRefused::new("The cards are not dealt."))
            }
        }
    }

    async fn bet(&mut self, place: &Place, player: &Player, bet: BetMove) -> MoveResult {
        self.is_this_round(bet.round)?;
        let seat = self.own_seat(player)?;
        self.shared.rules.check(&bet.wagers)?;
        if !is_hexadecimal(&bet.commit) || !is_hexadecimal(&bet.public_key) {
            return Err(MoveRefused::new("A commitment and a key have 64 digits 0-9 a-f."));
        }
        let hand = SeatHand {
            wagers: bet.wagers,
            commit: bet.commit,
            public_key: bet.public_key,
            seed: None,
            cards: Vec::new(),
            is_decided: false,
        };
        self.wallets.hold(place, seat, &player.id, self.total(&hand, false)).await?;
        self.shared.change(|state| {
            if let Some(taken) = state.seats.get_mut(&seat) {
                taken.hand = Some(hand);
            }
        });
        Ok(json!({}))
    }

    async fn take_back(&mut self, place: &Place, player: &Player) -> MoveResult {
        let seat = self.own_seat(player)?;
        self.wallets.hold(place, seat, &player.id, 0).await?;
        self.shared.change(|state| {
            if let Some(taken) = state.seats.get_mut(&seat) {
                taken.hand = None;
            }
        });
        Ok(json!({}))
    }

    /// Returns the most that a seat may lose: stakes, fee, and the base wager once more if it is doubled.
    fn total(&self, hand: &SeatHand, is_doubled: bool) -> i64 {
        let base = hand.base_minor();
        hand.stakes_minor() + self.shared.rules.fee(base) + if is_doubled { base } else { 0 }
    }

    fn sit(&self, player: &Player, seat: i32) -> MoveResult {
        let seats = self.shared.rules.seats;
        self.shared.change(|state| {
            if !(1..=seats).contains(&seat) {
                return Err(MoveRefused::new(format!("A seat is 1 to {seats}.")));
            }
            match state.seats.get(&seat) {
                Some(taken) if taken.player.id == player.id => return Ok(json!({})),
                Some(_) => return Err(MoveRefused::new("Somebody sits there.")),
                None => {}
            }
            if state.seat_of(&player.id).is_some() {
                return Err(MoveRefused::new("Stand up first: you have another seat."));
            }
            state.seats.insert(seat, TakenSeat { player: player.clone(), hand: None });
            Ok(json!({}))
        })
    }

    fn stand(&self, player: &Player) -> MoveResult {
        self.shared.change(|state| {
            let Some(seat) = state.seat_of(&player.id) else { return Ok(json!({})) };
            if state.seats[&seat].hand.is_some() {
                return Err(MoveRefused::new(
                    "Your hand is open: stand up when the round has ended.",
                ));
            }
            state.seats.remove(&seat);
            Ok(json!({}))
        })
    }

    fn own_seat(&self, player: &Player) -> Result<i32, MoveRefused> {
        let seat = self.shared.read(|state| state.seat_of(&player.id));
        seat.ok_or_else(|| MoveRefused::new("Sit down first."))
    }

    fn is_this_round(&self, round: RoundName) -> Result<(), MoveRefused> {
        if self.shared.read(|state| state.round) == round {
            return Ok(());
        }
        Err(MoveRefused::new("That round is over."))
    }

    // Opening and deal

    /// Opens and deals. Returns whether the round goes on: without a seed it is void.
    async fn deal(&mut self, round: &mut Round) -> Result<bool, DealerError> {
        self.shared.change(|state| state.phase = TablePhase::Opening);
        if round.sheet().await?.is_some() {
            return self.dealt(round, None, &BTreeMap::new()).await;
        }
        let hands: BTreeMap<i32, SeatHand> = self
            .shared
            .read(|state| state.hands().map(|(seat, hand)| (seat, hand.clone())).collect());
        if hands.values().any(|hand| hand.commit.is_empty()) {
            // The program before this one had the commitments.
            self.void(round, pb::VoidReason::Equipment, "The game server was started again.")
                .await?;
            return Ok(false);
        }
        let of = |value: fn(&SeatHand) -> &String| {
            hands.iter().map(|(&seat, hand)| (seat, value(hand).clone())).collect()
        };
        let opening = Opening {
            commits: of(|hand| &hand.commit),
            seat_keys: of(|hand| &hand.public_key),
            house_way_if_absent: hands.keys().copied().collect(),
        };
        let ticket = match round.open(opening).await {
            Ok(ticket) => ticket,
            Err(ClientError::Refused(refused)) => {
                return self.refused(round, &refused.to_string()).await;
            }
            Err(error) => return Err(error.into()),
        };
        let end = Instant::now() + self.clock.seeds;
        self.shared.change(|state| {
            state.ticket = serde_json::from_slice(&ticket.envelope).ok();
            state.deadline = Some(end);
        });
        while self.shared.read(|state| state.hands().any(|(_, hand)| hand.seed.is_none())) {
            match self.next(Some(end)).await {
                Event::Move(PlayerMove { player, made, answer }) => {
                    drop(answer.send(self.move_while_opening(&player, made)));
                }
                Event::Presence => {}
                Event::Time => {
                    self.void(
                        round,
                        pb::VoidReason::ClientSeed,
                        "A player's browser did not send its seed.",
                    )
                    .await?;
                    return Ok(false);
                }
            }
        }
        let (sheet, seeds) = self.shared.change(|state| {
            state.deadline = None;
            let sheet =
                self.shared.rules.sheet(state.hands().map(|(seat, hand)| (seat, &hand.wagers[..])));
            let seeds = state.hands().filter_map(|(seat, hand)| Some((seat, hand.seed?))).collect();
            (sheet, seeds)
        });
        self.dealt(round, Some(sheet), &seeds).await
    }

    /// Locks the wagers, waits for the public value if the round has one, and deals. Returns whether the round goes on.
    async fn dealt(
        &self,
        round: &mut Round,
        sheet: Option<pb::WagerSheet>,
        seeds: &BTreeMap<i32, [u8; 32]>,
    ) -> Result<bool, DealerError> {
        if self.waits_for_beacon {
            self.tell(
                "The wagers are locked. The cards wait for a public value that nobody knows yet.",
            );
        }
        let is_first = sheet.is_some();
        match round.deal(sheet, seeds).await {
            Ok(_) => {}
            Err(ClientError::Refused(refused)) if is_first => {
                return self.refused(round, &refused.to_string()).await;
            }
            Err(ClientError::TooLate { .. }) => {
                let sentence = "The public value came before the wagers were locked.";
                self.void(round, pb::VoidReason::Operator, sentence).await?;
                return Ok(false);
            }
            Err(error) => return Err(error.into()),
        }
        self.shared.change(|state| state.notice = None);
        Ok(true)
    }

    /// Voids a round that the engine refuses: the table's own checks should have found the fault.
    async fn refused(&self, round: &mut Round, why: &str) -> Result<bool, DealerError> {
        tracing::error!(table = self.shared.rules.id, why, "the engine refuses the round");
        self.void(round, pb::VoidReason::Operator, "The engine refused the wagers.").await?;
        Ok(false)
    }

    fn move_while_opening(&self, player: &Player, made: Move) -> MoveResult {
        match made {
            Move::Seed { round, seed } => {
                self.is_this_round(round)?;
                let seat = self.own_seat(player)?;
                self.shared.change(|state| {
                    let prefix =
                        state.prefixes.get(&seat).and_then(|prefix| hex::decode(prefix).ok());
                    let commit = commitment(&prefix.unwrap_or_default(), &seed);
                    let hand = state
                        .hand_mut(seat)
                        .ok_or_else(|| MoveRefused::new("You have not bet."))?;
                    if hand.commit != commit {
                        return Err(MoveRefused::new("The seed does not open your commitment."));
                    }
                    hand.seed = Some(seed);
                    Ok(json!({}))
                })
            }
            Move::Sit { seat } => self.sit(player, seat),
            Move::Stand => self.stand(player),
            Move::Bet(_) | Move::TakeBack => {
                Err(MoveRefused::new("The bets of this round are closed."))
            }
            Move::Decide(_) | Move::Sign { .. } => {
                Err(MoveRefused::new("The cards are not dealt."))
            }
        }
    }

    async fn void(
        &self,
        round: &mut Round,
        reason: pb::VoidReason,
        sentence: &str,
    ) -> Result<(), DealerError> {
        round.void(reason).await?;
        self.wallets.close(&round.place, &BTreeMap::new()).await?;
        let names = self.names();
        let last = settlement::voided(&round.place, sentence, &names);
        self.end(last, &round.place);
        Ok(())
    }

    fn names(&self) -> BTreeMap<i32, String> {
        self.shared.read(|state| {
            state.hands().map(|(seat, _)| (seat, state.seats[&seat].player.name.clone())).collect()
        })
    }

    /// Ends a round with what the players see of it. A later view says that the public log has it.
    fn end(&self, last: Value, place: &Place) {
        self.shared.change(|state| {
            state.last = Some(last);
            let round = state.round;
            state.begin(round);
            state.phase = TablePhase::Settling;
        });
        let round = self.table.round(place.clone());
        let (log, shared) = (Arc::clone(&self.log), Arc::clone(&self.shared));
        tokio::spawn(log.tell(shared, self.table.clone(), round));
    }

    // Decisions

    async fn show_deal(&self, round: &Round) -> Result<(), DealerError> {
        let Some(dealt) = round.dealt().await? else { return Ok(()) };
        let ticket =
            dealt.records.first().and_then(|record| serde_json::from_slice(&record.envelope).ok());
        let decided = round.signed_seats().await?;
        let dealer = dealt.dealer.as_ref().map(|hand| json!({"low": hand.low, "high": hand.high}));
        self.shared.change(|state| {
            state.phase = TablePhase::Setting;
            // The deal shows the cards of all seats: a page gets it with the transcript, after the round.
            state.ticket = ticket;
            state.dealer = dealer;
            state.dice.clone_from(&dealt.dice);
            for hand in &dealt.hands {
                if let Some(own) = state.hand_mut(hand.seat) {
                    own.cards.clone_from(&hand.cards);
                    own.is_decided = decided.contains(&hand.seat);
                }
            }
            // A seat that has only bonus wagers has nothing to decide.
            for taken in state.seats.values_mut() {
                if let Some(hand) = taken.hand.as_mut().filter(|hand| hand.base_minor() == 0) {
                    hand.is_decided = true;
                }
            }
        });
        Ok(())
    }

    async fn take_decisions(&mut self, round: &mut Round) -> Result<(), DealerError> {
        let end = Instant::now() + self.clock.setting;
        let mut gone = None;
        while let Some(all_gone) = self.shared.read(waits_for_the_gone) {
            // A player who comes back has the whole time again.
            gone = all_gone.then(|| gone.unwrap_or_else(|| Instant::now() + self.clock.gone));
            let deadline = gone.map_or(end, |gone| gone.min(end));
            if self.shared.read(|state| state.deadline) != Some(deadline) {
                self.shared.change(|state| state.deadline = Some(deadline));
            }
            match self.next(Some(deadline)).await {
                Event::Move(PlayerMove { player, made, answer }) => {
                    let result = self.move_while_setting(round, &player, made).await;
                    drop(answer.send(result));
                }
                Event::Presence => {}
                Event::Time => break,
            }
        }
        self.shared.change(|state| state.deadline = None);
        Ok(())
    }

    async fn move_while_setting(
        &mut self,
        round: &mut Round,
        player: &Player,
        made: Move,
    ) -> MoveResult {
        match made {
            Move::Decide(decided) => self.decide(round, player, decided).await,
            Move::Sign { round: name, signature } => {
                self.is_this_round(name)?;
                let seat = self.own_seat(player)?;
                round.sign(seat, &signature).await.map_err(of_client)?;
                self.shared.change(|state| {
                    if let Some(hand) = state.hand_mut(seat) {
                        hand.is_decided = true;
                    }
                });
                Ok(json!({}))
            }
            Move::Sit { seat } => self.sit(player, seat),
            Move::Stand => self.stand(player),
            Move::Bet(_) | Move::TakeBack | Move::Seed { .. } => {
                Err(MoveRefused::new("The bets of this round are closed."))
            }
        }
    }

    async fn decide(
        &mut self,
        round: &mut Round,
        player: &Player,
        decided: DecideMove,
    ) -> MoveResult {
        self.is_this_round(decided.round)?;
        let seat = self.own_seat(player)?;
        let hand =
            self.shared.read(|state| state.seats.get(&seat).and_then(|taken| taken.hand.clone()));
        let hand = hand.ok_or_else(|| MoveRefused::new("You have not bet."))?;
        if hand.is_decided {
            return Err(MoveRefused::new("Your hand is set."));
        }
        let setting = if decided.house_way {
            decision::Setting::HouseWay(true)
        } else {
            decision::Setting::Low(pb::LowHand { cards: decided.low })
        };
        let doubled = decided.double_down;
        // Held before it is asked for. A hold that is too high goes back with the close.
        self.wallets.hold(&round.place, seat, &player.id, self.total(&hand, doubled)).await?;
        let decision = pb::Decision { seat, setting: Some(setting), double_down: doubled };
        let to_sign = round.decide(decision).await.map_err(of_client)?;
        Ok(json!({"to_sign": BASE64.encode(to_sign)}))
    }

    // Settlement

    async fn settle(&mut self, round: &mut Round) -> Result<(), DealerError> {
        let absent: Vec<i32> = self.shared.change(|state| {
            state.phase = TablePhase::Settling;
            state.hands().filter(|(_, hand)| !hand.is_decided).map(|(seat, _)| seat).collect()
        });
        let settled = round.settle(&absent).await?;
        let nets = settled.seats.iter().map(|seat| (seat.seat, seat.net_minor)).collect();
        self.wallets.close(&round.place, &nets).await?;
        let (rules, names) = (&self.shared.rules, self.names());
        let last =
            settlement::settled(&self.engine, rules, &round.place, &settled, &names, &absent)
                .await?;
        self.end(last, &round.place);
        Ok(())
    }
}

/// Returns whether all players who have not decided are gone; [`None`] if all have decided.
fn waits_for_the_gone(state: &TableState) -> Option<bool> {
    let mut undecided = state.hands().filter(|(_, hand)| !hand.is_decided).peekable();
    undecided.peek()?;
    Some(undecided.all(|(seat, _)| !state.is_connected(&state.seats[&seat].player.id)))
}

fn of_client(error: ClientError) -> MoveRefused {
    MoveRefused::new(error.to_string())
}

fn is_hexadecimal(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Returns a wager of a sheet as the page places it.
fn placed(wager: &pb::Wager) -> PlacedWager {
    use crate::state::Colour;
    let choice = match wager.choice() {
        pb::Choice::Unspecified => None,
        pb::Choice::Red => Some(Colour::Red),
        pb::Choice::Black => Some(Colour::Black),
    };
    PlacedWager { bet: wager.bet.clone(), amount_minor: wager.amount_minor, choice }
}
