//! The requirements, each with its range of versions and a field to try others.

use web_sys::HtmlInputElement;
use workspace::view::RequirementView;
use yew::prelude::*;

use super::{
    VersionsEvent, name,
    show::Show,
    what_if::{Draft, Ranges, outcome, use_draft},
};
use crate::{LayerBadge, focus::focus_by_id, layer_mark};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct RequirementsProps {
    pub(super) show: Show,
    /// Called with the id of the selected version to show.
    pub(super) on_look: Callback<String>,
}

/// The context that the rows share.
struct Rows<'r> {
    show: &'r Show,
    draft: &'r Draft,
    on_draft: &'r Callback<Ranges>,
    on_look: &'r Callback<String>,
    channels: bool,
}

#[component]
pub(super) fn Requirements(props: &RequirementsProps) -> Html {
    let show = &props.show;
    let (draft, on_draft) = use_draft(show);
    if show.view.requirements.is_empty() {
        return html! { <p class="versions-note">{ "No package is required." }</p> };
    }
    let channels = show.view.requirements.iter().any(|it| !it.channels.is_empty());
    let rows = Rows { show, draft: &draft, on_draft: &on_draft, on_look: &props.on_look, channels };
    html! {
        <table class={classes!("versions-table", "versions-asked", channels.then_some("with-channels"))}>
            <thead><tr>
                <th scope="col">{ "Required by" }</th>
                <th scope="col">{ "Package" }</th>
                <th scope="col" title="Type another range to see what would be chosen">{ "Versions" }</th>
                if channels { <th scope="col">{ "Channels" }</th> }
                <th scope="col">{ "Gets" }</th>
            </tr></thead>
            <tbody>{ for show.view.requirements.iter().enumerate().map(|(at, it)| rows.row(at, it)) }</tbody>
        </table>
    }
}

impl Rows<'_> {
    fn row(&self, at: usize, it: &RequirementView) -> Html {
        let columns = if self.channels { "5" } else { "4" };
        let tried = self.draft.of(&it.name);
        html! {
            <>
                <tr key={it.name.clone()} class={classes!(tried.is_some().then_some("trying"))}>
                    <th scope="row">{ who(self.show, at, it) }</th>
                    <td data-label="Package">{ self.show.package(&it.package) }
                        if let Some(catalog) = &it.catalog { <span class="muted">{ format!(" from {catalog}") }</span> }</td>
                    <td data-label="Versions">{ self.field(it, tried) }</td>
                    if self.channels { <td data-label="Channels">{ it.channels.join(", ") }</td> }
                    <td data-label="Gets">{ self.gets(it) }</td>
                </tr>
                if self.draft.is_shown_at(&it.name) {
                    <tr key={format!("{}?", it.name)} class="versions-if"><td colspan={columns}>
                        <div role="status" aria-live="polite">{ outcome(self.show, self.draft) }</div>
                        { self.buttons() }
                    </td></tr>
                }
            </>
        }
    }

    /// The range of versions; another one is tried as it is typed.
    fn field(&self, it: &RequirementView, tried: Option<&str>) -> Html {
        let written = it.version.clone().unwrap_or_default();
        let value = tried.map_or_else(|| written.clone(), str::to_owned);
        let oninput = {
            let (draft, on_draft, requirement) = (self.draft.clone(), self.on_draft.clone(), it.name.clone());
            Callback::from(move |event: InputEvent| {
                let text = event.target_unchecked_into::<HtmlInputElement>().value();
                on_draft.emit(draft.with(&requirement, (text != written).then_some(text)));
            })
        };
        let onkeydown = {
            let (write, reset) = (self.writes(), self.on_draft.clone());
            let (without, trying) = (self.draft.with(&it.name, None), tried.is_some());
            Callback::from(move |event: KeyboardEvent| match event.key().as_str() {
                "Enter" if trying => write.emit(()),
                "Escape" if trying => {
                    event.stop_propagation();
                    reset.emit(without.clone());
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
    fn writes(&self) -> Callback<()> {
        let ranges = self.draft.ranges.iter().filter_map(|(name, version)| {
            let mut requested = self.show.view.requirements.iter();
            Some((requested.find(|it| it.name == *name)?.clone(), version.trim().to_owned()))
        });
        let ranges: Vec<_> = ranges.collect();
        let (on_event, on_draft) = (self.show.on_event.clone(), self.on_draft.clone());
        Callback::from(move |()| {
            on_draft.emit(Vec::new());
            on_event.emit(VersionsEvent::Write(ranges.clone()));
        })
    }

    fn buttons(&self) -> Html {
        let count = self.draft.ranges.len();
        let write = self.writes().reform(|_: MouseEvent| ());
        let reset = self.on_draft.reform(|_: MouseEvent| Vec::new());
        html! {
            <p class="versions-buttons">
                <button type="button" class="primary-button" onclick={write}>
                    { if count > 1 { format!("Write all {count} changes") } else { "Write to the file".into() } }</button>
                <button type="button" class="quiet-button" onclick={reset}>{ "Reset" }</button>
                <span class="versions-note versions-keys"><kbd>{ "Enter" }</kbd>{ " writes, " }<kbd>{ "Esc" }</kbd>{ " resets" }</span>
            </p>
        }
    }

    /// The version that was chosen for it, as a link to the reason.
    fn gets(&self, it: &RequirementView) -> Html {
        let Some(id) = &it.chosen else {
            return html! { <span class="versions-none"><span aria-hidden="true">{ "✕ " }</span>{ "nothing" }</span> };
        };
        let at = self.show.view.selection.iter().position(|other| other.id == *id);
        let chosen = at.and_then(|at| self.show.view.selection.get(at));
        let said = match chosen {
            Some(chosen) if chosen.package == it.package => chosen.version.clone(),
            _ => name::of_id(id),
        };
        let onclick = {
            let (on_look, id) = (self.on_look.clone(), id.clone());
            Callback::from(move |_: MouseEvent| {
                on_look.emit(id.clone());
                at.into_iter().for_each(|at| focus_by_id(format!("versions-chosen-{at}")));
            })
        };
        html! { <button type="button" class="link versions-name" title="why this version" {onclick}>{ said }</button> }
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
