//! The settings of an operator: the defaults that are compiled in, then one file, then the
//! environment.
//!
//! `RawConfig` holds the settings as they were written, and [`Config`] their meaning. Each section
//! has a file.

pub mod access;
mod addresses;
mod evidence;
mod faults;
mod keyring;
mod kind;
mod production;
mod server;
mod small;
mod telemetry;
mod tls;

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use ::config::{Environment, File, FileFormat, Format, Map, Source, Value};
use serde::{Deserialize, Serialize};

pub use addresses::{AddressRange, NotAnAddressRange};
pub use evidence::EvidenceConfig;
pub use keyring::KeyringConfig;
pub use server::{Profile, ServerConfig};
pub use small::{AccessConfig, LogConfig, RulesConfig, VerificationConfig};
pub use telemetry::TelemetryConfig;
pub use tls::{ClientCertificates, TlsConfig};

use faults::ConfigFaults;
use kind::ConfigSetting;
use paigow_fairness::encoding::Hash;

/// The defaults come from the file that operators read.
const DEFAULT: &str = include_str!("../../../deploy/config/default.toml");

/// Settings that have been checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The process and its limits.
    pub server: ServerConfig,
    /// Certificates; [`None`] for plaintext.
    pub tls: Option<TlsConfig>,
    /// The clients that may call.
    pub access: AccessConfig,
    /// Where the keys are.
    pub keyring: KeyringConfig,
    /// The folder with rules beside those that are compiled in.
    pub rules: RulesConfig,
    /// Where evidence is kept.
    pub evidence: EvidenceConfig,
    /// The release record that the process checks itself against.
    pub verification: VerificationConfig,
    /// The export of metrics and traces.
    pub telemetry: TelemetryConfig,
    /// The logging.
    pub log: LogConfig,
    said: RawConfig,
}

/// The reason why there is no configuration.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read the configuration: {}: {error}", .path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The file is not TOML. Or the file or the environment has an unknown key or a value of the
    /// wrong type.
    #[error("cannot read the configuration: {0}")]
    Unreadable(#[from] ::config::ConfigError),
    /// Invalid settings, each as `section.key: what`.
    #[error("bad configuration:{}", listed(.0))]
    Invalid(Vec<String>),
}

/// Writes faults one a line, below a heading.
#[must_use]
pub fn listed(faults: &[String]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

impl Config {
    /// Reads the settings: the defaults, then `file`, then the environment of the
    /// process.
    ///
    /// # Errors
    ///
    /// If something cannot be read. Otherwise every invalid setting.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        let named = |(name, value): (OsString, OsString)| {
            Some((name.into_string().ok()?, value.to_string_lossy().into_owned()))
        };
        let file = file.map(ConfigInput::read).transpose()?;
        Self::from_sources(file, std::env::vars_os().filter_map(named).collect())
    }

    /// Reads the settings of a file with this text: the defaults, then `text`. No variable of the
    /// environment counts.
    ///
    /// # Errors
    ///
    /// If the text is not TOML. Otherwise every invalid setting.
    pub fn of_text(text: &str) -> Result<Self, ConfigError> {
        let file = ConfigInput { path: "text".to_owned(), text: text.to_owned() };
        Self::from_sources(Some(file), Map::new())
    }

    /// Returns the digest of the attested settings in effect, which a release record lists: SHA-256
    /// of the line `pge/v1/attested-settings` and of [`Config::attested`].
    ///
    /// # Panics
    ///
    /// Never: as [`Config::attested`].
    #[must_use]
    pub fn digest(&self) -> Hash {
        Hash::of_parts(&[ATTESTED, b"\n", self.attested().as_bytes()])
    }

    /// Returns the attested settings in effect, in ascending order of their names. Each is a line
    /// `name = value`; the value is canonical JSON, and the keys of the root are in ascending order.
    ///
    /// # Panics
    ///
    /// Never: settings are Booleans, numbers, texts and lists of texts.
    #[must_use]
    pub fn attested(&self) -> String {
        let mut lines: Vec<String> = self
            .values()
            .into_iter()
            .filter(|(setting, _)| setting.is_attested())
            .map(|(setting, value)| {
                let value = String::from_utf8(kind::canonical(&value).to_bytes());
                format!("{} = {}\n", setting.name, value.expect("JSON is text"))
            })
            .collect();
        lines.sort();
        lines.concat()
    }

    /// Returns the settings in effect for people, by their kinds: first [`Config::attested`] with
    /// their digest, then the operational ones. Headings are comments, so the text is a settings
    /// file.
    ///
    /// # Panics
    ///
    /// Never: as [`Config::attested`].
    #[must_use]
    pub fn by_kind(&self) -> String {
        let operational = self.values().into_iter().filter(|(setting, _)| !setting.is_attested());
        let operational: String =
            operational.map(|(setting, value)| format!("{} = {value}\n", setting.name)).collect();
        format!(
            "# Attested settings: a release record lists their digest.\n{}# Digest: {}\n\
             # Operational settings: they may change without a new release record.\n{operational}",
            self.attested(),
            self.digest()
        )
    }

    /// Returns the settings in effect that are not the defaults, as `key = value`.
    ///
    /// # Panics
    ///
    /// Never: a test reads the defaults.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let defaults = Self::from_sources(None, Map::new());
        self.said_differently(&defaults.expect("the defaults, which a test reads"))
    }

    /// Returns the settings that differ from those of `other`, as `key = value`. The filter of the
    /// log is left out, because it can be replaced while the process runs.
    #[must_use]
    pub fn differs_from(&self, other: &Self) -> Vec<String> {
        let mut differing = self.said_differently(other);
        differing.retain(|line| !line.starts_with("log.filter = "));
        differing
    }

    /// Returns every setting with its value in effect, in the order of the default file.
    fn values(&self) -> Vec<(ConfigSetting, serde_json::Value)> {
        let mut said = said_values(&self.said);
        kind::settings()
            .into_iter()
            .map(|setting| {
                let value =
                    setting.name.split_once('.').map(|(section, key)| said[section][key].take());
                (setting, value.unwrap_or_default())
            })
            .collect()
    }

    fn said_differently(&self, other: &Self) -> Vec<String> {
        let (settings, others) = (self.to_string(), other.to_string());
        let others: Vec<&str> = others.lines().collect();
        settings.lines().filter(|line| !others.contains(line)).map(str::to_owned).collect()
    }

    fn from_sources(
        file: Option<ConfigInput>,
        variables: Map<String, String>,
    ) -> Result<Self, ConfigError> {
        let (variables, unknown) = own_variables(variables);
        let mut sources =
            ::config::Config::builder().add_source(File::from_str(DEFAULT, FileFormat::Toml));
        if let Some(file) = file {
            sources = sources.add_source(file);
        }
        let environment = Environment::with_prefix(PREFIX).prefix_separator("__").separator("__");
        let environment = environment.source(Some(variables));
        let raw: RawConfig = sources.add_source(environment).build()?.try_deserialize()?;
        match raw.check() {
            checked if unknown.is_empty() => checked,
            Err(ConfigError::Invalid(faults)) => {
                Err(ConfigError::Invalid([unknown, faults].concat()))
            }
            Ok(_) => Err(ConfigError::Invalid(unknown)),
            Err(error @ (ConfigError::NoFile { .. } | ConfigError::Unreadable(_))) => Err(error),
        }
    }
}

/// The beginning of the name of each variable of the environment that is a setting.
const PREFIX: &str = "PAIGOW";

/// The prefix of the digest of the attested settings. No other digest begins with it.
const ATTESTED: &[u8] = b"pge/v1/attested-settings";

/// Returns the settings as JSON: sections of settings.
///
/// # Panics
///
/// Never: settings are Booleans, numbers, texts and lists of texts.
fn said_values(said: &RawConfig) -> serde_json::Value {
    serde_json::to_value(said).expect("plain values")
}

/// Returns the variables that are settings, and a fault for each other variable that begins with
/// `PAIGOW`. A misspelt setting without effect must be reported.
fn own_variables(all: Map<String, String>) -> (Map<String, String>, Vec<String>) {
    let variable = |name: &String| format!("{PREFIX}__{}", name.replace('.', "__").to_uppercase());
    let known: Vec<String> =
        kind::settings().iter().map(|setting| variable(&setting.name)).collect();
    let named = all.into_iter().map(|(name, value)| (name.to_uppercase(), name, value));
    let (own, other): (Vec<_>, Vec<_>) = named
        .filter(|(upper, ..)| upper.starts_with(PREFIX))
        .partition(|(upper, ..)| known.contains(upper));
    let mut faults: Vec<String> = other
        .into_iter()
        .map(|(upper, name, _)| {
            let near = did_you_mean(&upper, known.iter().map(String::as_str));
            format!("{name}: no setting has this variable of the environment{near}")
        })
        .collect();
    faults.sort();
    (own.into_iter().map(|(_, name, value)| (name, value)).collect(), faults)
}

/// Returns `, did you mean ...?` with the name that is most similar to `name`; empty if none is
/// similar.
#[must_use]
pub fn did_you_mean<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let distance = |other: &str| strsim::damerau_levenshtein(name, other);
    let nearest = known.min_by_key(|other| distance(other));
    let nearest = nearest.filter(|other| distance(other) * 3 <= name.chars().count().max(3));
    nearest.map_or_else(String::new, |nearest| format!(", did you mean {nearest:?}?"))
}

/// The content of a file. It is read once, because a pipe has its content only once.
#[derive(Clone, Debug)]
struct ConfigInput {
    /// The name of the file in messages.
    path: String,
    text: String,
}

impl ConfigInput {
    /// Reads a file. The library does not name the file that it cannot read, and confuses folders
    /// and missing files.
    fn read(file: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| ConfigError::NoFile { path: file.to_owned(), error })?;
        Ok(Self { path: file.display().to_string(), text })
    }
}

impl Source for ConfigInput {
    fn clone_into_box(&self) -> Box<dyn Source + Send + Sync> {
        Box::new(self.clone())
    }

    fn collect(&self) -> Result<Map<String, Value>, ::config::ConfigError> {
        // Some editors begin a file with a byte order mark.
        let text = self.text.strip_prefix('\u{feff}').unwrap_or(&self.text);
        Format::parse(&FileFormat::Toml, Some(&self.path), text).map_err(|cause| {
            ::config::ConfigError::FileParse { uri: Some(self.path.clone()), cause }
        })
    }
}

impl fmt::Display for Config {
    /// Writes every setting in effect, one a line, in the order of the default file. No setting is
    /// a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (setting, value) in self.values() {
            writeln!(f, "{} = {value}", setting.name)?;
        }
        Ok(())
    }
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RawConfig {
    server: server::RawServer,
    tls: tls::RawTls,
    access: small::RawAccess,
    keyring: keyring::RawKeyring,
    rules: small::RawRules,
    evidence: evidence::RawEvidence,
    verification: small::RawVerification,
    telemetry: telemetry::RawTelemetry,
    log: small::RawLog,
}

impl RawConfig {
    fn check(self) -> Result<Config, ConfigError> {
        let mut faults = ConfigFaults::default();
        let server = self.server.check(&mut faults);
        let tls = self.tls.check(&mut faults);
        let access = self.access.check();
        let keyring = self.keyring.check(&mut faults);
        let rules = self.rules.check(&mut faults);
        let evidence = self.evidence.check(&mut faults);
        let verification = self.verification.check(&mut faults);
        let telemetry = self.telemetry.check(&mut faults);
        let log = self.log.check(&mut faults);
        let is_loopback = server.listen.ip().is_loopback();
        if self.tls.is_plaintext() && !is_loopback && !server.allow_plaintext {
            let what = format!(
                "{} is not a loopback address, and there is no certificate: set \
                 tls.certificate_file, or server.allow_plaintext = true behind a proxy that \
                 encrypts",
                server.listen
            );
            faults.add("server.listen", what);
        }
        let said = self;
        check_printable(&said, &mut faults);
        let config = Config {
            server,
            tls,
            access,
            keyring,
            rules,
            evidence,
            verification,
            telemetry,
            log,
            said,
        };
        addresses::check(&config, &mut faults);
        production::check(&config, &mut faults);
        if faults.0.is_empty() { Ok(config) } else { Err(ConfigError::Invalid(faults.0)) }
    }
}

/// Notes every attested setting whose value a release record cannot list.
fn check_printable(said: &RawConfig, faults: &mut ConfigFaults) {
    let said = said_values(said);
    for setting in kind::settings().iter().filter(|setting| setting.is_attested()) {
        let value = setting.name.split_once('.').map(|(section, key)| &said[section][key]);
        if !value.is_none_or(kind::is_printable) {
            faults.add(&setting.name, "must be of printable ASCII characters");
        }
    }
}

#[cfg(test)]
mod tests;
