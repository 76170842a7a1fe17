//! The references and names of a message, through nested messages, lists and maps.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use fields::schema::{Cardinality, DeleteBehavior, Field, FieldType, Meaning};
use serde::Serialize;

use crate::package::{Package, Protos};

/// The depth to which messages are followed.
const DEPTH: usize = 32;
/// The maximum number of fields that are visited.
const FIELDS: usize = 100_000;

/// A reference.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// The path of its field: `spec.image_pull_secrets[].name`; `[]` is for a list, `{}` for a map.
    pub path: Arc<str>,
    /// The kind that it refers to: `Pod` of the same service, or `devices.edgelq.com/Device`.
    pub resource: Arc<str>,
    /// The effect of the deletion of its target.
    #[serde(serialize_with = "crate::resource::behavior")]
    pub target_delete_behavior: DeleteBehavior,
    /// The field is itself a list or a map of references.
    pub repeated: bool,
}

/// A name, a filter or another text that is about a kind, and that nothing checks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedField {
    /// The path of its field.
    pub path: Arc<str>,
    /// `name`, `parent_name`, `filter`, `order_by`, `pager_cursor` or `field_mask`.
    pub kind: &'static str,
    /// The kind of resource.
    pub resource: Arc<str>,
    /// The field is itself a list or a map.
    pub repeated: bool,
}

/// A field whose message is in none of the files, so that nothing is known about what is below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// The path of the field.
    pub path: Arc<str>,
    /// The full name of its type.
    pub message: Arc<str>,
}

/// The fields of a message that are about resources, in the order in which they are declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TypedFields {
    /// The references.
    pub references: Vec<Reference>,
    /// The others, without the resource's own `name`.
    pub names: Vec<NamedField>,
    /// The fields whose messages could not be followed.
    pub unread: Vec<Unread>,
    /// Messages are nested too deeply, or are too many, for all to be listed.
    pub is_cut: bool,
}

impl Protos {
    /// The fields of a message that are about resources. A message that contains itself is followed once. Kinds of
    /// another package's service have its domain, if that is known.
    pub fn typed_fields(&self, package: &str, message: &str) -> TypedFields {
        let Some((name, package)) = self.packages.get_key_value(package) else {
            return TypedFields::default();
        };
        let mut walk = Walk {
            protos: self,
            home: name,
            typed: TypedFields::default(),
            inside: Vec::new(),
            left: FIELDS,
            worth: self.worth_following(),
        };
        walk.message(name, package, message, "");
        walk.typed
    }

    /// The references of a message, see [`Protos::typed_fields`].
    pub fn references(&self, package: &str, message: &str) -> Vec<Reference> {
        self.typed_fields(package, message).references
    }
}

/// A package and a message of it.
type Key<'p> = (&'p str, &'p str);

impl Protos {
    /// The messages that have, at any depth, a field that is about resources or could not be followed.
    fn worth_following(&self) -> BTreeSet<Key<'_>> {
        let mut users: BTreeMap<Key<'_>, Vec<Key<'_>>> = BTreeMap::new();
        let mut next = Vec::new();
        for (package, content) in &self.packages {
            for (message, definition) in &content.schema.messages {
                let user = (&**package, &**message);
                for field in &definition.fields {
                    match self.target(package, content, field) {
                        Target::Listed => next.push(user),
                        Target::Message(name, _, message) => {
                            users.entry((name, message)).or_default().push(user);
                        }
                        Target::Other => {}
                    }
                }
            }
        }
        let mut worth = BTreeSet::new();
        while let Some(key) = next.pop() {
            if worth.insert(key) {
                next.extend(users.get(&key).into_iter().flatten());
            }
        }
        worth
    }

    /// The step that the walk takes for a field.
    fn target<'p>(&'p self, name: &'p str, package: &'p Package, field: &'p Field) -> Target<'p> {
        match &field.ty {
            _ if field.meaning.is_some() => Target::Listed,
            FieldType::Message(message) => Target::Message(name, package, message),
            FieldType::Foreign(full) => self
                .find(full)
                .map_or(Target::Listed, |(name, package, it)| Target::Message(name, package, it)),
            FieldType::Scalar(_) | FieldType::Enum(_) | FieldType::WellKnown(_) => Target::Other,
        }
    }
}

enum Target<'p> {
    /// It is listed itself.
    Listed,
    /// A message to follow.
    Message(&'p str, &'p Package, &'p str),
    Other,
}

struct Walk<'p> {
    protos: &'p Protos,
    /// The package of the first message.
    home: &'p str,
    typed: TypedFields,
    /// The messages that are being followed: packages and names.
    inside: Vec<Key<'p>>,
    left: usize,
    /// The messages with fields, at any depth, that are listed; so what is empty costs nothing.
    worth: BTreeSet<Key<'p>>,
}

impl<'p> Walk<'p> {
    fn message(&mut self, name: &'p str, package: &'p Package, message: &str, path: &str) {
        let Some((message, definition)) = package.schema.messages.get_key_value(message) else { return };
        let key = (name, &**message);
        if self.inside.contains(&key) || !self.worth.contains(&key) {
            return;
        }
        if self.inside.len() >= DEPTH {
            self.typed.is_cut = true;
            return;
        }
        self.inside.push(key);
        for field in &definition.fields {
            let Some(left) = self.left.checked_sub(1) else {
                self.typed.is_cut = true;
                break;
            };
            self.left = left;
            self.field(name, package, field, path);
        }
        self.inside.pop();
    }

    fn field(&mut self, name: &'p str, package: &'p Package, field: &'p Field, path: &str) {
        let own = format!("{path}{}", field.name);
        if let Some(meaning) = &field.meaning {
            return self.meaning(name, package, field, meaning, own);
        }
        let below = match field.cardinality {
            Cardinality::One | Cardinality::Optional => format!("{own}."),
            Cardinality::Repeated => format!("{own}[]."),
            Cardinality::Map(_) => format!("{own}{{}}."),
        };
        match (self.protos.target(name, package, field), &field.ty) {
            (Target::Message(name, package, message), _) => self.message(name, package, message, &below),
            (Target::Listed, FieldType::Foreign(full)) => {
                self.typed.unread.push(Unread { path: own.into(), message: full.clone() });
            }
            (Target::Listed | Target::Other, _) => {}
        }
    }

    fn meaning(&mut self, name: &str, package: &Package, field: &Field, meaning: &Meaning, path: String) {
        let repeated = matches!(field.cardinality, Cardinality::Repeated | Cardinality::Map(_));
        let (kind, resource) = match meaning {
            Meaning::Reference { resource, on_target_deleted } => {
                self.typed.references.push(Reference {
                    path: path.into(),
                    resource: self.kind(resource, name, package),
                    target_delete_behavior: *on_target_deleted,
                    repeated,
                });
                return;
            }
            Meaning::Name { resource } if path == "name" && !resource.contains('/') => {
                let is_own = self.inside.first().is_some_and(|it| it.1 == &**resource);
                if is_own {
                    return;
                }
                ("name", resource)
            }
            Meaning::Name { resource } => ("name", resource),
            Meaning::ParentName { resource } => ("parent_name", resource),
            Meaning::Filter { resource } => ("filter", resource),
            Meaning::OrderBy { resource } => ("order_by", resource),
            Meaning::Cursor { resource } => ("pager_cursor", resource),
            Meaning::FieldMask { resource } => ("field_mask", resource),
        };
        let resource = self.kind(resource, name, package);
        self.typed.names.push(NamedField { path: path.into(), kind, resource, repeated });
    }

    /// A kind as the first message's package names it.
    fn kind(&self, resource: &Arc<str>, name: &str, package: &Package) -> Arc<str> {
        match package.domain() {
            Some(domain) if name != self.home && !resource.contains('/') => {
                format!("{domain}/{resource}").into()
            }
            _ => resource.clone(),
        }
    }
}
