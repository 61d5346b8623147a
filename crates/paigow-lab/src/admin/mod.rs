//! `paigow-lab admin`: an operator's requests to the replicas of a service, over gRPC.

mod refusals;
mod replicas;
mod status;
mod tickets;
mod void;

use std::io::Write;

use super::{CommandError, CommandOutcome};
use crate::play::Credentials;

pub use void::VoidOrder;

/// The request of `paigow-lab admin`.
#[derive(Clone, Debug)]
pub struct AdminRequest {
    /// The addresses of the replicas. A name with several addresses is several replicas.
    pub servers: Vec<String>,
    /// The credentials of the caller.
    pub credentials: Credentials,
    /// Writes JSON instead of text, one object a line.
    pub json: bool,
    /// The question.
    pub task: AdminTask,
}

/// A question to the replicas.
#[derive(Clone, Debug)]
pub enum AdminTask {
    /// How each replica does.
    Status,
    /// Lets each replica verify itself.
    Verify,
    /// The switches of each replica.
    Switches,
    /// The tickets that no replica has closed.
    OpenTickets {
        /// The least age of a ticket, in seconds.
        minimum_age: u32,
    },
    /// Voids one of them.
    Void(Box<VoidOrder>),
    /// The calls that each replica refused recently.
    Refusals {
        /// How many past refusals of each replica, 0 to 1000.
        past: u16,
        /// Whether to wait for those that follow.
        follow: bool,
    },
}

/// Sends the request to the replicas, and writes their answers.
///
/// The outcome has findings if a replica cannot be reached, begins no new rounds or fails its
/// verification. It also has findings if the switches of two replicas differ, or if a ticket is
/// open.
///
/// # Errors
///
/// If no replica can be reached, if one refuses, if a file cannot be read or written, or if output
/// fails. Open tickets are an error unless every replica answers, because a ticket may be closed at
/// one that does not.
pub fn run(request: &AdminRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(ask(request, out))
}

async fn ask(request: &AdminRequest, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let AdminRequest { servers, credentials, json, task } = request;
    let mut replicas = replicas::connect(servers, credentials).await?;
    match task {
        AdminTask::Status => status::status(&mut replicas, *json, out).await,
        AdminTask::Verify => status::verify(&mut replicas, *json, out).await,
        AdminTask::Switches => status::switches(&mut replicas, *json, out).await,
        AdminTask::OpenTickets { minimum_age } => {
            tickets::list(&mut replicas, *minimum_age, *json, out).await
        }
        AdminTask::Void(order) => void::void(&mut replicas, order, *json, out).await,
        AdminTask::Refusals { past, follow } => {
            refusals::tail(&mut replicas, (*past, *follow), *json, out).await
        }
    }
}
