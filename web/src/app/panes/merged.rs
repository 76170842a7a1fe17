//! The Merged view.

use std::rc::Rc;

use ui::views::{MergedPane, SetValue};
use yew::prelude::*;

use super::{decoded::use_decoded, waiting};
use crate::{app::lazy::Page, state::Action};

/// The Merged view.
pub fn view(page: &Page) -> Html {
    html! { <Merged page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct MergedProps {
    page: Page,
}

#[component]
fn Merged(MergedProps { page }: &MergedProps) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let Some(merge) = use_decoded(state.answers.merge.as_ref(), Rc::new) else { return waiting() };
    let on_set = {
        let context = context.clone();
        Callback::from(move |SetValue { file, pointer, yaml }| context.set_value(file, pointer, yaml))
    };
    html! {
        <MergedPane {merge} layers={page.layers.clone()} stale={state.answers.model_stale}
            reveal={state.pointer.clone().map(AttrValue::from)} on_goto={context.does(Action::Goto)}
            on_set={Some(on_set)} />
    }
}
