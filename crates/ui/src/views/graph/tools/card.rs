//! Everything about one resource: its kind, the files that set it, its action, its needs and its dependents.

use yew::prelude::*;

use super::{Open, ToolsProps};
use crate::{
    IconButton, IconName, action_mark, dom,
    views::{
        graph::{
            icon::kind_icon,
            model::{Edge, Model, Node},
        },
        place::PlaceLink,
    },
};

/// The largest number of names that are listed; the others are counted.
const MOST: usize = 12;

#[derive(Clone, PartialEq, Properties)]
pub(super) struct CardProps {
    pub(super) at: usize,
    pub(super) tools: ToolsProps,
}

#[component]
pub(super) fn Card(props: &CardProps) -> Html {
    let root = use_node_ref();
    let CardProps { at, tools } = props;
    use_effect_with((*at, tools.open.enters), {
        let root = root.clone();
        move |(_, enters)| {
            if *enters {
                dom::focus(&root);
            }
        }
    });
    let Some(node) = tools.model.nodes.get(*at) else { return Html::default() };
    let close = closing(tools);
    let onkeydown = {
        let close = close.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Escape" {
                event.stop_propagation();
                close.emit(());
            }
        })
    };
    let center = {
        let (on_center, at) = (tools.on_center.clone(), *at);
        Callback::from(move |_: MouseEvent| on_center.emit(Some(at)))
    };
    html! {
        <section ref={root} class="graph-card" role="dialog" aria-label={format!("About {}", node.address)} tabindex="-1"
            {onkeydown}>
            <header>
                { kind_icon(&node.kind).html() }
                <h3 title={node.address.clone()}>{ &node.name }</h3>
                <span class="muted">{ &node.kind }</span>
                { IconButton::new(IconName::Close, "Close (Escape)", close.reform(|_: MouseEvent| ())).html() }
            </header>
            <p class="graph-card-address"><code>{ &node.address }</code></p>
            <p class="graph-card-fate">{ fate(node) }</p>
            <dl>
                <dt>{ "Set by" }</dt>
                <dd>{ places(tools, node) }</dd>
                <dt>{ title("Depends on", tools.model.needs(*at).len()) }</dt>
                <dd>{ ends(tools, &node.needs, |edge| edge.to, "nothing") }</dd>
                <dt>{ title("Required by", tools.model.needed_by(*at).len()) }</dt>
                <dd>{ ends(tools, &node.needed_by, |edge| edge.from, "nothing") }</dd>
            </dl>
            <button type="button" class="quiet-button" onclick={center}>{ IconName::Graph.html() }
                <span>{ "Show only its neighbourhood" }</span></button>
        </section>
    }
}

fn closing(tools: &ToolsProps) -> Callback<()> {
    let (open, on_back) = (tools.open.clone(), tools.on_back.clone());
    Callback::from(move |()| {
        open.set(Open { card: None, enters: false, ..(*open).clone() });
        on_back.emit(());
    })
}

fn title(words: &str, count: usize) -> String {
    if count == 0 { words.to_owned() } else { format!("{words} {count}") }
}

/// The action for a resource and its reason; without an action its state.
fn fate(node: &Node) -> Html {
    let Some(action) = node.action else {
        return html! { <span>{ if node.look.is_some() { node.sub.as_str() } else { node.state.word() } }</span> };
    };
    html! {
        <>
            { action_mark(action, true) }
            if let Some(why) = &node.why { <span>{ format!(" because {why}") }</span> }
            if node.look.is_some() { <span class="muted">{ format!(" · {}", node.sub) }</span> }
        </>
    }
}

fn places(tools: &ToolsProps, node: &Node) -> Html {
    let declared = (!node.origin.file.is_empty()).then_some(&node.origin);
    let others = node.origins.iter().filter(|place| place.file != node.origin.file);
    html! {
        <>{ for declared.into_iter().chain(others).map(|place| html! {
            <PlaceLink place={place.clone()} layers={tools.layers.0.clone()} on_goto={tools.on_goto.clone()} />
        }) }</>
    }
}

/// The ends of edges as links, each with the kind of its connection.
fn ends(tools: &ToolsProps, edges: &[usize], end: fn(&Edge) -> usize, none: &str) -> Html {
    let all = named(&tools.model, edges, end);
    if all.is_empty() {
        return html! { <span class="muted">{ none }</span> };
    }
    let more = all.len().saturating_sub(MOST);
    let link = |(at, node, phrase): &(usize, &Node, &'static str)| {
        let (on_find, on_select, open) = (tools.on_find.clone(), tools.on_select.clone(), tools.open.clone());
        let (at, address) = (*at, node.address.clone());
        let onclick = Callback::from(move |_: MouseEvent| {
            open.set(Open { card: Some(address.clone().into()), enters: true, ..(*open).clone() });
            on_select.emit(address.clone());
            on_find.emit(at);
        });
        html! {
            <li>
                <button type="button" class="link" title={node.address.clone()} {onclick}>{ &node.name }</button>
                <span class="muted">{ *phrase }</span>
            </li>
        }
    };
    html! {
        <ul>
            { for all.iter().take(MOST).map(link) }
            if more > 0 { <li class="muted">{ format!("and {more} more") }</li> }
        </ul>
    }
}

/// The ends of edges, each once, with the phrase of the first edge.
fn named<'a>(
    model: &'a Model,
    edges: &[usize],
    end: fn(&Edge) -> usize,
) -> Vec<(usize, &'a Node, &'static str)> {
    let mut seen = std::collections::BTreeSet::new();
    let edges = edges.iter().filter_map(|at| model.edges.get(*at));
    let ends = edges.filter(|edge| seen.insert(end(edge)));
    ends.filter_map(|edge| Some((end(edge), model.nodes.get(end(edge))?, edge.kind.phrase()))).collect()
}

#[cfg(test)]
mod tests {
    use super::named;
    use crate::views::graph::model::tests::model;

    #[test]
    fn each_end_is_named_once() {
        let edges = [
            ("a.web", "a.db", "reference"),
            ("a.web", "a.db", "depends_on"),
            ("a.web", "a.net", "attachment"),
        ];
        let model = model(&[("a.web", 1), ("a.db", 0), ("a.net", 0)], &edges);
        let names: Vec<_> =
            named(&model, &model.nodes[0].needs, |edge| edge.to).iter().map(|it| it.1.name.clone()).collect();
        assert_eq!(names, ["db", "net"]);
    }
}
