//! Every place in the files that names a resource or a part of one.

use std::collections::{BTreeMap, BTreeSet};

use diag::{FileId, Location, Span};
use model::{Address, reference_openings};
use syntax::{Node, NodeData};
use types::{SchemaNode, Shape, Types};
use workspace::{Workspace, capability::Input};

/// A place that names something.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Occurrence {
    /// The bytes of the name: of a key, of a value with its quotes, or of an address in a text.
    pub span: Span,
    /// The address of what is named, without instance.
    pub address: Address,
    /// The kind of the occurrence.
    pub kind: OccurrenceKind,
    /// The quote that the scalar around it begins with.
    pub(crate) quote: Option<char>,
}

/// The way in which a place names something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OccurrenceKind {
    /// The key that declares it, or adds to its declaration.
    Declaration,
    /// The value of a field that is a name.
    Name,
    /// The address in a `${…}` reference.
    Reference,
    /// The address in a `moved` record.
    Moved,
}

/// Every place that names something, in all files that are merged.
#[derive(Clone, Debug, Default)]
pub struct Occurrences {
    all: BTreeSet<Occurrence>,
    /// The number of moves that a file lists, if it lists any.
    moves: BTreeMap<FileId, usize>,
}

impl Occurrences {
    /// Finds them.
    pub fn of(workspace: &Workspace) -> Self {
        let types = workspace.types();
        let mut found = Self::default();
        workspace.with_inputs(|inputs| {
            for input in inputs.all().filter(Input::is_layer) {
                if let Some(root) = &input.document().root {
                    let moves = root.get("moved").and_then(Node::as_sequence).map(<[Node]>::len);
                    found.moves.extend(moves.map(|count| (input.id, count)));
                    Walk { file: input.id, text: input.text(), types, found: &mut found.all }.root(root);
                }
            }
        });
        found
    }

    /// The one at a byte of a file; of several the shortest.
    pub fn at(&self, file: FileId, offset: u32) -> Option<&Occurrence> {
        let here = self.all.iter().filter(|it| it.span.file == file && it.span.touches(offset));
        here.min_by_key(|it| it.span.end - it.span.start)
    }

    /// The one at a position in a file, which counts lines and columns from 1, columns in characters.
    pub(crate) fn at_position(
        &self,
        workspace: &mut Workspace,
        file: &str,
        line: u32,
        column: u32,
    ) -> Option<&Occurrence> {
        let id = workspace.with_inputs(|inputs| inputs.all().find(|it| it.name() == file).map(|it| it.id))?;
        let offset = workspace.current().sources.get(id)?.offset(Location { line, column });
        self.at(id, offset)
    }

    /// The number of moves that a file lists; `None` if it has no list of them.
    pub(crate) fn moves_in(&self, file: FileId) -> Option<usize> {
        self.moves.get(&file).copied()
    }

    /// All that name an address, in the order of the files.
    pub fn named(&self, address: &Address) -> impl Iterator<Item = &Occurrence> {
        self.all.iter().filter(move |it| it.address == *address)
    }
}

struct Walk<'w> {
    file: FileId,
    text: &'w str,
    types: &'w Types,
    found: &'w mut BTreeSet<Occurrence>,
}

impl Walk<'_> {
    fn root(&mut self, root: &Node) {
        let Some(mapping) = root.as_mapping() else { return };
        for entry in &mapping.entries {
            let place = SchemaNode::Root(self.types).key(&entry.key);
            if let (SchemaNode::Collection(definition), Some(items)) = (place, entry.value.as_mapping()) {
                for item in &items.entries {
                    let address = Address::new(definition.collection.clone(), item.key.clone());
                    self.add(item.key_span, item.key_span, address, OccurrenceKind::Declaration);
                }
            }
            if &*entry.key == "moved" {
                self.moved(&entry.value);
            }
            self.node(&entry.value, place);
        }
    }

    fn moved(&mut self, list: &Node) {
        let items = list.as_sequence().unwrap_or_default().iter();
        for node in items.flat_map(|item| [item.get("from"), item.get("to")]).flatten() {
            if let Some(address) = node.as_str().and_then(|it| it.parse::<Address>().ok()) {
                self.add(node.span, node.span, address.declaration(), OccurrenceKind::Moved);
            }
        }
    }

    fn node(&mut self, node: &Node, place: SchemaNode<'_>) {
        match &node.data {
            NodeData::Mapping(mapping) => {
                for entry in &mapping.entries {
                    self.node(&entry.value, place.key(&entry.key));
                }
            }
            NodeData::Sequence(items) => items.iter().for_each(|item| self.node(item, place.item())),
            _ => self.scalar(node, place.shape()),
        }
    }

    fn scalar(&mut self, node: &Node, shape: Option<&Shape>) {
        let name = shape.and_then(referred).zip(node.as_str());
        if let Some((kind, name)) = name.filter(|(_, name)| !name.contains("${"))
            && let Some(definition) = self.types.kind(kind)
        {
            let address = Address::new(definition.collection.clone(), name);
            self.add(node.span, node.span, address, OccurrenceKind::Name);
        }
        self.references(node.span);
    }

    /// Addresses in `${…}`, found in the text as it is written: none of their characters has to be escaped in YAML.
    fn references(&mut self, span: Span) {
        let Some(raw) = self.text.get(span.start as usize..span.end as usize) else { return };
        for at in reference_openings(raw) {
            let Some(inner) = raw.get(at + 2..) else { continue };
            let path = inner.trim_start();
            let Some(length) = address_length(path) else { continue };
            let Some(address) = path.get(..length).and_then(|it| unescaped(it).parse::<Address>().ok())
            else {
                continue;
            };
            let start = span.start + (at + 2 + inner.len() - path.len()) as u32;
            let place = Span::new(self.file, start, start + length as u32);
            self.add(place, span, address.declaration(), OccurrenceKind::Reference);
        }
    }

    fn add(&mut self, span: Span, scalar: Span, address: Address, kind: OccurrenceKind) {
        let is_own = span.file == self.file;
        let first = |it: u32| self.text.get(it as usize..).and_then(|text| text.chars().next());
        let quote = first(scalar.start).filter(|it| matches!(it, '"' | '\''));
        if is_own && self.types.kinds.iter().any(|it| it.collection == address.collection && !it.singleton) {
            self.found.insert(Occurrence { span, address, kind, quote });
        }
    }
}

/// The kind that a field names.
fn referred(shape: &Shape) -> Option<&str> {
    match shape {
        Shape::Reference { to, .. } => Some(to),
        Shape::Either(shapes) => shapes.iter().find_map(referred),
        _ => None,
    }
}

/// The length in bytes of the address that a path begins with: `services.db` of `services.db.ip}`.
fn address_length(path: &str) -> Option<usize> {
    let (collection, rest) = path.split_once('.')?;
    if collection.is_empty() || !collection.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
        return None;
    }
    let quote = ["\\\"", "\""].into_iter().find(|quote| rest.starts_with(quote));
    let name = match quote {
        Some(quote) => rest.get(quote.len()..)?.find(quote)? + 2 * quote.len(),
        None => rest.find(['.', '[', '}', ' ', '\n'])?,
    };
    (name > 0).then_some(collection.len() + 1 + name)
}

fn unescaped(address: &str) -> String {
    address.replace("\\\"", "\"")
}

#[cfg(test)]
mod tests {
    use super::address_length;

    #[test]
    fn an_address_ends_before_the_path_inside_the_resource() {
        for (path, address) in [
            ("services.db.network_node.ip}", Some("services.db")),
            ("services.db[0].ip}", Some("services.db")),
            ("services.db }", Some("services.db")),
            ("services.\"a.b\".ip}", Some("services.\"a.b\"")),
            ("services.\\\"a.b\\\".ip}", Some("services.\\\"a.b\\\"")),
            ("services.}", None),
            ("services", None),
            ("link(\"db\").p}", None),
        ] {
            assert_eq!(address_length(path).and_then(|it| path.get(..it)), address, "{path}");
        }
    }
}
