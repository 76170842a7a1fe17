use syntax::{Node, NodeData};
use types::SchemaNode;
use workspace::{Workspace, capability::location, view::OutlineItemView};

/// The depth of an outline: collection, resource, field.
const DEPTH: u32 = 2;

/// The outline of a file, in its order: each entry with its depth, from 0. Empty for a file that does not exist, or no
/// descriptor.
pub fn outline(workspace: &mut Workspace, file: &str) -> Vec<OutlineItemView> {
    let types = workspace.types();
    let mut found = Vec::new();
    workspace.with_inputs(|inputs| {
        let input = inputs.all().find(|it| it.name() == file && it.is_layer());
        if let Some(root) = input.and_then(|it| it.document().root.as_ref()) {
            entries(root, SchemaNode::Root(types), 0, &mut found);
        }
    });
    let model = workspace.current();
    let view = |(span, name, depth, detail): (diag::Span, String, u32, String)| OutlineItemView {
        location: location(&model.sources, span),
        name,
        depth,
        detail,
    };
    found.into_iter().map(view).collect()
}

fn entries(
    node: &Node,
    place: SchemaNode<'_>,
    depth: u32,
    found: &mut Vec<(diag::Span, String, u32, String)>,
) {
    let NodeData::Mapping(mapping) = &node.data else { return };
    for entry in &mapping.entries {
        let inside = place.key(&entry.key);
        let detail = match inside {
            SchemaNode::Object(kind) => kind.kind.to_string(),
            _ => String::new(),
        };
        found.push((entry.key_span, entry.key.to_string(), depth, detail));
        if depth < DEPTH {
            entries(&entry.value, inside, depth + 1, found);
        }
    }
}
