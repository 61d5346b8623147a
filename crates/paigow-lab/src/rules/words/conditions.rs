//! The conditions of rows and pushes in sentences, one for each term (`docs/write-rules/bets.md`).
//! A laboratory can check a hand by them.

use crate::rules::figures::{capital, in_words, listed};
use paigow_rules::cards::Rank;
use paigow_rules::game::{
    Asked, BaseOutcome, BetSubject, CardTerm, ColourChoice, Comparison, Condition, PayRow,
    PokerHand, RankBits, Ruleset, SetTerm, ShowdownTerm, Term,
};
use paigow_rules::hands::{JokerUse, plural};

/// Returns the sentences of a row of a bet that looks at `looks_at`.
pub(in crate::rules) fn row(row: &PayRow, looks_at: BetSubject, ruleset: &Ruleset) -> String {
    let mut words = condition(&row.condition, looks_at, ruleset);
    if row.notify_floor {
        words.push_str(" A floor person is told before it is paid.");
    }
    words
}

/// Returns the sentences of a condition of a bet of `ruleset` that looks at `looks_at`.
pub(in crate::rules) fn condition(
    condition: &Condition,
    looks_at: BetSubject,
    ruleset: &Ruleset,
) -> String {
    let cards = match looks_at {
        BetSubject::FirstThree => 3,
        BetSubject::SeatHand
        | BetSubject::DealerHand
        | BetSubject::SeatSetHands
        | BetSubject::Showdown => ruleset.hand_cards(),
    };
    // A push of the base wager looks at the dealer's hands.
    let whose = if looks_at == BetSubject::SeatSetHands { "seat" } else { "dealer" };
    let groups = condition.groups().map(|group| {
        let sentences = group.iter().map(|term| sentence(*term, (cards, ruleset.joker()), whose));
        sentences.collect::<Vec<String>>().join(" ")
    });
    groups.collect::<Vec<String>>().join(" Or else: ")
}

/// Returns the sentence of one term, on so many cards with such a joker, or on the set hands of
/// `set_by`.
fn sentence(term: Term, cards: (usize, JokerUse), set_by: &str) -> String {
    match term.asked {
        Asked::Cards(asked) => of_cards(asked, term.is_negated, cards),
        Asked::Set(asked) => of_set(asked, term.is_negated, set_by),
        Asked::Showdown(asked) => of_showdown(asked, term.is_negated),
    }
}

fn of_cards(term: CardTerm, is_negated: bool, (cards, use_of_joker): (usize, JokerUse)) -> String {
    let joker = match use_of_joker {
        JokerUse::SemiWild => "the joker counting as an ace",
        JokerUse::Wild => "the joker counting as a card of any rank",
    };
    let all = in_words(cards);
    let are = if is_negated { "are not" } else { "are" };
    let is = if is_negated { "is not" } else { "is" };
    let not = if is_negated { "Not " } else { "" };
    let not_so = if is_negated { "This does not hold: " } else { "" };
    match term {
        CardTerm::FiveAces if is_negated => "The cards are not four aces and the joker.".to_owned(),
        CardTerm::FiveAces => "Four aces and the joker.".to_owned(),
        CardTerm::Made(made) => of_made(made, is_negated, (cards, use_of_joker)),
        CardTerm::Natural(made) if is_negated => {
            format!("Without the joker there is no {}.", name(made))
        }
        CardTerm::Natural(made) => {
            format!("{}, none of them the joker.", capital(&makes(made, cards)))
        }
        CardTerm::PaiGow if is_negated => {
            "There is a pair, a straight or a flush, of which the joker may be a part.".to_owned()
        }
        CardTerm::PaiGow => format!(
            "A pai gow hand: {all} different ranks, {}; no straight and no flush, those that the \
             joker completes included.",
            match use_of_joker {
                JokerUse::SemiWild => "the joker counting as an ace",
                JokerUse::Wild => "the joker not among the cards",
            }
        ),
        CardTerm::Joker => format!("The joker {is} among the {all} cards."),
        CardTerm::Highest(rank) => {
            format!("The highest rank {is} the {}, the joker counting as an ace.", rank.name())
        }
        CardTerm::PairOf(rank) => format!(
            "There is {} pair of {}, {joker}.",
            if is_negated { "no" } else { "a" },
            or_higher(rank)
        ),
        CardTerm::Pairs(0) if is_negated => {
            format!("One rank or more is held twice or more, {joker}.")
        }
        CardTerm::Pairs(pairs) => format!(
            "{not}{} {} held twice or more, {joker}.",
            if is_negated { format!("exactly {}", ranks(pairs)) } else { exactly(pairs) },
            if pairs == 1 { "is" } else { "are" },
        ),
        CardTerm::Suited(asked) => {
            format!("{}; the joker may be one of them.", so_many(asked, cards, are, "of one suit"))
        }
        CardTerm::Run(asked) => format!(
            "{}; the joker may stand for one of them, and the ace is low or high.",
            so_many(asked, cards, are, "of successive ranks")
        ),
        CardTerm::SuitedRun(asked) => format!(
            "{}; the joker may stand for one of them, and the ace is low or high.",
            so_many(asked, cards, are, "of successive ranks and one suit")
        ),
        CardTerm::Ranks(counts) => format!(
            "The cards {} {}, {joker}.",
            if is_negated { "do not include" } else { "include" },
            by_rank(&counts)
        ),
        CardTerm::OneSuit(letters, None) => format!(
            "{not}{} of one suit, the joker not among them.",
            if is_negated { all_of(letters) } else { capital(&all_of(letters)) }
        ),
        CardTerm::OneSuit(letters, Some(others)) => format!(
            "{not_so}{} of one suit, and {} of one other suit; the joker is not among them.",
            capital(&all_of(letters)),
            all_of(others)
        ),
        CardTerm::RoyalFlushBeside(two) => format!(
            "{not_so}Five of the cards are 10, jack, queen, king and ace of one suit, of which the \
             joker may stand for one; the other two are {} of one suit.",
            all_of(two)
        ),
        CardTerm::Colour(colour, asked) => format!(
            "{} {}; the joker is of neither colour.",
            exactly_of(asked, cards, are),
            match colour {
                ColourChoice::Red => "red (diamonds and hearts)",
                ColourChoice::Black => "black (clubs and spades)",
            }
        ),
        CardTerm::OneColour => {
            let lead = if is_negated { "The cards are neither" } else { "The cards are" };
            let or = if is_negated { "nor" } else { "or" };
            format!(
                "{lead} all red (diamonds and hearts) {or} all black (clubs and spades), the joker \
                 apart."
            )
        }
        CardTerm::NamedColour(asked) => {
            format!("{} of the colour named.", exactly_of(asked, cards, are))
        }
    }
}

fn of_made(made: PokerHand, is_negated: bool, (cards, joker): (usize, JokerUse)) -> String {
    let joker = match made {
        PokerHand::FiveOfAKind => "the joker is one of them",
        PokerHand::RoyalFlush
        | PokerHand::StraightFlush
        | PokerHand::Flush
        | PokerHand::Straight => "the joker may stand for one of them",
        PokerHand::FourOfAKind
        | PokerHand::FullHouse
        | PokerHand::ThreeOfAKind
        | PokerHand::TwoPair
        | PokerHand::Pair => match joker {
            JokerUse::SemiWild => "the joker counts as an ace",
            JokerUse::Wild => "the joker may stand for one of them",
        },
    };
    if is_negated {
        return format!("There is no {}, not even with the joker.", name(made));
    }
    format!("{}; {joker}.", capital(&makes(made, cards)))
}

const fn name(made: PokerHand) -> &'static str {
    match made {
        PokerHand::RoyalFlush => "royal flush",
        PokerHand::StraightFlush => "straight flush",
        PokerHand::FiveOfAKind => "five of a kind",
        PokerHand::FourOfAKind => "four of a kind",
        PokerHand::FullHouse => "full house",
        PokerHand::Flush => "flush",
        PokerHand::Straight => "straight",
        PokerHand::ThreeOfAKind => "three of a kind",
        PokerHand::TwoPair => "two pair",
        PokerHand::Pair => "pair",
    }
}

/// Returns the words for how many of the cards make it.
fn makes(made: PokerHand, cards: usize) -> String {
    let (whole, lowest, highest) =
        if cards == 3 { ("three", "A-2-3", "Q-K-A") } else { ("five", "A-2-3-4-5", "10-J-Q-K-A") };
    match made {
        PokerHand::RoyalFlush => "10, jack, queen, king and ace of one suit".to_owned(),
        PokerHand::StraightFlush => {
            format!("{whole} successive ranks of one suit, from {lowest} up to {highest}")
        }
        PokerHand::FiveOfAKind => "five cards of one rank".to_owned(),
        PokerHand::FourOfAKind => "four cards of one rank".to_owned(),
        PokerHand::FullHouse => "three cards of one rank, and two or three of another".to_owned(),
        PokerHand::Flush => format!("{whole} cards of one suit"),
        PokerHand::Straight => format!("{whole} successive ranks, from {lowest} up to {highest}"),
        PokerHand::ThreeOfAKind => "three cards of one rank".to_owned(),
        PokerHand::TwoPair => "two ranks, or more, each held twice or more".to_owned(),
        PokerHand::Pair => "two cards of one rank".to_owned(),
    }
}

fn of_showdown(term: ShowdownTerm, is_negated: bool) -> String {
    let yes = |plain: &str, negated: &str| if is_negated { negated } else { plain }.to_owned();
    let compared = |which: &str, comparison| match comparison {
        Comparison::Win => yes(
            &format!("The seat's {which} hand is higher than the dealer's."),
            &format!("The seat's {which} hand is not higher than the dealer's."),
        ),
        Comparison::Copy => yes(
            &format!("The {which} hands are of the same ranks."),
            &format!("The {which} hands are not of the same ranks."),
        ),
        Comparison::Lose => yes(
            &format!("The seat's {which} hand is lower than the dealer's."),
            &format!("The seat's {which} hand is not lower than the dealer's."),
        ),
    };
    match term {
        ShowdownTerm::Outcome(BaseOutcome::Win) => {
            yes("Both hands are won.", "One of the two hands, or both, is not won.")
        }
        ShowdownTerm::Outcome(BaseOutcome::Push) => yes(
            "One of the two hands is won and the other is not.",
            "Both hands are won, or neither is.",
        ),
        ShowdownTerm::Outcome(BaseOutcome::Lose) => {
            yes("Neither hand is won.", "One of the two hands, or both, is won.")
        }
        ShowdownTerm::High(comparison) => compared("high", comparison),
        ShowdownTerm::Low(comparison) => compared("low", comparison),
        ShowdownTerm::Seat(term) => of_set(term, is_negated, "seat"),
        ShowdownTerm::Dealer(term) => of_set(term, is_negated, "dealer"),
    }
}

/// Returns the sentence of a term on the hands of seat or dealer as they are set.
fn of_set(term: SetTerm, is_negated: bool, whose: &str) -> String {
    let is = if is_negated { "is not" } else { "is" };
    let highest = |which: &str, rank: Rank, pair: &str| {
        let rank = rank.name();
        if is_negated {
            format!("The {whose}'s {which} hand is {pair}, or its highest card is not the {rank}.")
        } else {
            format!("The {whose}'s {which} hand is not {pair}, and its highest card is the {rank}.")
        }
    };
    match term {
        SetTerm::High(category) => {
            format!("The category of the {whose}'s high hand {is} {}.", category.name())
        }
        SetTerm::HighHighest(rank) => highest("high", rank, "a pair or better"),
        SetTerm::LowHighest(rank) => highest("low", rank, "a pair"),
        SetTerm::LowPair(rank) => {
            format!("The {whose}'s low hand {is} a pair of {}.", or_higher(rank))
        }
    }
}

/// As `threes or higher`. Above aces there is nothing.
fn or_higher(rank: Rank) -> String {
    let ending = if rank == Rank::Ace { "" } else { " or higher" };
    format!("{}{ending}", plural(rank))
}

/// As `Four of the cards are of one suit`. `are` has the verb.
fn so_many(asked: u8, cards: usize, are: &str, what: &str) -> String {
    let asked = in_words(asked.into());
    if are == "are" && asked == in_words(cards) {
        return format!("All {asked} cards are {what}");
    }
    let no = if are == "are" { String::new() } else { "no ".to_owned() };
    capital(&format!("{no}{asked} of the cards are {what}"))
}

/// As `Exactly four of the seven cards are`.
fn exactly_of(asked: u8, cards: usize, are: &str) -> String {
    let (held, all) = (in_words(asked.into()), in_words(cards));
    match (usize::from(asked) == cards, are == "are") {
        (true, true) => format!("All {all} cards are"),
        (true, false) => format!("Not all {all} cards are"),
        (false, true) if asked == 0 => format!("None of the {all} cards is"),
        (false, false) if asked == 0 => format!("One of the {all} cards or more is"),
        (false, true) if asked == 1 => format!("Exactly one of the {all} cards is"),
        (false, true) => format!("Exactly {held} of the {all} cards are"),
        (false, false) => format!("Not exactly {held} of the {all} cards are"),
    }
}

fn ranks(pairs: u8) -> String {
    format!("{} rank{}", in_words(pairs.into()), if pairs == 1 { "" } else { "s" })
}

fn exactly(pairs: u8) -> String {
    if pairs == 0 { "No ranks".to_owned() } else { format!("Exactly {}", ranks(pairs)) }
}

/// As `a queen and two kings`, from the lowest rank up.
fn by_rank(counts: &[u8; 13]) -> String {
    let held = Rank::ALL.into_iter().zip(counts).filter(|(_, count)| **count > 0);
    let words = held.map(|(rank, &count)| match (count, rank) {
        (1, Rank::Eight | Rank::Ace) => format!("an {}", rank.name()),
        (1, _) => format!("a {}", rank.name()),
        (_, _) => format!("{} {}", in_words(count.into()), plural(rank)),
    });
    listed(&words.collect::<Vec<String>>())
}

/// As `an ace and a queen`, each once.
fn all_of(letters: RankBits) -> String {
    let held = |rank: Rank| u8::from(letters >> rank.index() & 1 == 1);
    by_rank(&Rank::ALL.map(held))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shipped(id: &str) -> &'static Ruleset {
        paigow_rules::game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
    }

    fn words(looks_at: BetSubject, terms: &[&str]) -> String {
        let terms = terms.iter().map(|term| Term::parse(term, looks_at, 7).expect(term));
        condition(&Condition::new([terms.collect()]).unwrap(), looks_at, shipped("express"))
    }

    #[test]
    fn a_condition_is_said_term_by_term() {
        assert_eq!(
            words(BetSubject::SeatHand, &["pai_gow", "highest:Q"]),
            "A pai gow hand: seven different ranks, the joker counting as an ace; no straight and \
             no flush, those that the joker completes included. The highest rank is the queen, the \
             joker counting as an ace."
        );
        assert_eq!(
            words(BetSubject::SeatHand, &["one_suit:A2345", "no_joker", "no_suited_run:7"]),
            "The joker is not among the seven cards. No seven of the cards are of successive ranks \
             and one suit; the joker may stand for one of them, and the ace is low or high. A two, \
             a three, a four, a five and an ace of one suit, the joker not among them."
        );
        assert_eq!(
            words(BetSubject::FirstThree, &["natural_straight_flush"]),
            "Three successive ranks of one suit, from A-2-3 up to Q-K-A, none of them the joker."
        );
        assert_eq!(
            words(BetSubject::Showdown, &["push", "low_pair:3"]),
            "One of the two hands is won and the other is not. The seat's low hand is a pair of \
             threes or higher."
        );
    }

    #[test]
    fn groups_are_alternatives() {
        let of = |text: &str| vec![Term::parse(text, BetSubject::SeatHand, 6).unwrap()];
        let either = Condition::new([of("red:6"), of("black:6")]).unwrap();
        assert_eq!(
            condition(&either, BetSubject::SeatHand, shipped("mini")),
            "All six cards are red (diamonds and hearts); the joker is of neither colour. Or else: \
             All six cards are black (clubs and spades); the joker is of neither colour."
        );
    }

    #[test]
    fn every_term_and_its_opposite_have_a_sentence_of_their_own() {
        let cards = "five_aces five_of_a_kind royal_flush straight_flush four_of_a_kind full_house flush straight \
                     three_of_a_kind two_pair pair natural_royal_flush natural_straight_flush \
                     natural_four_of_a_kind natural_full_house natural_flush natural_straight \
                     natural_three_of_a_kind natural_two_pair natural_pair pai_gow joker \
                     one_colour highest:A pair:3 pairs:0 pairs:1 pairs:2 pairs:3 suited:4 suited:7 \
                     run:3 suited_run:6 ranks:KKQ one_suit:AK one_suit:AK+QJ \
                     royal_flush_beside:AQ red:0 red:1 red:4 red:7 black:4 named_colour:5";
        let hands = "win push lose high_win high_copy high_lose low_win low_copy low_lose \
                     low_pair:3 dealer_low_pair:3 low_highest:9 dealer_low_highest:9 high:flush \
                     dealer_high:flush high_highest:K dealer_high_highest:K";
        let set =
            "high:high_card high:full_house high_highest:9 low_highest:9 low_pair:3 low_pair:A";
        for (looks_at, terms) in [
            (BetSubject::SeatHand, cards),
            (BetSubject::SeatSetHands, set),
            (BetSubject::Showdown, hands),
        ] {
            let mut sentences = std::collections::BTreeSet::new();
            for term in terms.split_whitespace() {
                for term in [term.to_owned(), format!("no_{term}")] {
                    let sentence = words(looks_at, &[&term]);
                    assert!(sentence.ends_with('.'), "{term}: {sentence}");
                    assert!(sentences.insert(sentence.clone()), "{term}: {sentence}");
                }
            }
        }
        let mut sentences = std::collections::BTreeSet::new();
        for term in set.split_whitespace() {
            for term in [term.to_owned(), format!("no_{term}")] {
                let read = Term::parse_of_push(&term, 7).unwrap();
                assert!(
                    sentences.insert(sentence(read, (7, JokerUse::SemiWild), "dealer")),
                    "{term}"
                );
            }
        }
        assert!(
            sentences
                .contains("The dealer's low hand is not a pair, and its highest card is the nine.")
        );
    }
}
