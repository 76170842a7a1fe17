//! Policies from files: who may do what, and what is wrong with a file.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Severity, Source, Sources, Span};
use planloom_authorization::{Known, Policy, Role, TokenDigest, TokenSource, read as read_policy};
use proptest::prelude::*;
use syntax::{Limits, parse};

const SERVICE: &str = "services/library.example.com";

fn full(permission: &str) -> Arc<str> {
    format!("{SERVICE}/permissions/{permission}").into()
}

fn known() -> Known<'static> {
    let permissions = ["books.get", "books.list", "books.create", "publishers.list"].map(full);
    let other = Arc::from("services/shop.example.com/permissions/publishers.list");
    let viewer = Role { permissions: [full("books.get"), full("books.list")].into() };
    Known {
        permissions: permissions.into_iter().chain([other]).collect(),
        roles: BTreeMap::from([(format!("{SERVICE}/roles/library-viewer").into(), viewer)]),
        is_name: Some(&|it| it.starts_with("publishers/") && !it.contains('-')),
    }
}

/// The policy, and its mistakes with their lines.
fn policy(text: &str) -> (Policy, Vec<String>) {
    let mut sources = Sources::new();
    let file = sources.add(Source::new("access.yaml", text));
    let parsed = parse(file, text, &Limits::default());
    let (policy, found) = read_policy(&parsed.document, Span::at(file, 0), &known());
    let told = parsed.diagnostics.iter().chain(&found).map(|it| {
        let line = it.span.and_then(|span| sources.locate(span)).map_or(0, |(_, at)| at.line);
        let level = if it.severity == Severity::Error { "" } else { " (warning)" };
        format!("{line}: {}{level}: {}", it.code.as_str(), it.message)
    });
    (policy, told.collect())
}

const POLICY: &str = "\
users:
- {name: alice, tokenVariable: ALICE_TOKEN}
- {name: bob, tokenSha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
roles:
- name: lister
  permissions: [books.list]
  grants: [{permissions: [services/shop.example.com/permissions/publishers.list]}]
bindings:
- {role: library-viewer, members: [alice], scope: publishers/1}
- {role: lister, members: [alice, bob]}
";

#[test]
fn a_permission_holds_in_the_scope_of_its_binding_and_below() {
    let (policy, mistakes) = policy(POLICY);
    assert_eq!(mistakes, Vec::<String>::new());
    let matrix = [
        ("alice", "books.get", "publishers/1", true),
        ("alice", "books.get", "publishers/1/books/2", true),
        ("alice", "books.get", "publishers/10/books/2", false),
        ("alice", "books.get", "publishers/-", false),
        ("alice", "books.get", "", false),
        ("alice", "books.list", "", true),
        ("alice", "books.list", "publishers/-", true),
        ("alice", "books.create", "publishers/1", false),
        ("bob", "books.get", "publishers/1", false),
        ("bob", "books.list", "publishers/7", true),
        ("carol", "books.list", "publishers/1", false),
        ("", "books.list", "", false),
    ];
    for (user, permission, resource, expected) in matrix {
        let allowed = policy.allows(user, &full(permission), resource);
        assert_eq!(allowed, expected, "{user} {permission} {resource}");
    }
    assert!(policy.allows("bob", "services/shop.example.com/permissions/publishers.list", ""));
    assert!(!policy.allows("bob", &full("publishers.list"), ""), "that of another service");
    assert!(!policy.allows("bob", "books.list", ""), "permissions are in full");
}

#[test]
fn a_token_is_known_by_its_digest() {
    let (policy, _) = policy(POLICY);
    let digest = TokenDigest::of("test");
    assert_eq!(policy.users[1].token, TokenSource::Digest(digest));
    assert_eq!(policy.users[0].token, TokenSource::Variable("ALICE_TOKEN".into()));
    assert_ne!(digest, TokenDigest::of("test "));
    assert!(!format!("{policy:?}").contains("9f86"), "digests are not shown");
}

#[test]
fn mistakes_have_their_place_and_grant_nothing() {
    let (read, mistakes) = policy(
        "users:
- {name: alice, tokenSha256: a12}
- {name: gina, tokenSha256: 12}
- {name: bob}
- {name: carol, tokenVariable: A, tokenSha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
- {name: dave, tokenVariable: B}
- {name: dave, tokenVariable: C}
- {name: erin, tokenSha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
- {name: frank, tokenSha256: 9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08}
roles:
- {name: reader, permissions: [book.get, publishers.list]}
- {permissions: books.get}
bindings:
- {role: readers, members: [dave]}
- {role: library-viewer, members: [dav], scope: publishers/-}
- {role: reader, member: [dave]}
- [reader]
- {role: library-viewer, members: [dave], scope: }
- {role: library-viewer, members: [dave], scope: ''}
- {role: library-viewer, members: }
- {role: , members: ['']}
",
    );
    let expected = [
        "2: access-policy/token: `tokenSha256` has 64 hexadecimal digits",
        "3: access-policy/type: `tokenSha256` takes a text, not a whole number",
        "4: access-policy/missing-key: a user has no token",
        "5: access-policy/token: a user has one token, and this one has two",
        "7: access-policy/duplicate: the user `dave` is written twice",
        "9: access-policy/duplicate: the user `frank` has the same token as `erin`",
        "11: access-policy/unknown-permission: no served service has the permission `book.get`",
        "11: access-policy/unknown-permission: several services have a permission `publishers.list`",
        "12: access-policy/missing-key: a role has no `name`",
        "14: access-policy/unknown-role: there is no role `readers`",
        "15: access-policy/unknown-user: there is no user `dav`",
        "15: access-policy/scope: `publishers/-` is not the name of a resource of the served services",
        "16: access-policy/unknown-key: a binding has no key `member`",
        "17: access-policy/type: a binding is a map, not a list",
        "18: access-policy/type: `scope` has no value",
        "19: access-policy/type: `scope` has an empty text",
        "20: access-policy/type: `members` has no value",
        "21: access-policy/type: `role` has no value",
        "21: access-policy/type: `members` has an empty text",
        "7: access-policy/unused (warning): the user `dave` has no role, and may do nothing",
        "8: access-policy/unused (warning): the user `erin` has no role, and may do nothing",
        "9: access-policy/unused (warning): the user `frank` has no role, and may do nothing",
    ];
    assert_eq!(mistakes, expected);
    for permission in &known().permissions {
        assert!(!read.allows("dave", permission, "publishers/1"), "{permission}");
    }
}

#[test]
fn a_user_whose_token_cannot_be_read_is_declared_and_may_do_nothing() {
    let text = "users:
- {name: mia, token: abc}
bindings:
- {role: library-viewer, members: [mia]}
";
    let (read, mistakes) = policy(text);
    let expected = [
        "2: access-policy/unknown-key: a user has no key `token`",
        "2: access-policy/missing-key: a user has no token",
    ];
    assert_eq!(mistakes, expected);
    assert!(!read.allows("mia", &full("books.get"), "publishers/1"));
    let document = parse(diag::FileId(0), text, &Limits::default()).document;
    let (_, found) = read_policy(&document, Span::at(diag::FileId(0), 0), &known());
    let help = found.iter().filter_map(|it| it.help.as_deref()).collect::<Vec<_>>().join("\n");
    for key in ["tokenSha256", "tokenVariable"] {
        assert_eq!(help.matches(key).count(), 2, "{key} in both: {help}");
    }
}

#[test]
fn what_is_wrong_with_tokens_and_absent_values_says_what_to_do() {
    let text = "users:
- {name: ann, tokenVariable: A}
- {name: ben, tokenVariable: A}
- {name: cat, tokenSha256: }
roles:
- {name: reader, permissions: }
- {name: writer, grants: [{permissions: }]}
bindings:
- {role: library-viewer, members: [ann, ben], scope: }
";
    let (read, mistakes) = policy(text);
    let expected = [
        "3: access-policy/duplicate: the user `ben` has the same token as `ann`",
        "4: access-policy/type: `tokenSha256` has no value",
        "6: access-policy/type: `permissions` has no value",
        "7: access-policy/type: `permissions` has no value",
        "9: access-policy/type: `scope` has no value",
        "2: access-policy/unused (warning): the user `ann` has no role, and may do nothing",
        "3: access-policy/unused (warning): the user `ben` has no role, and may do nothing",
    ];
    assert_eq!(mistakes, expected);
    assert!(!read.allows("ann", &full("books.get"), ""), "nothing is bound to the whole service");
    let document = parse(diag::FileId(0), text, &Limits::default()).document;
    let (_, found) = read_policy(&document, Span::at(diag::FileId(0), 0), &known());
    let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
    assert_eq!(helps[4], "write the name of a resource, or remove the key for the whole service");
    let first = found.first().and_then(|it| it.related.first()).map(|it| it.span.start as usize);
    assert_eq!(first, text.find("A}"), "the first user with that token");
}

#[test]
fn names_of_users_have_no_control_characters() {
    let users = |name: &str| {
        let text = format!(
            "users: [{{name: \"{name}\", tokenVariable: A}}]\nbindings:\n- {{role: library-viewer, members: [\"{name}\"]}}\n"
        );
        policy(&text).1
    };
    for name in
        [r"ann\0", r"ann\nbob", r"\rann", r"an\tn", r"\e[2Jann", r"ann\x7f", r"ann\x85", r"ann\u009b1m"]
    {
        let message = "the name of a user has a control character in it, which logs would not show as it is";
        assert_eq!(users(name), [format!("1: access-policy/name: {message}")], "{name}");
    }
    for name in ["ann", "Ann B.", "ann@example.com", "ænne", r"\U0001F600"] {
        assert_eq!(users(name), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn an_empty_policy_is_a_mistake_and_allows_nothing() {
    let (read, mistakes) = policy("");
    assert_eq!(mistakes, ["1: access-policy/empty: the access policy is empty"]);
    assert!(!read.allows("alice", &full("books.get"), ""));
}

proptest! {
    /// Whatever a text is: reading it ends, and without a user that it names nothing is allowed.
    #[test]
    fn no_text_grants_anything_to_strangers(text in "(users|roles|bindings|role|members|scope|name|-|:|\\[|\\]|\\{|\\}|,|\n| |[a-z]){0,60}") {
        let (read, _) = policy(&text);
        for permission in &known().permissions {
            prop_assert!(!read.allows("stranger!", permission, ""));
        }
    }

    /// A permission in a resource holds in all resources below it.
    #[test]
    fn scopes_reach_down(ids in proptest::collection::vec("[a-c]{1,2}", 1..4), more in "[a-c]{1,2}") {
        let (policy, _) = policy(POLICY);
        let name = ids.iter().map(|it| format!("publishers/{it}")).collect::<Vec<_>>().join("/");
        let below = format!("{name}/books/{more}");
        let allowed = |name: &str| policy.allows("alice", &full("books.get"), name);
        prop_assert!(!allowed(&name) || allowed(&below));
    }
}

#[test]
fn the_digest_of_an_empty_token_is_worth_a_warning() {
    let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    let text = POLICY.replace("9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", empty);
    let (read, mistakes) = policy(&text);
    assert_eq!(mistakes, ["3: access-policy/token (warning): this is the digest of an empty token"]);
    assert_eq!(read.users.len(), 2);
}
