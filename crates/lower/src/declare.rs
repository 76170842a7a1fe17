//! Finds the items that the merged tree declares.

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, Severity, Span, Speller, nearest};
use merge::{History, Merged};
use model::{Address, Data, Map, Pointer, Step};
use syntax::{Entry, Mapping, Node, NodeData};
use types::{Field, TypeDefinition, Types};

use crate::{
    AccessorExpression, AccessorReader, Inferred, Options, ReferenceUse, cache::Reading, codes, read::takes,
};

/// By places of the merged tree.
pub(crate) type Histories = BTreeMap<Pointer, History>;

/// The root key that declares the deployment of a layer.
pub const DEPLOYMENT: &str = "deployment";

/// All declared items, and what is known about them so far.
#[derive(Debug)]
pub(crate) struct Declarations<'a> {
    pub(crate) types: &'a Types,
    pub(crate) options: Options,
    /// The reader of expressions over links.
    pub(crate) accessors: Option<&'a dyn AccessorReader>,
    /// The deployment that the layers declare.
    pub(crate) deployment: Option<Arc<str>>,
    /// The histories of the nodes that several layers wrote.
    pub(crate) histories: &'a Histories,
    pub(crate) items: Vec<Declaration<'a>>,
    /// By kind: name to the index in `items`.
    pub(crate) index: Vec<HashMap<Arc<str>, usize>>,
    /// By kind: the names in order of declaration.
    names: Vec<Vec<Arc<str>>>,
    pub(crate) speller: Speller,
    pub(crate) inferred: Vec<Inferred>,
    pub(crate) uses: Vec<ReferenceUse>,
    /// The first expression over links for which there is no reader.
    pub(crate) unread_accessor: Option<Span>,
    pub(crate) diagnostics: Diagnostics,
}

/// One item: a service, a payload, the `meta` singleton.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    /// Index of its definition in `types.kinds`.
    pub(crate) kind: usize,
    pub(crate) name: Arc<str>,
    /// Its key; for an inferred item the place that required it.
    pub(crate) span: Span,
    /// `None` for an inferred item.
    pub(crate) node: Option<&'a Node>,
    /// Its fields as read; references are not resolved yet, defaults and inferred values are added later.
    pub(crate) attributes: Arc<Map>,
    /// The text of each place that contains `${`, relative to the item.
    pub(crate) templates: Arc<BTreeMap<Pointer, Arc<str>>>,
    /// Each reference in its text.
    pub(crate) references: Vec<WrittenReference>,
    /// Its links that stay on its host.
    pub(crate) beside: Vec<ColocatedLink>,
    /// The expressions in its texts over the contents of its links.
    pub(crate) accessors: Vec<Accessor>,
    /// The result of reading it, if that can be taken over.
    pub(crate) reading: Option<Arc<Reading>>,
}

/// An expression over the contents of an item's links.
#[derive(Debug)]
pub(crate) struct Accessor {
    pub(crate) expression: Box<dyn AccessorExpression>,
    pub(crate) span: Span,
}

/// A link of an item that stays on its host, instance by instance.
#[derive(Clone, Debug)]
pub(crate) struct ColocatedLink {
    /// The name that the consumer uses.
    pub(crate) name: Arc<str>,
    /// The place where it is requested.
    pub(crate) span: Span,
}

/// The key of the instance that runs beside the item's own.
pub(crate) const OWN_INSTANCE: &str = "instance";

/// A `${…}` in some item's text.
#[derive(Clone, Debug)]
pub(crate) struct WrittenReference {
    /// The place in the item.
    pub(crate) pointer: Pointer,
    /// The item it refers to: index in `items`.
    pub(crate) target: usize,
    /// The instance, if it names one.
    pub(crate) instance: Option<u32>,
    /// The path of the attribute.
    pub(crate) path: Vec<Step>,
    pub(crate) span: Span,
    /// True if it begins with the field that holds the contents of the item's own links.
    pub(crate) is_own_link: bool,
}

impl<'a> Declarations<'a> {
    pub(crate) fn definition(&self, item: usize) -> &'a TypeDefinition {
        &self.types.kinds[self.items[item].kind]
    }

    /// The item of that kind and name.
    pub(crate) fn find(&self, kind: &str, name: &str) -> Option<usize> {
        let kind = self.types.kinds.iter().position(|it| &*it.kind == kind)?;
        self.find_at(kind, name)
    }

    pub(crate) fn find_at(&self, kind: usize, name: &str) -> Option<usize> {
        self.index.get(kind)?.get(name).copied()
    }

    /// The names of all items of a kind, in order of declaration.
    pub(crate) fn names(&self, kind: usize) -> &[Arc<str>] {
        self.names.get(kind).map_or(&[], |names| names)
    }

    /// The name of an item of a kind that was probably meant.
    pub(crate) fn likely(&mut self, kind: usize, name: &str) -> Option<Arc<str>> {
        let names = self.names.get(kind)?;
        self.speller.nearest(name, names.iter().map(|it| &**it)).map(Arc::from)
    }

    pub(crate) fn address(&self, item: usize) -> Address {
        Address::new(Arc::clone(&self.definition(item).collection), Arc::clone(&self.items[item].name))
    }

    /// For a path to the instance beside an item's own (`links.db.instance.address`): the path to instance
    /// `n`.
    pub(crate) fn beside(&self, item: usize, path: &[Step], n: usize) -> Option<Vec<Step>> {
        let contents = &self.definition(item).links.as_ref()?.contents;
        let [Step::Key(field), Step::Key(link), Step::Key(own), rest @ ..] = path else { return None };
        let is_beside = self.items[item].beside.iter().any(|it| it.name == *link);
        if field != contents || **own != *OWN_INSTANCE || !is_beside {
            return None;
        }
        let head = [
            Step::Key(field.clone()),
            Step::Key(link.clone()),
            Step::Key("instances".into()),
            Step::Index(n),
        ];
        Some([&head, rest].concat())
    }

    /// The number of instances of an item; `None` if it does not count them, or the number is not known.
    pub(crate) fn count(&self, item: usize) -> Option<u32> {
        match self.items[item].attributes.get(self.definition(item).instances.as_ref()?)?.data {
            Data::Int(count) => u32::try_from(count).ok(),
            _ => None,
        }
    }

    /// Its address as in references: a singleton has no name.
    pub(crate) fn shown(&self, item: usize) -> String {
        let definition = self.definition(item);
        if definition.singleton { definition.collection.to_string() } else { self.address(item).to_string() }
    }

    /// The place of an item in the merged document.
    pub(crate) fn pointer(&self, item: usize) -> Pointer {
        let definition = self.definition(item);
        let keys = [&*definition.collection, &*self.items[item].name];
        Pointer::root().keys(if definition.singleton { &keys[..1] } else { &keys })
    }

    /// Records that a place names an item.
    pub(crate) fn add_use(&mut self, span: Span, target: usize) {
        let address = self.address(target);
        self.uses.push(ReferenceUse { span, target: self.items[target].span, address });
    }

    /// Adds an item; returns its index.
    pub(crate) fn add(&mut self, kind: usize, name: Arc<str>, span: Span, node: Option<&'a Node>) -> usize {
        let item = self.items.len();
        self.index[kind].insert(Arc::clone(&name), item);
        self.names[kind].push(Arc::clone(&name));
        self.items.push(Declaration {
            kind,
            name,
            span,
            node,
            attributes: Arc::default(),
            templates: Arc::default(),
            references: Vec::new(),
            beside: Vec::new(),
            accessors: Vec::new(),
            reading: None,
        });
        item
    }

    /// Reports an unknown key, and returns the one that was probably meant; `object` is shown, e.g.
    /// `services.web`. It can be renamed where the other key `fits`: is not in that file, and takes such a value.
    pub(crate) fn unknown_key<'n>(
        &mut self,
        entry: &Entry,
        object: &str,
        known: impl Iterator<Item = &'n str> + Clone,
        fits: impl Fn(&str) -> bool,
    ) -> Option<&'n str> {
        let path = if object.is_empty() { entry.key.to_string() } else { format!("{object}.{}", entry.key) };
        let severity = if self.options.lenient { Severity::Warning } else { Severity::Error };
        let mut diagnostic =
            Diagnostic::error(codes::UNKNOWN_KEY, entry.key_span, format!("unknown key `{path}`"));
        diagnostic.severity = severity;
        let likely = nearest(&entry.key, known.clone());
        if let Some(likely) = likely {
            diagnostic = diagnostic.help(format!("did you mean `{likely}`?"));
            if fits(likely) {
                let title = format!("Rename to `{likely}`");
                diagnostic = diagnostic.replace(title, entry.key_span, likely);
            }
        } else {
            let known = known.map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
            diagnostic = diagnostic.help(if known.is_empty() {
                "only keys that begin with `x-` can be written here".into()
            } else {
                format!("known keys: {known}; keys that begin with `x-` are free")
            });
        }
        self.diagnostics.push(diagnostic);
        likely
    }
}

/// By kind: the fields for which `holds` is true.
pub(crate) fn fields_where(types: &Types, holds: impl Fn(&Field) -> bool) -> Vec<Vec<&Field>> {
    types.kinds.iter().map(|kind| kind.fields.iter().filter(|field| holds(field)).collect()).collect()
}

/// Finds the items that a merged tree declares.
pub(crate) fn declare<'a>(
    merged: &'a Merged,
    types: &'a Types,
    options: Options,
    accessors: Option<&'a dyn AccessorReader>,
) -> Declarations<'a> {
    let mut declarations = Declarations {
        types,
        options,
        accessors,
        deployment: merged.root.get(DEPLOYMENT).and_then(Node::as_str).map(Arc::from),
        histories: &merged.history,
        items: Vec::new(),
        index: vec![HashMap::new(); types.kinds.len()],
        names: vec![Vec::new(); types.kinds.len()],
        speller: Speller::default(),
        inferred: Vec::new(),
        uses: Vec::new(),
        unread_accessor: None,
        diagnostics: Vec::new(),
    };
    let Some(root) = merged.root.as_mapping() else {
        let what = merged.root.kind_name();
        let message = format!("a descriptor must be a map, not a {what}");
        let keys = types.kinds.iter().map(|it| format!("`{}`", it.collection)).collect::<Vec<_>>().join(", ");
        let help = format!("begin with one of the keys {keys}");
        declarations
            .diagnostics
            .push(Diagnostic::error(codes::WRONG_KIND, merged.root.span, message).help(help));
        return declarations;
    };
    for (kind, definition) in types.kinds.iter().enumerate() {
        if let Some(entry) = root.entry(&definition.collection) {
            declare_collection(&mut declarations, kind, entry);
        }
    }
    for entry in &root.entries {
        check_root_key(&mut declarations, root, entry);
    }
    declarations
}

/// True if a key of a merged map can be renamed: no file has the other one, which is at `other`, or one other file has. There
/// it is overridden then, as it was meant.
pub(crate) fn is_free(
    histories: &Histories,
    other: &Pointer,
    present: Option<&Entry>,
    entry: &Entry,
) -> bool {
    present.is_none_or(|it| it.key_span.file != entry.key_span.file) && !histories.contains_key(other)
}

fn check_root_key(declarations: &mut Declarations<'_>, root: &Mapping, entry: &Entry) {
    let (types, histories) = (declarations.types, declarations.histories);
    let collections = types.kinds.iter().map(|it| &*it.collection);
    let known = collections.chain(types.root.iter().map(|it| &*it.name));
    if !entry.key.starts_with("x-") && !known.clone().any(|it| it == &*entry.key) {
        declarations.unknown_key(entry, "", known, |name| {
            let of_root = types.root.iter().find(|it| *it.name == *name);
            let is_map = matches!(entry.value.data, NodeData::Null | NodeData::Mapping(_));
            is_free(histories, &Pointer::root().key(name), root.entry(name), entry)
                && of_root.map_or(is_map, |it| takes(it, &entry.value))
        });
    }
}

fn declare_collection<'a>(declarations: &mut Declarations<'a>, kind: usize, entry: &'a Entry) {
    let definition = &declarations.types.kinds[kind];
    if definition.singleton {
        declare_one(declarations, kind, Arc::clone(&definition.collection), entry);
        return;
    }
    match &entry.value.data {
        NodeData::Mapping(mapping) => {
            for entry in &mapping.entries {
                declare_one(declarations, kind, Arc::clone(&entry.key), entry);
            }
        }
        NodeData::Null => {}
        _ => {
            let message = format!(
                "`{}` must be a map of {}s by name, not a {}",
                definition.collection,
                definition.kind,
                entry.value.kind_name()
            );
            let help = format!("write `{}:` and below it a name and its fields", definition.collection);
            let diagnostic = Diagnostic::error(codes::WRONG_KIND, entry.value.span, message).help(help);
            declarations.diagnostics.push(diagnostic);
        }
    }
}

fn declare_one<'a>(declarations: &mut Declarations<'a>, kind: usize, name: Arc<str>, entry: &'a Entry) {
    let definition = &declarations.types.kinds[kind];
    let is_map = entry.value.as_mapping().is_some();
    let is_empty = definition.singleton && matches!(entry.value.data, NodeData::Null);
    if !is_map && !is_empty {
        let what =
            if matches!(entry.value.data, NodeData::Null) { "nothing" } else { entry.value.kind_name() };
        let message = format!("the {} `{name}` must be a map of its fields, not {what}", definition.kind);
        let mut diagnostic =
            Diagnostic::error(codes::WRONG_KIND, entry.key_span.cover(entry.value.span), message);
        if matches!(entry.value.data, NodeData::Null) && definition.fields.iter().all(|field| !field.required)
        {
            diagnostic = diagnostic.help("write `{}` for one with all defaults");
            let value = entry.value.span;
            // In braces a key may stand without a colon.
            if value.start > entry.key_span.end {
                let text = if value.start == value.end { " {}" } else { "{}" };
                diagnostic = diagnostic.replace("Write `{}`", value, text);
            }
        } else {
            diagnostic = diagnostic.help(required_help(definition));
        }
        declarations.diagnostics.push(diagnostic);
    }
    if !definition.singleton {
        declarations.diagnostics.extend(unclear_name(&definition.kind, &name, entry.key_span));
    }
    declarations.add(kind, name, entry.key_span, is_map.then_some(&entry.value));
}

/// The problem of a name that is empty, or can be confused with another one.
fn unclear_name(kind: &str, name: &str, span: Span) -> Option<Diagnostic> {
    if name.is_empty() {
        let message = format!("the name of this {kind} is empty");
        return Some(Diagnostic::error(codes::UNCLEAR_NAME, span, message).help("give it a name"));
    }
    if name.trim() != name {
        let message = format!("the name `{name}` begins or ends with a space, which is not seen");
        return Some(Diagnostic::error(codes::UNCLEAR_NAME, span, message).help("remove the space"));
    }
    let mark = name.chars().find(|it| is_combining_mark(*it))?;
    let message = format!(
        "the name `{name}` has a letter followed by the mark U+{:04X}: with the letter that has the mark it is \
         another name",
        u32::from(mark)
    );
    let help = "write it with the letter that has the mark, here and everywhere the name is used";
    Some(Diagnostic::warning(codes::UNCLEAR_NAME, span, message).help(help))
}

/// True if a character only changes the letter before it (Unicode's block of combining diacritical marks). Names that differ in
/// this look the same.
pub(crate) const fn is_combining_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36f}')
}

fn required_help(definition: &TypeDefinition) -> String {
    let required: Vec<_> =
        definition.fields.iter().filter(|it| it.required).map(|it| format!("`{}`", it.name)).collect();
    if required.is_empty() {
        format!("a {} has no required fields", definition.kind)
    } else {
        format!("a {} needs {}", definition.kind, required.join(", "))
    }
}

/// The diagnostic for a required field that is missing.
pub(crate) fn missing_field(span: Span, object: &str, field: &types::Field) -> Diagnostic {
    Diagnostic::error(codes::MISSING_FIELD, span, format!("`{object}` needs `{}`", field.name)).help(format!(
        "add `{}:` ({})",
        field.name,
        field.doc.split_once(". ").map_or(&*field.doc, |(first, _)| first).trim_end_matches('.')
    ))
}
