//! The actions of users, and the state of the app after them.

use workspace::{
    File,
    view::{CheckView, EditView, LocationView},
};

use super::*;
use crate::{
    message::{Request, Response},
    session::Session,
    splice::Splice,
};

fn file(name: &str, text: &str) -> File {
    File { name: name.into(), text: text.into(), package: None }
}

fn state(files: &[(&str, &str)]) -> State {
    let files: Files = files.iter().map(|(name, text)| file(name, text)).collect();
    let document = Document { selected: files.at(0).map(|file| file.key), files, ..Document::default() };
    State::new(document, Screen::default(), false)
}

fn key(state: &State, name: &str) -> FileKey {
    state.document.files.named(name).map(|file| file.key).unwrap()
}

fn names(state: &State) -> Vec<String> {
    state.document.files.iter().map(|file| file.name.to_string()).collect()
}

fn text(state: &State, name: &str) -> String {
    state.document.files.named(name).map(|file| file.text.to_string()).unwrap()
}

fn letters(state: &State) -> Vec<String> {
    state.document.files.badges(&[]).iter().map(|badge| badge.letter.to_string()).collect()
}

fn place(file: &str, line: u32) -> LocationView {
    LocationView { file: file.into(), line, column: 1, end_line: line, end_column: 2 }
}

fn type_in(state: &mut State, name: &str, text: &str, at: f64) {
    let key = key(state, name);
    state.act(Action::Type { key, text: text.into(), at });
}

#[test]
fn typing_without_a_pause_is_one_change() {
    let mut state = state(&[("a", "1")]);
    for (text, at) in [("12", 0.0), ("123", 200.0), ("1234", 400.0), ("new", 5_000.0)] {
        type_in(&mut state, "a", text, at);
    }
    state.act(Action::Undo);
    assert_eq!(text(&state, "a"), "1234");
    state.act(Action::Undo);
    assert_eq!(text(&state, "a"), "1");
    state.act(Action::Redo);
    assert_eq!(text(&state, "a"), "1234");
}

#[test]
fn typing_in_another_file_is_another_change() {
    let mut state = state(&[("a", "1"), ("b", "2")]);
    type_in(&mut state, "a", "x", 0.0);
    type_in(&mut state, "b", "y", 10.0);
    state.act(Action::Undo);
    assert_eq!((text(&state, "a"), text(&state, "b")), ("x".into(), "2".into()));
}

#[test]
fn everything_that_is_done_to_files_can_be_undone() {
    let mut state = state(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let before = state.document.clone();
    let (a, b, c) = (key(&state, "a"), key(&state, "b"), key(&state, "c"));
    let actions = [
        Action::New,
        Action::Import { files: vec![file("a", "again")], from: "x".into() },
        Action::Rename { key: a, name: "z".into() },
        Action::Delete(b),
        Action::Move { key: c, to: 0 },
        Action::Edit {
            title: "fix".into(),
            edits: vec![EditView { location: place("c", 1), new_text: "9".into() }],
        },
        Action::SetInput {
            kind: InputKind::State,
            input: Some(Input { name: "s".into(), text: "{}".into() }),
        },
        Action::SetInputs(Inputs { knock_on_all: true, ..Inputs::default() }),
        Action::Open { document: Document::default(), title: "cleared".into() },
    ];
    for action in &actions {
        let revision = state.revision;
        state.act(action.clone());
        assert!(state.revision > revision, "{action:?} must be sent to the engine");
    }
    for _ in &actions {
        state.act(Action::Undo);
    }
    assert_eq!(state.document, before);
    for _ in &actions {
        state.act(Action::Redo);
    }
    assert!(state.document.files.is_empty());
}

#[test]
fn a_letter_stays_with_its_file() {
    let mut state = state(&[("a", ""), ("b", ""), ("c", "")]);
    assert_eq!(letters(&state), ["A", "B", "C"]);
    let (a, b) = (key(&state, "a"), key(&state, "b"));
    state.act(Action::Move { key: a, to: 2 });
    assert_eq!(letters(&state), ["B", "C", "A"]);
    state.act(Action::Delete(b));
    state.act(Action::Import { files: vec![file("d", "")], from: "x".into() });
    assert_eq!(letters(&state), ["C", "A", "B"]);
}

#[test]
fn names_are_unique() {
    let mut state = state(&[("a.yaml", ""), ("b.yaml", "")]);
    state.act(Action::Import { files: vec![file("a.yaml", "x")], from: "x".into() });
    assert_eq!(names(&state), ["a.yaml", "b.yaml", "a-2.yaml"]);
    let b = key(&state, "b.yaml");
    state.act(Action::Rename { key: b, name: "a.yaml".into() });
    assert_eq!(names(&state), ["a.yaml", "b.yaml", "a-2.yaml"]);
    assert!(state.toasts.iter().any(|toast| toast.text.contains("already")));
}

#[test]
fn dragging_is_one_change_and_can_be_given_up() {
    let mut state = state(&[("a", ""), ("b", ""), ("c", "")]);
    let a = key(&state, "a");
    state.act(Action::Grab);
    state.act(Action::Move { key: a, to: 1 });
    state.act(Action::Move { key: a, to: 2 });
    assert_eq!(names(&state), ["b", "c", "a"], "the order changes while a file is dragged");
    state.act(Action::Drop { keep: true });
    state.act(Action::Undo);
    assert_eq!(names(&state), ["a", "b", "c"]);
    state.act(Action::Grab);
    state.act(Action::Move { key: a, to: 2 });
    state.act(Action::Drop { keep: false });
    assert_eq!(names(&state), ["a", "b", "c"]);
    assert_eq!(state.history.undoes(), None);
}

#[test]
fn ordering_one_file_of_a_package_orders_them_all() {
    let package = |name: &str| File { package: Some("p.zip".into()), ..file(name, "") };
    let files: Files = [package("a"), package("b"), file("c", "")].into_iter().collect();
    let mut state = State::new(Document { files, ..Document::default() }, Screen::default(), false);
    let b = key(&state, "b");
    state.act(Action::Move { key: b, to: 0 });
    assert!(state.document.files.iter().all(|file| file.package.is_none()));
}

#[test]
fn an_import_takes_the_place_of_the_untouched_example() {
    let example = state(&[("example", "1")]).document;
    let mut state = State::new(example.clone(), Screen::default(), true);
    state.act(Action::Import { files: vec![file("mine", "2")], from: "x".into() });
    assert_eq!(names(&state), ["mine"]);
    state.act(Action::Import { files: vec![file("more", "3")], from: "x".into() });
    assert_eq!(names(&state), ["mine", "more"]);
    state.act(Action::Undo);
    state.act(Action::Undo);
    assert_eq!(state.document, example);
}

#[test]
fn deleting_the_open_file_opens_its_neighbour() {
    let mut state = state(&[("a", ""), ("b", "")]);
    let (a, b) = (key(&state, "a"), key(&state, "b"));
    state.act(Action::Delete(a));
    assert_eq!(state.document.selected, Some(b));
    state.act(Action::Delete(b));
    assert_eq!(state.document.selected, None);
}

#[test]
fn only_the_newest_answer_counts() {
    let mut state = state(&[("a", "1")]);
    let check = |format: &str| CheckView { format: format.into(), diagnostics: Vec::new() };
    let answer = |revision, format: &str| {
        let check = check(format);
        Action::Answer(Box::new(Response::Checked {
            revision,
            check,
            files: Vec::new(),
            blocking: 0,
            model_stale: false,
            plan_stale: false,
        }))
    };
    let first = state.revision;
    type_in(&mut state, "a", "2", 0.0);
    state.act(answer(first, "old"));
    assert!(state.answers.check.is_none());
    state.act(answer(state.revision, "new"));
    assert_eq!(state.answers.check.as_ref().map(|check| &*check.format), Some("new"));
}

/// All that an engine answers.
fn finish(session: &mut Session) -> Vec<Response> {
    let mut responses = Vec::new();
    while session.is_busy() {
        responses.extend(session.step());
    }
    responses
}

fn is_plan(response: &Response) -> bool {
    matches!(response, Response::Planned { .. })
}

#[test]
fn views_that_cross_an_edit_are_shown() {
    let good = "payloads:\n  p: {runtime: vm}\nservices:\n  web: {payload: p}\n";
    let mut state = state(&[("a", good)]);
    let mut session = Session::default();
    let (revision, files) = (state.revision, state.document.files.texts());
    session.receive(Request::Files { revision, files });
    let mut on_their_way = finish(&mut session);
    let commented = format!("{good}# the same");
    type_in(&mut state, "a", &commented, 0.0);
    let splice = Splice::between(good, &commented);
    session.receive(Request::Edit { revision: state.revision, file: "a".into(), splice });
    let answered = finish(&mut session);
    assert!(on_their_way.iter().any(is_plan) && !answered.iter().any(is_plan), "the same plan is sent once");
    on_their_way.extend(answered);
    on_their_way.into_iter().for_each(|it| state.act(Action::Answer(Box::new(it))));
    assert!(state.answers.plan.is_some());
    assert_eq!(state.answers.revision, state.revision);
}

#[test]
fn views_of_what_was_closed_are_not_shown() {
    let mut state = state(&[("a", "payloads: {p: {runtime: vm}}\n")]);
    let mut session = Session::default();
    let (revision, files) = (state.revision, state.document.files.texts());
    session.receive(Request::Files { revision, files });
    let on_their_way = finish(&mut session);
    type_in(&mut state, "a", "", 0.0);
    on_their_way.into_iter().for_each(|it| state.act(Action::Answer(Box::new(it))));
    assert!(state.answers.plan.is_none());
    assert_eq!(state.answers.since, state.revision, "the engine sends all views anew");
}

#[test]
fn going_to_a_place_opens_its_file() {
    let mut state = state(&[("a", ""), ("b", "")]);
    state.act(Action::Goto(place("b", 3)));
    assert_eq!(state.selected().map(|file| &*file.name), Some("b"));
    assert_eq!(state.screen.pane, Pane::Edit);
    let first = state.reveal.as_ref().map(|reveal| reveal.number);
    state.act(Action::Goto(place("b", 3)));
    assert!(
        state.reveal.as_ref().map(|reveal| reveal.number) > first,
        "the same place can be asked for again"
    );
    state.document.inputs.state = Some(std::rc::Rc::new(Input { name: "s.json".into(), text: "{}".into() }));
    state.act(Action::Goto(place("s.json", 1)));
    assert_eq!(state.screen.tab, Tab::State);
    state.act(Action::Goto(place("gone", 1)));
    assert_eq!(state.selected().map(|file| &*file.name), Some("b"));
}

#[test]
fn undo_does_not_bring_back_a_state_that_has_become_the_current_one() {
    let mut state = state(&[("a", "")]);
    let input = Some(Input { name: "s.json".into(), text: "{}".into() });
    state.act(Action::SetInput { kind: InputKind::State, input });
    type_in(&mut state, "a", "x", 0.0);
    state.act(Action::UseState);
    state.act(Action::Undo);
    assert_eq!((&*state.document.files.at(0).unwrap().text, &state.document.inputs.state), ("", &None));
    state.act(Action::Redo);
    assert_eq!(state.document.inputs.state, None);
    (0..3).for_each(|_| state.act(Action::Undo));
    assert_eq!(state.document.inputs.state, None);
}

#[test]
fn undo_of_an_edit_keeps_what_is_planned_against() {
    let chosen = |name: &str| Some(Input { name: name.into(), text: "{}".into() });
    let mut state = state(&[("a", "")]);
    state.act(Action::SetInput { kind: InputKind::State, input: chosen("11.json") });
    type_in(&mut state, "a", "x", 0.0);
    // A later page has another one, and the same history.
    state.document.inputs.state = chosen("20.json").map(Rc::new);
    state.act(Action::Undo);
    assert_eq!(text(&state, "a"), "");
    assert_eq!(state.document.inputs.state.as_deref(), chosen("20.json").as_ref());
    state.act(Action::SetInput { kind: InputKind::State, input: None });
    state.act(Action::Undo);
    assert_eq!(state.document.inputs.state.as_deref(), chosen("20.json").as_ref(), "this change chose it");
}

#[test]
fn only_the_last_change_can_be_undone_from_a_toast() {
    let mut state = state(&[("a", ""), ("b", "")]);
    let (a, b) = (key(&state, "a"), key(&state, "b"));
    state.act(Action::Delete(a));
    assert!(state.toasts.last().is_some_and(|toast| toast.undo));
    type_in(&mut state, "b", "x", 0.0);
    assert!(!state.toasts.iter().any(|toast| toast.undo));
    state.act(Action::Delete(b));
    assert_eq!(state.toasts.iter().filter(|toast| toast.undo).count(), 1);
}

#[test]
fn news_of_one_change_takes_the_place_of_the_last_and_leaves_other_words() {
    let mut state = state(&[("a.yaml", "x"), ("b.yaml", "y")]);
    let (a, b) = (key(&state, "a.yaml"), key(&state, "b.yaml"));
    state.act(Action::Say { text: "binary.yaml is not text.".into(), undo: false });
    state.act(Action::Delete(a));
    state.act(Action::Undo);
    state.act(Action::Delete(b));
    let said: Vec<&str> = state.toasts.iter().map(|toast| &*toast.text).collect();
    assert_eq!(said, ["binary.yaml is not text.", "Deleted b.yaml"]);
}

#[test]
fn a_new_file_is_where_one_goes_on_writing() {
    let mut state = state(&[("a.yaml", "x")]);
    state.act(Action::New);
    assert_eq!(state.selected().map(|file| &*file.name), Some("untitled.yaml"));
    assert_eq!(state.reveal.as_ref().map(|reveal| &*reveal.location.file), Some("untitled.yaml"));
    assert_eq!(state.screen.pane, Pane::Edit);
}

#[test]
fn a_name_without_an_ending_gets_one_and_that_is_said() {
    for (name, now, said) in [
        ("b.txt", "b.txt.yaml", "Renamed a.yaml to b.txt.yaml: descriptors end in .yaml"),
        ("c/d.yml", "c/d.yml", "Renamed a.yaml to c/d.yml"),
    ] {
        let mut state = state(&[("a.yaml", "")]);
        let a = key(&state, "a.yaml");
        state.act(Action::Rename { key: a, name: name.into() });
        assert_eq!(names(&state), [now]);
        assert_eq!(state.toasts.last().map(|toast| &*toast.text), Some(said));
    }
}

#[test]
fn the_problems_open_with_the_first_one_and_stay_as_they_are() {
    let mut state = state(&[("a.yaml", "x")]);
    assert!(!state.shows_drawer());
    let problem = |message: &str| workspace::view::DiagnosticView {
        code: "merge/kind".into(),
        severity: workspace::view::Severity::Error,
        message: message.into(),
        file: None,
        line: None,
        column: None,
        end_line: None,
        end_column: None,
        related: Vec::new(),
        help: None,
        fixes: Vec::new(),
    };
    let answer = |revision, diagnostics| {
        let check = CheckView { format: String::new(), diagnostics };
        Action::Answer(Box::new(Response::Checked {
            revision,
            check,
            files: Vec::new(),
            blocking: 0,
            model_stale: false,
            plan_stale: false,
        }))
    };
    state.act(answer(state.revision, vec![problem("wrong")]));
    assert!(state.shows_drawer());
    state.act(answer(state.revision, Vec::new()));
    assert!(state.shows_drawer(), "it does not jump when the last problem is solved");
    state.act(Action::FoldDrawer);
    assert!(!state.shows_drawer());
}

#[test]
fn a_bar_is_shown_once() {
    let mut state = state(&[]);
    state.act(Action::Raise(Bar::StorageFull));
    state.act(Action::Raise(Bar::StorageFull));
    assert_eq!(state.bars.len(), 1);
    state.act(Action::Lower(Bar::StorageFull));
    assert!(state.bars.is_empty());
}

#[test]
fn sizes_stay_usable() {
    let mut state = state(&[]);
    state.act(Action::Resize(Border::Editor, 3.0));
    state.act(Action::Resize(Border::Drawer, 9_999.0));
    assert_eq!((state.screen.editor, state.screen.drawer), (20.0, 600.0));
}

/// Receives a status of the worker.
fn tell(state: &mut State, live: ui::views::live::ApplyStatus) {
    let said = crate::apply::message::Response::Live(Box::new(live));
    state.act(Action::Hear(Box::new(News::Said(Box::new(said)))));
}

#[test]
fn a_plan_without_an_observation_is_not_shown() {
    use ui::views::live::ApplyStatus;

    let plan = serde_json::json!({
        "format": "planloom.plan/1", "mode": "apply", "deployment": "a", "serial": 0, "digest": "",
        "knock_on": "values", "actions": [], "summary": workspace::view::SummaryView::default(),
        "diagnostics": [],
    });
    let mut state = state(&[("a", "1")]);
    state.answers.plan = Some(Rc::new(serde_json::from_value(plan).unwrap()));
    assert!(state.plan().is_some(), "nobody looks yet");
    tell(&mut state, ApplyStatus { unseen: true, ..ApplyStatus::default() });
    assert!(state.plan().is_none());
    tell(&mut state, ApplyStatus::default());
    assert!(state.plan().is_some());
    let recorded = crate::apply::message::Response::Recorded(Some("{}".into()));
    state.act(Action::Hear(Box::new(News::Said(Box::new(recorded)))));
    assert!(state.plan().is_none(), "it takes what is recorded for new");
}

#[test]
fn a_mode_that_destroys_is_left_by_cancelling_and_not_brought_back_by_undo() {
    let mut state = state(&[("a", "1")]);
    let before = state.revision;
    state.act(Action::SetDestroy(true));
    assert!(state.revision > before, "the engine plans for it");
    assert_eq!(state.history.undoes(), None, "it is no change of what the user has");
    type_in(&mut state, "a", "2", 0.0);
    state.act(Action::SetDestroy(false));
    state.act(Action::Undo);
    assert!(!state.document.inputs.destroy);
    state.act(Action::Redo);
    assert!(!state.document.inputs.destroy);
}

#[test]
fn a_plan_of_the_other_mode_is_not_shown() {
    let plan = |mode: &str| {
        let plan = serde_json::json!({
            "format": "planloom.plan/1", "mode": mode, "deployment": "a", "serial": 1, "digest": "",
            "knock_on": "values", "actions": [], "summary": workspace::view::SummaryView::default(),
            "diagnostics": [],
        });
        Rc::new(serde_json::from_value(plan).unwrap())
    };
    let mut state = state(&[("a", "1")]);
    state.applying.phase = Phase::On;
    state.answers.plan = Some(plan("apply"));
    state.applying.plan = Some(plan("destroy"));
    let mode = |state: &State| state.plan().map(|plan| plan.mode);
    assert_eq!(mode(&state), Some(workspace::view::PlanMode::Apply));
    state.act(Action::SetDestroy(true));
    assert_eq!(mode(&state), Some(workspace::view::PlanMode::Destroy));
    state.applying.plan = None;
    assert_eq!(mode(&state), None);
}

#[test]
fn a_failed_run_is_shown_until_the_next_refresh() {
    use ui::views::live::{ApplyStatus, Doing, ErrorItem, Outcome};

    let has_failed = |runs: &[ApplyStatus]| {
        let mut state = state(&[("a", "1")]);
        runs.iter().for_each(|live| tell(&mut state, live.clone()));
        state.applying.has_failed()
    };
    let live = |doing, outcome: Option<Outcome>| ApplyStatus { doing, outcome, ..ApplyStatus::default() };
    let bad = || Some(Outcome { failed: 1, ..Outcome::default() });
    let good = || Some(Outcome { ok: true, ..Outcome::default() });
    let ran = [live(Doing::Applying, None), live(Doing::Looking, bad()), live(Doing::Idle, bad())];
    assert!(has_failed(&ran) && has_failed(&ran[..2]) && !has_failed(&ran[..1]));
    let again = [&ran[..], &[live(Doing::Looking, bad())]].concat();
    assert!(!has_failed(&again), "it was planned again");
    let rerun = [&ran[..], &[live(Doing::Applying, None), live(Doing::Looking, good())]].concat();
    assert!(!has_failed(&rerun));
    let refused = ApplyStatus { error: Some(ErrorItem::default()), ..live(Doing::Idle, None) };
    assert!(has_failed(&[live(Doing::Applying, None), live(Doing::Looking, None), refused.clone()]));
    assert!(!has_failed(&[live(Doing::Looking, None), refused]), "nothing was run");
}

#[test]
fn changes_of_another_tab_are_loaded_and_can_be_undone() {
    let mut state = state(&[("a", "1"), ("b", "2")]);
    let (before, b) = (state.document.clone(), key(&state, "b"));
    state.act(Action::Select(b));
    let mut theirs = before.clone();
    theirs.files.set_text(b, "3".into());
    let revision = state.revision;
    let mut history = History::default();
    history.record("typing in b", state.document.clone());
    state.act(Action::FollowTab { document: Box::new(theirs), history });
    assert!(state.revision > revision);
    assert_eq!(state.selected().map(|file| (&*file.name, &*file.text)), Some(("b", "3")));
    state.act(Action::Undo);
    assert_eq!(state.selected().map(|file| &*file.text), Some("2"));
}

#[test]
fn edits_of_a_text_that_has_changed_are_not_applied() {
    let mut state = state(&[("a", "x:  1\n")]);
    let (a, text) = (key(&state, "a"), Rc::<str>::from("x:  1\n"));
    let location = LocationView { file: "a".into(), line: 1, column: 3, end_line: 1, end_column: 5 };
    let edits = vec![EditView { location, new_text: " ".into() }];
    let format = |text: &Rc<str>| Action::EditOf {
        title: "format a".into(),
        edits: edits.clone(),
        key: a,
        text: text.clone(),
    };
    state.act(format(&"older\n".into()));
    assert_eq!(state.selected().map(|file| &*file.text), Some("x:  1\n"));
    state.act(format(&text));
    assert_eq!(state.selected().map(|file| &*file.text), Some("x: 1\n"));
    assert_eq!(state.history.undoes(), Some("format a"));
}

#[test]
fn edits_of_several_files_are_taken_back_as_one_also_after_typing_that_was_undone() {
    let mut state = state(&[("a", "1"), ("b", "2")]);
    let edit = |file: &str| EditView { location: place(file, 1), new_text: "9".into() };
    state.act(Action::Edit { title: "rename".into(), edits: vec![edit("a"), edit("b")] });
    assert!(state.history.undoes_edits(&state.document));
    type_in(&mut state, "a", "9x", 0.0);
    assert!(!state.history.undoes_edits(&state.document), "the editor takes back what was typed");
    type_in(&mut state, "a", "9", 5_000.0);
    assert!(state.history.undoes_edits(&state.document));
    state.act(Action::Undo);
    assert_eq!((text(&state, "a"), text(&state, "b")), ("1".into(), "2".into()));
    assert!(state.history.redoes_edits());
    state.act(Action::Redo);
    assert_eq!((text(&state, "a"), text(&state, "b")), ("9".into(), "9".into()));
}
