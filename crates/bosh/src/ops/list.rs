use syntax::{Node, NodeData};

use super::{
    operation::Operation,
    path::{Step, StepTarget},
    path_error::{PathError, PathResult},
};

impl Operation<'_> {
    /// The node at the end of the path; `None` where an optional step leads to nothing.
    pub(super) fn find<'n>(&self, root: &'n Node) -> PathResult<Option<&'n Node>> {
        let mut node = root;
        for (at, step) in self.path.steps.iter().enumerate() {
            node = match (&step.to, &node.data) {
                (StepTarget::Key { key, optional }, NodeData::Mapping(mapping)) => match mapping.get(key) {
                    Some(value) => value,
                    None if *optional => return self.nothing_from(at + 1),
                    None => return Err(PathError::key(at, key, mapping)),
                },
                (StepTarget::Key { .. }, _) => return Err(self.no(at, "a map", node.kind_name())),
                (_, NodeData::Sequence(items)) => match locate(items, step, at)? {
                    Some(index) => &items[index],
                    None if step.to == StepTarget::End => {
                        return Err(PathError::missing(at, "the item does not exist"));
                    }
                    None => return self.nothing_from(at + 1),
                },
                _ => return Err(self.no(at, "a list", node.kind_name())),
            };
        }
        Ok(Some(node))
    }

    /// Nothing, unless one of the steps from `at` on is not optional: those with an index.
    fn nothing_from<'n>(&self, at: usize) -> PathResult<Option<&'n Node>> {
        let rest = self.path.steps.iter().enumerate().skip(at);
        match rest.into_iter().find(|(_, it)| matches!(it.to, StepTarget::Index(_) | StepTarget::End)) {
            Some((at, _)) => Err(PathError::missing(at, "the item does not exist")),
            None => Ok(None),
        }
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
        _ => Err(PathError::missing(at, format!("the list has {len} items, there is no item {index}"))),
    }
}
