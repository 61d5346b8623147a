//! `paigow-lab rng`: its arguments, and the functions that they call.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use paigow_fairness::encoding::{Identifier, hex_bytes};
use paigow_lab as lab;
use paigow_lab::rng::check::CheckPlan;
use paigow_lab::rng::{
    self, CollectionFormat, DeckCollection, KeystreamName, NumberCollection, NumberKind,
    RoundCollection, SeedDerivation, SeedSource, Seeds,
};
use paigow_lab::{CommandError, CommandOutcome};

#[derive(Subcommand)]
pub(crate) enum RngCommand {
    /// Writes words of the keystream: before scaling, before shuffling.
    ///
    /// Binary: each 32-bit word as four bytes, the lowest first, as `dieharder -g 200` and
    /// PractRand's `stdin32` and `stdin64` read them. Text: one word a line, decimal.
    Raw {
        #[command(flatten)]
        source: SourceArguments,
        /// The total number of bytes, a multiple of 4. Default: without end.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..))]
        bytes: Option<u64>,
        /// The number of bytes from each seed, a multiple of 4. In production every round has
        /// its own seed. Default: all bytes come from one seed.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(4..))]
        per_seed: Option<u64>,
        /// Which stream of the keystream.
        #[arg(long, value_enum, default_value_t = StreamArgument::Deck)]
        stream: StreamArgument,
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Writes integers below a bound: after scaling, before shuffling.
    ///
    /// Binary: each number as four bytes, the lowest first. Text: one number a line,
    /// decimal.
    Uniform {
        #[command(flatten)]
        source: SourceArguments,
        /// The integers are 0 to N - 1. Range: 2 to 4294967296.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1 << 32))]
        bound: u64,
        /// The total number of integers. Default: without end.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        /// The number of integers from each seed. Default: all come from one seed.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        per_seed: Option<u64>,
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Writes shuffled decks, one for each seed.
    ///
    /// Binary: each card as one byte, its number 0 to 52. The number is 13 times the suit (clubs 0,
    /// diamonds, hearts, spades 3) plus the rank (deuce 0 to ace 12); the joker is 52. Text: one
    /// deck a line, the codes of the cards with a space between.
    Decks {
        #[command(flatten)]
        source: SourceArguments,
        /// The number of decks. Default: one for each seed of a list, or without end.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        /// 53, or 52 for decks without the joker.
        #[arg(long, value_name = "N", default_value_t = 53, value_parser = clap::value_parser!(u8).range(52..=53))]
        cards: u8,
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Writes rounds of a ruleset, one for each seed: dice, hands and outcomes.
    ///
    /// Every seat has a base wager, and the house way sets every hand. Text: one JSON object a line
    /// with seed, dice, first, action_seat, hands, low and outcomes.
    ///
    /// Binary, for n positions, hands of h cards and s seats: 5 + n * h + s bytes a round. They are
    /// the dice (zeros if the game has none), the position dealt to first, and the seat at which
    /// settlement begins. Then come the hands of positions 0 to n - 1, one byte a card in the order
    /// dealt. Last comes the comparison of hands for each seat: 0 (lose), 1 (push) or 2 (win).
    Rounds {
        #[command(flatten)]
        source: SourceArguments,
        #[command(flatten)]
        game: RulesetArguments,
        /// The number of rounds. Default: one for each seed of a list, or without end.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        #[command(flatten)]
        format: FormatArgument,
    },
    /// Tests words, integers below each bound, decks and dice against exact expectations.
    ///
    /// The tests cover the bytes of a block, and seeds one bit apart. They cover integers below 2
    /// to 53, one by one and in pairs. In decks they cover the card at each position, the whole
    /// table, pairs of positions, and the first three cards. They compare each deck with the one
    /// before, and packets of seven with all 154,143,080 hands. They also cover dice, the first
    /// position, and dice against deck.
    ///
    /// The significance of all together is 0.01, by Holm's procedure. It is 0.005 for too uneven
    /// counts and 0.005 for too even counts (from ten degrees of freedom). The same seed and size
    /// give the same output, to the last bit, for any number of threads. Exit code 1: a test
    /// failed.
    ///
    /// With --input the command tests decks that somebody has collected, of this generator or of
    /// another. It makes the groups of tests on decks alone.
    Check {
        /// A file of decks in the order dealt; `-` is standard input. Binary: 53 bytes a deck, the
        /// numbers of its cards. Text: one deck a line, 53 codes or numbers with a space between.
        #[arg(long, value_name = "FILE", conflicts_with_all = ["short", "decks", "draws", "seed", "entropy", "threads"])]
        input: Option<PathBuf>,
        /// With --input: the format of the decks.
        #[arg(long, value_enum, default_value_t = FormatName::Binary, requires = "input")]
        format: FormatName,
        /// Uses 50,000 decks and 100,000 draws for each bound. Takes seconds.
        #[arg(long, conflicts_with_all = ["decks", "draws"])]
        short: bool,
        /// The number of decks. The first blocks of as many seeds are tested.
        #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1 << 32))]
        decks: u64,
        /// The number of integers drawn for each test of a bound.
        #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
        draws: u64,
        /// The secret of 64 hexadecimal digits that all seeds are derived from; the SHA-256
        /// of "paigow-lab rng check" if absent.
        #[arg(long, value_name = "HEX", value_parser = parse_seed, conflicts_with = "entropy")]
        seed: Option<[u8; 32]>,
        /// Takes the secret from the operating system. The output states it.
        #[arg(long)]
        entropy: bool,
        /// The number of threads. Default: one per processor.
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        threads: Option<u16>,
        /// Writes JSON instead of text, with every test.
        #[arg(long)]
        json: bool,
    },
}

/// Where the round seeds come from: one of the three.
#[derive(Args)]
pub(crate) struct SourceArguments {
    #[command(flatten)]
    from: FromArguments,
    /// With --seed: the table name for the derivation of seeds. Default: `rng`.
    #[arg(long, value_name = "NAME")]
    table: Option<Identifier>,
    /// With --seed: the first round number for the derivation of seeds. Default: 1.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..1 << 63))]
    first_round: Option<u64>,
    /// Writes the used round seeds to a file that --seeds can read.
    #[arg(long, value_name = "FILE")]
    save_seeds: Option<PathBuf>,
}

#[derive(Args)]
#[group(required = true, multiple = false)]
struct FromArguments {
    /// A file of round seeds, 64 lower-case hexadecimal digits a line; `-` is standard
    /// input.
    #[arg(long, value_name = "FILE")]
    seeds: Option<PathBuf>,
    /// A secret of 64 hexadecimal digits. Round seeds are derived from it as in production. They
    /// use suite derived, epoch 0, a salt of zeros, tenant lab, table rng, rounds 1, 2, 3 and so
    /// on, and no client seeds.
    #[arg(long, value_name = "HEX", value_parser = parse_seed)]
    seed: Option<[u8; 32]>,
    /// Uses server seeds from the operating system, as in the suite fresh.
    #[arg(long)]
    entropy: bool,
}

/// A ruleset and where its house way may be.
#[derive(Args)]
pub(crate) struct RulesetArguments {
    /// The id or content hash of a ruleset, or the path of a ruleset file.
    #[arg(long)]
    ruleset: String,
    /// An additional house-way file. Repeatable.
    #[arg(long = "house-way", value_name = "FILE")]
    house_ways: Vec<PathBuf>,
}

#[derive(Args)]
pub(crate) struct FormatArgument {
    /// The output format.
    #[arg(long, value_enum, default_value_t = FormatName::Binary)]
    format: FormatName,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum FormatName {
    /// Bytes without separators.
    Binary,
    /// Lines of text.
    Text,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum StreamArgument {
    /// pge.deck, of the shuffle.
    Deck,
    /// pge.dice, of the action-seat dice.
    Dice,
}

fn parse_seed(text: &str) -> Result<[u8; 32], String> {
    hex_bytes(text).map_err(|error| error.to_string())
}

fn without_seed(argument: &str) -> CommandError {
    CommandError::Usage(format!("{argument} requires --seed"))
}

impl SourceArguments {
    fn open(self) -> Result<Seeds, CommandError> {
        let source = match (self.from.seeds, self.from.seed) {
            (None, Some(secret)) => {
                let table = self.table.unwrap_or_else(SeedDerivation::default_table);
                SeedSource::Derived(SeedDerivation::from_round(
                    secret,
                    table,
                    self.first_round.unwrap_or(1),
                ))
            }
            // Only derived seeds have these. clap does not enforce `requires` for an argument
            // that conflicts with a given one.
            _ if self.table.is_some() => return Err(without_seed("--table")),
            _ if self.first_round.is_some() => return Err(without_seed("--first-round")),
            (Some(path), _) => SeedSource::List(path),
            (None, None) => SeedSource::Entropy,
        };
        Seeds::open(source, self.save_seeds)
    }
}

impl From<FormatArgument> for CollectionFormat {
    fn from(argument: FormatArgument) -> Self {
        argument.format.into()
    }
}

impl From<FormatName> for CollectionFormat {
    fn from(name: FormatName) -> Self {
        match name {
            FormatName::Binary => Self::Binary,
            FormatName::Text => Self::Text,
        }
    }
}

/// Returns how many words so many bytes are.
fn words(bytes: Option<u64>, argument: &str) -> Result<Option<u64>, CommandError> {
    match bytes {
        Some(bytes) if bytes % 4 != 0 => {
            Err(CommandError::Usage(format!("{argument} {bytes}: not a multiple of 4")))
        }
        bytes => Ok(bytes.map(|bytes| bytes / 4)),
    }
}

/// Runs a command on the output of the generator.
pub(crate) fn run(
    command: RngCommand,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    match command {
        RngCommand::Raw { source, bytes, per_seed, stream, format } => {
            let stream = match stream {
                StreamArgument::Deck => KeystreamName::Deck,
                StreamArgument::Dice => KeystreamName::Dice,
            };
            let wanted = NumberCollection {
                drawn: NumberKind::Words(stream),
                per_seed: words(per_seed, "--per-seed")?,
                count: words(bytes, "--bytes")?,
                format: format.into(),
            };
            rng::numbers(&wanted, source.open()?, out)
        }
        RngCommand::Uniform { source, bound, count, per_seed, format } => {
            let drawn = NumberKind::Below(bound);
            let wanted = NumberCollection { drawn, per_seed, count, format: format.into() };
            rng::numbers(&wanted, source.open()?, out)
        }
        RngCommand::Decks { source, count, cards, format } => {
            let wanted = DeckCollection { cards: usize::from(cards), count, format: format.into() };
            rng::decks(&wanted, source.open()?, out)
        }
        RngCommand::Rounds { source, game, count, format } => {
            let game = lab::find_game(&game.ruleset, &game.house_ways)?;
            rng::rounds(
                &RoundCollection { game, count, format: format.into() },
                source.open()?,
                out,
            )
        }
        RngCommand::Check { input: Some(path), format, json, .. } => {
            rng::check::check_decks(&path, format.into(), json, out)
        }
        RngCommand::Check { short, decks, draws, seed, entropy, threads, json, .. } => {
            let secret = match (seed, entropy) {
                (Some(seed), _) => seed,
                (None, true) => rng::check::secret_of_entropy()?,
                (None, false) => rng::check::DEFAULT_SECRET,
            };
            let threads = threads.map(usize::from).unwrap_or_else(paigow_files::system::processors);
            let (decks, draws) = if short { rng::check::SHORT } else { (decks, draws) };
            rng::check::check(&CheckPlan { secret, decks, draws, threads }, json, out)
        }
    }
}
