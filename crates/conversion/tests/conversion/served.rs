//! Requests to the old version, answered from the resources of the new one.

use std::rc::Rc;

use api::Api;
use serde_json::{Value, json};

use crate::{
    server::{Watching, api, sent},
    vault::vault,
};

pub(crate) const S: &str = "projects/p/secrets/s";
const NEW_S: &str = "projects/p/regions/eu/secrets/s";

/// A project with two secrets that the old version sees, and one that it does not.
pub(crate) fn stored() -> Rc<Api> {
    let api = api(vault());
    sent(&api, "POST /v1/projects", &json!({"name": "projects/p"}), 200);
    let secret = json!({"name": S, "encData": "x", "state": "SHUT", "spec": {"owner": "me"}, "items": [{"name": "a"}]});
    sent(&api, "POST /v1/projects/p/secrets", &secret, 200);
    let other = json!({"name": "projects/p/regions/eu/secrets/t", "title": "T", "spec": {"team": "x"}, "items": [{"note": "1"}], "copyOf": NEW_S});
    sent(&api, "POST /v2/projects/p/regions/eu/secrets", &other, 200);
    sent(
        &api,
        "POST /v2/projects/p/regions/us/secrets",
        &json!({"name": "projects/p/regions/us/secrets/u"}),
        200,
    );
    api
}

#[test]
fn what_one_version_stores_the_other_reads() {
    let api = stored();
    let new = json!({"name": NEW_S, "cipher": {"data": "x", "algorithm": "AES"}, "phase": "INACTIVE", "owner": "me", "spec": {}, "items": [{"title": "a"}]});
    assert_eq!(sent(&api, &format!("GET /v2/{NEW_S}"), &Value::Null, 200), new);
    let old = json!({"name": S, "encData": "x", "state": "SHUT", "kind": "SECRET", "spec": {"owner": "me"}, "items": [{"name": "a"}]});
    assert_eq!(sent(&api, &format!("GET /v1/{S}"), &Value::Null, 200), old);
    let t = json!({"name": "projects/p/secrets/t", "title": "T", "state": "OPEN", "kind": "SECRET", "spec": {}, "items": [{}], "copyOf": S});
    assert_eq!(sent(&api, "GET /v1/projects/p/secrets", &Value::Null, 200), json!({"secrets": [old, t]}));
    assert_eq!(
        sent(&api, "GET /v1/projects/-/secrets?filter=state=OPEN&fieldMask=title,kind", &Value::Null, 200),
        json!({"secrets": [{"title": "T", "kind": "SECRET"}]})
    );
    assert_eq!(
        sent(&api, "GET /v1/projects/p/secrets?view=NAME&orderBy=enc_data%20desc", &Value::Null, 200),
        json!({"secrets": [{"name": S}, {"name": "projects/p/secrets/t"}]})
    );
    assert_eq!(
        sent(&api, &format!("GET /v1/{S}?fieldMask=kind"), &Value::Null, 200),
        json!({"kind": "SECRET"})
    );
    let found = sent(
        &api,
        &format!("GET /v1/secrets:batchGet?names=projects/p/secrets/none&names={S}&fieldMask=encData"),
        &Value::Null,
        200,
    );
    assert_eq!(found, json!({"secrets": [{"encData": "x"}], "missing": ["projects/p/secrets/none"]}));
    let first = sent(&api, "GET /v1/projects/p/secrets?pageSize=1&fieldMask=name", &Value::Null, 200);
    let token = first["nextPageToken"].as_str().unwrap();
    let second = sent(
        &api,
        &format!("GET /v1/projects/p/secrets?pageSize=1&fieldMask=name&pageToken={token}"),
        &Value::Null,
        200,
    );
    assert_eq!(second["secrets"], json!([{"name": "projects/p/secrets/t"}]));
}

#[test]
fn a_renamed_resource_type_has_its_old_name() {
    let api = stored();
    let version = json!({"name": format!("{S}/versions/v"), "data": "d"});
    sent(&api, "POST /v1/projects/p/secrets/s/versions", &version, 200);
    let revision = json!({"name": format!("{NEW_S}/revisions/v"), "data": "d"});
    assert_eq!(
        sent(&api, &format!("GET /v2/{NEW_S}/revisions"), &Value::Null, 200),
        json!({"revisions": [revision]})
    );
    for request in
        ["GET /v1/projects/p/secrets/s/versions", "GET /v1/projects/-/secrets/-/versions?orderBy=data"]
    {
        assert_eq!(sent(&api, request, &Value::Null, 200), json!({"versions": [version]}), "{request}");
    }
    let found =
        sent(&api, "GET /v1/versions:batchGet?names=projects/p/secrets/s/versions/v", &Value::Null, 200);
    assert_eq!(found, json!({"versions": [version]}));
    let mut watching = Watching::open(&api, "/v1/projects/p/secrets/s/versions:watch", &Value::Null);
    assert_eq!(watching.messages()[0]["versionChanges"], json!([{"current": {"version": version}}]));
    let page = json!({"type": "STATEFUL", "pageSize": 1});
    let mut watching = Watching::open(&api, "/v1/projects/p/secrets/s/versions:watch", &page);
    assert_eq!(
        watching.messages()[0]["versionChanges"],
        json!([{"added": {"version": version, "viewIndex": 0}}])
    );
    let problem = sent(&api, "POST /v1/projects/p/secrets/s/versions", &version, 409);
    assert_eq!(problem["detail"], "`projects/p/secrets/s/versions/v` exists already");
    let preview = sent(&api, &format!("DELETE /v1/{S}?validateOnly=true"), &Value::Null, 200);
    assert!(
        preview.to_string().contains("versions/v")
            && !preview.to_string().to_lowercase().contains("revision"),
        "{preview}"
    );
}

#[test]
fn writes_of_the_old_version_keep_what_only_the_new_one_has() {
    let api = stored();
    let read =
        |name: &str| sent(&api, &format!("GET /v2/projects/p/regions/eu/secrets/{name}"), &Value::Null, 200);
    let changed = json!({"title": "U", "items": [{}], "copyOf": S});
    sent(&api, "PUT /v1/projects/p/secrets/t", &changed, 200);
    assert_eq!(
        read("t"),
        json!({"name": "projects/p/regions/eu/secrets/t", "title": "U", "phase": "PHASE_UNSPECIFIED", "spec": {"team": "x"}, "items": [{"note": "1"}], "copyOf": NEW_S})
    );
    let shown = sent(
        &api,
        "PUT /v1/projects/p/secrets/t?updateMask=spec.owner,locked,kind",
        &json!({"spec": {"owner": "o"}, "locked": true}),
        200,
    );
    assert_eq!((&shown["spec"], &shown["locked"]), (&json!({"owner": "o"}), &json!(true)));
    assert_eq!(
        (read("t")["owner"].clone(), read("t")["lock"].clone(), read("t")["title"].clone()),
        (json!("o"), json!("LOCKED"), json!("U"))
    );
    sent(&api, "PUT /v1/projects/p/secrets/t?updateMask=kind", &json!({}), 200);
    assert_eq!(read("t")["title"], "U");
    let cas = "cas={\"conditionalState\":{\"title\":\"U\",\"locked\":true},\"fieldMask\":\"title,locked\"}";
    let cas = cas.replace('"', "%22").replace('{', "%7B").replace('}', "%7D");
    sent(&api, &format!("PUT /v1/projects/p/secrets/t?updateMask=title&{cas}"), &json!({"title": "V"}), 200);
    sent(&api, &format!("PUT /v1/projects/p/secrets/t?updateMask=title&{cas}"), &json!({"title": "W"}), 412);
    sent(&api, "PUT /v1/projects/p/secrets/w?allowMissing=true", &json!({"title": "new"}), 200);
    assert_eq!(read("w")["cipher"], json!({"algorithm": "AES"}));
    let preview = sent(&api, &format!("DELETE /v1/{S}?validateOnly=true"), &Value::Null, 200);
    assert!(preview.to_string().contains(S) && !preview.to_string().contains("regions"), "{preview}");
    sent(&api, &format!("DELETE /v1/{S}"), &Value::Null, 200);
    assert_eq!(read("t").get("copyOf"), None);
}

#[test]
fn watches_are_converted() {
    let api = stored();
    let mut lines = Watching::open(
        &api,
        "/v1/projects/p/secrets:watch",
        &json!({"filter": "title = \"T\"", "fieldMask": "title"}),
    );
    assert_eq!(
        lines.messages(),
        [
            json!({"secretChanges": [{"current": {"secret": {"title": "T", "name": "projects/p/secrets/t"}}}], "isCurrent": true, "snapshotSize": "1"})
        ]
    );
    sent(&api, "PUT /v1/projects/p/secrets/t?updateMask=title", &json!({"title": "U"}), 200);
    assert_eq!(lines.messages()[0]["secretChanges"], json!([{"removed": {"name": "projects/p/secrets/t"}}]));
    let mut one = Watching::open(&api, &format!("/v1/{S}:watch"), &Value::Null);
    let first = &one.messages()[0];
    assert_eq!(first["change"]["added"]["secret"]["encData"], "x");
    sent(&api, &format!("PUT /v2/{NEW_S}?updateMask=owner"), &json!({"owner": "you"}), 200);
    let changed = &one.messages()[0];
    assert_eq!(
        (&changed["change"]["modified"]["name"], &changed["change"]["modified"]["secret"]["spec"]),
        (&json!(S), &json!({"owner": "you"}))
    );
}
