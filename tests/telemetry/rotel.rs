//! A collector of another project.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::net::TcpStream;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use paigow::telemetry::names::METRICS;

use super::child::KilledOnDrop;
use super::ports::ReservedPort;
use super::running::{deal, settle};
use super::server::{Process, traced};

/// The collector as a process.
struct Rotel {
    child: KilledOnDrop,
    address: String,
    _ports: [ReservedPort; 2],
}

impl Rotel {
    /// Starts it, and returns when it takes calls.
    fn start() -> Self {
        let rotel = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin/rotel");
        assert!(rotel.exists(), "no rotel yet: `tests/run` installs it");
        let ports = [(); 2].map(|()| ReservedPort::new());
        let [grpc, http] = ports.each_ref().map(|port| port.address.to_string());
        let child = Command::new(rotel)
            .args(["start", "--exporter", "blackhole", "--debug-log-verbosity", "detailed"])
            .args(["--debug-log", "traces", "--debug-log", "metrics", "--debug-log", "logs"])
            .args(["--otlp-grpc-endpoint", &grpc, "--otlp-http-endpoint", &http])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let rotel = Self { child, address: grpc, _ports: ports };
        let is_up = (0..600).any(|_| {
            let up = TcpStream::connect(&rotel.address).is_ok();
            if !up {
                std::thread::sleep(Duration::from_millis(50));
            }
            up
        });
        assert!(is_up, "rotel does not listen");
        rotel
    }

    /// Stops it, and returns everything that it has printed.
    fn stopped(mut self) -> String {
        let mut stdout = self.child.stdout.take().unwrap();
        let reading = std::thread::spawn(move || {
            let mut printed = String::new();
            stdout.read_to_string(&mut printed).unwrap();
            printed
        });
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap();
        reading.join().unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_of_others_gets_traces_metrics_and_logs_of_a_round() {
    let rotel = Rotel::start();
    let endpoint = format!("http://{}", rotel.address);
    let process = Process::start(&[
        ("PAIGOW__TELEMETRY__OTLP_ENDPOINT", &endpoint),
        ("PAIGOW__TELEMETRY__OTLP_TIMEOUT_MS", "30000"),
    ]);
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let traceparent = format!("00-{trace}-00f067aa0ba902b7-01");
    let mut client = process.client().await;
    let dealt = client.deal(traced(deal(1), &traceparent)).await.unwrap().into_inner();
    client.settle(traced(settle(&dealt), &traceparent)).await.unwrap();
    let mut wrong = traced(deal(2), &traceparent);
    wrong.get_mut().wagers = None;
    client.deal(wrong).await.unwrap_err();
    drop(client);
    let lines = process.stopped().await;
    assert!(!lines.iter().any(|line| line.contains("not all telemetry")), "{lines:?}");
    let printed = rotel.stopped();

    for line in [
        "     -> service.name: Str(paigow)",
        "     -> rpc.method: Str(paigow.v1.PaiGowService/Settle)",
        "     -> rpc.status_code: Str(OK)",
        "     -> rpc.system.name: Str(grpc)",
        "     -> paigow.suite.id: Str(derived)",
        "     -> Name: rpc.server.call.duration",
        "     -> Name: paigow.stake",
        "     -> Name: paigow.rounds",
        "Body: Str(call refused)",
        "     -> paigow.reason: Str(FIELD_MISSING)",
    ] {
        assert!(printed.lines().any(|found| found == line), "{line} in {printed}");
    }
    // Three spans and a log record are of the caller's trace.
    let of_trace = printed.lines().filter(|line| line.contains(trace)).count();
    assert!(of_trace >= 4, "{of_trace} lines name the trace: {printed}");
    // Its metrics are exactly the listed ones.
    let names = printed.lines().filter_map(|line| line.strip_prefix("     -> Name: "));
    let names: BTreeSet<&str> = names.collect();
    let listed: BTreeSet<&str> = METRICS.iter().map(|metric| metric.name).collect();
    assert!(names.is_subset(&listed), "{:?}", names.difference(&listed));
    assert!(names.len() > 18, "{names:?}");
}
