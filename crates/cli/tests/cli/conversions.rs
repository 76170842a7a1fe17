//! Two versions of a service in one server, of which the old one is converted.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpStream,
    time::Duration,
};

use serde_json::{Value as Json, json};

use crate::{run::Folder, serve::TOKEN, serve_api::Api};

const OLD: &str = "name: secrets.example.com
proto: {package: {name: example.secrets, currentVersion: v1alpha2, nextVersion: v1}}
resources:
- name: Project
- name: Secret
  parents: [Project]
  fields:
  - {path: enc_data}
  - {path: state, type: enum, values: [STATE_UNSPECIFIED, ACTIVE]}
  actions:
  - name: RotateSecret
    verb: rotate
    withStoreHandle: {transaction: SNAPSHOT}
";
const NEW: &str = "name: secrets.example.com
proto: {package: {name: example.secrets, currentVersion: v1}}
resources:
- name: Project
- name: Secret
  parents: [Project]
  scopeAttributes: [Region]
  fields:
  - {path: data}
  - {path: state, type: enum, values: [STATE_UNSPECIFIED, IN_USE]}
  - {path: team}
  actions:
  - name: RotateSecret
    verb: rotate
    withStoreHandle: {transaction: SNAPSHOT}
";
const CONVERSION: &str = "format: planloom.conversion/1
service: secrets.example.com
from: v1alpha2
to: v1
resources:
- from: Secret
  names:
  - from: projects/{project}/secrets/{secret}
    to: projects/{project}/regions/{region}/secrets/{secret}
    constants: {region: us-west2}
  fields:
  - {from: enc_data, to: data}
  - {from: state, to: state, values: {ACTIVE: IN_USE}}
";
const BOTH: &str = "--service v1.yaml --conversion conversion.yaml --store kept.db";
const S0: &str = "projects/p0/secrets/s0";
const NEW_S0: &str = "projects/p0/regions/us-west2/secrets/s0";

fn folder() -> Folder {
    let files = [("library.yaml", OLD), ("v1.yaml", NEW), ("conversion.yaml", CONVERSION)];
    Folder::new(&files).variable("PLANLOOM_TOKEN", TOKEN)
}

/// The body of a response, without metadata.
#[track_caller]
fn sent(api: &Api, request: &str, body: &Json, status: u16) -> Json {
    let body = if body.is_null() { String::new() } else { body.to_string() };
    let (found, mut response) = api.send(TOKEN, request, &body);
    assert_eq!(found, status, "{request}: {response}");
    response.as_object_mut().map(|it| it.remove("metadata"));
    response
}

#[test]
fn requests_to_the_old_version_are_answered_from_the_new_one() {
    let folder = folder();
    let api = Api::start(&folder, BOTH);
    sent(&api, "POST /v1alpha2/projects", &json!({"name": "projects/p0"}), 200);
    let old = json!({"name": S0, "encData": "x", "state": "ACTIVE"});
    assert_eq!(sent(&api, "POST /v1alpha2/projects/p0/secrets", &old, 200), old);
    let new = json!({"name": NEW_S0, "data": "x", "state": "IN_USE"});
    assert_eq!(sent(&api, &format!("GET /v1/{NEW_S0}"), &Json::Null, 200), new);
    sent(&api, &format!("PUT /v1/{NEW_S0}?updateMask=team"), &json!({"team": "core"}), 200);
    let changed = json!({"name": S0, "encData": "y", "state": "ACTIVE"});
    assert_eq!(sent(&api, &format!("PUT /v1alpha2/{S0}"), &changed, 200), changed);
    assert_eq!(sent(&api, &format!("GET /v1/{NEW_S0}"), &Json::Null, 200)["team"], "core");
    sent(
        &api,
        "POST /v1/projects/p0/regions/eu/secrets",
        &json!({"name": "projects/p0/regions/eu/secrets/s1"}),
        200,
    );
    let listed = sent(
        &api,
        "GET /v1alpha2/projects/p0/secrets?filter=state=ACTIVE&fieldMask=encData,name",
        &Json::Null,
        200,
    );
    assert_eq!(listed, json!({"secrets": [{"name": S0, "encData": "y"}]}));
    let problem = sent(&api, "GET /v1alpha2/projects/p0/secrets/none", &Json::Null, 404);
    assert_eq!(problem["detail"], "`projects/p0/secrets/none` does not exist");
    assert_eq!(
        sent(&api, &format!("POST /v1alpha2/{S0}:rotate"), &json!({}), 501)["detail"],
        "nothing executes `SecretService/RotateSecret`: it needs a hook"
    );
    for version in ["v1alpha2", "v1"] {
        let document =
            sent(&api, &format!("GET /openapi/secrets.example.com/{version}.json"), &Json::Null, 200);
        assert!(
            document["paths"].as_object().is_some_and(|it| it.keys().all(|it| it.contains(version))),
            "{version}"
        );
    }
    drop(api);
    // What was stored is of the new version, so that it can be served without the old one.
    let api = Api::start(&folder, BOTH);
    assert_eq!(sent(&api, &format!("GET /v1alpha2/{S0}"), &Json::Null, 200), changed);
    sent(&api, &format!("DELETE /v1alpha2/{S0}"), &Json::Null, 200);
    sent(&api, &format!("GET /v1/{NEW_S0}"), &Json::Null, 404);
}

#[test]
fn a_watch_of_the_old_version_sees_writes_of_the_new_one() {
    let folder = folder();
    let api = Api::start(&folder, BOTH);
    sent(&api, "POST /v1/projects", &json!({"name": "projects/p0"}), 200);
    let address = api.said["origin"].as_str().unwrap_or_default().trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a limit");
    write!(
        stream,
        "POST /v1alpha2/projects/p0/secrets:watch HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {TOKEN}\r\nContent-Length: 0\r\n\r\n"
    )
    .expect("sent");
    let mut lines = BufReader::new(stream).lines();
    let mut message = |has: &str| {
        let mut lines = lines.by_ref().map(|it| it.expect("a line"));
        let line = lines.find(|it| it.contains(has)).expect("a message");
        serde_json::from_str::<Json>(&line).expect("JSON")
    };
    assert_eq!(message("isCurrent")["secretChanges"], json!([]));
    sent(
        &api,
        "POST /v1/projects/p0/regions/eu/secrets",
        &json!({"name": "projects/p0/regions/eu/secrets/s9"}),
        200,
    );
    sent(&api, "POST /v1/projects/p0/regions/us-west2/secrets", &json!({"name": NEW_S0, "data": "x"}), 200);
    let seen = message("encData");
    assert_eq!(
        (&seen["secretChanges"][0]["current"]["secret"]["name"], &seen["secretChanges"][1]),
        (&json!(S0), &Json::Null)
    );
}

#[test]
fn users_have_the_permissions_of_the_new_version_and_changes_are_logged_in_it() {
    let folder =
        folder().variable("ALICE_TOKEN", "the token of alice").variable("BOB_TOKEN", "the token of bob 12");
    let policy = "users:
- {name: alice, tokenVariable: ALICE_TOKEN}
- {name: bob, tokenVariable: BOB_TOKEN}
bindings:
- {role: secrets-admin, members: [alice]}
- {role: secrets-viewer, members: [bob], scope: projects/p0}
";
    folder.write("access.yaml", policy.as_bytes());
    let api = Api::start(&folder, &format!("{BOTH} --access-policy access.yaml --audit-log changes.jsonl"));
    let send = |user: &str, request: &str, body: &Json| {
        api.send(&format!("the token of {user}"), request, &body.to_string()).0
    };
    for project in ["p0", "p1"] {
        assert_eq!(
            send("alice", "POST /v1alpha2/projects", &json!({"name": format!("projects/{project}")})),
            200
        );
    }
    assert_eq!(
        send("alice", "POST /v1alpha2/projects/p0/secrets", &json!({"name": S0, "encData": "x"})),
        200
    );
    for (request, status) in [
        ("GET /v1alpha2/projects/p0/secrets/s0", 200),
        ("GET /v1alpha2/projects/p1/secrets", 403),
        ("DELETE /v1alpha2/projects/p0/secrets/s0", 403),
    ] {
        assert_eq!(send("bob 12", request, &json!({})), status, "{request}");
    }
    drop(api);
    let log = folder.read("changes.jsonl").expect("a log");
    assert!(log.contains(NEW_S0) && log.contains("\"path\":\"/v1alpha2/projects/p0/secrets/s0\""), "{log}");
}

#[test]
fn versions_without_a_conversion_are_refused() {
    let folder = folder();
    let words_of = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let refused = folder.run("serve --service library.yaml --service v1.yaml");
    assert!(
        refused.code == 1
            && words_of(&refused.err)
                .contains("help: write what became of what in a file, and name it with `--conversion`"),
        "{}",
        refused.err
    );
    for (words, expected) in [
        (
            "--service library.yaml --import v1.yaml --conversion conversion.yaml",
            "v1 of `secrets.example.com` is only imported",
        ),
        (
            "--service library.yaml --service v1.yaml --conversion conversion.yaml --conversion conversion.yaml",
            "v1alpha2 of `secrets.example.com` is converted twice",
        ),
    ] {
        let refused = folder.run(&format!("serve {words}"));
        assert!(refused.code == 1 && words_of(&refused.err).contains(expected), "{}", refused.err);
    }
    folder.write(
        "conversion.yaml",
        CONVERSION.replace("{ACTIVE: IN_USE}", "{ACTIVE: STATE_UNSPECIFIED}").as_bytes(),
    );
    let refused = folder.run(&format!("serve --service library.yaml {BOTH}"));
    let expected = "error[conversion/not-invertible]: `STATE_UNSPECIFIED` becomes the same value as `ACTIVE`";
    assert!(refused.code == 1 && words_of(&refused.err).contains(expected), "{}", refused.err);
    assert!(refused.err.contains("conversion.yaml:13"), "{}", refused.err);
}

#[test]
fn a_conversion_is_described_and_tried_without_a_server() {
    let folder = folder();
    let specs = "spec convert library.yaml v1.yaml --conversion conversion.yaml";
    let described = folder.run(specs);
    assert_eq!(
        (described.code, &*described.out),
        (
            0,
            "Project: the same
Secret
  projects/{project}/secrets/{secret} -> projects/{project}/regions/{region}/secrets/{secret}, region is us-west2
  enc_data -> data
  state: ACTIVE -> IN_USE
  team: only in v1
"
        ),
        "{}",
        described.err
    );
    let data: Json = serde_json::from_str(&folder.run(&format!("{specs} --format json")).out).expect("JSON");
    assert_eq!(
        data["converted"]["resources"][1]["fields"][0],
        json!({"old": "enc_data", "new": "data", "values": [], "fixed": null})
    );
    let (old, new) = (json!([{"name": S0, "encData": "x"}]), json!([{"name": NEW_S0, "data": "x"}]));
    folder.write("old.json", old.to_string().as_bytes());
    folder.write("new.json", new.to_string().as_bytes());
    for (words, expected) in [("--resources old.json", new), ("--resources new.json --back", old)] {
        let run = folder.run(&format!("{specs} {words}"));
        assert_eq!(serde_json::from_str::<Json>(&run.out).ok(), Some(expected), "{}", run.err);
    }
    let refused = folder.run(&format!("{specs} --resources new.json"));
    assert!(refused.code == 1 && refused.err.contains("error[host/converted]"), "{}", refused.err);
}
