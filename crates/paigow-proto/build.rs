//! Compiles the messages of the gRPC contract, without `protoc`.

use std::path::PathBuf;

use prost::Message;

const PROTOS: [&str; 2] = ["paigow/v1/paigow_service.proto", "paigow/v1/error_reason.proto"];

/// Messages that carry cards, seeds, records, wagers or amounts. They get no derived
/// `Debug`: `crates/paigow-proto/src/redact.rs` has it. So do the `oneof`s in them.
const REDACTED: [&str; 35] = [
    "paigow.v1.AuditRequest",
    "paigow.v1.AuditResponse",
    "paigow.v1.AuditStreamRequest",
    "paigow.v1.AuditStreamResponse",
    "paigow.v1.AuditedRound",
    "paigow.v1.Bank",
    "paigow.v1.BaseResult",
    "paigow.v1.Check",
    "paigow.v1.ClientCommit",
    "paigow.v1.DealRequest",
    "paigow.v1.DealResponse",
    "paigow.v1.DealtHand",
    "paigow.v1.Decision",
    "paigow.v1.EpochReplay",
    "paigow.v1.Fee",
    "paigow.v1.Hand",
    "paigow.v1.HouseWaySetting",
    "paigow.v1.Line",
    "paigow.v1.LowHand",
    "paigow.v1.OpenRoundRequest",
    "paigow.v1.OpenRoundResponse",
    "paigow.v1.Record",
    "paigow.v1.Replay",
    "paigow.v1.SeatKey",
    "paigow.v1.SeatLines",
    "paigow.v1.SeatResult",
    "paigow.v1.ServerSeedReplay",
    "paigow.v1.SetHouseWayRequest",
    "paigow.v1.SetHouseWayResponse",
    "paigow.v1.Setting",
    "paigow.v1.SettleRequest",
    "paigow.v1.SettleResponse",
    "paigow.v1.VoidReturn",
    "paigow.v1.Wager",
    "paigow.v1.WagerSheet",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=proto");
    let descriptors = protox::compile(PROTOS, ["proto"])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    std::fs::write(out.join("paigow_v1.bin"), descriptors.encode_to_vec())?;
    prost_build::Config::new().skip_debug(REDACTED).compile_fds(descriptors)?;
    Ok(())
}
