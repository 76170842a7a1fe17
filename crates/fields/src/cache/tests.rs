use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::Filter;

fn path(text: &str) -> FieldPath {
    FieldPath::parse(text).unwrap()
}

fn texts(all: &[&str]) -> Vec<Arc<str>> {
    all.iter().map(|it| (*it).into()).collect()
}

/// Comments of the guide; `name_patterns` are those of its annotation, or those by default.
fn comments(name_patterns: Option<&[&str]>) -> CachePlan {
    let spec = CacheSpec {
        queries: vec![vec![path("name")], vec![path("name"), path("user")]],
        reference_patterns: name_patterns.map(|it| (path("name"), texts(it))).into_iter().collect(),
        ..CacheSpec::default()
    };
    let patterns = texts(&[
        "messages/{message}/comments/{comment}",
        "topics/{topic}/messages/{message}/comments/{comment}",
    ]);
    CachePlan::new(&spec, &patterns, &[(path("user"), texts(&["users/{user}"]))].into())
}

const GUIDE: [&str; 2] = ["messages/-/comments/-", "topics/{topic}/messages/-/comments/-"];

fn sets(sets: &BTreeSet<QuerySet>) -> Vec<String> {
    sets.iter().map(ToString::to_string).collect()
}

#[test]
fn groups_of_the_guide() {
    let shown = |plan: &CachePlan| plan.groups.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(
        shown(&comments(Some(&GUIDE))),
        [
            "name = \"messages/-/comments/-\"",
            "name = \"topics/{topic}/messages/-/comments/-\"",
            "name = \"messages/-/comments/-\" AND user = \"users/{user}\"",
            "name = \"topics/{topic}/messages/-/comments/-\" AND user = \"users/{user}\"",
        ]
    );
    let default =
        comments(Some(&["messages/{message}/comments/-", "topics/{topic}/messages/{message}/comments/-"]));
    assert_eq!(comments(None), default);
}

#[test]
fn queries_of_the_guide() {
    let plan = comments(Some(&GUIDE));
    for (parent, filter, groups, filed) in [
        ("topics/t1/messages/m1", "", vec![2], vec!["{name: \"topics/t1/messages/m1/comments/-\"}"]),
        ("topics/t1/messages/-", "", vec![2], vec!["{name: \"topics/t1/messages/-/comments/-\"}"]),
        ("messages/-", "", vec![1], vec!["{name: \"messages/-/comments/-\"}"]),
        ("messages/m1", "", vec![1], vec!["{name: \"messages/m1/comments/-\"}"]),
        (
            "topics/t1/messages/m1",
            "user=\"users/u1\"",
            vec![2, 4],
            vec!["{name: \"topics/t1/messages/m1/comments/-\", user: \"users/u1\"}"],
        ),
        (
            "topics/t1/messages/-",
            "user=\"users/-\"",
            vec![2],
            vec!["{name: \"topics/t1/messages/-/comments/-\"}"],
        ),
        ("topics/-/messages/-", "", vec![], vec![]),
        (
            "topics/t1/messages/m1",
            "user = users/u2 AND metadata.tags CONTAINS xxx",
            vec![2, 4],
            vec!["{name: \"topics/t1/messages/m1/comments/-\", user: \"users/u2\"}"],
        ),
        (
            "topics/t1/messages/m1",
            "user IN [users/u2, users/u3] AND metadata.tags CONTAINS xxx",
            vec![2, 4],
            vec![
                "{name: \"topics/t1/messages/m1/comments/-\", user: \"users/u2\"}",
                "{name: \"topics/t1/messages/m1/comments/-\", user: \"users/u3\"}",
            ],
        ),
        (
            "topics/t1/messages/m1",
            "user = users/u1 OR user = users/u2",
            vec![2],
            vec!["{name: \"topics/t1/messages/m1/comments/-\"}"],
        ),
        (
            "topics/t1/messages/m1",
            "NOT user = users/u1",
            vec![2],
            vec!["{name: \"topics/t1/messages/m1/comments/-\"}"],
        ),
        (
            "topics/t1/messages/-",
            "name = topics/t1/messages/m1/comments/c1",
            vec![2],
            vec!["{name: \"topics/t1/messages/m1/comments/c1\"}"],
        ),
        (
            "topics/t1/messages/m1",
            "name = topics/-/messages/-/comments/-",
            vec![2],
            vec!["{name: \"topics/t1/messages/m1/comments/-\"}"],
        ),
    ] {
        let query = plan.classify(Some(parent), &Filter::parse(filter).unwrap());
        assert_eq!(query.groups.iter().map(|it| it + 1).collect::<Vec<_>>(), groups, "{parent} {filter}");
        assert_eq!(sets(&query.sets), filed, "{parent} {filter}");
    }
    let negated = plan.classify(Some("messages/m1"), &Filter::parse("user NOT IN (users/u1)").unwrap());
    assert_eq!(sets(&negated.sets), ["{name: \"messages/m1/comments/-\"}"]);
    let without_name = plan.classify(None, &Filter::parse("user = users/u1").unwrap());
    assert_eq!(without_name, CachedQuery::default());
}

/// A concrete name has one pattern, so these are six sets, not twelve.
#[test]
fn writes_of_the_guide() {
    let comment = json!({"name": "topics/t1/messages/m1/comments/c1", "user": "users/u1"});
    assert_eq!(
        sets(&comments(Some(&GUIDE)).invalidated(&comment)),
        [
            "{name: \"topics/t1/messages/-/comments/-\"}",
            "{name: \"topics/t1/messages/-/comments/-\", user: \"users/u1\"}",
            "{name: \"topics/t1/messages/m1/comments/-\"}",
            "{name: \"topics/t1/messages/m1/comments/-\", user: \"users/u1\"}",
            "{name: \"topics/t1/messages/m1/comments/c1\"}",
            "{name: \"topics/t1/messages/m1/comments/c1\", user: \"users/u1\"}",
        ]
    );
    // Without a user there are no lists of a user to invalidate.
    assert_eq!(comments(Some(&GUIDE)).invalidated(&json!({"name": "messages/m1/comments/c1"})).len(), 3);
}

/// A filter may name the default of a field that the resource leaves out.
#[test]
fn absent_fields_are_cached_as_their_defaults() {
    let spec = CacheSpec { queries: vec![vec![path("hidden")]], ..CacheSpec::default() };
    let plan = CachePlan::new(&spec, &texts(&["messages/{message}"]), &BTreeMap::new());
    for resource in [json!({}), json!({"hidden": false}), json!({"hidden": null})] {
        let query = plan.classify(None, &Filter::parse("hidden = FALSE").unwrap());
        assert_eq!(query.sets, plan.invalidated(&resource), "{resource}");
    }
}

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["1", "2"])
}

fn any_comment() -> impl Strategy<Value = Value> {
    (prop::option::of(id()), id(), id(), id(), any::<bool>()).prop_map(|(topic, message, comment, user, state)| {
        let topic = topic.map_or_else(String::new, |it| format!("topics/{it}/"));
        json!({"name": format!("{topic}messages/{message}/comments/{comment}"), "user": format!("users/{user}"), "hidden": state})
    })
}

fn any_query() -> impl Strategy<Value = (String, Filter)> {
    let open = || prop_oneof![id(), Just("-")];
    let users = prop::collection::vec(open(), 0..3);
    let hidden = prop::sample::select(vec!["", " hidden = TRUE", " hidden = FALSE"]);
    let name = prop::option::of((open(), open()));
    (prop::option::of(open()), open(), users, hidden, name).prop_map(
        |(topic, message, users, hidden, name)| {
            let topic = topic.map_or_else(String::new, |it| format!("topics/{it}/"));
            let users: Vec<String> = users.iter().map(|it| format!("users/{it}")).collect();
            let mut filter =
                if users.is_empty() { String::new() } else { format!("user IN ({})", users.join(", ")) };
            filter.push_str(hidden);
            if let Some((message, comment)) = name {
                filter.push_str(&format!(" name = {topic}messages/{message}/comments/{comment}"));
            }
            (format!("{topic}messages/{message}"), Filter::parse(&filter).unwrap())
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn a_write_invalidates_every_list_that_has_the_resource(comment in any_comment(), (parent, filter) in any_query(), by_state: bool) {
        let mut plan = comments(Some(&GUIDE));
        if by_state {
            let queries = vec![vec![path("hidden")], vec![path("hidden"), path("user")]];
            let spec = CacheSpec { queries, ..CacheSpec::default() };
            plan = CachePlan::new(&spec, &texts(&["messages/{message}/comments/{comment}"]), &[(path("user"), texts(&["users/-"]))].into());
        }
        let query = plan.classify(Some(&parent), &filter);
        let of_parent = Filter::parse(&format!("name = {parent}/comments/-")).unwrap();
        let selects = filter.clone().and(of_parent).selects(&comment);
        if selects && !query.sets.is_empty() {
            let invalidated = plan.invalidated(&comment);
            prop_assert!(query.sets.iter().any(|it| invalidated.contains(it)), "{} {} {:?}", parent, filter, query);
        }
        prop_assert_eq!(query.groups.is_empty(), query.sets.is_empty());
    }
}
