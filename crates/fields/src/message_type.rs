use crate::schema::{Cardinality, Field, FieldType, Message, Schema};

/// A message of a schema.
#[derive(Clone, Copy, Debug)]
pub struct MessageType<'a> {
    schema: &'a Schema,
    name: &'a str,
    message: &'a Message,
}

impl<'a> MessageType<'a> {
    /// The message of that name; `None` if the schema has none.
    pub fn new(schema: &'a Schema, name: &str) -> Option<Self> {
        let (name, message) = schema.messages.get_key_value(name)?;
        Some(Self { schema, name, message })
    }

    /// Its name.
    pub const fn name(self) -> &'a str {
        self.name
    }

    /// The schema that it is of.
    pub const fn schema(self) -> &'a Schema {
        self.schema
    }

    /// Its fields.
    pub const fn message(self) -> &'a Message {
        self.message
    }

    /// A field by its name in `snake_case` or `lowerCamelCase`.
    pub fn field(self, name: &str) -> Option<&'a Field> {
        let exact = self.message.fields.iter().find(|it| &*it.name == name);
        exact.or_else(|| self.message.field(name))
    }

    /// The message that one value of a field is, if the schema has it.
    pub fn of_field(self, field: &'a Field) -> Option<Self> {
        match &field.ty {
            FieldType::Message(name) => Self::new(self.schema, name),
            FieldType::Scalar(_) | FieldType::Enum(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => {
                None
            }
        }
    }
}

/// True if a field is a map.
pub(crate) const fn is_map(field: &Field) -> bool {
    matches!(field.cardinality, Cardinality::Map(_))
}
