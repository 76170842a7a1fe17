use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::codes;
use diag::{Diagnostic, Diagnostics, Span};
use syntax::{Entry, Mapping, Node, NodeData, Tag};
use types::{Field, SchemaNode, Shape, Spelling, Types};

/// The places in descriptors where keys have other spellings.
#[derive(Debug)]
pub(crate) struct Spellings<'t> {
    types: &'t Types,
    /// Shapes with such keys in them. By address: they live as long as `types`.
    inside: HashSet<*const Shape>,
    /// Those of the root.
    root: Vec<Other<'t>>,
    /// Those of a list of fields, by its address.
    fields: HashMap<*const Field, Vec<Other<'t>>>,
}

/// Another spelling of a key.
#[derive(Debug)]
struct Other<'t> {
    canonical: &'t Arc<str>,
    /// The path at which it is written, from the object.
    path: Vec<&'t str>,
    spelling: &'t Spelling,
}

impl<'t> Spellings<'t> {
    pub(crate) fn new(types: &'t Types) -> Self {
        let collections = types.kinds.iter().flat_map(|it| others(&it.collection, &it.spellings));
        let root = collections.chain(of_fields(&types.root)).collect();
        let mut spellings = Self { types, inside: HashSet::new(), root, fields: HashMap::new() };
        for fields in types.kinds.iter().map(|kind| &kind.fields).chain([&types.root]) {
            spellings.note_fields(fields);
        }
        spellings
    }

    /// Notes the other spellings of fields and of all that is in them; whether there are any.
    fn note_fields(&mut self, fields: &'t [Field]) -> bool {
        let own: Vec<Other<'t>> = of_fields(fields).collect();
        let mut has = !own.is_empty();
        self.fields.insert(fields.as_ptr(), own);
        for field in fields {
            has |= self.note(&field.shape);
        }
        has
    }

    /// True if a shape has keys with other spellings in it; notes all that do.
    fn note(&mut self, shape: &'t Shape) -> bool {
        let has = match shape {
            Shape::List(item) | Shape::MapOf(item) => self.note(item),
            Shape::Either(shapes) => shapes.iter().filter(|it| self.note(it)).count() > 0,
            Shape::Object { fields, .. } => self.note_fields(fields),
            _ => false,
        };
        if has {
            self.inside.insert(shape);
        }
        has
    }

    /// The tree with all keys in the spelling of the type definitions, and the places of maps that handed their `!override` on
    /// to what was moved out of them.
    pub(crate) fn canonical(&self, root: &Node, diagnostics: &mut Diagnostics) -> (Node, HashSet<Span>) {
        let (reported, handed_on) = (HashSet::new(), HashSet::new());
        let mut rewrite = Rewrite { spellings: self, diagnostics, reported, handed_on };
        let canonical = rewrite.node(root, SchemaNode::Root(self.types));
        (canonical.unwrap_or_else(|| root.clone()), rewrite.handed_on)
    }

    fn has(&self, shape: &Shape) -> bool {
        self.inside.contains(&std::ptr::from_ref(shape))
    }

    /// The other spellings of the keys of a place.
    fn others(&self, place: SchemaNode<'t>) -> &[Other<'t>] {
        let fields: &[Field] = match place {
            SchemaNode::Root(_) => return &self.root,
            SchemaNode::Object(kind) => &kind.fields,
            SchemaNode::Field(field) => field.shape.fields(),
            SchemaNode::Inside(shape) => shape.fields(),
            SchemaNode::Collection(_) | SchemaNode::Unknown => &[],
        };
        self.fields.get(&fields.as_ptr()).map_or(&[], Vec::as_slice)
    }
}

fn of_fields<'t>(fields: &'t [Field]) -> impl Iterator<Item = Other<'t>> {
    fields.iter().flat_map(|it| others(&it.name, &it.spellings))
}

fn others<'t>(canonical: &'t Arc<str>, spellings: &'t [Spelling]) -> impl Iterator<Item = Other<'t>> {
    spellings.iter().map(move |spelling| Other {
        canonical,
        path: spelling.path.split('/').collect(),
        spelling,
    })
}

/// Goes through one file's tree.
struct Rewrite<'s, 't> {
    spellings: &'s Spellings<'t>,
    diagnostics: &'s mut Diagnostics,
    /// Keys that were reported; an anchor's keys come by once for each alias.
    reported: HashSet<Span>,
    /// Maps whose `!override` went to an entry that was moved out of them.
    handed_on: HashSet<Span>,
}

impl<'t> Rewrite<'_, 't> {
    /// The node in canonical spelling; `None` when it is so already.
    fn node(&mut self, node: &Node, place: SchemaNode<'t>) -> Option<Node> {
        let data = match &node.data {
            NodeData::Mapping(mapping) => {
                let entries = self.mapping(mapping, place)?;
                NodeData::Mapping(Arc::new(Mapping { entries }))
            }
            NodeData::Sequence(items) => NodeData::Sequence(Arc::new(self.items(items, place)?)),
            _ => return None,
        };
        Some(Node { data, ..node.clone() })
    }

    fn items(&mut self, items: &[Node], place: SchemaNode<'t>) -> Option<Vec<Node>> {
        let inside = place.item();
        if !self.is_worth_a_look(inside) {
            return None;
        }
        let rewritten: Vec<Option<Node>> = items.iter().map(|item| self.node(item, inside)).collect();
        rewritten.iter().any(Option::is_some).then(|| {
            let pairs = rewritten.into_iter().zip(items);
            pairs.map(|(new, old)| new.unwrap_or_else(|| old.clone())).collect()
        })
    }

    fn mapping(&mut self, mapping: &Mapping, place: SchemaNode<'t>) -> Option<Vec<Entry>> {
        let mut changed: Option<Vec<Entry>> = None;
        let spellings = self.spellings;
        for other in spellings.others(place) {
            if let Some(entries) = self.respelled(changed.as_deref().unwrap_or(&mapping.entries), other) {
                changed = Some(entries);
            }
        }
        let mut idx = 0;
        while let Some(entry) = changed.as_deref().unwrap_or(&mapping.entries).get(idx) {
            let inside = place.key(&entry.key);
            if self.is_worth_a_look(inside)
                && let Some(value) = self.node(&entry.value, inside)
            {
                changed.get_or_insert_with(|| mapping.entries.clone())[idx].value = value;
            }
            idx += 1;
        }
        changed
    }

    /// True if a key with another spelling can be at a place or further down.
    fn is_worth_a_look(&self, place: SchemaNode<'t>) -> bool {
        match place {
            SchemaNode::Root(_) | SchemaNode::Collection(_) | SchemaNode::Object(_) => true,
            SchemaNode::Field(field) => self.spellings.has(&field.shape),
            SchemaNode::Inside(shape) => self.spellings.has(shape),
            SchemaNode::Unknown => false,
        }
    }

    /// The entries with one spelling replaced; `None` when it does not occur.
    fn respelled(&mut self, entries: &[Entry], other: &Other<'t>) -> Option<Vec<Entry>> {
        let found = lookup(entries, &other.path)?;
        if !other.spelling.only_if.as_ref().is_none_or(|shape| fits(shape, &found.value)) {
            return None;
        }
        let twin = entries.iter().find(|entry| entry.key == *other.canonical).map(|entry| entry.key_span);
        self.tell(found, other, twin);
        let mut renamed = Entry { key: other.canonical.clone(), ..found.clone() };
        let replacing: Vec<Span> = replacing_parents(entries, &other.path).collect();
        if renamed.value.tag == Tag::None && !replacing.is_empty() {
            renamed.value.tag = Tag::Override;
            self.handed_on.extend(replacing);
        }
        Some(without(entries, &other.path, twin.is_none().then_some(renamed)))
    }

    fn tell(&mut self, found: &Entry, other: &Other<'t>, twin: Option<Span>) {
        let (canonical, spelling) = (other.canonical, other.spelling);
        if !self.reported.insert(found.key_span) {
            return;
        }
        let shown = spelling.path.replace('/', ".");
        if let Some(twin) = twin {
            let message = format!("`{shown}` and `{canonical}` are two spellings of one key");
            self.diagnostics.push(
                Diagnostic::error(codes::SPELLED_TWICE, found.key_span, message)
                    .related(twin, "this one is used")
                    .help(format!("move what is here to `{canonical}`")),
            );
            return;
        }
        let message = format!("`{shown}` is the {} spelling of `{canonical}`", spelling.dialect);
        let hint = Diagnostic::hint(codes::OTHER_SPELLING, found.key_span, message);
        self.diagnostics.push(if spelling.path.contains('/') {
            hint.help(format!("move it up and write `{canonical}`"))
        } else {
            hint.help(format!("write `{canonical}`")).replace(
                format!("Rename to `{canonical}`"),
                found.key_span,
                &**canonical,
            )
        });
    }
}

/// True if a value has the shape that makes a key a spelling. Text with a reference could have any, and stays.
fn fits(shape: &Shape, value: &Node) -> bool {
    shape.fits(value) && !value.as_str().is_some_and(|text| text.contains("${"))
}

fn lookup<'n>(entries: &'n [Entry], path: &[&str]) -> Option<&'n Entry> {
    let (key, rest) = path.split_first()?;
    let entry = entries.iter().find(|entry| &*entry.key == *key)?;
    if rest.is_empty() { Some(entry) } else { lookup(&entry.value.as_mapping()?.entries, rest) }
}

/// The places of maps that the entry at a path is taken out of and that ask to replace what was inherited.
fn replacing_parents<'n>(entries: &'n [Entry], path: &'n [&'n str]) -> impl Iterator<Item = Span> + 'n {
    let parents = (1..path.len()).filter_map(move |length| lookup(entries, &path[..length]));
    parents.filter(|it| it.value.tag == Tag::Override).map(|it| it.value.span)
}

/// The entries without the one at a path, and `instead` in its place; for a path of several keys behind the first
/// key's entry, which goes away when nothing else was in it and it asks for nothing.
fn without(entries: &[Entry], path: &[&str], instead: Option<Entry>) -> Vec<Entry> {
    let mut kept = Vec::with_capacity(entries.len() + 1);
    let mut instead = instead;
    for entry in entries {
        if &*entry.key != path[0] {
            kept.push(entry.clone());
            continue;
        }
        if let Some(mapping) = entry.value.as_mapping().filter(|_| path.len() > 1) {
            let entries = without(&mapping.entries, &path[1..], None);
            if !entries.is_empty() || entry.value.tag != Tag::None {
                let data = NodeData::Mapping(Arc::new(Mapping { entries }));
                kept.push(Entry { value: Node { data, ..entry.value.clone() }, ..entry.clone() });
            }
        }
        kept.extend(instead.take());
    }
    kept
}
