//! The engine of the table, a process of its own.

use std::path::{Path, PathBuf};
use std::time::Duration;

use paigow_client::{Engine, EngineSettings};
use tokio::process::Command;

use crate::process::{SupervisedProgram, address, beside};

/// The exit codes of an engine that a restart does not help: wrong arguments, and settings or keys at fault.
const LASTING: [i32; 2] = [64, 78];

/// How long a start waits before it asks the engine again.
const STARTING: Duration = Duration::from_millis(50);

/// The tenant of the development keyring whose policy requires locks, a chain and signed decisions.
pub(crate) const TENANT: &str = "dev-locked";

/// An engine that this program runs.
#[derive(Clone, Debug)]
pub(crate) struct EngineProcess {
    program: PathBuf,
    pub(crate) address: String,
    pub(crate) keyring: PathBuf,
    pub(crate) evidence: PathBuf,
    log: PathBuf,
}

impl EngineProcess {
    /// Prepares an engine in a folder. It is the program beside this one. Without a port it takes the last one again,
    /// where an engine may run that a killed game server has left, or a free one.
    pub(crate) async fn prepare(folder: &Path, port: Option<u16>) -> std::io::Result<Self> {
        let program = beside("paigow-server")?;
        let evidence = folder.join("evidence");
        std::fs::create_dir_all(&evidence)?;
        Ok(Self {
            program,
            address: address(&folder.join("engine.port"), port, answers).await?,
            keyring: folder.join("keys"),
            evidence,
            log: folder.join("engine.log"),
        })
    }

    /// Runs the engine for ever. An engine that answers already, as one that a killed game server has left, is used.
    pub(crate) async fn supervise(self) -> std::io::Result<()> {
        let supervised = SupervisedProgram {
            name: "Engine",
            address: Some(self.address.clone()),
            log: self.log.clone(),
            lasting: &LASTING,
        };
        supervised.run(async || answers(&self.address).await, || self.command()).await
    }

    /// Completes when the engine answers.
    pub(crate) async fn ready(&self) {
        while !answers(&self.address).await {
            tokio::time::sleep(STARTING).await;
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .env("PAIGOW__SERVER__LISTEN", &self.address)
            .env("PAIGOW__SERVER__TENANT", TENANT)
            .env("PAIGOW__KEYRING__DIRECTORY", &self.keyring)
            .env("PAIGOW__EVIDENCE__TARGET", "file")
            .env("PAIGOW__EVIDENCE__DIRECTORY", &self.evidence);
        command
    }
}

async fn answers(address: &str) -> bool {
    let settings = EngineSettings::plaintext(address).patience(Duration::ZERO);
    let Ok(engine) = Engine::connect(settings) else { return false };
    engine.state().await.is_ok()
}
