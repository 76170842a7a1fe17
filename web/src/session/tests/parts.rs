//! Parts that are loaded while a session runs.

use capabilities::{Part, Parts};

use super::{GOOD, file, finish, without_parts};
use crate::session::Session;
use crate::{
    message::{
        AnyQuery, Query, Request, Response, Want,
        query::{Hover, Position, ServiceOverview, WritePackage},
    },
    splice::Splice,
};

fn ask(session: &mut Session, query: impl Query) -> Option<Response> {
    session.receive(Request::Query { id: 7, query: AnyQuery::of(query) })
}

#[test]
fn no_views_are_sent_before_the_capabilities_are_loaded() {
    let mut session = without_parts();
    assert_eq!(finish(&mut session), []);
    assert_eq!(session.take_needed(), [Part::Versions]);
    assert_eq!(session.take_needed(), [], "it is being loaded");
    session.add(Part::Versions, Parts::versions());
    let responses = finish(&mut session);
    let Some(Response::Checked { check, .. }) = responses.first() else { panic!("{responses:?}") };
    assert_eq!(check.diagnostics, []);
}

#[test]
fn a_failed_capability_is_reported_and_retried_after_a_change() {
    let mut session = without_parts();
    session.step();
    assert_eq!(session.take_needed(), [Part::Versions]);
    assert_eq!(session.fail(Part::Versions), [Response::NotLoaded { part: "versions".into() }]);
    let Some(Response::Checked { check, .. }) = session.step() else { panic!("not checked") };
    assert_eq!(check.diagnostics[0].code, "capability/not-loaded");
    assert_eq!(session.take_needed(), []);
    session.receive(Request::Edit {
        revision: 2,
        file: "more.yaml".into(),
        splice: Splice { from: 0, to: usize::MAX, text: String::new() },
    });
    session.step();
    assert_eq!(session.take_needed(), [Part::Versions]);
}

#[test]
fn the_capability_of_a_shown_view_is_loaded() {
    let mut session = Session::default();
    session.receive(Request::Files { revision: 1, files: vec![file("a", GOOD)] });
    session.receive(Request::Want(Want { versions: true, ..Want::default() }));
    finish(&mut session);
    assert_eq!(session.take_needed(), [Part::Versions]);
    session.add(Part::Versions, Parts::versions());
    let resolution = finish(&mut session).into_iter().find_map(|it| match it {
        Response::Resolved { resolution, .. } => resolution.read(),
        _ => None,
    });
    assert_eq!(resolution.map(|it| it.outcome), Some(workspace::view::Outcome::Empty));
}

#[test]
fn queries_wait_for_their_part() {
    let mut session = Session::default();
    assert_eq!(ask(&mut session, WritePackage {}), None);
    assert_eq!(session.take_needed(), [Part::Documents]);
    let failed = session.fail(Part::Documents);
    assert_eq!(failed.first(), Some(&Response::Answer { id: 7, answer: None }));
    assert_eq!(ask(&mut session, WritePackage {}), None);
    assert_eq!(session.take_needed(), [Part::Documents], "who asks again wants it to be tried again");
    let answers = session.add(Part::Documents, Parts::all());
    assert!(matches!(&answers[..], [Response::Answer { id: 7, answer: Some(_) }]));
}

#[test]
fn requests_of_the_editor_need_the_editing_capability() {
    let mut session = Session::default();
    session.receive(Request::Files { revision: 1, files: vec![file("a", GOOD)] });
    let at = Position { file: "a".into(), line: 1, column: 1 };
    assert_eq!(ask(&mut session, Hover { at }), None);
    assert_eq!(session.take_needed(), [Part::Editing]);
    let answers = session.add(Part::Editing, Parts::editing());
    let [Response::Answer { id: 7, answer: Some(card) }] = &answers[..] else { panic!("{answers:?}") };
    assert!(card.text().contains("\"pointer\""), "{card:?}");
}

#[test]
fn a_query_about_services_waits_for_their_part() {
    let mut session = Session::default();
    session.receive(Request::Files { revision: 1, files: vec![file("a", GOOD)] });
    finish(&mut session);
    assert_eq!(ask(&mut session, ServiceOverview {}), None);
    assert_eq!(session.take_needed(), [Part::Services]);
    let answers = session.add(Part::Services, Parts::services());
    let [Response::Answer { id: 7, answer: Some(overview) }] = &answers[..] else { panic!("{answers:?}") };
    assert!(overview.text().contains(r#""versions":[]"#), "{overview:?}");
}
