//! The network between platforms and replicas: a proxy that delays, loses, doubles and repeats.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use http_body_util::{BodyExt as _, Full};
use paigow::server::ReplicaCalls;
use prost::bytes::Bytes;
use tokio::sync::oneshot;
use tokio::time::sleep;
use tonic::Status;
use tonic::body::Body;
use tower::{BoxError, Service, ServiceExt as _};

use crate::answers::Answers;
use crate::machine::{self, HostId, Life, OnHost};
use crate::note;

/// The longest time of a call that is neither lost nor late.
const QUICK: u64 = 5;

/// A replica as the network reaches it.
#[derive(Clone)]
pub(crate) struct Reachable {
    pub(crate) host: HostId,
    pub(crate) life: Arc<Life>,
    pub(crate) calls: ReplicaCalls,
}

/// The network. Clones are the same.
#[derive(Clone, Default)]
pub(crate) struct Network(Arc<NetworkParts>);

#[derive(Default)]
struct NetworkParts {
    replicas: Mutex<BTreeMap<HostId, Reachable>>,
    /// Whether the proxy mistreats calls.
    faulty: Mutex<bool>,
    requests: Mutex<u64>,
    answers: Answers,
}

/// The bytes of a call, so that they can be sent twice.
#[derive(Clone)]
struct CallBytes {
    path: String,
    headers: http::HeaderMap,
    body: Bytes,
}

type Answer = Result<Response<Body>, Status>;

impl Network {
    /// Connects a replica, or cuts it off.
    pub(crate) fn set(&self, host: HostId, reachable: Option<Reachable>) {
        let mut replicas = self.0.replicas.lock().unwrap();
        match reachable {
            Some(reachable) => drop(replicas.insert(host, reachable)),
            None => drop(replicas.remove(&host)),
        }
    }

    /// Has the proxy mistreat calls, or not.
    pub(crate) fn set_faulty(&self, faulty: bool) {
        *self.0.faulty.lock().unwrap() = faulty;
    }

    /// Returns the answers that have left replicas.
    pub(crate) fn answers(&self) -> &Answers {
        &self.0.answers
    }

    /// Returns the way from a platform to a replica.
    pub(crate) fn way_to(&self, host: HostId) -> Way {
        Way { network: self.clone(), host }
    }

    /// Hands a call to a replica after a while. Returns its answer, which leaves the replica in any case.
    async fn deliver(&self, host: HostId, call: CallBytes, after: u64) -> Answer {
        sleep(Duration::from_millis(after)).await;
        let unreachable = || Status::unavailable("connection refused");
        let replica =
            self.0.replicas.lock().unwrap().get(&host).cloned().ok_or_else(unreachable)?;
        let (answered, answer) = oneshot::channel();
        let network = self.clone();
        let work = async move {
            let mut request =
                Request::post(&call.path).body(Body::new(Full::new(call.body.clone())));
            let request_mut = request.as_mut().expect("the path is one");
            request_mut.headers_mut().clone_from(&call.headers);
            let response = replica.calls.oneshot(request.expect("the path is one")).await;
            let answer = match response {
                Ok(response) => whole(response).await,
                Err(error) => Err(Status::from_error(error)),
            };
            if let Ok((_, bytes)) = &answer {
                network.answers().take(replica.host, &call.path, &call.body, bytes);
            }
            // The caller may have left.
            drop(answered.send(answer));
        };
        tokio::spawn(OnHost::new(host, &replica.life, work));
        let torn = || Status::unavailable("connection reset");
        let (parts, bytes) = answer.await.map_err(|_| torn())??;
        Ok(Response::from_parts(parts.head, body(bytes, parts.trailers)))
    }

    /// Carries a call as the proxy sees fit.
    async fn carry(&self, host: HostId, call: CallBytes) -> Answer {
        let quick = machine::below(QUICK);
        let back = Duration::from_millis(machine::below(QUICK));
        if !*self.0.faulty.lock().unwrap() {
            let answer = self.deliver(host, call, quick).await;
            sleep(back).await;
            return answer;
        }
        let network = self.clone();
        match machine::below(100) {
            0..2 => {
                note!("lost: {} to {host}", call.path);
                sleep(back).await;
                Err(Status::unavailable("connection reset"))
            }
            2..4 => {
                note!("swallowed: {} to {host}", call.path);
                std::future::pending().await
            }
            4..7 => {
                note!("answer lost: {} of {host}", call.path);
                drop(self.deliver(host, call, quick).await);
                sleep(back).await;
                Err(Status::unavailable("connection reset"))
            }
            7..10 => {
                let others: Vec<HostId> = self.0.replicas.lock().unwrap().keys().copied().collect();
                let other = others.get(usize::try_from(machine::below(3)).unwrap()).copied();
                let later = machine::below(4000);
                note!("doubled: {} to {host}, and to {other:?} after {later} ms", call.path);
                if let Some(other) = other {
                    let second = call.clone();
                    let work = async move { drop(network.deliver(other, second, later).await) };
                    tokio::spawn(OnHost::new(machine::WORLD, &Arc::default(), work));
                }
                self.deliver(host, call, quick).await
            }
            10..12 => {
                let late = machine::below(6000);
                note!("late: {} to {host} after {late} ms", call.path);
                let (sender, answer) = oneshot::channel();
                let work =
                    async move { drop(sender.send(network.deliver(host, call, late).await)) };
                tokio::spawn(OnHost::new(machine::WORLD, &Arc::default(), work));
                answer.await.unwrap_or_else(|_| Err(Status::unavailable("connection reset")))
            }
            _ => {
                let answer = self.deliver(host, call, quick).await;
                sleep(back).await;
                answer
            }
        }
    }
}

/// The head of an answer, and what follows its body.
struct AnswerParts {
    head: http::response::Parts,
    trailers: Option<http::HeaderMap>,
}

async fn whole(response: Response<Body>) -> Result<(AnswerParts, Bytes), Status> {
    let (head, body) = response.into_parts();
    let collected = body.collect().await?;
    let trailers = collected.trailers().cloned();
    Ok((AnswerParts { head, trailers }, collected.to_bytes()))
}

fn body(bytes: Bytes, trailers: Option<http::HeaderMap>) -> Body {
    match trailers {
        Some(trailers) => {
            Body::new(Full::new(bytes).with_trailers(async move { Some(Ok(trailers)) }))
        }
        None => Body::new(Full::new(bytes)),
    }
}

/// The way from a platform to one replica.
#[derive(Clone)]
pub(crate) struct Way {
    network: Network,
    host: HostId,
}

impl Service<Request<Body>> for Way {
    type Response = Response<Body>;
    type Error = BoxError;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, BoxError>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), BoxError>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let (network, host) = (self.network.clone(), self.host);
        Box::pin(async move {
            let (head, body) = request.into_parts();
            let body = body.collect().await?.to_bytes();
            let mut headers = head.headers;
            let number = {
                let mut requests = network.0.requests.lock().unwrap();
                *requests += 1;
                *requests
            };
            // Else the replica would draw a name for it.
            headers.insert("x-request-id", number.into());
            let call = CallBytes { path: head.uri.path().to_owned(), headers, body };
            machine::waits_inside();
            Ok(network.carry(host, call).await?)
        })
    }
}
