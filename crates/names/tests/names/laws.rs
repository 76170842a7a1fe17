//! Laws of names.

use planloom_names::{Name, Pattern, Patterns, Segment};
use proptest::prelude::*;

use crate::support::{config, id_pattern};

/// Variables that the support of the tests has id patterns for, and some with the default.
const VARIABLES: [&str; 15] = [
    "project",
    "region",
    "service",
    "bucket",
    "log",
    "log_descriptor",
    "limit",
    "anything",
    "either",
    "anchored",
    "optional",
    "lazy",
    "grouped",
    "secret",
    "item",
];

/// Collections are few, so that ids can have the form of the rest of a name.
const COLLECTIONS: [&str; 3] = ["a", "b", "items"];

fn pattern() -> impl Strategy<Value = Pattern> {
    let variables = prop::sample::subsequence(VARIABLES.to_vec(), 1..5).prop_shuffle();
    (variables, prop::collection::vec(prop::sample::select(COLLECTIONS.to_vec()), 5)).prop_map(
        |(variables, collections)| {
            let segment = |(variable, collection): (&str, &str)| {
                Segment::new(collection, variable, id_pattern(variable))
            };
            Pattern::new(variables.into_iter().zip(collections).map(segment).collect()).unwrap()
        },
    )
}

/// Ids that some of the patterns have, with slashes and awkward characters.
fn id() -> impl Strategy<Value = String> {
    let fixed = prop::sample::select(vec![
        "-",
        "p",
        "eu",
        "eu-west-1",
        "iam.edgelq.com",
        "a",
        "a/b",
        "b/",
        "b/b/c",
        "x",
        "",
        "x/y/Z",
        "a/b/items",
        "é/ü",
        "aa/items/bb",
        "-/a/b",
        "a//b",
        "..",
        "\0",
        "=",
        "a b",
        "--",
        "-/-",
    ]);
    prop_oneof![4 => fixed.prop_map(str::to_owned), 1 => "[a-b/.-]{0,6}", 1 => "[a-z]{1,4}"]
}

fn ids() -> impl Strategy<Value = Vec<String>> {
    prop::collection::vec(id(), 5)
}

/// The text of a name by a pattern, whether the ids match or not.
fn written(pattern: &Pattern, ids: &[String]) -> String {
    let parts =
        pattern.segments().iter().zip(ids).map(|(segment, id)| format!("{}/{id}", segment.collection));
    parts.collect::<Vec<_>>().join("/")
}

/// Ids that match, as far as there are some among these for each variable.
fn matching(pattern: &Pattern, ids: &[String]) -> Vec<String> {
    let fitting = |segment: &Segment| ids.iter().find(|it| segment.id.matches(it)).cloned();
    pattern.segments().iter().map(|it| fitting(it).unwrap_or_else(|| "-".to_owned())).collect()
}

/// A text with a part of it replaced.
fn changed(text: &str, at: usize, removed: usize, inserted: &str) -> String {
    let mut characters: Vec<_> = text.chars().collect();
    let start = at.min(characters.len());
    let end = (start + removed).min(characters.len());
    characters.splice(start..end, inserted.chars());
    characters.into_iter().collect()
}

fn split(name: Option<Name>) -> Option<Vec<String>> {
    name.map(|it| it.ids().map(str::to_owned).collect())
}

/// Names of one pattern, with and without wildcards.
fn three_names() -> impl Strategy<Value = [Name; 3]> {
    let pattern = Pattern::of_text("projects/{project}/regions/{region}/logs/{log}", id_pattern).unwrap();
    let id = || prop::sample::select(vec!["-", "aa", "bb"]);
    let name = (id(), id(), id()).prop_map(move |(a, b, c)| pattern.name(&[a, b, c]).unwrap());
    [name.clone(), name.clone(), name]
}

proptest! {
    #![proptest_config(config(3_000))]

    #[test]
    fn both_ways_of_parsing_agree(
        pattern in pattern(), ids in ids(), at in 0_usize..40, removed in 0_usize..3, inserted in "[a/-]{0,2}",
    ) {
        let rows = [written(&pattern, &ids), written(&pattern, &matching(&pattern, &ids))];
        for text in rows.iter().cloned().chain(rows.iter().map(|it| changed(it, at, removed, &inserted))) {
            prop_assert_eq!(split(pattern.parse(&text)), split(pattern.parse_by_engine(&text)), "{} {:?}", pattern, text);
        }
    }

    #[test]
    fn what_is_written_is_read_alike(kind in prop::collection::vec(pattern(), 1..4), ids in ids(), index in 0_usize..3) {
        let kind = Patterns(kind);
        let own = &kind.0[index % kind.0.len()];
        if let Ok(name) = kind.parse(&written(own, &matching(own, &ids))) {
            prop_assert_eq!(kind.parse(&name.to_string()), Ok(name.clone()));
            prop_assert_eq!(written(name.pattern(), &split(Some(name.clone())).unwrap()), name.as_str());
            let place = kind.0.iter().position(|it| it == name.pattern()).unwrap();
            prop_assert_eq!(kind.name(place, &name.ids().collect::<Vec<_>>()), Ok(name.clone()));
        }
    }

    #[test]
    fn ids_make_the_name_that_has_them(pattern in pattern(), ids in ids()) {
        let ids = matching(&pattern, &ids);
        match pattern.name(&ids) {
            Ok(name) => {
                prop_assert_eq!(name.ids().collect::<Vec<_>>(), ids);
                prop_assert_eq!(pattern.parse(name.as_str()), Some(name));
            }
            Err(error) => {
                let simple = pattern.segments().iter().filter(|it| it.id.allows_slash()).count() < 2;
                let anchored = pattern.segments().iter().any(|it| &*it.variable == "anchored");
                prop_assert!(anchored || !simple && error.code() == "names/ambiguous", "{}: {}", pattern, error);
            }
        }
    }

    #[test]
    fn a_parent_and_an_id_are_a_name(pattern in pattern(), ids in ids()) {
        let kind = Patterns::from(pattern.clone());
        if let Ok(name) = pattern.name(&matching(&pattern, &ids)) {
            let above = name.parent().map_or(String::new(), |it| it.to_string());
            let parent = kind.parse_parent(&above).unwrap();
            // The longest id decides in the parent alone as well.
            if parent.name().cloned() == name.parent() {
                prop_assert_eq!(parent.child(name.last_id()), Ok(name.clone()));
                prop_assert!(parent.contains(&name));
            }
        }
    }

    #[test]
    fn matching_is_an_order([a, b, c] in three_names()) {
        prop_assert!(a.matches(&a));
        prop_assert!(!(a.matches(&b) && b.matches(&c)) || a.matches(&c));
        prop_assert!(!(a.matches(&b) && b.matches(&a)) || a == b);
        prop_assert!(a.is_wildcard() || !a.matches(&b) || a == b);
        prop_assert!(!a.matches(&b) || a.parent().unwrap().matches(&b.parent().unwrap()));
        let least = c.with_id("project", "-").unwrap();
        prop_assert!(least.matches(&c) && least.is_wildcard());
    }

    #[test]
    fn any_text_is_read_or_refused(kind in prop::collection::vec(pattern(), 0..4), text in "[ab/-]{0,12}|.{0,30}|((a|b|items)/[a-z/-]{0,4}/?){0,4}") {
        let kind = Patterns(kind);
        match kind.parse(&text) {
            Ok(name) => prop_assert_eq!(name.as_str(), &*text),
            Err(error) => {
                prop_assert!(text.is_char_boundary(error.at()), "{:?}: {}", text, error.at());
                prop_assert!(error.code().starts_with("names/") && !error.to_string().contains('\n'));
                prop_assert!(!error.help().is_empty());
            }
        }
        if let Err(error) = kind.parse_parent(&text) {
            prop_assert!(text.is_char_boundary(error.at()));
        }
    }
}
