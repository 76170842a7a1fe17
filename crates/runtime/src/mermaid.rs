use std::{collections::BTreeMap, fmt::Write as _};

use crate::{Edge, EdgeKind, Graph};

impl Graph {
    /// For Mermaid: controllers are boxes, kinds rounded; exclusive outputs thick, weak and destroy-ready inputs dotted.
    pub fn mermaid(&self) -> String {
        let mut text = "flowchart LR\n".to_owned();
        let mut names = BTreeMap::new();
        for (number, node) in self.controllers.iter().enumerate() {
            names.insert(node.id.as_str(), format!("c{number}"));
            let _ = writeln!(text, "  c{number}[\"{}\"]", escaped(&node.controller));
        }
        for (number, node) in self.kinds.iter().enumerate() {
            names.insert(node.id.as_str(), format!("k{number}"));
            let _ = writeln!(text, "  k{number}([\"{}\"])", escaped(&node.kind.to_string()));
        }
        for edge in &self.edges {
            if let (Some(from), Some(to)) = (names.get(edge.from.as_str()), names.get(edge.to.as_str())) {
                let _ = writeln!(text, "  {from} {}{} {to}", arrow(edge.edge), label(edge));
            }
        }
        text
    }
}

fn arrow(edge: EdgeKind) -> &'static str {
    match edge {
        EdgeKind::Exclusive => "==>",
        EdgeKind::Shared | EdgeKind::Strong => "-->",
        EdgeKind::Weak | EdgeKind::DestroyReady | EdgeKind::Removes => "-.->",
    }
}

fn label(edge: &Edge) -> String {
    let kind = match edge.edge {
        EdgeKind::DestroyReady => Some("destroy ready"),
        EdgeKind::Removes => Some("removes"),
        EdgeKind::Exclusive | EdgeKind::Shared | EdgeKind::Strong | EdgeKind::Weak => None,
    };
    let parts: Vec<String> =
        kind.map(str::to_owned).into_iter().chain(edge.resource.as_deref().map(escaped)).collect();
    if parts.is_empty() { String::new() } else { format!("|\"{}\"|", parts.join(": ")) }
}

/// Mermaid's entities: a label is in quotes, and `#` begins an entity.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        match character {
            '"' | '#' | '<' | '>' | '&' => {
                let _ = write!(escaped, "#{};", u32::from(character));
            }
            '\n' => escaped.push(' '),
            other => escaped.push(other),
        }
    }
    escaped
}
