use super::super::read::TestMetrics;
use super::*;

fn dynasty() -> BetId {
    BetId::from_name("dynasty").unwrap()
}

fn figures(currency: &str, exponent: u8) -> WagerFigures {
    WagerFigures {
        ruleset: "mikes".to_owned(),
        set_by: None,
        bet: dynasty(),
        currency: currency.to_owned(),
        exponent,
        wagers: 2,
        stake: 700,
        squares: 250_000,
        returned: 2000,
        commission: 5,
        uncovered: 0,
    }
}

#[test]
fn what_is_counted_is_read_under_its_name_and_with_its_labels() {
    let read = TestMetrics::new();
    let meters = &read.meters;
    meters.deal("mikes", "derived");
    meters.round("mikes", "void", "acme");
    meters.settlement("mikes", "push");
    meters.wagers("acme", &figures("USD", 2));
    meters.wagers("acme", &WagerFigures { uncovered: 30, ..figures("USD", 2) });
    meters.expected("mikes", dynasty(), Ratio(3, 4), Ratio(-1, 8));
    meters.expected_by_best_play("mikes", dynasty(), Ratio(7, 8));
    meters.settings("mikes", "K4", 3);
    meters.audit("mismatch");
    meters.refused("ROLE");
    meters.watch_epochs(|| vec![(7, 86_400)]);
    meters.watch_new_rounds(|| Some(3_600));
    meters.watch_missing_secret(|| Some(43_200));
    meters.watch_key_store(|| Some(true));
    meters.watch_certificate(|| Some(7_200));
    meters.manifest(12);
    meters.verification(true, 1_700_000_000);
    meters.verification(false, 1_700_000_060);
    meters.evidence_kept(4);
    meters.evidence_dropped(1);
    meters.evidence_failing(true);
    meters.evidence_waiting(5);
    meters.evidence_waiting(-2);
    meters.evidence_synced(Duration::from_millis(3));
    meters.evidence_lost_unacknowledged(2);
    meters.evidence_volume(3000, 4000);
    meters.evidence_unshipped(2, Duration::from_secs(90));
    meters.reload("tls", "refused");
    meters.reload_succeeded("tls", Some(1_700_000_120));
    meters.reload_succeeded("tls", None);
    meters.reload_waits("keyring", true);
    meters.shed("OVERLOADED", "acme");
    meters.connections(3);
    meters.connections(-1);
    meters.connection_failed(ConnectionFailed::Tls);
    meters.in_flight(1);
    let money = "{paigow_bet=\"dynasty\",paigow_currency=\"USD\",paigow_ruleset_id=\"mikes\"}";
    let account = "{paigow_currency=\"USD\",paigow_tenant=\"acme\"}";
    let bet = "{paigow_bet=\"dynasty\",paigow_ruleset_id=\"mikes\"}";
    for (name, labels, value) in [
        ("paigow_deals_total", "{paigow_ruleset_id=\"mikes\",paigow_suite_id=\"derived\"}", "1"),
        (
            "paigow_rounds_total",
            "{paigow_disposition=\"void\",paigow_ruleset_id=\"mikes\",paigow_tenant=\"acme\"}",
            "1",
        ),
        ("paigow_settlements_total", "{paigow_outcome=\"push\",paigow_ruleset_id=\"mikes\"}", "1"),
        ("paigow_wagers_total", money, "4"),
        ("paigow_stake_total", money, "1400"),
        ("paigow_return_total", money, "4000"),
        ("paigow_commission_total", money, "10"),
        ("paigow_stake_squares_total", money, "500000"),
        ("paigow_uncovered_total", money, "30"),
        ("paigow_tenant_stake_total", account, "1400"),
        ("paigow_tenant_return_total", account, "4000"),
        ("paigow_tenant_commission_total", account, "10"),
        ("paigow_evidence_volume_free_bytes", "", "3000"),
        ("paigow_evidence_volume_size_bytes", "", "4000"),
        ("paigow_evidence_unshipped_files", "", "2"),
        ("paigow_evidence_unshipped_age_seconds", "", "90"),
        ("paigow_bet_return_expected", bet, "0.75"),
        ("paigow_bet_return_deviation", bet, "-0.125"),
        ("paigow_bet_return_best_play", bet, "0.875"),
        (
            "paigow_house_way_settings_total",
            "{paigow_house_way_clause=\"K4\",paigow_house_way_id=\"mikes\"}",
            "3",
        ),
        ("paigow_audits_total", "{paigow_audit_verdict=\"mismatch\"}", "1"),
        ("paigow_requests_refused_total", "{paigow_reason=\"ROLE\"}", "1"),
        ("paigow_epoch_remaining_seconds", "{paigow_epoch=\"7\"}", "86400"),
        ("paigow_new_rounds_remaining_seconds", "", "3600"),
        ("paigow_certificate_remaining_seconds", "", "7200"),
        ("paigow_manifest_sequence", "", "12"),
        ("paigow_verification_passed", "", "0"),
        ("paigow_verification_passed_timestamp_seconds", "", "1700000000"),
        ("paigow_verification_runs_total", "{paigow_verification_verdict=\"failed\"}", "1"),
        ("paigow_evidence_lines_total", "", "4"),
        ("paigow_evidence_dropped_total", "", "1"),
        ("paigow_evidence_failing", "", "1"),
        ("paigow_evidence_queue", "", "3"),
        ("paigow_evidence_sync_duration_seconds_count", "", "1"),
        ("paigow_evidence_sync_duration_seconds_sum", "", "0.003"),
        ("paigow_evidence_lost_unacknowledged", "", "2"),
        (
            "paigow_reloads_total",
            "{paigow_reload_outcome=\"refused\",paigow_reload_part=\"tls\"}",
            "1",
        ),
        ("paigow_reload_refused", "{paigow_reload_part=\"tls\"}", "1"),
        ("paigow_reload_waits", "{paigow_reload_part=\"keyring\"}", "1"),
        ("paigow_epoch_secret_missing_seconds", "", "43200"),
        ("paigow_reload_succeeded_timestamp_seconds", "{paigow_reload_part=\"tls\"}", "1700000120"),
        ("paigow_calls_shed_total", "{paigow_reason=\"OVERLOADED\",paigow_tenant=\"acme\"}", "1"),
        ("paigow_connections", "", "2"),
        ("paigow_connections_failed_total", "{paigow_reason=\"TLS\"}", "1"),
        ("paigow_connections_failed_total", "{paigow_reason=\"LEFT\"}", "0"),
        ("paigow_calls_in_flight", "", "1"),
    ] {
        let series = read.of(name);
        assert_eq!(
            series.get(&format!("{name}{labels}")).map(String::as_str),
            Some(value),
            "{series:?}"
        );
    }
}

#[test]
fn what_is_rare_has_its_series_from_the_start() {
    let read = TestMetrics::new();
    // Four parts by three outcomes, and the keyring that waits for a key.
    assert_eq!(read.of("paigow_reloads_total").len(), 13);
    let waits = "paigow_reload_waits{paigow_reload_part=\"keyring\"}";
    assert_eq!(read.of("paigow_reload_waits")[waits], "0");
    assert_eq!(read.of("paigow_verification_runs_total").len(), 2);
    assert_eq!(read.of("paigow_requests_refused_total").len(), 6);
    assert_eq!(read.of("paigow_evidence_dropped_total")["paigow_evidence_dropped_total"], "0");
    assert!(read.of("paigow_verification_passed").is_empty(), "it has not run");
}

#[test]
fn callers_cannot_mint_series_by_currencies() {
    let read = TestMetrics::new();
    for first in 0..10_u8 {
        for second in 0..10_u8 {
            let code = [b'A' + first, b'A' + second, b'X'].map(char::from);
            read.meters.wagers("acme", &figures(&String::from_iter(code), 2));
        }
    }
    // 64, and one for all the others.
    assert_eq!(read.of("paigow_stake_total").len(), 65);
    read.meters.wagers("acme", &figures("AAX", 2));
    let series = read.of("paigow_stake_total");
    let of = |currency: &str| {
        let key = format!(
            "paigow_stake_total{{paigow_bet=\"dynasty\",paigow_currency=\"{currency}\",\
             paigow_ruleset_id=\"mikes\"}}"
        );
        series[&key].clone()
    };
    assert_eq!((of("AAX"), of("_OTHER")), ("1400".to_owned(), (36 * 700).to_string()));
}

#[test]
fn every_bet_has_series_of_its_own_in_every_currency() {
    let read = TestMetrics::new();
    let codes = (b'A'..=b'Z').flat_map(|a| (b'A'..=b'Z').map(move |b| [a, b, b'X']));
    let codes: Vec<String> =
        codes.take(70).map(|code| code.map(char::from).iter().collect()).collect();
    for code in &codes {
        for ruleset in 0..100 {
            let ruleset = format!("ruleset-{ruleset}");
            read.meters.wagers("acme", &WagerFigures { ruleset, ..figures(code, 2) });
        }
    }
    let series = read.of("paigow_stake_total");
    assert_eq!(series.len(), 100 * 65);
    assert!(series.keys().all(|key| !key.contains("overflow")));
}

#[test]
fn amounts_in_another_minor_unit_are_not_added_to_those_before() {
    let read = TestMetrics::new();
    read.meters.wagers("acme", &figures("USD", 2));
    read.meters.wagers("acme", &figures("USD", 4));
    let series = read.of("paigow_wagers_total");
    let values: Vec<&String> = series.values().collect();
    assert_eq!(values, ["2", "2"], "{series:?}");
}

#[test]
fn a_record_counts_once_and_metrics_that_nobody_reads_count_none() {
    let meters = TestMetrics::new().meters;
    assert!(meters.is_new([7; 32]));
    assert!(!meters.clone().is_new([7; 32]));
    assert!(meters.is_new([8; 32]));
    assert!(!Meters::off().is_new([9; 32]));
}
