use diag::FileId;
use syntax::{Limits, parse};

use super::*;
use crate::{Edge, MergeRule, OnChange, Shape, Trail};

fn read_text(types: &Types, text: &str) -> (Types, Vec<String>) {
    let parsed = parse(FileId(0), text, &Limits::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let (types, diagnostics) = read(types, &parsed.document);
    let lines = diagnostics.iter().map(|it| {
        let span = it.span.expect("a place");
        format!("{} {} @ {}", it.code, it.message, &text[span.start as usize..span.end as usize])
    });
    (types, lines.collect())
}

fn check(text: &str, expected: &[&str]) -> Types {
    let (types, found) = read_text(&Types::builtin(), text);
    assert_eq!(found, expected, "{text}");
    types
}

#[test]
fn a_new_kind_is_added() {
    let types = check(
        "kinds: {volume: {collection: volumes, spellings: [{path: disks}], fields: {\
           size: {type: {integer: {min: 1}}, required: true, default: 10, on_change: update},\
           of: {type: {reference: service, edge: attachment}, merge: {by_key: name}}}}}",
        &[],
    );
    let kind = types.kind("volume").expect("the kind");
    assert!(kind.tangible && !kind.open && !kind.singleton);
    assert_eq!(types.collection("disks").map(|it| &*it.kind), Some("volume"));
    let [size, of] = &kind.fields[..] else { panic!("two fields") };
    assert_eq!((size.on_change, size.required, size.default.is_some()), (OnChange::Update, true, true));
    assert_eq!(of.shape.refers_to(), Some(("service", Edge::Needs(model::EdgeKind::Attachment))));
    assert_eq!(of.merge.rule, MergeRule::ByKey(vec!["name".into()]));
    assert_eq!(types.kinds.len(), Types::builtin().kinds.len() + 1);
}

#[test]
fn a_kind_is_overridden_key_by_key() {
    let types = check(
        "kinds: {payload: {fields: {params: {fields: {token: {type: text, sensitive: true}, \
           min_mem_gib: {on_change: update}}}}}, network: {fields: {gateway: {on_change: update}}}}",
        &[],
    );
    let step = |path: &str| path.split('/').fold(Trail::root(&types), Trail::step);
    assert!(step("payloads/p/params/token").is_sensitive());
    assert!(!step("payloads/p/params/image_hash").is_sensitive());
    assert_eq!(step("payloads/p/params/image_hash").place().phrase(), "text", "its other fields stay");
    assert_eq!(step("services/s/payload/params/min_mem_gib").on_change(), OnChange::Update);
    assert_eq!(step("payloads/p/params/min_mem_gib").place().phrase(), "number");
    assert_eq!(step("networks/n/gateway").on_change(), OnChange::Update);
    assert_eq!(step("networks/n/ip").on_change(), OnChange::Rebuild);
    assert!(types.kind("service").is_some_and(|it| it.implies.len() == 4));
}

#[test]
fn map_settings_are_inherited_by_their_fields() {
    let types = check(
        "kinds: {payload: {fields: {params: {on_change: update, sensitive: true, fields: \
           {image_hash: {on_change: rebuild, sensitive: false}, fresh: {type: text}}}}}}",
        &[],
    );
    let step = |path: &str| path.split('/').fold(Trail::root(&types), Trail::step);
    let found = |path: &str| (step(path).on_change(), step(path).place().shape().map(Shape::phrase));
    assert_eq!(found("payloads/p/params/min_mem_gib").0, OnChange::Update);
    assert_eq!(found("payloads/p/params/fresh").0, OnChange::Update);
    assert_eq!(found("payloads/p/params/manifest_generate/outbound_urls").0, OnChange::Update);
    assert_eq!(found("payloads/p/params/image_hash"), (OnChange::Rebuild, Some("text".into())));
    assert!(step("payloads/p/params/free").is_sensitive(), "so does what is not defined");
    assert!(step("payloads/p/params/image_hash").is_sensitive(), "nothing in a hidden map is shown");
}

#[test]
fn no_later_definition_shows_a_secret() {
    let hidden = |later: &str, path: &str| {
        let first = "kinds: {payload: {fields: {params: {fields: {key: {type: text, sensitive: true}, \
                     login: {fields: {pin: {type: text, sensitive: true}}}}}}}}";
        let (types, _) = read_text(&check(first, &[]), later);
        path.split('/').fold(Trail::root(&types), Trail::step).is_sensitive()
    };
    let params = |fields: &str| format!("kinds: {{payload: {{fields: {{params: {{{fields}}}}}}}}}");
    assert!(hidden(&params("sensitive: false, fields: {key: {sensitive: false}}"), "payloads/p/params/key"));
    assert!(hidden(&params("fields: {key: {type: number}}"), "payloads/p/params/key"));
    assert!(hidden(&params("fields: {login: {type: {map: text}}}"), "payloads/p/params/login/pin"));
    assert!(!hidden(&params("fields: {key: {sensitive: false}}"), "payloads/p/params/image_hash"));
}

#[test]
fn mistakes_are_reported_where_they_are() {
    check("[1]", &["types/wrong-kind a definition file must be a map, not list @ [1]"]);
    check(
        "format: planloom.types/2",
        &["types/unknown-value `planloom.types/2` is not a format @ planloom.types/2"],
    );
    check("kindz: {}", &["types/unknown-key unknown key `kindz` in a type definition @ kindz"]);
    check("kinds: {a: {doc: x}}", &["types/missing-key `collection` of kind `a` is missing @ a"]);
    check(
        "kinds: {a: {collection: [b]}}",
        &[
            "types/wrong-kind `collection` must be text, not list @ [b]",
            "types/missing-key `collection` of kind `a` is missing @ a",
        ],
    );
    check(
        "kinds: {a: {collection: nodes}}",
        &["types/same-collection `nodes` already declares resources of kind `service` @ nodes"],
    );
    let types = check(
        "kinds: {a: {collection: services, fields: {b: {type: {reference: a, edge: embed}}}}, \
           network: {collection: meta, fields: {z: {type: text}}}}",
        &[
            "types/same-collection `services` already declares resources of kind `service` @ services",
            "types/same-collection `meta` already declares resources of kind `meta` @ meta",
        ],
    );
    assert!(types.kind("a").is_none() && types.kind("network").is_some_and(|it| it.field("z").is_none()));
    let types = check(
        "kinds: {network: {fields: {ip: {default: nonsense}}}}",
        &["types/default-does-not-fit the default does not match the type: network address @ nonsense"],
    );
    let default = types.kind("network").and_then(|it| it.field("ip")?.default.as_ref());
    assert_eq!(default.and_then(|it| it.0.as_str()), Some("192.168.0.0/24"), "what was there stays");
    let field = |text: &str| format!("kinds: {{service: {{fields: {{x: {text}}}}}}}");
    check(&field("{doc: A field.}"), &["types/missing-key `type` of field `x` is missing @ x"]);
    check(&field("{type: txt}"), &["types/unknown-value `txt` is not a type @ txt"]);
    check(&field("{type: list}"), &["types/unknown-type type `list` requires an argument @ list"]);
    check(&field("{type: {lst: text}}"), &["types/unknown-value `lst` is not a type @ lst"]);
    check(
        &field("{type: {list: text, of: a}}"),
        &["types/unknown-key unknown key `of` in a type definition @ of"],
    );
    check(
        &field("{type: {integer: {min: 3, max: 2}}}"),
        &["types/empty-range no number lies between 3 and 2 @ {min: 3, max: 2}"],
    );
    check(
        &field("{type: {reference: servce, edge: depends_on}}"),
        &["types/unknown-kind unknown kind `servce` @ servce"],
    );
    check(
        &field("{type: {reference: service}}"),
        &["types/missing-key `edge` of a reference is missing @ {reference: service}"],
    );
    check(
        &field("{type: {ip_address: {within: netwrk}}}"),
        &["types/unknown-field kind `service` has no field `netwrk` @ netwrk"],
    );
    check(
        &field("{type: integer, default: a}"),
        &["types/default-does-not-fit the default does not match the type: whole number @ a"],
    );
    check(&field("{type: text, merge: uniqe}"), &["types/unknown-value `uniqe` is not a merge rule @ uniqe"]);
    check(
        &field("{type: text, on_change: 1}"),
        &["types/wrong-kind the change rule must be text, not whole number @ 1"],
    );
    check(
        &field("{type: text, required: 1}"),
        &["types/wrong-kind `required` must be true or false, not whole number @ 1"],
    );
    let implied = |text: &str| format!("kinds: {{service: {{implies: [{text}]}}}}");
    check(
        &implied("{set: netwrk, value: a}"),
        &["types/unknown-field kind `service` has no field `netwrk` @ netwrk"],
    );
    check(
        &implied("{set: network}"),
        &["types/missing-key `set` or `value` of an inferred value is missing @ {set: network}"],
    );
    check(
        &implied("{set: network, value: a, when: {text_is: {payload/rntime: [vm]}}}"),
        &["types/unknown-field kind `service` has no field `payload/rntime` @ payload/rntime"],
    );
}

#[test]
fn a_misspelling_comes_with_its_fix() {
    let parsed = parse(FileId(0), "kinds: {service: {feilds: {}}}", &Limits::default());
    let (_, diagnostics) = read(&Types::builtin(), &parsed.document);
    let [diagnostic] = &diagnostics[..] else { panic!("one mistake") };
    assert_eq!(diagnostic.fixes[0].edits[0].new_text, "fields");
}

#[test]
fn an_empty_file_changes_nothing() {
    let types = check("# nothing yet", &[]);
    assert_eq!(types.kinds.len(), Types::builtin().kinds.len());
}
