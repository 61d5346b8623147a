//! `paigow-table` as it starts. The tests of the whole workspace play at its tables, in a real browser and with a real
//! PostgreSQL.

#![allow(clippy::unwrap_used)]

use std::net::TcpListener;
use std::process::Command;

#[test]
fn an_address_that_is_taken_is_named_and_no_folder_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("table");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_paigow-table"))
        .args(["--listen", &address, "--data"])
        .arg(&data)
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with(&format!("paigow-table: {address}: ")), "{said}");
    assert!(!data.exists());
}
