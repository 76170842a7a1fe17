//! The parts around the drawing that are not needed at first. Hosts may load them later: nothing else in this crate
//! refers to them.

mod card;
mod filter;
mod finder;
mod groups;
mod legend;
mod picture;
mod tree;

use workspace::view::{LocationView, PlacesView};
use yew::prelude::*;

pub(super) use self::groups::Projection;
use self::{card::Card, finder::Finder, legend::Legend, tree::Tree};
use super::{lens::Lens, model::Model, neighbours::Neighbours, stage::Stage};
use crate::{LayerBadge, views::Same};

/// The parts that load later.
#[derive(Clone, Copy, Debug)]
pub struct GraphTools {
    pub(super) view: fn(Slot, &ToolsProps) -> Html,
    pub(super) keep: fn(&Model, &Lens) -> Option<Neighbours>,
    pub(super) project: fn(&Model, &Lens, Option<usize>) -> Option<Projection>,
    pub(super) place: fn(&Model, &Projection, PlacesView) -> Model,
    pub(super) group_of: fn(&Model, &Lens, &str) -> Option<String>,
    pub(super) picture: fn(&Stage, Callback<Option<web_sys::Blob>>),
}

/// All of them.
#[must_use]
pub fn graph_tools() -> GraphTools {
    GraphTools {
        view,
        keep: filter::keep,
        project: groups::project,
        place: groups::place,
        group_of: groups::group_of,
        picture: picture::picture,
    }
}

impl PartialEq for GraphTools {
    fn eq(&self, _: &Self) -> bool {
        // There is one set of them.
        true
    }
}

/// The position of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Below the bar.
    Row,
    /// Over the drawing.
    Over,
    /// Below the drawing.
    Below,
    /// Beside the drawing.
    Beside,
}

/// The parts that are open.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Open {
    pub(super) finder: bool,
    pub(super) legend: bool,
    pub(super) tree: bool,
    /// The address of the resource that is described.
    pub(super) card: Option<AttrValue>,
    /// The keyboard goes into the card.
    pub(super) enters: bool,
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct ToolsProps {
    /// All resources.
    pub(super) model: Same<Model>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) selected: Option<usize>,
    /// The nodes and edges of `model` that the filter keeps.
    pub(super) kept: Option<Same<Neighbours>>,
    /// The nodes and edges of `model` that the tree lists.
    pub(super) listed: Option<Same<Neighbours>>,
    pub(super) lens: UseStateHandle<Lens>,
    pub(super) open: UseStateHandle<Open>,
    /// Lights a resource in the drawing.
    pub(super) on_light: Callback<Option<usize>>,
    /// Brings a resource into the middle.
    pub(super) on_find: Callback<usize>,
    pub(super) on_center: Callback<Option<usize>>,
    pub(super) on_goto: Callback<LocationView>,
    pub(super) on_select: Callback<String>,
    /// Gives the keyboard back to the drawing.
    pub(super) on_back: Callback<()>,
}

fn view(slot: Slot, props: &ToolsProps) -> Html {
    let open = &props.open;
    match slot {
        Slot::Row if open.finder => html! { <Finder ..props.clone() /> },
        Slot::Over => match open.card.as_ref().and_then(|address| props.model.find(address)) {
            Some(at) => html! { <Card key={at} {at} tools={props.clone()} /> },
            None => Html::default(),
        },
        Slot::Below if open.legend => html! { <Legend model={props.model.clone()} /> },
        Slot::Beside if open.tree => html! { <Tree ..props.clone() /> },
        Slot::Row | Slot::Below | Slot::Beside => Html::default(),
    }
}
