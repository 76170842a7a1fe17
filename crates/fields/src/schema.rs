//! Types of messages: their fields, the references and the rules of the fields.
//!
//! A [`Schema`] is read from `.proto` files or from the `fields:` of a specification. Everything that has to know a field
//! (validation, merging, references, generated types) reads it here.

use std::{collections::BTreeMap, sync::Arc};

/// Messages and enumerations by their name without package, nested ones with a dot: `Pod.Status`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Schema {
    /// The messages.
    pub messages: BTreeMap<Arc<str>, Message>,
    /// The enumerations.
    pub enums: BTreeMap<Arc<str>, Enum>,
}

/// A message type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Its fields, in the order in which they are written.
    pub fields: Vec<Field>,
    /// Its documentation; empty if there is none.
    pub doc: Arc<str>,
    /// A value may have fields that are not listed.
    pub open: bool,
}

/// An enumeration: in JSON, values are their names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Enum {
    /// Names and numbers, in the order in which they are written; the first is the default.
    pub values: Vec<(Arc<str>, i32)>,
    /// Its documentation; empty if there is none.
    pub doc: Arc<str>,
}

/// A field of a message.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its name in `snake_case`.
    pub name: Arc<str>,
    /// Its number on the wire; `None` where it was declared without one.
    pub number: Option<u32>,
    /// The number of values that it has.
    pub cardinality: Cardinality,
    /// The type of one value.
    pub ty: FieldType,
    /// The meaning of a text.
    pub meaning: Option<Meaning>,
    /// The rules for valid values.
    pub rules: Vec<Rule>,
    /// The group of fields of which at most one is set.
    pub oneof: Option<Arc<str>>,
    /// The way values of two messages are merged.
    pub merge: Merge,
    /// The part of a resource that it belongs to.
    pub class: Option<FieldClass>,
    /// It cannot be changed after the resource was created.
    pub immutable: bool,
    /// The server sets it; values of clients are ignored.
    pub output_only: bool,
    /// It is a secret: it is never logged, and plans do not show it.
    pub sensitive: bool,
    /// Its documentation; empty if there is none.
    pub doc: Arc<str>,
}

/// The number of values that a field has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cardinality {
    /// One; absent is the default of its type.
    #[default]
    One,
    /// One, and absent differs from the default (`optional` of proto3).
    Optional,
    /// A list.
    Repeated,
    /// A map whose keys are of this type.
    Map(Scalar),
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldType {
    /// A scalar.
    Scalar(Scalar),
    /// A message of the schema, by its name.
    Message(Arc<str>),
    /// An enumeration of the schema, by its name.
    Enum(Arc<str>),
    /// A message of `google.protobuf` that has a JSON form of its own.
    WellKnown(WellKnown),
    /// A message of another package, by its full name; any object is valid.
    Foreign(Arc<str>),
}

/// A scalar type of proto3.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// `double`
    Double,
    /// `float`
    Float,
    /// `int32`, `sint32`, `sfixed32`
    Int32,
    /// `int64`, `sint64`, `sfixed64`: a string in JSON
    Int64,
    /// `uint32`, `fixed32`
    Uint32,
    /// `uint64`, `fixed64`: a string in JSON
    Uint64,
    /// `bool`
    Bool,
    /// `string`
    String,
    /// `bytes`: base64 in JSON
    Bytes,
}

/// A message of `google.protobuf` with its own form in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WellKnown {
    /// An instant: `2026-01-31T12:00:00Z`
    Timestamp,
    /// A duration: `1.5s`
    Duration,
    /// Paths in `lowerCamelCase`, separated by commas.
    FieldMask,
    /// An object.
    Struct,
    /// Any JSON value.
    Value,
    /// A list of any values.
    ListValue,
    /// An object without fields.
    Empty,
    /// An object with `@type`.
    Any,
    /// A scalar or null.
    Wrapper(Scalar),
}

/// The meaning of the text of a field. `resource` is a kind: `Pod` of the same service, or `devices.edgelq.com/Device`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The name of a resource; nothing is checked but its form.
    Name {
        /// The kind.
        resource: Arc<str>,
    },
    /// A reference to a resource, which exists.
    Reference {
        /// The kind.
        resource: Arc<str>,
        /// The effect of the deletion of that resource.
        on_target_deleted: DeleteBehavior,
    },
    /// The name of a parent of a kind.
    ParentName {
        /// The kind.
        resource: Arc<str>,
    },
    /// A filter over a kind.
    Filter {
        /// The kind.
        resource: Arc<str>,
    },
    /// An order of a kind.
    OrderBy {
        /// The kind.
        resource: Arc<str>,
    },
    /// A cursor of a list of a kind.
    Cursor {
        /// The kind.
        resource: Arc<str>,
    },
    /// A field mask of a kind.
    FieldMask {
        /// The kind.
        resource: Arc<str>,
    },
}

/// The effect on a resource when one that it refers to, or its parent, is deleted
/// (`goten.annotations.OnReferencedObjectDeleted`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeleteBehavior {
    /// The deletion is refused.
    Block,
    /// The reference is cleared in the same transaction.
    Unset,
    /// The resource is deleted in the same transaction.
    CascadeDelete,
    /// The reference is cleared afterwards.
    AsyncUnset,
    /// The resource is deleted afterwards.
    AsyncCascadeDelete,
    /// Nothing: the reference may lead to nothing.
    AllowDangling,
}

impl DeleteBehavior {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Block,
        Self::Unset,
        Self::CascadeDelete,
        Self::AsyncUnset,
        Self::AsyncCascadeDelete,
        Self::AllowDangling,
    ];

    /// Its name in specifications: `ASYNC_CASCADE_DELETE`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Block => "BLOCK",
            Self::Unset => "UNSET",
            Self::CascadeDelete => "CASCADE_DELETE",
            Self::AsyncUnset => "ASYNC_UNSET",
            Self::AsyncCascadeDelete => "ASYNC_CASCADE_DELETE",
            Self::AllowDangling => "ALLOW_DANGLING",
        }
    }

    /// The behaviour of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.as_str() == name)
    }

    /// The behaviour if the other resource is in another service or region: effects in the same transaction
    /// happen afterwards.
    #[must_use]
    pub const fn across_services(self) -> Self {
        match self {
            Self::Unset => Self::AsyncUnset,
            Self::CascadeDelete => Self::AsyncCascadeDelete,
            other => other,
        }
    }
}

/// The part of a resource that a field belongs to, for the audit log. If fields of several are changed, the first of
/// spec, state and meta is the kind of the change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FieldClass {
    /// Set by users.
    Spec,
    /// Reported by the server.
    State,
    /// Data about the resource.
    Meta,
    /// Never logged.
    Hidden,
}

/// The way the values of a field of two messages become one (`goten.annotations.MergeOpts`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merge {
    /// The treatment of elements of lists, and of entries of maps, that are in one of the messages only.
    pub behavior: MergeBehavior,
    /// The fields of a list's elements by which an element is found in the other list.
    pub identifiers: Vec<Arc<str>>,
    /// The order of a merged list.
    pub sorting: Sorting,
}

/// The result of merging lists and maps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MergeBehavior {
    /// Elements of both are merged; those of either are kept.
    #[default]
    Default,
    /// The source replaces the destination.
    Replace,
    /// As the default, without those that only the destination has.
    DiscardOnlyInDestination,
    /// As the default, without those that only the source has.
    DiscardOnlyInSource,
    /// Only those of both, merged.
    And,
    /// Only those that are in one of them.
    Xor,
    /// The source's elements after the destination's.
    Append,
}

/// The order of a merged list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sorting {
    /// In the given order.
    #[default]
    None,
    /// By identifier, or by value.
    Ascending,
    /// By identifier, or by value, descending.
    Descending,
}

/// A condition on the values of a field (`goten.annotations.validation_rules`).
#[derive(Clone, Debug, PartialEq)]
pub enum Rule {
    /// A value is required: not absent, not empty.
    Required,
    /// The value of a number, a duration in seconds, or an instant in seconds since 1970.
    Number(Comparison, f64),
    /// Exactly this text, or the name of this value of an enumeration.
    Text(Arc<str>),
    /// The number of characters.
    Length(Comparison, u64),
    /// The number of bytes in UTF-8.
    Bytes(Comparison, u64),
    /// The beginning of a text.
    Prefix(Arc<str>),
    /// The end of a text.
    Suffix(Arc<str>),
    /// The form of a text.
    Format(Format),
    /// One of these texts.
    OneOf(Vec<Arc<str>>),
    /// None of these texts.
    NoneOf(Vec<Arc<str>>),
    /// Only values that the enumeration defines.
    DefinedOnly,
    /// The number of elements of a list, or of entries of a map.
    Items(Comparison, u64),
    /// No element of a list twice.
    Unique,
    /// A rule for each element of a list, or each value of a map.
    Each(Box<Rule>),
    /// A rule for each key of a map.
    EachKey(Box<Rule>),
    /// An instant: before now.
    BeforeNow,
    /// An instant: after now.
    AfterNow,
    /// An instant: at most this many seconds from now.
    WithinSeconds(f64),
}

/// A comparison with a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

/// The form of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Format {
    /// A regular expression in Go's syntax that the whole text matches.
    Regex(Arc<str>),
    /// An e-mail address.
    Email,
    /// A host name or an IP address.
    Address,
    /// A host name.
    Hostname,
    /// An IP address.
    Ip,
    /// An IPv4 address.
    Ipv4,
    /// An IPv6 address.
    Ipv6,
    /// An absolute URI.
    Uri,
    /// A URI, or a reference relative to one.
    UriReference,
    /// A UUID.
    Uuid,
    /// One PEM block or several.
    Pem,
}

impl Schema {
    /// The field at the end of a path of names in `snake_case`, through lists and maps (of which the path has the key).
    pub fn field(&self, message: &str, path: &[&str]) -> Option<&Field> {
        let (first, rest) = path.split_first()?;
        let field = self.messages.get(message)?.field(first)?;
        let rest = if matches!(field.cardinality, Cardinality::Map(_)) {
            rest.get(1..).unwrap_or(&[])
        } else {
            rest
        };
        match (&field.ty, rest.is_empty()) {
            (_, true) => Some(field),
            (FieldType::Message(name), false) => self.field(name, rest),
            (_, false) => None,
        }
    }
}

impl Message {
    /// A field by its name in `snake_case` or `lowerCamelCase`.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|it| &*it.name == name || it.json_name() == name)
    }
}

impl Field {
    /// A field of one value of a type, with no rules.
    pub fn new(name: impl Into<Arc<str>>, ty: FieldType) -> Self {
        Self {
            name: name.into(),
            number: None,
            cardinality: Cardinality::One,
            ty,
            meaning: None,
            rules: Vec::new(),
            oneof: None,
            merge: Merge::default(),
            class: None,
            immutable: false,
            output_only: false,
            sensitive: false,
            doc: Arc::default(),
        }
    }

    /// Its name in JSON.
    pub fn json_name(&self) -> String {
        lower_camel(&self.name)
    }
}

/// A name in `snake_case` as JSON has it, by proto3's rule: each `_` is dropped and the letter after it is upper case.
pub fn lower_camel(name: &str) -> String {
    let mut upper = false;
    let mut camel = String::with_capacity(name.len());
    for character in name.chars() {
        match (character, upper) {
            ('_', _) => upper = true,
            (_, true) => {
                camel.push(character.to_ascii_uppercase());
                upper = false;
            }
            (_, false) => camel.push(character),
        }
    }
    camel
}
