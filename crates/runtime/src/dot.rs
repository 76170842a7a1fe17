use graph::{Dot, dot};

use crate::{Edge, EdgeKind, Graph};

impl Graph {
    /// The graph for Graphviz: controllers are boxes, kinds notes; exclusive outputs bold, weak inputs
    /// dotted, destroy-ready ones grey and dashed, loops red.
    pub fn dot(&self) -> String {
        let mut drawing = Dot::new("controllers", "LR");
        for node in &self.controllers {
            drawing.node(&node.id, &[("shape", "box"), ("label", &dot::quoted(&node.controller))]);
        }
        for node in &self.kinds {
            let label = dot::quoted_lines(&[&node.kind.to_string(), &node.resources.to_string()]);
            drawing.node(&node.id, &[("shape", "note"), ("label", &label)]);
        }
        for edge in &self.edges {
            let label = edge.resource.as_deref().map(dot::quoted);
            drawing.edge(&edge.from, &edge.to, &attributes(edge, label.as_deref()));
        }
        drawing.finish()
    }
}

fn attributes<'a>(edge: &Edge, label: Option<&'a str>) -> Vec<(&'static str, &'a str)> {
    let style: &[_] = match edge.edge {
        EdgeKind::Exclusive => &[("style", "bold")],
        EdgeKind::Shared | EdgeKind::Strong => &[("style", "solid")],
        EdgeKind::Weak => &[("style", "dotted")],
        EdgeKind::DestroyReady | EdgeKind::Removes => &[("style", "dashed"), ("color", "gray")],
    };
    let label = label.map(|it| ("label", it));
    let alarm = edge.livelock.then_some(("color", "red"));
    style.iter().copied().chain(label).chain(alarm).collect()
}
