//! The versions of a state: a slider over them, and how each differs from now or from another.

use std::rc::Rc;
use workspace::view::StateChange;
use workspace::view::words::count;

use js_sys::Date;
use wasm_bindgen::JsValue;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

use super::{LiveEvent, VersionItem};
use crate::tone_class;

/// The difference of one resource between two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The address of the resource.
    pub address: AttrValue,
    /// The kind of difference.
    pub change: StateChange,
    /// The places that are not the same: pointer, before, after.
    pub places: Vec<(String, String, String)>,
}

/// Two versions and their differences.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The one.
    pub version: u64,
    /// The other; `None` is now.
    pub with: Option<u64>,
    /// The differences, seen from the older version.
    pub found: Rc<Vec<Difference>>,
}

/// Properties of [`History`].
#[derive(Clone, Debug, PartialEq, Properties)]
pub struct HistoryProps {
    /// The versions, latest first.
    pub versions: Rc<Vec<VersionItem>>,
    /// The two versions that are compared, without a second one with now, and how they differ.
    pub compared: Option<Compared>,
    /// The state's serial now.
    pub serial: u64,
    /// True while an operation is under way.
    pub busy: bool,
    /// Called with the user's action.
    pub on_event: Callback<LiveEvent>,
}

/// The history of a state.
#[component]
pub fn History(props: &HistoryProps) -> Html {
    let (chosen, with) = (use_state(|| None::<u64>), use_state(|| None::<u64>));
    let count = props.versions.len();
    let serial = chosen.unwrap_or_else(|| props.versions.first().map_or(0, |it| it.serial));
    let wanted = (chosen.is_some() || with.is_some()).then_some((serial, *with));
    use_comparison(props, wanted);
    if count == 0 {
        return Html::default();
    }
    let at = props.versions.iter().position(|it| it.serial == serial).unwrap_or(0);
    let oninput = {
        let (chosen, versions) = (chosen.clone(), props.versions.clone());
        Callback::from(move |event: InputEvent| {
            let value = event.target_unchecked_into::<HtmlInputElement>().value_as_number();
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is one of the range"
            )]
            let at = count.saturating_sub(1).saturating_sub(value as usize);
            if let Some(version) = versions.get(at) {
                chosen.set(Some(version.serial));
            }
        })
    };
    let onchange = {
        let with = with.clone();
        Callback::from(move |event: Event| {
            with.set(event.target_unchecked_into::<HtmlSelectElement>().value().parse().ok());
        })
    };
    let Some(version) = props.versions.get(at) else { return Html::default() };
    let restore = props.on_event.reform(move |_: MouseEvent| LiveEvent::Restore(serial));
    let compared = props.compared.as_ref().filter(|it| it.version == serial && it.with == *with);
    let is_other = with.unwrap_or(props.serial) != serial;
    html! {
        <section class="inputs-section history" aria-label="History">
            <div class="inputs-head">
                <h3>{ "History" }</h3>
                <p class="inputs-what"><span>{ said(version) }</span>
                    if serial == props.serial { <span class="muted">{ "the current revision" }</span> }</p>
                <span class="inputs-buttons">
                    <button type="button" class="button" disabled={props.busy || serial == props.serial} onclick={restore}
                        title="Records the content of this revision again; no resource is changed">{ "Restore" }</button>
                </span>
            </div>
            if count > 1 {
                <input class="history-slider" type="range" min="0" max={(count - 1).to_string()} step="1"
                    value={(count - 1 - at).to_string()} aria-label="Revision" aria-valuetext={said(version)} {oninput} />
                <label class="history-with muted">{ "Compared with " }
                    <select {onchange}>
                        <option value="" selected={with.is_none()}>{ "now" }</option>
                        { for props.versions.iter().map(|it| html! {
                            <option value={it.serial.to_string()} selected={*with == Some(it.serial)}>{ format!("revision {}", it.serial) }</option>
                        }) }
                    </select>
                </label>
            }
            if let Some(Compared { found, .. }) = compared.filter(|_| is_other) {
                <div class="history-diff">
                    <p class="muted">{ if found.is_empty() { "The same resources in both." } else { "What changed from the older to the newer:" } }</p>
                    <ul>{ for found.iter().map(difference) }</ul>
                </div>
            }
        </section>
    }
}

/// Asks how two revisions differ when they are chosen, and again when the answer was dropped because there are new revisions.
#[hook]
fn use_comparison(props: &HistoryProps, wanted: Option<(u64, Option<u64>)>) {
    let is_answered = props.compared.as_ref().map(|it| (it.version, it.with)) == wanted;
    let on_event = props.on_event.clone();
    use_effect_with((wanted, props.versions.clone(), is_answered), move |(wanted, _, is_answered)| {
        if let Some((version, with)) = wanted.filter(|_| !is_answered) {
            on_event.emit(LiveEvent::Compare { version, with });
        }
    });
}

fn difference(it: &Difference) -> Html {
    const SHOWN: usize = 6;
    let (class, sign) = (tone_class(it.change.tone()), it.change.symbol());
    html! {
        <li class={class}><span class="action-symbol" aria-hidden="true">{ sign }</span>
            <strong>{ &it.address }</strong>{ " " }<span class="muted">{ it.change.as_str() }</span>
            if it.change == StateChange::Changed {
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
    let resources = count(resources, "resource");
    if at == 0 {
        return format!("Revision {serial}, {resources}");
    }
    let time = Date::new(&JsValue::from_f64(at as f64)).to_locale_string("default", &JsValue::UNDEFINED);
    format!("Revision {serial}, {resources}, {}", String::from(time))
}
