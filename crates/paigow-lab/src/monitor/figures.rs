//! The figures of a monitor for Prometheus.

use std::fmt::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use serde_json::Value;

use super::rounds::LoggedRoundCounts;
use super::{FindingCode, MonitorFinding};
use crate::CommandError;
use paigow_log::SignedCheckpoint;

/// The figures of the last look, served until the process ends.
#[derive(Debug)]
pub(super) struct MonitorFigures(Arc<Mutex<String>>);

impl MonitorFigures {
    /// Serves `/metrics` at an address.
    pub(super) fn serve(address: SocketAddr) -> Result<Self, CommandError> {
        let fault = |error: &dyn std::fmt::Display| {
            CommandError::Unavailable(format!("{address}: {error}"))
        };
        let listener = TcpListener::bind(address).map_err(|error| fault(&error))?;
        listener.set_nonblocking(true).map_err(|error| fault(&error))?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| fault(&error))?;
        let text = Arc::new(Mutex::new(String::new()));
        let told = Arc::clone(&text);
        let answer = move || {
            let text = told.lock().unwrap_or_else(PoisonError::into_inner).clone();
            async move { ([(CONTENT_TYPE, "text/plain; version=0.0.4")], text) }
        };
        let router = Router::new().route("/metrics", get(answer));
        std::thread::Builder::new()
            .name("metrics".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    let listener = tokio::net::TcpListener::from_std(listener)?;
                    axum::serve(listener, router).await
                })
            })
            .map_err(|error| fault(&error))?;
        Ok(Self(text))
    }

    /// Sets the figures of a look.
    pub(super) fn set(
        &self,
        entries: u64,
        rounds: LoggedRoundCounts,
        found: &[MonitorFinding],
        checkpoint: Option<&SignedCheckpoint>,
        voids: &Value,
    ) {
        let mut text = String::new();
        let mut family = |name: &str, help: &str, samples: &[(String, String)]| {
            writeln!(text, "# HELP {name} {help}\n# TYPE {name} gauge")
                .expect("a string takes all");
            for (labels, value) in samples {
                writeln!(text, "{name}{labels} {value}").expect("a string takes all");
            }
        };
        let one = |value: u64| vec![(String::new(), value.to_string())];
        family("paigow_log_entries", "Entries that the monitor has read.", &one(entries));
        let cosignatures = checkpoint.map_or(&[][..], |one| &one.cosignatures);
        let count = u64::try_from(cosignatures.len()).unwrap_or(u64::MAX);
        family(
            "paigow_log_cosignatures",
            "Named witnesses that signed the newest checkpoint.",
            &one(count),
        );
        if let Some(time) = cosignatures.iter().map(|one| one.cosignature.time).max() {
            family(
                "paigow_log_cosigned_timestamp_seconds",
                "When a named witness signed last, in seconds since 1970.",
                &one(time),
            );
        }
        let state = |state: &str, value: u64| (format!("{{state=\"{state}\"}}"), value.to_string());
        family(
            "paigow_log_rounds",
            "Rounds of the log by state.",
            &[
                state("open", rounds.open),
                state("settled", rounds.settled),
                state("void", rounds.void),
            ],
        );
        let findings: Vec<(String, String)> = FindingCode::ALL
            .iter()
            .map(|code| {
                let count = found.iter().filter(|finding| finding.code == *code).count();
                (format!("{{code=\"{}\"}}", code.name()), count.to_string())
            })
            .collect();
        family("paigow_log_findings", "Findings of the last look by code.", &findings);
        let sums = voids["all"].as_array().map_or(&[][..], Vec::as_slice);
        let sum = |key: &str| -> Vec<(String, String)> {
            let label = |one: &Value| {
                let currency = one["currency"].as_str().unwrap_or_default();
                (format!("{{currency=\"{currency}\"}}"), one[key].to_string().replace('"', ""))
            };
            sums.iter().map(label).collect()
        };
        family(
            "paigow_log_void_rounds",
            "Rounds with locked wagers and no settlement.",
            &sum("rounds"),
        );
        family(
            "paigow_log_void_house_net_minor",
            "What the house would have won in them, in minor units.",
            &sum("house_net_minor"),
        );
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}
