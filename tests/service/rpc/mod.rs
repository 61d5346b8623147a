//! The contract without a server: requests in, answers and statuses out.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;
use paigow_testkit::contract_reasons;
use paigow_testkit::wire;

mod arbitrary;
mod audits;
mod desk;
mod hands;
mod refusals;
mod rounds;
mod screen;
mod weigh_settings;
