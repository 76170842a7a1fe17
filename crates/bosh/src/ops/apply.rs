use std::sync::Arc;

use diag::{Diagnostic, Span};
use merge::Rule;
use syntax::{Entry, Mapping, Node, NodeData, Style};

use super::{
    operation::{Kind, Operation},
    path::{Beside, Step, To, escaped},
    trace::Trace,
};
use crate::{codes, say::Say};

/// Why a path leads nowhere: at which step, what is there instead, and what it could have been.
struct Lost {
    step: usize,
    message: String,
    /// What was looked for among what, and what those are.
    names: Option<(Arc<str>, Vec<String>, &'static str)>,
}

impl Lost {
    fn new(step: usize, message: impl Into<String>) -> Self {
        Self { step, message: message.into(), names: None }
    }
}

type Found<T> = Result<T, Lost>;

impl Operation<'_> {
    /// Changes the tree, or reports why it cannot be changed, and then it is as before.
    pub(super) fn apply(&self, root: &mut Node, trace: &mut Trace, say: &mut Say) {
        let done = match self.kind {
            Kind::Replace(value) if self.path.steps.is_empty() => {
                trace.replaced(std::mem::replace(root, value.clone()), value);
                Ok(())
            }
            Kind::Replace(value) => self.replace(root, trace, value, say),
            Kind::Remove => self.change(root, trace, 0, None),
            Kind::Test(value) => self.find(root).map(|found| self.compare(found, value, say)),
            Kind::TestAbsent => {
                if let Ok(found) = self.find(root) {
                    self.refuse(found, say);
                }
                Ok(())
            }
        };
        if let Err(lost) = done {
            self.report(&lost, say);
        }
    }

    fn replace(&self, root: &mut Node, trace: &mut Trace, value: &Node, say: &mut Say) -> Found<()> {
        let links =
            matches!(self.path.steps.last(), Some(Step { to: To::Key { key, .. }, .. }) if is_links(key));
        let old = if links { self.find(root).ok() } else { None };
        let drops = old.and_then(|old| self.drops(old, value));
        self.change(root, trace, 0, Some(value))?;
        drops.into_iter().for_each(|it| say.push(it));
        Ok(())
    }

    /// Follows the steps from `at` on, and puts `value` there or removes what is there.
    fn change(&self, node: &mut Node, trace: &mut Trace, at: usize, value: Option<&Node>) -> Found<()> {
        let Some(step) = self.path.steps.get(at) else { return Ok(()) };
        let is_last = at + 1 == self.path.steps.len();
        match &step.to {
            To::Key { key, optional } => {
                let span = node.span;
                let mapping = self.mapping(node, at)?;
                let place = mapping.entries.iter().position(|it| it.key == *key);
                match place {
                    Some(place) if !is_last => {
                        self.change(&mut mapping.entries[place].value, trace.key(key), at + 1, value)
                    }
                    Some(place) => {
                        change_entry(mapping, place, trace, value, self.written.span);
                        Ok(())
                    }
                    None if *optional => match value {
                        Some(value) => {
                            let value = self.grow(at + 1, value)?;
                            trace.extended(span, value.span, Rule::Deep);
                            trace.key(key).added(&value);
                            let key_span = self.span_of(&step.bytes);
                            mapping.entries.push(Entry { key: Arc::clone(key), key_span, value });
                            Ok(())
                        }
                        None => Ok(()),
                    },
                    None => Err(missing_key(at, key, mapping)),
                }
            }
            _ => self.change_list(node, trace, at, value),
        }
    }

    fn change_list(&self, node: &mut Node, trace: &mut Trace, at: usize, value: Option<&Node>) -> Found<()> {
        let (step, span) = (&self.path.steps[at], node.span);
        let is_last = at + 1 == self.path.steps.len();
        let items = self.items(node, at)?;
        let index = match locate(items, step, at)? {
            Some(index) => index,
            None => {
                let Some(value) = value else { return Ok(()) };
                let value = self.grow_item(at, value)?;
                trace.extended(span, value.span, Rule::Concatenate);
                Arc::make_mut(items).push(value);
                return Ok(());
            }
        };
        let by = self.written.span;
        match value {
            _ if step.beside.is_some() && (!is_last || value.is_none()) => Err(Lost::new(
                at,
                "`:before` and `:after` only say where something is put in, at the end of a path",
            )),
            _ if !is_last => self.change(&mut Arc::make_mut(items)[index], trace.item(index), at + 1, value),
            Some(value) => {
                let items = Arc::make_mut(items);
                match step.beside {
                    None => {
                        trace
                            .item(index)
                            .replaced(std::mem::replace(&mut items[index], value.clone()), value);
                    }
                    Some(beside) => {
                        let index = index + usize::from(beside == Beside::After);
                        trace.put_in(index);
                        trace.extended(span, value.span, Rule::Concatenate);
                        items.insert(index, value.clone());
                    }
                }
                Ok(())
            }
            None => {
                let old = Arc::make_mut(items).remove(index);
                trace.removed_item(span, index, old, by);
                Ok(())
            }
        }
    }

    /// A value with all that the steps from `at` on ask for around it.
    fn grow(&self, at: usize, value: &Node) -> Found<Node> {
        let Some(step) = self.path.steps.get(at) else { return Ok(value.clone()) };
        let span = self.span_of(&step.bytes);
        let data = match &step.to {
            To::Key { key, .. } => {
                let value = self.grow(at + 1, value)?;
                let entries = vec![Entry { key: Arc::clone(key), key_span: span, value }];
                NodeData::Mapping(Arc::new(Mapping { entries }))
            }
            To::End | To::Item { .. } => NodeData::Sequence(Arc::new(vec![self.grow_item(at, value)?])),
            To::Index(index) => {
                return Err(Lost::new(at, format!("a list that is made here has no item {index}")));
            }
        };
        Ok(Node::new(data, span))
    }

    /// The item that a step makes in a list.
    fn grow_item(&self, at: usize, value: &Node) -> Found<Node> {
        let (step, rest) = (&self.path.steps[at], self.path.steps.get(at + 1));
        let (To::Item { key, value: name, .. }, Some(rest)) = (&step.to, rest) else {
            return Ok(value.clone());
        };
        let To::Key { key: next, .. } = &rest.to else {
            return Err(Lost::new(at + 1, "the item that is made here is a map, not a list"));
        };
        let (span, rest_span) = (self.span_of(&step.bytes), self.span_of(&rest.bytes));
        let name = Node::new(NodeData::String(Arc::clone(name), Style::Plain), span);
        let mut entries = vec![Entry { key: Arc::clone(key), key_span: span, value: name }];
        let value = self.grow(at + 2, value)?;
        entries.retain(|it| it.key != *next);
        entries.push(Entry { key: Arc::clone(next), key_span: rest_span, value });
        Ok(Node::new(NodeData::Mapping(Arc::new(Mapping { entries })), span))
    }

    /// What the path leads to.
    fn find<'n>(&self, root: &'n Node) -> Found<&'n Node> {
        let mut node = root;
        for (at, step) in self.path.steps.iter().enumerate() {
            node = match (&step.to, &node.data) {
                (To::Key { key, .. }, NodeData::Mapping(mapping)) => {
                    mapping.get(key).ok_or_else(|| missing_key(at, key, mapping))?
                }
                (To::Key { .. }, _) => return Err(self.no(at, "a map", node.kind_name())),
                (_, NodeData::Sequence(items)) => {
                    let index = locate(items, step, at)?;
                    let index = index.ok_or_else(|| Lost::new(at, "there is no such item"))?;
                    &items[index]
                }
                _ => return Err(self.no(at, "a list", node.kind_name())),
            };
        }
        Ok(node)
    }

    fn mapping<'n>(&self, node: &'n mut Node, at: usize) -> Found<&'n mut Mapping> {
        let kind = node.kind_name();
        match &mut node.data {
            NodeData::Mapping(mapping) => Ok(Arc::make_mut(mapping)),
            _ => Err(self.no(at, "a map", kind)),
        }
    }

    fn items<'n>(&self, node: &'n mut Node, at: usize) -> Found<&'n mut Arc<Vec<Node>>> {
        let kind = node.kind_name();
        match &mut node.data {
            NodeData::Sequence(items) => Ok(items),
            _ => Err(self.no(at, "a list", kind)),
        }
    }

    fn no(&self, at: usize, wanted: &str, kind: &str) -> Lost {
        let article = if matches!(kind, "null" | "text") { "" } else { "a " };
        Lost::new(at, format!("{} is {article}{kind}, not {wanted}", self.up_to(at)))
    }

    /// How far the path leads, as people say it.
    fn up_to(&self, at: usize) -> String {
        let end = at.checked_sub(1).map_or(0, |it| self.path.steps[it].bytes.end);
        if end == 0 { "the manifest".into() } else { format!("`{}`", &self.text[..end]) }
    }

    fn report(&self, lost: &Lost, say: &mut Say) {
        let message = match &lost.names {
            Some((wanted, _, what)) => {
                format!("the path leads nowhere: {} has no {} `{wanted}`", self.up_to(lost.step), one(what))
            }
            None => format!("the path leads nowhere: {}", lost.message),
        };
        let step = &self.path.steps[lost.step];
        let mut found = Diagnostic::error(codes::OPS_NOWHERE, self.span_of(&step.bytes), message);
        let Some((wanted, names, what)) = &lost.names else { return say.push(found) };
        if let Some(near) = say.nearest(wanted, names.iter().map(String::as_str)) {
            let span = self.span_of(&step.bytes);
            if span != self.written.span {
                let renamed = self.text[step.bytes.clone()].replacen(&escaped(wanted), &escaped(near), 1);
                found = found.replace(format!("Change to `{near}`"), span, renamed);
            }
        }
        found = say.help(found, wanted, names.iter().map(String::as_str), what);
        if let (Some(help), false) = (&mut found.help, step.is_optional()) {
            help.push_str("; a `?` behind it makes what is missing");
        }
        say.push(found);
    }

    fn compare(&self, found: &Node, value: &Node, say: &mut Say) {
        if !found.same_value(value) {
            let message = format!("`{}` is not what the operation expects", self.text);
            let wrong = Diagnostic::error(codes::OPS_TEST, value.span, message);
            say.push(wrong.related(found.span, "it is this"));
        }
    }

    fn refuse(&self, found: &Node, say: &mut Say) {
        let message = format!("`{}` is there, and the operation expects that it is not", self.text);
        let wrong = Diagnostic::error(codes::OPS_TEST, self.written.span, message);
        say.push(wrong.related(found.span, "it is this"));
    }

    /// What is said where a replacement loses links that were set before (a trap of go-patch: maps are not merged).
    fn drops(&self, old: &Node, new: &Node) -> Option<Diagnostic> {
        let To::Key { key, .. } = &self.path.steps.last()?.to else { return None };
        let old = old.as_mapping()?;
        let kept = |it: &&Entry| new.get(&it.key).is_some_and(|new| new.same_value(&it.value));
        let lost: Vec<&Entry> = old.entries.iter().filter(|it| !kept(it)).collect();
        let first = lost.first()?;
        let names: Vec<String> = lost.iter().map(|it| format!("`{}`", it.key)).collect();
        let message = format!("this replaces all of `{key}`; lost is what was said of {}", names.join(", "));
        let path = self.text.trim_end_matches('?');
        let found = Diagnostic::warning(codes::OPS_DROPS, self.written.span, message);
        let found = lost.iter().fold(found, |it, entry| it.related(entry.key_span, "this is lost"));
        Some(found.help(format!("to change one link only, write `{path}?/{}`", escaped(&first.key))))
    }
}

/// Whether a key holds what is said of links, so that losing it is felt far away.
fn is_links(key: &str) -> bool {
    matches!(key, "consumes" | "provides")
}

fn change_entry(mapping: &mut Mapping, place: usize, trace: &mut Trace, value: Option<&Node>, by: Span) {
    let key = Arc::clone(&mapping.entries[place].key);
    match value {
        Some(value) => {
            let old = std::mem::replace(&mut mapping.entries[place].value, value.clone());
            trace.key(&key).replaced(old, value);
        }
        None => {
            let old = mapping.entries.remove(place).value;
            trace.key(&key).removed(old, by);
        }
    }
}

/// Which item a step means; `None` for one that is to be made.
fn locate(items: &[Node], step: &Step, at: usize) -> Found<Option<usize>> {
    let index = match &step.to {
        To::Index(index) => *index,
        To::Item { key, value, optional } => {
            let is_it = |it: &Node| it.get(key).and_then(Node::as_str) == Some(value);
            let mut found = items.iter().enumerate().filter(|(_, it)| is_it(it)).map(|(index, _)| index);
            match (found.next(), found.next()) {
                (Some(index), None) => index as i64,
                (None, _) if *optional => return Ok(None),
                (None, _) => return Err(missing_item(at, key, value, items)),
                (Some(_), Some(_)) => {
                    let message = format!("several items have the {key} `{value}`");
                    return Err(Lost::new(at, message));
                }
            }
        }
        To::End | To::Key { .. } => return Ok(None),
    };
    let len = items.len() as i64;
    let index = index.saturating_add(step.shift);
    match if index < 0 { index.saturating_add(len) } else { index } {
        index if (0..len).contains(&index) => Ok(Some(index as usize)),
        _ => Err(Lost::new(at, format!("there is no item {index} in a list of {len}"))),
    }
}

fn missing_key(at: usize, key: &Arc<str>, mapping: &Mapping) -> Lost {
    let names = mapping.entries.iter().map(|it| it.key.to_string()).collect();
    Lost { step: at, message: String::new(), names: Some((Arc::clone(key), names, "keys")) }
}

fn missing_item(at: usize, key: &str, value: &Arc<str>, items: &[Node]) -> Lost {
    if key != "name" {
        return Lost::new(at, format!("no item has the {key} `{value}`"));
    }
    let names = items.iter().filter_map(|it| it.get(key)?.as_str()).map(str::to_owned).collect();
    Lost { step: at, message: String::new(), names: Some((Arc::clone(value), names, "items")) }
}

fn one(what: &str) -> &str {
    what.trim_end_matches('s')
}
