//! The server as a process that exports.

use std::io::{BufRead as _, BufReader};
use std::process::{ChildStdout, Command, Stdio};
use std::thread::JoinHandle;

use paigow_client::PaiGowServiceClient;
use tempfile::TempDir;
use tonic::Request;
use tonic::transport::Channel;

use crate::child::KilledOnDrop;

/// A server process.
#[derive(Debug)]
pub(crate) struct Process {
    child: KilledOnDrop,
    reading: Reading,
    /// The lines that it printed before it listened.
    pub(crate) printed: String,
    pub(crate) address: String,
    _home: TempDir,
}

/// The reader of a process's output.
#[derive(Debug)]
enum Reading {
    /// A thread, so that the pipe is never full.
    Thread(JoinHandle<Vec<String>>),
    /// No reader until the process has ended.
    Nobody(BufReader<ChildStdout>),
}

impl Process {
    /// Starts `paigow-server` with JSON lines, a keyring of its own, no drain, and these
    /// settings of the environment.
    pub(crate) fn start(settings: &[(&str, &str)]) -> Self {
        let mut process = Self::start_unread(settings);
        if let Reading::Nobody(lines) = process.reading {
            let read = || lines.lines().map(Result::unwrap).collect();
            process.reading = Reading::Thread(std::thread::spawn(read));
        }
        process
    }

    /// Like [`Process::start`], but its output is not read once it listens.
    pub(crate) fn start_unread(settings: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut child = Command::new(paigow_testkit::programs::server())
            .env_clear()
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .env("PAIGOW__SERVER__DRAIN_MS", "0")
            .env("PAIGOW__LOG__FORMAT", "json")
            .envs(settings.iter().copied())
            .current_dir(home.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut printed = String::new();
        while !printed.contains("\"listening\"") && lines.read_line(&mut printed).unwrap() > 0 {}
        let address = member(printed.lines().last().unwrap(), "address");
        Self { child, reading: Reading::Nobody(lines), printed, address, _home: home }
    }

    /// Where Prometheus may scrape it.
    pub(crate) fn scraped_at(&self) -> String {
        let line = self.printed.lines().find(|line| line.contains("metrics are at /metrics"));
        member(line.unwrap(), "address")
    }

    pub(crate) async fn client(&self) -> PaiGowServiceClient<Channel> {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).unwrap();
        PaiGowServiceClient::new(endpoint.connect().await.unwrap())
    }

    /// Stops it by SIGTERM, and returns what it has printed since it listened. It must end
    /// with 0.
    pub(crate) async fn stopped(mut self) -> Vec<String> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let ended = tokio::task::spawn_blocking(move || {
            let ended = self.child.wait().unwrap();
            let lines = match self.reading {
                Reading::Thread(reading) => reading.join().unwrap(),
                // The content of the pipe outlives its writer.
                Reading::Nobody(lines) => lines.lines().map(Result::unwrap).collect(),
            };
            assert_eq!(ended.code(), Some(0), "{lines:?}");
            lines
        });
        ended.await.unwrap()
    }
}

/// A member of a JSON line.
pub(crate) fn member(line: &str, name: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    json[name].as_str().unwrap_or_else(|| panic!("no {name} in {line}")).to_owned()
}

/// A request of a caller whose trace is this.
pub(crate) fn traced<T>(message: T, traceparent: &str) -> Request<T> {
    let mut request = Request::new(message);
    request.metadata_mut().insert("traceparent", traceparent.parse().unwrap());
    request
}
