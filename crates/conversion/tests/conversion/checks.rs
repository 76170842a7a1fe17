//! What is reported of conversion files.

use crate::vault::{MAPPING, NEW, OLD, given, read};

/// The codes of what is reported, each with the text that it is about.
fn reported(old: &str, new: &str, mapping: &str) -> Vec<String> {
    let (conversion, problems) = read(&given(&[old, new]), mapping);
    let has_errors = problems.iter().any(|it| it.severity == diag::Severity::Error);
    assert_eq!(conversion.is_none(), has_errors, "{problems:#?}");
    let place = |it: &diag::Diagnostic| {
        let span = it.span.expect("a place");
        mapping.get(span.start as usize..span.end as usize).expect("it is in the text").to_owned()
    };
    problems.iter().map(|it| format!("{} {}: {}", it.code, place(it), it.message)).collect()
}

fn replaced(from: &str, to: &str) -> Vec<String> {
    assert!(MAPPING.contains(from), "{from}");
    reported(OLD, NEW, &MAPPING.replace(from, to))
}

#[test]
fn files_that_cannot_be_read_are_reported() {
    for (from, to, expected) in [
        (
            "planloom.conversion/1",
            "planloom.other/1",
            "conversion/format planloom.other/1: the file is no conversion",
        ),
        ("service: vault.example.com\n", "", "conversion/missing-key : a conversion has no `service`"),
        ("resources:", "resource:", "conversion/unknown-key resource: a conversion has no key `resource`"),
        ("from: v1\n", "from: v3\n", "conversion/version v3: v3 of `vault.example.com` was not given"),
        ("to: v2\n", "to: v1\n", "conversion/version v1: v1 cannot become itself"),
        (
            "- from: Secret",
            "- from: Secrets",
            "conversion/unknown-resource Secrets: there is no resource type `Secrets` in v1",
        ),
        (
            "from: enc_data",
            "from: enc_date",
            "conversion/unknown-field enc_date: there is no field `enc_date`",
        ),
        (
            "to: projects/{project}/regions/{region}/secrets/{secret}",
            "to: regions/{region}/secrets/{secret}",
            "conversion/unknown-pattern regions/{region}/secrets/{secret}: `regions/{region}/secrets/{secret}` is not a pattern of names of `Secret`",
        ),
        ("OPEN: ACTIVE", "IN: ACTIVE", "conversion/value IN: `IN` is not a value of `state`"),
        (
            "constants: {region: eu}",
            "constants: {region: EU}",
            "conversion/name-constant EU: `EU` is no id of `region`: it does not match `[a-z][a-z0-9\\-]{0,28}[a-z0-9]`",
        ),
    ] {
        let found = replaced(from, to);
        assert!(found.iter().any(|it| it == expected), "{expected}\n{found:#?}");
    }
}

#[test]
fn conversions_that_cannot_be_undone_are_refused() {
    for (from, to, expected) in [
        (
            "SHUT: INACTIVE",
            "SHUT: ACTIVE",
            "conversion/not-invertible ACTIVE: `SHUT` becomes the same value as `OPEN`",
        ),
        (
            "{from: enc_data, to: cipher.data}",
            "{from: enc_data, to: cipher.data, constant: x}",
            "conversion/not-invertible x: a constant in place of values of the new version, which would be lost",
        ),
        (
            "  - {from: kind, constant: SECRET}\n",
            "",
            "conversion/no-counterpart Secret: `kind` of `Secret` has no counterpart in the new version",
        ),
        (
            "{from: spec.owner, to: owner}",
            "{from: spec.owner, to: title}",
            "conversion/no-counterpart Secret: `title` of `Secret` has no counterpart in the new version",
        ),
        (
            "    constants: {region: eu}\n",
            "",
            "conversion/name-constant from: projects/{project}/secrets/{secret}\n    to: projects/{project}/regions/{region}/secrets/{secret}: only one of the two patterns has `region`",
        ),
        (
            "{from: spec.owner, to: owner}",
            "{from: spec.owner, to: spec.size}",
            "conversion/types {from: spec.owner, to: spec.size}: `spec.owner` has another type in the new version",
        ),
        (
            "to: \"items[].title\"",
            "to: title",
            "conversion/list {from: \"items[].name\", to: title}: the field is in a list or a map, and its counterpart is not in the same one",
        ),
        (
            "{from: kind, constant: SECRET}",
            "{from: kind, to: owner}",
            "conversion/duplicate {from: spec.owner, to: owner}: `owner` is already another field",
        ),
    ] {
        let found = replaced(from, to);
        assert!(found.iter().any(|it| it.starts_with(expected) || it == expected), "{expected}\n{found:#?}");
    }
}

#[test]
fn what_may_surprise_clients_is_a_warning() {
    let new = NEW
        .replace("[UNLOCKED, LOCKED]", "[UNLOCKED, LOCKED, SEALED]")
        .replace("{path: spec.team}", "{path: spec.team, required: true}");
    assert_eq!(
        reported(OLD, &new, MAPPING),
        [
            "conversion/new-value {from: locked, to: lock, values: {false: UNLOCKED, true: LOCKED}}: only the new version has the value `SEALED` of `locked`",
            "conversion/required Secret: `spec.team` is required, and only the new version has it",
        ]
    );
}

#[test]
fn a_service_that_imports_the_old_version_is_refused() {
    let shop = "name: shop.example.com
proto: {package: {name: example.shop, currentVersion: v1}}
imports: [vault.example.com]
resources:
- name: Order
  parents: [vault.example.com/Project]
";
    let (conversion, problems) = read(&given(&[OLD, NEW, shop]), MAPPING);
    assert!(conversion.is_none());
    assert_eq!(problems.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), ["conversion/old-import"]);
}
