//! The handlers of events that parts of the page are given. They stay the same for as long as the page lives, so that a part
//! is drawn again only where what it shows has changed.

use std::rc::Rc;

use ui::{EditorEvents, RailEvent, TopEvent};
use yew::prelude::*;

use super::{context::Context, keys};
use crate::{
    editor, host,
    state::{Action, Bar},
};

/// The handlers of the parts of the page.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Handlers {
    pub(super) top: Callback<TopEvent>,
    pub(super) rail: Callback<RailEvent>,
    pub(super) editor: EditorEvents,
    pub(super) editor_missing: Callback<String>,
    pub(super) unsay: Callback<u64>,
    pub(super) undo: Callback<()>,
}

impl Handlers {
    /// The handlers that act on a context.
    pub(super) fn of(context: &Context) -> Self {
        Self {
            top: context.callback(Context::top),
            rail: context.callback(Context::rail),
            editor: EditorEvents {
                on_change: context
                    .callback(|context, (name, text): (String, Rc<str>)| context.type_text(&name, text)),
                on_goto: context.does(Action::Goto),
                on_fix: context.callback(|context, (problem, fix)| context.fix_at(problem, fix)),
                on_command: context.callback(|context, name: String| keys::editor_command(context, &name)),
                on_cursor: context.callback(|context, (line, column)| {
                    editor::remember_cursor(line, column);
                    context.point(line, column);
                }),
            },
            editor_missing: context.does(|_| Action::Raise(Bar::EditorMissing)),
            unsay: context.does(Action::Unsay),
            undo: context.does(|()| Action::Undo),
        }
    }
}

impl Context {
    /// Takes in a text as it is typed. The engine works on it while the page is drawn.
    fn type_text(&self, name: &str, text: Rc<str>) {
        if let Some(file) = self.state().document.files.named(name) {
            self.engine.type_text(name, &text);
            self.act(Action::Type { key: file.key, text, at: host::now() });
        }
    }
}
