//! The model that is drawn in place of all resources, once it has places.

use std::rc::Rc;

use workspace::view::PlacesView;
use yew::prelude::*;

use super::{
    lens::{Lens, PlacesQuestion},
    model::Model,
    neighbours::Neighbours,
    tools::{GraphTools, Projection},
};
use crate::views::Same;

/// A model that is drawn, and the projection that maps each resource to the node that stands for it.
#[derive(Clone, PartialEq)]
pub(super) struct Shown {
    pub(super) model: Same<Model>,
    projection: Option<Same<Projection>>,
}

impl Shown {
    /// The node that stands for a resource, by index.
    pub(super) fn of(&self, at: usize) -> Option<usize> {
        self.projection.as_ref().map_or(Some(at), |it| it.of.get(at).copied().flatten())
    }

    /// The node that stands for the resource of an address.
    pub(super) fn find(&self, all: &Model, address: &str) -> Option<usize> {
        self.model.find(address).or_else(|| self.of(all.find(address)?))
    }

    /// The nodes that stand for those that a filter keeps, and the edges between them.
    pub(super) fn kept(&self, kept: Option<&Same<Neighbours>>) -> Option<Same<Neighbours>> {
        let kept = kept?;
        if self.projection.is_none() {
            return Some(kept.clone());
        }
        let nodes: std::collections::BTreeSet<usize> =
            kept.nodes.iter().filter_map(|at| self.of(*at)).collect();
        let edges = self.model.edges.iter().enumerate();
        let within = edges.filter(|(_, edge)| nodes.contains(&edge.from) && nodes.contains(&edge.to));
        let edges = within.map(|(at, _)| at).collect();
        Some(Same::new(Neighbours { nodes, edges }))
    }
}

/// The model to draw in place of a model: while places are being found, the one drawn before.
#[hook]
pub(super) fn use_projected(
    model: &Same<Model>,
    lens: &Lens,
    center: Option<usize>,
    tools: Option<GraphTools>,
    on_places: &Callback<PlacesQuestion>,
) -> Shown {
    let inputs = (model.clone(), lens.group, lens.open.clone(), center, tools.is_some());
    let lens = lens.clone();
    let projection = use_memo(inputs, move |(model, _, _, center, _)| {
        tools.and_then(|tools| (tools.project)(model, &lens, *center)).map(Same::new)
    });
    let placed = use_state(|| None::<Shown>);
    use_effect_with((*projection).clone(), {
        let (setter, model, on_places) = (placed.setter(), model.clone(), on_places.clone());
        move |projection| match (projection.clone(), tools) {
            (Some(projection), Some(tools)) => {
                let (sizes, edges) = (projection.sizes.clone(), projection.pairs.clone());
                let then = Callback::from(move |places: Option<PlacesView>| {
                    let places = places.map(|places| (tools.place)(&model, &projection, places));
                    setter.set(places.map(|drawn| Shown {
                        model: Same(Rc::new(drawn)),
                        projection: Some(projection.clone()),
                    }));
                });
                on_places.emit(PlacesQuestion { sizes, edges, then });
            }
            _ => setter.set(None),
        }
    });
    match (&*projection, &*placed) {
        (Some(_), Some(placed)) => placed.clone(),
        _ => Shown { model: model.clone(), projection: None },
    }
}
