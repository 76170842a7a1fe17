//! The page: the state in a reducer, the engine beside it, and what shows both.

mod bars;
mod context;
mod controllers;
mod drop;
mod effects;
mod keys;
mod live;
mod panes;
mod run;
mod versions;
mod view;

use std::rc::Rc;

use yew::prelude::*;

use crate::{
    examples::Example,
    home,
    state::{Action, State},
    storage::{self, Stored},
};

/// Starts the page.
pub fn start() {
    let document = gloo::utils::document();
    let root = document.get_element_by_id("app").or_else(|| document.body().map(Into::into));
    if let Some(root) = root {
        root.set_inner_html("");
        yew::Renderer::<view::App>::with_root(root).render();
    }
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

/// What the page shows first: what was stored, or the first example.
fn first() -> Store {
    home::enter();
    let Stored { document, pristine, screen } = storage::load();
    let state = match document {
        Some(document) => State::new(document, screen, pristine),
        None => {
            let document = Example::first(home::token().is_some()).document();
            State::new(document, screen, true)
        }
    };
    Store(state)
}
