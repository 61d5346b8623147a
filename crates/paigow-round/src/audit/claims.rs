//! Claims: sentences about a round that its checks prove (D6).
//!
//! `claims.json` lists the claims and the checks that each rests on. Documents, the answers of the
//! RPC and the page are made from the same file.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::report::{CheckCode, CheckStatus};
use super::standing::{AwaitedSecret, RoundStanding, TellingClose};
use paigow_fairness::json::Json;
use paigow_fairness::manifest::Suite;
use paigow_fairness::payload::{Members, PayloadError};

/// The data file.
pub const CLAIMS_FILE: &str = include_str!("claims.json");

/// A claim: its sentence, and the checks that it rests on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Claim {
    /// Its name: `records_authentic`.
    pub name: String,
    /// The sentence that holds where the claim is shown.
    pub shows: String,
    /// Whether it applies to rounds that are void.
    pub applies_to_voids: bool,
    /// The checks that it rests on, in suites that `checks_of_suite` does not name.
    pub checks: Vec<ClaimCheck>,
    /// The checks that it rests on in some suites, by the word of the suite.
    pub checks_of_suite: BTreeMap<String, Vec<ClaimCheck>>,
    /// The checks that it rests on in rounds with public randomness, whatever the suite.
    pub checks_of_external: BTreeMap<String, Vec<ClaimCheck>>,
    /// The needs that its checks do not cover.
    pub needs: Vec<ClaimNeed>,
}

/// A check that a claim rests on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClaimCheck {
    /// The check.
    pub code: CheckCode,
    /// Whether only the revealed secret of the epoch decides it.
    pub is_after_the_reveal: bool,
}

/// A need of a claim that no check covers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClaimNeed {
    /// The caller named the key of its seat, and the seat acts with that key in the round.
    SeatKey,
    /// The numbers of the table's rounds have no gap and begin at a known round.
    EveryRound,
    /// The file has every round of the table that a copy of the public log has.
    EndOfLog,
}

/// How far a claim is shown, the weakest first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ClaimStatus {
    /// The file does not show it.
    NotShown,
    /// It waits for the secret of the epoch.
    Pending,
    /// Every check it rests on passed.
    Shown,
}

impl ClaimStatus {
    /// Returns the word of the status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotShown => "not_shown",
            Self::Pending => "pending",
            Self::Shown => "shown",
        }
    }
}

/// The finding of an audit about one claim.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClaimFinding {
    /// The claim.
    pub claim: &'static Claim,
    /// How far it is shown.
    pub status: ClaimStatus,
    /// The reason why it is not shown, the secret that it waits for, or the part that is shown; may
    /// be empty.
    pub why: String,
}

/// The claims, in the order of the data file.
pub static CLAIMS: LazyLock<Vec<Claim>> =
    LazyLock::new(|| parse(CLAIMS_FILE).expect("a test reads the claims"));

/// Reads the data file.
fn parse(text: &str) -> Result<Vec<Claim>, PayloadError> {
    let mut members = Members::of(Json::parse(text.as_bytes())?)?;
    let after = texts(&mut members, "after_the_reveal")?;
    // The sentences that no audit shows are for people.
    members.value("always_open")?;
    let claims = members.objects("claims", |one| {
        let applies_to_voids = match &*one.text("rounds")? {
            "all" => true,
            "not_void" => false,
            _ => return Err(one.blame("rounds", "all or not_void")),
        };
        let checks = checks(one, "checks", &after)?;
        let by_word = |words: &'static [&'static str]| {
            let after = &after;
            move |lists: &mut Members<'_>| {
                let named = words.iter().copied().filter(|word| lists.has(word));
                let named = named.collect::<Vec<_>>();
                let of_word = |word: &str| Ok((word.to_owned(), self::checks(lists, word, after)?));
                named.into_iter().map(of_word).collect()
            }
        };
        let suites = &const { [Suite::Derived.name(), Suite::Fresh.name(), Suite::Vrf.name()] };
        let checks_of_suite =
            one.optional("checks_of_suite", |one, key| one.object(key, by_word(suites)))?;
        let checks_of_external =
            one.optional("checks_of_external", |one, key| one.object(key, by_word(&["drand"])))?;
        let needs = texts(one, "needs")?;
        let need = |need: &String| match need.as_str() {
            "seat_key" => Ok(ClaimNeed::SeatKey),
            "every_round" => Ok(ClaimNeed::EveryRound),
            "end_of_log" => Ok(ClaimNeed::EndOfLog),
            _ => Err(one.blame("needs", "seat_key, every_round or end_of_log")),
        };
        let needs = needs.iter().map(need).collect::<Result<_, _>>()?;
        Ok(Claim {
            name: one.text("name")?.into_owned(),
            shows: one.text("shows")?.into_owned(),
            applies_to_voids,
            checks,
            checks_of_suite: checks_of_suite.unwrap_or_default(),
            checks_of_external: checks_of_external.unwrap_or_default(),
            needs,
        })
    })?;
    members.finish()?;
    Ok(claims)
}

fn checks(
    members: &mut Members<'_>,
    key: &str,
    after: &[String],
) -> Result<Vec<ClaimCheck>, PayloadError> {
    let names = texts(members, key)?;
    let check = |name: String| {
        let code = CheckCode::ALL.iter().copied().find(|code| code.name() == name);
        let code = code.ok_or_else(|| members.blame(key, "not a check"))?;
        Ok(ClaimCheck { code, is_after_the_reveal: after.contains(&name) })
    };
    names.into_iter().map(check).collect()
}

fn texts(members: &mut Members<'_>, key: &str) -> Result<Vec<String>, PayloadError> {
    members.list(key, |one| match one {
        Json::Str(text) => Ok(text.into_owned()),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a string"),
    })
}

/// Weighs a claim of a round. Returns [`None`] if the claim does not apply.
///
/// `check` gives the status of a check over the round and the file, and the reason if it did not
/// pass. `has_every_round` is whether [`ClaimNeed::EveryRound`] is met, or the reason why not.
pub(super) fn weigh(
    claim: &'static Claim,
    round: &RoundStanding,
    has_every_round: &Result<(), String>,
    check: &dyn Fn(CheckCode) -> (CheckStatus, String),
) -> Option<ClaimFinding> {
    let found = |status, why: String| Some(ClaimFinding { claim, status, why });
    if !claim.applies_to_voids && (round.is_void || round.close == TellingClose::Elsewhere) {
        if round.has_unreadable_wagers && claim.rests_on(round, CheckCode::Results) {
            let (_, why) = check(CheckCode::Results);
            return found(ClaimStatus::NotShown, format!("RESULTS: {why}"));
        }
        return None;
    }
    for need in &claim.needs {
        let unmet = match need {
            ClaimNeed::SeatKey => round.seat_key.clone().err(),
            ClaimNeed::EveryRound => has_every_round.clone().err(),
            ClaimNeed::EndOfLog => round.end_of_log.clone().err(),
        };
        if let Some(why) = unmet {
            return found(ClaimStatus::NotShown, why);
        }
    }
    let mut waits = false;
    for one in claim.checks_in(round) {
        let why = match check(one.code) {
            (CheckStatus::Passed, _) => continue,
            (CheckStatus::Failed, _) => {
                return found(ClaimStatus::NotShown, format!("{} failed", one.code.name()));
            }
            (CheckStatus::Skipped, why) => why,
        };
        if !one.is_after_the_reveal || round.awaits.is_none() || round.is_overdue {
            return found(ClaimStatus::NotShown, format!("{}: {why}", one.code.name()));
        }
        waits = true;
    }
    match &round.awaits {
        Some(AwaitedSecret { epoch, .. }) if waits => {
            let due = round.awaits.as_ref().map(AwaitedSecret::due_date).unwrap_or_default();
            found(ClaimStatus::Pending, format!("the secret of epoch {epoch} is due after {due}"))
        }
        Some(_) | None if claim.needs.contains(&ClaimNeed::EndOfLog) => {
            found(ClaimStatus::Shown, round.end_of_log.clone().unwrap_or_default())
        }
        Some(_) | None => {
            let rests_on_place = claim.rests_on(round, CheckCode::PlaceListed);
            let places = round.listed_tables.filter(|_| rests_on_place);
            let why = places.map(|count| format!("one of {count} tables"));
            found(ClaimStatus::Shown, why.unwrap_or_default())
        }
    }
}

impl Claim {
    /// Returns the checks that the claim rests on for a round.
    fn checks_in(&self, round: &RoundStanding) -> &[ClaimCheck] {
        let of_external = || self.checks_of_external.get("drand").filter(|_| round.has_beacon);
        let of_suite = || round.suite.and_then(|suite| self.checks_of_suite.get(suite.name()));
        of_external().or_else(of_suite).unwrap_or(&self.checks)
    }

    /// Whether the claim rests on a check for a round.
    fn rests_on(&self, round: &RoundStanding, code: CheckCode) -> bool {
        self.checks_in(round).iter().any(|check| check.code == code)
    }

    /// Returns the first check of the claim, of any kind of round, that failed.
    #[must_use]
    pub fn failed(&self, has_failed: impl Fn(CheckCode) -> bool) -> Option<CheckCode> {
        let others = self.checks_of_suite.values().chain(self.checks_of_external.values());
        let all = self.checks.iter().chain(others.flatten());
        all.map(|check| check.code).find(|code| has_failed(*code))
    }

    /// Returns the claim of the file: the weakest of its rounds, each with the number of the
    /// round from 1. `has_failed` is whether a check failed anywhere.
    pub(super) fn of_file<'r>(
        &'static self,
        rounds: impl IntoIterator<Item = (usize, &'r [ClaimFinding])>,
        has_failed: impl Fn(CheckCode) -> bool,
    ) -> ClaimFinding {
        if let Some(failed) = self.failed(has_failed) {
            let why = format!("{} failed", failed.name());
            return ClaimFinding { claim: self, status: ClaimStatus::NotShown, why };
        }
        let mine = |(number, claims): (usize, &'r [ClaimFinding])| {
            let mine = claims.iter().find(|found| found.claim.name == self.name)?;
            Some((number, mine))
        };
        // Of equals the first counts.
        let weakest = rounds.into_iter().filter_map(mine).min_by_key(|(_, found)| found.status);
        match weakest {
            None => ClaimFinding {
                claim: self,
                status: ClaimStatus::NotShown,
                why: "no round that it applies to".to_owned(),
            },
            Some((_, found)) if found.status == ClaimStatus::Shown => found.clone(),
            Some((number, found)) => {
                ClaimFinding { why: format!("round {number}: {}", found.why), ..found.clone() }
            }
        }
    }
}

/// Returns every claim as not shown, for one reason.
pub(super) fn none_shown(why: &str) -> Vec<ClaimFinding> {
    let not_shown =
        |claim| ClaimFinding { claim, status: ClaimStatus::NotShown, why: why.to_owned() };
    CLAIMS.iter().map(not_shown).collect()
}
