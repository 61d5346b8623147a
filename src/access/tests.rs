use super::*;

/// SHA-256 of `correct horse`, by `printf 'correct horse' | sha256sum`.
const TOKEN: &str = "4104d36f8da2c254349f85836793ebe029e0c957063a34c91c2e9203187b5631";

fn file() -> String {
    format!(
        "[new_rounds]\nreason = \"drill\"\ndisabled_rulesets = [\"mini\"]\n\
         disabled_jurisdictions = [\"nj\"]\n\
         [[tenants]]\ntenant = \"acme\"\njurisdiction = \"mga\"\nrulesets = [\"mikes\"]\n\
         currencies = [\"EUR\"]\ncalls_per_second = 10\nconcurrent_calls = 4\n\
         [[tenants.clients]]\nname = \"acme-tables\"\nroles = [\"table\"]\n\
         certificate = \"Tables.Acme.example\"\n\
         [[tenants.clients]]\nname = \"acme-audit\"\nroles = [\"auditor\", \"ops\"]\n\
         token_sha256 = \"{TOKEN}\"\n\
         [[tenants]]\ntenant = \"boardwalk\"\njurisdiction = \"nj\"\n\
         [[tenants.clients]]\nname = \"b\"\nroles = [\"table\"]\ncertificate = \"spiffe://b/T\"\n"
    )
}

#[test]
fn a_caller_is_known_by_a_name_of_its_certificate_or_by_its_token() {
    let access = parse(&file()).unwrap();
    let names = ["other.example".to_owned(), "tables.acme.example".to_owned()];
    let client = access.by_certificate(&names).unwrap();
    assert_eq!((client.name.as_str(), client.tenant.tenant.as_str()), ("acme-tables", "acme"));
    assert_eq!(client.roles, BTreeSet::from([ClientRole::Table]));
    assert_eq!(client.tenant.rate, Some(Rate { per_second: 10, burst: 10 }));
    let client = access.by_token(b"correct horse").unwrap();
    assert_eq!(client.roles, BTreeSet::from([ClientRole::Auditor, ClientRole::Ops]));
    assert!(access.by_token(b"correct horse ").is_none());
    assert!(access.by_certificate(&["acme.example".to_owned()]).is_none());
    assert!(access.by_certificate(&["spiffe://b/T".to_owned()]).is_some());
    assert!(access.everybody().is_none());
}

#[test]
fn a_switch_closes_for_those_that_it_names() {
    let access = parse(&file()).unwrap();
    let closed: Vec<Option<&str>> =
        access.tenants().map(|tenant| access.switches.closed_for(tenant)).collect();
    assert_eq!(closed, [None, Some("drill")]);
    let all = file().replace("reason", "all = false\nreason");
    let access = parse(&all).unwrap();
    assert!(access.tenants().all(|tenant| access.switches.closed_for(tenant) == Some("drill")));
}

#[test]
fn a_reason_without_anything_closed_is_a_slip() {
    let open = "disabled_rulesets = [\"mini\"]\ndisabled_jurisdictions = [\"nj\"]\n";
    for slip in ["", "all = true\n"] {
        let faults = parse(&file().replace(open, slip)).unwrap_err();
        assert_eq!(
            faults,
            ["new_rounds.reason: nothing is closed; all = false closes every new round"]
        );
    }
}

#[test]
fn every_fault_is_listed_at_once_and_none_repeats_a_hash() {
    let bad = file()
        .replace("reason = \"drill\"\n", "")
        .replace("[\"nj\"]", "[\"zz\", \"yy\"]\ndisabled_tenants = [\"xx\", \"acme\", \"ww\"]")
        .replace("[\"EUR\"]", "[]")
        .replace("calls_per_second = 10", "burst = 0")
        .replace("concurrent_calls = 4", "concurrent_calls = 0")
        .replace("\"ops\"]", "\"root\"]")
        .replace(TOKEN, &TOKEN[1..])
        .replace("name = \"b\"", "name = \"acme-tables\"")
        .replace("certificate = \"spiffe://b/T\"", "")
        .replace("tenant = \"boardwalk\"", "tenant = \"acme\"");
    let faults = parse(&bad).unwrap_err();
    let paths: Vec<&str> = faults.iter().map(|fault| fault.split(": ").next().unwrap()).collect();
    assert_eq!(
        paths,
        [
            "tenants[0].currencies",
            "tenants[0].burst",
            "tenants[0].concurrent_calls",
            "tenants[0].burst",
            "tenants[0].clients[1].roles",
            "tenants[0].clients[1].token_sha256",
            "tenants[1].tenant",
            "tenants[1].clients[0].name",
            "tenants[1].clients[0]",
            "new_rounds.disabled_tenants",
            "new_rounds.disabled_tenants",
            "new_rounds.disabled_jurisdictions",
            "new_rounds.disabled_jurisdictions",
            "new_rounds.reason",
        ]
    );
    // Names that are there are no faults, and each that is not is one.
    let switches = faults.iter().filter(|fault| fault.starts_with("new_rounds.disabled"));
    let names: Vec<&str> = switches.map(|fault| fault.split('"').nth(1).unwrap()).collect();
    assert_eq!(names, ["xx", "ww", "zz", "yy"]);
    assert!(faults.iter().all(|fault| !fault.contains(&TOKEN[1..])));
    let unknown = parse(&file().replace("jurisdiction = \"mga\"", "jurisdictoin = \"mga\""));
    let fault = &unknown.unwrap_err()[0];
    assert!(fault.starts_with("line 7: ") && fault.contains("jurisdictoin"), "{fault}");
    assert_eq!(parse("tenants = []").unwrap_err(), ["tenants: nobody may call"]);
}

#[test]
fn on_a_development_machine_everybody_may_do_everything() {
    let access = Access::of_everybody("dev".parse().unwrap());
    let client = access.everybody().unwrap();
    assert_eq!(client.roles.len(), ClientRole::ALL.len());
    assert_eq!(access.switches.closed_for(&client.tenant), None);
}
