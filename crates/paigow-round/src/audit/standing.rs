//! The verdict of a round, and the facts by which its claims are weighed.

use super::report::{AuditVerdict, CheckCode, CheckStatus};
use super::round::RoundAudit;
use super::{epochs, log_end, places};
use crate::record::{CloseLock, SettleRecord};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::Suite;
use paigow_fairness::seed::Coordinates;

/// A secret that is not in the file.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct AwaitedSecret {
    /// The epoch.
    pub epoch: u32,
    /// The end of settling, in seconds since 1970: the secret is revealed after it.
    pub due: u64,
}

impl AwaitedSecret {
    /// Returns the day of the end of settling in UTC, as `2030-03-27`; beyond the year 9999 the
    /// second.
    #[must_use]
    pub fn due_date(&self) -> String {
        day_of(self.due)
    }
}

/// Returns the day of a Unix time in UTC, as `2030-03-27`; beyond the year 9999 the second.
pub(super) fn day_of(second: u64) -> String {
    let (year, month, day) = date_of(second / SECONDS_A_DAY);
    if year > 9999 {
        return format!("second {second} of Unix time");
    }
    format!("{year}-{month:02}-{day:02}")
}

const SECONDS_A_DAY: u64 = 86_400;

/// Returns year, month and day of the Gregorian calendar, `days` after 1970-01-01.
const fn date_of(days: u64) -> (u64, u64, u64) {
    // Years that begin in March end with the leap day; 400 of them have 146,097 days.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = era * 400 + year_of_era + if month <= 2 { 1 } else { 0 };
    (year, month, day)
}

/// The reason of a verdict.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum VerdictReason {
    /// A check failed.
    Failed(CheckCode),
    /// No line of the file is a record's.
    NoTranscript,
    /// The file has no round.
    NoRound,
    /// The results were not recomputed; the reason of `RESULTS`.
    NotRecomputed(String),
    /// Rounds of a table are missing between others.
    Gap {
        /// The table.
        table: Identifier,
        /// The first number that is missing.
        first: u64,
        /// The last number that is missing after it without a break.
        last: u64,
    },
    /// The secret of an epoch was due before the time of the audit.
    Overdue(AwaitedSecret),
    /// The secret of an epoch is not in the file.
    Awaits(AwaitedSecret),
    /// The round has no close here, but another telling of it has one.
    ClosedElsewhere,
    /// Everything was recomputed.
    AllRecomputed,
}

impl VerdictReason {
    /// Returns the verdict.
    #[must_use]
    pub const fn verdict(&self) -> AuditVerdict {
        match self {
            Self::Failed(_) => AuditVerdict::Mismatch,
            Self::NoTranscript
            | Self::NoRound
            | Self::NotRecomputed(_)
            | Self::Gap { .. }
            | Self::Overdue(_) => AuditVerdict::Incomplete,
            Self::Awaits(_) => AuditVerdict::Pending,
            Self::ClosedElsewhere | Self::AllRecomputed => AuditVerdict::Match,
        }
    }
}

/// The sentence that follows the verdict.
impl std::fmt::Display for VerdictReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Failed(code) => write!(f, "{} failed first", code.name()),
            Self::NoTranscript => f.write_str("this is not a transcript"),
            Self::NoRound => f.write_str("there is no round in the file"),
            Self::NotRecomputed(why) => f.write_str(why),
            Self::Gap { table, first, last } if first == last => {
                write!(f, "round {first} of table {table} is not in the file")
            }
            Self::Gap { table, first, last } => {
                write!(f, "rounds {first} to {last} of table {table} are not in the file")
            }
            Self::Overdue(secret) => {
                let (epoch, due) = (secret.epoch, secret.due_date());
                write!(f, "the secret of epoch {epoch} was due on {due} and is not in this file")
            }
            Self::Awaits(secret) => {
                let (epoch, due) = (secret.epoch, secret.due_date());
                write!(
                    f,
                    "everything computable agrees; the secret of epoch {epoch} is due after {due}"
                )
            }
            Self::ClosedElsewhere => f.write_str("another telling of the round has its close"),
            Self::AllRecomputed => f.write_str("everything was recomputed and is as recorded"),
        }
    }
}

/// Whether a telling of a round has the close of the round.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub(super) enum TellingClose {
    /// It has one that no check refused.
    Here,
    /// It has one that was refused.
    Refused,
    /// It has none.
    Missing,
    /// It has none, and another telling has one.
    Elsewhere,
}

/// The facts about a round that its verdict and its claims rest on, in addition to its checks.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub(super) struct RoundStanding {
    /// The place of the round, and whether its ticket requires the chain; [`None`] if the ticket
    /// cannot be read.
    pub(super) place: Option<(Coordinates, bool)>,
    /// The id of the round, if its ticket can be read.
    pub(super) round_id: Option<Hash>,
    /// The suite of the ticket, if it can be read.
    pub(super) suite: Option<Suite>,
    /// Whether the ticket names a round of a beacon.
    pub(super) has_beacon: bool,
    /// Whether the round is void.
    pub(super) is_void: bool,
    /// Whether the round has a close.
    pub(super) close: TellingClose,
    /// Whether the ledger voided wagers that cannot be read.
    pub(super) has_unreadable_wagers: bool,
    /// The secret that the round waits for.
    pub(super) awaits: Option<AwaitedSecret>,
    /// Whether that secret was due before the time of the audit.
    pub(super) is_overdue: bool,
    /// Whether the caller's seat acts with the key that the caller named, or the reason why not.
    pub(super) seat_key: Result<(), String>,
    /// Up to where the file has everything that the public log has about the round's table, or why it
    /// does not.
    pub(super) end_of_log: Result<String, String>,
    /// How many tables the announcing manifest lists, over all tenants.
    pub(super) listed_tables: Option<usize>,
}

impl RoundStanding {
    pub(super) fn of(round: &RoundAudit<'_>) -> Self {
        let is_void = round.is_readable
            && (matches!(round.close_lock, Some(CloseLock::Void { .. }))
                || matches!(round.settle, Some(SettleRecord::Void(_))));
        let awaits = round
            .world
            .filter(|world| world.epoch.suite == Suite::Derived)
            .map(|world| AwaitedSecret { epoch: world.epoch.epoch, due: world.epoch.settle_until });
        let awaits = awaits.filter(|secret| epochs::revealed(round, secret.epoch).is_err());
        let as_of = round.context.terms.as_of;
        let is_overdue =
            as_of.is_some_and(|now| awaits.is_some_and(|secret: AwaitedSecret| now > secret.due));
        let place = round
            .ticket
            .as_ref()
            .map(|ticket| (ticket.coordinates.clone(), ticket.policy.chain_required));
        Self {
            place,
            round_id: round.ticket.as_ref().map(|ticket| ticket.round_id),
            suite: round.ticket.as_ref().map(|ticket| ticket.suite),
            has_beacon: round.ticket.as_ref().is_some_and(|ticket| ticket.external.is_some()),
            is_void,
            close: match (&round.lines.settle, round.closed()) {
                (None, _) => TellingClose::Missing,
                (Some(_), Ok(_)) => TellingClose::Here,
                (Some(_), Err(_)) => TellingClose::Refused,
            },
            has_unreadable_wagers: round.has_unreadable_wagers,
            awaits,
            is_overdue,
            seat_key: seat_key(round),
            end_of_log: log_end::of_round(round),
            listed_tables: places::listed_tables(round).ok(),
        }
    }

    /// Returns the reason for the verdict of the round; `check` as for a claim.
    pub(super) fn reason(
        &self,
        check: &dyn Fn(CheckCode) -> (CheckStatus, String),
    ) -> VerdictReason {
        let failed = |code: &&CheckCode| check(**code).0 == CheckStatus::Failed;
        if let Some(code) = CheckCode::ALL.iter().find(failed) {
            return VerdictReason::Failed(*code);
        }
        if self.close == TellingClose::Elsewhere {
            return VerdictReason::ClosedElsewhere;
        }
        let is_closed_unread = self.has_unreadable_wagers && self.close == TellingClose::Here;
        if let (CheckStatus::Skipped, why) = check(CheckCode::Results)
            && !is_closed_unread
        {
            return VerdictReason::NotRecomputed(why);
        }
        match self.awaits {
            Some(secret) if self.is_overdue => VerdictReason::Overdue(secret),
            Some(secret) => VerdictReason::Awaits(secret),
            None => VerdictReason::AllRecomputed,
        }
    }
}

fn seat_key(round: &RoundAudit<'_>) -> Result<(), String> {
    let mine = round.context.terms.my_seat.as_ref();
    let Some((seat, key)) = mine.and_then(|mine| Some((mine.seat, mine.key?))) else {
        return Err("rests on the ledger's key: no key of a seat is named as yours".to_owned());
    };
    let theirs = round.ticket.as_ref().and_then(|ticket| ticket.seat_keys.get(&seat));
    if theirs.map(|seat| seat.key) != Some(key) {
        return Err(format!(
            "rests on the ledger's key: the key of seat {seat} is another or none"
        ));
    }
    if let Some(CloseLock::Final { absent, .. }) = &round.close_lock
        && absent.contains(&seat)
    {
        return Err(format!("seat {seat} is listed as absent: its decision needs no signature"));
    }
    let acts =
        round.lines.actions.iter().zip(&round.actions).any(|(line, (action, _))| {
            action.seat == seat && !round.refused.contains(&line.number)
        });
    if acts { Ok(()) } else { Err(format!("seat {seat} has no decision in the round")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_the_dates_of_the_calendar() {
        // `date -u -d @SECONDS +%F`.
        for (seconds, date) in [
            (0, "1970-01-01"),
            (68_169_599, "1972-02-28"),
            (68_169_600, "1972-02-29"),
            (951_868_799, "2000-02-29"),
            (951_868_800, "2000-03-01"),
            (1_901_000_000, "2030-03-29"),
            (4_107_542_400, "2100-03-01"),
            (253_402_300_799, "9999-12-31"),
            (253_402_300_800, "second 253402300800 of Unix time"),
            (9_223_372_036_854_775_807, "second 9223372036854775807 of Unix time"),
        ] {
            assert_eq!(AwaitedSecret { epoch: 1, due: seconds }.due_date(), date);
        }
    }
}
