//! The dialogs of everything that can be done, and of the keys.

use std::rc::Rc;

use ui::{Palette, Shortcuts};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        keys,
        lazy::Page,
    },
    commands, storage,
};

/// The commands.
pub fn palette(page: &Page) -> Html {
    let context = &page.context;
    let commands = Rc::new(commands::all(context.state(), &storage::recent()));
    let on_run = {
        let context = context.clone();
        Callback::from(move |id: AttrValue| context.run(&id))
    };
    html! { <Palette {commands} {on_run} on_close={on_close(context)} /> }
}

/// The keys.
pub fn shortcuts(page: &Page) -> Html {
    html! { <Shortcuts groups={keys::sheet()} on_close={on_close(&page.context)} /> }
}

fn on_close(context: &Context) -> Callback<()> {
    let overlay = context.overlay.clone();
    Callback::from(move |()| overlay.set(Overlay::None))
}
