//! The graph as views, with places to draw it at, and as DOT, Mermaid and SVG text.

mod packages;

use std::{
    borrow::Cow,
    collections::{HashMap, HashSet},
    fmt::Write,
};

use diag::escape_invisible;
use graph::{Dot, Graph, Mermaid, dot, layout::LayoutInput, mermaid::Outline};

use packages::with_packages;

use crate::{
    locate::location,
    pipeline::Model,
    view::{EdgeKind, EdgeView, GraphView, LayoutView, NodeView, PlacesView},
    vocabulary,
};

const BOX_HEIGHT: f32 = 44.0;
const MARGIN: f32 = 24.0;

/// The graph as a view.
pub(crate) fn graph_view(model: &Model) -> GraphView {
    view(model, &with_packages(model))
}

fn view(model: &Model, graph: &Graph) -> GraphView {
    let mut direct = vec![false; graph.edges.len()];
    for edge in graph.reduction() {
        if let Some(it) = direct.get_mut(edge) {
            *it = true;
        }
    }
    let address = |node: usize| graph.nodes.get(node).map(|it| it.address.to_string()).unwrap_or_default();
    let nodes = graph.nodes.iter().map(|it| NodeView {
        address: it.address.to_string(),
        kind: it.kind.to_string(),
        wave: it.wave,
        origin: location(&model.sources, it.declared),
    });
    let linked: HashSet<(usize, usize)> = graph.links.iter().map(|it| (it.from, it.to)).collect();
    let edges = graph.edges.iter().zip(direct);
    // Between two that are linked the link is drawn: it says more.
    let edges = edges.map(|(it, direct)| (it, direct && !linked.contains(&(it.from, it.to))));
    let mut seen = HashSet::new();
    let links = graph.links.iter().map(|it| (it, it.from != it.to && seen.insert((it.from, it.to))));
    let edges = edges.chain(links).map(|(it, direct)| EdgeView {
        from: address(it.from),
        to: address(it.to),
        kind: vocabulary::edge(it.kind),
        path: it.path.to_string(),
        origin: location(&model.sources, it.span),
        direct,
    });
    GraphView {
        format: "planloom.graph/1".into(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        diagnostics: model.diagnostic_views().to_vec(),
    }
}

/// The number of nodes of the graph.
pub(crate) fn count_nodes(model: &Model) -> usize {
    with_packages(model).nodes.len()
}

/// The graph with places to draw it at.
pub(crate) fn layout_view(model: &Model) -> LayoutView {
    let graph = &*with_packages(model);
    let view = view(model, graph);
    let (layout, drawn) = lay_out(graph);
    let sizes = sizes(graph);
    let boxes = layout.positions.iter().zip(&sizes).map(|((x, y), (w, h))| [*x, *y, *w, *h]);
    let boxes: Vec<[f32; 4]> = boxes.collect();
    let mut routes = vec![Vec::new(); view.edges.len()];
    for (edge, route) in drawn.into_iter().zip(layout.routes) {
        if let Some(slot) = routes.get_mut(edge) {
            *slot = route.into_iter().map(|(x, y)| [x, y]).collect();
        }
    }
    route_links(graph, &boxes, &mut routes);
    LayoutView { graph: view, boxes, routes, size: [layout.size.0, layout.size.1] }
}

/// Gives each link the route of another edge from its consumer to its provider; a straight one if there is none,
/// for links order nothing and so have no place in the layout.
fn route_links(graph: &Graph, boxes: &[[f32; 4]], routes: &mut [Vec<[f32; 2]>]) {
    let pairs =
        graph.edges.iter().enumerate().filter(|(n, _)| routes.get(*n).is_some_and(|it| !it.is_empty()));
    let ways: HashMap<(usize, usize), usize> = pairs.map(|(n, it)| ((it.from, it.to), n)).collect();
    let mut seen = HashSet::new();
    let mut is_first = |it: &graph::Edge| it.from != it.to && seen.insert((it.from, it.to));
    for (n, link) in graph.links.iter().enumerate().filter(|(_, it)| is_first(it)) {
        let way = ways.get(&(link.from, link.to)).and_then(|it| routes.get_mut(*it)).map(std::mem::take);
        let straight = || Some(straight(*boxes.get(link.from)?, *boxes.get(link.to)?));
        if let (Some(way), Some(slot)) = (way.or_else(straight), routes.get_mut(graph.edges.len() + n)) {
            *slot = way;
        }
    }
}

/// A line from the side of one box to the facing side of another.
fn straight(from: [f32; 4], to: [f32; 4]) -> Vec<[f32; 2]> {
    let middle = |it: [f32; 4]| it[1] + it[3] / 2.0;
    let (start, end) = if from[0] > to[0] + to[2] {
        (from[0], to[0] + to[2])
    } else if from[0] + from[2] < to[0] {
        (from[0] + from[2], to[0])
    } else {
        (from[0] + from[2], to[0] + to[2])
    };
    vec![[start, middle(from)], [end, middle(to)]]
}

/// The most nodes that are drawn wave by wave; more would make columns that are too tall to follow.
const MOST_IN_WAVES: usize = 80;

/// Wide enough for the name in the interface's type, and for a few words below it.
fn sizes(graph: &Graph) -> Vec<(f32, f32)> {
    let width = |name: &str| (56.0 + 7.4 * name.chars().count() as f32).clamp(176.0, 280.0).round();
    graph.nodes.iter().map(|it| (width(&it.address.name), BOX_HEIGHT)).collect()
}

/// The same with all nodes of a wave as wide as the widest of them.
fn even_sizes(graph: &Graph) -> Vec<(f32, f32)> {
    let own = sizes(graph);
    let waves = graph.nodes.iter().map(|it| it.wave);
    let width = |wave: u32| {
        let same = waves.clone().zip(&own).filter(|(it, _)| *it == wave);
        same.map(|(_, (width, _))| *width).fold(0.0, f32::max)
    };
    waves.clone().map(|wave| (width(wave), BOX_HEIGHT)).collect()
}

/// The layout, and which edge each of its routes is.
fn lay_out(graph: &Graph) -> (graph::layout::Layout, Vec<usize>) {
    let drawn = graph.reduction();
    let edges = drawn.iter().filter_map(|edge| graph.edges.get(*edge)).map(|it| (it.from, it.to)).collect();
    let waves = graph.nodes.len() <= MOST_IN_WAVES;
    let sizes = if waves { even_sizes(graph) } else { sizes(graph) };
    let input = LayoutInput { sizes, edges, layer_gap: 72.0, node_gap: 20.0, waves };
    (graph::layout::layout(&input), drawn)
}

/// Places for boxes, given which needs which, drawn as a graph of as many resources is.
pub(crate) fn places(sizes: &[[f32; 2]], edges: &[[usize; 2]]) -> PlacesView {
    let input = LayoutInput {
        sizes: sizes.iter().map(|[width, height]| (*width, *height)).collect(),
        edges: edges.iter().map(|[from, to]| (*from, *to)).collect(),
        layer_gap: 72.0,
        node_gap: 20.0,
        waves: sizes.len() <= MOST_IN_WAVES,
    };
    let layout = graph::layout::layout(&input);
    let boxes = layout.positions.iter().zip(sizes).map(|((x, y), [width, height])| [*x, *y, *width, *height]);
    let routes = layout.routes.iter().map(|route| route.iter().map(|(x, y)| [*x, *y]).collect());
    PlacesView { boxes: boxes.collect(), routes: routes.collect(), size: [layout.size.0, layout.size.1] }
}

/// Graphviz DOT; an edge points from the dependent to its dependency.
pub(crate) fn dot(model: &Model) -> String {
    let view = graph_view(model);
    let mut drawing = Dot::new("planloom", "RL");
    drawing.statement("node [shape=box]");
    if let Some(note) = left_out(&view) {
        drawing.comment(&note);
    }
    for node in &view.nodes {
        drawing.node(&node.address, &[("label", &dot::quoted(&node.address))]);
    }
    for edge in view.edges.iter().filter(|it| it.direct) {
        let style = match edge.kind {
            EdgeKind::Reference => "dashed",
            EdgeKind::Attachment | EdgeKind::Version => "dotted",
            EdgeKind::Link => "bold",
            EdgeKind::DependsOn => "solid",
        };
        drawing.edge(
            &edge.from,
            &edge.to,
            &[("style", style), ("tooltip", &dot::quoted(edge.kind.as_str()))],
        );
    }
    drawing.finish()
}

/// The number of connections that are not drawn because a longer path implies them, as a sentence.
fn left_out(view: &GraphView) -> Option<String> {
    let drawn: HashSet<_> = view.edges.iter().filter(|it| it.direct).map(|it| (&it.from, &it.to)).collect();
    let is_left_out =
        |it: &&EdgeView| !it.direct && it.kind != EdgeKind::Link && !drawn.contains(&(&it.from, &it.to));
    let count = view.edges.iter().filter(is_left_out).count();
    match count {
        0 => None,
        1 => Some("1 connection that follows from others is left out".into()),
        _ => Some(format!("{count} connections that follow from others are left out")),
    }
}

/// Mermaid flowchart text.
pub(crate) fn mermaid(model: &Model) -> String {
    let view = graph_view(model);
    let mut chart = Mermaid::new("RL");
    if let Some(note) = left_out(&view) {
        chart.comment(&note);
    }
    for (n, node) in view.nodes.iter().enumerate() {
        chart.node(&format!("n{n}"), Outline::Box, &node.address);
    }
    let index = |address: &str| view.nodes.iter().position(|it| it.address == address).unwrap_or_default();
    for edge in view.edges.iter().filter(|it| it.direct) {
        let arrow = match edge.kind {
            EdgeKind::Reference => "-.->",
            EdgeKind::Attachment => "-->|lives in|",
            EdgeKind::Link => "==>",
            EdgeKind::Version => "-.->|runs|",
            EdgeKind::DependsOn => "-->",
        };
        chart.edge(&format!("n{}", index(&edge.from)), arrow, &format!("n{}", index(&edge.to)));
    }
    chart.finish()
}

/// A name without characters that a terminal would interpret, that turn the direction of the text after them, that cannot be
/// seen or that XML forbids: such characters are escaped, so that two names stay distinct.
fn visible(text: &str) -> Cow<'_, str> {
    escape_invisible(text, &[])
}

/// A drawing that stands for itself: fixed colours that read on light and dark.
pub(crate) fn svg(model: &Model) -> String {
    let LayoutView { graph: view, boxes, routes, size } = layout_view(model);
    let (width, height) = (size[0] + 2.0 * MARGIN, size[1] + 2.0 * MARGIN);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"{} {} {width} {height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>Dependency graph</title>\n{}\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
         orient=\"auto\"><path d=\"M0 0 8 4 0 8z\" fill=\"#77746e\"/></marker></defs>\n",
        -MARGIN,
        -MARGIN,
        left_out(&view).map(|note| format!("<desc>{note}</desc>\n")).unwrap_or_default(),
    );
    for (edge, route) in view.edges.iter().zip(&routes).filter(|(_, route)| !route.is_empty()) {
        svg_edge(&mut text, edge.kind, route);
    }
    for (node, [x, y, w, h]) in with_packages(model).nodes.iter().zip(&boxes) {
        let name = xml_quote(&node.address.to_string());
        let kind = xml_quote(&node.kind);
        let _ = writeln!(
            text,
            "<g><title>{name}</title><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"6\" fill=\"#ffffff\" \
             stroke=\"#77746e\"/><text x=\"{}\" y=\"{}\" fill=\"#1b1a18\" font-weight=\"600\">{}</text>\
             <text x=\"{}\" y=\"{}\" fill=\"#66635d\" font-size=\"11\">{kind}</text></g>",
            x + 12.0,
            y + 19.0,
            xml_quote(&short_name(node)),
            x + 12.0,
            y + 35.0,
        );
    }
    text.push_str("</svg>\n");
    text
}

fn short_name(node: &graph::Node) -> String {
    let name = match node.address.instance {
        Some(n) => format!("{}[{n}]", node.address.name),
        None => node.address.name.to_string(),
    };
    if name.chars().count() <= 28 { name } else { name.chars().take(27).chain(['…']).collect() }
}

fn svg_edge(text: &mut String, kind: EdgeKind, route: &[[f32; 2]]) {
    let dash = match kind {
        EdgeKind::Reference => " stroke-dasharray=\"5 4\"",
        EdgeKind::Attachment => " stroke-width=\"0.75\"",
        EdgeKind::Link => " stroke-width=\"2.5\"",
        EdgeKind::Version => " stroke-dasharray=\"1 4\" stroke-linecap=\"round\"",
        EdgeKind::DependsOn => "",
    };
    let points: Vec<String> = route.iter().map(|[x, y]| format!("{x},{y}")).collect();
    let _ = writeln!(
        text,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#77746e\"{dash} marker-end=\"url(#arrow)\"/>",
        points.join(" ")
    );
}

fn xml_quote(text: &str) -> String {
    visible(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use crate::{File, Workspace, view::GraphFormat};

    /// The graph of a service of that name.
    fn drawn(name: &str, format: GraphFormat) -> String {
        let name = serde_json::Value::from(name);
        let text = format!("payloads: {{p: {{runtime: vm}}}}\nservices: {{{name}: {{payload: p}}}}\n");
        let mut workspace = Workspace::new();
        workspace.set_files(vec![File { name: "a.yaml".into(), text, package: None }]);
        workspace.graph_text(format)
    }

    #[test]
    fn names_draw_nothing_but_themselves() {
        for format in GraphFormat::ALL.iter().copied() {
            for hostile in ["a\u{1b}[31mb", "a\u{202e}b", "a\nb", "a\u{9b}b", "a\u{2028}b", "a\u{fffe}b"] {
                let text = drawn(hostile, format);
                let odd = |c: char| diag::is_invisible(c) && c != '\n';
                assert!(!text.contains(odd), "{format}: {text:?}");
                assert!(!text.contains("a\nb"), "{format}: {text:?}");
                assert!(text.contains("\\u"), "{format}: what cannot be seen is named: {text:?}");
            }
        }
        assert!(drawn("a\"b\\c", GraphFormat::Dot).contains(r#""services.\"a\\\"b\\\\c\"""#));
        assert!(
            drawn("a<b", GraphFormat::Svg).contains("services.a&lt;b")
                && drawn("a<b", GraphFormat::Mermaid).contains("services.a#60;b")
        );
    }
}
