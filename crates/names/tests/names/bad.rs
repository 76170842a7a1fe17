//! Texts that are no names: the code and the byte.

use planloom_names::{MAX_NAME, NameError, Patterns};

use crate::support::patterns;

const SECRETS: &str =
    "projects/{project}/secrets/{secret} projects/{project}/regions/{region}/secrets/{secret}";
const LOGS: &str = "projects/{project}/logs/{log} projects/{project}/buckets/{bucket}/logs/{log}";

fn error(kind: &Patterns, text: &str, code: &str, at: usize) -> NameError {
    let error = kind.parse(text).unwrap_err();
    assert_eq!((error.code(), error.at()), (code, at), "{}: {error}", text.escape_debug());
    let (message, help) = (error.to_string(), error.help());
    let is_line = |it: &str| !it.contains('\n') && !it.contains('\0') && !it.ends_with('.') && it.len() < 700;
    assert!(is_line(&message) && is_line(&help), "{message}: {help}");
    assert_eq!(error.patterns(), kind.0);
    error
}

fn check(kind: &str, text: &str, code: &str, at: usize, message: &str) {
    let error = error(&patterns(kind), text, code, at);
    assert_eq!(error.to_string(), message);
}

#[test]
fn what_does_not_follow_a_pattern_is_wrong_where_it_leaves_it() {
    check(SECRETS, "", "names/empty", 0, "the resource name is empty");
    check(SECRETS, "foo", "names/collection", 0, "`foo` is not a collection here, `projects` is");
    check(SECRETS, "projects", "names/incomplete", 8, "the resource name ends before `{project}`");
    check(SECRETS, "projects/p", "names/incomplete", 10, "the resource name ends before `secrets/{secret}`");
    check(SECRETS, "projects/p/secrets", "names/incomplete", 18, "the resource name ends before `{secret}`");
    check(
        SECRETS,
        "projects/p/topics/t",
        "names/collection",
        11,
        "`topics` is not a collection here, `secrets` or `regions` is",
    );
    check(
        SECRETS,
        "projects/p/regions/eu/secret/s",
        "names/collection",
        22,
        "`secret` is not a collection here, `secrets` is",
    );
    check(
        SECRETS,
        "projects/p/secrets/s/versions/1",
        "names/surplus",
        21,
        "`versions/1` is more than the resource name has",
    );
    check(
        SECRETS,
        "//secrets.edgelq.com/projects/p/secrets/s",
        "names/empty-segment",
        0,
        "a part of the resource name is empty",
    );
}

#[test]
fn slashes_are_only_between_what_is_there() {
    check(SECRETS, "/", "names/empty-segment", 0, "a part of the resource name is empty");
    check(SECRETS, "/projects/p", "names/empty-segment", 0, "a part of the resource name is empty");
    check(SECRETS, "projects//secrets/s", "names/empty-segment", 9, "a part of the resource name is empty");
    check(SECRETS, "projects/p//s", "names/empty-segment", 11, "a part of the resource name is empty");
    check(
        SECRETS,
        "projects/p/secrets//s",
        "names/empty-segment",
        19,
        "a part of the resource name is empty",
    );
    check(SECRETS, "projects/", "names/trailing-slash", 8, "the resource name ends with a slash");
    check(SECRETS, "projects/p/", "names/trailing-slash", 10, "the resource name ends with a slash");
    check(
        SECRETS,
        "projects/p/secrets/s/",
        "names/trailing-slash",
        20,
        "the resource name ends with a slash",
    );
    check(
        "limits/{limit}",
        "limits/a/b/c/",
        "names/trailing-slash",
        12,
        "the resource name ends with a slash",
    );
    check(LOGS, "projects/p/logs/", "names/trailing-slash", 15, "the resource name ends with a slash");
}

#[test]
fn ids_are_wrong_at_the_first_character_that_cannot_be_there() {
    let secret =
        |id: &str| format!("`{id}` is not an id of `secret`: it does not match `[\\w][\\w.-]{{0,127}}`");
    check(SECRETS, "projects/p/secrets/.s", "names/id", 19, &secret(".s"));
    check(SECRETS, "projects/p/secrets/s t", "names/id", 20, &secret("s t"));
    check(SECRETS, "projects/p/secrets/sé", "names/id", 20, &secret("sé"));
    check(SECRETS, "projects/p/secrets/s\0", "names/id", 20, &secret("s\\0"));
    check(SECRETS, "projects/p/secrets/s\n", "names/id", 20, &secret("s\\n"));
    check(SECRETS, "projects/\u{202e}p/secrets/s", "names/id", 9, {
        "`\\u{202e}p` is not an id of `project`: it does not match `[\\w][\\w.-]{0,127}`"
    });
    let region = |id: &str| {
        format!("`{id}` is not an id of `region`: it does not match `[a-z][a-z0-9\\-]{{0,28}}[a-z0-9]`")
    };
    check(SECRETS, "projects/p/regions/e/secrets/s", "names/id", 20, &region("e"));
    check(SECRETS, "projects/p/regions/eu-/secrets/s", "names/id", 22, &region("eu-"));
    check(SECRETS, "projects/p/regions/eU/secrets/s", "names/id", 20, &region("eU"));
    check(LOGS, "projects/p/buckets/b/logs/c", "names/id", 20, {
        "`b` is not an id of `bucket`: it does not match `[\\w./-]{2,128}`"
    });
    check(LOGS, "projects/p/buckets/bb/logs/c d", "names/id", 28, {
        "`c d` is not an id of `log`: it does not match `[\\w./-=+]{1,128}`"
    });
    check(
        LOGS,
        "projects/p/buckets/bb",
        "names/incomplete",
        21,
        "the resource name ends before `logs/{log}`",
    );
    check("anchored/{anchored}", "anchored/x", "names/no-match", 0, {
        "the resource name does not match `^anchored/(?P<anchored_id>-|^x$)$`"
    });
}

#[test]
fn long_names_are_refused_in_a_short_message() {
    let kind = patterns(SECRETS);
    let with_id = |length: usize| format!("projects/p/secrets/{}", "s".repeat(length));
    kind.parse(&with_id(128)).unwrap();
    error(&kind, &with_id(129), "names/id", 19 + 128);
    error(&kind, &with_id(1 << 20), "names/too-long", MAX_NAME);
    error(&kind, &"é".repeat(1 << 19), "names/too-long", MAX_NAME);
    error(&kind, &"projects/p/".repeat(1_000), "names/collection", 11);
    let unbounded = patterns("all/{unbounded}");
    unbounded.parse(&format!("all/{}", "s".repeat(MAX_NAME - 4))).unwrap();
    error(&unbounded, &format!("all/{}", "s".repeat(MAX_NAME - 3)), "names/too-long", MAX_NAME);
    let any = patterns("anythings/{anything}");
    error(&any, &format!("anythings/{}", "é".repeat(513)), "names/id", 10);
    any.parse(&format!("anythings/{}", "é".repeat(512))).unwrap();
}

#[test]
fn wildcards_are_refused_where_one_resource_is_meant() {
    let kind = patterns(SECRETS);
    for (text, at) in [("projects/-/secrets/-", 9), ("projects/p/secrets/-", 19)] {
        let error = kind.parse_concrete(text).unwrap_err();
        assert_eq!((error.code(), error.at()), ("names/wildcard", at));
        assert_eq!(error.to_string(), "the wildcard `-` is not allowed here");
        kind.parse(text).unwrap();
    }
    assert_eq!(kind.parse_concrete("projects/p-/secrets/s").unwrap().last_id(), "s");
    assert_eq!(kind.parse_concrete("projects/p").unwrap_err().code(), "names/incomplete");
}

#[test]
fn parents_are_wrong_as_names_are() {
    fn check(kind: &str, text: &str, code: &str, at: usize) {
        let error = patterns(kind).parse_parent(text).unwrap_err();
        assert_eq!((error.code(), error.at()), (code, at), "{text}: {error}");
    }
    check(SECRETS, "", "names/empty", 0);
    check(SECRETS, "projects/p/secrets/s", "names/surplus", 11);
    check(SECRETS, "projects/p/regions/EU", "names/id", 19);
    check("projects/{project}", "projects/p", "names/surplus", 0);
    assert!(patterns("projects/{project}").parse_parent("").unwrap().name().is_none());
    check("", "", "names/empty", 0);
    let empty = Patterns::default().parse("a/b").unwrap_err();
    assert_eq!((empty.code(), empty.help().is_empty()), ("names/surplus", false));
}
