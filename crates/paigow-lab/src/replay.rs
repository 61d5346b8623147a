//! `paigow-lab replay`: seeds, decks and dice from published inputs, with all intermediate values.
//! So another implementation can be compared with this one.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use super::{CommandError, CommandOutcome, answer_lines};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::payload::{Members, PayloadError, card_list};
use paigow_fairness::secret::{EpochSecret, RoundSeed, ServerSeed};
use paigow_fairness::seed::{self, Coordinates};
use paigow_fairness::shuffle;
use paigow_fairness::vrf::VrfProof;
use paigow_rules::cards::{Seat, codes};

/// How many words a block of the keystream has.
const BLOCK_WORDS: usize = 16;

/// Replays every line.
///
/// A line with `round_seed` (and `cards`, 53 if absent) is replayed from that seed. The answer has
/// the first block of both streams, the first four words, deck, dice and words used. Its other
/// members are ignored.
///
/// Any other line has the members of a round: `suite`, `epoch`, `tenant`, `table`, `round_no`,
/// `ruleset_hash`, `engine`, `cards`, `client_seeds` and `external`. The suite decides which others
/// it has:
///
/// - `derived`: `epoch_secret` with `epoch_salt`;
/// - `vrf`: `vrf_key` with `epoch_salt` and `seed_proof`;
/// - `fresh`: `server_seed`.
///
/// The answer to a line that cannot be replayed is `{"error":"...","line":n}`.
///
/// # Errors
///
/// If input or output fails.
pub fn run(input: &mut dyn BufRead, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    answer_lines(input, out, |line, text| {
        let answer = answer(line).map_err(|error| error.to_string())?;
        text.extend_from_slice(&answer.to_bytes());
        Ok(())
    })
}

fn answer(line: &[u8]) -> Result<Json<'static>, PayloadError> {
    let mut members = Members::of(Json::parse(line)?)?;
    if members.has("round_seed") { from_round_seed(&mut members) } else { round(&mut members) }
}

fn from_round_seed(members: &mut Members) -> Result<Json<'static>, PayloadError> {
    let seed = RoundSeed::new(members.bytes("round_seed")?);
    let cards = members.optional("cards", cards)?.unwrap_or(53);
    let drawn = shuffle::drawn(&seed, cards);
    let block = |words: Vec<u32>| {
        hex::encode(words.into_iter().flat_map(u32::to_le_bytes).collect::<Vec<_>>())
    };
    Ok(Json::obj([
        (
            "deck_block_0",
            Json::Str(block(shuffle::deck_words(&seed, BLOCK_WORDS).collect()).into()),
        ),
        (
            "dice_block_0",
            Json::Str(block(shuffle::dice_words(&seed, BLOCK_WORDS).collect()).into()),
        ),
        ("deck_words_0_3", words(&seed, 4)),
        ("deck", card_list(&drawn.deck)),
        ("deck_words_used", count(drawn.deck_words)),
        ("dice", dice(drawn.dice)),
        ("dice_words_used", count(drawn.dice_words)),
    ]))
}

fn round(members: &mut Members) -> Result<Json<'static>, PayloadError> {
    let suite = members.text("suite")?;
    let epoch = members.int("epoch", (1 << 31) - 1)?;
    let coordinates = Coordinates {
        epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
        tenant: members.parsed("tenant")?,
        table: members.parsed("table")?,
        round_no: members.decimal("round_no")?,
    };
    let ruleset = members.hash("ruleset_hash")?;
    let engine = members.parsed("engine")?;
    let cards = cards(members, "cards")?;
    let external = members.any_bytes("external")?;
    let client_seeds = client_seeds(members)?;

    let round_id = coordinates.round_id();
    let (server_seed, of_epoch) = match &*suite {
        "derived" => {
            let secret = EpochSecret::new(members.bytes("epoch_secret")?);
            let salt = members.hash("epoch_salt")?;
            let of_epoch = vec![
                ("epoch_commit", Json::str(seed::epoch_commit(coordinates.epoch, &secret))),
                (
                    "server_seed_info",
                    Json::Str(hex::encode(coordinates.server_seed_info(&salt)).into()),
                ),
            ];
            (coordinates.derived_server_seed(&secret, &salt), of_epoch)
        }
        "vrf" => {
            let (key, salt) = (members.key("vrf_key")?, members.hash("epoch_salt")?);
            let proof = VrfProof::from_bytes(members.bytes("seed_proof")?);
            let input = Json::Str(hex::encode(coordinates.vrf_input(&salt)).into());
            let seed = coordinates.proven_server_seed(&key, &salt, &proof);
            let seed = seed.ok_or_else(|| {
                members.blame("seed_proof", "no proof under the key for this round")
            })?;
            (seed, vec![("vrf_input", input)])
        }
        "fresh" => (ServerSeed::new(members.bytes("server_seed")?), Vec::new()),
        _ => return Err(members.blame("suite", "derived, vrf or fresh")),
    };
    members.finish()?;

    let commits: BTreeMap<Seat, Hash> = client_seeds
        .iter()
        .map(|(seat, seed)| (*seat, seed::client_commit(&round_id, *seat, seed)))
        .collect();
    let block = seed::client_block(&client_seeds);
    let round_seed = seed::round_seed(&server_seed, &round_id, &block, &external);
    let drawn = shuffle::drawn(&round_seed, cards);
    let mut answer = Json::obj([
        ("client_block", Json::Str(hex::encode(&block).into())),
        ("client_commits", paigow_fairness::payload::seat_map(&commits, Json::str)),
        ("commit", Json::str(seed::round_commit(&server_seed, &round_id, &ruleset, &engine))),
        ("deck", card_list(&drawn.deck)),
        ("deck_cards", Json::Str(codes(&drawn.deck).into())),
        ("deck_commit", Json::str(seed::deck_commit(&round_seed, &drawn.deck))),
        ("deck_keystream_words_0_7", words(&round_seed, 8)),
        ("deck_words_used", count(drawn.deck_words)),
        ("dice", dice(drawn.dice)),
        ("dice_words_used", count(drawn.dice_words)),
        ("round_id", Json::str(round_id)),
        ("round_seed", Json::Str(hex::encode(round_seed.expose()).into())),
        ("server_seed", Json::Str(hex::encode(server_seed.expose()).into())),
    ]);
    for (name, value) in of_epoch {
        answer = answer.with(name, Some(value));
    }
    Ok(answer)
}

fn cards(members: &mut Members, key: &str) -> Result<usize, PayloadError> {
    match members.byte(key, 53)? {
        count @ (52 | 53) => Ok(usize::from(count)),
        _ => Err(members.blame(key, "53, or 52 without the joker")),
    }
}

fn client_seeds(members: &mut Members) -> Result<BTreeMap<Seat, Vec<u8>>, PayloadError> {
    let seeds: BTreeMap<Seat, _> = members.by_seat("client_seeds", Members::any_bytes)?;
    if seeds.contains_key(&Seat::DEALER) {
        return Err(members.blame("client_seeds", "position 0 has no seed"));
    }
    if !seeds.values().all(|seed| seed::is_client_seed(seed)) {
        return Err(members.blame("client_seeds", "a seed is 16 to 64 bytes"));
    }
    Ok(seeds)
}

fn words(seed: &RoundSeed, first: usize) -> Json<'static> {
    Json::arr(shuffle::deck_words(seed, first).map(|word| Json::Int(u64::from(word))))
}

fn dice(dice: [u8; 3]) -> Json<'static> {
    Json::arr(dice.map(|die| Json::Int(u64::from(die))))
}

fn count(words: usize) -> Json<'static> {
    Json::Int(u64::try_from(words).expect("a round takes dozens of words"))
}
