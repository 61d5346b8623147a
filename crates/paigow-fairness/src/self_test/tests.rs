#[test]
fn every_known_answer_comes_out() {
    super::run().unwrap();
}
