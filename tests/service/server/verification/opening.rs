//! `OpenRound` alone: a ticket binds like a deal, and an engine that is not what was released
//! signs none.

use paigow_proto::v1 as pb;
use tonic::Code;

use super::{Home, Server};
use crate::server::running::{deal, reason_and_fields};

/// Asks for the ticket of a round, and for nothing else.
fn open(round_no: i64) -> pb::OpenRoundRequest {
    let Some(pb::deal_request::Start::Open(open)) = deal(round_no).start else {
        panic!("it opens its round inline")
    };
    open
}

#[tokio::test]
async fn an_engine_that_is_not_what_was_released_opens_nothing() {
    let home = Home::new(86_400);
    let server = Server::start(&home).await;
    assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
    server.client().open_round(open(1)).await.unwrap();
    home.change("rules/rulesets/our-game.toml", b"Mike's", b"Mika's");
    assert_eq!(server.verify(pb::CheckStatus::Failed).await, ["RULESETS"]);
    for round_no in [1, 2] {
        let refused = server.client().open_round(open(round_no)).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert_eq!(reason_and_fields(&refused).0, "ENGINE_UNVERIFIED");
    }
    home.change("rules/rulesets/our-game.toml", b"Mika's", b"Mike's");
    assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
    server.client().open_round(open(2)).await.unwrap();
}
