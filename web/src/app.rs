//! The page: the state in a reducer, the engine beside it, and what shows both.

mod bars;
mod context;
mod drop;
mod effects;
mod handlers;
mod keys;
pub mod lazy;
mod live;
pub mod panes;
mod run;
mod saving;
mod view;

use std::rc::Rc;

use gloo::utils::window;
use ui::{Tab, views::Same};
use yew::prelude::*;

use crate::{
    examples, home, host,
    state::{Action, Bar, Document, State},
    storage::{self, Snapshot, Stored},
};

/// Starts the page, once what was kept is read.
pub fn start() {
    home::enter();
    wasm_bindgen_futures::spawn_local(async {
        let stored = if home::has_files() {
            lazy::open_served().await.unwrap_or_else(storage::nothing_served)
        } else {
            storage::load().await
        };
        let example = if stored.latest.is_none() { first_example().await } else { None };
        let first = Same::new(FirstPage { stored, example });
        let document = gloo::utils::document();
        let root = document.get_element_by_id("app").or_else(|| document.body().map(Into::into));
        if let Some(root) = root {
            root.set_inner_html("");
            yew::Renderer::<view::App>::with_root_and_props(root, view::AppProps { first }).render();
        }
    });
}

/// The state as the page's reducer.
#[derive(Clone, Debug)]
pub(crate) struct Store(pub State);

impl Reducible for Store {
    type Action = Action;

    fn reduce(self: Rc<Self>, action: Action) -> Rc<Self> {
        let mut store = Rc::unwrap_or_clone(self);
        store.0.history.set_clock(host::time());
        store.0.act(action);
        Rc::new(store)
    }
}

/// The data that the page opens with.
#[derive(Clone, Debug)]
pub(crate) struct FirstPage {
    /// The stored workspace and screen.
    pub(crate) stored: Stored,
    /// On the first visit, an example.
    example: Option<FirstExample>,
}

/// The example that a first visit opens.
#[derive(Clone, Debug)]
struct FirstExample {
    document: Document,
    tab: Tab,
    /// No link has named it: the visitor has to be shown what this is.
    welcomes: bool,
}

/// The example that the address names, or the first one; `None` where it could not be read.
async fn first_example() -> Option<FirstExample> {
    let at_home = home::token().is_some();
    let fragment = window().location().hash().unwrap_or_default();
    let named = examples::in_fragment(&fragment);
    // A link that holds a workspace, or names another example, has its own words.
    let is_plain = fragment.is_empty() || fragment == "#";
    if named.is_some() {
        home::forget_fragment();
    }
    let example = named.unwrap_or(examples::first(at_home));
    let document = example.document().await?;
    Some(FirstExample { document, tab: example.tab, welcomes: named.is_none() && is_plain && !at_home })
}

/// The initial state of the page: the stored workspace, or an example.
fn first(page: &FirstPage) -> Store {
    let mut screen = page.stored.screen.clone();
    if let Some(Snapshot { document, pristine, history }) = page.stored.latest.clone() {
        let mut state = State::new(document, screen, pristine);
        state.history = history;
        return Store(state);
    }
    let Some(FirstExample { document, tab, welcomes }) = page.example.clone() else {
        return Store(State::new(Document::default(), screen, true));
    };
    screen.tab = tab;
    let mut state = State::new(document, screen, true);
    if welcomes {
        state.act(Action::Raise(Bar::Welcome));
    }
    Store(state)
}
