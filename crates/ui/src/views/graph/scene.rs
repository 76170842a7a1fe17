//! The drawing itself: drawn once per graph and plan, whatever the pointer does.

use workspace::view::LocationView;
use yew::prelude::*;

use super::{
    curve::{arrowhead, middle, smooth},
    fit::fit,
    model::{Edge, Model, Node, Sort, State},
    neighbours::ripple,
};
use crate::{
    IconName, LayerBadge, action_class,
    views::{Same, live::StepLook},
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct SceneProps {
    pub(super) model: Same<Model>,
    pub(super) layers: Same<Vec<LayerBadge>>,
}

/// Edges below, nodes above, and a ripple that runs once along the knock-ons.
#[component]
pub(super) fn Scene(props: &SceneProps) -> Html {
    let model = &*props.model;
    let ripple = ripple(model);
    html! {
        <>
            <g class="graph-edges" aria-hidden="true">
                { for model.edges.iter().enumerate().filter(|(_, edge)|
                    !edge.route.is_empty()).map(|(at, edge)| edge_html(at, edge)) }
            </g>
            <g class="graph-ripple" aria-hidden="true">
                <g key={ripple_key(model, &ripple)}>
                    { for ripple.iter().filter_map(|(at, step)| ripple_html(model.edges.get(*at)?, *step)) }
                </g>
            </g>
            <g class="graph-nodes">
                { for model.nodes.iter().enumerate().map(|(at, node)|
                    node_html(model, at, node, &props.layers)) }
            </g>
        </>
    }
}

fn edge_html(at: usize, edge: &Edge) -> Html {
    let d = smooth(&edge.route);
    let knock = edge.knock_on.map(|action| classes!("knock-on", action_class(action)));
    html! {
        <g key={at} class={classes!("graph-edge", edge.kind.class(), knock)}
            data-edge={at.to_string()}>
            <path class="edge-hit" d={d.clone()} />
            <path class="edge-line" d={d.clone()} />
            if edge.kind.is_link() { <path class="edge-core" {d} /> }
            if let Some(d) = arrowhead(&edge.route) { <path class="edge-head" {d} /> }
            { label(edge).unwrap_or_default() }
        </g>
    }
}

/// What an edge says at its middle.
fn label(edge: &Edge) -> Option<Html> {
    let (text, [x, y]) = (edge.label.as_ref()?, middle(&edge.route)?);
    Some(
        html! { <text class="edge-label" x={format!("{x:.1}")} y={format!("{:.1}", y - 4.0)}>{ text }</text> },
    )
}

/// Tells one set of knock-ons from another: the ripple runs again when they change, and only then.
fn ripple_key(model: &Model, ripple: &[(usize, usize)]) -> String {
    let name = |at: usize| model.nodes.get(at).map_or("", |node| node.address.as_str());
    let edges = ripple.iter().filter_map(|(at, _)| model.edges.get(*at));
    edges.map(|edge| format!("{} {} {:?}\n", name(edge.from), name(edge.to), edge.knock_on)).collect()
}

fn ripple_html(edge: &Edge, step: usize) -> Option<Html> {
    let class = action_class(edge.knock_on?);
    let style = format!("--step:{step}");
    (!edge.route.is_empty()).then(|| {
        html! { <path class={classes!("ripple", class)} ~style={style}
        d={smooth(&edge.route)} pathLength="1" /> }
    })
}

/// The icon of a kind.
pub(super) fn kind_icon(kind: &str) -> IconName {
    match kind {
        "service" => IconName::Service,
        "network" => IconName::Network,
        "payload" | "bundle" => IconName::Payload,
        _ => IconName::Box,
    }
}

fn node_html(model: &Model, at: usize, node: &Node, layers: &[LayerBadge]) -> Html {
    let [left, top, width, height] = node.rect;
    let tall = height >= 40.0;
    let class = classes!(
        "graph-node",
        node.action.map(action_class),
        node.action.filter(|it| it.destroys()).map(|_| "loud"),
        node.look.map(look_class),
        node.dress.class,
    );
    let letters = &node.dress.letters;
    let badge = LayerBadge::of(layers, &node.origin.file).filter(|_| model.sort != Sort::Upgrades);
    let middle = height / 2.0;
    // Versions are all of one kind, and their boxes are small: they go without an icon.
    let start = if model.sort == Sort::Upgrades { 10.0 } else { 36.0_f32 };
    let sub_start = if model.sort == Sort::Needs { start + 13.0 } else { start };
    let name_top = if tall { middle - 5.0 } else { middle + 4.5 };
    let right = if badge.is_some() { 30.0 } else { 10.0 + 19.0 * letters.len().min(MOST) as f32 };
    html! {
        <g key={node.address.clone()} {class} data-node={at.to_string()}
            transform={format!("translate({left:.1} {top:.1})")} tabindex="-1"
            role="button">
            <title>{ title(node, &model.spoken(at)) }</title>
            <rect class="node-box" width={width.to_string()} height={height.to_string()} rx="6" />
            if model.sort != Sort::Upgrades {
                <path class="node-icon" transform={format!("translate(11 {:.1})", middle - 8.0)}
                d={kind_icon(&node.kind).path()} />
            }
            <text class="node-name" aria-hidden="true" x={start.to_string()} y={name_top.to_string()}>{ fit(&node.name, width - start - 10.0, 13.0)
                }</text>
            if tall {
                if model.sort == Sort::Needs { { state_dot(node.state, 40.0, middle + 9.0) } }
                <text class="node-sub" aria-hidden="true" x={sub_start.to_string()} y={format!("{:.1}", middle + 13.0)}>{
                    fit(&node.sub, width - sub_start - right, 11.5) }</text>
            }
            if let Some(badge) = badge { { badge_html(badge, width, height) } }
            { for letters.iter().take(MOST).enumerate().map(|(nr, it)| badge_html(it, width - 19.0 * nr as f32, height)) }
            if let Some(sign) = node.dress.sign {
                <g class="node-action node-sign" aria-hidden="true" transform={format!("translate({:.1} -8)", width - 14.0)}>
                    <rect width="20" height="18" rx="5" />
                    <text x="10" y="13.5">{ sign }</text>
                </g>
            }
            if node.problems > 0 {
                <g class="node-action node-problem" aria-hidden="true" transform={format!("translate({:.1} -8)", width - 14.0)}>
                    <rect width="20" height="18" rx="5" />
                    <text x="10" y="13.5">{ "!" }</text>
                </g>
            }
            if let Some(action) = node.action {
                <g class="node-action" aria-hidden="true" transform={format!("translate({:.1} -8)", width - 14.0)}>
                    <rect width="20" height="18" rx="5" />
                    <text x="10" y="13.5">{ action.words().symbol }</text>
                </g>
            }
        </g>
    }
}

/// So many letters have room.
const MOST: usize = 4;

fn badge_html(badge: &LayerBadge, width: f32, height: f32) -> Html {
    html! {
        <g class={classes!("node-layer", badge.class())} aria-hidden="true"
            transform={format!("translate({:.1} {:.1})", width - 24.0, height - 23.0)}>
            <rect width="16" height="15" rx="4" />
            <text x="8" y="11.5">{ &badge.letter }</text>
        </g>
    }
}

/// The class of a step's look, on nodes and rows alike.
const fn look_class(look: StepLook) -> &'static str {
    match look {
        StepLook::Waiting => "look-waiting",
        StepLook::Running => "look-running",
        StepLook::Done => "look-done",
        StepLook::Failed => "look-failed",
        StepLook::Skipped => "look-skipped",
    }
}

/// Told apart by shape: filled, half, hollow, dotted.
pub(super) fn state_dot(state: State, x: f32, y: f32) -> Html {
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

/// The node's name for who listens, and what the browser shows while the pointer rests.
fn title(node: &Node, spoken: &str) -> String {
    let LocationView { file, line, .. } = &node.origin;
    if file.is_empty() {
        return spoken.to_owned();
    }
    format!("{spoken}\n{file}:{line}")
}
