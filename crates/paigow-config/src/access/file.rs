//! Reading the file of tenants, clients and switches.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;

use super::{
    Access, AccessClient, ClientRole, MINIMUM_BEACON_LEAD, Rate, Switch, Switches, TenantAccess,
};
use crate::did_you_mean;
use paigow_fairness::encoding::Hash;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    closed_to_new_rounds: Option<RawSwitch>,
    halted: Option<RawSwitch>,
    tenants: Vec<RawTenant>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawSwitch {
    engine: Option<bool>,
    reason: String,
    rulesets: Option<Vec<String>>,
    tenants: Option<Vec<String>>,
    jurisdictions: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTenant {
    tenant: String,
    jurisdiction: Option<String>,
    rulesets: Option<Vec<String>>,
    currencies: Option<Vec<String>>,
    minimum_beacon_lead_seconds: Option<u32>,
    calls_per_second: Option<u32>,
    burst: Option<u32>,
    concurrent_calls: Option<u32>,
    clients: Vec<RawClient>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClient {
    name: String,
    roles: Vec<String>,
    certificate: Option<String>,
    token_sha256: Option<String>,
}

/// Reads the file.
///
/// # Errors
///
/// Returns every fault, each as `path: what`. If the file is not TOML, or has an unknown key or a
/// value of the wrong type, returns the first fault. No fault repeats a token's hash.
pub fn parse(text: &str) -> Result<Access, Vec<String>> {
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        // The error's own text quotes the line. Its message and the place are enough.
        let line = error.span().map_or(1, |span| {
            text.get(..span.start).map_or(1, |before| before.matches('\n').count() + 1)
        });
        vec![format!("line {line}: {}", error.message())]
    })?;
    let mut reader = AccessFileReader::default();
    for (i, tenant) in raw.tenants.into_iter().enumerate() {
        reader.tenant(&format!("tenants[{i}]"), tenant);
    }
    if reader.access.tenants.is_empty() && reader.faults.is_empty() {
        reader.faults.push("tenants: no client may call".to_owned());
    }
    let closed_to_new_rounds = reader.switch("closed_to_new_rounds", raw.closed_to_new_rounds);
    let halted = reader.switch("halted", raw.halted);
    reader.access.switches = Switches { closed_to_new_rounds, halted };
    if reader.faults.is_empty() { Ok(reader.access) } else { Err(reader.faults) }
}

/// Whether a text can name a client or a jurisdiction.
fn is_name(name: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    (1..=64).contains(&name.len()) && name.bytes().all(is_word)
}

/// Reads an access file and collects its faults.
#[derive(Default)]
struct AccessFileReader {
    access: Access,
    names: BTreeSet<String>,
    faults: Vec<String>,
}

impl AccessFileReader {
    fn fault(&mut self, path: &str, what: &str) {
        self.faults.push(format!("{path}: {what}"));
    }

    /// Reads the switch `name`. A switch that stops nothing because of a typing error is worse than
    /// a start that fails.
    fn switch(&mut self, name: &str, raw: Option<RawSwitch>) -> Switch {
        let Some(raw) = raw else { return Switch::default() };
        let mut faults = Vec::new();
        let mut fault = |key: &str, what: String| faults.push(format!("{name}.{key}: {what}"));
        let mut stops = raw.engine == Some(true);
        if raw.engine == Some(false) {
            fault("engine", "false stops nothing: leave it out, or say true".to_owned());
        }
        for (key, list) in [
            ("rulesets", &raw.rulesets),
            ("tenants", &raw.tenants),
            ("jurisdictions", &raw.jurisdictions),
        ] {
            match list.as_deref() {
                Some([]) => fault(key, "an empty list stops nothing: leave it out".to_owned()),
                Some(_) => stops = true,
                None => {}
            }
        }
        let tenants = self.access.tenants.values();
        let names: Vec<&str> = tenants.clone().map(|tenant| tenant.tenant.as_str()).collect();
        for tenant in raw.tenants.iter().flatten().filter(|name| !names.contains(&name.as_str())) {
            let near = did_you_mean(tenant, names.iter().copied());
            fault("tenants", format!("no tenant {tenant:?} in the file{near}"));
        }
        let places: Vec<&str> = tenants.filter_map(|one| one.jurisdiction.as_deref()).collect();
        for place in
            raw.jurisdictions.iter().flatten().filter(|name| !places.contains(&name.as_str()))
        {
            let near = did_you_mean(place, places.iter().copied());
            fault("jurisdictions", format!("no tenant plays in {place:?}{near}"));
        }
        if raw.reason.is_empty() {
            fault("reason", "is required: callers see it".to_owned());
        } else if raw.reason.len() > 200 || raw.reason.chars().any(char::is_control) {
            fault("reason", "must be one line of at most 200 bytes".to_owned());
        }
        if !stops {
            let what = "stops nothing: say engine = true, rulesets, tenants or jurisdictions";
            faults.push(format!("{name}: {what}"));
        }
        self.faults.append(&mut faults);
        let set = |list: Option<Vec<String>>| list.into_iter().flatten().collect();
        Switch {
            engine: raw.engine == Some(true),
            reason: raw.reason,
            rulesets: set(raw.rulesets),
            tenants: set(raw.tenants),
            jurisdictions: set(raw.jurisdictions),
        }
    }

    fn tenant(&mut self, path: &str, raw: RawTenant) {
        let Ok(name) = raw.tenant.parse() else {
            let what = "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -";
            self.fault(&format!("{path}.tenant"), what);
            return;
        };
        if self.access.tenants.contains_key(&name) {
            self.fault(&format!("{path}.tenant"), "the tenant is there twice");
        }
        let listed = |list: Option<Vec<String>>| list.map(BTreeSet::from_iter);
        for (key, is_wrong) in [
            ("rulesets", raw.rulesets.as_ref().is_some_and(Vec::is_empty)),
            ("currencies", raw.currencies.as_ref().is_some_and(Vec::is_empty)),
        ] {
            if is_wrong {
                self.fault(&format!("{path}.{key}"), "must not be empty: leave it out for all");
            }
        }
        for (key, number) in [
            ("minimum_beacon_lead_seconds", raw.minimum_beacon_lead_seconds),
            ("calls_per_second", raw.calls_per_second),
            ("burst", raw.burst),
            ("concurrent_calls", raw.concurrent_calls),
        ] {
            if number == Some(0) {
                self.fault(&format!("{path}.{key}"), "must be 1 or more");
            }
        }
        if raw.jurisdiction.as_ref().is_some_and(|place| !is_name(place)) {
            let what = "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -";
            self.fault(&format!("{path}.jurisdiction"), what);
        }
        let is_code = |code: &String| {
            (3..=8).contains(&code.len()) && code.bytes().all(|byte| byte.is_ascii_uppercase())
        };
        if raw.currencies.iter().flatten().any(|code| !is_code(code)) {
            let what = "must be codes of 3 to 8 upper-case letters";
            self.fault(&format!("{path}.currencies"), what);
        }
        if raw.burst.is_some() && raw.calls_per_second.is_none() {
            self.fault(&format!("{path}.burst"), "needs calls_per_second");
        }
        let rate = raw
            .calls_per_second
            .map(|per_second| Rate { per_second, burst: raw.burst.unwrap_or(per_second) });
        let tenant = Arc::new(TenantAccess {
            tenant: name.clone(),
            jurisdiction: raw.jurisdiction,
            rulesets: listed(raw.rulesets),
            currencies: listed(raw.currencies),
            minimum_beacon_lead: raw
                .minimum_beacon_lead_seconds
                .map_or(MINIMUM_BEACON_LEAD, u64::from),
            rate,
            concurrent_calls: raw.concurrent_calls,
        });
        if raw.clients.is_empty() {
            self.fault(&format!("{path}.clients"), "the tenant has no client");
        }
        for (i, client) in raw.clients.into_iter().enumerate() {
            self.client(&format!("{path}.clients[{i}]"), client, &tenant);
        }
        self.access.tenants.insert(name, tenant);
    }

    fn client(&mut self, path: &str, raw: RawClient, tenant: &Arc<TenantAccess>) {
        if !is_name(&raw.name) {
            let what = "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -";
            self.fault(&format!("{path}.name"), what);
        } else if !self.names.insert(raw.name.clone()) {
            self.fault(&format!("{path}.name"), "a client of this name is there already");
        }
        let mut roles = BTreeSet::new();
        for word in &raw.roles {
            match ClientRole::ALL.into_iter().find(|role| role.name() == word) {
                Some(role) => {
                    roles.insert(role);
                }
                None => {
                    let what = format!("{word:?} is not one of `table`, `auditor`, `ops`");
                    self.fault(&format!("{path}.roles"), &what);
                }
            }
        }
        if raw.roles.is_empty() {
            self.fault(&format!("{path}.roles"), "must not be empty");
        }
        let client = Arc::new(AccessClient { name: raw.name, roles, tenant: Arc::clone(tenant) });
        match (raw.certificate, raw.token_sha256) {
            (Some(name), None) if name.is_empty() || name.contains('*') => {
                let what = "must be one name of the certificate, and not a pattern";
                self.fault(&format!("{path}.certificate"), what);
            }
            (Some(name), None) => {
                // DNS names are case-insensitive, and are in lower case here.
                let name = if name.contains(':') { name } else { name.to_ascii_lowercase() };
                if self.access.by_certificate.insert(name, client).is_some() {
                    let what = "another client has the same certificate name";
                    self.fault(&format!("{path}.certificate"), what);
                }
            }
            (None, Some(hash)) => match hash.parse::<Hash>() {
                Ok(hash) if self.access.by_token.insert(hash, client).is_some() => {
                    self.fault(&format!("{path}.token_sha256"), "another client has the same");
                }
                Ok(_) => {}
                Err(_) => {
                    let what = "must be 64 hexadecimal digits: SHA-256 of the token";
                    self.fault(&format!("{path}.token_sha256"), what);
                }
            },
            (Some(_), Some(_)) | (None, None) => {
                self.fault(path, "needs one of `certificate` and `token_sha256`");
            }
        }
    }
}
