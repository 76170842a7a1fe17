use diag::order;

use graph::layout::{LayoutInput, layout};

use workspace::view::{LinkEdgeView, LinkMapView, LinkNodeView, LinkProviderView, LinkView, LinksView};

const BOX_HEIGHT: f32 = 44.0;

/// The links between owners, drawn: owners that mostly provide left, those that mostly consume right. Two that need each other
/// share a line.
pub(crate) fn map(links: &LinksView) -> LinkMapView {
    let nodes = nodes(links);
    let edges = edges(links, &nodes);
    let sizes: Vec<(f32, f32)> = nodes.iter().map(|it| (width(&it.name), BOX_HEIGHT)).collect();
    let lines = lines(&edges, nodes.len());
    let pairs = lines.iter().map(|(pair, _)| *pair).collect();
    let input = LayoutInput { sizes, edges: pairs, layer_gap: 80.0, node_gap: 24.0, waves: false };
    let layout = layout(&input);
    let boxes = layout.positions.iter().zip(&input.sizes).map(|((x, y), (w, h))| [*x, *y, *w, *h]).collect();
    let mut routes = vec![Vec::new(); edges.len()];
    for (((_, left), along), route) in lines.iter().zip(&layout.routes) {
        let to_right: Vec<[f32; 2]> = route.iter().map(|(x, y)| [*x, *y]).collect();
        for at in along {
            let (Some(slot), Some(edge)) = (routes.get_mut(*at), edges.get(*at)) else { continue };
            *slot = to_right.clone();
            if edge.from != *left {
                slot.reverse();
            }
        }
    }
    LinkMapView { nodes, edges, boxes, routes, size: [layout.size.0, layout.size.1] }
}

/// The lines to draw: from the right owner to the left one, with the edges between them, in one direction or both. An owner
/// that provides for more others than it consumes from is left, so that there is no circle. Links of an owner to itself are
/// shown at its box.
fn lines(edges: &[LinkEdgeView], count: usize) -> Vec<((usize, usize), Vec<usize>)> {
    let mut gives = vec![0i64; count];
    for edge in edges {
        for (at, by) in [(edge.to, 1), (edge.from, -1)] {
            gives.get_mut(at).into_iter().for_each(|it| *it += by);
        }
    }
    let left_first = |at: usize| (gives.get(at).map(|it| -it), at);
    let line = |edge: &LinkEdgeView| {
        let from_is_left = left_first(edge.from) < left_first(edge.to);
        if from_is_left { (edge.to, edge.from) } else { (edge.from, edge.to) }
    };
    let between = edges.iter().enumerate().filter(|(_, it)| it.from != it.to);
    by_pair(between.map(|(at, edge)| (line(edge), at)).collect())
}

/// The items of each pair, in order of the pairs.
fn by_pair(mut all: Vec<((usize, usize), usize)>) -> Vec<((usize, usize), Vec<usize>)> {
    order::by_key(&mut all, |it| it.0);
    let groups = all.chunk_by(|a, b| a.0 == b.0);
    groups.filter_map(|it| Some((it.first()?.0, it.iter().map(|(_, at)| *at).collect()))).collect()
}

/// Room for the name in the interface's type, and for a few words below it.
fn width(name: &str) -> f32 {
    (56.0 + 7.4 * name.chars().count() as f32).clamp(200.0, 280.0).round()
}

/// An owner: its deployment and name.
type Key<'v> = (&'v str, &'v str);

/// A provider or a link that an owner has, by its index.
enum Owned {
    Provider(usize),
    Link(usize),
}

/// The owners, in the order of their deployments and then in that in which they first provide or consume.
fn nodes(links: &LinksView) -> Vec<LinkNodeView> {
    let providers = links.providers.iter().enumerate();
    let providers = providers.map(|(at, it)| (provider(&it.provider), Owned::Provider(at)));
    let consumers = links.links.iter().enumerate().map(|(at, it)| (consumer(it), Owned::Link(at)));
    let mut owned: Vec<(usize, (Key<'_>, Owned))> = providers.chain(consumers).enumerate().collect();
    order::by_key(&mut owned, |(_, (key, _))| *key);
    let owners = owned.chunk_by(|a, b| a.1.0 == b.1.0);
    let mut nodes: Vec<(usize, LinkNodeView)> = owners.filter_map(node).collect();
    let deployment = |it: &LinkNodeView| links.deployments.iter().position(|name| *name == it.deployment);
    order::by_key(&mut nodes, |(first, it)| (deployment(it), *first));
    nodes.into_iter().map(|(_, it)| it).collect()
}

/// An owner and the place where it first provides or consumes.
fn node(owned: &[(usize, (Key<'_>, Owned))]) -> Option<(usize, LinkNodeView)> {
    let (first, ((deployment, name), _)) = owned.first()?;
    let (deployment, name) = ((*deployment).to_owned(), (*name).to_owned());
    let mut node = LinkNodeView { deployment, name, ..LinkNodeView::default() };
    for (_, (_, it)) in owned {
        match it {
            Owned::Provider(at) => node.providers.push(*at),
            Owned::Link(at) => node.links.push(*at),
        }
    }
    Some((*first, node))
}

/// The owner that provides: an instance group or a service.
fn provider(it: &LinkProviderView) -> Key<'_> {
    (&it.deployment, it.instance_group.as_deref().or(it.address.as_deref()).unwrap_or(&it.name))
}

fn consumer(it: &LinkView) -> Key<'_> {
    (&it.deployment, it.instance_group.as_deref().or(it.consumer.as_deref()).unwrap_or(&it.link))
}

/// One edge for each pair of owners with links between them, in the order of the first of these.
fn edges(links: &LinksView, nodes: &[LinkNodeView]) -> Vec<LinkEdgeView> {
    let keys = nodes.iter().enumerate().map(|(at, it)| ((it.deployment.as_str(), it.name.as_str()), at));
    let places = order::list(keys);
    let place = |key: Key<'_>| {
        let at = places.binary_search_by(|it| it.0.cmp(&key)).ok()?;
        Some(places.get(at)?.1)
    };
    let ends = |link: &LinkView| place(consumer(link)).zip(place(provider(link.provider.as_ref()?)));
    let all = links.links.iter().enumerate().filter_map(|(at, link)| Some((ends(link)?, at))).collect();
    let edge = |((from, to), links)| LinkEdgeView { from, to, links };
    let mut edges: Vec<LinkEdgeView> = by_pair(all).into_iter().map(edge).collect();
    order::by(&mut edges, |a, b| a.links.cmp(&b.links));
    edges
}

#[cfg(test)]
#[expect(clippy::indexing_slicing, reason = "a test that fails says where")]
mod tests {
    use super::*;
    use workspace::view::ProviderView;

    /// A group's job with a link of that name.
    fn offered(group: &str) -> LinkProviderView {
        LinkProviderView {
            deployment: "cf".into(),
            instance_group: Some(group.into()),
            job: Some("j".into()),
            name: "l".into(),
            ..LinkProviderView::default()
        }
    }

    /// Links from consumer to provider, by group; a provider that is not there is none.
    fn links(pairs: &[(&str, &str)]) -> LinksView {
        let link = |(from, to): &(&str, &str)| LinkView {
            deployment: "cf".into(),
            instance_group: Some((*from).into()),
            provider: (!to.is_empty()).then(|| offered(to)),
            ..LinkView::default()
        };
        let groups = pairs.iter().map(|(_, to)| *to).filter(|it| !it.is_empty());
        let providers = groups.map(|it| ProviderView { provider: offered(it), ..ProviderView::default() });
        LinksView {
            deployments: vec!["cf".into()],
            providers: providers.collect(),
            links: pairs.iter().map(link).collect(),
            ..LinksView::default()
        }
    }

    #[test]
    fn owners_are_drawn_once_and_what_is_between_two_is_one_line() {
        let map = map(&links(&[("web", "db"), ("web", "db"), ("db", "web"), ("db", "db"), ("alone", "")]));
        let names: Vec<&str> = map.nodes.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["db", "web", "alone"]);
        assert_eq!(map.nodes.iter().map(|it| it.links.len()).collect::<Vec<_>>(), [2, 2, 1]);
        let edges: Vec<_> = map.edges.iter().map(|it| (it.from, it.to, it.links.len())).collect();
        assert_eq!(edges, [(1, 0, 2), (0, 1, 1), (0, 0, 1)]);
        assert_eq!(map.routes.iter().map(Vec::is_empty).collect::<Vec<_>>(), [false, false, true]);
    }

    #[test]
    fn a_line_leads_from_the_consumer_to_the_provider() {
        let map = map(&links(&[("web", "db"), ("db", "web")]));
        for (edge, route) in map.edges.iter().zip(&map.routes) {
            for (node, end) in [(edge.from, route.first()), (edge.to, route.last())] {
                let ([left, top, width, height], Some([x, y])) = (map.boxes[node], end) else {
                    panic!("no end of {edge:?}")
                };
                let at_side = (x - left).abs() < 0.5 || (x - left - width).abs() < 0.5;
                assert!(at_side && *y >= top && *y <= top + height, "{route:?} does not end at {node}");
            }
        }
    }

    #[test]
    fn two_that_need_each_other_share_a_line_and_who_provides_is_left() {
        let map = map(&links(&[("web", "db"), ("db", "web"), ("api", "db")]));
        let back: Vec<[f32; 2]> = map.routes[1].iter().rev().copied().collect();
        assert_eq!(map.routes[0], back);
        assert!(map.boxes[0][0] < map.boxes[1][0], "db provides for two, and web for one");
    }

    #[test]
    fn no_box_lies_on_another() {
        let groups: Vec<String> = (0..17).map(|it| format!("group-{it}")).collect();
        let pairs: Vec<(&str, &str)> =
            (0..137).map(|it| (groups[it * 7 % 17].as_str(), groups[it * it % 17].as_str())).collect();
        let map = map(&links(&pairs));
        assert_eq!(map.boxes.len(), 17);
        for (at, [x, y, w, h]) in map.boxes.iter().enumerate() {
            assert!(*x >= 0.0 && *y >= 0.0 && x + w <= map.size[0] + 0.5 && y + h <= map.size[1] + 0.5);
            for [left, top, width, height] in &map.boxes[..at] {
                assert!(x + w <= *left || left + width <= *x || y + h <= *top || top + height <= *y);
            }
        }
    }
}
