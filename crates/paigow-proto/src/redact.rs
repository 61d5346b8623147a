//! `Debug` of the messages that carry cards, seeds, records, wagers or amounts.
//!
//! It prints round ids, seats, states and counts: whatever formats a request or an answer
//! by accident, in a log line or a panic, can give nothing away. The build script names
//! the same messages.

use std::fmt;

use crate::v1 as pb;

/// Prints the members before the semicolon as they are, and how many of those after it
/// there are.
macro_rules! redacted {
    ($($message:ident { $($shown:ident),*; $($counted:ident),* })*) => {$(
        impl fmt::Debug for pb::$message {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($message))
                    $(.field(stringify!($shown), &self.$shown))*
                    $(.field(stringify!($counted), &self.$counted.len()))*
                    .finish_non_exhaustive()
            }
        }
    )*};
}

/// Prints the name of a `oneof`'s member, and nothing of its content.
macro_rules! redacted_oneof {
    ($($module:ident :: $oneof:ident { $($member:ident),* })*) => {$(
        impl fmt::Debug for pb::$module::$oneof {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$member(_) => f.write_str(concat!(stringify!($member), "(..)")),)*
                }
            }
        }
    )*};
}

redacted! {
    OpenRoundRequest { ; client_commits, seat_keys }
    OpenRoundResponse { round_id; }
    DealRequest { start, wagers; }
    DealResponse { round_id; records, hands }
    SetHouseWayRequest { by; hands }
    SetHouseWayResponse { ; settings }
    SettleRequest { disposition; records, decisions, actions }
    SettleResponse { round_id, disposition; records, seats, returns }
    AuditRequest { subject, threshold; root_keys }
    AuditResponse { verdict, threshold; checks, rounds, root_keys }
    AuditStreamRequest { subject, threshold; root_keys }
    AuditStreamResponse { verdict, threshold; checks, rounds, root_keys }
    Record { ; envelope }
    ClientCommit { seat; }
    SeatKey { seat; }
    WagerSheet { ; wagers }
    Wager { seat; }
    DealtHand { seat; cards }
    SeatLines { seat; lines }
    Fee { seat; }
    Hand { ; cards }
    HouseWaySetting { ; }
    Setting { ; }
    Decision { seat; }
    LowHand { ; cards }
    Bank { ; cards }
    SeatResult { seat; lines }
    BaseResult { ; }
    Line { ; }
    VoidReturn { seat; }
    Replay { seed; decisions }
    EpochReplay { ; }
    ServerSeedReplay { ; }
    Check { status; }
    AuditedRound { round_id; seats }
}

redacted_oneof! {
    deal_request::Start { Open, Ticket }
    deal_request::Wagers { Sheet, Lock }
    set_house_way_request::By { HouseWay, Ruleset }
    audit_request::Subject { Transcript, Replay }
    audit_stream_request::Subject { Transcript, Replay }
    decision::Setting { Low, HouseWay }
    replay::Seed { RoundSeed, Epoch, ServerSeed }
}

#[cfg(test)]
mod tests;
