//! The example of Goten's guide: secrets that become regional (2.4.2).

use fields::{FieldMask, Filter, OrderBy};
use planloom_conversion::{Direction, ParentUse};
use serde_json::{Value, json};

use crate::vault::{MAPPING, NEW, OLD, given, read, vault};

#[test]
fn names_and_parents_have_a_region() {
    let (conversion, constant) = (vault(), "");
    assert_eq!(constant, "");
    let secret = conversion.kind("Secret").unwrap();
    let version = conversion.kind("Version").unwrap();
    for (kind, old, new) in [
        (secret, "projects/p0/secrets/s0", "projects/p0/regions/eu/secrets/s0"),
        (secret, "projects/-/secrets/s0", "projects/-/regions/eu/secrets/s0"),
        (version, "projects/p0/secrets/s0/versions/v", "projects/p0/regions/eu/secrets/s0/revisions/v"),
    ] {
        assert_eq!(kind.name(Direction::ToNew, old).as_deref(), Some(new));
        assert_eq!(kind.name(Direction::ToOld, new).as_deref(), Some(old));
    }
    assert_eq!(secret.name(Direction::ToOld, "projects/p0/regions/us/secrets/s0"), None, "it is hidden");
    assert_eq!(secret.name(Direction::ToNew, "projects/p0"), None);
    for used in [ParentUse::Create, ParentUse::List] {
        assert_eq!(
            secret.parent(Direction::ToNew, "projects/p0", used).as_deref(),
            Some("projects/p0/regions/eu")
        );
    }
    let project = conversion.kind("Project").unwrap();
    assert_eq!(project.parent(Direction::ToNew, "", ParentUse::List).as_deref(), Some(""));
    assert_eq!(project.name(Direction::ToNew, "projects/p0").as_deref(), Some("projects/p0"));
}

#[test]
fn a_default_lists_every_region() {
    let mapping = MAPPING.replace("constants:", "defaults:");
    let (conversion, problems) = read(&given(&[OLD, NEW]), &mapping);
    assert_eq!(
        problems.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(),
        ["conversion/ambiguous-names"]
    );
    let conversion = conversion.unwrap();
    let secret = conversion.kind("Secret").unwrap();
    let parent = |used| secret.parent(Direction::ToNew, "projects/p0", used).unwrap();
    assert_eq!(parent(ParentUse::Create), "projects/p0/regions/eu");
    assert_eq!(parent(ParentUse::List), "projects/p0/regions/-");
    assert_eq!(
        secret.name(Direction::ToNew, "projects/p0/secrets/s").unwrap(),
        "projects/p0/regions/eu/secrets/s"
    );
    assert_eq!(
        secret.name(Direction::ToNew, "projects/p0/secrets/-").unwrap(),
        "projects/p0/regions/-/secrets/-"
    );
    assert_eq!(
        secret.name(Direction::ToOld, "projects/p0/regions/us/secrets/s").unwrap(),
        "projects/p0/secrets/s"
    );
}

fn old_secret() -> Value {
    json!({
        "name": "projects/p0/secrets/s0", "encData": "x", "state": "SHUT", "locked": true, "kind": "SECRET",
        "spec": {"size": 3, "owner": "me"}, "items": [{"name": "a", "size": 1}], "labels": {"enc_data": "b"},
        "ports": {"web": {"number": 80}}, "copyOf": "projects/p1/secrets/s1",
    })
}

#[test]
fn resources_are_converted_both_ways() {
    let conversion = vault();
    let secret = conversion.kind("Secret").unwrap();
    let new = secret.value(Direction::ToNew, &old_secret()).unwrap();
    assert_eq!(
        new,
        json!({
            "name": "projects/p0/regions/eu/secrets/s0", "cipher": {"data": "x", "algorithm": "AES"}, "phase": "INACTIVE",
            "lock": "LOCKED", "spec": {"size": 3}, "owner": "me", "items": [{"title": "a", "size": 1}],
            "labels": {"enc_data": "b"}, "ports": {"web": {"number": 80}}, "copyOf": "projects/p1/regions/eu/secrets/s1",
        })
    );
    assert_eq!(secret.value(Direction::ToOld, &new).unwrap(), old_secret());
    // An absent value is the default of its version.
    let empty = secret.value(Direction::ToNew, &json!({})).unwrap();
    assert_eq!(empty, json!({"phase": "PHASE_UNSPECIFIED", "cipher": {"algorithm": "AES"}}));
    assert_eq!(
        secret.value(Direction::ToOld, &json!({})).unwrap(),
        json!({"state": "OPEN", "kind": "SECRET"})
    );
    let lost = secret.value(Direction::ToNew, &json!({"kind": "OTHER"})).unwrap_err();
    assert_eq!((&*lost.pointer, lost.constant), ("/kind", json!("SECRET")));
}

#[test]
fn masks_filters_and_orders_name_the_other_fields() {
    let conversion = vault();
    let secret = conversion.kind("Secret").unwrap();
    for (old, new) in [
        ("enc_data,title", "cipher.data,title"),
        ("spec", "owner,spec"),
        ("spec.owner", "owner"),
        ("spec.limits.days", "spec.limits.days"),
        ("kind", ""),
        ("labels.enc_data,ports.web.number", "labels.enc_data,ports.web.number"),
        ("items.name", "items.title"),
        ("*", "*"),
    ] {
        let converted = secret.mask(Direction::ToNew, &FieldMask::parse(old).unwrap());
        assert_eq!(converted.to_string(), new, "{old}");
    }
    for (old, new) in [
        ("name = \"projects/p0/secrets/s0\"", "name = \"projects/p0/regions/eu/secrets/s0\""),
        (
            "state IN [OPEN, SHUT] AND NOT enc_data = \"x\"",
            "phase IN (\"ACTIVE\", \"INACTIVE\") AND NOT cipher.data = \"x\"",
        ),
        ("locked = true", "lock = \"LOCKED\""),
        ("kind = \"SECRET\"", "()"),
        ("kind = \"OTHER\" OR spec.size > 2", "NOT () OR spec.size > 2"),
        ("copy_of = \"projects/-/secrets/a\"", "copy_of = \"projects/-/regions/eu/secrets/a\""),
        ("state = 2", "phase = \"INACTIVE\""),
    ] {
        let converted = secret.filter(&Filter::parse(old).unwrap()).map(|it| it.to_string());
        assert_eq!(converted.as_deref(), Ok(new), "{old}");
    }
    for old in ["state > OPEN", "name LIKE \"projects/%\"", "spec = {}"] {
        let refused = secret.filter(&Filter::parse(old).unwrap()).unwrap_err();
        assert_eq!(refused.code.as_str(), "conversion/condition", "{old}");
    }
    for (old, new) in [
        ("enc_data desc, name", "cipher.data desc, name asc"),
        ("kind, title", "title asc"),
        ("title, kind desc", "title asc, name desc"),
        ("locked", "lock asc"),
    ] {
        assert_eq!(
            secret.order(&OrderBy::parse(old).unwrap()).map(|it| it.to_string()).as_deref(),
            Ok(new),
            "{old}"
        );
    }
    let refused = secret.order(&OrderBy::parse("state").unwrap()).unwrap_err();
    assert_eq!(refused.code.as_str(), "conversion/order");
}

#[test]
fn what_only_the_new_version_has_is_kept() {
    let conversion = vault();
    let secret = conversion.kind("Secret").unwrap();
    let stored = json!({
        "name": "projects/p0/regions/eu/secrets/s0", "cipher": {"data": "x", "algorithm": "DES"}, "spec": {"team": "t"},
        "items": [{"title": "a", "note": "1"}, {"title": "b", "note": "2"}], "ports": {"web": {"number": 80, "protocol": "tcp"}},
    });
    let old =
        json!({"encData": "y", "items": [{"name": "b"}, {"name": "c"}], "ports": {"web": {"number": 81}}});
    let mut changed = secret.value(Direction::ToNew, &old).unwrap();
    secret.keep_unknown(&stored, &mut changed);
    assert_eq!(changed["cipher"], json!({"data": "y", "algorithm": "DES"}));
    assert_eq!(changed["spec"], json!({"team": "t"}));
    assert_eq!(changed["items"], json!([{"title": "b", "note": "2"}, {"title": "c"}]));
    assert_eq!(changed["ports"], json!({"web": {"number": 81, "protocol": "tcp"}}));
}

#[test]
fn a_summary_says_what_is_not_the_same() {
    let lines: Vec<String> = vault().summary().iter().flat_map(|it| it.lines(["v1", "v2"])).collect();
    assert_eq!(
        lines,
        [
            "Project: the same",
            "Secret",
            "  projects/{project}/secrets/{secret} -> projects/{project}/regions/{region}/secrets/{secret}, region is eu",
            "  state -> phase: STATE_UNSPECIFIED -> PHASE_UNSPECIFIED, OPEN -> ACTIVE, SHUT -> INACTIVE",
            "  locked -> lock: false -> UNLOCKED, true -> LOCKED",
            "  enc_data -> cipher.data",
            "  spec.owner -> owner",
            "  spec.limits.hours: only in v2",
            "  spec.team: only in v2",
            "  items[].name -> items[].title",
            "  items[].note: only in v2",
            "  ports{}.protocol: only in v2",
            "  kind: only in v1, always SECRET",
            "  cipher.algorithm: only in v2, at first AES",
            "Version -> Revision",
            "  projects/{project}/secrets/{secret}/versions/{version} -> projects/{project}/regions/{region}/secrets/{secret}/revisions/{revision}, region is eu",
        ]
    );
}

#[test]
fn setting_a_field_of_a_group_clears_what_only_the_new_version_has_of_it() {
    let version = |version: &str, more: &str| {
        format!(
            "name: vault.example.com
proto: {{package: {{name: example.vault, currentVersion: {version}}}}}
resources:
- name: Secret
  fields:
  - {{path: by_url, oneof: source}}
  - {{path: by_file, oneof: source}}
{more}"
        )
    };
    let (old, new) = (version("v1", ""), version("v2", "  - {path: by_key, oneof: source}\n"));
    let mapping = "format: planloom.conversion/1\nservice: vault.example.com\nfrom: v1\nto: v2\n";
    let (conversion, problems) = read(&given(&[&old, &new]), mapping);
    assert!(problems.is_empty(), "{problems:#?}");
    let conversion = conversion.unwrap();
    let secret = conversion.kind("Secret").unwrap();
    let stored = json!({"name": "secrets/s", "byKey": "k"});
    for (sent, expected) in [
        (json!({"name": "secrets/s"}), stored.clone()),
        (json!({"name": "secrets/s", "byUrl": "u"}), json!({"name": "secrets/s", "byUrl": "u"})),
    ] {
        let mut changed = secret.value(Direction::ToNew, &sent).unwrap();
        secret.keep_unknown(&stored, &mut changed);
        assert_eq!(changed, expected);
    }
}
