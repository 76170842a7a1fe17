//! Examples of names in the guide and in the real specifications.

use planloom_names::{IdPattern, Name, Pattern, Segment};

use crate::support::{pattern, patterns};

/// The patterns in the order that the tool really generates: the optional parent first.
const ROLE_BINDINGS: &str = "roleBindings/{role_binding} projects/{project}/roleBindings/{role_binding} \
    organizations/{organization}/roleBindings/{role_binding} services/{service}/roleBindings/{role_binding}";

#[test]
fn role_bindings_have_four_patterns_and_parents() {
    let kind = patterns(ROLE_BINDINGS);
    let parents: Vec<_> = kind.0.iter().map(|it| it.parent().map(|it| it.text().to_owned())).collect();
    let named = |text: &str| Some(text.to_owned());
    let expected = [
        None,
        named("projects/{project}"),
        named("organizations/{organization}"),
        named("services/{service}"),
    ];
    assert_eq!(parents, expected);
    assert!(kind.has_root());
    assert_eq!(kind.ambiguous(), []);
    for (text, index, parent) in [
        ("roleBindings/r", 0, ""),
        ("projects/p/roleBindings/r", 1, "projects/p"),
        ("organizations/o/roleBindings/r", 2, "organizations/o"),
        ("services/iam.edgelq.com/roleBindings/r", 3, "services/iam.edgelq.com"),
        ("services/iam.edgelq.com/roleBindings/-", 3, "services/iam.edgelq.com"),
        ("services/-/roleBindings/-", 3, "services/-"),
        ("services/-/roleBindings/r", 3, "services/-"),
    ] {
        let name = kind.parse(text).unwrap();
        assert_eq!(*name.pattern(), kind.0[index], "{text}");
        assert_eq!(name.parent().map_or(String::new(), |it| it.to_string()), parent);
        let read = kind.parse_parent(parent).unwrap();
        assert_eq!((read.as_str(), read.child_pattern()), (parent, &kind.0[index]), "{text}");
        assert_eq!(read.child(name.last_id()).unwrap(), name);
        assert!(read.contains(&name));
        assert_eq!(name.is_wildcard(), text.contains('-'), "{text}");
    }
}

#[test]
fn a_wildcard_covers_all_ids_of_its_place_and_no_other_collection() {
    let kind = patterns(ROLE_BINDINGS);
    let one = kind.parse("services/iam.edgelq.com/roleBindings/r").unwrap();
    for (text, expected) in [
        ("services/iam.edgelq.com/roleBindings/-", true),
        ("services/-/roleBindings/-", true),
        ("services/-/roleBindings/r", true),
        ("services/-/roleBindings/s", false),
        ("services/other.com/roleBindings/-", false),
        ("projects/-/roleBindings/-", false),
        ("roleBindings/-", false),
    ] {
        let name = kind.parse(text).unwrap();
        assert_eq!(name.matches(&one), expected, "{text}");
        assert!(!one.matches(&name), "{text}");
    }
    assert!(kind.parse_parent("services/-").unwrap().contains(&one));
    assert!(!kind.parse_parent("projects/-").unwrap().contains(&one));
    assert!(!kind.parse_parent("").unwrap().contains(&one));
    let other = patterns("services/{service}/roles/{role}").parse("services/iam.edgelq.com/roles/r").unwrap();
    assert!(!kind.parse_parent("services/-").unwrap().contains(&other));
}

#[test]
fn patterns_are_written_as_text_regular_expression_and_path() {
    for (text, regex, http) in [
        (
            "regions/{region}/someNames/{some_name}",
            r"^regions/(?P<region_id>-|[a-z][a-z0-9\-]{0,28}[a-z0-9])/someNames/(?P<some_name_id>-|[\w][\w.-]{0,127})$",
            "regions/*/someNames/*",
        ),
        (
            "projects/{project}/limits/{limit}",
            r"^projects/(?P<project_id>-|[\w][\w.-]{0,127})/limits/(?P<limit_id>-|[a-zA-Z0-9-]{1,128}\/[a-zA-Z0-9-.]{1,128}\/[a-zA-Z]{1,128})$",
            "projects/*/limits/*",
        ),
        (
            "topics/{topic}/messages/{message}/comments/{comment}",
            r"^topics/(?P<topic_id>-|[\w][\w.-]{0,127})/messages/(?P<message_id>-|[\w][\w.-]{0,127})/comments/(?P<comment_id>-|[\w][\w.-]{0,127})$",
            "topics/*/messages/*/comments/*",
        ),
    ] {
        let pattern = pattern(text);
        assert_eq!((pattern.text(), &*pattern.regex_text(), &*pattern.http()), (text, regex, http));
    }
}

#[test]
fn ids_are_found_by_their_variables() {
    let kind = patterns("projects/{project}/regions/{region}/sites/{site}");
    let name = kind.parse("projects/p/regions/eu/sites/s").unwrap();
    assert_eq!(name.ids().collect::<Vec<_>>(), ["p", "eu", "s"]);
    assert_eq!((name.id("region"), name.id("bucket"), name.last_id()), (Some("eu"), None, "s"));
    assert_eq!((name.id_part("project_id"), name.id_part("project")), (Some("p"), None));
    let parts: Vec<_> = name.id_parts().map(|(part, id)| format!("{part}={id}")).collect();
    assert_eq!(parts, ["project_id=p", "region_id=eu", "site_id=s"]);
    assert_eq!(name.prefix(1).unwrap().as_str(), "projects/p");
    assert_eq!(name.prefix(3), Some(name.clone()));
    assert_eq!((name.prefix(0), name.prefix(4)), (None, None));
    assert_eq!(name.with_id("region", "us").unwrap().as_str(), "projects/p/regions/us/sites/s");
    assert_eq!(name.with_id("region", "US").unwrap_err().code(), "names/id");
    assert_eq!(name.with_id("zone", "us").unwrap_err().code(), "names/variable");
}

#[test]
fn ids_with_slashes_are_as_long_as_they_can_be() {
    fn check(kind: &str, text: &str, expected: &[&str]) {
        let name = patterns(kind).parse(text).unwrap();
        assert_eq!(name.ids().collect::<Vec<_>>(), expected, "{text}");
        assert_eq!(name.as_str(), text);
    }
    check("limits/{limit}", "limits/a/b.c/D", &["a/b.c/D"]);
    check("logs/{log}", "logs/a/logs/b", &["a/logs/b"]);
    check("buckets/{bucket}/logs/{log}", "buckets/a/b/logs/c/d", &["a/b", "c/d"]);
    check("buckets/{bucket}/logs/{log}", "buckets/a/logs/b/logs/c", &["a/logs/b", "c"]);
    // The wildcard is the first alternative of each id.
    check("buckets/{bucket}/logs/{log}", "buckets/-/logs/b/logs/c", &["-", "b/logs/c"]);
    check("buckets/{bucket}/things/{thing}", "buckets/a//things/b/things/c", &["a//things/b", "c"]);
    check("anythings/{anything}/things/{thing}", "anythings/é\0/ /things/c", &["é\0/ ", "c"]);
    check("either/{either}/b/{thing}", "either/a/b/b/c", &["a/b", "c"]);
    check("either/{either}/b/{thing}", "either/a/b/c", &["a", "c"]);
    check("optional/{optional}/b/{thing}", "optional//b/c", &["", "c"]);
}

#[test]
fn ids_that_are_read_differently_make_no_name() {
    let pattern = pattern("buckets/{bucket}/logs/{log}");
    let error = pattern.name(&["ab", "c/logs/d"]).unwrap_err();
    assert_eq!(error.code(), "names/ambiguous");
    assert_eq!(error.to_string(), "the name would be read as bucket=ab/logs/c, log=d");
    assert_eq!(pattern.name(&["ab/logs/c", "d"]).unwrap().as_str(), "buckets/ab/logs/c/logs/d");
    assert_eq!(pattern.name(&["ab"]).unwrap_err().code(), "names/id-count");
    let bad = pattern.name(&["ab", "c d"]).unwrap_err();
    assert_eq!((bad.code(), bad.at()), ("names/id", "buckets/ab/logs/c".len()));
    let kind = patterns("logs/{log} logs/{log}/parts/{part}");
    assert_eq!(kind.name(1, &["a", "b"]).unwrap_err().code(), "names/ambiguous");
    assert_eq!(kind.name(0, &["a/parts/b"]).unwrap().as_str(), "logs/a/parts/b");
}

#[test]
fn patterns_with_equal_collections_are_ambiguous() {
    let kind = patterns("as/{a} as/{b} bs/{b}/as/{a} cs/{c} as/{c}");
    assert_eq!(kind.ambiguous(), [(0, 1), (0, 4), (1, 4)]);
    assert!(!kind.0[0].has_collections_of(&kind.0[2]));
}

#[test]
fn slashes_above_the_last_id_are_reported() {
    let slash = |text: &str| pattern(text).slash_above().map(|it| it.variable.to_string());
    assert_eq!(slash("projects/{project}/buckets/{bucket}/logs/{log}").as_deref(), Some("bucket"));
    assert_eq!(slash("projects/{project}/buckets/{bucket}"), None);
}

#[test]
fn names_are_equal_by_their_text_and_ids() {
    let own = pattern("projects/{project}").parse("projects/p").unwrap();
    let other = Pattern::new(vec![Segment::new("projects", "project_id", IdPattern::region())]).unwrap();
    let short = other.parse("projects/pp").unwrap();
    assert_ne!(own, short);
    assert_eq!(pattern("projects/{project}").parse("projects/pp"), Some(short));
    let split = |text: &str| pattern(text).parse("logs/ab/logs/c").unwrap();
    let (whole, parts): (Name, Name) = (split("logs/{log}"), split("logs/{bucket}/logs/{log}"));
    assert_ne!(whole, parts);
    assert!(!whole.matches(&parts));
}

#[test]
fn segments_that_make_no_pattern_are_refused() {
    fn check(text: &str, code: &str) {
        let error = Pattern::of_text(text, |_| IdPattern::region()).unwrap_err();
        assert_eq!(error.code(), code, "{text}");
        assert!(!error.to_string().contains('\n') && !error.help().is_empty());
    }
    check("", "names/pattern-text");
    check("projects", "names/pattern-text");
    check("projects/project", "names/pattern-text");
    check("projects/{project}/", "names/pattern-text");
    check("/{project}", "names/pattern-collection");
    check("pro.jects/{project}", "names/pattern-collection");
    check("projects/{}", "names/pattern-variable");
    check("projects/{a-b}", "names/pattern-variable");
    check("projects/{a}/projects/{a}", "names/pattern-duplicate-variable");
    assert_eq!(Pattern::new(Vec::new()).unwrap_err().code(), "names/pattern-empty");
}
