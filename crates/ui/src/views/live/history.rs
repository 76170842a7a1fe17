//! The versions of a state: a slider over them, and how each differs from now.

use std::rc::Rc;

use js_sys::Date;
use wasm_bindgen::JsValue;
use web_sys::HtmlInputElement;
use yew::prelude::*;

use super::{LiveEvent, VersionItem};

/// What became of one resource from a version until now.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Which.
    pub address: AttrValue,
    /// `added`, `removed`, `changed`.
    pub change: AttrValue,
    /// The places that are not the same: pointer, before, after.
    pub places: Vec<(String, String, String)>,
}

/// Properties of [`History`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct HistoryProps {
    /// The versions, latest first.
    pub versions: Rc<Vec<VersionItem>>,
    /// The version that is compared with now, and how that differs.
    pub compared: Option<(u64, Rc<Vec<Difference>>)>,
    /// The state's serial now.
    pub serial: u64,
    /// Something is under way.
    pub busy: bool,
    /// Called with what a person does.
    pub on_event: Callback<LiveEvent>,
}

/// The history of a state.
#[component]
pub fn History(props: &HistoryProps) -> Html {
    let chosen = use_state(|| None::<u64>);
    let count = props.versions.len();
    if count == 0 {
        return Html::default();
    }
    let serial = chosen.unwrap_or_else(|| props.versions.first().map_or(0, |it| it.serial));
    let at = props.versions.iter().position(|it| it.serial == serial).unwrap_or(0);
    let oninput = {
        let (chosen, props) = (chosen.clone(), props.clone());
        Callback::from(move |event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is one of the range"
            )]
            let at = count.saturating_sub(1).saturating_sub(value as usize);
            if let Some(version) = props.versions.get(at) {
                chosen.set(Some(version.serial));
                props.on_event.emit(LiveEvent::Compare(version.serial));
            }
        })
    };
    let Some(version) = props.versions.get(at) else { return Html::default() };
    let restore = props.on_event.reform(move |_: MouseEvent| LiveEvent::Restore(serial));
    let compared = props.compared.as_ref().filter(|(compared, _)| *compared == serial);
    html! {
        <section class="inputs-section history" aria-label="History">
            <div class="inputs-head">
                <h3>{ "History" }</h3>
                <p class="inputs-what"><span>{ said(version) }</span>
                    if serial == props.serial { <span class="muted">{ "as it is now" }</span> }</p>
                <span class="inputs-buttons">
                    <button type="button" class="button" disabled={props.busy || serial == props.serial} onclick={restore}
                        title="What was recorded then counts again; nothing real is changed by that">{ "Restore" }</button>
                </span>
            </div>
            <input class="history-slider" type="range" min="0" max={(count - 1).to_string()} step="1" disabled={count == 1}
                value={(count - 1 - at).to_string()} aria-label="Version" aria-valuetext={said(version)} {oninput} />
            if let Some((_, found)) = compared.filter(|_| serial != props.serial) {
                <div class="history-diff">
                    <p class="muted">{ if found.is_empty() { "The same resources as now." } else { "Since then:" } }</p>
                    <ul>{ for found.iter().map(difference) }</ul>
                </div>
            }
        </section>
    }
}

fn difference(it: &Difference) -> Html {
    const SHOWN: usize = 6;
    let (class, sign) = match &*it.change {
        "added" => ("action-create", "+"),
        "removed" => ("action-destroy", "−"),
        _ => ("action-update", "~"),
    };
    html! {
        <li class={class}><span class="action-symbol" aria-hidden="true">{ sign }</span>
            <strong>{ &it.address }</strong>{ " " }<span class="muted">{ &it.change }</span>
            if it.change == "changed" {
                <ul class="history-places">{ for it.places.iter().take(SHOWN).map(|(pointer, before, after)| html! {
                    <li><code>{ pointer }</code>{ format!(" {} → {}", shown(before), shown(after)) }</li>
                }) }</ul>
            }
        </li>
    }
}

fn shown(text: &str) -> &str {
    if text.is_empty() { "••••••" } else { text }
}

fn said(version: &VersionItem) -> String {
    let VersionItem { serial, at, resources } = *version;
    let things = if resources == 1 { "1 resource".to_owned() } else { format!("{resources} resources") };
    if at == 0 {
        return format!("Version {serial}, {things}");
    }
    let time = Date::new(&JsValue::from_f64(at as f64)).to_locale_string("default", &JsValue::UNDEFINED);
    format!("Version {serial}, {things}, {}", String::from(time))
}
