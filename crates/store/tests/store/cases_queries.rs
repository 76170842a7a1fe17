//! Queries by labels, ids and owners.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use planloom_store::{Glob, Op, OwnedBy, Query, Term};

use crate::support::*;

fn matches(labels: &[(&str, &str)], term: Term) -> bool {
    let labels = labels.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    term.matches(&labels)
}

fn w(op: Op) -> Term {
    Term::new("w", op)
}

#[test]
fn case_27_comparisons_hold_only_where_they_can_be_made() {
    let ten_kilos = [("w", "10kg")];
    assert!(matches(&ten_kilos, w(Op::LtNumeric("12000".into()))));
    assert!(!matches(&ten_kilos, w(Op::LtNumeric("10000".into()))));
    assert!(matches(&ten_kilos, w(Op::LteNumeric("10000".into()))));
    assert!(!matches(&ten_kilos, w(Op::LtNumeric("abc".into())).inverted()));
    assert!(!matches(&[], w(Op::Lt("z".into())).inverted()));
    assert!(!matches(&[], w(Op::Lt("z".into()))));
    assert!(matches(&[], w(Op::Equal("a".into())).inverted()));
    assert!(matches(&[], w(Op::Exists).inverted()));
    assert!(matches(&[], w(Op::In(vec!["a".into()])).inverted()));
    assert!(matches(&ten_kilos, w(Op::LtNumeric("10k".into())).inverted()));
    assert!(matches(&[("w", "b")], w(Op::Lt("c".into()))) && !matches(&[("w", "b")], w(Op::Lt("b".into()))));
    assert!(matches(&[("w", "b")], w(Op::Lte("b".into()))));
}

#[test]
fn case_28_groups_are_alternatives() {
    let store = store();
    for id in ["a", "b", "c"] {
        store.create(&user(), draft(id).label("app", id)).unwrap();
    }
    let either = Query::label("app", "a").or(Query::label("app", "b"));
    assert_eq!(ids(&store, &either), ["a", "b"]);
    assert_eq!(ids(&store, &Query::all()), ["a", "b", "c"]);
    let of = |names: &[&str]| Op::In(names.iter().map(|name| (*name).into()).collect());
    assert_eq!(ids(&store, &Query::term(Term::new("app", of(&[])))), [""; 0]);
    assert_eq!(ids(&store, &Query::term(Term::new("app", of(&["c", "a", "a", "x"])))), ["a", "c"]);
    assert_eq!(ids(&store, &Query::term(Term::new("app", of(&[])).inverted())), ["a", "b", "c"]);
    assert_eq!(ids(&store, &either.and(Term::new("app", Op::Equal("b".into())))), ["b"]);
}

#[test]
fn case_29_what_is_too_large_is_no_number_and_a_bad_pattern_is_refused_at_once() {
    let huge = [("w", "99999999999p")];
    assert!(!matches(&huge, w(Op::LtNumeric("1".into()))));
    assert!(!matches(&huge, w(Op::LtNumeric("1".into())).inverted()));
    assert!(!matches(&[("w", "1")], w(Op::LteNumeric("99999999999p".into()))));
    let error = Glob::new("a[").unwrap_err();
    assert_eq!(
        (error.code(), error.to_string()),
        ("store/invalid", "invalid pattern `a[`: its `[` has no `]`".into())
    );
    assert!(serde_json::from_str::<Query>(r#"{"id":"a["}"#).is_err());
}

#[test]
fn ids_are_queried_by_pattern() {
    let store = store();
    for id in ["api-1", "api-2", "apj", "web-1"] {
        create(&store, id);
    }
    let by = |pattern: &str| ids(&store, &Query::id(Glob::new(pattern).unwrap()));
    assert_eq!(by("api-*"), ["api-1", "api-2"]);
    assert_eq!(by("*-1"), ["api-1", "web-1"]);
    assert_eq!(by("ap?"), ["apj"]);
    assert_eq!(by("api-2"), ["api-2"]);
    assert_eq!(by("api"), [""; 0]);
}

#[test]
fn resources_are_queried_by_owner() {
    let store = store();
    create(&store, "a");
    store.create(&planner(), draft("b")).unwrap();
    assert_eq!(ids(&store, &Query::owner("planner")), ["b"]);
    assert_eq!(ids(&store, &Query::owner("other")), [""; 0]);
    assert_eq!(ids(&store, &Query { owner: Some(OwnedBy::User), ..Query::all() }), ["a"]);
}

#[test]
fn queries_have_a_json_form() {
    let query =
        Query::term(Term::new("app", Op::Equal("a".into())).inverted()).and(Term::new("w", Op::Exists));
    let query =
        Query { id: Some(Glob::new("a*").unwrap()), owner: Some(OwnedBy::Owner("p".into())), ..query };
    let text = serde_json::to_string(&query).unwrap();
    let expected = r#"{"terms":[[{"label":"app","op":{"equal":"a"},"invert":true},{"label":"w","op":"exists","invert":false}]],"id":"a*","owner":{"owner":"p"}}"#;
    assert_eq!(text, expected);
    assert_eq!(serde_json::from_str::<Query>(&text).unwrap(), query);
    assert_eq!(serde_json::from_str::<Query>("{}").unwrap(), Query::all());
}
