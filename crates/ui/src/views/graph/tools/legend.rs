//! The meaning of the signs of the graph, as far as they occur.

use std::collections::BTreeSet;
use workspace::view::Action;

use diag::order;
use yew::prelude::*;

use crate::{
    action_mark,
    views::{
        Same,
        graph::model::{Connection, Model, State},
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct LegendProps {
    pub(super) model: Same<Model>,
}

const KEYS: [(&str, &str); 11] = [
    ("← →", "along the edges"),
    ("↑ ↓", "within a wave"),
    ("a–z", "jump to a name"),
    ("/", "find, filter, group"),
    ("F1", "show its details"),
    ("⌫", "fold its group"),
    ("Space", "go to the source"),
    ("Enter", "only its neighbourhood"),
    ("+ −", "zoom"),
    ("0", "show all"),
    ("Esc", "back"),
];

/// A card with the signs and the keys.
#[component]
pub(super) fn Legend(props: &LegendProps) -> Html {
    let model = &*props.model;
    let kinds: BTreeSet<Connection> = order::set(model.edges.iter().map(|edge| edge.kind));
    let states: BTreeSet<State> = order::set(model.nodes.iter().map(|node| node.state));
    let actions: BTreeSet<Action> = order::set(model.nodes.iter().filter_map(|node| node.action));
    html! {
        <div class="graph-legend" role="note" aria-label="Legend">
            if !kinds.is_empty() {
                <ul>{ for kinds.into_iter().map(|kind| html!
                    { <li>{ sample(kind) }<span>{ kind.phrase() }</span></li> }) }</ul>
            }
            if !actions.is_empty() {
                <ul>{ for actions.into_iter().map(|action| html!
                    { <li>{ action_mark(action, true) }</li> }) }</ul>
            }
            <ul>{ for states.into_iter().map(|state| html! {
                <li><svg class="legend-dot" width="12" height="12"
                    aria-hidden="true">{ state_dot(state, 6.0, 6.0) }</svg><span>{ state.word() }</span></li>
            }) }</ul>
            <ul class="legend-keys">{ for KEYS.into_iter().map(|(key, words)| html!
                { <li><kbd>{ key }</kbd><span>{ words }</span></li> }) }</ul>
        </div>
    }
}

/// A short edge of a kind; the arrow points at the dependent.
fn sample(kind: Connection) -> Html {
    html! {
        <svg class={classes!("legend-edge", kind.class())} width="36" height="12"
            aria-hidden="true">
            <path class="edge-line" d="M1 6H34" />
            if kind.is_link() { <path class="edge-core" d="M1 6H34" /> }
            <path class="edge-head" d="M27 2.5L34 6L27 9.5" />
        </svg>
    }
}

/// Told apart by shape: filled, half, hollow, dotted.
fn state_dot(state: State, x: f32, y: f32) -> Html {
    let class = match state {
        State::Unknown => "state-unknown",
        State::Absent => "state-absent",
        State::Differs => "state-differs",
        State::InSync => "state-in-sync",
    };
    html! {
        <g class={classes!("node-state", class)} transform={format!("translate({x} {y:.1})")}>
            <circle r="3.5" />
            if state == State::Differs { <path d="M0-3.5a3.5 3.5 0 0 1 0 7z" /> }
        </g>
    }
}
