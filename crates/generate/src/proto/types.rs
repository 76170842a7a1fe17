//! Names of types.

use fields::schema::{FieldType, Scalar, WellKnown};

use super::{file::File, layout::Layout};
use crate::{Definition, text::snake};

/// The name of a type where a message refers to it, with the import that it needs.
pub(super) fn name(
    file: &mut File,
    scope: &str,
    ty: &FieldType,
    it: Definition<'_>,
    layout: &Layout,
) -> String {
    match ty {
        FieldType::Scalar(scalar) => of_scalar(*scalar).to_owned(),
        FieldType::WellKnown(known) => {
            let (name, import) = of_well_known(*known);
            file.import(&format!("google/protobuf/{import}.proto"));
            format!("google.protobuf.{name}")
        }
        FieldType::Message(name) | FieldType::Enum(name) | FieldType::Foreign(name) => {
            message(file, scope, name, it, layout)
        }
    }
}

/// The name of a message or an enumeration.
pub(super) fn message(
    file: &mut File,
    scope: &str,
    name: &str,
    it: Definition<'_>,
    layout: &Layout,
) -> String {
    if let Some(common) = name.strip_prefix("goten.types.") {
        let import = match common {
            "View" => "view",
            "WatchType" => "watch_type",
            _ => "meta",
        };
        file.import(&format!("goten/types/{import}.proto"));
        return name.to_owned();
    }
    if it.schema.messages.contains_key(name) || it.schema.enums.contains_key(name) {
        file.import(layout.place(name));
        return relative(scope, name, it);
    }
    if name == "google.protobuf.Empty" {
        file.import("google/protobuf/empty.proto");
    }
    let owner = it.services.services.iter().find_map(|other| {
        let kind = name.strip_prefix(&*other.package)?.strip_prefix('.')?;
        Some(format!("{}/{}/{}.proto", other.proto_folder, other.version, snake(kind)))
    });
    owner.iter().for_each(|it| file.import(it));
    name.to_owned()
}

/// The name without package, unless a message around the reference has another one of its first name.
fn relative(scope: &str, name: &str, it: Definition<'_>) -> String {
    let first = name.split('.').next().unwrap_or(name);
    let around = scope.match_indices('.').map(|(at, _)| at).chain([scope.len()]);
    let hidden = around.filter_map(|at| scope.get(..at)).any(|outer| {
        let nested = format!("{outer}.{first}");
        it.schema.messages.contains_key(&*nested) || it.schema.enums.contains_key(&*nested)
    });
    if hidden { format!(".{}.{name}", it.service.package) } else { name.to_owned() }
}

pub(super) const fn of_scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double => "double",
        Scalar::Float => "float",
        Scalar::Int32 => "int32",
        Scalar::Int64 => "int64",
        Scalar::Uint32 => "uint32",
        Scalar::Uint64 => "uint64",
        Scalar::Bool => "bool",
        Scalar::String => "string",
        Scalar::Bytes => "bytes",
    }
}

/// The message and the file that declares it.
const fn of_well_known(known: WellKnown) -> (&'static str, &'static str) {
    match known {
        WellKnown::Timestamp => ("Timestamp", "timestamp"),
        WellKnown::Duration => ("Duration", "duration"),
        WellKnown::FieldMask => ("FieldMask", "field_mask"),
        WellKnown::Struct => ("Struct", "struct"),
        WellKnown::Value => ("Value", "struct"),
        WellKnown::ListValue => ("ListValue", "struct"),
        WellKnown::Empty => ("Empty", "empty"),
        WellKnown::Any => ("Any", "any"),
        WellKnown::Wrapper(scalar) => (wrapper(scalar), "wrappers"),
    }
}

const fn wrapper(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Double => "DoubleValue",
        Scalar::Float => "FloatValue",
        Scalar::Int32 => "Int32Value",
        Scalar::Int64 => "Int64Value",
        Scalar::Uint32 => "UInt32Value",
        Scalar::Uint64 => "UInt64Value",
        Scalar::Bool => "BoolValue",
        Scalar::String => "StringValue",
        Scalar::Bytes => "BytesValue",
    }
}
