//! Messages of the contract as canonical proto JSON, for ordinary tools.

use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use serde_json::Value;

/// Returns a message of the contract as canonical proto JSON.
///
/// `name` is that of the message, as `DealResponse`.
///
/// # Panics
///
/// If the message does not have that name. The caller writes both.
#[must_use]
pub fn to_json(name: &str, message: &impl Message) -> Value {
    let pool =
        DescriptorPool::decode(paigow_proto::DESCRIPTORS).expect("the build script wrote it");
    let descriptor = pool
        .get_message_by_name(&format!("paigow.v1.{name}"))
        .expect("callers name messages of the contract");
    let dynamic = DynamicMessage::decode(descriptor, message.encode_to_vec().as_slice())
        .expect("callers name the message that they pass");
    serde_json::to_value(dynamic).expect("every value of the contract has a form in JSON")
}
