//! The selection, each version with the reason.

use workspace::view::SelectedView;
use yew::prelude::*;

use super::{name, show::Show, why::Why};
use crate::{IconName, focus::focus_by_id, views::rove};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct SelectionProps {
    pub(super) show: Show,
    /// The id of the one that is open.
    pub(super) open: Option<String>,
    pub(super) on_open: Callback<Option<String>>,
}

#[component]
pub(super) fn Selection(props: &SelectionProps) -> Html {
    let all = &props.show.view.selection;
    if all.is_empty() {
        return html! { <p class="versions-note">{ "No version has to be selected." }</p> };
    }
    html! {
        <ul class="versions-chosen" onkeydown={Callback::from(walk)}>
            { for all.iter().enumerate().map(|(at, it)| row(props, at, it)) }
        </ul>
    }
}

fn row(props: &SelectionProps, at: usize, it: &SelectedView) -> Html {
    let open = props.open.as_ref() == Some(&it.id);
    let next = (!open).then(|| it.id.clone());
    let onclick = props.on_open.reform(move |_: MouseEvent| next.clone());
    html! {
        <li key={it.id.clone()} class={classes!("versions-row", open.then_some("open"))} data-version={it.id.clone()}>
            <button type="button" id={format!("versions-chosen-{at}")} class="versions-pick" aria-expanded={open.to_string()} {onclick}>
                { (if open { IconName::ChevronDown } else { IconName::ChevronRight }).html() }
                <span class="versions-what">
                    <span class="versions-package">{ name::of(it) }</span>
                    <span class="versions-from">{ from(it) }</span>
                </span>
                <span class="versions-step">
                    if let Some(previous) = it.previous.as_ref().filter(|previous| **previous != it.version) {
                        <s>{ previous }</s><span aria-label="to">{ " → " }</span>
                    }
                    <strong>{ &it.version }</strong>
                    if it.is_installed { <span class="tag">{ "installed" }</span> }
                </span>
            </button>
            if !it.wanted_by.is_empty() {
                <p class="versions-wanted"><span class="visually-hidden">{ "required by " }</span>
                    { for it.wanted_by.iter().map(|by| wanted(props, by)) }</p>
            }
            if open { <Why show={props.show.clone()} chosen={it.clone()} /> }
        </li>
    }
}

/// `stable · main`.
fn from(it: &SelectedView) -> String {
    let parts = [it.channel.as_str(), it.catalog.as_str()];
    parts.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" · ")
}

/// A requirement or selected version that needs it, as a link.
fn wanted(props: &SelectionProps, by: &str) -> Html {
    let view = &props.show.view;
    let asks = view.requirements.iter().position(|it| it.name == by);
    let chosen = view.selection.iter().position(|it| it.id == by);
    let onclick = {
        let (on_open, by) = (props.on_open.clone(), by.to_owned());
        Callback::from(move |_: MouseEvent| {
            if let Some(at) = asks {
                focus_by_id(format!("versions-asks-{at}"));
            } else if let Some(at) = chosen {
                on_open.emit(Some(by.clone()));
                focus_by_id(format!("versions-chosen-{at}"));
            }
        })
    };
    let said = if asks.is_some() { by.to_owned() } else { name::of_id(by) };
    let title = format!("{said} requires it");
    html! {
        <button type="button" class="versions-chip" {title} disabled={asks.is_none() && chosen.is_none()} {onclick}>{ said }</button>
    }
}

/// Up, Down, Home and End go from row to row.
fn walk(event: KeyboardEvent) {
    rove::by_key(&event, ".versions-chosen", ".versions-pick");
}
