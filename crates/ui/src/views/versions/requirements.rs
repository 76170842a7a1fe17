//! What is asked for, each with its range of versions to try others in.

use web_sys::HtmlInputElement;
use workspace::view::RequirementView;
use yew::prelude::*;

use super::{
    VersionsEvent, name,
    show::{Show, focus_soon},
    what_if::{Draft, outcome, use_draft},
};
use crate::{LayerBadge, layer_mark};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct RequirementsProps {
    pub(super) show: Show,
    /// Called with the id of what is to be looked at.
    pub(super) on_look: Callback<String>,
}

#[component]
pub(super) fn Requirements(props: &RequirementsProps) -> Html {
    let show = &props.show;
    let (draft, on_draft) = use_draft(show);
    if show.view.requirements.is_empty() {
        return html! { <p class="versions-note">{ "Nothing asks for a package." }</p> };
    }
    let channels = show.view.requirements.iter().any(|it| !it.channels.is_empty());
    html! {
        <table class={classes!("versions-table", "versions-asked", channels.then_some("with-channels"))}>
            <thead><tr>
                <th scope="col">{ "Who asks" }</th>
                <th scope="col">{ "Package" }</th>
                <th scope="col" title="Type another range to see what would be chosen">{ "Versions" }</th>
                if channels { <th scope="col">{ "Channels" }</th> }
                <th scope="col">{ "Gets" }</th>
            </tr></thead>
            <tbody>
                { for show.view.requirements.iter().enumerate().map(|(at, it)| {
                    let draft = draft.as_ref().filter(|draft| draft.requirement == it.name);
                    row(props, at, it, draft, channels, &on_draft)
                }) }
            </tbody>
        </table>
    }
}

fn row(
    props: &RequirementsProps,
    at: usize,
    it: &RequirementView,
    draft: Option<&Draft>,
    channels: bool,
    on_draft: &Callback<Option<(String, String)>>,
) -> Html {
    let show = &props.show;
    let columns = if channels { "5" } else { "4" };
    html! {
        <>
            <tr key={it.name.clone()} class={classes!(draft.is_some().then_some("trying"))}>
                <th scope="row">{ who(show, at, it) }</th>
                <td data-label="Package">{ show.package(&it.package) }
                    if let Some(catalog) = &it.catalog { <span class="muted">{ format!(" from {catalog}") }</span> }</td>
                <td data-label="Versions">{ field(show, it, draft, on_draft) }</td>
                if channels { <td data-label="Channels">{ it.channels.join(", ") }</td> }
                <td data-label="Gets">{ gets(props, it) }</td>
            </tr>
            if let Some(draft) = draft {
                <tr key={format!("{}?", it.name)} class="versions-if"><td colspan={columns}>
                    <div role="status" aria-live="polite">{ outcome(show, draft) }</div>
                    { buttons(show, it, draft, on_draft) }
                </td></tr>
            }
        </>
    }
}

fn who(show: &Show, at: usize, it: &RequirementView) -> Html {
    let id = format!("versions-asks-{at}");
    let Some(place) = it.origin.clone() else {
        return html! { <span {id} class="versions-name" tabindex="-1">{ &it.name }</span> };
    };
    let layer = LayerBadge::of(&show.layers, &place.file).map(|it| layer_mark(it, false));
    let title = format!("go to {}, line {}", place.file, place.line);
    let onclick = show.on_goto.reform(move |_: MouseEvent| place.clone());
    html! {
        <button type="button" {id} class="versions-who" {title} {onclick}>
            { layer.unwrap_or_default() }<span class="versions-name">{ &it.name }</span>
        </button>
    }
}

/// The range of versions; another one is tried as it is typed.
fn field(
    show: &Show,
    it: &RequirementView,
    draft: Option<&Draft>,
    on_draft: &Callback<Option<(String, String)>>,
) -> Html {
    let written = it.version.clone().unwrap_or_default();
    let value = draft.map_or_else(|| written.clone(), |draft| draft.version.clone());
    let oninput = {
        let (on_draft, requirement, written) = (on_draft.clone(), it.name.clone(), written);
        Callback::from(move |event: InputEvent| {
            let text = event.target_unchecked_into::<HtmlInputElement>().value();
            on_draft.emit((text != written).then(|| (requirement.clone(), text)));
        })
    };
    let onkeydown = {
        let (write, on_draft, trying) =
            (writes(show, it, draft, on_draft), on_draft.clone(), draft.is_some());
        Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
            "Enter" if trying => write.emit(()),
            "Escape" if trying => {
                event.stop_propagation();
                on_draft.emit(None);
            }
            _ => {}
        })
    };
    html! {
        <input type="text" class="versions-range" {value} placeholder="any" spellcheck="false" autocomplete="off"
            autocapitalize="off" aria-label={format!("Versions of {} for {}", it.package, it.name)} {oninput} {onkeydown} />
    }
}

/// Writes the draft.
fn writes(
    show: &Show,
    it: &RequirementView,
    draft: Option<&Draft>,
    on_draft: &Callback<Option<(String, String)>>,
) -> Callback<()> {
    let version = draft.map(|draft| draft.version.trim().to_owned());
    let (on_event, on_draft, requirement) = (show.on_event.clone(), on_draft.clone(), it.clone());
    Callback::from(move |()| {
        if let Some(version) = version.clone() {
            on_draft.emit(None);
            on_event.emit(VersionsEvent::Write(requirement.clone(), version));
        }
    })
}

fn buttons(
    show: &Show,
    it: &RequirementView,
    draft: &Draft,
    on_draft: &Callback<Option<(String, String)>>,
) -> Html {
    let write = writes(show, it, Some(draft), on_draft).reform(|_: MouseEvent| ());
    let reset = on_draft.reform(|_: MouseEvent| None);
    html! {
        <p class="versions-buttons">
            <button type="button" class="primary-button" onclick={write}>{ "Write it" }</button>
            <button type="button" class="quiet-button" onclick={reset}>{ "Reset" }</button>
            <span class="versions-note"><kbd>{ "Enter" }</kbd>{ " writes, " }<kbd>{ "Esc" }</kbd>{ " resets" }</span>
        </p>
    }
}

/// What was chosen for it, as a link to why.
fn gets(props: &RequirementsProps, it: &RequirementView) -> Html {
    let Some(id) = &it.chosen else {
        return html! { <span class="versions-none"><span aria-hidden="true">{ "✕ " }</span>{ "nothing" }</span> };
    };
    let chosen = props.show.view.selection.iter().find(|other| other.id == *id);
    let said = match chosen {
        Some(chosen) if chosen.package == it.package => chosen.version.clone(),
        _ => name::of_id(id),
    };
    let onclick = {
        let (on_look, id) = (props.on_look.clone(), id.clone());
        let at = props.show.view.selection.iter().position(|other| other.id == id);
        Callback::from(move |_: MouseEvent| {
            on_look.emit(id.clone());
            at.into_iter().for_each(|at| focus_soon(format!("versions-chosen-{at}")));
        })
    };
    html! { <button type="button" class="link versions-name" title="why this version" {onclick}>{ said }</button> }
}
