use super::*;

#[test]
fn every_known_setting_comes_out() {
    run().unwrap();
}
