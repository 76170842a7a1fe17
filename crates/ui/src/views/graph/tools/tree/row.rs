//! One row of the tree. Rows are drawn again only when something of theirs changes.

use workspace::view::LocationView;
use yew::prelude::*;

use super::rows::{Row, RowItem};
use crate::{
    IconName, LayerBadge, action_mark,
    views::{
        Same,
        graph::{
            icon::kind_icon,
            model::{Model, Node},
        },
        place::PlaceLink,
    },
};

/// The largest number of names in a cell; the others are found by the number beside them.
const MOST: usize = 6;

/// The callbacks of a row.
#[derive(Clone, PartialEq)]
pub(super) struct RowEvents {
    pub(super) on_focus: Callback<Row>,
    pub(super) on_press: Callback<Row>,
    /// Lights a node in the drawing.
    pub(super) on_light: Callback<Option<usize>>,
    /// Goes to the row of another node.
    pub(super) on_follow: Callback<usize>,
    /// Shows only the neighbourhood of a node: everything that it needs and that needs it.
    pub(super) on_center: Callback<usize>,
    pub(super) on_goto: Callback<LocationView>,
}

#[derive(Clone, PartialEq, Properties)]
pub(super) struct TreeRowProps {
    pub(super) model: Same<Model>,
    pub(super) layers: Same<Vec<LayerBadge>>,
    pub(super) item: RowItem,
    /// Its place among all rows, from 0.
    pub(super) at: usize,
    /// Pixels from the top.
    pub(super) top: i32,
    /// The Tab key leads here.
    pub(super) stop: bool,
    /// The wave is folded, or the node is selected.
    pub(super) on: bool,
    pub(super) events: RowEvents,
}

#[component]
pub(super) fn TreeRow(props: &TreeRowProps) -> Html {
    let TreeRowProps { item, at, top, stop, on, events, .. } = props;
    let (row, on) = (item.row, *on);
    let wave = matches!(row, Row::Wave(_));
    let onfocusin = events.on_focus.reform(move |_: FocusEvent| row);
    let onclick = events.on_press.reform(move |_: MouseEvent| row);
    let onmouseenter = match row {
        Row::Node(node) => events.on_light.reform(move |_: MouseEvent| Some(node)),
        Row::Wave(_) => events.on_light.reform(|_: MouseEvent| None),
    };
    let class = classes!("tree-row", wave.then_some("tree-wave"), (!wave && on).then_some("selected"));
    html! {
        <div role="row" {class} ~style={format!("top:{top}px")} aria-rowindex={(at + 2).to_string()}
            aria-level={if wave { "1" } else { "2" }} aria-setsize={item.count.to_string()}
            aria-posinset={item.position.to_string()} aria-expanded={wave.then(|| (!on).to_string())}
            aria-selected={(!wave).then(|| on.to_string())} data-row={at.to_string()}
            data-address={address(props).map(str::to_owned)} tabindex={if *stop { "0" } else { "-1" }}
            {onfocusin} {onclick} {onmouseenter}>
            { cells(props) }
        </div>
    }
}

fn address(props: &TreeRowProps) -> Option<&str> {
    match props.item.row {
        Row::Node(node) => props.model.nodes.get(node).map(|node| node.address.as_str()),
        Row::Wave(_) => None,
    }
}

fn cells(props: &TreeRowProps) -> Html {
    match props.item.row {
        Row::Wave(wave) => html! {
            <span role="gridcell">
                { (if props.on { IconName::ChevronRight } else { IconName::ChevronDown }).html() }
                { format!("Wave {} · {}", wave + 1, props.item.below) }
            </span>
        },
        Row::Node(node) => {
            props.model.nodes.get(node).map(|it| node_cells(props, node, it)).unwrap_or_default()
        }
    }
}

fn node_cells(props: &TreeRowProps, at: usize, node: &Node) -> Html {
    let model = &props.model;
    html! {
        <>
            <span role="gridcell" class="tree-address">{ kind_icon(&node.kind).html() }
                <span title={node.address.clone()}>{ &node.address }</span></span>
            <span role="gridcell">{ fate(node) }</span>
            <span role="gridcell" class="tree-links">{ links(props, at, model.needs(at)) }</span>
            <span role="gridcell" class="tree-links">{ links(props, at, model.needed_by(at)) }</span>
            <span role="gridcell"><PlaceLink place={node.origin.clone()} layers={props.layers.0.clone()}
                on_goto={props.events.on_goto.clone()} tabbable=false /></span>
        </>
    }
}

fn fate(node: &Node) -> Html {
    match node.action {
        Some(action) => html! { <span title={node.why.clone()}>{ action_mark(action, true) }</span> },
        None => html! { <span class="tree-state">{ node.state.word() }</span> },
    }
}

/// Names that lead to their own rows, and how many there are.
fn links(props: &TreeRowProps, at: usize, ends: Vec<usize>) -> Html {
    if ends.is_empty() {
        return html! { <span class="tree-none">{ "–" }</span> };
    }
    let link = |end: &usize| {
        let (end, node) = (*end, props.model.nodes.get(*end)?);
        let onclick = props.events.on_follow.reform(move |event: MouseEvent| {
            event.stop_propagation();
            end
        });
        Some(html! {
            <button type="button" class="link" tabindex="-1" title={node.address.clone()} {onclick}>{ &node.name }</button>
        })
    };
    let onclick = props.events.on_center.reform(move |event: MouseEvent| {
        event.stop_propagation();
        at
    });
    html! {
        <>
            <span class="tree-ends">{ for ends.iter().take(MOST).filter_map(link) }</span>
            if ends.len() > 1 {
                <button type="button" class="count" tabindex="-1" title={format!("Show only these {} and what is connected with them", ends.len())}
                    {onclick}>{ ends.len() }</button>
            }
        </>
    }
}
