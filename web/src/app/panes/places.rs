//! Places for drawings, which the engine finds.

use ui::views::PlacesQuestion;
use yew::prelude::*;

use crate::{app::context::Context, message::query::Places};

/// Asks the engine for the places of what is drawn.
pub(super) fn placing(context: &Context) -> Callback<PlacesQuestion> {
    let engine = context.engine.clone();
    Callback::from(move |PlacesQuestion { sizes, edges, then }: PlacesQuestion| {
        engine.ask(Places { sizes, edges }, then);
    })
}
