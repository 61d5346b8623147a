//! The calls of a table: their transport and their credentials.

use std::error::Error;
use std::io;
use std::iter::successors;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, Channel, ClientTlsConfig, Endpoint, Identity};
use tonic::{Request, Status};

use crate::{CommandError, read_file, read_text};
use paigow_client::PaiGowServiceClient;

/// The credentials of a caller. Secrets stay in files.
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    /// The authority of the server's certificate, PEM; needed with `https`.
    pub ca: Option<PathBuf>,
    /// The caller's certificate chain, PEM.
    pub certificate: Option<PathBuf>,
    /// The key of that certificate, PEM.
    pub key: Option<PathBuf>,
    /// A file with a bearer token, with or without a line end.
    pub token_file: Option<PathBuf>,
}

/// Adds the token to every call, if there is one.
#[derive(Clone)]
pub(crate) struct BearerToken(Option<MetadataValue<Ascii>>);

impl Interceptor for BearerToken {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(token) = &self.0 {
            request.metadata_mut().insert("authorization", token.clone());
        }
        Ok(request)
    }
}

/// A client that sends a bearer token, if there is one.
pub(crate) type AuthenticatedClient = PaiGowServiceClient<InterceptedService<Channel, BearerToken>>;

/// Connects to a server.
///
/// # Errors
///
/// If a file cannot be read or used, or the server cannot be reached.
pub(crate) async fn connect(
    server: &str,
    credentials: &Credentials,
) -> Result<AuthenticatedClient, CommandError> {
    let endpoint = endpoint(server)?;
    connect_by(endpoint, server, None, credentials).await
}

/// Connects to one of the addresses of a server, whose host is `host`.
///
/// # Errors
///
/// As [`connect`]; also if it takes longer than ten seconds.
pub(crate) async fn connect_to(
    server: &str,
    host: &str,
    address: SocketAddr,
    credentials: &Credentials,
) -> Result<AuthenticatedClient, CommandError> {
    let origin = endpoint(server)?.uri().clone();
    let scheme = if server.starts_with("https://") { "https" } else { "http" };
    let endpoint = endpoint(&format!("{scheme}://{address}"))?.origin(origin);
    let endpoint = endpoint.connect_timeout(CONNECTED_WITHIN);
    connect_by(endpoint, server, Some(host), credentials).await
}

/// How long one address of several may take to answer.
const CONNECTED_WITHIN: Duration = Duration::from_secs(10);

fn endpoint(address: &str) -> Result<Endpoint, CommandError> {
    Endpoint::from_shared(address.to_owned())
        .map_err(|error| CommandError::Usage(format!("{address}: {error}")))
}

/// Connects to an endpoint of `server`. `host` is the name in its certificate, if it is not the
/// host of the endpoint.
async fn connect_by(
    mut endpoint: Endpoint,
    server: &str,
    host: Option<&str>,
    credentials: &Credentials,
) -> Result<AuthenticatedClient, CommandError> {
    let usage = |what: String| CommandError::Usage(what);
    if server.starts_with("https://") {
        let tls = tls(credentials)?;
        let tls = if let Some(host) = host { tls.domain_name(host) } else { tls };
        endpoint = endpoint.tls_config(tls).map_err(|error| usage(format!("TLS: {error}")))?;
    }
    let token = credentials.token_file.as_ref().map(|path| {
        let text = read_text(path)?;
        let mut value: MetadataValue<Ascii> = format!("Bearer {}", text.trim_end())
            .parse()
            .map_err(|_| usage(format!("{}: not a token", path.display())))?;
        // So that it is never in a log or an index of headers.
        value.set_sensitive(true);
        Ok::<_, CommandError>(value)
    });
    let token = BearerToken(token.transpose()?);
    let channel = endpoint.connect().await.map_err(|error| {
        let question = if is_refused(&error) { "; is paigow-server running?" } else { "" };
        CommandError::Unavailable(format!("{server}: {}{question}", with_causes(&error)))
    })?;
    Ok(PaiGowServiceClient::with_interceptor(channel, token))
}

/// Returns an error and its causes, the root cause last.
fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// Returns the text of an error and of its causes. A cause that an error already states is left
/// out.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut told = String::new();
    for what in causes(error).map(ToString::to_string) {
        if told.is_empty() {
            told = what;
        } else if !told.ends_with(&what) {
            told = format!("{told}: {what}");
        }
    }
    told
}

/// Returns whether no process listens at the address.
fn is_refused(error: &(dyn Error + 'static)) -> bool {
    causes(error)
        .filter_map(|error| error.downcast_ref::<io::Error>())
        .any(|error| error.kind() == io::ErrorKind::ConnectionRefused)
}

fn tls(credentials: &Credentials) -> Result<ClientTlsConfig, CommandError> {
    let Some(ca) = &credentials.ca else {
        let what = "missing --ca: give the CA certificate (PEM) of the https server";
        return Err(CommandError::Usage(what.to_owned()));
    };
    let tls = ClientTlsConfig::new().ca_certificate(Certificate::from_pem(read_file(ca)?));
    match (&credentials.certificate, &credentials.key) {
        (Some(certificate), Some(key)) => {
            Ok(tls.identity(Identity::from_pem(read_file(certificate)?, read_file(key)?)))
        }
        (None, None) => Ok(tls),
        (Some(_), None) | (None, Some(_)) => {
            Err(CommandError::Usage("--certificate and --key must be given together".to_owned()))
        }
    }
}
