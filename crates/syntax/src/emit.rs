use crate::Node;

/// YAML text of a tree. Reading it back with [`parse`](crate::parse), PyYAML or js-yaml gives the same values;
/// tags are not written.
pub fn emit(node: &Node) -> String {
    let _ = node;
    todo!()
}
