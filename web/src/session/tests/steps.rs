//! The order of the steps, and what each of them sends.

use capabilities::Parts;
use workspace::{File, Work};

use super::{BROKEN, GOOD, finish, nodes, revision, session, text};
use crate::session::{Sent, Session};
use crate::{
    examples::EXAMPLES,
    message::{
        AnyQuery, Request, Response, Want,
        query::{Hover, Position},
    },
    splice::Splice,
};

/// The work that one edit costs while a view is on screen.
fn work_of_an_edit(files: Vec<File>, want: Want) -> Work {
    let mut session = Session::with(Parts::all());
    let name = files[0].name.clone();
    session.receive(Request::Want(want));
    session.receive(Request::Files { revision: 1, files });
    finish(&mut session);
    let before = session.workspace.work();
    let splice = Splice { from: 0, to: 0, text: "# edited\n".into() };
    session.receive(Request::Edit { revision: 2, file: name.clone(), splice });
    finish(&mut session);
    let query = AnyQuery::of(Hover { at: Position { file: name, line: 2, column: 1 } });
    session.receive(Request::Query { id: 1, query });
    let after = session.workspace.work();
    Work {
        parsed: after.parsed - before.parsed,
        modelled: after.modelled - before.modelled,
        solved: after.solved - before.solved,
        planned: after.planned - before.planned,
        converted: after.converted - before.converted,
    }
}

#[test]
fn an_edit_is_processed_and_sent_once() {
    let none = Want::default();
    let wants = [
        Want { layout: true, ..none },
        Want { merge: true, ..none },
        Want { links: true, ..none },
        Want { versions: true, ..none },
        Want { changes: true, ..none },
    ];
    for example in EXAMPLES {
        for want in wants {
            let work = work_of_an_edit(example.shipped(), want);
            let solved = work.solved;
            let once = Work { parsed: 1, modelled: 1, solved, planned: 1, converted: 1 };
            assert_eq!(work, once, "{} with {want:?}", example.title);
            assert!(solved <= 1, "{} is solved {solved} times", example.title);
        }
    }
}

#[test]
fn problems_are_sent_first_and_only_requested_views() {
    let mut session = session(&[("a", GOOD)]);
    let responses = finish(&mut session);
    assert!(matches!(
        responses.as_slice(),
        [Response::Checked { .. }, Response::Planned { .. }, Response::Laid { .. }, Response::Marked { .. },]
    ));
}

#[test]
fn another_view_does_not_keep_a_plan_from_being_made() {
    let mut session = session(&[("a", GOOD)]);
    assert!(matches!(session.step(), Some(Response::Checked { .. })));
    session.receive(Request::Want(Want { merge: true, ..Want::default() }));
    let responses = finish(&mut session);
    assert!(responses.iter().any(|it| matches!(it, Response::Planned { .. })));
    assert!(responses.iter().any(|it| matches!(it, Response::Merged { .. })));
}

#[test]
fn a_newer_edit_drops_what_is_left_of_an_older_one() {
    let mut session = session(&[("a", GOOD)]);
    let first = session.step();
    assert_eq!(first.as_ref().and_then(revision), Some(1));
    session.receive(text(2, GOOD));
    session.receive(text(3, GOOD));
    assert!(finish(&mut session).iter().all(|response| revision(response) == Some(3)));
}

#[test]
fn broken_text_keeps_the_last_good_model() {
    let mut session = session(&[("a", GOOD)]);
    assert_eq!(nodes(&finish(&mut session)), Some(1));
    session.receive(text(2, BROKEN));
    let responses = finish(&mut session);
    assert!(matches!(responses.first(), Some(Response::Checked { model_stale: true, plan_stale: true, .. })));
    assert_eq!(nodes(&responses), None, "the picture on screen is still the right one");
    assert!(!responses.iter().any(|response| matches!(response, Response::Planned { .. })));
    session.sent = Sent::default();
    session.receive(Request::Want(session.want));
    assert_eq!(nodes(&finish(&mut session)), Some(1), "asked anew, it is the last good model");
    session.receive(text(3, GOOD));
    let responses = finish(&mut session);
    assert!(matches!(
        responses.first(),
        Some(Response::Checked { model_stale: false, plan_stale: false, .. })
    ));
}

#[test]
fn what_is_planned_against_counts_while_there_are_errors() {
    let mut session = session(&[("a", GOOD)]);
    finish(&mut session);
    session.receive(text(2, BROKEN));
    finish(&mut session);
    let options = workspace::PlanOptions { destroy: true, ..workspace::PlanOptions::default() };
    session.receive(Request::Options { revision: 3, options, bosh: false });
    let planned = finish(&mut session).into_iter().find_map(|response| match response {
        Response::Planned { plan, .. } => Some((plan.mode, plan.diagnostics.len())),
        _ => None,
    });
    assert_eq!(planned, Some((workspace::view::PlanMode::Destroy, 0)));
}

#[test]
fn a_blank_start_is_no_mistake() {
    for blank in [vec![], vec![("a", "")], vec![("a", "# later\n"), ("b", "---\n")]] {
        let mut session = session(&blank);
        let responses = finish(&mut session);
        let Some(Response::Checked { check, .. }) = responses.first() else { panic!("not checked") };
        assert_eq!(check.diagnostics, [], "{blank:?}");
        assert!(!responses.iter().any(|response| matches!(response, Response::Planned { .. })));
    }
}

#[test]
fn views_of_restored_text_are_sent_again() {
    let mut session = session(&[("a", GOOD)]);
    finish(&mut session);
    session.receive(text(2, ""));
    finish(&mut session);
    session.receive(text(3, GOOD));
    let responses = finish(&mut session);
    assert!(responses.iter().any(|response| matches!(response, Response::Planned { .. })));
    assert!(nodes(&responses).is_some());
}
