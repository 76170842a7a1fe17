use std::sync::Arc;

use syntax::{Entry, Mapping, Node, NodeData, Style};

use super::{
    operation::Operation,
    path::StepTarget,
    path_error::{PathError, PathResult},
};

/// Values that an operation creates because optional steps of its path are missing.
impl Operation<'_> {
    /// The value inside of the maps and lists that the steps from `at` on require.
    pub(super) fn create_missing(&self, at: usize, value: &Node) -> PathResult<Node> {
        let Some(step) = self.path.steps.get(at) else { return Ok(value.clone()) };
        let span = self.span_of(&step.bytes);
        let data = match &step.to {
            StepTarget::Key { key, .. } => {
                let value = self.create_missing(at + 1, value)?;
                let entries = vec![Entry { key: Arc::clone(key), key_span: span, value }];
                NodeData::Mapping(Arc::new(Mapping { entries }))
            }
            StepTarget::End | StepTarget::Item { .. } => {
                NodeData::Sequence(Arc::new(vec![self.create_missing_item(at, value)?]))
            }
            StepTarget::Index(index) => {
                return Err(PathError::new(at, format!("the list that is created here has no item {index}")));
            }
        };
        Ok(Node::new(data, span))
    }

    /// The item that a step creates in a list.
    pub(super) fn create_missing_item(&self, at: usize, value: &Node) -> PathResult<Node> {
        let (step, rest) = (&self.path.steps[at], self.path.steps.get(at + 1));
        let (StepTarget::Item { key, value: name, .. }, Some(rest)) = (&step.to, rest) else {
            return Ok(value.clone());
        };
        let StepTarget::Key { key: next, .. } = &rest.to else {
            return Err(PathError::new(at + 1, "the item that is created here is a map, not a list"));
        };
        let (span, rest_span) = (self.span_of(&step.bytes), self.span_of(&rest.bytes));
        let name = Node::new(NodeData::String(Arc::clone(name), Style::Plain), span);
        let mut entries = vec![Entry { key: Arc::clone(key), key_span: span, value: name }];
        let value = self.create_missing(at + 2, value)?;
        entries.retain(|it| it.key != *next);
        entries.push(Entry { key: Arc::clone(next), key_span: rest_span, value });
        Ok(Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), span))
    }
}
