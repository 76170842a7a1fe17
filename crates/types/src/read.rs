use diag::Diagnostics;
use syntax::Document;

use crate::Types;

/// `types` with the definitions of a file added; a kind that is there already is overridden field by field.
pub fn read(types: &Types, document: &Document) -> (Types, Diagnostics) {
    let _ = (types, document);
    todo!()
}
