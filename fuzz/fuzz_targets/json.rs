#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| paigow_testkit::fuzzed::json(bytes));
