use fields::schema::{Cardinality, Field, FieldClass, FieldType, Meaning, Message, Schema};
use store::Kind;

use crate::{FieldPath, KindModel, Reference};

impl KindModel {
    /// Adds the references, the classes of fields and the sensitive fields that a message of a schema declares, also in
    /// messages within it. If a message contains itself, only the outermost is considered: a path has a fixed depth.
    /// If there is a secret in that one, everything in the inner one is sensitive.
    #[must_use]
    pub fn fields_of(mut self, schema: &Schema, message: &str) -> Self {
        let mut walk = Walk { schema, kind: &self.kind, open: Vec::new(), found: Found::default() };
        walk.message(message, "");
        let found = walk.found;
        self.references.extend(found.references);
        self.classes.extend(found.classes);
        let is_secret = |outer: &str| found.sensitive.iter().any(|it| it.text().starts_with(outer));
        let inner = found.recursive.iter().filter(|(outer, _)| is_secret(outer));
        self.sensitive.extend(inner.filter_map(|(_, inner)| inner.parse().ok()));
        self.sensitive.extend(found.sensitive);
        self
    }
}

struct Walk<'a> {
    schema: &'a Schema,
    kind: &'a Kind,
    /// The messages around the current field, and where they are.
    open: Vec<(&'a str, String)>,
    found: Found,
}

/// The declarations of fields.
#[derive(Default)]
struct Found {
    references: Vec<Reference>,
    classes: Vec<(FieldPath, FieldClass)>,
    sensitive: Vec<FieldPath>,
    /// The places of messages that contain themselves, each with that of the inner one.
    recursive: Vec<(String, String)>,
}

impl<'a> Walk<'a> {
    fn message(&mut self, name: &str, place: &str) {
        let Some((name, message)) = self.schema.messages.get_key_value(name) else { return };
        if let Some((_, outer)) = self.open.iter().find(|(it, _)| *it == &**name) {
            self.found.recursive.push((outer.clone(), place.to_owned()));
            return;
        }
        self.open.push((name, place.to_owned()));
        self.fields(message, place);
        self.open.pop();
    }

    fn fields(&mut self, message: &'a Message, place: &str) {
        for field in &message.fields {
            let dot = if place.is_empty() { "" } else { "." };
            let several = match field.cardinality {
                Cardinality::One | Cardinality::Optional => "",
                Cardinality::Repeated => "[]",
                Cardinality::Map(_) => "{}",
            };
            self.field(field, &format!("{place}{dot}{}{several}", field.name));
        }
    }

    fn field(&mut self, field: &'a Field, place: &str) {
        let path = || place.parse::<FieldPath>().ok();
        self.found.classes.extend(field.class.and_then(|class| Some((path()?, class))));
        self.found.sensitive.extend(field.sensitive.then(path).flatten());
        if let (Some(Meaning::Reference { resource, on_target_deleted }), Some(path)) =
            (&field.meaning, field.meaning.as_ref().and_then(|_| path()))
        {
            let target = self.target(resource);
            self.found.references.push(Reference { path, target, on_target_deleted: *on_target_deleted });
        }
        if let FieldType::Message(name) = &field.ty {
            self.message(name, place);
        }
    }

    /// A kind by its name, which is of the same service if it names none.
    fn target(&self, resource: &str) -> Kind {
        match resource.split_once('/') {
            Some((service, name)) => Kind::new(service, name),
            None => Kind::new(self.kind.namespace.clone(), resource),
        }
    }
}
