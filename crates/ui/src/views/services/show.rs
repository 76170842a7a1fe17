use workspace::view::{LocationView, ServiceOverviewView};
use yew::prelude::*;

use super::{ServicesEvent, ServicesQuestion};
use crate::{
    LayerBadge,
    views::{Same, place::PlaceLink},
};

/// The context that every part takes.
#[derive(Clone, PartialEq)]
pub(super) struct Show {
    /// The services.
    pub(super) view: Same<ServiceOverviewView>,
    /// The files, for their badges.
    pub(super) layers: Same<Vec<LayerBadge>>,
    /// Called with the place that is clicked.
    pub(super) on_goto: Callback<LocationView>,
    /// Called with a question that only the engine can answer.
    pub(super) on_ask: Callback<ServicesQuestion>,
    /// Called with the user's action.
    pub(super) on_event: Callback<ServicesEvent>,
    /// Called with the kind to show, with its service.
    pub(super) on_pick: Callback<Option<AttrValue>>,
}

impl Show {
    /// Emits an event on a click.
    pub(super) fn does(&self, event: ServicesEvent) -> Callback<MouseEvent> {
        self.on_event.reform(move |_: MouseEvent| event.clone())
    }

    /// Shows the details of a kind on a click.
    pub(super) fn picks(&self, kind: &str) -> Callback<MouseEvent> {
        let kind = AttrValue::from(kind.to_owned());
        self.on_pick.reform(move |_: MouseEvent| Some(kind.clone()))
    }

    /// A kind as a link to its details; without its service if all are of one.
    pub(super) fn kind(&self, kind: &str) -> Html {
        let said = self.said(kind).to_owned();
        if self.view.resource(kind).is_none() {
            return html! { <span class="services-name">{ said }</span> };
        }
        html! {
            <button type="button" class="link services-name" title={kind.to_owned()} onclick={self.picks(kind)}>{ said }</button>
        }
    }

    /// A kind as it is called here.
    pub(super) fn said<'k>(&self, kind: &'k str) -> &'k str {
        let is_only = self.view.specification.services.len() == 1;
        kind.split_once('/').filter(|_| is_only).map_or(kind, |(_, name)| name)
    }

    /// A place as a link.
    pub(super) fn place(&self, place: &LocationView) -> Html {
        if place.file.is_empty() {
            return Html::default();
        }
        html! { <PlaceLink place={place.clone()} layers={self.layers.0.clone()} on_goto={self.on_goto.clone()} /> }
    }
}
