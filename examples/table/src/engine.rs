//! The engine of the table, a process of its own: started, and started again when it ends.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use paigow_client::{Engine, EngineSettings};
use tokio::process::Command;

/// How long the supervisor waits before it looks at an engine again, or starts it again.
const LOOK: Duration = Duration::from_secs(1);

/// The exit codes of an engine that a restart does not help: wrong arguments, and settings or keys at fault.
const LASTING: [i32; 2] = [64, 78];

/// How long a start waits before it asks the engine again.
const STARTING: Duration = Duration::from_millis(50);

/// The tenant of the development keyring whose policy requires locks, a chain and signed decisions.
const TENANT: &str = "dev-locked";

/// An engine that this program runs.
#[derive(Clone, Debug)]
pub(crate) struct EngineProcess {
    program: PathBuf,
    pub(crate) address: String,
    pub(crate) keyring: PathBuf,
    evidence: PathBuf,
    log: PathBuf,
}

impl EngineProcess {
    /// Prepares an engine in a folder. It is the program beside this one. Without a port it takes the last one again,
    /// where an engine may run that a killed game server has left, or a free one.
    pub(crate) async fn prepare(folder: &Path, port: Option<u16>) -> std::io::Result<Self> {
        let program = std::env::current_exe()?.with_file_name("paigow-server");
        if !program.exists() {
            let sentence =
                format!("{}: no such program: `cargo build --release`", program.display());
            return Err(std::io::Error::new(std::io::ErrorKind::NotFound, sentence));
        }
        let evidence = folder.join("evidence");
        std::fs::create_dir_all(&evidence)?;
        let mut engine = Self {
            program,
            address: String::new(),
            keyring: folder.join("keys"),
            evidence,
            log: folder.join("engine.log"),
        };
        let file = folder.join("engine.port");
        let last = std::fs::read_to_string(&file).ok().and_then(|text| text.trim().parse().ok());
        let port = match port.or(last) {
            Some(port) if engine.at(port).can_be_had().await => port,
            _ => TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port(),
        };
        std::fs::write(file, port.to_string())?;
        Ok(engine.at(port).clone())
    }

    fn at(&mut self, port: u16) -> &Self {
        self.address = format!("127.0.0.1:{port}");
        self
    }

    /// Whether the address is free, or an engine listens there.
    async fn can_be_had(&self) -> bool {
        TcpListener::bind(&self.address).is_ok() || self.answers().await
    }

    /// Runs the engine for ever. An engine that answers already, as one that a killed game server has left, is used.
    pub(crate) async fn supervise(self) -> std::io::Result<()> {
        loop {
            if self.answers().await {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let ended = self.run().await?;
            if ended.code().is_some_and(|code| LASTING.contains(&code)) {
                let sentence =
                    format!("the engine cannot start ({ended}): see {}", self.log.display());
                return Err(std::io::Error::other(sentence));
            }
            println!("The engine has ended ({ended}). It is started again.");
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Completes when the engine answers.
    pub(crate) async fn ready(&self) {
        while !self.answers().await {
            tokio::time::sleep(STARTING).await;
        }
    }

    async fn answers(&self) -> bool {
        let settings = EngineSettings::plaintext(&self.address).patience(Duration::ZERO);
        let Ok(engine) = Engine::connect(settings) else { return false };
        engine.state().await.is_ok()
    }

    async fn run(&self) -> std::io::Result<ExitStatus> {
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let mut child = Command::new(&self.program)
            .env("PAIGOW__SERVER__LISTEN", &self.address)
            .env("PAIGOW__SERVER__TENANT", TENANT)
            .env("PAIGOW__KEYRING__DIRECTORY", &self.keyring)
            .env("PAIGOW__EVIDENCE__TARGET", "file")
            .env("PAIGOW__EVIDENCE__DIRECTORY", &self.evidence)
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .kill_on_drop(true)
            .spawn()?;
        println!(
            "Engine: process {}, {}, log in {}",
            child.id().unwrap_or(0),
            self.address,
            self.log.display()
        );
        child.wait().await
    }
}
