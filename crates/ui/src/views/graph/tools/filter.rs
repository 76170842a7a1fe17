//! The resources that a filter keeps.

use workspace::view::Action;

use crate::{
    case,
    views::graph::{
        lens::Lens,
        model::{Model, Node},
        neighbours::Neighbours,
    },
};

/// The nodes that are kept, with the edges between; `None` if there is no filter.
pub(super) fn keep(model: &Model, lens: &Lens) -> Option<Neighbours> {
    if !lens.filters() {
        return None;
    }
    let text = case::lower(&lens.text);
    let nodes = model.nodes.iter().enumerate();
    let kept = nodes.filter(|(_, node)| {
        (lens.actions.is_empty() || lens.actions.contains(&node.action.unwrap_or(Action::NoOp)))
            && (lens.kinds.is_empty() || lens.kinds.contains(&node.kind))
            && lens.file.as_deref().is_none_or(|file| has_hand_in(model, node, file))
            && matches(node, &text)
    });
    let nodes: std::collections::BTreeSet<usize> = kept.map(|(at, _)| at).collect();
    let edges = model.edges.iter().enumerate();
    let within = edges.filter(|(_, edge)| match lens.file.as_deref() {
        Some(file) if nodes.contains(&edge.from) => edge.origin.file == file,
        _ => nodes.contains(&edge.from) && nodes.contains(&edge.to),
    });
    let edges = within.map(|(at, _)| at).collect();
    Some(Neighbours { nodes, edges })
}

/// True if a text is in the address or is the kind; every word of it.
pub(super) fn matches(node: &Node, text: &str) -> bool {
    let (address, kind) = (case::lower(&node.address), case::lower(&node.kind));
    text.split_whitespace().all(|word| address.contains(word) || kind.contains(word))
}

/// True if a file declares, connects or changes a node.
fn has_hand_in(model: &Model, node: &Node, file: &str) -> bool {
    let connects = |edge: &usize| model.edges.get(*edge).is_some_and(|edge| edge.origin.file == file);
    node.origin.file == file
        || node.origins.iter().any(|other| other.file == file)
        || node.needs.iter().any(connects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::graph::model::tests::model;

    fn kept(model: &Model, lens: Lens) -> (Vec<usize>, Vec<usize>) {
        let kept = keep(model, &lens).expect("a filter");
        (kept.nodes.into_iter().collect(), kept.edges.into_iter().collect())
    }

    #[test]
    fn a_file_keeps_what_it_declares_and_connects() {
        let mut model = model(&[("a.net", 0), ("a.db", 1), ("a.web", 1)], &[("a.db", "a.net", "attachment")]);
        for node in &mut model.nodes {
            node.origin.file = "base".into();
        }
        if let Some(edge) = model.edges.first_mut() {
            edge.origin.file = "prod".into();
        }
        let file = |name: &str| Lens { file: Some(name.to_owned().into()), ..Lens::default() };
        assert_eq!(kept(&model, file("prod")), (vec![1], vec![0]));
        assert_eq!(kept(&model, file("base")).0.len(), 3);
        assert_eq!(keep(&model, &Lens::default()), None);
    }

    #[test]
    fn filters_add_up() {
        let mut model = model(
            &[("services.web", 1), ("networks.lan", 0), ("services.db", 1)],
            &[("services.web", "services.db", "reference"), ("services.db", "networks.lan", "attachment")],
        );
        model.nodes[1].kind = "network".into();
        model.nodes[2].action = Some(Action::Rebuild);
        let text = |text: &str| Lens { text: text.into(), ..Lens::default() };
        assert_eq!(kept(&model, text("SERV")), (vec![0, 2], vec![0]));
        assert_eq!(kept(&model, text("network")).0, [1]);
        assert_eq!(kept(&model, text("serv db")).0, [2]);
        let rebuilt = Lens { actions: [Action::Rebuild].into(), ..text("web") };
        assert!(kept(&model, rebuilt).0.is_empty());
        let unchanged =
            Lens { actions: [Action::NoOp].into(), kinds: ["service".into()].into(), ..Lens::default() };
        assert_eq!(kept(&model, unchanged).0, [0]);
    }
}
