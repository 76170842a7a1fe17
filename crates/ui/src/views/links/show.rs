use workspace::view::LocationView;
use yew::prelude::*;

use super::{model::Model, pick::Pick};
use crate::{LayerBadge, views::Same};

/// The context that every view of the links takes.
#[derive(Clone, PartialEq)]
pub(super) struct Show {
    /// The links.
    pub(super) model: Same<Model>,
    /// The links that the filter keeps: their indices, in order.
    pub(super) kept: Same<Vec<usize>>,
    /// The selection.
    pub(super) pick: Option<Pick<usize>>,
    /// The files, for their badges.
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// Called with the selection; with `None` when it is cleared.
    pub(super) on_pick: Callback<Option<Pick<usize>>>,
    /// Called with the place that is clicked.
    pub(super) on_goto: Callback<LocationView>,
}

impl Show {
    /// Makes a selection on a click.
    pub(super) fn picks(&self, pick: Pick<usize>) -> Callback<MouseEvent> {
        self.on_pick.reform(move |event: MouseEvent| {
            event.stop_propagation();
            Some(pick.clone())
        })
    }

    /// True if a link is part of the selection.
    pub(super) fn is_picked(&self, link: usize) -> bool {
        match &self.pick {
            Some(Pick::Link(at)) => *at == link,
            Some(Pick::Links(all)) => all.contains(&link),
            Some(Pick::Provider(at)) => {
                self.model.view.links.get(link).is_some_and(|it| it.provider_index == Some(*at))
            }
            Some(Pick::Owner(_)) | None => false,
        }
    }
}
