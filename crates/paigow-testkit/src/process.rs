//! The real binaries as processes.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::child::KilledOnDrop;

/// A server process.
#[derive(Debug)]
pub struct Process {
    child: KilledOnDrop,
    /// Where it listens, as `127.0.0.1:50051`.
    pub address: String,
    /// The root key that it prints.
    pub root: String,
}

impl Process {
    /// Starts `paigow-server` without configuration, except for a port of the system's choice.
    /// Its keyring is in `folder`.
    pub fn start(folder: &Path) -> Self {
        let mut child = Command::new(crate::programs::server())
            .env_clear()
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let mut printed = String::new();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        while !printed.contains("\nTry: ") && lines.read_line(&mut printed).unwrap() > 0 {}
        let word = |name: &str| {
            let line = printed.lines().find(|line| line.trim_start().starts_with(name));
            line.unwrap_or_else(|| panic!("no {name} in {printed}"))
                .split_whitespace()
                .last()
                .unwrap()
                .to_owned()
        };
        let (address, root) = (word("listens on"), word("root key"));
        // Later output of the process must not fill the pipe.
        std::thread::spawn(move || for _ in lines.lines() {});
        Self { child, address, root }
    }

    /// Kills it at once with SIGKILL, without a chance to clean up.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
