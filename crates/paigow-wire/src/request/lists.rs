//! `ListManifests`, `ListRulesets` and `GetRuleset`.

use super::fields::{At, Fields, Noted, read};
use paigow_fairness::encoding::Hash;
use paigow_proto::v1 as pb;
use paigow_round::Refusal;

/// The default number of items of a page.
const DEFAULT_PAGE: usize = 100;

/// The most items of a page.
const LARGEST_PAGE: usize = 1000;

/// A request for a page of manifests.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ListManifests {
    /// The sequence number above which manifests are wanted.
    pub after: u64,
    /// The most manifests on the page, at least 1.
    pub page_size: usize,
}

/// A request for a page of rulesets.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ListRulesets {
    /// The content hash of the last ruleset on the previous page.
    pub after: Option<Hash>,
    /// The most rulesets on the page, at least 1.
    pub page_size: usize,
}

/// Reads the request.
///
/// # Errors
///
/// `NUMBER_RANGE` for a number below 0.
pub fn list_manifests(request: &pb::ListManifestsRequest) -> Result<ListManifests, Refusal> {
    read(|fields, at| {
        let after = u64::try_from(request.after_sequence)
            .map_err(|_| fields.out_of_range(at.then("after_sequence"), 0..=i64::MAX));
        let page_size = page_size(fields, at.then("page_size"), request.page_size);
        Ok(ListManifests { after: after?, page_size: page_size? })
    })
}

/// Reads the request.
///
/// # Errors
///
/// `NUMBER_RANGE` for a size below 0, `FIELD_INVALID` for a token that is not from a page.
pub fn list_rulesets(request: &pb::ListRulesetsRequest) -> Result<ListRulesets, Refusal> {
    read(|fields, at| {
        let token = (!request.page_token.is_empty()).then_some(&request.page_token);
        let after = token.map(|token| fields.hash(at.then("page_token"), token)).transpose();
        let page_size = page_size(fields, at.then("page_size"), request.page_size);
        Ok(ListRulesets { after: after?, page_size: page_size? })
    })
}

/// Reads the request: the id or the hash of a ruleset.
///
/// # Errors
///
/// `FIELD_MISSING` for an empty one.
pub fn get_ruleset(request: &pb::GetRulesetRequest) -> Result<String, Refusal> {
    read(|fields, at| fields.text(at.then("ruleset"), &request.ruleset))
}

fn page_size(fields: &mut Fields, at: At<'_>, size: i32) -> Result<usize, Noted> {
    match usize::try_from(size) {
        Ok(0) => Ok(DEFAULT_PAGE),
        Ok(size) => Ok(size.min(LARGEST_PAGE)),
        Err(_) => Err(fields.out_of_range(at, 0..=i64::from(i32::MAX))),
    }
}
