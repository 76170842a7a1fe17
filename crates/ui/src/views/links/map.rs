//! Owners and the links between them, drawn.

use std::{cell::RefCell, collections::BTreeSet};

use diag::order;
use workspace::view::words::count;
use workspace::view::{EdgeKind, LinkEdgeView, LocationView};
use yew::prelude::*;

use super::{model::Model, pick::Pick, show::Show};
use crate::{
    IconName,
    views::{
        Same,
        graph::{Canvas, Connection, Dress, Edge, Model as Drawing, Neighbours, Node, Sort, Stage, State},
    },
};

#[derive(Clone, PartialEq, Properties)]
pub(super) struct MapProps {
    pub(super) show: Show,
}

#[component]
pub(super) fn Map(props: &MapProps) -> Html {
    let Show { model, kept, on_pick, .. } = &props.show;
    let stage = use_memo((), |()| RefCell::new(Stage::default()));
    let center = use_state_eq(|| None::<AttrValue>);
    let drawing = use_memo(model.clone(), |model| drawing(model));
    let kept = use_memo((model.clone(), kept.clone()), |(model, kept)| {
        (kept.len() < model.view.links.len()).then(|| Same::new(neighbours(model, kept)))
    });
    let on_select = {
        let (on_pick, drawing) = (on_pick.clone(), drawing.clone());
        Callback::from(move |address: String| on_pick.emit(drawing.find(&address).map(Pick::Owner)))
    };
    let on_edge = {
        let (on_pick, model) = (on_pick.clone(), model.clone());
        Callback::from(move |edge: usize| {
            on_pick.emit(model.map.edges.get(edge).map(|it| Pick::of(&it.links)));
        })
    };
    let on_center = {
        let (center, drawing) = (center.clone(), drawing.clone());
        Callback::from(move |at: Option<usize>| {
            center.set(at.and_then(|at| drawing.nodes.get(at)).map(|it| it.address.clone().into()));
        })
    };
    html! {
        <figure class="graph-figure links-map" aria-label={summary(model)}>
            <div class="graph-stage">
                if let Some(address) = &*center {
                    <button type="button" class="filter-chip links-center" aria-pressed="true"
                        onclick={on_center.reform(|_: MouseEvent| None)} title="Show all (Escape)">
                        { format!("Around {}", said(address)) }{ IconName::Close.html() }
                    </button>
                }
                <Canvas model={Same(drawing.clone())} layers={Same::new(Vec::new())} stage={Same(stage)}
                    selected={owner(model, props.show.pick.as_ref())}
                    center={center.as_ref().and_then(|address| drawing.find(address))}
                    kept={(*kept).clone()} {on_center} on_goto={Callback::noop()} {on_select} on_edge={Some(on_edge)} />
                <p class="graph-legend links-legend">
                    <svg width="40" height="14" aria-hidden="true"><g class="graph-edge edge-link">
                        <path class="edge-line" d="M1 7H36" /><path class="edge-core" d="M1 7H36" />
                        <path class="edge-head" d="M31 3.5L38 7L31 10.5" /></g></svg>
                    <span>{ "from provider to consumer; ↻ consumes from itself" }</span>
                </p>
            </div>
        </figure>
    }
}

fn summary(model: &Model) -> String {
    let (owners, lines) = (model.map.nodes.len(), model.map.edges.len());
    format!("{}, {} between them", count(owners, "owner"), count(lines, "line"))
}

/// The owner that is selected, or that the selection belongs to.
fn owner(model: &Model, pick: Option<&Pick<usize>>) -> Option<usize> {
    match pick? {
        Pick::Owner(at) => Some(*at),
        Pick::Provider(at) => Some(model.owner_of(*at)),
        Pick::Link(at) => Some(model.consumer_of(*at)),
        Pick::Links(all) => all.first().map(|at| model.consumer_of(*at)),
    }
}

/// `cf: api`; an address is a deployment and a name in two lines.
fn said(address: &str) -> String {
    address.split_once('\n').map_or(address, |(_, name)| name).to_owned()
}

/// The owners that links connect, and the edges between them: the rest is faded.
fn neighbours(model: &Model, links: &[usize]) -> Neighbours {
    let links: BTreeSet<usize> = order::set(links.iter().copied());
    let edges = model.map.edges.iter().enumerate();
    let edges = edges.filter(|(_, edge)| edge.links.iter().any(|at| links.contains(at)));
    let consumers = links.iter().map(|at| model.consumer_of(*at));
    let nodes = consumers.chain(links.iter().filter_map(|at| model.provided_by(*at))).collect();
    Neighbours { nodes, edges: edges.map(|(at, _)| at).collect() }
}

/// The links as the graph's drawing takes them. Columns stand for waves, so that arrow keys go along what is seen.
fn drawing(model: &Model) -> Drawing {
    let map = &model.map;
    let mut columns: Vec<i64> = map.boxes.iter().map(|it| it[0] as i64).collect();
    order::by(&mut columns, Ord::cmp);
    columns.dedup();
    let column = |left: f32| columns.iter().position(|it| *it == left as i64).unwrap_or_default() as u32;
    let rects = map.boxes.iter().copied().chain(std::iter::repeat([0.0; 4]));
    let nodes = (0..map.nodes.len()).zip(rects).map(|(at, rect)| node(model, at, rect, column(rect[0])));
    let routes = map.routes.iter().map(Vec::as_slice).chain(std::iter::repeat([].as_slice()));
    let edges = map.edges.iter().zip(routes).map(|(edge, route)| line(model, edge, route));
    let mut drawing = Drawing {
        nodes: nodes.collect(),
        edges: edges.collect(),
        size: map.size,
        sort: Sort::Links,
        ..Drawing::default()
    };
    for at in 0..drawing.edges.len() {
        let Some((from, to)) = drawing.edges.get(at).map(|it| (it.from, it.to)) else { continue };
        drawing.nodes.get_mut(from).into_iter().for_each(|it| it.needs.push(at));
        drawing.nodes.get_mut(to).into_iter().for_each(|it| it.needed_by.push(at));
    }
    drawing.order = (0..drawing.nodes.len()).collect();
    order::by_key(&mut drawing.order, |at| drawing.nodes.get(*at).map_or(0, |it| it.wave));
    drawing
}

fn node(model: &Model, at: usize, rect: [f32; 4], wave: u32) -> Node {
    let links = model.owner(at).map(|it| it.links.clone()).unwrap_or_default();
    let providers = model.owner(at).map(|it| it.providers.clone()).unwrap_or_default();
    let own = links.iter().filter(|link| model.provided_by(**link) == Some(at)).count();
    let is_group = links.iter().any(|it| model.link(*it).is_some_and(|it| it.instance_group.is_some()))
        || providers
            .iter()
            .any(|it| model.provider(*it).is_some_and(|it| it.provider.instance_group.is_some()));
    let (deployment, name) =
        model.owner(at).map(|it| (it.deployment.clone(), it.name.clone())).unwrap_or_default();
    let loops = if own > 0 { format!(" · ↻ {own}") } else { String::new() };
    Node {
        address: format!("{deployment}\n{name}"),
        name: model.owner_name(at),
        kind: if is_group { "instance group".into() } else { "service".into() },
        wave,
        rect,
        origin: origin(model, &links, &providers),
        action: None,
        state: State::Unknown,
        sub: format!("takes {} · gives {}{loops}", links.len(), providers.len()),
        why: None,
        needs: Vec::new(),
        needed_by: Vec::new(),
        origins: Vec::new(),
        look: None,
        dress: Dress::default(),
        members: Vec::new(),
        problems: links.iter().filter(|it| model.outcome(**it).is_failure()).count(),
    }
}

/// The place of an owner: where it first provides, or first consumes.
fn origin(model: &Model, links: &[usize], providers: &[usize]) -> LocationView {
    let provided = providers.iter().find_map(|at| model.provider(*at)?.origin.clone());
    let consumed = || links.iter().find_map(|at| model.link(*at)?.origin.clone());
    let nowhere = LocationView::nowhere();
    provided.or_else(consumed).unwrap_or(nowhere)
}

/// A line from a provider to a consumer.
fn line(model: &Model, edge: &LinkEdgeView, route: &[[f32; 2]]) -> Edge {
    const MOST: usize = 3;
    let links: Vec<&str> =
        edge.links.iter().filter_map(|at| model.link(*at)).map(|it| it.link.as_str()).collect();
    let more = links.len().saturating_sub(MOST);
    let named = links.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    Edge {
        from: edge.from,
        to: edge.to,
        kind: Connection::Need(EdgeKind::Link),
        path: if more > 0 { format!("{named} +{more}") } else { named },
        origin: origin(model, &edge.links, &[]),
        route: route.iter().rev().copied().collect(),
        knock_on: None,
        label: None,
    }
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    #[test]
    fn owners_say_what_they_take_and_give() {
        let drawing = drawing(&fixture::small());
        let said: Vec<_> =
            drawing.nodes.iter().map(|it| (it.name.as_str(), it.sub.as_str(), it.problems)).collect();
        let expected = [
            ("db", "takes 1 · gives 1 · ↻ 1", 0),
            ("web", "takes 2 · gives 1", 1),
            ("old", "takes 0 · gives 1", 0),
            ("router", "takes 2 · gives 0", 0),
        ];
        assert_eq!(said, expected);
        assert_eq!(drawing.nodes.iter().map(|it| it.wave).collect::<Vec<_>>(), [0, 1, 2, 3]);
    }

    #[test]
    fn lines_lead_from_who_provides_and_name_their_links() {
        let model = fixture::small();
        let drawing = drawing(&model);
        let route = model.map.routes[0].clone();
        assert_eq!(drawing.edges[0].route, route.into_iter().rev().collect::<Vec<_>>());
        assert_eq!(drawing.edges[0].path, "sql");
        assert!(drawing.edges.iter().any(|it| it.from == it.to && it.route.is_empty()));
        let large = super::drawing(&fixture::generated(17, 150));
        assert!(large.edges.iter().any(|it| it.path.contains(" +")), "many links are counted");
    }

    #[test]
    fn a_filter_keeps_both_ends() {
        let kept = neighbours(&fixture::small(), &[0, 4]);
        assert_eq!((kept.nodes, kept.edges), ([0, 1, 3].into(), [0].into()));
    }
}
