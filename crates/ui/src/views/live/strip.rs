//! The head of the State view: the target, the current activity, and the actions that are possible.

use std::rc::Rc;

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::{ApplyStatus, Doing, Fault, LiveEvent, seen};
use crate::{
    IconName,
    views::{problems::sentence, prose::prose},
};

/// Properties of [`strip`].
#[derive(Clone, Debug)]
pub struct StripProps {
    /// The state of applying; `None` while the code that applies is loaded.
    pub live: Option<Rc<ApplyStatus>>,
    /// The reason why it cannot be loaded.
    pub failed: Option<AttrValue>,
    /// True if the state records a resource.
    pub recorded: bool,
    /// The addresses at which a fault can be injected.
    pub addresses: Rc<Vec<String>>,
    /// The reason why keeping in sync cannot begin; `None` if it can.
    pub unwatchable: Option<&'static str>,
    /// Called with the user's action.
    pub on_event: Callback<LiveEvent>,
}

/// The state of applying, and the actions that are possible.
pub fn strip(props: &StripProps) -> Html {
    if let Some(why) = &props.failed {
        return html! {
            <div class="live-strip" role="alert">
                { IconName::Warning.html() }<p class="live-said">{ why }</p>
                { button(props, "Try again", LiveEvent::Retry, false) }
            </div>
        };
    }
    let Some(live) = &props.live else {
        return html! { <div class="live-strip" role="status"><p class="live-said muted">{ "Checking for drift" }</p></div> };
    };
    let busy = live.doing.is_busy();
    let watching = live.doing == Doing::Watching;
    let (simulated, adrift) = (live.adapter.is_empty(), live.adrift.is_some());
    html! {
        <>
            <div class="live-strip">
                <p class="live-said">
                    <strong title={live.adapter.clone()}>{ live.place() }</strong>
                    <span class="muted">{ place(live) }</span>
                    { seen(live) }
                </p>
                <span class="inputs-buttons">
                    { button(props, "Check for drift", LiveEvent::Look, busy || watching || adrift) }
                    { watch(props, watching, busy || adrift) }
                    { for live.offered.iter().filter(|it| **it != live.adapter).map(|it| offer(props, it, busy || watching)) }
                    if simulated {
                        { button(props, "Connect an adapter…", LiveEvent::Connect, busy || watching) }
                    } else {
                        { button(props, "Use the simulator", LiveEvent::Disconnect, busy || watching) }
                    }
                    if props.recorded {
                        <button type="button" class="button danger-quiet" disabled={busy || watching}
                            title={(busy || watching).then_some("Stop keeping in sync, or wait for the run, before you destroy everything")}
                            onclick={props.on_event.reform(|_: MouseEvent| LiveEvent::Destroy)}>{ "Destroy everything…" }</button>
                    }
                </span>
            </div>
            { notices(live, &props.on_event) }
            if simulated && !adrift { { simulator(props, live) } }
        </>
    }
}

/// The button that uses an adapter served beside the page.
fn offer(props: &StripProps, address: &str, disabled: bool) -> Html {
    let event = LiveEvent::Use(address.to_owned());
    let onclick = props.on_event.reform(move |_: MouseEvent| event.clone());
    let words = format!("Use {}", ApplyStatus::short(address));
    html! { <button type="button" class="button" title={address.to_owned()} {disabled} {onclick}>{ words }</button> }
}

/// The button that begins or ends a watch. Its title says that a watch repairs drift only.
fn watch(props: &StripProps, watching: bool, disabled: bool) -> Html {
    let onclick = props.on_event.reform(move |_: MouseEvent| LiveEvent::Watch(!watching));
    if watching {
        return html! { <button type="button" class="button" {disabled} {onclick}>{ "Stop keeping in sync" }</button> };
    }
    if let Some(why) = props.unwatchable.filter(|_| !disabled) {
        return html! {
            <span class="tooltip-host">
                <button type="button" class="button" aria-disabled="true" aria-describedby="unwatchable">{ "Keep in sync" }</button>
                <span class="tooltip" role="tooltip" id="unwatchable">{ why }</span>
            </span>
        };
    }
    let title = "Restores what drifts from the recorded state. Changes of the files wait for Apply.";
    html! { <button type="button" class="button" {title} {disabled} {onclick}>{ "Keep in sync" }</button> }
}

fn button(props: &StripProps, words: &'static str, event: LiveEvent, disabled: bool) -> Html {
    let onclick = props.on_event.reform(move |_: MouseEvent| event.clone());
    html! { <button type="button" class="button" {disabled} {onclick}>{ words }</button> }
}

fn place(live: &ApplyStatus) -> Html {
    if live.opened && !live.shared.is_empty() {
        return html! { <>{ "The state is kept by planloom serve as " }<code>{ &live.shared }</code>{ ", the same in every browser and terminal." }</> };
    }
    Html::from(kept_here(live))
}

const fn kept_here(live: &ApplyStatus) -> &'static str {
    match (live.adapter.is_empty(), live.kept) {
        _ if !live.opened => "",
        (true, true) => "Creates nothing real. Its resources and the state are kept in this browser.",
        (false, true) => "The state is kept in this browser.",
        (_, false) => "This browser keeps nothing: the state is lost when the page is closed.",
    }
}

/// The notes, the error, and the holder of the lock.
pub fn notices(live: &ApplyStatus, on_event: &Callback<LiveEvent>) -> Html {
    let unlock = live.holder.as_ref().map(|holder| {
        let id = holder.id.clone();
        on_event.reform(move |_: MouseEvent| LiveEvent::Unlock(id.clone()))
    });
    html! {
        <>
            { for [&live.waiting, &live.restored, &live.note].map(|said| note(said)) }
            { absent(live, on_event) }
            if let Some((holder, unlock)) = live.holder.as_ref().zip(unlock) {
                <div class="live-note live-held" role="alert">{ IconName::Warning.html() }
                    <p>{ format!("The state is locked by {} ({}). Nothing can be applied here until that \
                                  run has finished.", holder.who, holder.operation) }</p>
                    <button type="button" class="button" onclick={unlock}
                        title="Only if that run no longer exists: otherwise it loses the state">{ "Remove the lock" }</button>
                </div>
            } else if let Some(error) = &live.error {
                <div class="live-note live-error" role="alert">{ IconName::Error.html() }
                    <p><strong>{ prose(&sentence(&error.message)) }{ "." }</strong>{ " " }<span class="muted">{ prose(&sentence(&error.help)) }</span></p>
                </div>
            }
        </>
    }
}

fn note(said: &str) -> Html {
    if said.is_empty() {
        return Html::default();
    }
    html! { <p class="live-note" role="status">{ IconName::Hint.html() }{ said }</p> }
}

/// The recorded resources that the simulator never had: they are planned to be created again, or can be imported.
fn absent(live: &ApplyStatus, on_event: &Callback<LiveEvent>) -> Html {
    if live.absent.is_empty() || live.doing != Doing::Idle || !live.adapter.is_empty() {
        return Html::default();
    }
    let onclick = on_event.reform(|_: MouseEvent| LiveEvent::Simulate);
    let (which, are) = match &*live.absent {
        [one] => (format!("{one}, which this state records"), "it"),
        all => (format!("{} resources that this state records", all.len()), "them"),
    };
    html! {
        <div class="live-note live-absent" role="status">{ IconName::Hint.html() }
            <p>{ format!("The simulator does not have {which}. The plan creates {are} again, unless you import {are}.") }</p>
            <button type="button" class="button" title={live.absent.join(", ")} {onclick}>
                { "Import into the simulator" }</button>
        </div>
    }
}

/// The speed of the simulator, and the faults to inject into it.
fn simulator(props: &StripProps, live: &ApplyStatus) -> Html {
    const PACES: [(u32, &str); 3] = [(0, "Instant"), (300, "Realistic"), (2_000, "Slow")];
    html! {
        <details class="inputs-section simulator">
            <summary>{ "Simulator" }<span class="muted">{ "Speed and faults" }</span></summary>
            <div class="simulator-body">
                <div class="segmented" role="group" aria-label="Speed">
                    { for PACES.into_iter().map(|(latency, words)| {
                        let onclick = props.on_event.reform(move |_: MouseEvent| LiveEvent::Latency(latency));
                        html! { <button type="button" class="toggle" {onclick}
                            aria-pressed={(live.latency == latency).to_string()}>{ words }</button> }
                    }) }
                </div>
                if !props.addresses.is_empty() { <Faults addresses={props.addresses.clone()} on_event={props.on_event.clone()} /> }
            </div>
        </details>
    }
}

#[derive(Clone, PartialEq, Properties)]
struct FaultsProps {
    addresses: Rc<Vec<String>>,
    on_event: Callback<LiveEvent>,
}

/// The fault to inject, and the address to inject it at.
///
/// The chosen address is kept here and each option has its address as its key: the list changes while it is open, and a
/// browser keeps the index of a choice, which is another resource then.
#[component]
fn Faults(props: &FaultsProps) -> Html {
    let chosen = use_state(|| None::<String>);
    let address = chosen
        .as_ref()
        .filter(|it| props.addresses.contains(it))
        .or(props.addresses.first())
        .cloned()
        .unwrap_or_default();
    let onchange = {
        let setter = chosen.setter();
        Callback::from(move |event: Event| {
            setter.set(event.target_dyn_into::<HtmlSelectElement>().map(|it| it.value()));
        })
    };
    let act = |words: &'static str, title: &'static str, fault: Fault| {
        let event = LiveEvent::Inject { fault, address: address.clone() };
        let onclick = props.on_event.reform(move |_: MouseEvent| event.clone());
        html! { <button type="button" class="button" {title} {onclick}>{ words }</button> }
    };
    let option = |of: &String| html! { <option key={of.as_str()} value={of.clone()} selected={*of == address}>{ of }</option> };
    html! {
        <span class="simulator-break">
            <select aria-label="Resource" {onchange}>{ for props.addresses.iter().map(option) }</select>
            { act("Remove", "The resource disappears, as after a crash", Fault::Remove) }
            { act("Modify", "A value changes outside of Planloom", Fault::Change) }
            { act("Fail the next call", "The next call for this resource fails", Fault::Fail) }
        </span>
    }
}
