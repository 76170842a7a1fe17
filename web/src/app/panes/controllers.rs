//! The Controllers view: the controllers that carry out plans, live.

use gloo::{events::EventListener, utils::document};
use ui::views::{
    ControllersPane,
    controllers::{ControllersEvent, ControllersState},
};
use web_sys::VisibilityState;
use workspace::view::GraphFormat;
use yew::prelude::*;

use crate::{
    app::{context::Context, lazy::Page},
    apply::{
        link::Link,
        message::{Answer, Question, Request},
    },
    state::{Phase, State},
};

/// The Controllers view.
pub fn view(page: &Page) -> Html {
    html! { <Controllers page={page.clone()} /> }
}

#[derive(Clone, PartialEq, Properties)]
struct ControllersProps {
    page: Page,
}

/// The worker reports the controllers as long as this view is visible.
#[component]
fn Controllers(ControllersProps { page }: &ControllersProps) -> Html {
    let context = &page.context;
    let is_on = context.state().applying.phase == Phase::On;
    use_effect_with(is_on, |is_on| {
        let look = |visible: bool| Link::of_page().send(Request::Inspect(visible));
        let is_on = *is_on;
        let listener = is_on.then(|| {
            look(true);
            EventListener::new(&document(), "visibilitychange", move |_| {
                look(document().visibility_state() == VisibilityState::Visible);
            })
        });
        move || {
            drop(listener);
            if is_on {
                look(false);
            }
        }
    });
    let on_event = {
        let context = context.clone();
        Callback::from(move |event| match event {
            ControllersEvent::Copy(format) => copy(&context, format),
            ControllersEvent::Retry => Link::of_page().open(),
        })
    };
    html! { <ControllersPane state={shown(context.state())} {on_event} /> }
}

fn shown(state: &State) -> ControllersState {
    match (&state.applying.phase, &state.applying.controllers) {
        (Phase::Failed(why), _) => ControllersState::Failed(why.clone().into()),
        (_, Some(snapshot)) => ControllersState::Live(snapshot.clone()),
        _ if state.document.files.is_blank() || state.answers.blocking > 0 => ControllersState::Nothing,
        _ => ControllersState::Starting,
    }
}

fn copy(context: &Context, format: GraphFormat) {
    let context = context.clone();
    let then = Callback::from(move |answer: Answer| {
        if let Answer::Text(text) = answer {
            context.copy(&text, "Copied the graph of the controllers");
        }
    });
    Link::of_page().ask(Question::Controllers(format), then);
}
