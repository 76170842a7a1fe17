use std::collections::BTreeMap;

use anstyle::AnsiColor;
use workspace::view::words::count;
use workspace::view::{EdgeKind, EdgeView, GraphView, LocationView, NodeView};

use super::value::dotted;
use super::width::{clean, pad, width};
use crate::console::Paint;

/// The waves of a parallel creation, and below each resource its dependencies with reasons.
pub(crate) fn show(graph: &GraphView, paint: Paint) -> String {
    let waves = graph.nodes.iter().map(|it| it.wave as usize + 1).max().unwrap_or(0);
    let connections = count(graph.edges.len(), "connection");
    let mut out =
        format!("{} in {}, {connections}\n", count(graph.nodes.len(), "resource"), count(waves, "wave"));
    let mut needs: BTreeMap<&str, Vec<&EdgeView>> = BTreeMap::new();
    for edge in &graph.edges {
        needs.entry(&edge.from).or_default().push(edge);
    }
    let room = column(graph);
    for wave in 0..waves {
        let title = if wave == 0 { "wave 1".into() } else { format!("wave {}, after that", wave + 1) };
        out.push_str(&format!("\n{}\n", paint.bold(&title)));
        for node in graph.nodes.iter().filter(|it| it.wave as usize == wave) {
            out.push_str(&resource(node, needs.get(node.address.as_str()).map_or(&[], |it| it), room, paint));
        }
    }
    out
}

/// The column of the locations: behind the longest line that is not unusually long.
fn column(graph: &GraphView) -> usize {
    let nodes = graph.nodes.iter().map(|it| width(&clean(&it.address)) + 2);
    let edges = graph.edges.iter().map(|it| width(&sentence(it)) + 5);
    nodes.chain(edges).filter(|it| *it <= 72).max().unwrap_or(0) + 2
}

fn resource(node: &NodeView, needs: &[&EdgeView], room: usize, paint: Paint) -> String {
    let name = pad(&format!("  {}", clean(&node.address)), room);
    let mut out = format!("{}{}\n", paint.strong(AnsiColor::Cyan, &name), paint.dim(&place(&node.origin)));
    for (idx, edge) in needs.iter().enumerate() {
        let branch = if idx + 1 == needs.len() { "└─" } else { "├─" };
        let text = pad(&sentence(edge), room.saturating_sub(5));
        out.push_str(&format!("  {} {text}{}\n", paint.dim(branch), paint.dim(&place(&edge.origin))));
    }
    out
}

fn sentence(edge: &EdgeView) -> String {
    let to = clean(&edge.to);
    let says = edge.kind.phrase();
    match edge.kind {
        EdgeKind::Reference => format!("{says} {to} at {}", dotted(&edge.path)),
        EdgeKind::DependsOn | EdgeKind::Attachment | EdgeKind::Link | EdgeKind::Version => {
            format!("{says} {to}")
        }
    }
}

pub(crate) fn place(location: &LocationView) -> String {
    format!("{}:{}", clean(&location.file), location.line)
}
