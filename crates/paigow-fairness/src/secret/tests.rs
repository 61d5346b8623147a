use super::*;

#[test]
fn debug_prints_no_byte() {
    let text = format!("{:?} {:?}", ServerSeed::new([0xab; 32]), Some(EpochSecret::new([171; 32])));
    assert_eq!(text, "ServerSeed(..) Some(EpochSecret(..))");
}
