//! A collector in this process: it keeps what it is sent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use opentelemetry_proto::tonic::collector::logs::v1::logs_service_server::{
    LogsService, LogsServiceServer,
};
use opentelemetry_proto::tonic::collector::logs::v1::{
    ExportLogsServiceRequest, ExportLogsServiceResponse,
};
use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue, any_value};
use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::metrics::v1::{Metric, metric, number_data_point};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::Span;
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::codec::CompressionEncoding::Gzip;
use tonic::transport::{Server, ServerTlsConfig};
use tonic::{Request, Response, Status};

/// Everything that was sent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Received {
    pub(crate) traces: Vec<ExportTraceServiceRequest>,
    pub(crate) metrics: Vec<ExportMetricsServiceRequest>,
    pub(crate) logs: Vec<ExportLogsServiceRequest>,
}

impl Received {
    pub(crate) fn spans(&self) -> Vec<&Span> {
        let of_resources = self.traces.iter().flat_map(|request| &request.resource_spans);
        of_resources.flat_map(|one| &one.scope_spans).flat_map(|one| &one.spans).collect()
    }

    pub(crate) fn records(&self) -> Vec<&LogRecord> {
        let of_resources = self.logs.iter().flat_map(|request| &request.resource_logs);
        of_resources.flat_map(|one| &one.scope_logs).flat_map(|one| &one.log_records).collect()
    }

    /// Every metric of every export.
    pub(crate) fn all_metrics(&self) -> Vec<&Metric> {
        self.metrics.iter().flat_map(metrics_of).collect()
    }

    /// The metric of this name in the last export: sums are cumulative.
    pub(crate) fn metric(&self, name: &str) -> &Metric {
        let last = self.metrics.last().unwrap_or_else(|| panic!("no metrics came"));
        let found = metrics_of(last).find(|metric| metric.name == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    }

    /// The numbers of a metric in the last export, by their attributes.
    pub(crate) fn numbers(&self, name: &str) -> Vec<(Vec<(String, String)>, f64)> {
        let points = match self.metric(name).data.as_ref().unwrap() {
            metric::Data::Sum(sum) => &sum.data_points,
            metric::Data::Gauge(gauge) => &gauge.data_points,
            metric::Data::Histogram(_)
            | metric::Data::ExponentialHistogram(_)
            | metric::Data::Summary(_) => panic!("{name} is no number"),
        };
        let value = |value: &Option<number_data_point::Value>| match value.unwrap() {
            number_data_point::Value::AsDouble(value) => value,
            number_data_point::Value::AsInt(value) => value as f64,
        };
        points.iter().map(|one| (pairs(&one.attributes), value(&one.value))).collect()
    }

    pub(crate) fn resources(&self) -> Vec<&Resource> {
        let traces = self.traces.iter().flat_map(|one| &one.resource_spans);
        let metrics = self.metrics.iter().flat_map(|one| &one.resource_metrics);
        let logs = self.logs.iter().flat_map(|one| &one.resource_logs);
        traces
            .map(|one| &one.resource)
            .chain(metrics.map(|one| &one.resource))
            .chain(logs.map(|one| &one.resource))
            .map(|one| one.as_ref().unwrap())
            .collect()
    }
}

fn metrics_of(request: &ExportMetricsServiceRequest) -> impl Iterator<Item = &Metric> {
    let scopes = request.resource_metrics.iter().flat_map(|one| &one.scope_metrics);
    scopes.flat_map(|one| &one.metrics)
}

/// Attributes as text, by their keys.
pub(crate) fn pairs(attributes: &[KeyValue]) -> Vec<(String, String)> {
    let mut pairs: Vec<(String, String)> =
        attributes.iter().map(|one| (one.key.clone(), text(one.value.as_ref()))).collect();
    pairs.sort();
    pairs
}

/// A value as text.
pub(crate) fn text(value: Option<&AnyValue>) -> String {
    match value.and_then(|value| value.value.as_ref()) {
        Some(any_value::Value::StringValue(text)) => text.clone(),
        Some(any_value::Value::IntValue(number)) => number.to_string(),
        other => panic!("no text and no number: {other:?}"),
    }
}

/// A collector on a port of the system's choice, until its runtime ends.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Received>>,
}

impl Collector {
    pub(crate) async fn start(tls: Option<ServerTlsConfig>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let keeper = Keeper(Arc::default());
        let received = Arc::clone(&keeper.0);
        let mut server = Server::builder();
        if let Some(tls) = tls {
            server = server.tls_config(tls).unwrap();
        }
        let serving = server
            .add_service(TraceServiceServer::new(keeper.clone()).accept_compressed(Gzip))
            .add_service(MetricsServiceServer::new(keeper.clone()).accept_compressed(Gzip))
            .add_service(LogsServiceServer::new(keeper).accept_compressed(Gzip))
            .serve_with_incoming(TcpListenerStream::new(listener));
        tokio::spawn(serving);
        Self { address, received }
    }

    /// Returns the data received so far.
    pub(crate) fn received(&self) -> Received {
        self.received.lock().unwrap().clone()
    }
}

#[derive(Clone)]
struct Keeper(Arc<Mutex<Received>>);

#[tonic::async_trait]
impl TraceService for Keeper {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        self.0.lock().unwrap().traces.push(request.into_inner());
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Keeper {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        self.0.lock().unwrap().metrics.push(request.into_inner());
        Ok(Response::new(Default::default()))
    }
}

#[tonic::async_trait]
impl LogsService for Keeper {
    async fn export(
        &self,
        request: Request<ExportLogsServiceRequest>,
    ) -> Result<Response<ExportLogsServiceResponse>, Status> {
        self.0.lock().unwrap().logs.push(request.into_inner());
        Ok(Response::new(Default::default()))
    }
}
