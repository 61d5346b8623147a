//! The kind of each setting, which the default file states beside it. Also the text of the attested
//! settings, whose digest a release record lists.

use paigow_fairness::json::Json;
use serde_json::Value;

use super::DEFAULT;

/// The kind of a setting, by the people who rely on it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum SettingKind {
    /// A player or a lab: fairness, money and policy. A change needs a new release record.
    Attested,
    /// The operator alone.
    Operational,
}

/// A setting of the default file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct ConfigSetting {
    /// The name, as `server.listen`.
    pub(super) name: String,
    /// The kind that the default file states; [`None`] if it states none, which a test refuses.
    pub(super) stated: Option<SettingKind>,
}

impl ConfigSetting {
    /// Returns whether the setting is attested. A setting without a kind is attested, so that none
    /// is left out by mistake.
    pub(super) fn is_attested(&self) -> bool {
        self.stated != Some(SettingKind::Operational)
    }
}

/// Returns all settings, in the order of the default file.
pub(super) fn settings() -> Vec<ConfigSetting> {
    let (mut section, mut stated) = ("", None);
    let mut settings = Vec::new();
    for line in DEFAULT.lines() {
        if let Some(comment) = line.strip_prefix('#') {
            match comment.trim() {
                "Kind: attested." => stated = Some(SettingKind::Attested),
                "Kind: operational." => stated = Some(SettingKind::Operational),
                _ => {}
            }
        } else if let Some(name) = line.strip_prefix('[') {
            section = name.trim_end_matches(']');
        } else if let Some((key, _)) = line.split_once(" = ") {
            settings
                .push(ConfigSetting { name: format!("{section}.{key}"), stated: stated.take() });
        }
    }
    settings
}

/// Returns the canonical JSON of the value of a setting: a Boolean, an integer, a string or a list
/// of strings.
pub(super) fn canonical(value: &Value) -> Json<'_> {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Number(number) => number.as_u64().map_or_else(|| Json::str(number), Json::Int),
        Value::String(text) => Json::text(text),
        Value::Array(items) => Json::arr(items.iter().map(canonical)),
        Value::Null | Value::Object(_) => Json::str(value),
    }
}

/// Returns whether all strings of a value are of printable ASCII, the only characters in canonical
/// JSON.
pub(super) fn is_printable(value: &Value) -> bool {
    match value {
        Value::String(text) => text.bytes().all(|byte| (0x20..0x7f).contains(&byte)),
        Value::Array(items) => items.iter().all(is_printable),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
    }
}
