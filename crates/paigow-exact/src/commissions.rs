//! The commissions under which a game counts the hands to double down on.

use paigow_rules::game::{Fraction, Ruleset};

/// Returns the commissions for which the hands to double down on are counted, ascending; [`None`]
/// for a game without a double down.
pub(super) fn commissions(ruleset: &Ruleset) -> Option<Vec<Fraction>> {
    let mut commissions = Vec::new();
    if ruleset.double_down().is_some() {
        let base = ruleset.base().commission;
        let banked = ruleset.banking().map(|terms| terms.commission);
        commissions.push(Fraction::ZERO);
        for commission in [base, banked].into_iter().flatten() {
            let rate = commission.rate;
            commissions.push(Fraction::new(rate.num().into(), rate.den().into())?);
        }
        commissions.sort_unstable();
        commissions.dedup();
    }
    Some(commissions)
}
