//! A real server process, followed by its log and its figures.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use paigow_client::PaiGowServiceClient;
use serde_json::Value;
use tonic::transport::Channel;

use crate::server::child::KilledOnDrop;

/// A server process whose log is read.
pub(crate) struct Logged {
    child: KilledOnDrop,
    lines: Receiver<Value>,
    pub(crate) address: String,
    /// The address of the metrics, if they are served.
    metrics: String,
    /// The lines that were logged before it listened.
    pub(crate) told: Vec<Value>,
}

impl Logged {
    pub(crate) fn start(folder: &Path, environment: &[(&str, &Path)]) -> Self {
        let environment = environment.iter().map(|(key, path)| (*key, path.as_os_str()));
        Self::run(folder, |command| command.envs(environment))
    }

    /// Starts a server with a file of settings.
    pub(crate) fn start_with(folder: &Path, settings: &Path) -> Self {
        Self::run(folder, |command| command.arg("--config").arg(settings))
    }

    fn run(folder: &Path, started: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = Command::new(paigow_testkit::programs::server());
        command
            .env_clear()
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .env("PAIGOW__LOG__FORMAT", "json");
        let mut child = started(&mut command)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if sender.send(serde_json::from_str(&line).unwrap()).is_err() {
                    return;
                }
            }
        });
        let (address, metrics, told) = (String::new(), String::new(), Vec::new());
        let mut logged = Self { child, lines, address, metrics, told };
        let (mut metrics, mut told) = (String::new(), Vec::new());
        let listening = logged.line(|line| {
            told.push(line.clone());
            if line["message"] == "metrics are at /metrics" {
                metrics = line["address"].as_str().unwrap().to_owned();
            }
            line["message"] == "listening"
        });
        logged.address = listening["address"].as_str().unwrap().to_owned();
        logged.metrics = metrics;
        logged.told = told;
        logged
    }

    /// Waits for a line of the log.
    pub(crate) fn line(&self, mut is_it: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60)).expect("the line");
            if is_it(&line) {
                return line;
            }
        }
    }

    /// Waits for a significant event, and returns its facts as [`facts_of`] does.
    pub(crate) fn event(&self, name: &str) -> String {
        facts_of(&self.line(|line| line["event"] == name))
    }

    /// The figure of a series, its labels as Prometheus shows them.
    pub(crate) fn figure(&self, series: &str) -> Option<u64> {
        let mut stream = TcpStream::connect(&self.metrics).unwrap();
        stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let figure = |line: &str| line.strip_prefix(series)?.strip_prefix(' ')?.parse().ok();
        answer.lines().find_map(figure)
    }

    /// Checks that the certificate in force is said to run out at `end`, in Unix seconds.
    pub(crate) fn certificate_ends(&self, end: u64) {
        let before = paigow::server::now();
        let remaining = self.figure("paigow_certificate_remaining_seconds").unwrap();
        let after = paigow::server::now();
        assert!((end - after..=end - before).contains(&remaining), "{remaining} of {end}");
    }

    pub(crate) fn hang_up(&self) {
        self.signal("-HUP");
    }

    /// Aborts the process as a fault of its own would, and returns its exit status.
    pub(crate) fn abort(mut self) -> ExitStatus {
        self.signal("-ABRT");
        self.child.wait().unwrap()
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    fn signal(&self, name: &str) {
        let id = self.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    pub(crate) async fn client(&self) -> PaiGowServiceClient<Channel> {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).unwrap();
        PaiGowServiceClient::new(endpoint.connect().await.unwrap())
            .max_decoding_message_size(1 << 26)
    }
}

/// The facts of a line as `name=value name=value`; empty if the line has none.
pub(crate) fn facts_of(line: &Value) -> String {
    let facts = line["facts"].as_str().unwrap_or("{}");
    let facts: BTreeMap<String, String> = serde_json::from_str(facts).unwrap();
    let facts = facts.iter().map(|(name, value)| format!("{name}={value}"));
    facts.collect::<Vec<_>>().join(" ")
}
