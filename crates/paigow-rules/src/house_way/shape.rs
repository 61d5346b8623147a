//! The shapes of six and seven cards: the sizes of their groups of equal rank.

/// The sizes of the groups of more than one card, largest first; the joker is an ace.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shape {
    FiveTwo,
    Five,
    FourThree,
    FourTwo,
    Four,
    ThreeThree,
    ThreeTwoTwo,
    ThreeTwo,
    Three,
    TwoTwoTwo,
    TwoTwo,
    Two,
    One,
}

impl Shape {
    /// The shapes of seven cards. Only the ace can be held more than four times, and six different
    /// ranks make one pair.
    const OF_SEVEN: [Self; 13] = [
        Self::FiveTwo,
        Self::Five,
        Self::FourThree,
        Self::FourTwo,
        Self::Four,
        Self::ThreeThree,
        Self::ThreeTwoTwo,
        Self::ThreeTwo,
        Self::Three,
        Self::TwoTwoTwo,
        Self::TwoTwo,
        Self::Two,
        Self::One,
    ];

    /// Those of six cards.
    const OF_SIX: [Self; 10] = [
        Self::Five,
        Self::FourTwo,
        Self::Four,
        Self::ThreeThree,
        Self::ThreeTwo,
        Self::Three,
        Self::TwoTwoTwo,
        Self::TwoTwo,
        Self::Two,
        Self::One,
    ];

    /// Returns the shapes that so many cards have, six or seven.
    pub(super) const fn all(cards: usize) -> &'static [Self] {
        if cards == 6 { &Self::OF_SIX } else { &Self::OF_SEVEN }
    }

    /// Returns the name of the shape in charts for so many cards: its sizes.
    pub(super) const fn name(self, cards: usize) -> &'static str {
        let [of_six, of_seven] = match self {
            Self::FiveTwo => ["", "5+2"],
            Self::Five => ["5+1", "5+1+1"],
            Self::FourThree => ["", "4+3"],
            Self::FourTwo => ["4+2", "4+2+1"],
            Self::Four => ["4+1+1", "4+1+1+1"],
            Self::ThreeThree => ["3+3", "3+3+1"],
            Self::ThreeTwoTwo => ["", "3+2+2"],
            Self::ThreeTwo => ["3+2+1", "3+2+1+1"],
            Self::Three => ["3+1+1+1", "3+1+1+1+1"],
            Self::TwoTwoTwo => ["2+2+2", "2+2+2+1"],
            Self::TwoTwo => ["2+2+1+1", "2+2+1+1+1"],
            Self::Two => ["2+1+1+1+1", "2+1+1+1+1+1"],
            Self::One => ["1+1+1+1+1+1", "1+1+1+1+1+1+1"],
        };
        if cards == 6 { of_six } else { of_seven }
    }

    /// Returns the sizes of the groups larger than one, largest first, then zeros.
    pub(super) const fn large_groups(self) -> [u8; 3] {
        match self {
            Self::FiveTwo => [5, 2, 0],
            Self::Five => [5, 0, 0],
            Self::FourThree => [4, 3, 0],
            Self::FourTwo => [4, 2, 0],
            Self::Four => [4, 0, 0],
            Self::ThreeThree => [3, 3, 0],
            Self::ThreeTwoTwo => [3, 2, 2],
            Self::ThreeTwo => [3, 2, 0],
            Self::Three => [3, 0, 0],
            Self::TwoTwoTwo => [2, 2, 2],
            Self::TwoTwo => [2, 2, 0],
            Self::Two => [2, 0, 0],
            Self::One => [0, 0, 0],
        }
    }

    /// Returns how many of so many cards are alone of their rank.
    pub(super) const fn singletons(self, cards: usize) -> usize {
        let [a, b, c] = self.large_groups();
        cards - a as usize - b as usize - c as usize
    }
}
