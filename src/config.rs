//! What an operator can set: the defaults that are compiled in, then one file, then the
//! environment.
//!
//! `Raw` is what was said, [`Config`] is what it means.

use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ::config::{Environment, File, FileFormat};
use serde::Deserialize;
use tracing_subscriber::EnvFilter;

use crate::fairness::encoding::Identifier;
use crate::fairness::manifest::Root;
use crate::fairness::signature::PublicKey;

/// The file that operators read is the source of the defaults.
const DEFAULT: &str = include_str!("../deploy/config/default.toml");

/// Settings that have been checked.
#[derive(Clone, Debug)]
pub struct Config {
    /// The process and its limits.
    pub server: ServerConfig,
    /// Where the keys are.
    pub keyring: KeyringConfig,
    /// Which rules are loaded besides those that are compiled in.
    pub rules: RulesConfig,
    /// What is logged.
    pub log: LogConfig,
    said: Raw,
}

/// Settings of the process.
#[derive(Clone, Debug)]
pub struct ServerConfig {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// How long a call may take.
    pub request_timeout: Duration,
    /// How long a whole `AuditStream` may take.
    pub audit_stream_timeout: Duration,
    /// How long calls are still taken after SIGTERM.
    pub drain: Duration,
    /// How long open calls may take to end after the drain.
    pub grace: Duration,
    /// When a connection is asked to reconnect.
    pub max_connection_age: Duration,
    /// How often a quiet connection is pinged.
    pub keepalive: Duration,
    /// How many calls one connection may have open.
    pub max_concurrent_streams: u32,
    /// The largest request of every method but the audits, in bytes.
    pub play_message_bytes: u32,
    /// The largest request of the audits, in bytes.
    pub audit_message_bytes: u32,
    /// Who the callers are.
    pub tenant: Identifier,
    /// Whether the services are described to tools.
    pub reflection: bool,
    /// Whether policies for development may be served beyond this machine.
    pub allow_dev_policy: bool,
}

/// Settings of the keyring folder.
#[derive(Clone, Debug)]
pub struct KeyringConfig {
    /// The folder.
    pub directory: PathBuf,
    /// Whether to make a development keyring where there is none.
    pub generate: bool,
    /// The root to trust, where it is not the folder's own.
    pub root: Option<Root>,
}

/// Settings of the rules.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RulesConfig {
    /// The operator's folder of rulesets and house ways, if there is one.
    pub directory: Option<PathBuf>,
}

/// Settings of the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogConfig {
    /// What is logged, in the language of `tracing_subscriber`'s `EnvFilter`.
    pub filter: String,
    /// Whether lines are JSON instead of text.
    pub json: bool,
}

/// Why there is no configuration.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A file cannot be read, or it or the environment has an unknown key or a value of
    /// the wrong type.
    #[error("cannot read the configuration: {0}")]
    Unreadable(#[from] ::config::ConfigError),
    /// Settings that cannot be, each as `section.key: what`.
    #[error("bad configuration:{}", listed(.0))]
    Invalid(Vec<String>),
}

fn listed(faults: &[String]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

impl Config {
    /// Reads the settings: the defaults, then `file`, then the environment of the
    /// process.
    ///
    /// # Errors
    ///
    /// If something cannot be read, or every setting that cannot be.
    pub fn load(file: Option<&Path>) -> Result<Self, ConfigError> {
        Self::from_sources(file, Environment::default())
    }

    /// Returns the settings in effect that are not the defaults, as `key = value`.
    ///
    /// # Panics
    ///
    /// Never: a test reads the defaults.
    #[must_use]
    pub fn changed(&self) -> Vec<String> {
        let defaults = Self::from_sources(None, Environment::default().source(Some([].into())))
            .expect("the defaults, which a test reads")
            .to_string();
        let defaults: Vec<&str> = defaults.lines().collect();
        let settings = self.to_string();
        settings.lines().filter(|line| !defaults.contains(line)).map(str::to_owned).collect()
    }

    fn from_sources(file: Option<&Path>, environment: Environment) -> Result<Self, ConfigError> {
        let mut sources =
            ::config::Config::builder().add_source(File::from_str(DEFAULT, FileFormat::Toml));
        if let Some(file) = file {
            sources = sources.add_source(File::from(file).format(FileFormat::Toml));
        }
        // The two underscores after the prefix matter: Kubernetes sets PAIGOW_PORT for a
        // Service that is called `paigow`.
        let environment = environment.prefix("PAIGOW").prefix_separator("__").separator("__");
        let raw: Raw = sources.add_source(environment).build()?.try_deserialize()?;
        raw.check()
    }
}

impl fmt::Display for Config {
    /// Writes every setting in effect, one a line. None is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Raw { server, keyring, rules, log } = &self.said;
        writeln!(f, "server.listen = {:?}", server.listen)?;
        writeln!(f, "server.request_timeout_ms = {}", server.request_timeout_ms)?;
        writeln!(f, "server.audit_stream_timeout_ms = {}", server.audit_stream_timeout_ms)?;
        writeln!(f, "server.drain_ms = {}", server.drain_ms)?;
        writeln!(f, "server.grace_ms = {}", server.grace_ms)?;
        writeln!(f, "server.max_connection_age_s = {}", server.max_connection_age_s)?;
        writeln!(f, "server.keepalive_s = {}", server.keepalive_s)?;
        writeln!(f, "server.max_concurrent_streams = {}", server.max_concurrent_streams)?;
        writeln!(f, "server.play_message_bytes = {}", server.play_message_bytes)?;
        writeln!(f, "server.audit_message_bytes = {}", server.audit_message_bytes)?;
        writeln!(f, "server.tenant = {:?}", server.tenant)?;
        writeln!(f, "server.reflection = {}", server.reflection)?;
        writeln!(f, "server.allow_dev_policy = {}", server.allow_dev_policy)?;
        writeln!(f, "keyring.directory = {:?}", keyring.directory)?;
        writeln!(f, "keyring.generate = {}", keyring.generate)?;
        writeln!(f, "keyring.root_keys = {:?}", keyring.root_keys.items())?;
        writeln!(f, "keyring.threshold = {}", keyring.threshold)?;
        writeln!(f, "rules.directory = {:?}", rules.directory)?;
        writeln!(f, "log.filter = {:?}", log.filter)?;
        writeln!(f, "log.format = {:?}", log.format)
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    server: RawServer,
    keyring: RawKeyring,
    rules: RawRules,
    log: RawLog,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawServer {
    listen: String,
    request_timeout_ms: u64,
    audit_stream_timeout_ms: u64,
    drain_ms: u64,
    grace_ms: u64,
    max_connection_age_s: u64,
    keepalive_s: u64,
    max_concurrent_streams: u32,
    play_message_bytes: u32,
    audit_message_bytes: u32,
    tenant: String,
    reflection: bool,
    allow_dev_policy: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawKeyring {
    directory: String,
    generate: bool,
    root_keys: List,
    threshold: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRules {
    directory: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawLog {
    filter: String,
    format: String,
}

/// A list: of its own in a file, with commas in the environment.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum List {
    Items(Vec<String>),
    Text(String),
}

impl List {
    fn items(&self) -> Vec<&str> {
        match self {
            Self::Items(items) => items.iter().map(String::as_str).collect(),
            Self::Text(text) => {
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
            }
        }
    }
}

/// Notes every setting that cannot be, as `section.key: what`.
#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, key: &str, what: impl fmt::Display) {
        self.0.push(format!("{key}: {what}"));
    }

    fn within<T: PartialOrd + fmt::Display>(&mut self, key: &str, value: &T, least: T, most: T) {
        if *value < least || *value > most {
            self.add(key, format_args!("must be {least} to {most}"));
        }
    }
}

impl Raw {
    fn check(self) -> Result<Config, ConfigError> {
        let mut faults = Faults::default();
        let server = self.server.check(&mut faults);
        let keyring = self.keyring.check(&mut faults);
        let log = self.log.check(&mut faults);
        match (server, faults.0) {
            (Some(server), faults) if faults.is_empty() => {
                let directory = Some(&self.rules.directory).filter(|name| !name.is_empty());
                let rules = RulesConfig { directory: directory.map(PathBuf::from) };
                Ok(Config { server, keyring, rules, log, said: self })
            }
            (_, faults) => Err(ConfigError::Invalid(faults)),
        }
    }
}

impl RawServer {
    fn check(&self, faults: &mut Faults) -> Option<ServerConfig> {
        let listen = self.listen.parse();
        if listen.is_err() {
            let what = format!("`{}` is not an address and port", self.listen);
            faults.add("server.listen", what);
        }
        faults.within("server.request_timeout_ms", &self.request_timeout_ms, 1, 60_000);
        let stream = self.audit_stream_timeout_ms;
        faults.within("server.audit_stream_timeout_ms", &stream, 1, 86_400_000);
        faults.within("server.drain_ms", &self.drain_ms, 0, 300_000);
        faults.within("server.grace_ms", &self.grace_ms, 0, 300_000);
        if self.request_timeout_ms > self.grace_ms {
            let what = "must be at most server.grace_ms, or calls are cut off at the end";
            faults.add("server.request_timeout_ms", what);
        }
        faults.within("server.max_connection_age_s", &self.max_connection_age_s, 1, 86_400);
        faults.within("server.keepalive_s", &self.keepalive_s, 1, 3_600);
        faults.within("server.max_concurrent_streams", &self.max_concurrent_streams, 1, 1 << 16);
        faults.within("server.play_message_bytes", &self.play_message_bytes, 1 << 10, 1 << 26);
        faults.within("server.audit_message_bytes", &self.audit_message_bytes, 1 << 10, 1 << 26);
        let tenant = self.tenant.parse();
        if tenant.is_err() {
            faults.add("server.tenant", "must be 1 to 64 characters of A-Z a-z 0-9 . _ : -");
        }
        Some(ServerConfig {
            listen: listen.ok()?,
            request_timeout: Duration::from_millis(self.request_timeout_ms),
            audit_stream_timeout: Duration::from_millis(self.audit_stream_timeout_ms),
            drain: Duration::from_millis(self.drain_ms),
            grace: Duration::from_millis(self.grace_ms),
            max_connection_age: Duration::from_secs(self.max_connection_age_s),
            keepalive: Duration::from_secs(self.keepalive_s),
            max_concurrent_streams: self.max_concurrent_streams,
            play_message_bytes: self.play_message_bytes,
            audit_message_bytes: self.audit_message_bytes,
            tenant: tenant.ok()?,
            reflection: self.reflection,
            allow_dev_policy: self.allow_dev_policy,
        })
    }
}

impl RawKeyring {
    fn check(&self, faults: &mut Faults) -> KeyringConfig {
        if self.directory.is_empty() {
            faults.add("keyring.directory", "must not be empty");
        }
        let mut keys = Vec::new();
        for (index, item) in self.root_keys.items().into_iter().enumerate() {
            match PublicKey::from_hex(item) {
                Ok(key) if !keys.contains(&key) => keys.push(key),
                Ok(_) => {
                    faults.add("keyring.root_keys", format_args!("key {index} is there twice"))
                }
                Err(error) => {
                    faults.add("keyring.root_keys", format_args!("key {index}: {error}"));
                }
            }
        }
        let given = self.root_keys.items().len();
        if given > 0 && self.generate {
            let what = "a development keyring has its own: leave it empty, or set \
                        keyring.generate to false";
            faults.add("keyring.root_keys", what);
        }
        faults.within("keyring.threshold", &self.threshold, 1, given.max(1));
        KeyringConfig {
            directory: self.directory.clone().into(),
            generate: self.generate,
            root: (given > 0).then_some(Root { keys, threshold: self.threshold }),
        }
    }
}

impl RawLog {
    fn check(&self, faults: &mut Faults) -> LogConfig {
        if let Err(error) = EnvFilter::builder().parse(&self.filter) {
            faults.add("log.filter", error);
        }
        if !["json", "text"].contains(&self.format.as_str()) {
            faults.add("log.format", "must be `json` or `text`");
        }
        LogConfig { filter: self.filter.clone(), json: self.format == "json" }
    }
}

#[cfg(test)]
mod tests;
