//! Reading the file of tenants, clients and switches.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::Deserialize;

use super::{Access, AccessClient, ClientRole, Rate, Switches, TenantAccess};
use paigow_fairness::encoding::Hash;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawFile {
    #[serde(default)]
    new_rounds: RawSwitches,
    tenants: Vec<RawTenant>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct RawSwitches {
    all: bool,
    reason: String,
    disabled_rulesets: Vec<String>,
    disabled_tenants: Vec<String>,
    disabled_jurisdictions: Vec<String>,
}

impl Default for RawSwitches {
    fn default() -> Self {
        Self {
            all: true,
            reason: String::new(),
            disabled_rulesets: Vec::new(),
            disabled_tenants: Vec::new(),
            disabled_jurisdictions: Vec::new(),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTenant {
    tenant: String,
    jurisdiction: Option<String>,
    rulesets: Option<Vec<String>>,
    currencies: Option<Vec<String>>,
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
/// Every fault, each as `path: what`; of a file that is no TOML, or has an unknown key or
/// a value of the wrong type, the first. None repeats a token's hash.
pub fn parse(text: &str) -> Result<Access, Vec<String>> {
    let raw: RawFile = toml::from_str(text).map_err(|error| {
        // The error's own text quotes the line; what it says is enough with the place.
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
        reader.faults.push("tenants: nobody may call".to_owned());
    }
    reader.switches(raw.new_rounds);
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

    fn switches(&mut self, raw: RawSwitches) {
        let unknown = |list: &[String], is_known: &dyn Fn(&str) -> bool| -> Vec<String> {
            list.iter().filter(|name| !is_known(name)).cloned().collect()
        };
        let tenants = &self.access.tenants;
        let is_tenant = |name: &str| tenants.keys().any(|tenant| tenant.as_str() == name);
        let is_place = |name: &str| {
            tenants.values().any(|tenant| tenant.jurisdiction.as_deref() == Some(name))
        };
        // A switch that closes nothing because of a slip is worse than a start that fails.
        let no_tenants = unknown(&raw.disabled_tenants, &is_tenant);
        let no_places = unknown(&raw.disabled_jurisdictions, &is_place);
        for name in no_tenants {
            self.fault("new_rounds.disabled_tenants", &format!("no tenant {name:?} in the file"));
        }
        for name in no_places {
            let what = format!("no tenant plays in {name:?}");
            self.fault("new_rounds.disabled_jurisdictions", &what);
        }
        let is_closed = !raw.all
            || !raw.disabled_rulesets.is_empty()
            || !raw.disabled_tenants.is_empty()
            || !raw.disabled_jurisdictions.is_empty();
        if is_closed && raw.reason.is_empty() {
            self.fault("new_rounds.reason", "is needed where anything is closed");
        }
        if !is_closed && !raw.reason.is_empty() {
            let what = "nothing is closed; all = false closes every new round";
            self.fault("new_rounds.reason", what);
        }
        if raw.reason.len() > 200 || raw.reason.chars().any(char::is_control) {
            self.fault("new_rounds.reason", "must be one line of at most 200 bytes");
        }
        self.access.switches = Switches {
            all_closed: !raw.all,
            reason: raw.reason,
            rulesets: raw.disabled_rulesets.into_iter().collect(),
            tenants: raw.disabled_tenants.into_iter().collect(),
            jurisdictions: raw.disabled_jurisdictions.into_iter().collect(),
        };
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
            rate,
            concurrent_calls: raw.concurrent_calls,
        });
        if raw.clients.is_empty() {
            self.fault(&format!("{path}.clients"), "nobody calls for the tenant");
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
                    let what = format!("{word:?} is none of `table`, `auditor`, `ops`");
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
                let what = "must be one name as it stands in the certificate, and no pattern";
                self.fault(&format!("{path}.certificate"), what);
            }
            (Some(name), None) => {
                // DNS names are the same in either case, and stand in lower case here.
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
