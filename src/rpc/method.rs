//! The methods of the contract's service.

/// The name of the service, as reflection and health state it.
pub const SERVICE: &str = "paigow.v1.PaiGowService";

/// A method of `PaiGowService`.
///
/// Each decision about a method is an exhaustive `match`, so a new method does not compile
/// until its roles and its limits are stated.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Method {
    /// Describes the replica and what it serves.
    GetEngine,
    /// Lists the manifests.
    ListManifests,
    /// Lists the rulesets.
    ListRulesets,
    /// Returns one ruleset.
    GetRuleset,
    /// Lists the house ways.
    ListHouseWays,
    /// Opens a round.
    OpenRound,
    /// Deals a round.
    Deal,
    /// Sets hands by a house way.
    SetHouseWay,
    /// Ranks hands.
    EvaluateHands,
    /// Weighs the settings of a hand.
    WeighSettings,
    /// Settles a round.
    Settle,
    /// Voids a round.
    VoidRound,
    /// Says what an opening would commit to.
    PrepareOpen,
    /// Writes the lock of the wagers.
    PrepareDeal,
    /// Writes the actions and the final lock.
    PrepareSettle,
    /// Writes the lock that voids a round.
    PrepareVoid,
    /// Audits one transcript or replay.
    Audit,
    /// Audits a stream of them.
    AuditStream,
    /// Verifies the process against its release record.
    VerifyEngine,
    /// Returns the state of the replica.
    GetStatus,
    /// Lists the open tickets in the evidence files.
    ListOpenTickets,
    /// Lists the calls that were refused.
    TailRefusals,
}

impl Method {
    /// Every method, in the order of the contract.
    pub const ALL: [Self; 22] = [
        Self::GetEngine,
        Self::ListManifests,
        Self::ListRulesets,
        Self::GetRuleset,
        Self::ListHouseWays,
        Self::OpenRound,
        Self::Deal,
        Self::SetHouseWay,
        Self::EvaluateHands,
        Self::WeighSettings,
        Self::Settle,
        Self::VoidRound,
        Self::PrepareOpen,
        Self::PrepareDeal,
        Self::PrepareSettle,
        Self::PrepareVoid,
        Self::Audit,
        Self::AuditStream,
        Self::VerifyEngine,
        Self::GetStatus,
        Self::ListOpenTickets,
        Self::TailRefusals,
    ];

    /// Returns the path of the method in an HTTP request, as `/paigow.v1.PaiGowService/Deal`.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::GetEngine => "/paigow.v1.PaiGowService/GetEngine",
            Self::ListManifests => "/paigow.v1.PaiGowService/ListManifests",
            Self::ListRulesets => "/paigow.v1.PaiGowService/ListRulesets",
            Self::GetRuleset => "/paigow.v1.PaiGowService/GetRuleset",
            Self::ListHouseWays => "/paigow.v1.PaiGowService/ListHouseWays",
            Self::OpenRound => "/paigow.v1.PaiGowService/OpenRound",
            Self::Deal => "/paigow.v1.PaiGowService/Deal",
            Self::SetHouseWay => "/paigow.v1.PaiGowService/SetHouseWay",
            Self::EvaluateHands => "/paigow.v1.PaiGowService/EvaluateHands",
            Self::WeighSettings => "/paigow.v1.PaiGowService/WeighSettings",
            Self::Settle => "/paigow.v1.PaiGowService/Settle",
            Self::VoidRound => "/paigow.v1.PaiGowService/VoidRound",
            Self::PrepareOpen => "/paigow.v1.PaiGowService/PrepareOpen",
            Self::PrepareDeal => "/paigow.v1.PaiGowService/PrepareDeal",
            Self::PrepareSettle => "/paigow.v1.PaiGowService/PrepareSettle",
            Self::PrepareVoid => "/paigow.v1.PaiGowService/PrepareVoid",
            Self::Audit => "/paigow.v1.PaiGowService/Audit",
            Self::AuditStream => "/paigow.v1.PaiGowService/AuditStream",
            Self::VerifyEngine => "/paigow.v1.PaiGowService/VerifyEngine",
            Self::GetStatus => "/paigow.v1.PaiGowService/GetStatus",
            Self::ListOpenTickets => "/paigow.v1.PaiGowService/ListOpenTickets",
            Self::TailRefusals => "/paigow.v1.PaiGowService/TailRefusals",
        }
    }

    /// Returns the method at a path, or [`None`] for any other path.
    #[must_use]
    pub fn from_path(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.path() == path)
    }

    /// Returns the full name of the method, as `paigow.v1.PaiGowService/Deal`: the value of
    /// `rpc.method`.
    #[must_use]
    pub const fn full_name(self) -> &'static str {
        self.path().split_at(1).1
    }

    /// Returns the name of the method in its service, as `Deal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.full_name().split_at(SERVICE.len() + 1).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_methods_are_those_of_the_contract() {
        let pool = prost_reflect::DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
        let service = pool.get_service_by_name(SERVICE).unwrap();
        let names: Vec<String> = service.methods().map(|method| method.name().to_owned()).collect();
        assert_eq!(names, Method::ALL.map(Method::name));
        for method in Method::ALL {
            assert_eq!(method.path(), format!("/{SERVICE}/{}", method.name()));
            assert_eq!(method.full_name(), format!("{SERVICE}/{}", method.name()));
            assert_eq!(Method::from_path(method.path()), Some(method));
        }
    }

    #[test]
    fn a_path_is_compared_as_a_whole() {
        for path in ["", "/", "Deal", "/paigow.v1.PaiGowService/", "paigow.v1.PaiGowService/Deal"] {
            assert_eq!(Method::from_path(path), None, "{path}");
        }
        for method in Method::ALL {
            for path in [format!("/{}", method.path()), format!("{}/", method.path())] {
                assert_eq!(Method::from_path(&path), None, "{path}");
            }
            assert_eq!(Method::from_path(&method.path().to_lowercase()), None);
        }
    }
}
