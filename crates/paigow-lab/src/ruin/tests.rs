#![expect(clippy::float_arithmetic, reason = "closed forms of probabilities")]

use super::*;
use paigow_rules::game::Fraction;

/// Probabilities of the base wager of one seat, from the exact counts.
struct BaseOdds {
    win: f64,
    push: f64,
    lose: f64,
}

fn decimal(fraction: Fraction) -> f64 {
    let text = fraction.to_string();
    let (num, den) = text.split_once('/').unwrap();
    num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
}

/// Solves for the three probabilities of a base wager that wins 1, pushes or loses 1, from its
/// average and variance.
fn base_odds(game: &ListedGame) -> BaseOdds {
    let base = paigow_round::base_game(&game.ruleset, &game.house_way, &game.house_way).unwrap();
    let reading = base.reading("never-doubled").or_else(|| base.reading("as-played")).unwrap();
    let mean = decimal(reading.returns.average().unwrap());
    let decided = decimal(reading.returns.variance().unwrap()) + mean * mean;
    let [win, lose] = [f64::midpoint(decided, mean), f64::midpoint(decided, -mean)];
    BaseOdds { win, push: 1.0 - decided, lose }
}

fn game(id: &str) -> ListedGame {
    paigow_round::Catalogue::shipped().game_named(id).unwrap().clone()
}

fn request(of: BankrollOwner, wager: &str) -> RuinRequest {
    RuinRequest {
        of,
        bankroll_minor: 0,
        wagers: vec![SessionWager::parse(wager).unwrap()],
        seats: 1,
        sessions: 2000,
        rounds: 1,
        seed: [9; 32],
        threads: Some(2),
        json: true,
    }
}

fn document(game: &ListedGame, request: &RuinRequest) -> RuinDocument {
    let table = SessionTable::new(game, request).unwrap();
    RuinDocument::new(game, request, &play(&table, request).unwrap())
}

/// The seeds are fixed, so the figures never change. The bound is four standard errors.
fn assert_near(estimate: &report::RuinEstimate, exact: f64) {
    let error: f64 = estimate.standard_error.as_ref().unwrap().parse().unwrap();
    let value: f64 = estimate.value.parse().unwrap();
    assert!(error > 0.0 && (value - exact).abs() < 4.0 * error, "{estimate:?}, exactly {exact}");
}

/// The probability that a walk from `units`, up, flat or down by one each round, meets 0 within so
/// many rounds.
fn ruin_of_walk(odds: &BaseOdds, units: usize, rounds: usize) -> f64 {
    let mut at = vec![0.0; units + rounds + 2];
    at[units] = 1.0;
    for _ in 0..rounds {
        let mut next = vec![0.0; at.len()];
        next[0] = at[0];
        for place in 1..at.len() - 1 {
            next[place + 1] += at[place] * odds.win;
            next[place] += at[place] * odds.push;
            next[place - 1] += at[place] * odds.lose;
        }
        at = next;
    }
    at[0]
}

#[test]
fn the_risk_of_a_player_and_of_the_house_is_that_of_the_walk() {
    let game = game("mini");
    let odds = base_odds(&game);
    let ruined = RuinRequest {
        bankroll_minor: 300,
        rounds: 20,
        ..request(BankrollOwner::Player, "base=100")
    };
    let played = document(&game, &ruined);
    assert_near(&played.risk_of_ruin, ruin_of_walk(&odds, 3, 20));
    assert_near(&played.net_per_unit_wagered, odds.win - odds.lose);
    assert_near(&played.net_a_round, 100.0 * (odds.win - odds.lose));
    // The house takes the other side of the same rounds.
    let turned = BaseOdds { win: odds.lose, lose: odds.win, ..odds };
    let of_house = RuinRequest { of: BankrollOwner::House, ..ruined };
    assert_near(&document(&game, &of_house).risk_of_ruin, ruin_of_walk(&turned, 3, 20));
}

#[test]
fn a_limited_bank_wins_and_loses_no_more_than_it_holds() {
    let game = game("mikes");
    let odds = base_odds(&game);
    let request =
        RuinRequest { bankroll_minor: 2_500, ..request(BankrollOwner::PlayerDealer, "base=10000") };
    let played = document(&game, &request);
    // Of 100.00 the bank covers 25.00. The player-dealer pays a fee of 1.00 for action up to 100.00.
    assert_near(&played.net_a_round, 2_500.0 * (odds.lose - odds.win) - 100.0);
    assert_near(&played.uncovered_per_unit_wagered, 0.75 * (odds.win + odds.lose));
    assert_near(&played.risk_of_ruin, odds.win);
}

#[test]
fn where_a_player_deals_the_house_has_the_fees_of_both() {
    let request = RuinRequest { bankroll_minor: 1, ..request(BankrollOwner::House, "base=10000") };
    let played = document(&game("mikes"), &request);
    // The player pays 1.00 for a wager up to 200.00, and the player-dealer pays 1.00.
    assert_eq!(played.net_a_round.value, "200.000000");
    assert_eq!(played.net_a_round.standard_error.as_deref(), Some("0.000000"));
    assert_eq!(played.ruined_sessions, 0);
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let game = game("mikes");
    let request = RuinRequest {
        bankroll_minor: 50_000,
        seats: 3,
        sessions: 40,
        rounds: 25,
        ..request(BankrollOwner::PlayerDealer, "base=10000")
    };
    let text = |threads| {
        let mut out = Vec::new();
        let request = RuinRequest { threads: Some(threads), json: false, ..request.clone() };
        run(&game, &request, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(text(1), text(3));
    assert!(text(1).contains("bankroll of the player-dealer: 50000 at the start\n"), "{}", text(1));
}

#[test]
fn what_cannot_be_played_is_refused_by_name() {
    let (mini, mikes) = (game("mini"), game("mikes"));
    let base = RuinRequest { bankroll_minor: 100, ..request(BankrollOwner::Player, "base=100") };
    let refused = |game: &ListedGame, request: &RuinRequest| match SessionTable::new(game, request)
    {
        Ok(_) => panic!("not refused"),
        Err(CommandError::Usage(text) | CommandError::Data(text)) => text,
        Err(error) => panic!("{error}"),
    };
    let other = |change: &dyn Fn(&mut RuinRequest)| {
        let mut request = base.clone();
        change(&mut request);
        request
    };
    let banked = other(&|request| request.of = BankrollOwner::PlayerDealer);
    assert_eq!(refused(&mini, &banked), "--of player-dealer: mini has none");
    let seats = other(&|request| request.seats = 9);
    assert_eq!(refused(&mini, &seats), "--seats 9: mini has seats 1 to 7");
    assert!(refused(&game("face-up"), &base).contains("the deal shows the dealer's hand"));
    let bet = other(&|request| request.wagers = vec![SessionWager::parse("dynasty=100").unwrap()]);
    assert_eq!(refused(&mikes, &bet), "--wager dynasty: mikes has no such bet");
    let poor = other(&|request| request.bankroll_minor = 99);
    assert_eq!(refused(&mini, &poor), "--bankroll 99: a round needs 100");
    let long = other(&|request| request.rounds = 10_000_000_001);
    assert_eq!(
        refused(&mini, &long),
        "a session would wager 1000000000100 minor units; at most 1000000000000"
    );
    for text in ["base", "base=", "base=0", "base=-1", "base=x", "=1x"] {
        assert!(SessionWager::parse(text).is_err(), "{text}");
    }
}

#[test]
fn where_nobody_is_ruined_the_risk_has_a_bound() {
    let request = RuinRequest {
        bankroll_minor: 1_000_000,
        sessions: 60,
        ..request(BankrollOwner::Player, "base=100")
    };
    let played = document(&game("mini"), &request);
    assert_eq!(played.ruined_sessions, 0);
    assert!(played.risk_of_ruin.standard_error.is_none());
    // 1 - 0.05^(1/60); the rule of three says 0.05.
    assert_eq!(played.risk_at_most.as_deref(), Some("0.048703"));
}
