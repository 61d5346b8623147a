use super::*;
use paigow_round::Catalogue;

fn request(rounds: u64, seats: u8) -> SimulationRequest {
    SimulationRequest {
        rounds,
        seats,
        double_down: false,
        two_hands: false,
        seed: [7; 32],
        shard: Shard::WHOLE,
        threads: Some(2),
        json: true,
    }
}

fn simulated(ruleset: &str, request: &SimulationRequest) -> SimulationDocument {
    let catalogue = Catalogue::shipped();
    let mut out = Vec::new();
    run(catalogue.game_named(ruleset).unwrap(), request, &mut out).unwrap();
    SimulationDocument::parse(&out).unwrap()
}

fn z(bet: &document::SimulatedBet) -> f64 {
    bet.estimate.as_ref().unwrap().z.as_ref().unwrap().parse().unwrap()
}

#[test]
fn shards_cover_every_round_once() {
    for (rounds, of) in [(10, 3), (3, 7), (1_000_000_000_000_000, u32::MAX)] {
        let shards = [0, 1, of / 2, of - 2, of - 1].map(|index| Shard { index, of });
        assert_eq!(shards[0].range(rounds)[0], 0);
        assert_eq!(shards[0].range(rounds)[1], shards[1].range(rounds)[0]);
        assert_eq!(shards[3].range(rounds)[1], shards[4].range(rounds)[0]);
        assert_eq!(shards[4].range(rounds)[1], rounds);
    }
    for text in ["1/1", "0/0", "1", "-1/2", "1/2/3", "a/b", ""] {
        assert!(Shard::parse(text).is_err(), "{text}");
    }
    assert_eq!(Shard::parse("0/1"), Ok(Shard::WHOLE));
}

#[test]
fn averages_are_near_the_exact_ones_and_a_wrong_pay_row_is_far_off() {
    // The seeds are fixed, so the figures never change. The bounds are four standard errors.
    let document = simulated("express", &request(4000, 1));
    let known: Vec<&document::SimulatedBet> =
        document.bets.iter().filter(|bet| bet.exact.is_some() && bet.lines > 0).collect();
    assert_eq!(known.len(), 5, "base, queens_dragon, dynasty, protection, red_black");
    for bet in &known {
        assert!(z(bet).abs() < 4.0, "{}: {}", bet.bet, z(bet));
        for row in &bet.rows {
            let z = row.estimate.as_ref().and_then(|estimate| estimate.z.as_ref());
            let z: f64 = z.map_or(0.0, |z| z.parse().unwrap());
            assert!(z.abs() < 4.0, "{}: {z}", row.row);
        }
    }
    assert!(!document.is_far());
    // The file pays 2 to 1 on five and six cards of the colour, and the exact figures are computed
    // from it. The rounds were paid 1 to 1.
    let catalogue = Catalogue::shipped();
    let express = catalogue.game_named("express").unwrap();
    let mut wrong = express.ruleset.text().to_owned();
    for row in ["6-cards-of-the-chosen-color", "5-cards-of-the-chosen-color"] {
        let row = wrong.find(&format!("id = \"{row}\"")).unwrap();
        let pays = row + wrong[row..].find("\"1/1\"").unwrap();
        wrong.replace_range(pays..pays + 5, "\"2/1\"");
    }
    let wrong = wrong.replace("allow_player_advantage = false", "allow_player_advantage = true");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), wrong).unwrap();
    let wrong = crate::find_game(file.path().to_str().unwrap(), &[]).unwrap();
    let mut planted = document.clone();
    for (bet, of_wrong) in
        planted.bets.iter_mut().zip(exact::bets(&wrong, &SimulatedBets::of(&wrong.ruleset), &[]))
    {
        bet.exact = of_wrong.exact;
    }
    planted.estimate();
    let red_black = planted.bets.iter().find(|bet| bet.bet == "red_black").unwrap();
    assert!(z(red_black) < -6.0, "{}", z(red_black));
    assert!(planted.is_far());
}

#[test]
fn sums_of_squares_are_those_of_the_rounds() {
    // Six seats share the dealer's hand. Queen's Dragon returns to all seats or to none, so its
    // squares are six times those of six independent seats.
    let document = simulated("express", &request(600, 6));
    let queens = document.bets.iter().find(|bet| bet.bet == "queens_dragon").unwrap();
    let hits = i128::from(queens.won) / 6;
    let returned = queens.returned_minor / i128::from(queens.won);
    assert_eq!(queens.won % 6, 0);
    assert!(hits > 0);
    assert_eq!(queens.squares, hits * (6 * returned) * (6 * returned));
    let protection = document.bets.iter().find(|bet| bet.bet == "protection").unwrap();
    assert_eq!(protection.estimate.as_ref().unwrap().error_from, "sample");
    assert_eq!(protection.lines, 3600);
}

#[test]
fn two_seats_hang_together_as_far_as_their_bet_does() {
    let document = simulated("express", &request(3000, 6));
    let of = |id: &str| {
        let bet = document.bets.iter().find(|bet| bet.bet == id).unwrap();
        let two = bet.two_seats.clone().unwrap();
        let number = |text: &str| text.parse::<f64>().unwrap();
        let variance = two.variance_by_seats.iter().map(|text| number(text)).collect::<Vec<_>>();
        (number(&two.covariance), number(&two.standard_error), number(&two.correlation), variance)
    };
    // All seats have the same result of a bet on the dealer's hand: the covariance is the variance.
    // It returns 51 stakes with p = 2,719,500/154,143,080, so that is 51^2 p (1 - p) = 45.07906.
    let (covariance, error, correlation, variance) = of("queens_dragon");
    assert!((covariance - 45.07906).abs() < 4.0 * error && error < 10.0, "{covariance} {error}");
    assert!((correlation - 1.0).abs() < 4.0 * error / 45.07906);
    assert!((variance[0] - 45.07906).abs() < 0.0001 && variance.len() == 6);
    // Six seats have 6 variances and 30 covariances.
    assert!((variance[5] - 6.0 * variance[0] - 30.0 * covariance).abs() < 0.0001);
    // Red cards of one seat are missing at another. Over all pairs of numbers of red cards, of
    // C(26,a) C(27,7-a) C(26-a,b) C(20+a,7-b) hands each, that comes to -0.116356.
    let (covariance, error, ..) = of("red_black");
    assert!((covariance + 0.116_356).abs() < 4.0 * error && error < 0.02, "{covariance} {error}");
    // Both base wagers compare with one dealer's hand.
    let (_, _, correlation, _) = of("base");
    assert!((0.1..0.6).contains(&correlation), "{correlation}");
    let one = simulated("express", &request(10, 1));
    assert!(one.bets.iter().all(|bet| bet.two_seats.is_none()));
    // The correlation of a sample is at most 1, however few rounds it has.
    for rounds in [2, 100, 1000] {
        let few = simulated("express", &request(rounds, 2));
        for two in few.bets.iter().filter_map(|bet| bet.two_seats.as_ref()) {
            let correlation: f64 = two.correlation.parse().unwrap();
            assert!(correlation.abs() <= 1.0, "{correlation} in {rounds} rounds");
        }
    }
}

#[test]
fn the_progress_bar_can_be_drawn() {
    progress_bar(3, "rounds").finish();
}

#[test]
fn a_simulation_of_an_exposed_game_says_that_no_seat_looks() {
    let dealt = |ruleset| simulated(ruleset, &request(1, 1)).run.dealt;
    assert_eq!(dealt("mini"), "whole rounds, settled by the engine");
    assert!(dealt("face-up").contains("; no seat looks at the dealer's hand, "));
}
