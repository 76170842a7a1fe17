//! The permissions of callers by an access policy: for methods by the resource or the parent that a request names, and for
//! fields that need permissions of their own.

use std::{
    collections::BTreeSet,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll, Waker},
};

use authorization::{Binding, Policy, Role, Scope};
use http::Request;
use planloom_api::{Api, Caller, Reply};
use serde_json::{Value, json};

use crate::{requests::build, versions::build as build_versions};

const VAULT: &str = "
name: vault.example.com
proto: {package: {name: example.vault, currentVersion: v1}}
resources:
- name: Project
- name: Secret
  parents: [Project]
  optIns: {searchable: true}
  fields:
  - {path: title, type: string}
  - {path: data, type: string}
  - {path: verified, type: bool}
  authChecks:
    readChecks: [{permission: secrets.sensitiveData, paths: [data]}]
    setChecks: [{permission: secrets.verify, paths: [verified]}]
  actions:
  - name: RotateSecret
    verb: rotate
    withStoreHandle: {transaction: SNAPSHOT}
";

const READ: [&str; 6] =
    ["secrets.get", "secrets.batchGet", "secrets.list", "secrets.search", "secrets.watch", "projects.get"];
const WRITE: [&str; 5] =
    ["secrets.create", "secrets.update", "secrets.delete", "secrets.rotate", "projects.create"];

/// `root` may do everything, `reader` may read in `projects/one` but no data, `writer` may write there too, `outsider` is
/// known and has no role.
fn policy() -> Policy {
    let of = |all: &[&str]| Role { permissions: all.iter().map(|it| full(it)).collect() };
    let all: Vec<&str> =
        READ.into_iter().chain(WRITE).chain(["secrets.sensitiveData", "secrets.verify"]).collect();
    let writing: Vec<&str> = READ.into_iter().chain(WRITE).collect();
    let roles = [("owner", of(&all)), ("reader", of(&READ)), ("writer", of(&writing))];
    let binding = |role: &str, user: &str, scope: Scope| Binding {
        role: role.into(),
        members: BTreeSet::from([Arc::from(user)]),
        scope,
    };
    let one = || Scope::resource("projects/one");
    Policy {
        users: Vec::new(),
        roles: roles.into_iter().map(|(name, role)| (name.into(), role)).collect(),
        bindings: vec![
            binding("owner", "root", Scope::everywhere()),
            binding("reader", "reader", one()),
            binding("writer", "writer", one()),
        ],
    }
}

fn full(permission: &str) -> Arc<str> {
    format!("services/vault.example.com/permissions/{permission}").into()
}

/// An API with two projects, and a secret in each.
fn vault() -> Rc<Api> {
    let api = Rc::new(build(VAULT).with_policy(Rc::new(policy())));
    for project in ["one", "two"] {
        let path = format!("POST /v1/projects/{project}/secrets");
        assert_eq!(
            send(&api, "root", "POST /v1/projects", &json!({"name": format!("projects/{project}")})).0,
            200
        );
        let secret =
            json!({"name": format!("projects/{project}/secrets/key"), "title": "a key", "data": "shh"});
        assert_eq!(send(&api, "root", &path, &secret).0, 200);
    }
    api
}

/// Status and body of the response to a user; an empty name stands for no user.
fn send(api: &Rc<Api>, user: &str, request: &str, body: &Value) -> (u16, Value) {
    let (method, path) = request.split_once(' ').expect("a method and a path");
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    let mut request = Request::builder().method(method).uri(path).body(body).expect("a request");
    if !user.is_empty() {
        request.extensions_mut().insert(Caller { user: user.into() });
    }
    match api.answer(request) {
        Reply::Whole(response) => {
            (response.status().as_u16(), serde_json::from_slice(response.body()).unwrap_or_default())
        }
        Reply::Stream(response) => (response.status().as_u16(), json!("a stream")),
        Reply::Long(_) | Reply::Later(_) => panic!("no hook is registered, and nothing is long"),
    }
}

#[test]
fn what_one_version_checks_holds_in_the_other() {
    let checks = VAULT.find("  authChecks").expect("checks")..VAULT.find("  actions").expect("actions");
    let (older, newer) = (VAULT.replace(&VAULT[checks], ""), VAULT.replace("v1", "v2"));
    let api = Rc::new(build_versions(&[&older, &newer]).with_policy(Rc::new(policy())));
    assert_eq!(send(&api, "root", "POST /v2/projects", &json!({"name": "projects/one"})).0, 200);
    let secret = json!({"name": "projects/one/secrets/key", "title": "a key", "data": "shh"});
    assert_eq!(send(&api, "root", "POST /v1/projects/one/secrets", &secret).0, 200);
    for version in ["v1", "v2"] {
        let path = format!("/{version}/projects/one/secrets");
        let data = |user: &str| send(&api, user, &format!("GET {path}/key"), &Value::Null).1["data"].clone();
        assert_eq!((data("root"), data("reader")), (json!("shh"), Value::Null), "{version}");
        let filtered = send(&api, "reader", &format!("GET {path}?filter=data%3Dshh"), &Value::Null);
        assert_eq!(filtered.0, 403, "{version}");
        let verified = send(&api, "writer", &format!("PUT {path}/key"), &json!({"verified": true}));
        assert_eq!(verified.0, 403, "{version}");
    }
}

/// A watch was permitted by the former policy: it ends before it sends anything that the next one may not allow.
#[test]
fn another_policy_is_in_force_at_once_and_ends_watches() {
    let api = vault();
    let mut request = Request::post("/v1/projects/one/secrets:watch").body(Vec::new()).expect("a request");
    request.extensions_mut().insert(Caller { user: "reader".into() });
    let Reply::Stream(response) = api.answer(request) else { panic!("the reader may watch") };
    let (mut stream, mut context) = (response.into_body(), Context::from_waker(Waker::noop()));
    let mut poll = || stream.as_mut().poll_next(&mut context);
    while let Poll::Ready(message) = poll() {
        assert!(message.is_some(), "it goes on");
    }
    let update = || send(&api, "root", "PUT /v1/projects/one/secrets/key", &json!({"title": "new"}));
    assert_eq!(update().0, 200);
    assert!(matches!(poll(), Poll::Ready(Some(_))), "the change is sent");
    let get = |user: &str| send(&api, user, "GET /v1/projects/one/secrets/key", &Value::Null).0;
    assert_eq!(get("reader"), 200);
    let mut next = policy();
    next.bindings.retain(|it| &*it.role != "reader");
    api.set_policy(Rc::new(next));
    assert_eq!((get("reader"), get("writer")), (403, 200));
    assert_eq!(update().0, 200);
    assert_eq!(poll(), Poll::Ready(None));
    assert_eq!(send(&api, "reader", "POST /v1/projects/one/secrets:watch", &Value::Null).0, 403);
}

#[test]
fn a_request_needs_the_permission_for_what_it_names() {
    let api = vault();
    // Each request with the status for nobody, outsider, reader, writer and root.
    let secret = json!({"title": "another"});
    let rows: [(&str, Value, [u16; 5]); 17] = [
        ("GET /v1/projects/one/secrets/key", Value::Null, [401, 403, 200, 200, 200]),
        ("GET /v1/projects/two/secrets/key", Value::Null, [401, 403, 403, 403, 200]),
        ("GET /v1/projects/one/secrets/none", Value::Null, [401, 403, 404, 404, 404]),
        ("GET /v1/projects/two/secrets/none", Value::Null, [401, 403, 403, 403, 404]),
        ("GET /v1/projects/one/secrets", Value::Null, [401, 403, 200, 200, 200]),
        ("GET /v1/projects/two/secrets", Value::Null, [401, 403, 403, 403, 200]),
        ("GET /v1/projects/-/secrets", Value::Null, [401, 403, 403, 403, 200]),
        ("GET /v1/projects/one/secrets:search?phrase=key", Value::Null, [401, 403, 200, 200, 200]),
        ("GET /v1/secrets:batchGet?names=projects/one/secrets/key", Value::Null, [401, 403, 200, 200, 200]),
        (
            "GET /v1/secrets:batchGet?names=projects/one/secrets/key&names=projects/two/secrets/key",
            Value::Null,
            [401, 403, 403, 403, 200],
        ),
        ("POST /v1/projects/one/secrets:watch", Value::Null, [401, 403, 200, 200, 200]),
        ("POST /v1/projects/two/secrets:watch", Value::Null, [401, 403, 403, 403, 200]),
        ("POST /v1/projects/one/secrets", secret.clone(), [401, 403, 403, 200, 200]),
        ("POST /v1/projects/two/secrets", secret.clone(), [401, 403, 403, 403, 200]),
        ("PUT /v1/projects/one/secrets/key", secret.clone(), [401, 403, 403, 200, 200]),
        ("POST /v1/projects/one/secrets/key:rotate", json!({}), [401, 403, 403, 501, 501]),
        ("DELETE /v1/projects/two/secrets/key", Value::Null, [401, 403, 403, 403, 200]),
    ];
    for (request, body, expected) in rows {
        for (user, expected) in ["", "outsider", "reader", "writer", "root"].into_iter().zip(expected) {
            let (status, answer) = send(&api, user, request, &body);
            assert_eq!(status, expected, "{user}: {request}: {answer}");
        }
    }
}

#[test]
fn a_refusal_says_which_permission_is_missing_where() {
    let (_, problem) = send(&vault(), "reader", "DELETE /v1/projects/one/secrets/key", &Value::Null);
    let expected = json!({
        "status": 403, "title": "The permission is missing", "code": "permission_denied",
        "detail": "`reader` has no role with the permission `secrets.delete` for `projects/one/secrets/key`",
        "violations": [{
            "field": "projects/one/secrets/key", "code": "api/permission", "message": "`secrets.delete` is missing",
            "help": "ask for a role with this permission, in this scope or above it",
        }],
    });
    assert_eq!(problem, expected);
    let (_, problem) = send(&vault(), "reader", "GET /v1/projects", &Value::Null);
    let detail = "`reader` has no role with the permission `projects.list` for the root";
    assert_eq!(problem["detail"], detail);
}

#[test]
fn fields_that_need_a_permission_are_hidden_from_others() {
    let api = vault();
    let get = |user: &str| send(&api, user, "GET /v1/projects/one/secrets/key", &Value::Null).1;
    assert_eq!(get("root")["data"], "shh");
    assert_eq!((&get("reader")["title"], get("reader").get("data")), (&json!("a key"), None));
    let masked = "GET /v1/projects/one/secrets/key?fieldMask=data,title";
    assert_eq!(send(&api, "reader", masked, &Value::Null).1, json!({"title": "a key"}));
    let list = send(&api, "reader", "GET /v1/projects/one/secrets", &Value::Null).1;
    assert_eq!((&list["secrets"][0]["title"], list["secrets"][0].get("data")), (&json!("a key"), None));
    let several = "GET /v1/secrets:batchGet?names=projects/one/secrets/key";
    assert!(!send(&api, "reader", several, &Value::Null).1.to_string().contains("shh"));
    // Nor do conditions, searches and orders tell them.
    for (request, status) in [
        ("GET /v1/projects/one/secrets?filter=data%3D%22shh%22", 403),
        ("GET /v1/projects/one/secrets?filter=NOT%20(title%3D%22x%22%20AND%20data%20IS%20NULL)", 403),
        ("GET /v1/projects/one/secrets?orderBy=data", 403),
        ("GET /v1/projects/one/secrets?filter=title%3D%22a%20key%22", 200),
    ] {
        assert_eq!(send(&api, "reader", request, &Value::Null).0, status, "{request}");
        assert_eq!(send(&api, "root", request, &Value::Null).0, 200, "{request}");
    }
    let search = "GET /v1/projects/one/secrets:search?phrase=shh";
    assert_eq!(send(&api, "reader", search, &Value::Null).1["secrets"], json!([]));
    assert_eq!(send(&api, "root", search, &Value::Null).1["secrets"].as_array().map(Vec::len), Some(1));
    let cas = "PUT /v1/projects/one/secrets/key?cas=%7B%22conditionalState%22:%7B%22data%22:%22x%22%7D,%22fieldMask%22:%22data%22%7D";
    assert_eq!(send(&api, "writer", cas, &json!({"title": "t"})).0, 403);
}

#[test]
fn what_a_caller_cannot_see_survives_its_update() {
    let api = vault();
    let (status, shown) = send(&api, "writer", "PUT /v1/projects/one/secrets/key", &json!({"title": "new"}));
    assert_eq!((status, &shown["title"], shown.get("data")), (200, &json!("new"), None));
    let stored = send(&api, "root", "GET /v1/projects/one/secrets/key", &Value::Null).1;
    assert_eq!((&stored["title"], &stored["data"]), (&json!("new"), &json!("shh")));
    // Who sees it clears it by leaving it out.
    send(&api, "root", "PUT /v1/projects/one/secrets/key", &json!({"title": "new"}));
    let stored = send(&api, "root", "GET /v1/projects/one/secrets/key", &Value::Null).1;
    assert_eq!(stored.get("data").and_then(Value::as_str).unwrap_or_default(), "");
}

#[test]
fn fields_that_need_a_permission_are_set_by_who_has_it() {
    let api = vault();
    let verified = json!({"title": "t", "verified": true});
    let writes = ["POST /v1/projects/one/secrets", "PUT /v1/projects/one/secrets/key"];
    for request in writes {
        assert_eq!(send(&api, "writer", request, &verified).0, 403, "{request}");
        assert_eq!(send(&api, "root", request, &verified).0, 200, "{request}");
    }
    // To leave it as it is, or out, takes no permission; to take it away does.
    assert_eq!(send(&api, "writer", writes[1], &json!({"title": "u", "verified": true})).0, 200);
    let (status, kept) = send(&api, "writer", writes[1], &json!({"title": "u"}));
    assert_eq!((status, &kept["verified"]), (200, &json!(true)));
    let (status, problem) = send(&api, "writer", writes[1], &json!({"title": "u", "verified": false}));
    assert_eq!((status, &problem["violations"][0]["field"]), (403, &json!("#/verified")), "{problem}");
    assert_eq!(
        send(&api, "writer", "PUT /v1/projects/one/secrets/key?updateMask=title", &json!({"title": "v"})).0,
        200
    );
}

#[test]
fn conditions_and_refusals_tell_nothing_of_hidden_fields() {
    let api = vault();
    let cas = |mask: &str, state: &str| {
        let query = format!(r#"{{"conditionalState":{state},"fieldMask":"{mask}"}}"#);
        let query = query.replace('{', "%7B").replace('}', "%7D").replace('"', "%22");
        let path = format!("PUT /v1/projects/one/secrets/key?updateMask=title&cas={query}");
        send(&api, "writer", &path, &json!({"title": "t"})).0
    };
    assert_eq!((cas("*", r#"{"data":"shh"}"#), cas("*", r#"{"data":"x"}"#)), (403, 403), "right or wrong");
    assert_eq!(cas("title", r#"{"title":"a%20key"}"#), 200);
    assert_eq!(cas("", "{}"), 400);
}

#[test]
fn names_in_actions_are_names() {
    let api = vault();
    let request = |name: &str| format!("POST /v1/projects/one/secrets/{name}:rotate");
    assert_eq!(send(&api, "writer", &request("key"), &json!({})).0, 501, "only the hook is missing");
    for name in ["..%2F..%2Ftwo%2Fsecrets%2Fkey", "..", "a%20b"] {
        let status = send(&api, "writer", &request(name), &json!({})).0;
        assert!(matches!(status, 400 | 404), "{name}: {status}");
    }
}

#[test]
fn a_new_reference_needs_the_permission_to_attach() {
    let text = VAULT.replace(
        "  - {path: verified, type: bool}\n",
        "  - {path: verified, type: bool}\n  - {path: project, type: reference, resource: Project, targetDeleteBehavior: BLOCK}\n",
    );
    let mut policy = policy();
    policy.roles.get_mut("owner").expect("a role").permissions.insert(full("projects!attach"));
    let api = Rc::new(build(&text).with_policy(Rc::new(policy)));
    for project in ["one", "two"] {
        send(&api, "root", "POST /v1/projects", &json!({"name": format!("projects/{project}")}));
    }
    let create = "POST /v1/projects/one/secrets";
    let secret = json!({"name": "projects/one/secrets/key", "project": "projects/two"});
    let (status, problem) = send(&api, "writer", create, &secret);
    assert_eq!((status, &problem["violations"][0]["field"]), (403, &json!("projects/two")), "{problem}");
    assert_eq!(send(&api, "root", create, &secret).0, 200);
    // What refers already stays.
    let update = "PUT /v1/projects/one/secrets/key?updateMask=title";
    assert_eq!(send(&api, "writer", update, &json!({"title": "t"})).0, 200);
}

/// A secret of `projects/two` refers to one of `projects/one`.
fn referring(behavior: &str) -> Rc<Api> {
    let field = format!(
        "  - {{path: verified, type: bool}}\n  - {{path: uses, type: reference, resource: Secret, targetDeleteBehavior: {behavior}}}\n"
    );
    let text = VAULT.replace("  - {path: verified, type: bool}\n", &field);
    let mut policy = policy();
    policy.roles.get_mut("owner").expect("a role").permissions.insert(full("secrets!attach"));
    let api = Rc::new(build(&text).with_policy(Rc::new(policy)));
    for project in ["one", "two"] {
        let created = json!({"name": format!("projects/{project}")});
        assert_eq!(send(&api, "root", "POST /v1/projects", &created).0, 200);
    }
    for (project, id, uses) in [
        ("one", "key", ""),
        ("one", "open", "projects/one/secrets/key"),
        ("two", "acquisition", "projects/one/secrets/key"),
    ] {
        let secret = json!({"name": format!("projects/{project}/secrets/{id}"), "uses": uses});
        let (status, problem) = send(&api, "root", &format!("POST /v1/projects/{project}/secrets"), &secret);
        assert_eq!(status, 200, "{problem}");
    }
    api
}

#[test]
fn what_prevents_a_deletion_is_counted_if_the_caller_cannot_see_it() {
    let api = referring("BLOCK");
    let key = "DELETE /v1/projects/one/secrets/key";
    let (status, problem) = send(&api, "writer", key, &Value::Null);
    assert_eq!((status, problem["violations"].as_array().map(Vec::len)), (409, Some(2)), "{problem}");
    assert_eq!(problem["violations"][0]["field"], "projects/one/secrets/open");
    let hidden = &problem["violations"][1];
    assert_eq!((&hidden["field"], &hidden["code"]), (&json!(""), &json!("integrity/blocked")));
    assert_eq!(hidden["message"], "1 reference of or to a resource that is not visible to the caller");
    assert!(!problem.to_string().contains("acquisition"), "{problem}");
    let (_, whole) = send(&api, "root", key, &Value::Null);
    assert_eq!(whole["violations"][1]["field"], "projects/two/secrets/acquisition");
}

#[test]
fn a_preview_counts_what_the_caller_cannot_see() {
    let preview = |behavior: &str, user: &str| {
        let api = referring(behavior);
        let (status, preview) =
            send(&api, user, "DELETE /v1/projects/one/secrets/key?validateOnly=true", &Value::Null);
        assert_eq!(status, 200, "{preview}");
        preview
    };
    for (behavior, blockers, message) in [
        ("BLOCK", 1, "1 resource that it is about is not visible to the caller, and forbids the deletion"),
        ("CASCADE_DELETE", 0, "1 resource that it is about is not visible to the caller"),
        ("ASYNC_CASCADE_DELETE", 0, "1 resource that it is about is not visible to the caller"),
        ("UNSET", 0, "1 resource that it is about is not visible to the caller"),
    ] {
        let seen = preview(behavior, "writer");
        assert!(!seen.to_string().contains("acquisition"), "{behavior}: {seen}");
        assert!(seen.to_string().contains("projects/one/secrets/open"), "{behavior}: {seen}");
        let hidden = json!({"resources": 1, "blockers": blockers, "message": message});
        assert_eq!(seen["hidden"], hidden, "{behavior}");
        let whole = preview(behavior, "root");
        assert!(whole.to_string().contains("projects/two/secrets/acquisition"), "{behavior}: {whole}");
        assert_eq!(whole.get("hidden"), None);
    }
}

/// A kind with credentials that need one permission to be read and another one to be set.
const ACCOUNTS: &str = "
name: vault.example.com
proto: {package: {name: example.vault, currentVersion: v1}}
resources:
- name: Account
  fields:
  - {path: title, type: string}
  - {path: creds, type: CREDS}
  - {path: 'keys[].secret', type: string}
  - {path: 'keys[].label', type: string}
  - {path: serial, type: string, immutable: true}
  authChecks:
    readChecks: [{permission: accounts.getSecret, paths: [creds, keys.secret, serial]}]
    setChecks: [{permission: accounts.setSecret, paths: [creds]}]
";

fn accounts(ty: &str) -> Rc<Api> {
    let writing = ["accounts.get", "accounts.create", "accounts.update"];
    let role = |more: &[&str]| Role { permissions: writing.iter().chain(more).map(|it| full(it)).collect() };
    let users = [
        ("neither", role(&[])),
        ("reads", role(&["accounts.getSecret"])),
        ("sets", role(&["accounts.setSecret"])),
        ("both", role(&["accounts.getSecret", "accounts.setSecret"])),
    ];
    let bindings = users.iter().map(|(user, _)| Binding {
        role: (*user).into(),
        members: BTreeSet::from([Arc::from(*user)]),
        scope: Scope::everywhere(),
    });
    let bindings = bindings.collect();
    let roles = users.into_iter().map(|(name, role)| (name.into(), role)).collect();
    let policy = Policy { users: Vec::new(), roles, bindings };
    Rc::new(build(&ACCOUNTS.replace("CREDS", ty)).with_policy(Rc::new(policy)))
}

#[test]
fn a_field_that_a_body_sets_is_set_or_refused_and_never_ignored() {
    let put = "PUT /v1/accounts/one";
    for (ty, stored, other, default) in [
        ("string", json!("shh"), json!("other"), json!("")),
        ("object", json!({"user": "u", "key": "shh"}), json!({"user": "u", "key": "other"}), json!({})),
        ("bool", json!(true), json!(false), json!(false)),
    ] {
        // What is sent; the status for each user; what is stored afterwards where it is 200.
        let rows: [(Value, [u16; 4], Value); 4] = [
            (json!({"title": "t"}), [200, 200, 200, 0], stored.clone()),
            (json!({"title": "t", "creds": stored}), [403, 200, 200, 200], stored.clone()),
            (json!({"title": "t", "creds": other}), [403, 403, 200, 200], other),
            (json!({"title": "t", "creds": default}), [403, 403, 200, 200], default.clone()),
        ];
        for (body, expected, after) in rows {
            let users = ["neither", "reads", "sets", "both"].into_iter().zip(expected);
            for (user, expected) in users.filter(|(_, status)| *status != 0) {
                let api = accounts(ty);
                let created = json!({"name": "accounts/one", "title": "s", "creds": stored});
                assert_eq!(send(&api, "both", "POST /v1/accounts", &created).0, 200);
                let (status, answer) = send(&api, user, put, &body);
                assert_eq!(status, expected, "{ty}, {user}: {body}: {answer}");
                let now = send(&api, "both", "GET /v1/accounts/one", &Value::Null).1;
                if status == 403 {
                    assert_eq!(answer["violations"][0]["field"], "#/creds", "{answer}");
                    assert_eq!(
                        (&now["title"], &now["creds"]),
                        (&json!("s"), &stored),
                        "{ty}, {user}: {body}"
                    );
                } else {
                    let creds = now.get("creds").cloned().unwrap_or_else(|| default.clone());
                    assert_eq!((&now["title"], &creds), (&json!("t"), &after), "{ty}, {user}: {body}");
                }
            }
        }
    }
}

#[test]
fn a_list_whose_elements_have_hidden_fields_is_kept_or_refused() {
    let api = accounts("string");
    let created = json!({"name": "accounts/one", "keys": [{"label": "a", "secret": "x"}, {"label": "b", "secret": "y"}]});
    assert_eq!(send(&api, "both", "POST /v1/accounts", &created).0, 200);
    let put = "PUT /v1/accounts/one";
    let same = json!({"title": "t", "keys": [{"label": "a"}, {"label": "b"}]});
    assert_eq!(send(&api, "neither", put, &same).0, 200);
    let stored = || send(&api, "both", "GET /v1/accounts/one", &Value::Null).1;
    assert_eq!((&stored()["title"], &stored()["keys"]), (&json!("t"), &created["keys"]));
    let changed = json!({"title": "u", "keys": [{"label": "b"}]});
    let (status, problem) = send(&api, "neither", put, &changed);
    assert_eq!((status, &problem["violations"][0]["field"]), (403, &json!("#/keys/secret")), "{problem}");
    assert_eq!(stored()["keys"], created["keys"]);
}

#[test]
fn a_name_in_a_body_is_a_text() {
    let api = vault();
    let wrong = [json!(5), json!(true), json!(["projects/three"]), json!({"id": "three"})];
    for name in wrong {
        for request in ["POST /v1/projects", "PUT /v1/projects/one/secrets/key"] {
            let (status, problem) = send(&api, "root", request, &json!({"name": name}));
            let field = &problem["violations"][0]["field"];
            assert_eq!((status, field), (400, &json!("#/name")), "{request} {name}: {problem}");
        }
    }
    let (status, created) = send(&api, "root", "POST /v1/projects", &json!({"name": null}));
    assert!(status == 200 && created["name"].as_str().is_some_and(|it| it.starts_with("projects/")));
}

/// A user who may not read a field cannot find out its value by writing.
#[test]
fn answers_to_updates_do_not_tell_what_is_hidden() {
    for stored in [json!({"creds": "shh", "serial": "s-1"}), json!({})] {
        let api = accounts("string");
        let mut created = json!({"name": "accounts/one", "title": "t"});
        created.as_object_mut().expect("an object").extend(stored.as_object().expect("an object").clone());
        assert_eq!(send(&api, "both", "POST /v1/accounts", &created).0, 200);
        for (request, body) in [
            ("PUT /v1/accounts/one?updateMask=creds", json!({})),
            ("PUT /v1/accounts/one?updateMask=creds", json!({"creds": "shh"})),
            ("PUT /v1/accounts/one?updateMask=serial", json!({})),
            ("PUT /v1/accounts/one?updateMask=serial", json!({"serial": "s-1"})),
            ("PUT /v1/accounts/one?updateMask=serial", json!({"serial": "s-2"})),
            ("PUT /v1/accounts/one", json!({"serial": "s-1"})),
        ] {
            let (status, answer) = send(&api, "neither", request, &body);
            assert_eq!(status, 403, "{request} {body} with {stored}: {answer}");
        }
        assert_eq!(send(&api, "neither", "PUT /v1/accounts/one?updateMask=title", &json!({})).0, 200);
    }
}
