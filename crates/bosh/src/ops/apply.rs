use std::sync::Arc;

use diag::Diagnostic;
use merge::Rule;
use syntax::{Entry, Mapping, Node, NodeData};

use super::{
    drops,
    list::locate,
    operation::{Kind, Operation},
    path::{InsertPosition, Step, StepTarget},
    path_error::{PathError, PathResult},
    trace::Trace,
};
use crate::{codes, reporter::Reporter};

impl Operation<'_> {
    /// Changes the tree, or reports why it cannot be changed and leaves it as it was.
    pub(super) fn apply(&self, root: &mut Node, trace: &mut Trace, reporter: &mut Reporter) {
        let done = match self.kind {
            Kind::Replace(value) => self.replace(root, trace, value, reporter),
            Kind::Remove => self.change(root, trace, 0, None),
            Kind::Test(value) => self.find(root).map(|found| self.compare(found, value, reporter)),
            Kind::TestAbsent => match self.find(root) {
                Ok(found) => {
                    found.into_iter().for_each(|it| self.refuse(it, reporter));
                    Ok(())
                }
                Err(error) if error.misses_last(self.path.steps.len()) => Ok(()),
                Err(error) => Err(error),
            },
        };
        if let Err(error) = done {
            self.report(&error, reporter);
        }
    }

    fn replace(
        &self,
        root: &mut Node,
        trace: &mut Trace,
        value: &Node,
        reporter: &mut Reporter,
    ) -> PathResult<()> {
        let Some(last) = self.path.steps.last() else {
            trace.replaced(std::mem::replace(root, value.clone()), value);
            return Ok(());
        };
        let old = if drops::is_links(last) { self.find(root).ok().flatten() } else { None };
        let drops = old.and_then(|old| self.drops(old, value));
        self.change(root, trace, 0, Some(value))?;
        drops.into_iter().for_each(|it| reporter.push(it));
        Ok(())
    }

    /// Follows the steps from `at` on, and puts `value` at the end, or removes the value there if `value` is
    /// `None`.
    fn change(&self, node: &mut Node, trace: &mut Trace, at: usize, value: Option<&Node>) -> PathResult<()> {
        let Some(step) = self.path.steps.get(at) else { return Ok(()) };
        let StepTarget::Key { key, optional } = &step.to else {
            return self.change_list(node, trace, at, value);
        };
        let (span, is_last) = (node.span, self.is_last(at));
        let mapping = self.mapping(node, at)?;
        match mapping.entries.iter().position(|it| it.key == *key) {
            Some(place) if is_last => self.change_entry(mapping, place, trace, value),
            Some(place) => {
                self.change(&mut mapping.entries[place].value, trace.key(key), at + 1, value)?;
            }
            None if !optional => return Err(PathError::key(at, key, mapping)),
            None => {
                // Removing something that does not exist is a no-op.
                let Some(value) = value else { return Ok(()) };
                let value = self.create_missing(at + 1, value)?;
                trace.extended(span, value.span, Rule::Deep);
                trace.key(key).added(&value);
                let key_span = self.span_of(&step.bytes);
                mapping.entries.push(Entry { key: Arc::clone(key), key_span, value });
            }
        }
        Ok(())
    }

    fn change_entry(&self, mapping: &mut Mapping, place: usize, trace: &mut Trace, value: Option<&Node>) {
        let trace = trace.key(&mapping.entries[place].key);
        match value {
            Some(value) => {
                let old = std::mem::replace(&mut mapping.entries[place].value, value.clone());
                trace.replaced(old, value);
            }
            None => trace.removed(mapping.entries.remove(place).value, self.written.span),
        }
    }

    fn change_list(
        &self,
        node: &mut Node,
        trace: &mut Trace,
        at: usize,
        value: Option<&Node>,
    ) -> PathResult<()> {
        let (step, span, is_last) = (&self.path.steps[at], node.span, self.is_last(at));
        let items = self.items(node, at)?;
        let index = locate(items, step, at)?;
        if step.beside.is_some() && !(is_last && value.is_some()) {
            let message = "`:before` and `:after` set where an item is inserted, and can only end a path";
            return Err(PathError::new(at, message));
        }
        match (index, value) {
            (None, None) if step.to == StepTarget::End => {
                return Err(PathError::new(at, "a path cannot continue after a list"));
            }
            (None, None) => {}
            (None, Some(value)) => {
                let value = self.create_missing_item(at, value)?;
                trace.extended(span, value.span, Rule::Concatenate);
                Arc::make_mut(items).push(value);
            }
            (Some(index), _) if !is_last => {
                self.change(&mut Arc::make_mut(items)[index], trace.item(index), at + 1, value)?;
            }
            (Some(index), None) => {
                let old = Arc::make_mut(items).remove(index);
                trace.removed_item(span, index, old, self.written.span);
            }
            (Some(index), Some(value)) => {
                let items = Arc::make_mut(items);
                put_item(items, index, step, value, trace, span);
            }
        }
        Ok(())
    }

    const fn is_last(&self, at: usize) -> bool {
        at + 1 == self.path.steps.len()
    }

    fn mapping<'n>(&self, node: &'n mut Node, at: usize) -> PathResult<&'n mut Mapping> {
        let kind = node.kind_name();
        match &mut node.data {
            NodeData::Mapping(mapping) => Ok(Arc::make_mut(mapping)),
            _ => Err(self.no(at, "a map", kind)),
        }
    }

    fn items<'n>(&self, node: &'n mut Node, at: usize) -> PathResult<&'n mut Arc<Vec<Node>>> {
        let kind = node.kind_name();
        match &mut node.data {
            NodeData::Sequence(items) => Ok(items),
            _ => Err(self.no(at, "a list", kind)),
        }
    }

    fn compare(&self, found: Option<&Node>, value: &Node, reporter: &mut Reporter) {
        let is_expected = match found {
            Some(found) => found.same_value(value),
            None => matches!(value.data, NodeData::Null),
        };
        if !is_expected {
            let message = format!("`{}` is not what the operation expects", self.text);
            let mut wrong = Diagnostic::error(codes::OPS_TEST, value.span, message);
            if let Some(found) = found {
                wrong = wrong.related(found.span, "its value is here");
            }
            reporter.push(self.explained(wrong));
        }
    }

    fn refuse(&self, found: &Node, reporter: &mut Reporter) {
        let message = format!("`{}` exists, and the operation expects that it does not", self.text);
        let wrong = Diagnostic::error(codes::OPS_TEST, self.written.span, message);
        reporter.push(self.explained(wrong.related(found.span, "its value is here")));
    }
}

/// Puts a value in the place of an item or beside it.
fn put_item(
    items: &mut Vec<Node>,
    index: usize,
    step: &Step,
    value: &Node,
    trace: &mut Trace,
    list: diag::Span,
) {
    let Some(beside) = step.beside else {
        let old = std::mem::replace(&mut items[index], value.clone());
        trace.item(index).replaced(old, value);
        return;
    };
    let index = index + usize::from(beside == InsertPosition::After);
    trace.put_in(index);
    trace.extended(list, value.span, Rule::Concatenate);
    items.insert(index, value.clone());
}
