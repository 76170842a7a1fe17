use std::collections::BTreeMap;

use graph::mermaid::{self, Mermaid, Outline};

use crate::{Edge, EdgeKind, Graph};

impl Graph {
    /// The graph for Mermaid: controllers are boxes, kinds rounded; exclusive outputs thick, weak and
    /// destroy-ready inputs dotted.
    pub fn mermaid(&self) -> String {
        let mut chart = Mermaid::new("LR");
        let mut names = BTreeMap::new();
        for (number, node) in self.controllers.iter().enumerate() {
            let name = names.entry(node.id.as_str()).insert_entry(format!("c{number}"));
            chart.node(name.get(), Outline::Box, &node.controller);
        }
        for (number, node) in self.kinds.iter().enumerate() {
            let name = names.entry(node.id.as_str()).insert_entry(format!("k{number}"));
            chart.node(name.get(), Outline::Rounded, &node.kind.to_string());
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (names.get(edge.from.as_str()), names.get(edge.to.as_str())) {
                chart.edge(from, &arrow(edge), to);
            }
        }
        chart.finish()
    }
}

fn arrow(edge: &Edge) -> String {
    let arrow = match edge.edge {
        EdgeKind::Exclusive => "==>",
        EdgeKind::Shared | EdgeKind::Strong => "-->",
        EdgeKind::Weak | EdgeKind::DestroyReady | EdgeKind::Removes => "-.->",
    };
    label(edge).map_or_else(|| arrow.to_owned(), |label| format!("{arrow}{}", mermaid::label(&label)))
}

fn label(edge: &Edge) -> Option<String> {
    let kind = match edge.edge {
        EdgeKind::DestroyReady => Some("destroy ready"),
        EdgeKind::Removes => Some("removes"),
        EdgeKind::Exclusive | EdgeKind::Shared | EdgeKind::Strong | EdgeKind::Weak => None,
    };
    let parts: Vec<&str> = kind.into_iter().chain(edge.resource.as_deref()).collect();
    (!parts.is_empty()).then(|| parts.join(": "))
}
