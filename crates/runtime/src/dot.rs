use std::fmt::Write as _;

use crate::{Edge, EdgeKind, Graph};

impl Graph {
    /// For Graphviz: controllers are boxes, kinds notes; exclusive outputs bold, weak inputs dotted, destroy-ready
    /// ones grey and dashed, what is in a loop red.
    pub fn dot(&self) -> String {
        let mut text = "digraph controllers {\n  rankdir=LR;\n".to_owned();
        for node in &self.controllers {
            let _ = writeln!(text, "  {} [shape=box, label={}];", quoted(&node.id), quoted(&node.controller));
        }
        for node in &self.kinds {
            let label = format!("{}\n{}", node.kind, node.resources);
            let _ = writeln!(text, "  {} [shape=note, label={}];", quoted(&node.id), quoted(&label));
        }
        for edge in &self.edges {
            let (from, to) = (quoted(&edge.from), quoted(&edge.to));
            let _ = writeln!(text, "  {from} -> {to} [{}];", attributes(edge));
        }
        text.push_str("}\n");
        text
    }
}

fn attributes(edge: &Edge) -> String {
    let style = match edge.edge {
        EdgeKind::Exclusive => "style=bold",
        EdgeKind::Shared | EdgeKind::Strong => "style=solid",
        EdgeKind::Weak => "style=dotted",
        EdgeKind::DestroyReady | EdgeKind::Removes => "style=dashed, color=gray",
    };
    let label = edge.resource.as_ref().map(|id| format!(", label={}", quoted(id))).unwrap_or_default();
    let alarm = if edge.livelock { ", color=red" } else { "" };
    format!("{style}{label}{alarm}")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
