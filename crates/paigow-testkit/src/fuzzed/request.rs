//! Requests of the contract, as bytes of protobuf.

use paigow_engine as engine;
use paigow_proto::v1 as pb;
use paigow_round::audit::{audit, replay};
use paigow_round::{CallContext, Refusal};
use paigow_wire::request::Subject;
use paigow_wire::{answer, request as read};
use prost::Message;

use super::CASINO;
use crate::casino::{TENANTS, entropy_of};
use crate::contract_reasons::assert_listed;

/// Answers a request: the first byte chooses the method and the tenant, the others are the message.
/// Each refusal has a reason that the contract lists for the method.
pub fn request(bytes: &[u8]) {
    let Some((chosen, message)) = bytes.split_first() else { return };
    let tenant = TENANTS[usize::from(*chosen) / METHODS.len() % TENANTS.len()];
    let (method, answer) = METHODS[usize::from(*chosen) % METHODS.len()];
    let call = CASINO.call(tenant);
    if let Some(Err(refusal)) = answer(&call, message) {
        assert_listed(method, refusal.reason.as_str());
        for violation in &refusal.violations {
            assert_listed(method, violation.reason.as_str());
        }
    }
}

/// Answers a message; [`None`] for bytes that are not a valid message.
type Answer = fn(&CallContext, &[u8]) -> Option<Result<(), Refusal>>;

/// The methods with a request that has fields, each with the code that its handler calls.
const METHODS: [(&str, Answer); 15] = [
    ("OpenRound", |call, bytes| {
        answered(bytes, |request| {
            let open = read::open_round(&request)?;
            let (context, keys) = (&CASINO.context, &CASINO.keys);
            engine::open_round(context, keys, call, &open, &mut entropy_of(1)).map(answer::opened)
        })
    }),
    ("Deal", |call, bytes| {
        answered(bytes, |request| {
            let deal = read::deal(&request)?;
            let (context, keys) = (&CASINO.context, &CASINO.keys);
            engine::deal(context, keys, call, &deal, &mut entropy_of(1)).map(answer::dealt)
        })
    }),
    ("Settle", |call, bytes| {
        answered(bytes, |request| {
            let settle = read::settle(&request)?;
            engine::settle(&CASINO.context, &CASINO.keys, call, &settle).map(answer::settled)
        })
    }),
    ("VoidRound", |call, bytes| {
        answered(bytes, |request| {
            let void = read::void_round(&request)?;
            engine::void_round(&CASINO.context, &CASINO.keys, call, &void).map(answer::voided)
        })
    }),
    ("PrepareOpen", |call, bytes| {
        answered(bytes, |request| {
            let open = read::prepare_open(&request)?;
            engine::prepare_open(&CASINO.context, &CASINO.keys, call, &open)
                .map(answer::prepared_open)
        })
    }),
    ("PrepareDeal", |call, bytes| {
        answered(bytes, |request| {
            let deal = read::prepare_deal(&request)?;
            engine::prepare_deal(&CASINO.context, &CASINO.keys, call, &deal)
                .map(|d| answer::prepared_deal(&d))
        })
    }),
    ("PrepareSettle", |call, bytes| {
        answered(bytes, |request| {
            let settle = read::prepare_settle(&request)?;
            let prepared = engine::prepare_settle(&CASINO.context, &CASINO.keys, call, &settle);
            prepared.map(|prepared| answer::prepared_settle(&prepared))
        })
    }),
    ("PrepareVoid", |call, bytes| {
        answered(bytes, |request| {
            let void = read::prepare_void(request)?;
            let prepared = engine::prepare_void(&CASINO.context, &CASINO.keys, call, &void);
            prepared.map(|prepared| answer::prepared_void(&prepared))
        })
    }),
    ("Audit", |_, bytes| {
        answered(bytes, |request| {
            let catalogue = &CASINO.context.catalogue;
            let asked = read::audit(request, &CASINO.context.root)?;
            match asked.subject {
                Subject::Transcript(text) => {
                    let report = audit(&text, &asked.terms, catalogue);
                    Ok(answer::audited(asked.label, &report, &asked.terms))
                }
                Subject::Replay(request) => {
                    let replayed = replay(catalogue, &request)?;
                    Ok(answer::replayed(asked.label, &request, &replayed, &asked.terms.root))
                }
            }
        })
    }),
    ("SetHouseWay", |_, bytes| {
        answered(bytes, |request| {
            let hands = read::set_house_way(&request)?;
            CASINO.context.set_house_way(&hands).map(|set| answer::settings(&set))
        })
    }),
    ("EvaluateHands", |_, bytes| {
        answered(bytes, |request| {
            let hands = read::evaluate_hands(&request)?;
            CASINO.context.evaluate_hands(&hands).map(|hands| answer::evaluated(&hands))
        })
    }),
    // Weighing a hand takes too long.
    ("WeighSettings", |_, bytes| {
        answered(bytes, |request: pb::WeighSettingsRequest| {
            read::weigh_settings(&request).map(|_| request)
        })
    }),
    ("ListManifests", |_, bytes| {
        answered(bytes, |request: pb::ListManifestsRequest| {
            read::list_manifests(&request).map(|_| request)
        })
    }),
    ("ListRulesets", |_, bytes| {
        answered(bytes, |request: pb::ListRulesetsRequest| {
            read::list_rulesets(&request).map(|_| request)
        })
    }),
    ("GetRuleset", |_, bytes| {
        answered(bytes, |request: pb::GetRulesetRequest| {
            read::get_ruleset(&request).map(|_| request)
        })
    }),
];

/// Decodes a message and answers it. An answer that is encoded and decoded stays the same.
fn answered<Q: Message + Default + Clone + PartialEq, A: Message + Default + PartialEq>(
    bytes: &[u8],
    answer: impl FnOnce(Q) -> Result<A, Refusal>,
) -> Option<Result<(), Refusal>> {
    let message = Q::decode(bytes).ok()?;
    assert!(Q::decode(message.encode_to_vec().as_slice()).is_ok_and(|again| again == message));
    let answer = answer(message).map(|answer| {
        let again = A::decode(answer.encode_to_vec().as_slice());
        assert!(again.is_ok_and(|again| again == answer));
    });
    Some(answer)
}
