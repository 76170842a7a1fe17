//! The codes of diagnostics.

use diag::Code;

pub(crate) const AMBIGUOUS_PATTERN: Code = Code("spec/ambiguous-pattern");
pub(crate) const AMBIGUOUS_ROUTE: Code = Code("spec/ambiguous-route");
pub(crate) const BODY: Code = Code("spec/body");
pub(crate) const DUPLICATE: Code = Code("spec/duplicate");
pub(crate) const EMPTY: Code = Code("spec/empty");
pub(crate) const ID_PATTERN: Code = Code("spec/id-pattern");
pub(crate) const IMPORT_CYCLE: Code = Code("spec/import-cycle");
pub(crate) const IMPORT_MISSING: Code = Code("spec/import-missing");
pub(crate) const IMPORT_SELF: Code = Code("spec/import-self");
pub(crate) const LIMIT: Code = Code("spec/limit");
pub(crate) const MISSING_KEY: Code = Code("spec/missing-key");
pub(crate) const NAME_FORM: Code = Code("spec/name-form");
pub(crate) const NOT_IMPORTED: Code = Code("spec/not-imported");
pub(crate) const NO_EFFECT: Code = Code("spec/no-effect");
pub(crate) const PARENT_CYCLE: Code = Code("spec/parent-cycle");
pub(crate) const PATHS: Code = Code("spec/paths");
pub(crate) const PATTERN: Code = Code("spec/pattern");
pub(crate) const SCOPE: Code = Code("spec/scope-attribute");
pub(crate) const SLASH_IN_ID: Code = Code("spec/slash-in-id");
pub(crate) const TENANCY: Code = Code("spec/tenancy");
pub(crate) const TYPE: Code = Code("spec/type");
pub(crate) const UNKNOWN_KEY: Code = Code("spec/unknown-key");
pub(crate) const UNKNOWN_KIND: Code = Code("spec/unknown-kind");
pub(crate) const UNKNOWN_VALUE: Code = Code("spec/unknown-value");
pub(crate) const UNUSED_IMPORT: Code = Code("spec/unused-import");
pub(crate) const VERB: Code = Code("spec/verb");
