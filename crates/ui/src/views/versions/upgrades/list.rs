//! The versions of a package in words: the content of the drawing, for reading and for keys.

use workspace::view::{UpgradeBundleView, UpgradeEdgeView, UpgradeKind, UpgradesView};
use yew::prelude::*;

use super::drawing::words;
use crate::{
    LayerBadge,
    views::{
        Same,
        place::PlaceLink,
        prose::prose,
        rove,
        versions::{show::Show, why::WouldMove},
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ListProps {
    pub(super) show: Show,
    pub(super) view: Same<UpgradesView>,
    /// A letter and a colour for each channel.
    pub(super) badges: Same<Vec<LayerBadge>>,
    /// The bundle that is shown.
    pub(super) picked: Option<String>,
    /// Called with the bundle to show.
    pub(super) on_look: Callback<String>,
}

#[component]
pub(super) fn List(props: &ListProps) -> Html {
    let node = use_node_ref();
    use_effect_with(props.picked.clone(), {
        let node = node.clone();
        move |_| {
            let row =
                node.cast::<web_sys::Element>().and_then(|it| it.query_selector(".picked").ok().flatten());
            if let Some(row) = row {
                let options = web_sys::ScrollIntoViewOptions::new();
                options.set_block(web_sys::ScrollLogicalPosition::Nearest);
                row.scroll_into_view_with_scroll_into_view_options(&options);
            }
        }
    });
    html! {
        <ol ref={node} class="versions-bundles" aria-label="Versions, latest first" onkeydown={Callback::from(walk)}>
            { for props.view.bundles.iter().enumerate().map(|(at, it)| row(props, at, it)) }
        </ol>
    }
}

fn row(props: &ListProps, at: usize, it: &UpgradeBundleView) -> Html {
    let ListProps { show, view, badges, .. } = props;
    let picked = props.picked.as_ref() == Some(&it.bundle);
    let onclick = {
        let bundle = it.bundle.clone();
        props.on_look.reform(move |_: MouseEvent| bundle.clone())
    };
    let letters = it.channels.iter().filter_map(|name| LayerBadge::of(badges, name));
    html! {
        <li key={it.bundle.clone()} class={classes!("versions-bundle", picked.then_some("picked"), it.skipped.then_some("skipped"))}>
            <p class="versions-line">
                <button type="button" class="versions-version" aria-pressed={picked.to_string()} title={it.bundle.clone()} {onclick}>{ &it.version }</button>
                { for letters.map(|it| html! {
                    <span class={classes!("layer-letter", it.class())} title={it.file.clone()}>{ &it.letter }</span>
                }) }
                { for words(it).into_iter().map(|word| html! { <span class={classes!("tag", format!("mark-{word}"))}>{ word }</span> }) }
                if let Some(place) = &it.origin {
                    <PlaceLink place={place.clone()} layers={show.layers.0.clone()} on_goto={show.on_goto.clone()} />
                }
            </p>
            if let Some(why) = &it.deprecated { <p class="versions-note">{ prose(why) }</p> }
            if let Some(from) = from(view, at) { <p class="versions-note">{ from }</p> }
            if picked && !it.selected {
                <WouldMove show={show.clone()} id={id(view, it)} />
            }
        </li>
    }
}

/// `catalog:package:version:channel`, in the first of its channels.
fn id(view: &UpgradesView, it: &UpgradeBundleView) -> String {
    let channel = it.channels.first().map(String::as_str).unwrap_or_default();
    format!("{}:{}:{}:{channel}", view.catalog, view.package, it.version)
}

/// `upgrades 2.0.0, 1.9.0; skips 1.8.0; skips >=1.0.0 <2.0.0 (not followed)`
fn from(view: &UpgradesView, at: usize) -> Option<String> {
    let version = |at: usize| view.bundles.get(at).map(|it| it.version.clone()).unwrap_or_default();
    let mut said: Vec<(String, Vec<String>)> = Vec::new();
    for edge in view.edges.iter().filter(|it| it.to == at) {
        let verb = verb(edge);
        match said.iter_mut().find(|(other, _)| *other == verb) {
            Some((_, all)) if edge.kind != UpgradeKind::SkipRange => all.push(version(edge.from)),
            Some(_) => {}
            None if edge.kind == UpgradeKind::SkipRange => said.push((verb, Vec::new())),
            None => said.push((verb, vec![version(edge.from)])),
        }
    }
    let parts: Vec<String> = said
        .into_iter()
        .map(|(verb, all)| format!("{verb}{}{}", if all.is_empty() { "" } else { " " }, all.join(", ")))
        .collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

fn verb(edge: &UpgradeEdgeView) -> String {
    let not = if edge.counts { "" } else { " (not followed)" };
    match edge.kind {
        UpgradeKind::SkipRange => format!("skips {}{not}", edge.range.as_deref().unwrap_or("a range")),
        UpgradeKind::Skips => format!("skips{not}"),
        UpgradeKind::Replaces => format!("replaces{not}"),
    }
}

/// Up, Down, Home and End go from version to version.
fn walk(event: KeyboardEvent) {
    rove::by_key(&event, ".versions-bundles", ".versions-version");
}

#[cfg(test)]
mod tests {
    use super::{super::super::fixture, from, id};

    #[test]
    fn the_list_says_what_is_drawn() {
        let view = fixture::upgrades();
        let reported: Vec<_> =
            (0..view.bundles.len()).map(|at| from(&view, at).unwrap_or_default()).collect();
        assert_eq!(
            reported,
            [
                "replaces 2.1.0; skips >=1.0.0 <2.0.0 (not followed)",
                "replaces 2.0.0; skips 1.1.0",
                "replaces 1.0.0",
                "",
                "",
            ]
        );
    }

    #[test]
    fn a_bundle_is_named_in_its_first_channel() {
        let view = fixture::upgrades();
        assert_eq!(id(&view, &view.bundles[0]), "main:queue:2.2.0:stable");
    }
}
