//! Traces, metrics and logs on their way to a collector, and metrics to Prometheus.
//!
//! All of it runs beside play. Queues are bounded and drop what does not fit. Exports have threads
//! and a tokio runtime of their own.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use opentelemetry::metrics::MeterProvider as _;
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_otlp::{
    Compression, ExporterBuildError, LogExporter, MetricExporter, SpanExporter, WithExportConfig,
    WithTonicConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::logs::{
    BatchConfigBuilder as LogBatches, BatchLogProcessor, SdkLoggerProvider,
};
use opentelemetry_sdk::metrics::{Instrument, PeriodicReader, SdkMeterProvider, Stream};
use opentelemetry_sdk::resource::TelemetryResourceDetector;
use opentelemetry_sdk::trace::{
    BatchConfigBuilder as SpanBatches, BatchSpanProcessor, Sampler, SdkTracerProvider, SpanData,
};
use tokio::sync::oneshot;
use tonic::transport::{Certificate, ClientTlsConfig};

use super::meters::Meters;
use super::names::{self, SERVICE, SPAN_ATTRIBUTES};
use super::prometheus;
use super::queue::LogQueue;
use paigow_config::TelemetryConfig;

/// How many spans, and how many log records, wait for an export at most; more are
/// dropped.
const QUEUE: usize = 2048;

/// How many of them one export takes.
const BATCH: usize = 512;

/// How long the first of them waits.
const DELAY: Duration = Duration::from_secs(1);

/// The running instance, as each export names it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InstanceFacts {
    /// The version of the software.
    pub version: &'static str,
    /// The commit that it was built from.
    pub revision: &'static str,
    /// The name of the instance if the settings have none.
    pub instance: String,
}

/// Why exports cannot be set up.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The authority of the collector's certificate cannot be read.
    #[error("telemetry.otlp_ca_file: cannot read {}: {error}", file.display())]
    Authority {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The collector's address cannot be used.
    #[error("telemetry.otlp_endpoint: {0}")]
    Collector(#[from] ExporterBuildError),
    /// The address for Prometheus cannot be listened on.
    #[error("telemetry.prometheus_listen: cannot listen on {address}: {error}")]
    Prometheus {
        /// The address.
        address: SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The system gives no thread to export with.
    #[error("cannot start a thread to export telemetry: {0}")]
    Thread(std::io::Error),
}

/// The pipelines that are on.
#[derive(Debug)]
pub(super) struct Exports {
    pub(super) meters: Meters,
    pub(super) traces: Option<SdkTracerProvider>,
    pub(super) logs: Option<SdkLoggerProvider>,
    metrics: Option<SdkMeterProvider>,
    /// Where Prometheus may scrape.
    pub(super) scraped_at: Option<SocketAddr>,
    /// Ends the runtime of the exports when it is dropped.
    _runtime: Option<oneshot::Sender<()>>,
}

impl Exports {
    /// Builds what the settings ask for.
    pub(super) fn new(
        config: &TelemetryConfig,
        facts: &InstanceFacts,
    ) -> Result<Self, ExportError> {
        if config.otlp_endpoint.is_none() && config.prometheus_listen.is_none() {
            return Ok(Self {
                meters: Meters::off(),
                traces: None,
                logs: None,
                metrics: None,
                scraped_at: None,
                _runtime: None,
            });
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ExportError::Thread)?;
        // Exporters and listeners belong to the runtime that they are made in.
        let entered = runtime.enter();
        let resource = resource(config, facts);
        let mut metrics =
            SdkMeterProvider::builder().with_resource(resource.clone()).with_view(roomy);
        let (mut traces, mut logs, mut scraped_at, mut scraped) = (None, None, None, None);
        if let Some(endpoint) = &config.otlp_endpoint {
            let collector = Collector::new(endpoint, config)?;
            traces = Some(collector.traces(config, &resource)?);
            logs = Some(collector.logs(&resource)?);
            let exporter = collector.metrics()?;
            let reader = PeriodicReader::builder(exporter).with_interval(config.metrics_interval);
            metrics = metrics.with_reader(reader.build());
        }
        if let Some(address) = config.prometheus_listen {
            let failed = |error| ExportError::Prometheus { address, error };
            let listener = TcpListener::bind(address).map_err(failed)?;
            scraped_at = Some(listener.local_addr().map_err(failed)?);
            let registry = ::prometheus::Registry::new();
            let reader = opentelemetry_prometheus::exporter()
                .with_registry(registry.clone())
                .scope_info_enabled(false)
                .build()
                .expect("a registry of its own takes its first collector");
            metrics = metrics.with_reader(reader);
            scraped = Some((address, listener, registry));
        }
        let metrics = metrics.build();
        let meters = Meters::new(metrics.meter_with_scope(scope()));
        meters.watch_process();
        if let Some((address, listener, registry)) = scraped {
            prometheus::serve(listener, registry, meters.clone())
                .map_err(|error| ExportError::Prometheus { address, error })?;
        }
        drop(entered);
        let (stop, stopped) = oneshot::channel::<()>();
        std::thread::Builder::new()
            .name("telemetry".to_owned())
            .spawn(move || runtime.block_on(async { stopped.await.unwrap_or_default() }))
            .map_err(ExportError::Thread)?;
        Ok(Self { meters, traces, logs, metrics: Some(metrics), scraped_at, _runtime: Some(stop) })
    }

    /// Counts the lines of the log that were dropped, if metrics are exported.
    pub(super) fn count_dropped_lines(&self, lines: LogQueue) {
        let Some(metrics) = &self.metrics else { return };
        let metric = names::LOG_DROPPED;
        // It belongs to the provider, and lives as long.
        let _counter = metrics
            .meter_with_scope(scope())
            .u64_observable_counter(metric.name)
            .with_unit(metric.unit)
            .with_description(metric.description)
            .with_callback(move |counter| {
                counter.observe(lines.dropped(), &[]);
            })
            .build();
    }

    /// Exports the remaining spans, then log records, then metrics, to which the others add.
    /// Returns whether that was done within `limit`.
    pub(super) fn finish(self, limit: Duration) -> bool {
        let Self { traces, logs, metrics, _runtime, .. } = self;
        let (done, is_done) = mpsc::sync_channel(1);
        // The metrics' own shutdown exceeds its limit, hence a thread.
        let flushing = std::thread::Builder::new().name("flush".to_owned()).spawn(move || {
            let traces = traces.map(|traces| traces.shutdown_with_timeout(limit));
            let logs = logs.map(|logs| logs.shutdown_with_timeout(limit));
            let metrics = metrics.map(|metrics| metrics.shutdown());
            let all = [traces, logs, metrics].into_iter().flatten().all(|ended| ended.is_ok());
            // The receiver may be gone.
            done.send(all).unwrap_or_default();
        });
        flushing.is_ok() && is_done.recv_timeout(limit).unwrap_or(false)
    }
}

/// How many series a metric by currency or tenant may have. Beyond the default of 2,000 the SDK adds
/// all further series up in one, without ruleset and bet. There are a few dozen pairs of these, and
/// 65 currencies. The SDK makes room for all series at once, about 40 bytes each.
const SERIES: usize = 20_000;

/// Gives metrics by currency or tenant room for their series.
pub(super) fn roomy(instrument: &Instrument) -> Option<Stream> {
    let metric = names::METRICS.iter().find(|metric| metric.name == instrument.name())?;
    let many = [names::CURRENCY, names::TENANT];
    let has_many = metric.attributes.iter().any(|attribute| many.contains(attribute));
    has_many.then(|| Stream::builder().with_cardinality_limit(SERIES).build().ok()).flatten()
}

pub(super) fn scope() -> InstrumentationScope {
    InstrumentationScope::builder(SERVICE).with_version(env!("CARGO_PKG_VERSION")).build()
}

/// Describes the running instance. Nothing is taken from the environment: only the attributes in
/// [`names::RESOURCE_ATTRIBUTES`] are exported.
fn resource(config: &TelemetryConfig, facts: &InstanceFacts) -> Resource {
    let instance = config.instance.clone().unwrap_or_else(|| facts.instance.clone());
    let attributes = [
        KeyValue::new("service.name", SERVICE),
        KeyValue::new("service.namespace", SERVICE),
        KeyValue::new("service.version", facts.version),
        KeyValue::new("service.instance.id", instance),
        KeyValue::new("deployment.environment.name", config.environment.clone()),
        KeyValue::new("vcs.ref.head.revision", facts.revision),
    ];
    Resource::builder_empty()
        .with_detector(Box::new(TelemetryResourceDetector))
        .with_attributes(attributes)
        .build()
}

/// Reads the certificate of the authority that signs the collector's, if the settings name one.
///
/// # Errors
///
/// If the file cannot be read.
pub(super) fn authority_pem(config: &TelemetryConfig) -> Result<Option<Vec<u8>>, ExportError> {
    let Some(file) = &config.otlp_ca_file else { return Ok(None) };
    let pem = std::fs::read(file);
    pem.map(Some).map_err(|error| ExportError::Authority { file: file.clone(), error })
}

/// The collector, as the three exporters reach it.
struct Collector<'a> {
    endpoint: &'a str,
    tls: Option<ClientTlsConfig>,
    timeout: Duration,
}

impl<'a> Collector<'a> {
    fn new(endpoint: &'a str, config: &TelemetryConfig) -> Result<Self, ExportError> {
        let authority = |pem| ClientTlsConfig::new().ca_certificate(Certificate::from_pem(pem));
        let tls = authority_pem(config)?.map(authority);
        Ok(Self { endpoint, tls, timeout: config.otlp_timeout })
    }

    fn traces(
        &self,
        config: &TelemetryConfig,
        resource: &Resource,
    ) -> Result<SdkTracerProvider, ExporterBuildError> {
        let exporter = self.reached(SpanExporter::builder().with_tonic()).build()?;
        let queue = SpanBatches::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY);
        let processor =
            BatchSpanProcessor::builder(AllowedSpans(exporter)).with_batch_config(queue.build());
        let ratio = share(config.sample_ratio_ppm);
        let begun_here = Sampler::TraceIdRatioBased(ratio);
        Ok(SdkTracerProvider::builder()
            .with_span_processor(processor.build())
            .with_sampler(Sampler::ParentBased(Box::new(begun_here)))
            .with_resource(resource.clone())
            .build())
    }

    fn logs(&self, resource: &Resource) -> Result<SdkLoggerProvider, ExporterBuildError> {
        let exporter = self.reached(LogExporter::builder().with_tonic()).build()?;
        let queue = LogBatches::default()
            .with_max_queue_size(QUEUE)
            .with_max_export_batch_size(BATCH)
            .with_scheduled_delay(DELAY);
        let processor = BatchLogProcessor::builder(exporter).with_batch_config(queue.build());
        Ok(SdkLoggerProvider::builder()
            .with_log_processor(processor.build())
            .with_resource(resource.clone())
            .build())
    }

    fn metrics(&self) -> Result<MetricExporter, ExporterBuildError> {
        self.reached(MetricExporter::builder().with_tonic()).build()
    }

    fn reached<B>(&self, builder: B) -> B
    where
        B: WithExportConfig + WithTonicConfig,
    {
        let builder = builder
            .with_endpoint(self.endpoint)
            .with_timeout(self.timeout)
            .with_compression(Compression::Gzip);
        match &self.tls {
            Some(tls) => builder.with_tls_config(tls.clone()),
            None => builder,
        }
    }
}

#[expect(clippy::float_arithmetic, reason = "a sampler takes its share as a double")]
fn share(ppm: u32) -> f64 {
    f64::from(ppm) / 1e6
}

/// A span exporter that removes each attribute that [`SPAN_ATTRIBUTES`] does not list.
#[derive(Debug)]
struct AllowedSpans<E>(E);

impl<E: opentelemetry_sdk::trace::SpanExporter> opentelemetry_sdk::trace::SpanExporter
    for AllowedSpans<E>
{
    async fn export(&self, mut batch: Vec<SpanData>) -> OTelSdkResult {
        for span in &mut batch {
            span.attributes.retain(|one| SPAN_ATTRIBUTES.contains(&one.key.as_str()));
            span.events = Default::default();
            span.links = Default::default();
        }
        self.0.export(batch).await
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.0.shutdown_with_timeout(timeout)
    }

    fn force_flush(&self) -> OTelSdkResult {
        self.0.force_flush()
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.0.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use opentelemetry::trace::{Span as _, Tracer as _, TracerProvider as _};
    use opentelemetry_sdk::trace::SimpleSpanProcessor;

    use super::*;
    use crate::telemetry::names;

    /// An exporter that stores the spans that it is given.
    #[derive(Clone, Debug, Default)]
    struct SpanKeeper(Arc<Mutex<Vec<SpanData>>>);

    impl opentelemetry_sdk::trace::SpanExporter for SpanKeeper {
        async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
            self.0.lock().unwrap().extend(batch);
            Ok(())
        }
    }

    #[test]
    fn a_span_leaves_with_the_listed_attributes_and_without_events() {
        let keeper = SpanKeeper::default();
        let processor = SimpleSpanProcessor::new(AllowedSpans(keeper.clone()));
        let provider = SdkTracerProvider::builder().with_span_processor(processor).build();
        let mut span = provider.tracer("test").start("call");
        span.set_attribute(KeyValue::new(names::SUITE, "derived"));
        span.set_attribute(KeyValue::new("planted", "secret"));
        span.add_event("planted", vec![KeyValue::new("planted", "secret")]);
        span.end();
        let kept = keeper.0.lock().unwrap().clone();
        let [span] = &kept[..] else { panic!("{} spans", kept.len()) };
        assert_eq!(span.attributes, [KeyValue::new(names::SUITE, "derived")]);
        assert!(span.events.is_empty() && span.links.is_empty());
    }

    fn config() -> TelemetryConfig {
        TelemetryConfig {
            otlp_endpoint: None,
            otlp_ca_file: None,
            otlp_timeout: Duration::from_secs(1),
            metrics_interval: Duration::from_secs(60),
            sample_ratio_ppm: 1_000_000,
            prometheus_listen: None,
            environment: "test".to_owned(),
            instance: None,
            round_ids: false,
        }
    }

    fn facts() -> InstanceFacts {
        InstanceFacts { version: "1", revision: "abc", instance: "drawn".to_owned() }
    }

    #[test]
    fn the_resource_is_what_is_listed_and_the_settings_name_the_instance() {
        let value = |config: &TelemetryConfig, key: &'static str| {
            resource(config, &facts()).get(&key.into()).map(|value| value.to_string())
        };
        assert_eq!(value(&config(), "service.instance.id").unwrap(), "drawn");
        let named = TelemetryConfig { instance: Some("table-7".to_owned()), ..config() };
        assert_eq!(value(&named, "service.instance.id").unwrap(), "table-7");
        let resource = resource(&named, &facts());
        assert_eq!(resource.len(), names::RESOURCE_ATTRIBUTES.len());
        for key in names::RESOURCE_ATTRIBUTES {
            assert!(resource.get(&key.into()).is_some(), "{key}");
        }
    }

    #[test]
    fn what_cannot_be_exported_is_told_by_its_setting() {
        let endpoint = Some("https://127.0.0.1:1".to_owned());
        let no_file = TelemetryConfig {
            otlp_endpoint: endpoint.clone(),
            otlp_ca_file: Some("/nowhere/ca.pem".into()),
            ..config()
        };
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let in_use = TelemetryConfig { prometheus_listen: Some(address), ..config() };
        for (config, told) in [
            (no_file, "telemetry.otlp_ca_file: cannot read /nowhere/ca.pem: "),
            (in_use, "telemetry.prometheus_listen: cannot listen on 127.0.0.1:"),
        ] {
            let error = Exports::new(&config, &facts()).unwrap_err().to_string();
            assert!(error.starts_with(told), "{error}");
        }
        assert!(Exports::new(&config(), &facts()).unwrap().finish(Duration::from_secs(60)));
    }
}
