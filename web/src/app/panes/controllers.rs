//! The Controllers view: what the worker tells, and what a person wants of it.

use gloo::{
    events::EventListener,
    utils::{document, window},
};
use ui::views::{ControllersPane, controllers::ControllersEvent};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::VisibilityState;
use workspace::view::GraphFormat;
use yew::prelude::*;

use crate::{app::lazy::Page, controllers::link::Link, state::Action};

/// The Controllers view.
pub fn view(page: &Page) -> Html {
    let on_say = page.context.does(|text| Action::Say { text, undo: false });
    html! { <Controllers {on_say} /> }
}

/// Properties of [`Controllers`].
#[derive(Clone, PartialEq, Properties)]
struct ControllersProps {
    /// Called with what is to be said for a moment.
    on_say: Callback<String>,
}

/// The view. The worker is notified when nobody looks, and is there still when somebody comes back.
#[component]
fn Controllers(props: &ControllersProps) -> Html {
    let link = use_memo((), |()| Link::of_page());
    let shown = use_state(|| link.shown());
    {
        let (link, shown) = (link.clone(), shown.setter());
        use_effect_with((), move |()| {
            link.open(Callback::from(move |now| shown.set(now)));
            let own = link.clone();
            let visibility = EventListener::new(&document(), "visibilitychange", move |_| {
                own.look(document().visibility_state() == VisibilityState::Visible);
            });
            move || {
                drop(visibility);
                link.close();
            }
        });
    }
    let on_event = {
        let (link, on_say) = (link.clone(), props.on_say.clone());
        Callback::from(move |event| match event {
            ControllersEvent::Copy(format) => copy(&link, format, &on_say),
            event => link.act(event),
        })
    };
    html! { <ControllersPane state={shown.state.clone()} refused={shown.refused.clone()} {on_event} /> }
}

fn copy(link: &Link, format: GraphFormat, on_say: &Callback<String>) {
    let on_say = on_say.clone();
    let name = match format {
        GraphFormat::Dot => "DOT",
        GraphFormat::Mermaid => "Mermaid",
        GraphFormat::Svg => "SVG",
    };
    let then = Callback::from(move |text: String| {
        let on_say = on_say.clone();
        spawn_local(async move {
            let copied = JsFuture::from(window().navigator().clipboard().write_text(&text)).await;
            on_say.emit(match copied {
                Ok(_) => format!("Copied the graph of the controllers as {name}"),
                Err(_) => "The browser does not allow copying".into(),
            });
        });
    });
    link.text(format, then);
}
