//! Plans that are kept in files, and carried out later.

use serde_json::{Value as Json, json};

use crate::{
    apply::{Sleepers, TWO},
    run::{Folder, RunOutput, codes},
};

const PASSWORD: &str = "correct-horse-battery";
/// So short that it stands in many a text by chance.
const PIN: &str = "907";
const APPLY: &str = "apply plan.json --state state.json --allow /bin/sleep --allow-env SAME --allow-env PASSWORD \
                     --allow-env PIN";

fn with_secrets() -> String {
    let params = format!(
        "params: {{secrets: {{PASSWORD: {PASSWORD}, PIN: \"{PIN}\"}}, env: {{SAME: \"it is {PASSWORD}\"}}, "
    );
    TWO.replace("params: {", &params)
}

/// True if the text contains the longer secret, or the shorter one as a value: in a checksum it may occur by chance.
fn holds_secrets(text: &str) -> bool {
    fn is_pin(json: &Json) -> bool {
        match json {
            Json::Array(items) => items.iter().any(is_pin),
            Json::Object(map) => map.values().any(is_pin),
            leaf => leaf.to_string().trim_matches('"') == PIN,
        }
    }
    text.contains(PASSWORD) || is_pin(&serde_json::from_str(text).expect("JSON"))
}

/// The first line of events that is of that type.
fn event(said: &RunOutput, of: &str) -> Option<Json> {
    let mut lines = said.out.lines().filter_map(|it| serde_json::from_str::<Json>(it).ok());
    lines.find(|it| it["type"] == of)
}

/// This holds with and without the kinds of the adapter, and with and without encryption.
#[test]
fn a_plan_with_secrets_starts_a_deployment() {
    let types = concat!(env!("CARGO_MANIFEST_DIR"), "/../adapter-process/types/process.yaml");
    for (adapter, passphrase) in [
        (String::new(), ""),
        (String::new(), "opensesame"),
        ("--adapter process".into(), ""),
        (format!("--types {types}"), "opensesame"),
    ] {
        let mut site = Sleepers::new(&with_secrets());
        site.0.set("PLANLOOM_STATE_PASSPHRASE", passphrase);
        let planned = site.0.run(&format!("plan app.yaml --state state.json --out plan.json {adapter}"));
        assert_eq!(planned.code, 2, "{adapter}: {}", planned.err);
        let text = site.0.read("plan.json").expect("a plan");
        assert!(!holds_secrets(&text), "{adapter}: {text}");
        assert_eq!(text.contains("planloom.sealed/1"), !passphrase.is_empty());
        let done = site.0.run(&format!("{APPLY} --auto-approve"));
        assert_eq!(done.code, 0, "{adapter}: {}", done.err);
        assert_eq!(site.running(), ["services.a", "services.b"]);
        // And once there is a state, which has marks of its own.
        site.0.write("app.yaml", with_secrets().replace("600", "601").as_bytes());
        let planned = site.0.run(&format!("plan app.yaml --state state.json --out plan.json {adapter}"));
        assert_eq!(planned.code, 2, "{adapter}: {}", planned.err);
        let done = site.0.run(&format!("{APPLY} --auto-approve"));
        assert_eq!(done.code, 0, "{adapter}: {}", done.err);
        assert!(done.out.contains("rebuild services.a"), "{adapter}: {}", done.out);
    }
}

/// The simulator defines no secrets: what is hidden in the plan is not in its own.
#[test]
fn a_saved_plan_with_secrets_may_use_another_adapter() {
    let folder = Folder::new(&[("app.yaml", &with_secrets())]);
    for adapter in ["--adapter process", "--adapter simulator", ""] {
        assert_eq!(folder.run(&format!("plan app.yaml --out plan.json {adapter}")).code, 2);
        let text = folder.read("plan.json").expect("a plan");
        assert!(!holds_secrets(&text), "{adapter}: {text}");
        let state = format!("{}.json", adapter.len());
        let done = folder.run(&format!("apply plan.json --state {state} --adapter simulator --auto-approve"));
        assert_eq!(done.code, 0, "{adapter}: {}", done.err);
    }
}

#[test]
fn a_secret_that_changed_since_is_noticed() {
    let site = Sleepers::new(&with_secrets());
    for known in ["", "--adapter process"] {
        assert_eq!(site.0.run(&format!("plan app.yaml --state state.json --out plan.json {known}")).code, 2);
        for (secret, other) in [(PASSWORD, "correct-horse-staple!"), (PIN, "908")] {
            site.0.write("app.yaml", with_secrets().replace(secret, other).as_bytes());
            let refused = site.0.run(&format!("{APPLY} --auto-approve"));
            assert!(refused.code == 1 && refused.err.contains("host/plan-changed"), "{}", refused.err);
            assert!(refused.err.contains("secret in"), "{}", refused.err);
            assert!(!refused.err.contains(secret) && !refused.err.contains(other), "{}", refused.err);
        }
        site.0.write("app.yaml", with_secrets().as_bytes());
    }
    assert_eq!(site.running(), [""; 0]);
    assert_eq!(site.0.run(&format!("{APPLY} --auto-approve")).code, 0, "it is as it was");
}

/// A guess of a secret cannot be checked against the plan: its digest is that of the plan without secrets.
#[test]
fn a_digest_does_not_confirm_a_guess() {
    for adapter in ["", "--adapter process", "--adapter simulator"] {
        let digest = |password: &str| {
            let folder = Folder::new(&[("app.yaml", &with_secrets().replace(PASSWORD, password))]);
            assert_eq!(folder.run(&format!("plan app.yaml --out plan.json {adapter}")).code, 2);
            let plan: Json = serde_json::from_str(&folder.read("plan.json").expect("a plan")).expect("JSON");
            let shown = folder.run(&format!("plan app.yaml --format json {adapter}")).json();
            (plan["digest"].clone(), shown["digest"].clone())
        };
        // As long as the other one: where a value ends is in the plan.
        let other: String = PASSWORD.chars().rev().collect();
        assert_eq!(digest(PASSWORD), digest(&other), "{adapter}");
        assert!(digest(PASSWORD).0.as_str().is_some_and(|it| it.len() == 71), "{adapter}");
    }
}

/// A plan in a file of any name is recognized as one, and requires approval.
#[test]
fn a_plan_is_not_applied_without_approval() {
    let site = Sleepers::new(TWO);
    assert_eq!(site.0.run("plan app.yaml --state state.json --out saved.yaml").code, 2);
    let said = site.0.run("apply saved.yaml --state state.json --allow /bin/sleep");
    assert!(said.code == 1 && said.err.contains("host/not-approved"), "{}{}", said.out, said.err);
    assert!(said.err.contains("standard input is not a terminal"), "{}", said.err);
    assert!(
        said.out.starts_with("`saved.yaml` is a saved plan that applies to `two`, created on 20"),
        "{}",
        said.out
    );
    assert!(
        said.out.lines().next().is_some_and(|it| it.ends_with(" for state 0 of `state.json`.")),
        "{}",
        said.out
    );
    assert_eq!((site.running(), site.0.path("state.json").exists()), (Vec::new(), false));
    let reported = site.0.run("apply saved.yaml --state state.json --allow /bin/sleep --format json");
    let input = event(&reported, "input").expect("what it is");
    assert_eq!(reported.code, 1);
    assert_eq!(
        (&input["input"], &input["deployment"], &input["state"]),
        (&json!("plan"), &json!("two"), &json!("state.json"))
    );
    assert!(input["made_at"].as_i64().is_some_and(|it| it > 1_700_000_000_000), "{input}");
    let said = site.0.run("apply app.yaml --state state.json --allow /bin/sleep");
    assert!(said.out.starts_with("Deployment `two` from `app.yaml`.\n"), "{}", said.out);
    let done = site.0.run("apply saved.yaml --state state.json --allow /bin/sleep --auto-approve");
    assert_eq!(done.code, 0, "{}", done.err);
    assert_eq!(site.running(), ["services.a", "services.b"]);
}

/// Beside other files, or on standard input, it would be read as a descriptor.
#[test]
fn a_plan_is_given_alone() {
    let folder = Folder::new(&[("app.yaml", TWO)]);
    assert_eq!(folder.run("plan app.yaml --out plan.json").code, 2);
    let plan = folder.read("plan.json").expect("a plan");
    let words = "--state state.json --adapter simulator --auto-approve";
    let refused = folder.run(&format!("apply app.yaml plan.json {words}"));
    assert!(refused.code == 1 && refused.err.contains("`plan.json` is a saved plan"), "{}", refused.err);
    let from = Folder::new(&[("app.yaml", TWO)]).stdin(plan.as_bytes());
    for verb in ["apply", "destroy"] {
        let refused = from.run(&format!("{verb} - {words}"));
        assert!(refused.code == 1 && refused.err.contains("is a saved plan"), "{}", refused.err);
    }
    assert!(!folder.path("state.json").exists() && !from.path("state.json").exists());
}

#[test]
fn a_stale_plan_says_why() {
    let folder = Folder::new(&[("app.yaml", TWO)]);
    let apply = |words: &str| folder.run(&format!("apply {words} --adapter simulator --auto-approve"));
    assert_eq!(apply("app.yaml --state state.json").code, 0);
    folder.write("app.yaml", TWO.replace("600", "601").as_bytes());
    assert_eq!(folder.run("plan app.yaml --state state.json --out plan.json").code, 2);
    assert_eq!(apply("app.yaml --state other.json").code, 0);
    for (state, why) in [
        // The simulator forgets all with its process, which the plan did not observe.
        (
            "state.json",
            "these actions would be different now: services.a (create instead of rebuild), services.b (create \
             instead of rebuild)",
        ),
        ("other.json", "the plan was made for another state"),
    ] {
        folder.write("app.yaml", TWO.replace("600", "601").as_bytes());
        let refused = apply(&format!("plan.json --state {state}"));
        assert!(refused.code == 1 && refused.err.contains(why), "{state}: {}{}", refused.out, refused.err);
        assert_eq!(refused.err.contains("`--refresh`"), state == "state.json", "{}", refused.err);
    }
    assert_eq!(apply("app.yaml --state state.json").code, 0);
    let refused = apply("plan.json --state state.json");
    assert!(
        refused.err.contains("it was made for version 4 of the state, which is at version "),
        "{}",
        refused.err
    );
    assert_eq!(
        codes(&event(&apply("plan.json --state state.json --format json"), "diagnostics").expect("why")),
        ["host/plan-changed"]
    );
}
