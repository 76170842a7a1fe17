use std::sync::Arc;

use crate::{Field, MergeBehavior, MergeOptions, MergeRule, Shape, Sorting, TypeDefinition, Types};

/// A place in a descriptor as the type definitions see it, for merging, completion and hover.
#[derive(Clone, Copy, Debug)]
pub enum SchemaNode<'a> {
    /// The root of a descriptor.
    Root(&'a Types),
    /// The map of resources of one kind (`services`).
    Collection(&'a TypeDefinition),
    /// One resource (`services.web`), or a singleton (`meta`).
    Object(&'a TypeDefinition),
    /// A field of an object.
    Field(&'a Field),
    /// Something inside a field: an item of a list, a value of a map.
    Inside(&'a Shape),
    /// Nothing is known of it.
    Unknown,
}

/// A key that may be written at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyInfo<'a> {
    /// The key.
    pub name: &'a Arc<str>,
    /// The documentation.
    pub doc: &'a str,
    /// The permitted values, for messages.
    pub phrase: String,
    /// It must be written.
    pub required: bool,
    /// It only exists once the resource does.
    pub output: bool,
    /// It holds a map, so that its value goes on the next line.
    pub holds_map: bool,
    /// It may hold a list.
    pub holds_list: bool,
}

/// Keys that start so are free in every map: they are for people and other tools.
const EXTENSION: &str = "x-";

static ANY: Shape = Shape::Any;
static STANDARD: MergeOptions =
    MergeOptions { rule: MergeRule::Standard, behavior: MergeBehavior::Default, sorting: Sorting::None };

impl Types {
    /// The definition of a kind.
    pub fn kind(&self, kind: &str) -> Option<&TypeDefinition> {
        self.kinds.iter().find(|it| &*it.kind == kind)
    }

    /// The definition whose resources are declared under a root key; other spellings count.
    pub fn collection(&self, key: &str) -> Option<&TypeDefinition> {
        let spelled = |it: &&TypeDefinition| it.spellings.iter().any(|spelling| &*spelling.path == key);
        self.kinds.iter().find(|it| &*it.collection == key).or_else(|| self.kinds.iter().find(spelled))
    }

    /// The root key of that name that is not a collection; other spellings count.
    pub fn root_field(&self, key: &str) -> Option<&Field> {
        find(&self.root, key)
    }

    /// True if a key is free everywhere: `x-…`.
    pub fn is_extension(key: &str) -> bool {
        key.starts_with(EXTENSION)
    }
}

impl TypeDefinition {
    /// The field of that name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|it| &*it.name == name)
    }
}

/// The field of that name, or the one that is also spelled so.
fn find<'a>(fields: &'a [Field], key: &str) -> Option<&'a Field> {
    let spelled = |it: &&Field| it.spellings.iter().any(|spelling| &*spelling.path == key);
    fields.iter().find(|it| &*it.name == key).or_else(|| fields.iter().find(spelled))
}

impl<'a> SchemaNode<'a> {
    /// The place under a key (canonical spelling).
    #[must_use]
    pub fn key(self, key: &str) -> SchemaNode<'a> {
        match self {
            SchemaNode::Root(types) => types.root_place(key),
            SchemaNode::Collection(kind) => SchemaNode::Object(kind),
            SchemaNode::Object(kind) => named(&kind.fields, kind.open, key),
            SchemaNode::Field(field) => under_key(&field.shape, key),
            SchemaNode::Inside(shape) => under_key(shape, key),
            SchemaNode::Unknown => SchemaNode::Unknown,
        }
    }

    /// The place of a list's items.
    #[must_use]
    pub fn item(self) -> SchemaNode<'a> {
        self.shape().map_or(SchemaNode::Unknown, items)
    }

    /// The options of merging layers here.
    pub fn merge_options(self) -> &'a MergeOptions {
        if let SchemaNode::Field(field) = self { &field.merge } else { &STANDARD }
    }

    /// The documentation of this place; empty if nothing is known.
    pub fn doc(self) -> &'a str {
        match self {
            SchemaNode::Collection(kind) | SchemaNode::Object(kind) => &kind.doc,
            SchemaNode::Field(field) => &field.doc,
            SchemaNode::Root(_) | SchemaNode::Inside(_) | SchemaNode::Unknown => "",
        }
    }

    /// The shape of this place; `None` for whole objects, collections and unknown places.
    pub fn shape(self) -> Option<&'a Shape> {
        match self {
            SchemaNode::Field(field) => Some(&field.shape),
            SchemaNode::Inside(shape) => Some(shape),
            SchemaNode::Root(_) | SchemaNode::Collection(_) | SchemaNode::Object(_) | SchemaNode::Unknown => {
                None
            }
        }
    }

    /// The permitted values, for messages, e.g. `list of ports`; empty if nothing is known.
    pub fn phrase(self) -> String {
        match self {
            SchemaNode::Root(_) => "descriptor".into(),
            SchemaNode::Collection(kind) => format!("map of {}", kind.collection),
            SchemaNode::Object(kind) => kind.kind.to_string(),
            SchemaNode::Field(field) => field.shape.phrase(),
            SchemaNode::Inside(shape) => shape.phrase(),
            SchemaNode::Unknown => String::new(),
        }
    }

    /// The keys that are defined here, in the order of their definition. More may be allowed where
    /// [`SchemaNode::is_open`].
    pub fn keys(self) -> Vec<KeyInfo<'a>> {
        match self {
            SchemaNode::Root(types) => types.root_keys(),
            SchemaNode::Object(kind) => kind.fields.iter().map(KeyInfo::of_field).collect(),
            SchemaNode::Field(field) => field.shape.fields().iter().map(KeyInfo::of_field).collect(),
            SchemaNode::Inside(shape) => shape.fields().iter().map(KeyInfo::of_field).collect(),
            SchemaNode::Collection(_) | SchemaNode::Unknown => Vec::new(),
        }
    }

    /// True if keys that are not defined are free here. A collection's keys are names and always free.
    pub fn is_open(self) -> bool {
        match self {
            SchemaNode::Root(_) => false,
            SchemaNode::Collection(_) | SchemaNode::Unknown => true,
            SchemaNode::Object(kind) => kind.open,
            SchemaNode::Field(field) => field.shape.is_open(),
            SchemaNode::Inside(shape) => shape.is_open(),
        }
    }
}

impl Types {
    fn root_place(&self, key: &str) -> SchemaNode<'_> {
        match self.collection(key) {
            Some(kind) if kind.singleton => SchemaNode::Object(kind),
            Some(kind) => SchemaNode::Collection(kind),
            None => self.root_field(key).map_or(SchemaNode::Unknown, SchemaNode::Field),
        }
    }

    fn root_keys(&self) -> Vec<KeyInfo<'_>> {
        let collections = self.kinds.iter().map(KeyInfo::of_collection);
        self.root.iter().map(KeyInfo::of_field).chain(collections).collect()
    }
}

impl<'a> KeyInfo<'a> {
    fn of_field(field: &'a Field) -> Self {
        Self {
            name: &field.name,
            doc: &field.doc,
            phrase: field.shape.phrase(),
            required: field.required,
            output: field.output,
            holds_map: matches!(field.shape, Shape::Object { .. } | Shape::MapOf(_)),
            holds_list: field.shape.may_be_list(),
        }
    }

    fn of_collection(kind: &'a TypeDefinition) -> Self {
        Self {
            name: &kind.collection,
            doc: &kind.doc,
            phrase: if kind.singleton { "map".into() } else { format!("map of {}", kind.collection) },
            required: false,
            output: false,
            holds_map: true,
            holds_list: false,
        }
    }
}

fn named<'a>(fields: &'a [Field], open: bool, key: &str) -> SchemaNode<'a> {
    match find(fields, key) {
        Some(field) => SchemaNode::Field(field),
        None if open => SchemaNode::Inside(&ANY),
        None => SchemaNode::Unknown,
    }
}

fn under_key<'a>(shape: &'a Shape, key: &str) -> SchemaNode<'a> {
    match shape {
        Shape::Any => SchemaNode::Inside(&ANY),
        Shape::MapOf(value) => SchemaNode::Inside(value),
        Shape::Object { fields, open } => named(fields, *open, key),
        Shape::Form(form) => under_key(form.canonical(), key),
        Shape::Either(shapes) => first_known(shapes, |it| under_key(it, key)),
        _ => SchemaNode::Unknown,
    }
}

fn items(shape: &Shape) -> SchemaNode<'_> {
    match shape {
        Shape::Any => SchemaNode::Inside(&ANY),
        Shape::List(item) => SchemaNode::Inside(item),
        Shape::Form(form) => items(form.canonical()),
        Shape::Either(shapes) => first_known(shapes, items),
        _ => SchemaNode::Unknown,
    }
}

fn first_known<'a>(shapes: &'a [Shape], step: impl Fn(&'a Shape) -> SchemaNode<'a>) -> SchemaNode<'a> {
    shapes.iter().map(step).find(|place| !matches!(place, SchemaNode::Unknown)).unwrap_or(SchemaNode::Unknown)
}
