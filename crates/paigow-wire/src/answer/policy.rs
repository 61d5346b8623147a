//! The policy of a tenant.

use paigow_fairness::manifest::{AbsentPolicy, ClientPolicy, ExternalPolicy, Policy, SeatAuth};
use paigow_proto::v1 as pb;

pub(super) fn tenant_policy(policy: Policy) -> pb::TenantPolicy {
    let Policy { client, lock_required, chain_required, seat_auth, absent, external } = policy;
    pb::TenantPolicy {
        lock_required,
        chain_required,
        client: match client {
            ClientPolicy::None => pb::ClientPolicy::None,
            ClientPolicy::Optional => pb::ClientPolicy::Optional,
            ClientPolicy::Committed => pb::ClientPolicy::Committed,
        }
        .into(),
        seat_auth: match seat_auth {
            SeatAuth::Off => pb::SeatAuthPolicy::Off,
            SeatAuth::Optional => pb::SeatAuthPolicy::Optional,
            SeatAuth::Required => pb::SeatAuthPolicy::Required,
        }
        .into(),
        absent: match absent {
            AbsentPolicy::Off => pb::AbsentPolicy::Off,
            AbsentPolicy::Optional => pb::AbsentPolicy::Optional,
            AbsentPolicy::Required => pb::AbsentPolicy::Required,
        }
        .into(),
        external: match external {
            ExternalPolicy::None => pb::ExternalPolicy::None,
            ExternalPolicy::Drand => pb::ExternalPolicy::Drand,
        }
        .into(),
    }
}
