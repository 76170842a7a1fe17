//! Codes of problems are explained.

use crate::run::Folder;

#[test]
fn a_code_is_explained() {
    let folder = Folder::new(&[]);
    let said = folder.run("explain lower/same-port");
    let start = "lower/same-port (warning)\n\nA local port that two resources, or several instances of one, would open.\n\n";
    assert!(said.code == 0 && said.out.starts_with(start), "{}", said.out);
    let example = folder.run("explain lower/address-outside").out;
    let end = "\n\n    networks:\n      lan: {ip: 192.168.0.0/24}\n    services:\n      \
               db: {payload: p, network: lan, ip: [192.168.1.5]}\n";
    assert!(example.ends_with(end), "{example}");
    let view = folder.run("explain lower/unknown-key --format json").json();
    assert_eq!(
        (&view["format"], &view["code"]["code"]),
        (&"planloom.code/1".into(), &"lower/unknown-key".into())
    );
    assert_eq!(view["code"]["severities"], serde_json::json!(["error", "warning"]));
    assert_eq!((&view["code"]["has_fix"], &view["diagnostics"]), (&true.into(), &serde_json::json!([])));
}

#[test]
fn a_code_that_does_not_exist_is_an_error() {
    let folder = Folder::new(&[]);
    let said = folder.run("explain lower/unknown-kye");
    assert_eq!((said.code, said.out.as_str()), (1, ""));
    for part in [
        "error[host/no-such-code]: there is no code `lower/unknown-kye`",
        "did you mean `lower/unknown-key`?",
    ] {
        assert!(said.err.contains(part), "{}", said.err);
    }
    let said = folder.run("explain no-family/at-all");
    assert!(said.err.contains("there is no code `no-family/at-all`"), "{}", said.err);
    let view = folder.run("explain lower/nothing-like-it --format json").json();
    assert_eq!((&view["code"], &view["diagnostics"][0]["code"]), (&().into(), &"host/no-such-code".into()));
}

#[test]
fn all_codes_are_listed() {
    let folder = Folder::new(&[]);
    let list = folder.run("explain codes");
    assert!(list.code == 0 && list.out.lines().count() > 400, "{}", list.out);
    assert!(list.out.lines().all(|it| it.contains('/') && it.ends_with('.')), "{}", list.out);
    let view = folder.run("explain codes --format json").json();
    assert_eq!(view["codes"].as_array().map(Vec::len), Some(list.out.lines().count()));
}

/// With files, a text is a place unless it is a code.
#[test]
fn places_are_no_codes() {
    let text = "codes: {a: 1}\nservices: {web: {payload: p}}\npayloads: {p: {runtime: vm}}\n";
    let folder = Folder::new(&[("app.yaml", text)]);
    assert!(folder.run("explain services/web app.yaml").err.contains("host/no-such-place"));
    assert!(folder.run("explain codes app.yaml").out.starts_with("codes\n"));
    assert!(folder.run("explain lower/unknown-key app.yaml").out.starts_with("lower/unknown-key"));
}

#[test]
fn rules_of_sarif_have_the_documentation() {
    let folder = Folder::new(&[("app.yaml", "services: {web: {pyload: p}}\n")]);
    let log = folder.run("check app.yaml --format sarif").json();
    let rules = log["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules").clone();
    let rule = rules.iter().find(|it| it["id"] == "lower/unknown-key").expect("the rule");
    assert_eq!(rule["shortDescription"]["text"], "Unknown key");
    assert_eq!(rule["fullDescription"]["text"], "A key that the kind of the resource does not have.");
    let help = rule["help"]["text"].as_str().expect("help");
    assert!(help.starts_with("It has no effect") && rule["help"]["markdown"] == help, "{help}");
}
