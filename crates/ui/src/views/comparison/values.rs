//! Values that differ, in two columns.

use std::rc::Rc;

use serde_json::Value as Json;
use workspace::view::{ChangeOriginView, LocationView, ValueDifferenceView};
use yew::prelude::*;

use super::{ComparisonPaneProps, NOW};
use crate::{
    LayerBadge,
    views::{
        cell::{absent, marked, path, secret},
        diff::Side,
        place::PlaceLink,
    },
};

/// Both sides: their labels, and the way their places are shown.
pub(super) struct Sides {
    pub(super) before: PointSide,
    pub(super) after: PointSide,
}

/// One side.
pub(super) struct PointSide {
    pub(super) label: AttrValue,
    /// Its places can be gone to.
    is_open: bool,
    /// True if it is the open workspace: its problems are those on screen.
    pub(super) is_now: bool,
    layers: Rc<Vec<LayerBadge>>,
    on_goto: Callback<LocationView>,
}

impl Sides {
    pub(super) fn of(props: &ComparisonPaneProps) -> Self {
        let side = |id: &AttrValue| {
            let point = props.points.iter().find(|it| it.id == *id);
            PointSide {
                label: point.map(|it| it.label.clone()).unwrap_or_default(),
                is_now: id == NOW,
                is_open: point.is_some_and(|it| it.is_open),
                layers: props.layers.clone(),
                on_goto: props.on_goto.clone(),
            }
        };
        Self { before: side(&props.before), after: side(&props.after) }
    }
}

/// Path, the value on each side, and where it is written there.
pub(super) fn table(values: &[ValueDifferenceView], sides: &Sides) -> Html {
    html! {
        <table class="comparison-values" role="table">
            <thead role="rowgroup"><tr role="row">
                <th scope="col" role="columnheader">{ "Path" }</th>
                <th scope="col" role="columnheader">{ &sides.before.label }</th>
                <th scope="col" role="columnheader">{ &sides.after.label }</th>
            </tr></thead>
            <tbody role="rowgroup">{ for values.iter().map(|it| row(it, sides)) }</tbody>
        </table>
    }
}

fn row(of: &ValueDifferenceView, sides: &Sides) -> Html {
    html! {
        <tr role="row">
            <th scope="row" role="rowheader"><code class="value-path">{ path(&of.path) }</code>
                if of.forces_rebuild { <span class="tag tag-rebuild">{ "forces rebuild" }</span> }</th>
            <td role="cell" data-label={sides.before.label.clone()}>{ cell(of, Side::Old, &sides.before) }</td>
            <td role="cell" data-label={sides.after.label.clone()}>{ cell(of, Side::New, &sides.after) }</td>
        </tr>
    }
}

fn cell(of: &ValueDifferenceView, side: Side, point: &PointSide) -> Html {
    let (value, other, origin) = match side {
        Side::Old | Side::Both => (&of.before, &of.after, &of.before_origin),
        Side::New => (&of.after, &of.before, &of.after_origin),
    };
    let origin = origin.as_ref().filter(|_| of.sensitive || !value.is_null());
    html! {
        <>
            { shown(of, value, other, side) }
            if let Some(ChangeOriginView { location, inferred }) = origin { { place(location, *inferred, point) } }
        </>
    }
}

fn shown(of: &ValueDifferenceView, value: &Json, other: &Json, side: Side) -> Html {
    match value {
        _ if of.sensitive => secret(),
        Json::Null => absent("none"),
        value => marked(value, other, side),
    }
}

/// The place where a value is written: a link if the file is open as it was read, else `file:line`.
pub(super) fn place(at: &LocationView, inferred: bool, side: &PointSide) -> Html {
    if side.is_open {
        return html! { <PlaceLink place={at.clone()} {inferred} layers={side.layers.clone()} on_goto={side.on_goto.clone()} /> };
    }
    html! { <span class="comparison-place">{ format!("{}:{}", at.file, at.line) }</span> }
}
