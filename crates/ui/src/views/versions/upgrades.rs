//! A package: the upgrades between its versions, drawn and listed.

mod drawing;
mod list;

use std::{cell::RefCell, rc::Rc};

use workspace::view::words::count;
use workspace::view::{ChannelView, UpgradeKind, UpgradesView};
use yew::prelude::*;

use self::{drawing::drawing, list::List};
use super::{VersionsQuestion, bar::Mode, show::Show};
use crate::{
    IconButton, IconName, LayerBadge,
    focus::focus_by_id,
    views::{
        Same,
        graph::{Canvas, Connection, Stage},
        place::PlaceLink,
        prose::prose,
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct UpgradesProps {
    pub(super) show: Show,
    pub(super) package: AttrValue,
}

#[component]
pub(super) fn Upgrades(props: &UpgradesProps) -> Html {
    let UpgradesProps { show, package } = props;
    let answer = use_state(|| None::<Option<Rc<UpgradesView>>>);
    use_effect_with((show.view.clone(), package.clone()), {
        let (answer, on_ask) = (answer.setter(), show.on_ask.clone());
        move |(_, package)| {
            let then = Callback::from(move |now| answer.set(Some(now)));
            on_ask.emit(VersionsQuestion::Upgrades { package: package.to_string(), then });
        }
    });
    let back = show.on_mode.reform(|_: MouseEvent| Mode::Packages);
    let view = match &*answer {
        Some(Some(view)) => view.clone(),
        Some(None) => {
            return html! { <>{ head(package, None, back) }<p class="pane-note">{ "No catalog has this package." }</p></> };
        }
        None => {
            return html! { <>{ head(package, None, back) }<div class="pane-empty pane-waiting" aria-busy="true" /></> };
        }
    };
    html! {
        <>
            { head(package, Some(&view), back) }
            { about(show, &view) }
            <Drawn show={show.clone()} view={Same(view)} />
        </>
    }
}

fn head(package: &str, view: Option<&UpgradesView>, back: Callback<MouseEvent>) -> Html {
    let said = view.map(|it| {
        format!(
            "{} · {}, {}",
            it.catalog,
            count(it.bundles.len(), "version"),
            count(it.channels.len(), "channel")
        )
    });
    html! {
        <header class="versions-head">
            { IconButton::new(IconName::ChevronLeft, "All packages", back).html() }
            <h3 class="versions-name">{ package.to_owned() }</h3>
            <span class="muted">{ said.unwrap_or_default() }</span>
        </header>
    }
}

fn about(show: &Show, view: &UpgradesView) -> Html {
    let badges = badges(&view.channels);
    html! {
        <div class="versions-about-package">
            if let Some(why) = &view.deprecated {
                <p class="versions-deprecated"><span class="tag">{ "deprecated" }</span>{ prose(why) }</p>
            }
            if let Some(description) = &view.description { <p class="versions-description">{ description }</p> }
            <ul class="versions-channels" aria-label="Channels">
                { for view.channels.iter().zip(&badges).map(|(it, badge)| channel(show, it, badge)) }
            </ul>
        </div>
    }
}

fn channel(show: &Show, it: &ChannelView, badge: &LayerBadge) -> Html {
    html! {
        <li class={badge.class()}>
            <span class="layer-letter" aria-hidden="true">{ &badge.letter }</span>
            <span class="versions-name">{ &it.name }</span>
            if it.is_default { <span class="tag">{ "default" }</span> }
            if let Some(why) = &it.deprecated { <span class="tag" title={why.clone()}>{ "deprecated" }</span> }
            if let Some(place) = &it.origin {
                <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} />
            }
        </li>
    }
}

/// A letter and a colour for each channel.
fn badges(channels: &[ChannelView]) -> Vec<LayerBadge> {
    let badge = |(at, it): (usize, &ChannelView)| LayerBadge {
        file: it.name.clone().into(),
        number: u32::try_from(at + 1).ok(),
        letter: letter(at).into(),
        color_index: at % 8,
        apart: None,
        muted: false,
    };
    channels.iter().enumerate().map(badge).collect()
}

/// `A` … `Z`, then `A2` ….
fn letter(at: usize) -> String {
    let letter = char::from(b'A' + (at % 26) as u8);
    match at / 26 {
        0 => letter.to_string(),
        round => format!("{letter}{}", round + 1),
    }
}

#[derive(Clone, PartialEq, Properties)]
struct DrawnProps {
    show: Show,
    view: Same<UpgradesView>,
}

#[component]
fn Drawn(props: &DrawnProps) -> Html {
    let DrawnProps { show, view } = props;
    let all = use_state_eq(|| true);
    let picked = use_state_eq(|| None::<String>);
    let center = use_state_eq(|| None::<String>);
    let stage = use_memo((), |()| RefCell::new(Stage::default()));
    let drawn = use_memo((view.clone(), *all), |(view, all)| drawing(view, &badges(&view.channels), *all));
    let at = picked.as_ref().and_then(|name| drawn.find(name)).or_else(|| of_interest(view));
    let pick = {
        let (picked, view, on_goto) = (picked.setter(), view.clone(), show.on_goto.clone());
        Callback::from(move |bundle: String| {
            let found = view.bundles.iter().position(|it| it.bundle == bundle);
            let place = found.and_then(|at| view.bundles.get(at)?.origin.clone());
            picked.set(Some(bundle));
            place.into_iter().for_each(|place| on_goto.emit(place));
        })
    };
    let on_edge = {
        let (drawn, on_goto) = (drawn.clone(), show.on_goto.clone());
        Callback::from(move |at: usize| {
            let origin = drawn.edges.get(at).map(|it| it.origin.clone());
            origin.into_iter().filter(|it| !it.file.is_empty()).for_each(|it| on_goto.emit(it));
        })
    };
    let on_center = {
        let (center, drawn) = (center.setter(), drawn.clone());
        Callback::from(move |at: Option<usize>| {
            center.set(at.and_then(|at| drawn.nodes.get(at)).map(|it| it.address.clone()));
        })
    };
    let look = {
        let picked = picked.setter();
        Callback::from(move |bundle: String| {
            picked.set(Some(bundle));
            focus_by_id("versions-graph".into());
        })
    };
    html! {
        <div class="versions-upgrades">
            <figure class="graph-figure versions-graph" aria-label={summary(view)} id="versions-graph" tabindex="-1">
                <div class="versions-tools">
                    { edges_toggle(view, &all) }
                    if center.is_some() {
                        <button type="button" class="filter-chip" aria-pressed="true" title="Show all (Escape)"
                            onclick={on_center.reform(|_: MouseEvent| None)}>{ "Around one" }{ IconName::Close.html() }</button>
                    }
                </div>
                <div class="graph-stage">
                    <Canvas model={Same(drawn.clone())} layers={show.layers.clone()} stage={Same(stage)} selected={at}
                        center={center.as_ref().and_then(|it| drawn.find(it))} kept={None::<Same<_>>} {on_center}
                        on_goto={Callback::noop()} on_select={pick.clone()} on_edge={Some(on_edge)} />
                </div>
                { legend(view) }
            </figure>
            <List show={show.clone()} view={view.clone()} badges={Same::new(badges(&view.channels))}
                picked={at.and_then(|at| view.bundles.get(at)).map(|it| it.bundle.clone())} on_look={look} />
        </div>
    }
}

/// The index of the bundle to show first: the chosen one, the installed one, else the latest.
fn of_interest(view: &UpgradesView) -> Option<usize> {
    let first = |is: fn(&workspace::view::UpgradeBundleView) -> bool| view.bundles.iter().position(is);
    first(|it| it.selected).or_else(|| first(|it| it.installed)).or((!view.bundles.is_empty()).then_some(0))
}

fn summary(view: &UpgradesView) -> String {
    format!(
        "Upgrades of {}: {}, {}",
        view.package,
        count(view.bundles.len(), "version"),
        count(view.edges.len(), "upgrade")
    )
}

/// Some upgrades are listed and never followed; nothing where all count.
fn edges_toggle(view: &UpgradesView, all: &UseStateHandle<bool>) -> Html {
    if view.edges.iter().all(|it| it.counts) {
        return Html::default();
    }
    let toggle = |title: &'static str, to: bool, help: &'static str| {
        let all = all.clone();
        let pressed = (*all == to).to_string();
        let onclick = Callback::from(move |_: MouseEvent| all.set(to));
        html! { <button type="button" class="toggle" aria-pressed={pressed} title={help} {onclick}>{ title }</button> }
    };
    html! {
        <div class="segmented" role="group" aria-label="Which upgrades">
            { toggle("All", true, "Every upgrade in the catalog") }
            { toggle("Followed", false, "Only upgrades that the rules follow") }
        </div>
    }
}

fn legend(view: &UpgradesView) -> Html {
    let edges = UpgradeKind::ALL.iter().filter(|kind| view.edges.iter().any(|it| it.kind == **kind));
    let marks = [
        ("✓", "chosen", view.bundles.iter().any(|it| it.selected)),
        ("●", "installed", view.bundles.iter().any(|it| it.installed)),
        ("!", "deprecated", view.bundles.iter().any(|it| it.deprecated.is_some())),
        ("⊘", "skipped", view.bundles.iter().any(|it| it.skipped)),
    ];
    html! {
        <figcaption class="versions-legend">
            { for edges.map(|kind| html! {
                <span><svg class={classes!("graph-edge", Connection::Upgrade(*kind).class())} width="36" height="12" aria-hidden="true">
                    <path class="edge-line" d="M1 6H34" /><path class="edge-head" d="M27 2.5L34 6L27 9.5" /></svg>{ kind.phrase() }</span>
            }) }
            { for marks.into_iter().filter(|(.., any)| *any).map(|(sign, words, _)| html! {
                <span><span class="versions-sign" aria-hidden="true">{ sign }</span>{ words }</span>
            }) }
        </figcaption>
    }
}
