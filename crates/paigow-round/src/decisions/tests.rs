use super::super::refusal::RefusalClass;
use super::*;

#[test]
fn a_broken_invariant_says_which_one_to_the_log() {
    for (error, says) in [
        (SettleError::Overflow, "an amount does not fit 64 bits"),
        (SettleError::Foreign { part: "deal" }, "the deal is not of this ruleset"),
        (
            SettleError::Conservation { off_by_minor: -3 },
            "the settlement does not conserve money: it is off by -3 minor units",
        ),
    ] {
        let refusal = refusal(&error, |_| String::new());
        assert_eq!(refusal.reason.class(), RefusalClass::Internal);
        assert_eq!(refusal.message, says);
        assert!(refusal.violations.is_empty());
    }
}
