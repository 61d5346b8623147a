//! The connection to the engine: TLS, deadlines, retries, typed refusals.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use paigow_proto::v1 as pb;
use tokio::time::{Instant, sleep, timeout};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Response, Status};

use crate::PaiGowServiceClient;
use crate::errors::{ClientError, RefusedCall};
use crate::transport::{CallService, CallTransport};

/// The pauses between repetitions, from the first to the longest: those of the published retry policy.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// The engine's answers may be as large as a transcript.
const MAX_ANSWER: usize = 64 << 20;

/// How to reach the engine.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use paigow_client::EngineSettings;
///
/// let settings = EngineSettings::tls("paigow.example:50051").token("abc").deadline(Duration::from_secs(1));
/// assert!(!format!("{settings:?}").contains("abc"));
/// ```
#[derive(Clone)]
pub struct EngineSettings {
    addresses: Vec<String>,
    tls: Option<ClientTlsConfig>,
    token: Option<String>,
    has_identity: bool,
    deadline: Duration,
    patience: Duration,
    chance: fn() -> u16,
}

impl fmt::Debug for EngineSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineSettings").field("addresses", &self.addresses).finish_non_exhaustive()
    }
}

impl EngineSettings {
    fn new(addresses: &str, tls: Option<ClientTlsConfig>) -> Self {
        Self {
            addresses: addresses.split(',').map(str::to_owned).collect(),
            tls,
            token: None,
            has_identity: false,
            deadline: Duration::from_secs(2),
            patience: Duration::from_secs(30),
            chance: system_chance,
        }
    }

    /// Settings for replicas behind TLS. `addresses` is `host:port`, several of them with commas between.
    #[must_use]
    pub fn tls(addresses: &str) -> Self {
        Self::new(addresses, Some(ClientTlsConfig::new()))
    }

    /// Settings for replicas of this machine, without TLS.
    #[must_use]
    pub fn plaintext(addresses: &str) -> Self {
        Self::new(addresses, None)
    }

    fn with_tls(mut self, change: impl FnOnce(ClientTlsConfig) -> ClientTlsConfig) -> Self {
        self.tls = self.tls.map(change);
        self
    }

    /// Sets the authorities, in PEM, that may have signed the certificates of the replicas.
    #[must_use]
    pub fn ca(self, pem: impl AsRef<[u8]>) -> Self {
        self.with_tls(|tls| tls.ca_certificate(Certificate::from_pem(pem)))
    }

    /// Sets the name in the certificates of the replicas, where it is not that of the address.
    #[must_use]
    pub fn server_name(self, name: &str) -> Self {
        self.with_tls(|tls| tls.domain_name(name))
    }

    /// Sets the certificate and the key of this client, in PEM.
    #[must_use]
    pub fn identity(mut self, certificate: impl AsRef<[u8]>, key: impl AsRef<[u8]>) -> Self {
        self.has_identity = true;
        self.with_tls(|tls| tls.identity(Identity::from_pem(certificate, key)))
    }

    /// Sets the bearer token of this client.
    #[must_use]
    pub fn token(mut self, token: &str) -> Self {
        self.token = Some(token.trim().to_owned());
        self
    }

    /// Sets the time of one call, from its start to its answer. Two seconds unless it is set.
    #[must_use]
    pub const fn deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// Sets the time of all repetitions of a call. 30 seconds unless it is set.
    #[must_use]
    pub const fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets the numbers that vary the pauses between repetitions, 0 to 65535 each. They are random, from the
    /// operating system, unless it is set.
    #[must_use]
    pub fn chance(mut self, chance: fn() -> u16) -> Self {
        self.chance = chance;
        self
    }
}

/// A connection to one or more replicas. Clones share it.
#[derive(Clone)]
pub struct Engine {
    replicas: Arc<[CallTransport]>,
    current: Arc<AtomicUsize>,
    token: Option<MetadataValue<Ascii>>,
    deadline: Duration,
    patience: Duration,
    chance: fn() -> u16,
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine").field("replicas", &self.replicas.len()).finish_non_exhaustive()
    }
}

impl Engine {
    /// Makes a connection, without a call. A replica may be unreachable now and come back when it
    /// is needed.
    ///
    /// # Errors
    ///
    /// [`ClientError::Settings`] if an address, a certificate or the token is malformed, or if token or
    /// certificate would go without TLS.
    pub fn connect(settings: EngineSettings) -> Result<Self, ClientError> {
        let wrong = |error: &dyn fmt::Display| ClientError::Settings(error.to_string());
        if settings.tls.is_none() && (settings.token.is_some() || settings.has_identity) {
            return Err(ClientError::Settings("token and certificate need TLS".to_owned()));
        }
        let scheme = if settings.tls.is_some() { "https" } else { "http" };
        let mut replicas = Vec::new();
        for address in &settings.addresses {
            let endpoint = Endpoint::from_shared(format!("{scheme}://{address}"))
                .map_err(|error| wrong(&format_args!("{address}: {error}")))?;
            let mut endpoint = endpoint.connect_timeout(settings.deadline);
            if let Some(tls) = &settings.tls {
                endpoint = endpoint.tls_config(tls.clone()).map_err(|error| wrong(&error))?;
            }
            replicas.push(CallTransport::new(endpoint.connect_lazy()));
        }
        Self::of(replicas, settings)
    }

    /// Makes a connection over services that carry calls, one to each replica, as a transport other than TCP does. The
    /// addresses and the certificates of the settings are not used.
    ///
    /// # Errors
    ///
    /// [`ClientError::Settings`] if there is no service, or the token is malformed.
    pub fn over<S: CallService>(
        services: impl IntoIterator<Item = S>,
        settings: EngineSettings,
    ) -> Result<Self, ClientError> {
        Self::of(services.into_iter().map(CallTransport::new).collect(), settings)
    }

    fn of(replicas: Vec<CallTransport>, settings: EngineSettings) -> Result<Self, ClientError> {
        if replicas.is_empty() {
            return Err(ClientError::Settings("there is no replica".to_owned()));
        }
        let token = match settings.token {
            None => None,
            Some(token) => {
                let value = format!("Bearer {token}").parse();
                let mut value: MetadataValue<Ascii> =
                    value.map_err(|_| ClientError::Settings("the token is not text".to_owned()))?;
                value.set_sensitive(true);
                Some(value)
            }
        };
        Ok(Self {
            replicas: replicas.into(),
            current: Arc::default(),
            token,
            deadline: settings.deadline,
            patience: settings.patience,
            chance: settings.chance,
        })
    }

    /// Calls until there is an answer or a refusal. The request is the same each time, so a repeated call is
    /// answered as the first one.
    async fn call<Q, A, F>(
        &self,
        method: &str,
        request: Q,
        make: impl Fn(PaiGowServiceClient<CallTransport>, Request<Q>) -> F,
    ) -> Result<A, ClientError>
    where
        Q: Clone,
        F: Future<Output = Result<Response<A>, Status>>,
    {
        let ends = Instant::now() + self.patience;
        let mut pause = FIRST_PAUSE;
        loop {
            let current = self.current.load(Ordering::Relaxed) % self.replicas.len();
            let client = PaiGowServiceClient::new(self.replicas[current].clone())
                .max_decoding_message_size(MAX_ANSWER);
            let mut asked = Request::new(request.clone());
            asked.set_timeout(self.deadline);
            if let Some(token) = &self.token {
                asked.metadata_mut().insert("authorization", token.clone());
            }
            let status = match timeout(self.deadline, make(client, asked)).await {
                Ok(Ok(answer)) => {
                    tracing::trace!(target: "paigow_client::answers", method);
                    return Ok(answer.into_inner());
                }
                Ok(Err(status)) => status,
                Err(_) => Status::deadline_exceeded("no answer in time"),
            };
            let refused = RefusedCall::of(&status);
            if !may_be_repeated(&refused) {
                return Err(ClientError::Refused(Box::new(refused)));
            }
            let wait =
                jittered(pause, (self.chance)()).max(refused.retry_after.unwrap_or_default());
            if Instant::now() + wait > ends {
                return Err(ClientError::NoAnswer(format!("{method}: {refused}")));
            }
            if pause == FIRST_PAUSE {
                let seconds = self.patience.as_secs_f64();
                tracing::warn!(
                    "{method} has no answer yet ({refused}): the client repeats it for {seconds} s"
                );
            }
            self.current.fetch_add(1, Ordering::Relaxed);
            sleep(wait).await;
            pause = LONGEST_PAUSE.min(2 * pause);
        }
    }

    /// Returns what the engine says of itself: policy, manifest, open epochs.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] and [`ClientError::NoAnswer`], as of every call.
    pub async fn state(&self) -> Result<pb::GetEngineResponse, ClientError> {
        self.get_engine(pb::GetEngineRequest {}).await
    }

    /// Returns the signed manifests after a sequence number, oldest first.
    ///
    /// # Errors
    ///
    /// [`ClientError::Refused`] and [`ClientError::NoAnswer`], as of every call.
    pub async fn manifests(&self, after: i64) -> Result<Vec<pb::Record>, ClientError> {
        let (mut found, mut after_sequence) = (Vec::new(), after);
        loop {
            let page = self
                .list_manifests(pb::ListManifestsRequest { after_sequence, page_size: 0 })
                .await?;
            found.extend(page.manifests);
            after_sequence = page.next_after_sequence;
            if after_sequence == 0 {
                return Ok(found);
            }
        }
    }
}

/// Whether another replica, or the same one later, may answer.
fn may_be_repeated(refused: &RefusedCall) -> bool {
    match refused.code {
        Code::Unavailable | Code::DeadlineExceeded => true,
        // Without a reason, a replica that died has cut the answer off.
        Code::Unknown | Code::Internal | Code::Cancelled => refused.reason.is_empty(),
        Code::ResourceExhausted => refused.retry_after.is_some(),
        Code::Ok
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::DataLoss
        | Code::Unauthenticated => false,
    }
}

/// Returns a random number; the largest if the operating system has none.
fn system_chance() -> u16 {
    getrandom::u32().map_or(u16::MAX, |bits| u16::try_from(bits >> 16).unwrap_or(u16::MAX))
}

/// Returns half of a pause to the whole of it, so that clients do not all retry at once.
fn jittered(pause: Duration, part: u16) -> Duration {
    pause / 2 + pause / 2 * u32::from(part) / u32::from(u16::MAX)
}

macro_rules! calls {
    ($($name:ident: $title:literal, $request:ident => $answer:ident;)*) => {
        impl Engine {$(
            #[doc = concat!("Calls `", $title, "`, and repeats it until there is an answer or a refusal.")]
            ///
            /// # Errors
            ///
            /// [`ClientError::Refused`] and [`ClientError::NoAnswer`].
            pub async fn $name(&self, request: pb::$request) -> Result<pb::$answer, ClientError> {
                self.call($title, request, |mut client, request| async move { client.$name(request).await }).await
            }
        )*}
    };
}

calls! {
    get_engine: "GetEngine", GetEngineRequest => GetEngineResponse;
    list_manifests: "ListManifests", ListManifestsRequest => ListManifestsResponse;
    list_rulesets: "ListRulesets", ListRulesetsRequest => ListRulesetsResponse;
    get_ruleset: "GetRuleset", GetRulesetRequest => GetRulesetResponse;
    list_house_ways: "ListHouseWays", ListHouseWaysRequest => ListHouseWaysResponse;
    open_round: "OpenRound", OpenRoundRequest => OpenRoundResponse;
    deal: "Deal", DealRequest => DealResponse;
    set_house_way: "SetHouseWay", SetHouseWayRequest => SetHouseWayResponse;
    evaluate_hands: "EvaluateHands", EvaluateHandsRequest => EvaluateHandsResponse;
    weigh_settings: "WeighSettings", WeighSettingsRequest => WeighSettingsResponse;
    settle: "Settle", SettleRequest => SettleResponse;
    void_round: "VoidRound", VoidRoundRequest => VoidRoundResponse;
    prepare_open: "PrepareOpen", PrepareOpenRequest => PrepareOpenResponse;
    prepare_deal: "PrepareDeal", PrepareDealRequest => PrepareDealResponse;
    prepare_settle: "PrepareSettle", PrepareSettleRequest => PrepareSettleResponse;
    prepare_void: "PrepareVoid", PrepareVoidRequest => PrepareVoidResponse;
    audit: "Audit", AuditRequest => AuditResponse;
}
