use fields::schema::{Cardinality, Field, FieldClass, FieldType, Meaning, Message, Schema};
use store::Kind;

use crate::{FieldPath, KindModel, Reference};

impl KindModel {
    /// With the references and the classes of fields that a message of a schema declares, also in messages within it. Where
    /// a message contains itself, only the outermost is considered: a path cannot say how often.
    #[must_use]
    pub fn fields_of(mut self, schema: &Schema, message: &str) -> Self {
        let mut walk =
            Walk { schema, kind: &self.kind, open: Vec::new(), references: Vec::new(), classes: Vec::new() };
        walk.message(message, "");
        let (references, classes) = (walk.references, walk.classes);
        self.references.extend(references);
        self.classes.extend(classes);
        self
    }
}

struct Walk<'a> {
    schema: &'a Schema,
    kind: &'a Kind,
    /// The messages around the current field.
    open: Vec<&'a str>,
    references: Vec<Reference>,
    classes: Vec<(FieldPath, FieldClass)>,
}

impl<'a> Walk<'a> {
    fn message(&mut self, name: &str, place: &str) {
        let Some((name, message)) = self.schema.messages.get_key_value(name) else { return };
        if self.open.contains(&&**name) {
            return;
        }
        self.open.push(name);
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
        self.classes.extend(field.class.and_then(|class| Some((path()?, class))));
        if let (Some(Meaning::Reference { resource, on_target_deleted }), Some(path)) =
            (&field.meaning, field.meaning.as_ref().and_then(|_| path()))
        {
            let target = self.target(resource);
            self.references.push(Reference { path, target, on_target_deleted: *on_target_deleted });
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
