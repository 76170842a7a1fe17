//! Merged tree to desired resources: dialects, defaults, references, validation.
//!
//! Everything it knows about kinds comes from the type definitions. Never fails; all mistakes are reported at once.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]

use diag::{Diagnostics, Sources, Span};
use merge::Merged;
use model::{Address, Desired, Pointer, Value};
use types::Types;

/// How strict to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Unknown keys are warnings.
    pub lenient: bool,
}

/// What lowering gives.
#[derive(Clone, Debug, Default)]
pub struct Lowered {
    /// What the descriptors ask for.
    pub desired: Desired,
    /// Values that nobody wrote and a rule put in, by their place in the merged document.
    pub inferred: Vec<Inferred>,
    /// Every place that names another thing, for going to its definition.
    pub uses: Vec<Use>,
    /// What was wrong.
    pub diagnostics: Diagnostics,
}

/// A value that nobody wrote.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// Where it would be written in the merged document.
    pub pointer: Pointer,
    /// The value.
    pub value: Value,
    /// Why, as a sentence.
    pub because: String,
}

/// A place that names another thing.
#[derive(Clone, Debug, PartialEq)]
pub struct Use {
    /// The place.
    pub span: Span,
    /// Where that thing is declared.
    pub target: Span,
    /// Its name, where it is a resource or part.
    pub address: Address,
}

/// Lowers a merged tree.
pub fn lower(merged: &Merged, types: &Types, sources: &Sources, options: Options) -> Lowered {
    let _ = (merged, types, sources, options);
    todo!()
}
