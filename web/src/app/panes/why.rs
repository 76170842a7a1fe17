//! Why something happens to the resource that is looked at.

use ui::{Why, why::chain};
use yew::prelude::*;

use crate::{
    app::{context::Overlay, lazy::Page},
    state::Action,
};

/// The dialog with the chain; nothing where the plan does not know the resource.
pub fn why(page: &Page) -> Html {
    let (context, state) = (&page.context, page.context.state());
    let on_close = {
        let overlay = context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    };
    let address = state.resource.clone().unwrap_or_default();
    let mut steps = state.plan().map(|plan| chain(plan, &address)).unwrap_or_default();
    if steps.is_empty() {
        steps.push(ui::WhyStep {
            resource: None,
            sentence: "Nothing happens to it: it is as the files describe it.".into(),
            place: None,
        });
    }
    let on_copied = {
        let context = context.clone();
        Callback::from(move |done| {
            context.say(if done {
                "Copied the reasons as Markdown"
            } else {
                "The browser does not allow copying"
            });
        })
    };
    html! {
        <Why address={AttrValue::from(address)} {steps} layers={page.layers.clone()} on_goto={context.does(Action::Goto)}
            {on_copied} {on_close} />
    }
}
