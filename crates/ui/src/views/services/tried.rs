//! A field to try a name or a path in.

use std::rc::Rc;

use gloo::timers::callback::Timeout;
use web_sys::HtmlInputElement;
use workspace::view::{NameProblemView, NameView, TriedMethodView, TriedTextView};
use yew::prelude::*;

use super::{ServicesQuestion, show::Show};
use crate::{IconName, views::prose::prose};

/// The pause after the last keystroke before the engine is asked, in milliseconds.
const PAUSE: u32 = 80;

/// The text that was typed, and the answer to it.
#[derive(Clone, Debug, Default, PartialEq)]
struct Tried {
    text: String,
    answer: Option<Rc<TriedTextView>>,
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TryProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Try(TryProps { show }: &TryProps) -> Html {
    let text = use_state_eq(String::new);
    let tried = use_state_eq(Tried::default);
    {
        let (setter, on_ask) = (tried.setter(), show.on_ask.clone());
        // The files may change under a text.
        use_effect_with(((*text).clone(), show.view.clone()), move |(text, _)| {
            let text = text.clone();
            let timeout =
                (!text.trim().is_empty()).then(|| Timeout::new(PAUSE, move || ask(&on_ask, text, setter)));
            move || drop(timeout)
        });
    }
    let oninput = {
        let text = text.clone();
        Callback::from(move |event: InputEvent| {
            text.set(event.target_unchecked_into::<HtmlInputElement>().value());
        })
    };
    let onkeydown = {
        let text = text.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" && !text.is_empty() {
                event.stop_propagation();
                text.set(String::new());
            }
        })
    };
    let answer = tried.answer.clone().filter(|_| !text.trim().is_empty());
    html! {
        <div class="services-try">
            <label class="pane-search">
                { IconName::Search.html() }
                <input type="text" value={(*text).clone()} placeholder="Try a name or a path" aria-label="Try a name or a path"
                    spellcheck="false" autocomplete="off" autocapitalize="off" {oninput} {onkeydown} />
            </label>
            <div class="services-answer" role="status" aria-live="polite">
                if let Some(answer) = answer { { said(show, &tried.text, &answer) } }
            </div>
        </div>
    }
}

fn ask(on_ask: &Callback<ServicesQuestion>, text: String, setter: UseStateSetter<Tried>) {
    let requested = text.clone();
    let then = Callback::from(move |answer| {
        setter.set(Tried { text: requested.clone(), answer: Some(answer) });
    });
    on_ask.emit(ServicesQuestion::Try { text, then });
}

fn said(show: &Show, text: &str, answer: &TriedTextView) -> Html {
    html! {
        <>
            { for answer.methods.iter().map(|it| method(show, it)) }
            { for answer.names.iter().map(|it| name(show, it)) }
            if let Some(it) = &answer.problem { { problem(text, it) } }
        </>
    }
}

fn method(show: &Show, it: &TriedMethodView) -> Html {
    html! {
        <p class="services-route">
            <span class={format!("services-http http-{}", it.http.to_ascii_lowercase())}>{ &it.http }</span>
            <span class="services-name">{ &it.method }</span>
            <span class="services-permission">{ &it.permission }</span>
            { show.place(&it.location) }
        </p>
    }
}

fn name(show: &Show, it: &NameView) -> Html {
    html! {
        <div class="services-read">
            <p><span class="services-ok" aria-hidden="true">{ "✓ " }</span>{ "A name of " }{ show.kind(&it.type_name) }
                if it.is_wildcard { { ", with wildcards" } }</p>
            <p>{ super::tree::pattern(&it.pattern) }</p>
            <dl class="services-ids">{ for it.ids.iter().map(|it| html! {
                <><dt>{ &it.variable }</dt><dd>{ &it.id }</dd></>
            }) }</dl>
        </div>
    }
}

/// The problem, with its place marked in the text.
fn problem(text: &str, it: &NameProblemView) -> Html {
    let at = text.floor_char_boundary(usize::try_from(it.byte).unwrap_or(usize::MAX).min(text.len()));
    let (before, after) = text.split_at(at);
    html! {
        <div class="services-wrong">
            <p class="services-marked"><span>{ before.to_owned() }</span><mark>{ if after.is_empty() { "…" } else { after }.to_owned() }</mark></p>
            <p>{ prose(&it.message) }</p>
            if !it.help.is_empty() { <p class="muted">{ prose(&it.help) }</p> }
        </div>
    }
}
