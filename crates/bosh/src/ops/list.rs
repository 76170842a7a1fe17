use syntax::{Node, NodeData};

use super::{
    operation::Operation,
    path::{Step, StepTarget},
    path_error::{PathError, PathResult},
};

impl Operation<'_> {
    /// The node at the end of the path.
    pub(super) fn find<'n>(&self, root: &'n Node) -> PathResult<&'n Node> {
        let mut node = root;
        for (at, step) in self.path.steps.iter().enumerate() {
            node = match (&step.to, &node.data) {
                (StepTarget::Key { key, .. }, NodeData::Mapping(mapping)) => {
                    mapping.get(key).ok_or_else(|| PathError::key(at, key, mapping))?
                }
                (StepTarget::Key { .. }, _) => return Err(self.no(at, "a map", node.kind_name())),
                (_, NodeData::Sequence(items)) => {
                    let index = locate(items, step, at)?;
                    let index = index.ok_or_else(|| PathError::new(at, "the item does not exist"))?;
                    &items[index]
                }
                _ => return Err(self.no(at, "a list", node.kind_name())),
            };
        }
        Ok(node)
    }
}

/// The index of the item that a step refers to; `None` for one that is to be created.
pub(super) fn locate(items: &[Node], step: &Step, at: usize) -> PathResult<Option<usize>> {
    let index = match &step.to {
        StepTarget::Index(index) => *index,
        StepTarget::Item { key, value, optional } => {
            let is_it = |it: &Node| it.get(key).and_then(Node::as_str) == Some(value);
            let mut found = items.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(index, _)| index);
            match (found.next(), found.next()) {
                (Some(index), None) => index as i64,
                (None, _) if *optional => return Ok(None),
                (None, _) => return Err(PathError::item(at, key, value, items)),
                (Some(_), Some(_)) => {
                    let message = format!("several items have the {key} `{value}`");
                    return Err(PathError::new(at, message));
                }
            }
        }
        StepTarget::End | StepTarget::Key { .. } => return Ok(None),
    };
    let len = items.len() as i64;
    let index = index.saturating_add(step.shift);
    match if index < 0 { index.saturating_add(len) } else { index } {
        index if (0..len).contains(&index) => Ok(Some(index as usize)),
        _ => Err(PathError::new(at, format!("the list has {len} items, there is no item {index}"))),
    }
}
