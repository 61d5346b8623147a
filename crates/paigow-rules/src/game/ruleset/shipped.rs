//! The rulesets that are compiled in.

use std::sync::LazyLock;

use super::Ruleset;

/// The files, by id.
const FILES: [&str; 25] = [
    include_str!("../rulesets/classic.toml"),
    include_str!("../rulesets/classic-challenge.toml"),
    include_str!("../rulesets/classic-progressive.toml"),
    include_str!("../rulesets/express.toml"),
    include_str!("../rulesets/express-2.toml"),
    include_str!("../rulesets/express-3.toml"),
    include_str!("../rulesets/express-4.toml"),
    include_str!("../rulesets/express-5.toml"),
    include_str!("../rulesets/express-6.toml"),
    include_str!("../rulesets/express-7.toml"),
    include_str!("../rulesets/express-active.toml"),
    include_str!("../rulesets/express-wild.toml"),
    include_str!("../rulesets/face-up.toml"),
    include_str!("../rulesets/face-up-bonus.toml"),
    include_str!("../rulesets/mania.toml"),
    include_str!("../rulesets/mikes.toml"),
    include_str!("../rulesets/mini.toml"),
    include_str!("../rulesets/mini-active.toml"),
    include_str!("../rulesets/mini-b.toml"),
    include_str!("../rulesets/mini-c.toml"),
    include_str!("../rulesets/mini-community.toml"),
    include_str!("../rulesets/mini-six.toml"),
    include_str!("../rulesets/nine-push.toml"),
    include_str!("../rulesets/online.toml"),
    include_str!("../rulesets/queen-push.toml"),
];

/// Returns the rulesets that are compiled in, by id.
#[must_use]
pub fn shipped() -> &'static [Ruleset] {
    static RULESETS: LazyLock<Vec<Ruleset>> = LazyLock::new(|| {
        let parse = |file: &&str| Ruleset::parse(file).expect("a test parses every shipped file");
        FILES.iter().map(parse).collect()
    });
    &RULESETS
}
