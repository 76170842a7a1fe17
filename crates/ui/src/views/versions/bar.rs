//! The bar of the Versions pane: the choice of its view, and the actions on all of it.

use workspace::view::VersionProfile;
use yew::prelude::*;

use super::{VersionsEvent, show::Show};
use crate::IconName;

/// The view that is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// The requirements and the selection, with the reasons.
    #[default]
    Resolution,
    /// The packages to choose from.
    Packages,
    /// The versions of a package, and the upgrades between them.
    Package(AttrValue),
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct BarProps {
    pub(super) show: Show,
    pub(super) mode: Mode,
    pub(super) locked: bool,
}

#[component]
pub(super) fn Bar(props: &BarProps) -> Html {
    let show = &props.show;
    let tab = |title: &'static str, on: bool, mode: Mode| {
        let onclick = show.on_mode.reform(move |_: MouseEvent| mode.clone());
        html! { <button type="button" class="toggle" aria-pressed={on.to_string()} {onclick}>{ title }</button> }
    };
    let chosen = show.view.selection.iter().filter(|it| !it.package.is_empty()).count();
    html! {
        <div class="pane-bar versions-bar">
            <div class="segmented" role="group" aria-label="Show">
                { tab("Chosen", props.mode == Mode::Resolution, Mode::Resolution) }
                { tab("Packages", props.mode != Mode::Resolution, Mode::Packages) }
            </div>
            if let Some(profile) = show.view.profile {
                <span class="tag versions-profile" title={rules(profile)}>{ profile.as_str() }</span>
            }
            <span class="pane-bar-space" />
            <button type="button" class="quiet-button" disabled={chosen == 0} onclick={show.does(VersionsEvent::Lock)}
                title="Write the selected versions into planloom.lock, which keeps them until it is \
                       updated">
                { IconName::Lock.html() }
                <span>{ if props.locked { "Update the lock" } else { "Lock these versions" } }</span>
            </button>
        </div>
    }
}

const fn rules(profile: VersionProfile) -> &'static str {
    match profile {
        VersionProfile::V0 => "The rules of OLM v0: chains of replacements, from the head",
        VersionProfile::V1 => "The rules of OLM v1: any upgrade in a channel, the highest version first",
        VersionProfile::Phase0 => "Required and installed packages, without upgrade rules",
    }
}
