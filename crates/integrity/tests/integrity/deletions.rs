//! The effects of deletions.

use fields::schema::DeleteBehavior::{self, *};
use planloom_integrity::{Blocker, IntegrityError, KindModel, LifecycleState, Work};
use serde_json::json;

use crate::support::*;

/// `T t`, and `R r` of the service `of` that refers to it.
fn two(of: &str, behavior: DeleteBehavior) -> Fixture {
    let f = fixture([
        KindModel::new(kind("a/T")),
        kind_model(&format!("{of}/R"), None, &[("ref", "a/T", behavior)]),
    ]);
    create(&f.t, "a/T t", json!({})).unwrap();
    create(&f.t, &format!("{of}/R r"), json!({"ref": "t"})).unwrap();
    f
}

#[test]
fn every_behaviour_does_what_it_says_within_a_service_and_across() {
    let check = |of: &str, behavior, after: &[&str], drained: &[&str]| {
        let f = two(of, behavior);
        delete(&f.t, &["a/T t"]).unwrap();
        assert_eq!(content(&f.t), after, "{of} {behavior:?}");
        // The work is in what is stored, so another process does it too.
        let t = f.reopened();
        assert_eq!(t.pending(), f.t.pending());
        drain(&t);
        assert_eq!(content(&t), drained, "{of} {behavior:?}");
        assert_eq!(t.pending(), []);
    };
    let r = r#"R r {"ref":"t"}"#;
    check("a", Unset, &["R r"], &["R r"]);
    check("b", Unset, &[r], &["R r"]);
    check("a", CascadeDelete, &[], &[]);
    check("b", CascadeDelete, &[r], &[]);
    for of in ["a", "b"] {
        check(of, AsyncUnset, &[r], &["R r"]);
        check(of, AsyncCascadeDelete, &[r], &[]);
        check(of, AllowDangling, &[r], &[r]);
        let f = two(of, Block);
        let (target, referrer) = (key("a/T t"), key(&format!("{of}/R r")));
        let blocker = Blocker { target, referrer, place: "ref".into() };
        assert_eq!(delete(&f.t, &["a/T t"]), Err(IntegrityError::Blocked { blockers: vec![blocker] }));
        assert!(content(&f.t).contains(&r.to_owned()) && content(&f.t).contains(&"T t".to_owned()));
    }
}

#[test]
fn a_region_is_as_another_service() {
    let check = |target: &str, after: &[&str]| {
        let f = fixture([KindModel::new(kind("T")), kind_model("R", None, &[("ref", "T", CascadeDelete)])]);
        create(&f.t, &format!("T {target}"), json!({})).unwrap();
        create(&f.t, "R r@eu", json!({"ref": target})).unwrap();
        delete(&f.t, &[&format!("T {target}")]).unwrap();
        assert_eq!(content(&f.t), after);
        drain(&f.t);
        assert_eq!(content(&f.t), [""; 0]);
    };
    check("t@eu", &[]);
    check("t", &[]);
    check("t@us", &[r#"R r@eu {"ref":"t@us"}"#]);
}

#[test]
fn children_go_with_their_parent() {
    let check = |of: &str, behavior, after: Option<&[&str]>, drained: &[&str]| {
        let f = fixture([
            KindModel::new(kind("a/P")),
            kind_model(&format!("{of}/C"), Some(("a/P", behavior)), &[]),
        ]);
        create(&f.t, "a/P p", json!({})).unwrap();
        create(&f.t, &format!("{of}/C p/cs/1"), json!({})).unwrap();
        create(&f.t, &format!("{of}/C p/cs/2"), json!({})).unwrap();
        let result = delete(&f.t, &["a/P p"]);
        let Some(after) = after else {
            let Err(IntegrityError::Blocked { blockers }) = result else { panic!("{result:?}") };
            assert_eq!(blockers.iter().map(|it| it.place.as_str()).collect::<Vec<_>>(), ["parent", "parent"]);
            return;
        };
        assert_eq!(content(&f.t), after);
        drain(&f.t);
        assert_eq!(content(&f.t), drained);
    };
    let both: &[&str] = &["C p/cs/1", "C p/cs/2"];
    check("a", Block, None, &[]);
    check("b", Block, None, &[]);
    check("a", CascadeDelete, Some(&[]), &[]);
    check("b", CascadeDelete, Some(both), &[]);
    check("a", AsyncCascadeDelete, Some(both), &[]);
    check("a", AllowDangling, Some(both), both);
}

#[test]
fn more_than_ten_children_in_a_transaction_are_worth_a_warning() {
    let check = |count: usize, behavior, expected: &[&str]| {
        let f = fixture([KindModel::new(kind("P")), kind_model("C", Some(("P", behavior)), &[])]);
        create(&f.t, "P p", json!({})).unwrap();
        for at in 0..count {
            create(&f.t, &format!("C p/cs/{at:02}"), json!({})).unwrap();
        }
        let preview = f.t.preview(&[key("P p")]);
        assert_eq!(preview.warnings.iter().map(|it| it.code.as_str()).collect::<Vec<_>>(), expected);
    };
    check(10, CascadeDelete, &[]);
    check(11, CascadeDelete, &["integrity/many-children"]);
    check(11, AsyncCascadeDelete, &[]);
}

#[test]
fn an_asynchronous_deletion_ends_when_nothing_refers_to_it() {
    let f = fixture([
        KindModel::new(kind("P")).async_deletion(),
        kind_model("C", Some(("P", AsyncCascadeDelete)), &[]),
        kind_model("b/R", None, &[("ref", "C", AsyncUnset)]),
    ]);
    create(&f.t, "P p", json!({})).unwrap();
    create(&f.t, "C p/cs/1", json!({})).unwrap();
    create(&f.t, "b/R r", json!({"ref": "p/cs/1"})).unwrap();
    f.clock.advance(5_000);
    delete(&f.t, &["P p"]).unwrap();
    let p = get(&f.t, "P p").unwrap();
    assert_eq!(p["metadata"]["lifecycle"]["state"], json!("DELETING"));
    assert_eq!(p["metadata"]["deleteTime"], json!("1970-01-01T00:16:45Z"));
    assert_eq!(f.t.pending(), [Work::Cascade(key("C p/cs/1"))]);
    delete(&f.t, &["P p"]).unwrap();
    assert_eq!(get(&f.t, "P p"), Some(p));
    let steps: Vec<Work> = std::iter::from_fn(|| f.t.step().unwrap()).map(|(work, _)| work).collect();
    assert_eq!(steps[0], Work::Cascade(key("C p/cs/1")));
    assert!(matches!(&steps[1], Work::Clear(clearing) if clearing.referrer == key("b/R r")));
    assert_eq!(steps[2..], [Work::Remove(key("P p"))]);
    assert_eq!(content(&f.t), ["R r"]);
    // Without anything that refers to it, it goes at once, also if the deletion itself clears the last reference.
    let g =
        fixture([KindModel::new(kind("P")).async_deletion(), kind_model("R", None, &[("ref", "P", Unset)])]);
    create(&g.t, "P p", json!({})).unwrap();
    create(&g.t, "R r", json!({"ref": "p"})).unwrap();
    delete(&g.t, &["P p"]).unwrap();
    assert_eq!(content(&g.t), ["R r"]);
    create(&f.t, "P p", json!({})).unwrap();
    delete(&f.t, &["P p"]).unwrap();
    assert_eq!(get(&f.t, "P p"), None);
}

#[test]
fn nothing_is_created_under_a_name_whose_deletion_has_not_finished() {
    let f = two("b", AsyncCascadeDelete);
    delete(&f.t, &["a/T t"]).unwrap();
    for t in [&f.t, &f.reopened()] {
        assert_eq!(create(t, "a/T t", json!({})), Err(IntegrityError::StillDeleting { key: key("a/T t") }));
        assert_eq!(delete(t, &["a/T t"]), Err(IntegrityError::NotFound { key: key("a/T t") }));
    }
    assert_eq!(drain(&f.t), 1);
    create(&f.t, "a/T t", json!({})).unwrap();
    // Also if the user, and not the asynchronous work, removes the last reference.
    create(&f.t, "b/R r", json!({"ref": "t"})).unwrap();
    delete(&f.t, &["a/T t"]).unwrap();
    update(&f.t, "b/R r", json!({})).unwrap();
    assert_eq!(f.t.pending(), []);
    create(&f.t, "a/T t", json!({})).unwrap();
    assert_eq!(content(&f.t), ["T t", "R r"]);
}

#[test]
fn resources_that_are_deleted_together_do_not_block_each_other() {
    let f = fixture([kind_model("R", None, &[("ref", "R", Block)])]);
    create(&f.t, "R a", json!({"ref": "a"})).unwrap();
    create(&f.t, "R b", json!({"ref": "a"})).unwrap();
    update(&f.t, "R a", json!({"ref": "b"})).unwrap();
    assert_eq!(delete(&f.t, &["R a"]).unwrap_err().code(), "integrity/blocked");
    assert_eq!(delete(&f.t, &["R b"]).unwrap_err().code(), "integrity/blocked");
    delete(&f.t, &["R a", "R b"]).unwrap();
    assert_eq!(content(&f.t), [""; 0]);
    create(&f.t, "R a", json!({"ref": "a"})).unwrap();
    delete(&f.t, &["R a"]).unwrap();
}

#[test]
fn resources_that_are_due_together_do_not_block_each_other() {
    let f = fixture([
        KindModel::new(kind("P")),
        kind_model("C", Some(("P", AsyncCascadeDelete)), &[("ref", "C", Block)]),
    ]);
    create(&f.t, "P p", json!({})).unwrap();
    create(&f.t, "C p/cs/1", json!({})).unwrap();
    create(&f.t, "C p/cs/2", json!({"ref": "p/cs/1"})).unwrap();
    update(&f.t, "C p/cs/1", json!({"ref": "p/cs/2"})).unwrap();
    delete(&f.t, &["P p"]).unwrap();
    drain(&f.t);
    assert_eq!(content(&f.t), [""; 0]);
}

#[test]
fn the_case_of_the_guide_gets_stuck_and_can_be_resolved() {
    // B and C go after A, but D, which has nothing to do with A, blocks C.
    let f = fixture([
        KindModel::new(kind("A")),
        kind_model("B", None, &[("a", "A", AsyncCascadeDelete)]),
        kind_model("C", None, &[("a", "A", AsyncCascadeDelete)]),
        kind_model("D", None, &[("c", "C", Block)]),
    ]);
    create(&f.t, "A a", json!({})).unwrap();
    create(&f.t, "B b", json!({"a": "a"})).unwrap();
    create(&f.t, "C c", json!({"a": "a"})).unwrap();
    create(&f.t, "D d", json!({"c": "c"})).unwrap();
    let preview = f.t.preview(&[key("A a")]);
    assert!(preview.is_possible());
    assert_eq!(preview.stuck.len(), 1);
    assert_eq!(
        (preview.stuck[0].resource.name.as_str(), preview.stuck[0].blocked_by[0].referrer.name.as_str()),
        ("c", "d")
    );
    delete(&f.t, &["A a"]).unwrap();
    drain(&f.t);
    assert_eq!(content(&f.t), [r#"C c {"a":"a"}"#, r#"D d {"c":"c"}"#]);
    assert_eq!(f.t.pending(), [Work::Cascade(key("C c"))]);
    delete(&f.t, &["D d"]).unwrap();
    drain(&f.t);
    assert_eq!(content(&f.t), [""; 0]);
}

#[test]
fn the_server_may_forbid_a_deletion() {
    let f = fixture([KindModel::new(kind("T"))]);
    create(&f.t, "T t", json!({"metadata": {"lifecycle": {"blockDeletion": true}}})).unwrap();
    let error = delete(&f.t, &["T t"]).unwrap_err();
    assert_eq!(error.to_string(), "`a/T/t` is required by `metadata.lifecycle.block_deletion` of `a/T/t`");
    update(&f.t, "T t", json!({})).unwrap();
    delete(&f.t, &["T t"]).unwrap();
}

#[test]
fn the_life_cycle_is_a_table() {
    let states = [None, Some(LifecycleState::Active), Some(LifecycleState::Deleting)];
    let legal: Vec<String> = states
        .iter()
        .map(|from| {
            states.iter().map(|to| if LifecycleState::is_legal(*from, *to) { '+' } else { '-' }).collect()
        })
        .collect();
    assert_eq!(legal, ["++-", "+++", "+-+"]);
}

#[test]
fn a_preview_is_data() {
    let f = fixture([
        KindModel::new(kind("P")).async_deletion(),
        kind_model("C", Some(("P", AsyncCascadeDelete)), &[]),
        kind_model("b/R", None, &[("ref", "C", Unset)]),
    ]);
    create(&f.t, "P p", json!({})).unwrap();
    create(&f.t, "C p/cs/1", json!({})).unwrap();
    create(&f.t, "b/R r", json!({"ref": "p/cs/1"})).unwrap();
    let (p, c, r) = (
        json!({"kind": "a/P", "name": "p"}),
        json!({"kind": "a/C", "name": "p/cs/1"}),
        json!({"kind": "b/R", "name": "r"}),
    );
    let cleared = json!({"referrer": r, "field": "ref", "target": c});
    let node = |named: &serde_json::Value, role: &str, wave: usize| json!({"kind": named["kind"], "name": named["name"], "role": role, "wave": wave});
    assert_eq!(
        serde_json::to_value(f.t.preview(&[key("P p")])).unwrap(),
        json!({
            "roots": [p],
            "not_found": [],
            "blocked_by": [],
            "transaction": {"removed": [], "deleting": [p], "cleared": []},
            "waves": [
                [{"resource": c, "removed": [c], "deleting": [], "cleared": []}],
                [
                    {"resource": r, "removed": [], "deleting": [], "cleared": [cleared]},
                    {"resource": p, "removed": [p], "deleting": [], "cleared": []},
                ],
            ],
            "stuck": [],
            "still_deleting": [],
            "warnings": [],
            "graph": {
                "nodes": [node(&c, "removed", 1), node(&p, "root", 0), node(&r, "cleared", 2)],
                "edges": [
                    {"from": c, "to": p, "field": "parent", "behavior": "ASYNC_CASCADE_DELETE"},
                    {"from": r, "to": c, "field": "ref", "behavior": "ASYNC_UNSET"},
                ],
            },
        })
    );
    let missing = f.t.preview(&[key("P q")]);
    assert!(!missing.is_possible());
    assert_eq!(missing.not_found[0].name, "q");
}
