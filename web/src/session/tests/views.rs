//! The views that are sent.

use capabilities::Parts;
use workspace::{
    PlanOptions,
    view::{LinkProfile, Severity},
};

use super::{BROKEN, GOOD, file, finish, nodes, profiles, session, text};
use crate::session::Session;
use crate::{
    examples::EXAMPLES,
    message::{Mark, Request, Response, Want},
};

#[test]
fn unchanged_views_are_not_sent_again() {
    let mut session = session(&[("a", GOOD)]);
    finish(&mut session);
    session.receive(text(2, &format!("# a comment\n{}", GOOD.replace("vm", "vm # x"))));
    let kinds = finish(&mut session);
    assert!(kinds.iter().all(|response| !matches!(response, Response::Marked { .. })), "{kinds:?}");
}

#[test]
fn links_follow_the_rules_that_are_chosen() {
    let mut session = session(&[("a", GOOD)]);
    let options = |revision, bosh| Request::Options { revision, options: PlanOptions::default(), bosh };
    session.receive(options(2, true));
    assert!(profiles(&finish(&mut session)).is_empty(), "nobody looks at them");
    session.receive(Request::Want(Want { links: true, ..Want::default() }));
    assert_eq!(profiles(&finish(&mut session)), [LinkProfile::Bosh]);
    session.receive(text(3, BROKEN));
    session.receive(options(4, false));
    assert_eq!(
        profiles(&finish(&mut session)),
        [LinkProfile::Strict],
        "also for the last that could be read"
    );
}

#[test]
fn a_plan_carries_its_values_only_where_they_are_seen() {
    let mut session = session(&[("a", GOOD)]);
    let changes = |responses: &[Response]| {
        responses.iter().find_map(|response| match response {
            Response::Planned { plan, .. } => {
                Some(plan.actions.iter().map(|it| it.changes.len()).sum::<usize>())
            }
            _ => None,
        })
    };
    assert_eq!(changes(&finish(&mut session)), Some(0));
    session.receive(Request::Want(Want { changes: true, ..Want::default() }));
    assert!(changes(&finish(&mut session)) > Some(0));
}

#[test]
fn files_that_were_never_valid_are_shown_partially() {
    let mut session = session(&[("a", BROKEN)]);
    let responses = finish(&mut session);
    assert!(matches!(responses.first(), Some(Response::Checked { model_stale: false, .. })));
    assert!(nodes(&responses).is_some());
}

#[test]
fn both_places_of_an_override_are_marked() {
    let mut session = session(&[("a", "meta: {name: one}\n"), ("b", "meta: {name: two}\n")]);
    let responses = finish(&mut session);
    let Some(Response::Marked { marks, counts, .. }) = responses.last() else { panic!("no marks") };
    let mark = |wins, other: &str| Mark { line: 1, wins, other: other.into() };
    assert_eq!(marks.get("a"), Some(&vec![mark(false, "b")]));
    assert_eq!(marks.get("b"), Some(&vec![mark(true, "a")]));
    assert_eq!(counts.overrides, 1);
}

#[test]
fn the_name_is_that_of_the_files_even_when_nothing_can_be_planned() {
    let named = |text: &str| {
        let mut session = session(&[("a", text)]);
        let responses = finish(&mut session);
        let Some(Response::Marked { counts, .. }) = responses.last() else { panic!("no counts") };
        counts.name.clone()
    };
    assert_eq!(named("meta: {name: shop}\nservices: {web: {payload: none}}\n"), "shop");
    assert_eq!(named("services: {web: {payload: none}}\n"), "");
}

#[test]
fn a_catalog_prevents_a_plan_only_of_what_needs_it() {
    let example = crate::examples::VERSIONS;
    let mut files = example.shipped();
    let other = "schema: olm.package\nname: other\ndefaultChannel: gone\n";
    files.push(file("others.yaml", other));
    let mut session = Session::with(Parts::all());
    session.receive(Request::Files { revision: 1, files: files.clone() });
    let responses = finish(&mut session);
    let Some(Response::Checked { check, blocking, .. }) = responses.first() else { panic!("not checked") };
    let errors = check.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
    assert!(errors > 0, "{check:?}");
    assert_eq!(*blocking, 0);
    let plan = responses.iter().find_map(|it| match it {
        Response::Planned { plan, .. } => Some(plan.actions.len()),
        _ => None,
    });
    assert!(plan > Some(0));
    let app = "payloads: {p: {runtime: vm, package: {name: other}}}\nservices: {s: {payload: p}}\n";
    files.push(file("asks.yaml", app));
    session.receive(Request::Files { revision: 2, files });
    let Some(Response::Checked { blocking, .. }) = session.step() else { panic!("not checked") };
    assert!(blocking > 0, "what asks for it cannot be planned");
}

#[test]
fn examples_have_no_problems() {
    // The example of services shows a deletion that can get stuck, so it has a warning.
    for example in EXAMPLES.iter().filter(|it| it.tab != ui::Tab::Services) {
        let mut session = Session::with(Parts::all());
        session.receive(Request::Files { revision: 1, files: example.shipped() });
        let Some(Response::Checked { check, .. }) = session.step() else { panic!("not checked") };
        assert_eq!(check.diagnostics, [], "{}", example.title);
    }
}
