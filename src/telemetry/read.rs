//! Metrics that a test reads as Prometheus does.

use std::collections::BTreeMap;

use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::metrics::SdkMeterProvider;
use prometheus::{Encoder as _, Registry, TextEncoder};

use super::Meters;
use super::export::roomy;

/// Metrics of a test, and the registry that they are read from.
pub(super) struct TestMetrics {
    pub(super) meters: Meters,
    registry: Registry,
    _provider: SdkMeterProvider,
}

impl TestMetrics {
    pub(super) fn new() -> Self {
        let registry = Registry::new();
        let reader = opentelemetry_prometheus::exporter()
            .with_registry(registry.clone())
            .scope_info_enabled(false)
            .build()
            .unwrap();
        let provider = SdkMeterProvider::builder().with_reader(reader).with_view(roomy).build();
        let meters = Meters::new(provider.meter("test"));
        Self { meters, registry, _provider: provider }
    }

    /// Returns the series whose names begin with `name`, each with its value.
    pub(super) fn of(&self, name: &str) -> BTreeMap<String, String> {
        let mut text = Vec::new();
        TextEncoder::new().encode(&self.registry.gather(), &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let series = text.lines().filter(|line| line.starts_with(name));
        let series = series.map(|line| line.rsplit_once(' ').unwrap());
        series.map(|(series, value)| (series.to_owned(), value.to_owned())).collect()
    }
}
