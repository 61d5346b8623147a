//! `[telemetry]`: the exported signals, and their destinations.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::faults::{ConfigFaults, path};

/// Settings of the export of traces, metrics and logs.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TelemetryConfig {
    /// The collector that takes OTLP over gRPC, if there is one.
    pub otlp_endpoint: Option<String>,
    /// The authority of the collector's certificate, PEM; needed with `https`.
    pub otlp_ca_file: Option<PathBuf>,
    /// How long one export may take, and all of them at the end.
    pub otlp_timeout: Duration,
    /// How often metrics are exported.
    pub metrics_interval: Duration,
    /// How many of a million traces that begin here are exported.
    pub sample_ratio_ppm: u32,
    /// The address at which Prometheus may scrape, if it may.
    pub prometheus_listen: Option<SocketAddr>,
    /// `deployment.environment.name`.
    pub environment: String,
    /// `service.instance.id`; [`None`] for one that is drawn at start.
    pub instance: Option<String>,
    /// Whether spans name the round.
    pub round_ids: bool,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawTelemetry {
    otlp_endpoint: String,
    otlp_ca_file: String,
    otlp_timeout_ms: u64,
    metrics_interval_ms: u64,
    sample_ratio_ppm: u32,
    prometheus_listen: String,
    environment: String,
    instance: String,
    round_ids: bool,
}

impl RawTelemetry {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> TelemetryConfig {
        let endpoint = Some(&self.otlp_endpoint).filter(|text| !text.is_empty());
        let otlp_ca_file = path(&self.otlp_ca_file);
        if let Some(endpoint) = endpoint {
            let url: Option<http::Uri> = endpoint.parse().ok();
            let scheme = url.as_ref().and_then(http::Uri::scheme_str);
            if !matches!(scheme, Some("http" | "https")) {
                let what = format!("`{endpoint}` is not http://host:port or https://host:port");
                faults.add("telemetry.otlp_endpoint", what);
            }
            if (scheme == Some("https")) != otlp_ca_file.is_some() {
                let what = "goes with an https endpoint, and an https endpoint needs it";
                faults.add("telemetry.otlp_ca_file", what);
            }
        }
        faults.within("telemetry.otlp_timeout_ms", &self.otlp_timeout_ms, 1, 60_000);
        faults.within("telemetry.metrics_interval_ms", &self.metrics_interval_ms, 100, 3_600_000);
        faults.within("telemetry.sample_ratio_ppm", &self.sample_ratio_ppm, 0, 1_000_000);
        let prometheus_listen =
            faults.address("telemetry.prometheus_listen", &self.prometheus_listen);
        for (key, text) in
            [("telemetry.environment", &self.environment), ("telemetry.instance", &self.instance)]
        {
            if text.len() > 128 || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
                faults.add(key, "must be at most 128 visible characters of ASCII");
            }
        }
        TelemetryConfig {
            otlp_endpoint: endpoint.cloned(),
            otlp_ca_file,
            otlp_timeout: Duration::from_millis(self.otlp_timeout_ms),
            metrics_interval: Duration::from_millis(self.metrics_interval_ms),
            sample_ratio_ppm: self.sample_ratio_ppm,
            prometheus_listen,
            environment: self.environment.clone(),
            instance: Some(self.instance.clone()).filter(|text| !text.is_empty()),
            round_ids: self.round_ids,
        }
    }
}
