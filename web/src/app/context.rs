//! The context that every part of the page can reach.

use yew::prelude::*;

use super::Store;
use crate::{
    apply::link::Link,
    engine::Engine,
    state::{Action, State},
};

/// The dialog or panel that lies over the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Overlay {
    /// Nothing.
    #[default]
    None,
    /// The commands.
    Palette,
    /// The keys.
    Shortcuts,
    /// The review of a plan before it is carried out.
    Review,
    /// Connecting an adapter.
    Connect,
    /// The examples.
    Gallery,
    /// Renaming what the cursor is at.
    Rename,
    /// The places that name it.
    References,
    /// The outline of the open file.
    Outline,
    /// Formatting it.
    Format,
    /// The folder of the disk that the workspace was opened from.
    Folder,
    /// Saving into it.
    SaveFolder,
    /// The workspaces of this browser.
    Workspaces,
    /// The reasons for the action on the selected resource.
    Why,
}

/// The hidden file fields, by their purpose.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fields {
    /// Picks files.
    pub files: NodeRef,
    /// Picks a folder.
    pub folder: NodeRef,
    /// Picks a recorded state.
    pub state: NodeRef,
    /// Picks an observed state.
    pub observed: NodeRef,
}

/// The page's state and what can be done with it.
#[derive(Clone, Debug)]
pub(super) struct Context {
    pub store: UseReducerHandle<Store>,
    pub engine: Engine,
    pub link: Link,
    pub overlay: UseStateSetter<Overlay>,
    pub fields: Fields,
}

impl Context {
    /// Everything the app knows.
    pub(super) fn state(&self) -> &State {
        &self.store.0
    }

    /// Does something.
    pub(super) fn act(&self, action: Action) {
        self.store.dispatch(action);
    }

    /// Says something.
    pub(super) fn say(&self, text: impl Into<String>) {
        self.act(Action::Say { text: text.into(), undo: false });
    }

    /// A callback that may live as long as the page. It is called with a copy of the context: a handle of the store keeps each
    /// state that was read through it.
    pub(super) fn callback<T: 'static>(&self, then: impl Fn(&Self, T) + 'static) -> Callback<T> {
        let context = self.clone();
        Callback::from(move |argument| then(&context.clone(), argument))
    }

    /// A callback that does what `action` makes of its argument.
    pub(super) fn does<T: 'static>(&self, action: impl Fn(T) -> Action + 'static) -> Callback<T> {
        let dispatcher = self.store.dispatcher();
        Callback::from(move |argument| dispatcher.dispatch(action(argument)))
    }
}
