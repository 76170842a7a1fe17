//! The bar of the Services pane: the choice of its view.

use yew::prelude::*;

use super::show::Show;

/// The view that is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// The kinds, with their details.
    #[default]
    Resources,
    /// The effects of deleting example resources.
    Deletion,
    /// The changes since an older version.
    Changes,
}

impl Mode {
    const ALL: [Self; 3] = [Self::Resources, Self::Deletion, Self::Changes];

    const fn title(self) -> &'static str {
        match self {
            Self::Resources => "Resources",
            Self::Deletion => "Deletion",
            Self::Changes => "Changes",
        }
    }
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct BarProps {
    pub(super) show: Show,
    pub(super) mode: Mode,
    pub(super) on_mode: Callback<Mode>,
}

#[component]
pub(super) fn Bar(props: &BarProps) -> Html {
    let tab = |mode: Mode| {
        let onclick = props.on_mode.reform(move |_: MouseEvent| mode);
        let pressed = (props.mode == mode).to_string();
        html! { <button type="button" class="toggle" aria-pressed={pressed} {onclick}>{ mode.title() }</button> }
    };
    html! {
        <div class="pane-bar services-bar">
            <div class="segmented" role="group" aria-label="Show">{ for Mode::ALL.map(tab) }</div>
            <span class="pane-bar-space" />
            <span class="services-sum muted">{ sum(&props.show) }</span>
        </div>
    }
}

/// `library.example.com v2, 7 kinds`.
fn sum(show: &Show) -> String {
    let services = &show.view.specification.services;
    let kinds: usize = services.iter().map(|it| it.resources.len()).sum();
    let kinds = format!("{kinds} {}", if kinds == 1 { "kind" } else { "kinds" });
    match &services[..] {
        [one] => format!("{} {}, {kinds}", one.name, one.version),
        all => format!("{} services, {kinds}", all.len()),
    }
}
