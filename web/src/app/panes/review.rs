//! The dialogs of applying: the review of a plan before it is carried out, and connecting an adapter.

use std::rc::Rc;

use ui::views::live::{ApplyStatus, Connect, Doing, Refusal, Review, UseState};
use yew::prelude::*;

use crate::{
    app::{
        context::{Context, Overlay},
        lazy::Page,
        live::events,
    },
    apply::{
        link::Link,
        message::{Answer, Question},
    },
    home, inputs,
    state::{Action, Input},
};

/// The dialog that a plan is approved in.
pub fn review(page: &Page) -> Html {
    let context = &page.context;
    let on_close = {
        let context = context.clone();
        Callback::from(move |()| context.cancel_review())
    };
    let state = context.state();
    if let Some(file) = &state.document.inputs.state {
        return use_file(context, file, on_close);
    }
    let applying = &state.applying;
    let plan = applying
        .plan
        .clone()
        .filter(|_| applying.live.revision == state.revision && state.doing() == Doing::Idle);
    let live: Rc<ApplyStatus> = applying.live.clone();
    html! { <Review {plan} {live} on_event={events(context)} {on_close} /> }
}

/// The dialog that makes a chosen state file the current state; the plan is approved after it.
fn use_file(context: &Context, file: &Input, on_close: Callback<()>) -> Html {
    let applying = &context.state().applying;
    let live = &applying.live;
    let target = (!live.adapter.is_empty()).then(|| AttrValue::from(live.place()));
    let on_use = {
        let context = context.clone();
        Callback::from(move |simulate| context.use_state(simulate))
    };
    html! {
        <UseState file={file.name.clone()} resources={inputs::count(file)} {target} {on_use} {on_close}
            replaced={applying.recorded.as_deref().map(inputs::count)} />
    }
}

/// The dialog that connects an adapter.
pub fn connect(page: &Page) -> Html {
    let on_close = {
        let overlay = page.context.overlay.clone();
        Callback::from(move |()| overlay.set(Overlay::None))
    };
    let on_say = page.context.does(|text| Action::Say { text, undo: false });
    html! { <Connecting {on_say} {on_close} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ConnectingProps {
    on_say: Callback<String>,
    on_close: Callback<()>,
}

/// The dialog that connects an adapter, with what came of asking it.
#[component]
fn Connecting(props: &ConnectingProps) -> Html {
    let (asking, refusal) = (use_state(|| false), use_state(|| None));
    let on_connect = {
        let (asking, refusal, props) = (asking.setter(), refusal.setter(), props.clone());
        Callback::from(move |(address, token): (String, String)| {
            asking.set(true);
            let (asking, refusal, props, said) =
                (asking.clone(), refusal.clone(), props.clone(), address.clone());
            let then = Callback::from(move |answer: Answer| {
                asking.set(false);
                if let Answer::Refused { what, help } = answer {
                    return refusal.set(Some(Refusal { what: what.into(), help: help.into() }));
                }
                props.on_say.emit(format!("Connected {said}"));
                props.on_close.emit(());
            });
            home::set_simulates(false);
            Link::of_page().ask(Question::Connect { address, token }, then);
        })
    };
    html! { <Connect asking={*asking} refusal={(*refusal).clone()} {on_connect} on_close={props.on_close.clone()} /> }
}
