use workspace::view::{LocationView, ResolutionView};
use yew::prelude::*;

use super::{VersionsEvent, VersionsQuestion, bar::Mode};
use crate::text::FileText;
use crate::{LayerBadge, views::Same};

/// The context that every part takes.
#[derive(Clone, PartialEq)]
pub(super) struct Show {
    /// The requirements and the selection.
    pub(super) view: Same<ResolutionView>,
    /// The files, for their badges.
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// The texts, for the preview of edits.
    pub(super) files: Same<Vec<FileText>>,
    /// Called with the place that is clicked.
    pub(super) on_goto: Callback<LocationView>,
    /// Called with a question that only the engine can answer.
    pub(super) on_ask: Callback<VersionsQuestion>,
    /// Called with the user's action.
    pub(super) on_event: Callback<VersionsEvent>,
    /// Called with the view to show.
    pub(super) on_mode: Callback<Mode>,
}

impl Show {
    /// Emits an event on a click.
    pub(super) fn does(&self, event: VersionsEvent) -> Callback<MouseEvent> {
        self.on_event.reform(move |_: MouseEvent| event.clone())
    }

    /// Shows a package on a click.
    pub(super) fn opens(&self, package: &str) -> Callback<MouseEvent> {
        let mode = Mode::Package(package.into());
        self.on_mode.reform(move |_: MouseEvent| mode.clone())
    }

    /// A package as a link to its versions; plain where no catalog has it.
    pub(super) fn package(&self, package: &str) -> Html {
        if !self.view.catalogs.iter().any(|it| it.packages.iter().any(|it| it == package)) {
            return html! { <span class="versions-name">{ package.to_owned() }</span> };
        }
        html! {
            <button type="button" class="link versions-name" title={format!("the versions of {package}")}
                onclick={self.opens(package)}>{ package.to_owned() }</button>
        }
    }
}
