//! Programs of this build that run beside the game server: started, and started again when they end.

use std::io::{Error, ErrorKind};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::Command;

/// How long the supervisor waits before it looks at a program again, or starts it again.
const LOOK: Duration = Duration::from_secs(1);

/// Returns the path of a program that lies beside this one.
pub(crate) fn beside(name: &str) -> std::io::Result<PathBuf> {
    let program = std::env::current_exe()?.with_file_name(name);
    if program.exists() {
        return Ok(program);
    }
    let sentence = format!("{}: no such program: `cargo build --release`", program.display());
    Err(Error::new(ErrorKind::NotFound, sentence))
}

/// A program that runs beside the game server.
#[derive(Clone, Debug)]
pub(crate) struct SupervisedProgram {
    /// Its name in messages, as `Engine`.
    pub(crate) name: &'static str,
    /// The address that it listens on, if it does.
    pub(crate) address: Option<String>,
    /// The file that gets its output.
    pub(crate) log: PathBuf,
    /// The exit codes that no restart helps.
    pub(crate) lasting: &'static [i32],
}

impl SupervisedProgram {
    /// Runs the program for ever. One that runs already, as a killed game server leaves it, is used.
    pub(crate) async fn run(
        self,
        is_running: impl AsyncFn() -> bool,
        command: impl Fn() -> Command,
    ) -> std::io::Result<()> {
        loop {
            if is_running().await {
                tokio::time::sleep(LOOK).await;
                continue;
            }
            let ended = self.run_once(command()).await?;
            if ended.code().is_some_and(|code| self.lasting.contains(&code)) {
                let (name, log) = (self.name, self.log.display());
                return Err(Error::other(format!("{name} cannot start ({ended}): see {log}")));
            }
            println!("{} has ended ({ended}), and is started again.", self.name);
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn run_once(&self, mut command: Command) -> std::io::Result<ExitStatus> {
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).kill_on_drop(true);
        let mut child = command.spawn()?;
        let address = self.address.as_ref().map(|address| format!("{address}, "));
        println!(
            "{}: process {}, {}log in {}",
            self.name,
            child.id().unwrap_or(0),
            address.unwrap_or_default(),
            self.log.display()
        );
        child.wait().await
    }
}

/// Returns an address of this machine: with the wanted port, or with the one that the file has from the last start, or
/// with a free one. A port that neither is free nor has the program that is looked for is not taken.
pub(crate) async fn address(
    file: &Path,
    wanted: Option<u16>,
    is_running: impl AsyncFn(&str) -> bool,
) -> std::io::Result<String> {
    let last = std::fs::read_to_string(file).ok().and_then(|text| text.trim().parse().ok());
    let at = |port: u16| format!("127.0.0.1:{port}");
    let port = match wanted.or(last) {
        Some(port) if TcpListener::bind(at(port)).is_ok() || is_running(&at(port)).await => port,
        _ => TcpListener::bind(at(0))?.local_addr()?.port(),
    };
    std::fs::write(file, port.to_string())?;
    Ok(at(port))
}
