//! Keys that work everywhere on the page.

use std::{cell::RefCell, rc::Rc};

use gloo::{
    events::{EventListener, EventListenerOptions, EventListenerPhase},
    utils::document,
};
use ui::{Tab, case, dom};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};
use yew::prelude::*;

use super::context::{Context, Overlay};
use crate::state::Action;

/// Listens to the keys that work everywhere.
#[hook]
pub(super) fn use_keys(context: &Context) {
    let latest = use_mut_ref(|| context.clone());
    *latest.borrow_mut() = context.clone();
    use_effect_with((), move |()| {
        let undoing = before_editor(&latest);
        let options = EventListenerOptions::enable_prevent_default();
        let listener = EventListener::new_with_options(&document(), "keydown", options, move |event| {
            if let Some(event) = event.dyn_ref::<KeyboardEvent>().filter(|event| !event.default_prevented()) {
                let context = latest.borrow().clone();
                if press(&context, event) {
                    event.prevent_default();
                }
            }
        });
        move || drop((listener, undoing))
    });
}

/// Undo and redo of an editor know its own text only: edits of several files are taken back and made again as one change,
/// before the editor hears of the key.
fn before_editor(latest: &Rc<RefCell<Context>>) -> EventListener {
    let latest = latest.clone();
    let options = EventListenerOptions { phase: EventListenerPhase::Capture, passive: false };
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        let context = latest.borrow().clone();
        let key = event.dyn_ref::<KeyboardEvent>().filter(|key| is_in_editor(key));
        if let Some(action) = key.and_then(|key| of_edits(&context, key)) {
            event.prevent_default();
            event.stop_propagation();
            context.act(action);
        }
    })
}

fn is_in_editor(event: &KeyboardEvent) -> bool {
    let target = event.target().and_then(|it| it.dyn_into::<Element>().ok());
    target.is_some_and(|it| it.closest(".work-editor .cm-content").ok().flatten().is_some())
}

/// The action of an undo or redo key, if it concerns edits that one editor cannot undo or redo.
fn of_edits(context: &Context, event: &KeyboardEvent) -> Option<Action> {
    let state = context.state();
    of_history(event).filter(|action| match action {
        Action::Undo => state.history.undoes_edits(&state.document),
        _ => state.history.redoes_edits(),
    })
}

/// The action of a key: undo, redo or none.
fn of_history(event: &KeyboardEvent) -> Option<Action> {
    let command = (event.ctrl_key() || event.meta_key()) && !event.alt_key();
    match (case::lower(&event.key()).as_str(), command, event.shift_key()) {
        ("z", true, false) => Some(Action::Undo),
        ("z", true, true) | ("y", true, false) => Some(Action::Redo),
        _ => None,
    }
}

/// Runs the command of a key. Returns true if the key has one.
fn press(context: &Context, event: &KeyboardEvent) -> bool {
    let (key, code) = (event.key(), event.code());
    let command = event.ctrl_key() || event.meta_key();
    let writing = dom::is_writing(event);
    match (case::lower(&key).as_str(), command, event.shift_key(), event.alt_key()) {
        // A dialog that is open is answered first.
        ("k", true, false, false) if !has_dialog() => context.overlay.set(Overlay::Palette),
        ("s", true, false, false) => context.save(),
        ("z" | "y", true, ..) if !writing => match of_history(event) {
            Some(action) => context.act(action),
            None => return false,
        },
        ("?", false, _, false) if !writing => context.explain(),
        ("f6", false, backwards, false) => focus_pane(backwards),
        (_, false, false, true) => match tab(&code) {
            Some(tab) => context.act(Action::Show(tab)),
            None => return false,
        },
        _ => return false,
    }
    true
}

fn has_dialog() -> bool {
    document().query_selector("dialog[open]").ok().flatten().is_some()
}

fn tab(code: &str) -> Option<Tab> {
    let number: usize = code.strip_prefix("Digit")?.parse().ok()?;
    Tab::ALL.get(number.checked_sub(1)?).copied()
}

/// The parts of the page, and what takes the focus in each: the first of these that is there.
const PANES: [(&str, &[&str]); 5] = [
    (".top", &["button:not([disabled])"]),
    (".work-rail", &[".rail-open[aria-current]", ".rail-open", "button"]),
    (".work-editor", &[".cm-content", "textarea"]),
    (".work-view", &["[role=tab][aria-selected=true]"]),
    (".work-drawer", &["button"]),
];

/// Moves the focus to the next part of the page that is shown.
fn focus_pane(backwards: bool) {
    let focused = document().active_element();
    let holds = |(pane, _): &(&str, &[&str])| {
        focused.as_ref().and_then(|element| element.closest(pane).ok().flatten()).is_some()
    };
    let at = PANES.iter().position(holds);
    let count = PANES.len();
    let step = |from: usize| if backwards { (from + count - 1) % count } else { (from + 1) % count };
    let mut next = at.map_or(0, step);
    for _ in 0..count {
        if PANES.get(next).is_some_and(|(pane, inside)| focus_in(pane, inside)) {
            return;
        }
        next = step(next);
    }
}

fn focus_in(pane: &str, inside: &[&str]) -> bool {
    let Some(pane) = document().query_selector(pane).ok().flatten() else { return false };
    let found = inside.iter().find_map(|selector| pane.query_selector(selector).ok().flatten());
    let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) else {
        return false;
    };
    let shown = element.offset_parent().is_some();
    if shown {
        let _ = element.focus();
    }
    shown
}

/// The sheet of keys.
pub(super) fn sheet() -> Vec<(&'static str, Vec<(AttrValue, &'static str)>)> {
    let key = |key: &'static str| AttrValue::from(key);
    let chord = |key: &str| AttrValue::from(dom::chord(key));
    vec![
        (
            "Everywhere",
            vec![
                (chord("K"), "All commands"),
                (key("F6"), "Next part of the page"),
                (key("Alt 1 … 9"), Tab::TITLES_WITH_KEYS),
                (chord("Z"), "Undo, across files"),
                (chord("⇧ Z"), "Redo"),
                (
                    key("?"),
                    "Explain the selected resource, version or problem; elsewhere, show these shortcuts",
                ),
            ],
        ),
        (
            "Files",
            vec![
                (key("↑ ↓"), "Go through the files"),
                (key("Alt ↑ ↓"), "Move a file in the merge order"),
                (key("F2"), "Rename"),
                (key("M"), "Mute: leave out of the plan"),
                (key("S"), "Solo: mute all others"),
                (key("Delete"), "Delete"),
            ],
        ),
        (
            "Editor",
            vec![
                (key("F8"), "Next problem"),
                (chord("."), "Quick fixes"),
                (key("F1"), "Show details"),
                (key("F12"), "Go to the declaration"),
                (key("⇧ F12"), "Find all references"),
                (key("F2"), "Rename, in all files"),
                (chord("⇧ O"), "Outline of the file"),
                (key("⇧ Alt F"), "Format the file"),
                (chord("Space"), "Complete"),
                (chord("F"), "Find"),
                (key("Esc, then Tab"), "Leave the editor"),
                (key(if dom::is_mac() { "⇧⌥M" } else { "Ctrl M" }), "Switch what Tab does"),
            ],
        ),
        (
            "Graph",
            vec![
                (key("← →"), "Dependencies, dependents"),
                (key("↑ ↓"), "Other nodes of its wave"),
                (key("Enter"), "Focus its neighbourhood, unfold a group"),
                (key("/"), "Find, filter, group"),
                (key("F1"), "Show details"),
                (key("⌫"), "Fold its group"),
                (key("+ − 0"), "Zoom in, out, fit"),
            ],
        ),
    ]
}

/// A command that was given in the editor.
pub(super) fn editor_command(context: &Context, name: &str) {
    match name {
        "palette" => context.overlay.set(Overlay::Palette),
        "save" => context.save(),
        "rename" => context.overlay.set(Overlay::Rename),
        "references" => context.overlay.set(Overlay::References),
        "outline" => context.overlay.set(Overlay::Outline),
        "format" => context.overlay.set(Overlay::Format),
        "next-problem" => context.next_problem(1),
        "previous-problem" => context.next_problem(-1),
        _ => {}
    }
}

impl Context {
    /// Goes to the first problem of the next file that has one, or with -1 to the last of the one before.
    fn next_problem(&self, step: i32) {
        let state = self.state();
        let files = &state.document.files;
        let count = files.len() as i32;
        let at = state.document.selected.and_then(|key| files.position(key)).unwrap_or(0) as i32;
        let check = state.answers.check.clone();
        for distance in 1..=count {
            let position = (at + step * distance).rem_euclid(count.max(1)) as usize;
            let Some(file) = files.at(position) else { return };
            let of_file =
                |problem: &&workspace::view::DiagnosticView| problem.file.as_deref() == Some(&*file.name);
            let mut problems = check.iter().flat_map(|check| &check.diagnostics).filter(of_file);
            let found = if step > 0 { problems.next() } else { problems.next_back() };
            if let Some(place) = found.and_then(place) {
                return self.act(Action::Goto(place));
            }
        }
        self.say("There is no other problem");
    }
}

fn place(problem: &workspace::view::DiagnosticView) -> Option<workspace::view::LocationView> {
    Some(workspace::view::LocationView {
        file: problem.file.clone()?,
        line: problem.line?,
        column: problem.column?,
        end_line: problem.end_line?,
        end_column: problem.end_column?,
    })
}
