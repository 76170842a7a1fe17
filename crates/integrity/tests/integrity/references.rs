//! References lead to existing resources.

use fields::schema::DeleteBehavior::*;
use planloom_integrity::{BrokenReference, Flags, IntegrityError, KindModel, Level, Transactions};
use serde_json::{Value, json};

use crate::support::*;

fn kinds() -> Vec<KindModel> {
    let mut exempt = kind_model("Exempt", None, &[("ref", "T", Block)]);
    exempt.exempt = true;
    vec![
        KindModel::new(kind("T")),
        kind_model(
            "R",
            None,
            &[("ref", "T", Block), ("refs[]", "T", Unset), ("self_ref", "R", AsyncCascadeDelete)],
        ),
        kind_model("D", None, &[("ref", "T", AllowDangling), ("mixin", "Exempt", Block)]),
        kind_model("C", Some(("T", CascadeDelete)), &[]),
        KindModel::new(kind("Keep")).async_deletion(),
        kind_model("K", None, &[("ref", "Keep", AsyncUnset)]),
        exempt,
    ]
}

#[test]
fn a_dangling_reference_is_refused() {
    let check = |name: &str, value: Value, expected: &[(&str, &str)]| {
        let f = fixture(kinds());
        create(&f.t, "T t", json!({})).unwrap();
        let result = create(&f.t, name, value);
        match expected {
            [] => result.unwrap(),
            _ => {
                let Err(IntegrityError::BrokenReferences { broken }) = result else { panic!("{result:?}") };
                let found: Vec<(String, String)> =
                    broken.iter().map(|it| (it.place.clone(), it.target.to_string())).collect();
                let found: Vec<(&str, &str)> =
                    found.iter().map(|(place, of)| (place.as_str(), of.as_str())).collect();
                assert_eq!(found, expected);
                assert!(broken.iter().all(|it| !it.deleting && it.referrer == key(name)));
                assert_eq!(get(&f.t, name), None);
            }
        }
    };
    check("R r", json!({"ref": "t", "refs": ["t", "t"]}), &[]);
    check("R r", json!({}), &[]);
    check("R r", json!({"ref": ""}), &[]);
    check("R r", json!({"ref": "x"}), &[("ref", "a/T/x")]);
    check(
        "R r",
        json!({"ref": "x", "refs": ["t", "y", "x"]}),
        &[("ref", "a/T/x"), ("refs[1]", "a/T/y"), ("refs[2]", "a/T/x")],
    );
    check("R r", json!({"selfRef": "r"}), &[]);
    check("R r", json!({"selfRef": "q"}), &[("self_ref", "a/R/q")]);
    check("D d", json!({"ref": "x"}), &[("ref", "a/T/x")]);
    check("C t/cs/c", json!({}), &[]);
    check("C x/cs/c", json!({}), &[("parent", "a/T/x")]);
    // Nothing is guaranteed for exempt kinds, neither from nor to them.
    check("Exempt e", json!({"ref": "x"}), &[]);
    check("D d", json!({"mixin": "x"}), &[]);
}

#[test]
fn dangling_references_may_be_allowed_from_the_start() {
    let f = with(rules(kinds()), plugins(), Flags { check_dangling: false, ..Flags::default() });
    create(&f.t, "D d", json!({"ref": "x"})).unwrap();
    assert_eq!(create(&f.t, "R r", json!({"ref": "x"})).unwrap_err().code(), "integrity/broken-references");
}

#[test]
fn what_one_transaction_creates_may_refer_to_each_other() {
    let f = fixture(kinds());
    f.t.run(Level::Snapshot, |session| {
        session.create(key("R a"), json!({"ref": "t", "selfRef": "b"}))?;
        session.create(key("R b"), json!({"selfRef": "a"}))?;
        session.create(key("C t/cs/c"), json!({}))?;
        session.create(key("T t"), json!({}))
    })
    .unwrap();
    // But not to what the same transaction deletes.
    create(&f.t, "T u", json!({})).unwrap();
    let result = f.t.run(Level::Snapshot, |session| {
        session.delete(key("T u"))?;
        session.create(key("D d"), json!({"ref": "u"}))
    });
    assert_eq!(result.unwrap_err().code(), "integrity/broken-references");
    // A reference that the deletion clears is not one.
    f.t.run(Level::Snapshot, |session| {
        session.create(key("R c"), json!({"refs": ["u", "t"]}))?;
        session.delete(key("T u"))
    })
    .unwrap();
    assert_eq!(get(&f.t, "R c").unwrap()["refs"], json!(["t"]));
}

#[test]
fn only_new_references_are_checked() {
    let f = fixture(kinds());
    create(&f.t, "T t", json!({})).unwrap();
    create(&f.t, "D d", json!({"ref": "t"})).unwrap();
    delete(&f.t, &["T t"]).unwrap();
    update(&f.t, "D d", json!({"ref": "t", "x": 1})).unwrap();
    update(&f.t, "D d", json!({"x": 1})).unwrap();
    assert_eq!(update(&f.t, "D d", json!({"ref": "t"})).unwrap_err().code(), "integrity/broken-references");
}

#[test]
fn a_resource_that_is_being_deleted_accepts_neither_references_nor_updates() {
    let f = fixture(kinds());
    create(&f.t, "Keep k", json!({"x": 1})).unwrap();
    create(&f.t, "K r", json!({"ref": "k"})).unwrap();
    delete(&f.t, &["Keep k"]).unwrap();
    assert_eq!(content(&f.t), [r#"K r {"ref":"k"}"#, r#"Keep k {"x":1} DELETING"#]);
    let broken =
        BrokenReference { referrer: key("K s"), place: "ref".into(), target: key("Keep k"), deleting: true };
    assert_eq!(
        create(&f.t, "K s", json!({"ref": "k"})),
        Err(IntegrityError::BrokenReferences { broken: vec![broken] })
    );
    assert_eq!(update(&f.t, "Keep k", json!({"x": 2})), Err(IntegrityError::Deleting { key: key("Keep k") }));
    assert_eq!(create(&f.t, "Keep k", json!({})), Err(IntegrityError::StillDeleting { key: key("Keep k") }));
    update(&f.t, "Keep k", json!({"x": 1, "metadata": {"labels": {"l": "v"}}})).unwrap();
    assert_eq!(get(&f.t, "Keep k").unwrap()["metadata"]["labels"], json!({"l": "v"}));
    assert_eq!(content(&f.t)[1], r#"Keep k {"x":1} DELETING"#);
    // A second deletion changes nothing.
    let before = get(&f.t, "Keep k");
    delete(&f.t, &["Keep k"]).unwrap();
    assert_eq!(get(&f.t, "Keep k"), before);
    drain(&f.t);
    assert_eq!(content(&f.t), ["K r"]);
}

#[test]
fn references_that_a_newer_model_has_hold_after_a_restart() {
    let before = fixture([kind_model("Site", None, &[]), kind_model("Device", None, &[])]);
    create(&before.t, "Site s", json!({})).unwrap();
    create(&before.t, "Device d", json!({"site": "s"})).unwrap();
    create(&before.t, "Device e", json!({})).unwrap();
    let refers =
        || rules([kind_model("Site", None, &[]), kind_model("Device", None, &[("site", "Site", Block)])]);
    let after = Transactions::new(before.t.store().clone(), refers(), plugins(), Flags::default());
    assert_eq!((after.reindex().unwrap(), after.reindex().unwrap()), (1, 0));
    assert_eq!(delete(&after, &["Site s"]).unwrap_err().code(), "integrity/blocked");
    // And back again: nothing is found by a reference that the model does not have.
    assert_eq!(before.t.reindex().unwrap(), 1);
    delete(&before.t, &["Site s"]).unwrap();
}
