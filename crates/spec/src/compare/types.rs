//! Types of fields as texts, as `.proto` files write them.

use fields::schema::{Cardinality, Field, FieldType, Scalar, WellKnown};

/// With its cardinality: `repeated string`, `map<string, Item>`.
pub(super) fn full(field: &Field) -> String {
    let plain = plain(field);
    match field.cardinality {
        Cardinality::One => plain,
        Cardinality::Optional => format!("optional {plain}"),
        Cardinality::Repeated => format!("repeated {plain}"),
        Cardinality::Map(key) => format!("map<{}, {plain}>", scalar(key)),
    }
}

/// Without its cardinality. Types of other packages begin with a dot.
pub(super) fn plain(field: &Field) -> String {
    match &field.ty {
        FieldType::Scalar(it) => scalar(*it).to_owned(),
        FieldType::Message(name) | FieldType::Enum(name) => name.to_string(),
        FieldType::WellKnown(known) => format!(".google.protobuf.{}", well_known(*known)),
        FieldType::Foreign(name) => format!(".{name}"),
    }
}

const fn scalar(scalar: Scalar) -> &'static str {
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

const fn well_known(known: WellKnown) -> &'static str {
    match known {
        WellKnown::Timestamp => "Timestamp",
        WellKnown::Duration => "Duration",
        WellKnown::FieldMask => "FieldMask",
        WellKnown::Struct => "Struct",
        WellKnown::Value => "Value",
        WellKnown::ListValue => "ListValue",
        WellKnown::Empty => "Empty",
        WellKnown::Any => "Any",
        WellKnown::Wrapper(Scalar::Double) => "DoubleValue",
        WellKnown::Wrapper(Scalar::Float) => "FloatValue",
        WellKnown::Wrapper(Scalar::Int32) => "Int32Value",
        WellKnown::Wrapper(Scalar::Int64) => "Int64Value",
        WellKnown::Wrapper(Scalar::Uint32) => "UInt32Value",
        WellKnown::Wrapper(Scalar::Uint64) => "UInt64Value",
        WellKnown::Wrapper(Scalar::Bool) => "BoolValue",
        WellKnown::Wrapper(Scalar::String) => "StringValue",
        WellKnown::Wrapper(Scalar::Bytes) => "BytesValue",
    }
}
