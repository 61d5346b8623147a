//! The subjects of the measurement: `paigow-server` as it is, an echo behind the same layers in the
//! same process, and the bare signatures.

use paigow_fairness::signature::Signer as _;
use std::convert::Infallible;
use std::error::Error;
use std::hint::black_box;
use std::pin::Pin;
use std::sync::LazyLock;
use std::task::{Context, Poll};

use paigow::server::{self, SettingsFrom, Surroundings};
use paigow::telemetry::{self, InstanceFacts, LogOutput};
use paigow_config::Config;
use paigow_engine::SecretKey;
use paigow_fairness::signature::PublicKey;
use paigow_files::build::GIT_REVISION;
use tokio_stream::StreamExt as _;
use tonic::body::Body;
use tonic::server::{Grpc, NamedService};
use tonic::service::Routes;
use tonic::{Request, Response, Status, Streaming};
use tonic_prost::ProstCodec;
use tower::{Service, service_fn};

/// The variable with the task of this process: `serve` or `signatures`.
const TASK: &str = "TEST_LOAD";

/// Does the task that the environment names. Returns whether it names one.
pub(crate) fn run() -> Result<bool, Box<dyn Error>> {
    match std::env::var(TASK).as_deref() {
        Ok("serve") => serve().map(|()| true),
        Ok("signatures") => signatures().map(|()| true),
        Ok(other) => Err(format!("{TASK} is serve or signatures, not {other}").into()),
        Err(_) => Ok(false),
    }
}

/// Serves as `paigow-server` does, with settings from the environment, and an echo.
fn serve() -> Result<(), Box<dyn Error>> {
    let config = Config::load(None)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let facts = InstanceFacts {
        version: env!("CARGO_PKG_VERSION"),
        revision: GIT_REVISION,
        instance: "0".repeat(16),
    };
    let telemetry = telemetry::install(&config.telemetry, &config.log, LogOutput::Stderr, &facts)?;
    let surroundings = Surroundings {
        log_filter: None,
        settings: SettingsFrom::Sources(None),
        meters: telemetry.meters(),
        instance: facts.instance,
    };
    runtime.block_on(async {
        let service =
            server::prepare_in(&config, surroundings)?.beside(Routes::new(Echo), &ECHO_PATHS);
        let stop = server::asked_to_stop()?;
        let listener = server::listen(&config.server).await?;
        server::serve(listener, service, &config.server, stop).await?;
        Ok(())
    })
}

/// A request of any size, which states the size of its answer.
#[derive(Clone, PartialEq, prost::Message)]
struct EchoRequest {
    #[prost(uint32, tag = "1")]
    answer_bytes: u32,
    #[prost(bytes = "vec", tag = "2")]
    padding: Vec<u8>,
    /// How many bare signatures are made before the answer, and how many verified.
    #[prost(uint32, tag = "3")]
    made: u32,
    #[prost(uint32, tag = "4")]
    verified: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
struct EchoAnswer {
    #[prost(bytes = "vec", tag = "1")]
    padding: Vec<u8>,
}

fn answer(request: &EchoRequest) -> Result<EchoAnswer, Status> {
    let bytes = usize::try_from(request.answer_bytes)
        .ok()
        .filter(|bytes| *bytes <= 1 << 24)
        .ok_or_else(|| Status::invalid_argument("an answer has at most 16 MiB"))?;
    let signer = signer();
    for _ in 0..request.made {
        black_box(signer.key.sign(black_box(&SIGNED)));
    }
    for _ in 0..request.verified {
        signer.verify();
    }
    Ok(EchoAnswer { padding: vec![b'x'; bytes] })
}

/// The paths of [`Echo`].
const ECHO_PATHS: [&str; 2] = ["/paigow.bench.v1.Echo/Unary", "/paigow.bench.v1.Echo/Stream"];

/// `paigow.bench.v1.Echo`: `Unary` and `Stream`.
#[derive(Clone, Copy, Debug)]
struct Echo;

impl NamedService for Echo {
    const NAME: &'static str = "paigow.bench.v1.Echo";
}

impl Service<http::Request<Body>> for Echo {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let one = |request: Request<EchoRequest>| async move {
            answer(&request.into_inner()).map(Response::new)
        };
        let many = |request: Request<Streaming<EchoRequest>>| async move {
            let answers = request.into_inner().map(|request| answer(&request?));
            Ok(Response::new(Box::pin(answers)))
        };
        Box::pin(async move {
            let mut grpc = Grpc::new(ProstCodec::default());
            Ok(match request.uri().path() {
                "/paigow.bench.v1.Echo/Unary" => grpc.unary(service_fn(one), request).await,
                "/paigow.bench.v1.Echo/Stream" => grpc.streaming(service_fn(many), request).await,
                _ => Status::unimplemented("an echo has Unary and Stream").into_http(),
            })
        })
    }
}

/// How many signatures are made, and how many verified.
const SIGNATURES: u64 = 20_000;

/// The bytes to sign. Those of the measured deal are 700 and 490 long.
const SIGNED: [u8; 600] = [b'm'; 600];

/// A key, and the signature that it made.
struct Signer {
    key: SecretKey,
    public: PublicKey,
    signature: [u8; 64],
}

impl Signer {
    fn verify(&self) {
        let verifies = self.public.verifies(black_box(&SIGNED), black_box(&self.signature));
        assert!(verifies, "what the key has signed");
    }
}

fn signer() -> &'static Signer {
    static SIGNER: LazyLock<Signer> = LazyLock::new(|| {
        let key = SecretKey::from_bytes(&[7; 32]);
        let (public, signature) = (key.public(), key.sign(&SIGNED));
        Signer { key, public, signature }
    });
    &SIGNER
}

/// Prints the cost to make and to verify a signature, in nanoseconds of processor time.
fn signatures() -> Result<(), Box<dyn Error>> {
    let signer = signer();
    let sign = time_of(|| {
        black_box(signer.key.sign(black_box(&SIGNED)));
    })?;
    let verify = time_of(|| signer.verify())?;
    println!("{{\"sign_ns\": {sign}, \"verify_ns\": {verify}}}");
    Ok(())
}

/// Returns the nanoseconds of processor time that `work` takes.
fn time_of(work: impl Fn()) -> Result<u64, Box<dyn Error>> {
    let begin = processor_time()?;
    for _ in 0..SIGNATURES {
        work();
    }
    Ok((processor_time()? - begin) / SIGNATURES)
}

/// Reads how long this thread has had a processor, in nanoseconds.
fn processor_time() -> Result<u64, Box<dyn Error>> {
    let figures = std::fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = figures.split_whitespace().next().ok_or("schedstat has three figures")?;
    Ok(first.parse()?)
}
