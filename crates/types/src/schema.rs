use crate::Types;

/// The definitions as a JSON Schema (draft 2020-12) of a descriptor, as JSON text with two spaces of indentation.
pub fn json_schema(types: &Types) -> String {
    let _ = types;
    todo!()
}
