use std::{collections::HashSet, sync::Arc};

use diag::{Code, Diagnostic, Diagnostics, Span};
use syntax::{Entry, Mapping, Node, NodeData, Tag};
use types::{Field, Place, Shape, Spelling, Types};

const OTHER_SPELLING: Code = Code("merge/other-spelling");
const SPELLED_TWICE: Code = Code("merge/spelled-twice");

/// Where in descriptors keys have other spellings.
#[derive(Debug)]
pub(crate) struct Spellings<'t> {
    types: &'t Types,
    /// Shapes with such keys in them. By address: they live as long as `types`.
    inside: HashSet<*const Shape>,
}

/// A key that has other spellings.
struct Name<'t> {
    canonical: &'t Arc<str>,
    spellings: &'t [Spelling],
}

impl<'t> Spellings<'t> {
    pub(crate) fn new(types: &'t Types) -> Self {
        let mut spellings = Self { types, inside: HashSet::new() };
        let fields = types.root.iter().chain(types.kinds.iter().flat_map(|kind| &kind.fields));
        for field in fields {
            spellings.note(&field.shape);
        }
        spellings
    }

    /// Whether a shape has keys with other spellings in it; notes all that do.
    fn note(&mut self, shape: &'t Shape) -> bool {
        let has = match shape {
            Shape::List(item) | Shape::MapOf(item) => self.note(item),
            Shape::Either(shapes) => shapes.iter().fold(false, |has, it| self.note(it) || has),
            Shape::Object { fields, .. } => {
                fields.iter().fold(false, |has, it| self.note(&it.shape) || !it.spellings.is_empty() || has)
            }
            _ => false,
        };
        if has {
            self.inside.insert(shape);
        }
        has
    }

    /// The tree with all keys in the spelling of the type definitions.
    pub(crate) fn canonical(&self, root: &Node, diagnostics: &mut Diagnostics) -> Node {
        let mut rewrite = Rewrite { spellings: self, diagnostics, told: HashSet::new() };
        rewrite.node(root, Place::Root(self.types)).unwrap_or_else(|| root.clone())
    }

    fn has(&self, shape: &Shape) -> bool {
        self.inside.contains(&std::ptr::from_ref(shape))
    }

    /// The keys of a place that have other spellings.
    fn names(&self, place: Place<'t>) -> Vec<Name<'t>> {
        let fields: &'t [Field] = match place {
            Place::Root(types) => &types.root,
            Place::Object(kind) => &kind.fields,
            Place::Field(field) => field.shape.fields(),
            Place::Inside(shape) => shape.fields(),
            Place::Collection(_) | Place::Unknown => &[],
        };
        let kinds = if let Place::Root(types) = place { &types.kinds[..] } else { &[] };
        let collections = kinds.iter().map(|it| Name { canonical: &it.collection, spellings: &it.spellings });
        let fields = fields.iter().map(|it| Name { canonical: &it.name, spellings: &it.spellings });
        collections.chain(fields).filter(|it| !it.spellings.is_empty()).collect()
    }
}

/// Goes through one file's tree.
struct Rewrite<'s, 't> {
    spellings: &'s Spellings<'t>,
    diagnostics: &'s mut Diagnostics,
    /// Keys that were reported; an anchor's keys come by once for each alias.
    told: HashSet<Span>,
}

impl<'t> Rewrite<'_, 't> {
    /// The node in canonical spelling; `None` when it is so already.
    fn node(&mut self, node: &Node, place: Place<'t>) -> Option<Node> {
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

    fn items(&mut self, items: &[Node], place: Place<'t>) -> Option<Vec<Node>> {
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

    fn mapping(&mut self, mapping: &Mapping, place: Place<'t>) -> Option<Vec<Entry>> {
        let mut changed: Option<Vec<Entry>> = None;
        for name in self.spellings.names(place) {
            for spelling in name.spellings {
                let entries = changed.as_deref().unwrap_or(&mapping.entries);
                if let Some(entries) = self.respelled(entries, name.canonical, spelling) {
                    changed = Some(entries);
                }
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

    /// Whether a key with another spelling can be at a place or further down.
    fn is_worth_a_look(&self, place: Place<'t>) -> bool {
        match place {
            Place::Root(_) | Place::Collection(_) | Place::Object(_) => true,
            Place::Field(field) => self.spellings.has(&field.shape),
            Place::Inside(shape) => self.spellings.has(shape),
            Place::Unknown => false,
        }
    }

    /// The entries with one spelling replaced; `None` when it does not occur.
    fn respelled(
        &mut self,
        entries: &[Entry],
        canonical: &Arc<str>,
        spelling: &Spelling,
    ) -> Option<Vec<Entry>> {
        let path: Vec<&str> = spelling.path.split('/').collect();
        let found = lookup(entries, &path)?;
        if !spelling.only_if.as_ref().is_none_or(|shape| fits(shape, &found.value)) {
            return None;
        }
        let found = found.clone();
        let twin = entries.iter().find(|entry| entry.key == *canonical).map(|entry| entry.key_span);
        self.tell(&found, canonical, spelling, twin);
        let mut renamed = Entry { key: canonical.clone(), ..found };
        if renamed.value.tag == Tag::None && parents_replace(entries, &path) {
            renamed.value.tag = Tag::Override;
        }
        Some(without(entries, &path, twin.is_none().then_some(renamed)))
    }

    fn tell(&mut self, found: &Entry, canonical: &str, spelling: &Spelling, twin: Option<Span>) {
        if !self.told.insert(found.key_span) {
            return;
        }
        let shown = spelling.path.replace('/', ".");
        if let Some(twin) = twin {
            let message = format!("`{shown}` and `{canonical}` are two spellings of one key");
            self.diagnostics.push(
                Diagnostic::error(SPELLED_TWICE, found.key_span, message)
                    .related(twin, "this one is used")
                    .help(format!("move what is here to `{canonical}`")),
            );
            return;
        }
        let message = format!("`{shown}` is the {} spelling of `{canonical}`", spelling.dialect);
        let hint = Diagnostic::hint(OTHER_SPELLING, found.key_span, message);
        self.diagnostics.push(if spelling.path.contains('/') {
            hint.help(format!("move it up and write `{canonical}`"))
        } else {
            hint.help(format!("write `{canonical}`")).replace(
                format!("Rename to `{canonical}`"),
                found.key_span,
                canonical,
            )
        });
    }
}

/// Whether a value has the shape that makes a key a spelling. Text with a reference could have any, and stays.
fn fits(shape: &Shape, value: &Node) -> bool {
    shape.fits(value) && !value.as_str().is_some_and(|text| text.contains("${"))
}

fn lookup<'n>(entries: &'n [Entry], path: &[&str]) -> Option<&'n Entry> {
    let (key, rest) = path.split_first()?;
    let entry = entries.iter().find(|entry| &*entry.key == *key)?;
    if rest.is_empty() { Some(entry) } else { lookup(&entry.value.as_mapping()?.entries, rest) }
}

/// Whether a map that the entry at a path is taken out of asks to replace what was inherited.
fn parents_replace(entries: &[Entry], path: &[&str]) -> bool {
    (1..path.len())
        .any(|length| lookup(entries, &path[..length]).is_some_and(|it| it.value.tag == Tag::Override))
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
