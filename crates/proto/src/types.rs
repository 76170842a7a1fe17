//! The types of all files, and the meaning of the name of a type where it is used.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use fields::schema::{FieldType, Scalar, WellKnown};
use prost_types::{DescriptorProto, EnumDescriptorProto, FileDescriptorProto, field_descriptor_proto::Type};

/// Names and numbers of an enumeration's values.
pub(crate) type Values = Arc<[(Arc<str>, i32)]>;

/// The types of all files, by their full names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    messages: BTreeSet<String>,
    enums: BTreeMap<String, Values>,
}

impl Types {
    /// Adds the types of a file.
    pub(crate) fn add(&mut self, file: &FileDescriptorProto) {
        let package = file.package();
        file.enum_type.iter().for_each(|it| self.add_enum(package, it));
        file.message_type.iter().for_each(|it| self.add_message(package, it));
    }

    fn add_message(&mut self, scope: &str, message: &DescriptorProto) {
        let name = join(scope, message.name());
        message.enum_type.iter().for_each(|it| self.add_enum(&name, it));
        message.nested_type.iter().for_each(|it| self.add_message(&name, it));
        self.messages.insert(name);
    }

    fn add_enum(&mut self, scope: &str, definition: &EnumDescriptorProto) {
        self.enums.entry(join(scope, definition.name())).or_insert_with(|| values(definition));
    }

    /// The type that a name means in a message of a package; `scope` is the message's full name. The innermost scope in
    /// which the name is declared counts. A name that no file declares belongs to the package itself, unless it begins
    /// like that of a package.
    pub(crate) fn resolve(&self, name: &str, scope: &str, package: &str) -> FieldType {
        let full = self.full_name(name, scope).unwrap_or_else(|| undeclared(name, package));
        let own = full.strip_prefix(package).and_then(|it| match package {
            "" => Some(it),
            _ => it.strip_prefix('.'),
        });
        match own {
            Some(short) if self.messages.contains(&full) => FieldType::Message(short.into()),
            Some(short) if self.enums.contains_key(&full) => FieldType::Enum(short.into()),
            _ => well_known(&full).map_or_else(|| FieldType::Foreign(full.into()), FieldType::WellKnown),
        }
    }

    /// The full name of the message that a name means in a package.
    pub(crate) fn message_name(&self, name: &str, package: &str) -> String {
        self.full_name(name, package).unwrap_or_else(|| undeclared(name, package))
    }

    /// The full name of what a name means in a scope, if it is declared.
    fn full_name(&self, name: &str, scope: &str) -> Option<String> {
        let is_declared = |it: &String| self.messages.contains(it) || self.enums.contains_key(it);
        if let Some(full) = name.strip_prefix('.') {
            return Some(full.to_owned());
        }
        let mut scope = scope;
        loop {
            let full = join(scope, name);
            if is_declared(&full) {
                return Some(full);
            }
            if scope.is_empty() {
                return None;
            }
            scope = scope.rsplit_once('.').map_or("", |it| it.0);
        }
    }

    /// The values of an enumeration of a package.
    pub(crate) fn values(&self, ty: &FieldType, package: &str) -> Values {
        let full = match ty {
            FieldType::Enum(name) => join(package, name),
            FieldType::Foreign(name) => name.to_string(),
            FieldType::Scalar(_) | FieldType::Message(_) | FieldType::WellKnown(_) => return [].into(),
        };
        self.enums.get(&full).cloned().unwrap_or_else(|| [].into())
    }
}

/// A name in a scope.
pub(crate) fn join(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

/// Names and numbers of a definition's values.
pub(crate) fn values(definition: &EnumDescriptorProto) -> Values {
    definition.value.iter().map(|it| (it.name().into(), it.number())).collect()
}

/// The full name of a type that no file declares.
fn undeclared(name: &str, package: &str) -> String {
    let is_package = name.contains('.') && name.starts_with(|it: char| it.is_ascii_lowercase());
    if is_package { name.to_owned() } else { join(package, name) }
}

fn well_known(full: &str) -> Option<WellKnown> {
    Some(match full.strip_prefix("google.protobuf.")? {
        "Timestamp" => WellKnown::Timestamp,
        "Duration" => WellKnown::Duration,
        "FieldMask" => WellKnown::FieldMask,
        "Struct" => WellKnown::Struct,
        "Value" => WellKnown::Value,
        "ListValue" => WellKnown::ListValue,
        "Empty" => WellKnown::Empty,
        "Any" => WellKnown::Any,
        "DoubleValue" => WellKnown::Wrapper(Scalar::Double),
        "FloatValue" => WellKnown::Wrapper(Scalar::Float),
        "Int64Value" => WellKnown::Wrapper(Scalar::Int64),
        "UInt64Value" => WellKnown::Wrapper(Scalar::Uint64),
        "Int32Value" => WellKnown::Wrapper(Scalar::Int32),
        "UInt32Value" => WellKnown::Wrapper(Scalar::Uint32),
        "BoolValue" => WellKnown::Wrapper(Scalar::Bool),
        "StringValue" => WellKnown::Wrapper(Scalar::String),
        "BytesValue" => WellKnown::Wrapper(Scalar::Bytes),
        _ => return None,
    })
}

/// The scalar that a type of a descriptor is.
pub(crate) const fn scalar(ty: Type) -> Option<Scalar> {
    Some(match ty {
        Type::Double => Scalar::Double,
        Type::Float => Scalar::Float,
        Type::Int32 | Type::Sint32 | Type::Sfixed32 => Scalar::Int32,
        Type::Int64 | Type::Sint64 | Type::Sfixed64 => Scalar::Int64,
        Type::Uint32 | Type::Fixed32 => Scalar::Uint32,
        Type::Uint64 | Type::Fixed64 => Scalar::Uint64,
        Type::Bool => Scalar::Bool,
        Type::String => Scalar::String,
        Type::Bytes => Scalar::Bytes,
        Type::Group | Type::Message | Type::Enum => return None,
    })
}
