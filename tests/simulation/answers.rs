//! Compares the answers of replicas with each other.

use std::collections::BTreeMap;
use std::sync::Mutex;

use paigow::rpc::Method;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_proto::v1 as pb;
use prost::Message as _;
use prost::bytes::Bytes;

use crate::machine::HostId;
use crate::note;

/// The length of the head of a gRPC message.
const HEAD: usize = 5;

/// An answer with records that has left a replica.
#[derive(Clone, Debug)]
pub(crate) struct Answered {
    pub(crate) host: HostId,
    pub(crate) records: Vec<RecordEnvelope>,
}

#[derive(Debug, Default)]
struct Kept {
    /// The answers by method and request.
    by_question: BTreeMap<(String, Hash), Hash>,
    /// The deals and the closes by round.
    deals: BTreeMap<String, Hash>,
    closes: BTreeMap<String, Hash>,
    answered: Vec<Answered>,
    faults: Vec<String>,
}

/// Returns the round and the records of an answer that the engine has signed.
fn signed(method: Method, message: &[u8]) -> Option<(String, Vec<pb::Record>)> {
    Some(if method == Method::OpenRound {
        let opened = pb::OpenRoundResponse::decode(message).unwrap();
        (opened.round_id, opened.ticket.into_iter().collect())
    } else if method == Method::Deal {
        let dealt = pb::DealResponse::decode(message).unwrap();
        (dealt.round_id, dealt.records)
    } else if method == Method::Settle {
        let settled = pb::SettleResponse::decode(message).unwrap();
        (settled.round_id, settled.records)
    } else if method == Method::VoidRound {
        let voided = pb::VoidRoundResponse::decode(message).unwrap();
        (voided.round_id, voided.records)
    } else {
        return None;
    })
}

/// The answers that have left replicas.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<Kept>);

impl Answers {
    /// Takes an answer: `answer` is the body of HTTP, empty for a refusal.
    pub(crate) fn take(&self, host: HostId, path: &str, question: &Bytes, answer: &Bytes) {
        let Some(method) = Method::from_path(path) else { return };
        let Some(message) = answer.get(HEAD..) else { return };
        let Some((round_id, records)) = signed(method, message) else { return };
        let records: Vec<RecordEnvelope> =
            records.iter().map(|record| RecordEnvelope::parse(&record.envelope).unwrap()).collect();
        let mut kept = self.0.lock().unwrap();
        let Kept { by_question, deals, closes, answered, faults } = &mut *kept;
        let hash = Hash::of(message);
        let names: Vec<String> = records
            .iter()
            .map(|record| format!("{} {}", record.kind().name(), record.hash()))
            .collect();
        note!("answer {} {round_id} {hash}: {}", method.name(), names.join(", "));
        let first = by_question.entry((path.to_owned(), Hash::of(question))).or_insert(hash);
        if *first != hash {
            faults.push(format!("{} {round_id}: two answers to one question", method.name()));
        }
        for record in &records {
            let of_kind = if record.kind() == RecordKind::Deal {
                &mut *deals
            } else if record.kind() == RecordKind::Settle {
                &mut *closes
            } else {
                continue;
            };
            let first = of_kind.entry(round_id.clone()).or_insert_with(|| record.hash());
            if *first != record.hash() {
                let kind = record.kind().name();
                faults.push(format!("{} {round_id}: a second {kind} record", method.name()));
            }
        }
        answered.push(Answered { host, records });
    }

    /// Returns the answers with records, and what is wrong with them.
    pub(crate) fn finish(&self) -> (Vec<Answered>, Vec<String>) {
        let mut kept = self.0.lock().unwrap();
        (std::mem::take(&mut kept.answered), std::mem::take(&mut kept.faults))
    }
}
