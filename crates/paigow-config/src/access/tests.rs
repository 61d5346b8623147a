use super::*;

/// SHA-256 of `correct horse`, by `printf 'correct horse' | sha256sum`.
const TOKEN: &str = "4104d36f8da2c254349f85836793ebe029e0c957063a34c91c2e9203187b5631";

fn file() -> String {
    format!(
        "[closed_to_new_rounds]\nreason = \"drill\"\nrulesets = [\"mini\"]\n\
         jurisdictions = [\"nj\"]\n\
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
    let client = access.by_certificate(&names).unwrap().unwrap();
    assert_eq!((client.name.as_str(), client.tenant.tenant.as_str()), ("acme-tables", "acme"));
    assert_eq!(client.roles, BTreeSet::from([ClientRole::Table]));
    assert_eq!(client.tenant.rate, Some(Rate { per_second: 10, burst: 10 }));
    let client = access.by_token(b"correct horse").unwrap();
    assert_eq!(client.roles, BTreeSet::from([ClientRole::Auditor, ClientRole::Ops]));
    assert!(access.by_token(b"correct horse ").is_none());
    let by_names = |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        access.by_certificate(&names).map(|client| client.map(|client| client.name.as_str()))
    };
    assert_eq!(by_names(&["acme.example"]), Ok(None));
    assert_eq!(by_names(&["spiffe://b/T"]), Ok(Some("b")));
    let twice = ["tables.acme.example", "tables.acme.example"];
    assert_eq!(by_names(&twice), Ok(Some("acme-tables")));
    assert_eq!(by_names(&["tables.acme.example", "spiffe://b/T"]), Err(AmbiguousCertificate));
    assert!(access.everybody().is_none());
}

#[test]
fn a_switch_holds_for_those_that_it_names() {
    let scopes = |text: &str| -> Vec<Option<SwitchScope>> {
        let access = parse(text).unwrap();
        let switch = &access.switches.closed_to_new_rounds;
        access.tenants().map(|tenant| switch.of_tenant(tenant).every_ruleset).collect()
    };
    assert_eq!(scopes(&file()), [None, Some(SwitchScope::Jurisdiction)]);
    let tenant = file().replace("reason", "tenants = [\"acme\"]\nreason");
    assert_eq!(scopes(&tenant), [Some(SwitchScope::Tenant), Some(SwitchScope::Jurisdiction)]);
    let engine = file().replace("reason", "engine = true\nreason");
    assert_eq!(scopes(&engine), [Some(SwitchScope::Engine); 2]);
    let access = parse(&file().replace("closed_to_new_rounds", "halted")).unwrap();
    assert_eq!(access.switches.closed_to_new_rounds, Switch::default());
    let acme = access.tenants().next().unwrap();
    let halted = access.switches.halted.of_tenant(acme);
    assert_eq!((halted.every_ruleset, halted.why.as_str()), (None, "drill"));
    assert_eq!(halted.rulesets, BTreeSet::from(["mini".to_owned()]));
}

#[test]
fn a_switch_that_would_stop_nothing_is_a_slip() {
    let on = "rulesets = [\"mini\"]\njurisdictions = [\"nj\"]\n";
    let with = |switch: &str| parse(&file().replace(on, switch)).unwrap_err();
    let nothing = "closed_to_new_rounds: stops nothing: say engine = true, rulesets, tenants or \
                   jurisdictions";
    assert_eq!(with(""), [nothing]);
    let engine = "closed_to_new_rounds.engine: false stops nothing: leave it out, or say true";
    assert_eq!(with("engine = false\n"), [engine, nothing]);
    let empty = "closed_to_new_rounds.tenants: an empty list stops nothing: leave it out";
    assert_eq!(with("tenants = []\n"), [empty, nothing]);
    let near =
        "closed_to_new_rounds.tenants: no tenant \"acmee\" in the file, did you mean \"acme\"?";
    assert_eq!(with("tenants = [\"acmee\"]\n"), [near]);
    // A misspelt switch is refused by its name, and so is a switch of an earlier file version.
    for (name, other) in [("closed_to_new_round", "halted"), ("new_rounds", "halted")] {
        let faults = parse(&file().replace("closed_to_new_rounds", name)).unwrap_err();
        assert!(
            faults[0].contains(&format!("`{name}`")) && faults[0].contains(other),
            "{faults:?}"
        );
    }
}

#[test]
fn every_fault_is_listed_at_once_and_none_repeats_a_hash() {
    let bad = file()
        .replace("reason = \"drill\"\n", "")
        .replace("[\"nj\"]", "[\"zz\", \"yy\"]\ntenants = [\"xx\", \"acme\", \"ww\"]")
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
            "closed_to_new_rounds.tenants",
            "closed_to_new_rounds.tenants",
            "closed_to_new_rounds.jurisdictions",
            "closed_to_new_rounds.jurisdictions",
            "closed_to_new_rounds.reason",
        ]
    );
    // Known names are no faults. Each unknown name is a fault.
    let switches = faults.iter().filter(|fault| fault.contains(": no tenant "));
    let names: Vec<&str> = switches.map(|fault| fault.split('"').nth(1).unwrap()).collect();
    assert_eq!(names, ["xx", "ww", "zz", "yy"]);
    assert!(faults.iter().all(|fault| !fault.contains(&TOKEN[1..])));
    let unknown = parse(&file().replace("jurisdiction = \"mga\"", "jurisdictoin = \"mga\""));
    let fault = &unknown.unwrap_err()[0];
    assert!(fault.starts_with("line 7: ") && fault.contains("jurisdictoin"), "{fault}");
    assert_eq!(parse("tenants = []").unwrap_err(), ["tenants: no client may call"]);
}

#[test]
fn on_a_development_machine_everybody_may_do_everything() {
    let access = Access::of_everybody("dev".parse().unwrap());
    let client = access.everybody().unwrap();
    assert_eq!(client.roles.len(), ClientRole::ALL.len());
    assert_eq!(access.switches, Switches::default());
}
