//! Answers to queries, and the codec of messages.

use capabilities::Parts;

use super::{GOOD, finish, session};
use crate::session::Session;
use crate::{
    base64,
    message::{
        AnyQuery, Query, Request, Response, Want,
        query::{ReadPackage, ResolveIf, TryDeletion, TryText},
    },
};

/// The answer to a query whose part is loaded.
fn ask<Q: Query>(session: &mut Session, query: Q) -> Option<Q::Answer> {
    match session.receive(Request::Query { id: 1, query: AnyQuery::of(query) }) {
        Some(Response::Answer { id: 1, answer }) => answer?.cast::<Q::Answer>().read(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn versions_are_sent_if_shown_and_answered_on_request() {
    let example = crate::examples::VERSIONS;
    let mut session = Session::with(Parts::all());
    session.receive(Request::Files { revision: 1, files: example.shipped() });
    let resolved = |responses: &[Response]| {
        responses.iter().filter(|it| matches!(it, Response::Resolved { .. })).count()
    };
    assert_eq!(resolved(&finish(&mut session)), 0, "nobody looks at them");
    session.receive(Request::Want(Want { versions: true, ..Want::default() }));
    assert_eq!(resolved(&finish(&mut session)), 1);
    let ranges = vec![("payloads.queue".to_owned(), "^2.0.0".to_owned())];
    let view = ask(&mut session, ResolveIf { ranges }).expect("a resolution");
    let versions: Vec<&str> = view.selection.iter().map(|it| it.version.as_str()).collect();
    assert_eq!(versions, ["25.3.0", "2.2.0", "1.4.0"]);
}

#[test]
fn services_are_counted_and_answered_for() {
    let library = include_str!("../../../../static/examples/services/library-v2.yaml");
    let mut session = session(&[("library.yaml", library)]);
    let responses = finish(&mut session);
    let counted = responses.iter().find_map(|it| match it {
        Response::Marked { counts, .. } => Some(counts.services),
        _ => None,
    });
    assert_eq!(counted, Some(8));
    let tried = ask(&mut session, TryText { text: "projects/city/readers/ann".into() });
    let tried = serde_json::to_value(tried.expect("a name")).expect("JSON");
    assert_eq!(tried["names"][0]["type"], "library.example.com/Reader");
    let argument = serde_json::json!({
        "resources": "- name: projects/city\n",
        "delete": {"kind": "library.example.com/Project", "name": "projects/city"},
    });
    let trial = ask(&mut session, TryDeletion { argument: argument.to_string() });
    let trial = serde_json::to_value(trial.expect("a trial")).expect("JSON");
    assert_eq!(trial["preview"]["steps"][0]["effect"], "removed");
}

#[test]
fn a_package_that_is_none_is_refused_with_a_sentence() {
    let mut session = Session::with(Parts::all());
    let answer = ask(&mut session, ReadPackage { name: "x.zip".into(), bytes: base64::encode(b"PK?") });
    let Some(Err(why)) = answer else { panic!("{answer:?}") };
    assert!(!why.is_empty());
}

#[test]
fn messages_survive_their_codec() {
    let mut session = session(&[("a", GOOD)]);
    session.receive(Request::Want(Want { merge: true, ..Want::default() }));
    let responses = finish(&mut session);
    assert!(responses.iter().any(|response| matches!(response, Response::Merged { .. })));
    for response in responses {
        let text = serde_json::to_string(&response).unwrap();
        assert_eq!(serde_json::from_str::<Response>(&text).unwrap(), response);
    }
}
