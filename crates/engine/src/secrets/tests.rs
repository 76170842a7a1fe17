use std::collections::BTreeSet;

use diag::Span;
use model::{Desired, HIDDEN, Observed, Recorded};
use serde_json::json;

use super::*;
use crate::{
    Planned, SourceLocation,
    samples::{desired, map, sample_resource, sensitive, value},
};

/// Descriptors of one service with a password, and a secret that another layer replaced.
struct Described;

impl Planner for Described {
    fn desired(&self) -> Rc<Desired> {
        let spec = json!({"payload": {"params": {"env": {"DB_PASSWORD": "hunter2", "PORT": "8080"}}}});
        let resources = vec![desired("services.web", "service", &spec, &[]).into()];
        Rc::new(Desired { resources, ..Desired::default() })
    }

    fn types(&self) -> Rc<Types> {
        Rc::new(Types::builtin())
    }

    fn secrets(&self) -> BTreeSet<String> {
        BTreeSet::from(["replaced".to_owned()])
    }

    fn plan(&self, _: Rc<Recorded>, _: Rc<Observed>) -> Planned {
        Planned::default()
    }

    fn locate(&self, _: Span) -> Option<SourceLocation> {
        None
    }
}

fn described() -> Secrets {
    let secrets = Secrets::default();
    secrets.describe(&Described);
    secrets
}

#[track_caller]
fn check(secrets: &Secrets, text: &str, expected: &str) {
    assert_eq!(secrets.redactor().text(text), expected);
}

#[test]
fn secrets_of_descriptors_and_of_replies_are_removed() {
    let secrets = described();
    check(&secrets, "it is hunter2 on 8080", "it is •••••• on 8080");
    check(&secrets, "replaced", HIDDEN);
    check(&secrets, "token-1 and token-2", "token-1 and token-2");
    let copy = secrets.clone();
    copy.add("service", &value(&json!({"payload": {"params": {"env": {"TOKEN": "token-1"}}}})));
    check(&secrets, "token-1 and token-2", "•••••• and token-2");
    secrets.add("unknown", &value(&json!({"env": {"TOKEN": "token-2"}})));
    check(&secrets, "token-1 and token-2", "•••••• and token-2");
    secrets.add("unknown", &sensitive(&json!(["token-2"])));
    check(&copy, "token-1 and token-2", "•••••• and ••••••");
    check(&Secrets::default(), "it is hunter2", "it is hunter2");
}

#[test]
fn answers_with_secrets_are_sensitive() {
    let reported = json!({"plain": 1, "in": ["hunter2", "x"], "hunter2": 2});
    let value = described().observed(&map(reported.clone()));
    assert_eq!((json::clear(&value), value.origin, value.sensitive), (reported, Origin::Observed, false));
    let item = |index: usize| value.get("in").and_then(|it| it.as_list()).map(|it| it[index].sensitive);
    assert_eq!((item(0), item(1)), (Some(true), Some(false)));
    assert_eq!(value.get("plain").map(|it| it.sensitive), Some(false));
}

/// A service that reports a token in its attributes and a password in its outputs, and repeats both in its
/// message.
fn with_secrets() -> Resource {
    sample_resource(json!({
        "spec": {"payload": {"params": {"env": {"TOKEN": "token-1"}}}},
        "outputs": {"labels": {"PASSWORD": "pass-1"}},
        "message": "token-1, pass-1, hunter2 and 8080",
    }))
}

#[test]
fn secrets_of_each_reply_are_added_and_removed() {
    let later = "•••••• is known by now";
    let hidden = "••••••, ••••••, •••••• and 8080";
    let operation: protocol::Operation = serde_json::from_value(json!({
        "op": "o", "verb": "create", "kind": "service", "id": "one", "done": false,
        "progress": {"percent": 5, "message": "hunter2 and token-1"},
    }))
    .expect("an operation");
    let message = |it: &Resource| it.message.clone().unwrap_or_default();
    let page = || protocol::Page { items: vec![with_secrets()], next: None };
    let batch = || protocol::Batch { items: vec![with_secrets()], missing: Vec::new() };
    let with = |resource| Reply::Operation(Box::new(protocol::Operation { resource, ..operation.clone() }));
    for mut reply in [
        Reply::Resource(Box::new(with_secrets())),
        Reply::Page(page()),
        Reply::Batch(batch()),
        with(Some(Box::new(with_secrets()))),
    ] {
        let secrets = described();
        secrets.read(&mut reply);
        let reported = match &reply {
            Reply::Resource(it) => message(it),
            Reply::Page(it) => message(&it.items[0]),
            Reply::Batch(it) => message(&it.items[0]),
            Reply::Operation(it) => {
                assert_eq!(it.progress.as_ref().map(|it| &*it.message), Some("•••••• and ••••••"));
                it.resource.as_deref().map(message).unwrap_or_default()
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(reported, hidden, "{reply:?}");
        for secret in ["token-1", "pass-1"] {
            check(&secrets, &format!("{secret} is known by now"), later);
        }
    }
    let mut reply = with(None);
    described().read(&mut reply);
    let Reply::Operation(reported) = reply else { panic!("another reply") };
    assert_eq!(reported.progress.map(|it| it.message), Some("•••••• and token-1".into()));
}
