//! The page: the state in a reducer, the engine beside it, and what shows both.

mod bars;
mod context;
mod drop;
mod effects;
mod keys;
pub mod lazy;
mod live;
pub mod panes;
mod run;
mod saving;
mod view;

use std::rc::Rc;

use ui::views::Same;
use yew::prelude::*;

use crate::{
    examples::Example,
    home,
    state::{Action, State},
    storage::{self, Snapshot, Stored},
};

/// Starts the page, once what was kept is read.
pub fn start() {
    home::enter();
    wasm_bindgen_futures::spawn_local(async {
        let mut first = storage::load().await;
        if home::has_files() {
            let document = lazy::open_served().await.unwrap_or_default();
            let latest = Some(Snapshot { document, pristine: false });
            first = Stored { latest, saved: None, refused: false, is_elsewhere: true, ..first };
        }
        let first = Same::new(first);
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
        store.0.act(action);
        Rc::new(store)
    }
}

/// What the page shows first: what was kept, or the first example.
fn first(stored: &Stored) -> Store {
    let screen = stored.screen.clone();
    let state = match stored.latest.clone() {
        Some(Snapshot { document, pristine }) => State::new(document, screen, pristine),
        None => {
            let document = Example::first(home::token().is_some()).document();
            State::new(document, screen, true)
        }
    };
    Store(state)
}
