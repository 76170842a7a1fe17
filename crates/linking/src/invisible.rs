//! Names in documents of others, with characters in them that cannot be seen.

use diag::{Diagnostic, Diagnostics, is_invisible};
use syntax::{Node, NodeData};

/// Warns of each text under `name` in which something cannot be seen.
pub(crate) fn check(node: &Node, diagnostics: &mut Diagnostics) {
    match &node.data {
        NodeData::Sequence(items) => items.iter().for_each(|it| check(it, diagnostics)),
        NodeData::Mapping(mapping) => {
            for entry in &mapping.entries {
                if &*entry.key == "name" {
                    name(&entry.value, diagnostics);
                }
                check(&entry.value, diagnostics);
            }
        }
        _ => {}
    }
}

fn name(node: &Node, diagnostics: &mut Diagnostics) {
    let Some(name) = node.as_str() else { return };
    let Some(hidden) = name.chars().find(|it| is_invisible(*it)) else { return };
    let code = u32::from(hidden);
    let message = format!("the name `{name}` has the character U+{code:04X} in it, which cannot be seen");
    let help = "remove it here and everywhere the name is used";
    diagnostics.push(
        Diagnostic::warning(workspace::codes::workspace::INVISIBLE_CHARACTER, node.span, message).help(help),
    );
}
