use workspace::view::LocationView;
use yew::prelude::*;

use super::{model::Model, pick::Pick};
use crate::{LayerBadge, views::Same};

/// What every way of showing the links takes.
#[derive(Clone, PartialEq)]
pub(super) struct Show {
    /// The links.
    pub(super) model: Same<Model>,
    /// What the filter keeps: indices of links, in order.
    pub(super) kept: Same<Vec<usize>>,
    /// What is selected.
    pub(super) pick: Option<Pick<usize>>,
    /// The files, for their badges.
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// Called with what is selected, and with nothing.
    pub(super) on_pick: Callback<Option<Pick<usize>>>,
    /// Called with the place of what is clicked.
    pub(super) on_goto: Callback<LocationView>,
}

impl Show {
    /// Selects something on a click.
    pub(super) fn picks(&self, pick: Pick<usize>) -> Callback<MouseEvent> {
        self.on_pick.reform(move |event: MouseEvent| {
            event.stop_propagation();
            Some(pick.clone())
        })
    }

    /// True if a link is among what is selected.
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
