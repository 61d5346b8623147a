//! The public log of the table: its writer and one witness, each a process of its own, and proofs from it.

use std::ffi::{OsStr, OsString};
use std::fs::{DirBuilder, TryLockError};
use std::io::Error;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_client::{ClientError, Engine, Round, Table};
use serde_json::Value;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::process::Command;

use crate::beacon::{self, DemonstrationBeacon};
use crate::engine::{EngineProcess, TENANT};
use crate::process::{SupervisedProgram, address, beside};
use crate::state::{RoundName, SharedTable};

/// The name of the log.
const ORIGIN: &str = "table.example/paigow";

/// The name of the witness.
const WITNESS: &str = "witness.table.example";

/// How long a start waits before it asks the engine for the new manifest again.
const STARTING: Duration = Duration::from_millis(50);

/// How long a closed round waits before it is looked for in the log again.
const AGAIN: Duration = Duration::from_secs(1);

/// The exit code of `paigow-log prove` if a record has no proof yet.
const INCOMPLETE: i32 = 1;

/// A key and its public half.
#[derive(Clone, Debug)]
struct HeldKey {
    file: PathBuf,
    public: String,
}

/// The public log in a folder.
#[derive(Clone, Debug)]
pub(crate) struct PublicLog {
    program: PathBuf,
    witness_program: PathBuf,
    folder: PathBuf,
    keyring: PathBuf,
    evidence: PathBuf,
    key: HeldKey,
    witness: HeldKey,
    witness_address: String,
}

impl PublicLog {
    /// Prepares the log: makes the keys, and has the newest manifest list the log. `external` has each round wait for the
    /// beacon. The engine has made its keys before, and has read the manifest when this returns.
    pub(crate) async fn prepare(
        folder: PathBuf,
        engine: &Engine,
        process: &EngineProcess,
        beacon: Option<&DemonstrationBeacon>,
        external: bool,
    ) -> Result<Self, Box<dyn std::error::Error>> {
        // The programs get whole addresses.
        let folder = std::path::absolute(folder)?;
        for name in ["published", "locks"] {
            std::fs::create_dir_all(folder.join(name))?;
        }
        let key = held_key(&folder.join("log-key"), "log").await?;
        let witness = held_key(&folder.join("witness"), "witness").await?;
        let sequence = list(&folder, &process.keyring, &key, beacon, external).await?;
        while engine.state().await?.manifest_sequence < sequence {
            tokio::time::sleep(STARTING).await;
        }
        let witness_address = address(&folder.join("witness.port"), None, is_open).await?;
        Ok(Self {
            program: beside("paigow-log")?,
            witness_program: beside("paigow-log-witness")?,
            keyring: std::path::absolute(&process.keyring)?,
            evidence: std::path::absolute(&process.evidence)?,
            folder,
            key,
            witness,
            witness_address,
        })
    }

    /// Returns the public key of the witness.
    pub(crate) fn witness_key(&self) -> &str {
        &self.witness.public
    }

    /// Returns the folder for locks of wagers that have to be in the log before the deal.
    pub(crate) fn locks(&self) -> PathBuf {
        self.folder.join("locks")
    }

    /// Runs the writer and the witness for ever.
    pub(crate) async fn supervise(self) -> std::io::Result<()> {
        let of = |name, address, log: &str| SupervisedProgram {
            name,
            address,
            log: self.folder.join(log),
            // Rounds go on without the log.
            lasting: &[],
        };
        let witness = of("Witness", Some(self.witness_address.clone()), "witness.log");
        let writer = of("Log writer", None, "writer.log");
        let lock = self.folder.join("state.lock");
        tokio::try_join!(
            witness.run(async || is_open(&self.witness_address).await, || self.witness()),
            writer.run(async || is_held(&lock), || self.writer()),
        )?;
        Ok(())
    }

    fn witness(&self) -> Command {
        let state = self.folder.join("witness.state");
        let log = format!("{ORIGIN}={}", self.key.public);
        let mut command = Command::new(&self.witness_program);
        command.args([
            "--listen",
            &self.witness_address,
            "--name",
            WITNESS,
            "--log",
            &log,
            "--key",
        ]);
        command.arg(&self.witness.file).arg("--state").arg(&state);
        if !state.exists() {
            command.arg("--new");
        }
        command
    }

    fn writer(&self) -> Command {
        let state = self.folder.join("state");
        let witness = format!("http://{}={WITNESS}+{}", self.witness_address, self.witness.public);
        let mut command = Command::new(&self.program);
        command.args(["write", "--log", &self.log_address(), "--origin", ORIGIN, "--every", "1"]);
        command.args(["--witness", &witness, "--key"]).arg(&self.key.file);
        command.arg("--state").arg(&state).arg("--records").arg(&self.keyring);
        command.arg("--records").arg(self.locks());
        if !state.exists() {
            let is_new = !self.folder.join("published/checkpoint").exists();
            command.arg(if is_new { "--new" } else { "--recover" });
        }
        command.arg(&self.evidence);
        command
    }

    fn log_address(&self) -> String {
        format!("file://{}", self.folder.join("published").display())
    }

    /// Returns the transcript of a closed round with the proofs that the log has, and whether these are all.
    pub(crate) async fn transcript(
        &self,
        table: &Table,
        round: &Round,
    ) -> Result<(Vec<u8>, bool), ClientError> {
        let mut transcript = table.transcript(std::slice::from_ref(round)).await?;
        let proofs = self.prove(&transcript).await;
        let (lines, is_complete) = proofs.unwrap_or_else(|error| {
            tracing::debug!(%error, "no proofs from the log");
            (Vec::new(), false)
        });
        transcript.extend_from_slice(&lines);
        Ok((transcript, is_complete))
    }

    async fn prove(&self, transcript: &[u8]) -> std::io::Result<(Vec<u8>, bool)> {
        let mut command = Command::new(&self.program);
        command.args(["prove", "--log", &self.log_address(), "--transcript", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.kill_on_drop(true).spawn()?;
        let input = child.stdin.take();
        let give = async {
            // A program that fails early does not read its input; its exit code says so.
            if let Some(mut input) = input {
                input.write_all(transcript).await.ok();
            }
        };
        let (output, ()) = tokio::join!(child.wait_with_output(), give);
        let output = output?;
        match output.status.code() {
            Some(0) => Ok((output.stdout, true)),
            Some(INCOMPLETE) => Ok((output.stdout, false)),
            _ => Err(Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        }
    }

    /// Waits until the log has a closed round, and tells the players. Another settlement ends the wait.
    pub(crate) async fn tell(
        self: Arc<Self>,
        shared: Arc<SharedTable>,
        table: Table,
        round: Round,
    ) {
        let name = RoundName::from(&round.place);
        let is_last = || shared.read(|state| state.last_round() == Some(name));
        while is_last() {
            if matches!(self.transcript(&table, &round).await, Ok((_, true))) {
                shared.change(|state| {
                    if state.last_round() == Some(name)
                        && let Some(last) = &mut state.last
                    {
                        last["logged"] = true.into();
                    }
                });
                return;
            }
            tokio::time::sleep(AGAIN).await;
        }
    }
}

/// Whether somebody listens at an address.
async fn is_open(address: &str) -> bool {
    TcpStream::connect(address).await.is_ok()
}

/// Whether a process holds a lock.
fn is_held(lock: &Path) -> bool {
    let Ok(file) = std::fs::File::open(lock) else { return false };
    matches!(file.try_lock(), Err(TryLockError::WouldBlock))
}

/// Runs `paigow-keys` to its end and returns what it printed.
async fn keys(arguments: &[&OsStr]) -> std::io::Result<String> {
    let output = Command::new(beside("paigow-keys")?).args(arguments).output().await?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Error::other(format!("paigow-keys: {}", said.trim())));
    }
    String::from_utf8(output.stdout).map_err(Error::other)
}

/// Returns the key of a folder, which is made with its key if it is not there.
async fn held_key(folder: &Path, role: &str) -> std::io::Result<HeldKey> {
    if !folder.exists() {
        let new = folder.with_extension("new");
        if new.exists() {
            std::fs::remove_dir_all(&new)?;
        }
        DirBuilder::new().mode(0o700).create(&new)?;
        let said = keys(&[role.as_ref(), "--out".as_ref(), new.as_ref()]).await?;
        std::fs::write(new.join("public"), said)?;
        std::fs::rename(&new, folder)?;
    }
    let said = std::fs::read_to_string(folder.join("public"))?;
    let public = said.lines().find_map(|line| line.strip_prefix("public "));
    let public = public.ok_or_else(|| Error::other("paigow-keys names no public key"))?;
    Ok(HeldKey { file: key_file(folder, role)?, public: public.trim().to_owned() })
}

/// Returns the key file of a role in a folder.
pub(crate) fn key_file(folder: &Path, role: &str) -> std::io::Result<PathBuf> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        if name.starts_with(&format!("{role}-")) && name.ends_with(".key") {
            return Ok(path);
        }
    }
    Err(Error::other(format!("{}: no {role} key", folder.display())))
}

/// Has the newest manifest list the log, and the beacon if there is one. Signs the next manifest if it does not. Returns the
/// number of the newest manifest.
async fn list(
    folder: &Path,
    keyring: &Path,
    key: &HeldKey,
    beacon: Option<&DemonstrationBeacon>,
    external: bool,
) -> std::io::Result<i64> {
    let chain = keyring.join("manifests.jsonl");
    let lines = std::fs::read_to_string(&chain)?;
    let newest = newest(&lines).ok_or_else(|| Error::other("the keyring has no manifest"))?;
    let sequence: i64 = newest["seq"].as_str().and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut tenants = newest["tenants"].as_array().into_iter().flatten();
    let tenant = tenants.find(|one| one["tenant"] == TENANT);
    let waits = tenant.is_some_and(|tenant| tenant["policy"]["external"] == "drand");
    let listed = newest["beacon"]["pk"].as_str();
    let is_other = |beacon: &DemonstrationBeacon| listed != Some(&hex::encode(beacon.public()));
    // No later manifest may list another beacon.
    if listed.is_some() && beacon.is_some_and(is_other) {
        let sentence = "the manifest lists a beacon whose key is lost: move the folder away";
        return Err(Error::other(sentence));
    }
    let new_beacon = beacon.filter(|_| listed.is_none());
    let has_log = newest["log"]["pk"] == key.public.as_str();
    if has_log && new_beacon.is_none() && waits == external {
        return Ok(sequence);
    }
    let arguments = ["manifest", "next", "--chain"].map(OsStr::new);
    let before = keys(&[&arguments[..], &[chain.as_os_str()]].concat()).await?;
    let mut description = without_log(&before, external);
    description += &format!("\n[log]\norigin = \"{ORIGIN}\"\npublic = \"{}\"\n", key.public);
    if let Some(beacon) = new_beacon {
        description += &format!(
            "\n[beacon]\nid = \"{}\"\ngenesis = {}\ngroup = \"{}\"\nperiod = {}\npublic = \"{}\"\n",
            beacon::ID,
            beacon::GENESIS,
            hex::encode(beacon.group()),
            beacon::PERIOD,
            hex::encode(beacon.public()),
        );
    }
    let file = folder.join("manifest.toml");
    std::fs::write(&file, description)?;
    let root = key_file(keyring, "root")?;
    let arguments: [OsString; 7] = [
        "manifest".into(),
        "sign".into(),
        file.into(),
        "--chain".into(),
        chain.clone().into(),
        "--key".into(),
        root.into(),
    ];
    let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
    let signed = keys(&arguments).await?;
    // A reader finds the old file or the new one.
    let new = chain.with_extension("new");
    std::fs::write(&new, lines + &signed)?;
    std::fs::rename(&new, &chain)?;
    Ok(sequence + 1)
}

/// Returns the payload of the last manifest of a chain.
fn newest(lines: &str) -> Option<Value> {
    let record: Value = serde_json::from_str(lines.lines().last()?).ok()?;
    serde_json::from_slice(&BASE64.decode(record["payload"].as_str()?).ok()?).ok()
}

/// Returns a description without its log, and with or without public randomness in the rounds of the tenant.
fn without_log(description: &str, external: bool) -> String {
    let mut lines = Vec::new();
    let mut is_log = false;
    for line in description.lines() {
        if line.starts_with('[') {
            is_log = line == "[log]";
        }
        if !is_log && !line.starts_with("external = ") {
            lines.push(line);
        }
        if external && line == format!("tenant = \"{TENANT}\"") {
            lines.push("external = \"drand\"");
        }
    }
    lines.join("\n") + "\n"
}
