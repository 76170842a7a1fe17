//! Edits of what people wrote that take a finding away.

use std::collections::BTreeMap;

use diag::{FileId, Sources, Span, TextEdit};
use syntax::{Limits, Node, NodeData, edit};

/// Makes edits of texts; for the first findings only, since each edit reads its text again.
pub(crate) struct FixBuilder<'s> {
    sources: &'s Sources,
    roots: BTreeMap<FileId, Option<Node>>,
    left: usize,
}

/// The largest number of edits that are made.
const MOST: usize = 60;

impl<'s> FixBuilder<'s> {
    pub(crate) const fn new(sources: &'s Sources) -> Self {
        Self { sources, roots: BTreeMap::new(), left: MOST }
    }

    /// Sets the value at `keys` below the map that is written at `body` to a text of YAML.
    pub(crate) fn set(&mut self, body: Span, keys: &[&str], value: &str) -> Option<Vec<TextEdit>> {
        self.left = self.left.checked_sub(1)?;
        let mut path = self.path(body)?;
        path.extend(keys.iter().map(|it| (*it).to_owned()));
        edit::set(body.file, &self.sources.get(body.file)?.text, &path, value).ok()
    }

    /// Sets the value at `key` and then `keys` of a map that belongs to `body`, or of what is said of that `key`
    /// somewhere else.
    pub(crate) fn set_in(
        &mut self,
        body: Span,
        said: Option<Span>,
        keys: &[&str],
        value: &str,
    ) -> Option<Vec<TextEdit>> {
        match said {
            Some(said) => self.set(said, keys.get(1..)?, value),
            None => self.set(body, keys, value),
        }
    }

    /// The path of a map in its file.
    fn path(&mut self, body: Span) -> Option<Vec<String>> {
        let text = &*self.sources.get(body.file)?.text;
        let read = || syntax::parse(body.file, text, &Limits::default()).document.root;
        let root = self.roots.entry(body.file).or_insert_with(read).as_ref()?;
        let mut path = Vec::new();
        lies_at(root, body, &mut path).then_some(path)
    }
}

/// True if the map at `body` is in `node`; if so, `path` leads to it.
fn lies_at(node: &Node, body: Span, path: &mut Vec<String>) -> bool {
    if node.span == body && matches!(node.data, NodeData::Mapping(_)) {
        return true;
    }
    let mut inside = |key: String, node: &Node| {
        path.push(key);
        let found = lies_at(node, body, path);
        if !found {
            path.pop();
        }
        found
    };
    match &node.data {
        NodeData::Mapping(map) => map.entries.iter().any(|it| inside(it.key.to_string(), &it.value)),
        NodeData::Sequence(items) => items.iter().enumerate().any(|(n, it)| inside(n.to_string(), it)),
        _ => false,
    }
}
