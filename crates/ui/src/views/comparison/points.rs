//! The points that can be compared, and the choice of two of them.

use std::collections::BTreeMap;

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::{ComparisonPaneProps, copy::CopyMarkdown, timeline::said};
use crate::{IconButton, IconName};

/// The group of states.
pub const STATE: &str = "State";

/// The id of the files as they are.
pub const NOW: &str = "now";

/// A point that can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointItem {
    /// Its identity.
    pub id: AttrValue,
    /// The kind of point, as a heading: `Environments`.
    pub group: AttrValue,
    /// Its label.
    pub label: AttrValue,
    /// Its places are places of the files that are open, so that they can be gone to.
    pub is_open: bool,
    /// Its time; `None` for a point without one.
    pub time: Option<PointTime>,
}

/// The time of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PointTime {
    /// Milliseconds since 1970.
    At(i64),
    /// The files that are open.
    Now,
}

impl PointItem {
    /// The same points, where those of one name have their times behind it.
    pub fn distinct(mut points: Vec<Self>) -> Vec<Self> {
        let mut counts = BTreeMap::<AttrValue, usize>::new();
        points.iter().for_each(|it| *counts.entry(it.label.clone()).or_default() += 1);
        for point in &mut points {
            if counts.get(&point.label).is_some_and(|count| *count > 1) {
                point.label = said(point).into();
            }
        }
        points
    }

    /// True if it is a state.
    pub(super) fn is_state(&self) -> bool {
        self.group == STATE
    }
}

/// The user's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointsEvent {
    /// The point on the one side.
    Before(AttrValue),
    /// The point on the other side.
    After(AttrValue),
    /// Each in the place of the other.
    Swap,
    /// Files of the disk, to be compared without being opened.
    OpenFiles,
    /// Shows the problems of the open files.
    Problems,
}

/// The two points, and the actions on them.
pub(super) fn points_bar(props: &ComparisonPaneProps) -> Html {
    let swap = props.on_event.reform(|_: MouseEvent| PointsEvent::Swap);
    let open = props.on_event.reform(|_: MouseEvent| PointsEvent::OpenFiles);
    html! {
        <div class="pane-bar comparison-bar">
            { select("Before", props, &props.before, PointsEvent::Before) }
            { IconButton::new(IconName::Arrow, "Swap both sides", swap).html() }
            { select("After", props, &props.after, PointsEvent::After) }
            <span class="comparison-buttons">
                <button type="button" class="quiet-button" onclick={open}
                    title="Compare with files of the disk, for example of another branch; they are not added here">
                    { IconName::Folder.html() }<span>{ "Files…" }</span></button>
                if let Some(found) = &props.comparison { <CopyMarkdown comparison={found.clone()}
                    before={label(props, &props.before)} after={label(props, &props.after)} /> }
            </span>
        </div>
    }
}

/// The label of the point with an id; empty if there is none.
pub(super) fn label(props: &ComparisonPaneProps, id: &str) -> AttrValue {
    props.points.iter().find(|it| it.id == id).map(|it| it.label.clone()).unwrap_or_default()
}

fn select(
    name: &'static str,
    props: &ComparisonPaneProps,
    chosen: &AttrValue,
    event: fn(AttrValue) -> PointsEvent,
) -> Html {
    let onchange = props.on_event.reform(move |change: Event| {
        event(change.target_unchecked_into::<HtmlSelectElement>().value().into())
    });
    let mut groups: Vec<(&AttrValue, Vec<&PointItem>)> = Vec::new();
    for point in props.points.iter() {
        match groups.iter_mut().find(|(group, _)| **group == point.group) {
            Some((_, points)) => points.push(point),
            None => groups.push((&point.group, vec![point])),
        }
    }
    html! {
        <label class="comparison-side"><span>{ name }</span>
            <select aria-label={name} {onchange}>
                { for groups.into_iter().map(|(group, points)| html! {
                    <optgroup label={group.clone()}>{ for points.into_iter().map(|it| html! {
                        <option value={it.id.clone()} selected={it.id == *chosen}>{ &it.label }</option>
                    }) }</optgroup>
                }) }
            </select>
        </label>
    }
}
