use diag::{Diagnostic, Span};
use syntax::Node;

use super::{
    Reader,
    draft::{DraftDeprecations, Reference},
    fields::Fields,
};
use crate::{Deprecation, codes};

impl Reader {
    /// A document `olm.deprecations`.
    pub(super) fn deprecations(&mut self, fields: &Fields<'_>) {
        let origin = fields.span_of("package");
        let Some(package) = fields.text("package", &mut self.findings) else {
            let message =
                format!("package name must be set for deprecation item {}", self.draft.deprecations.len());
            self.findings.push(Diagnostic::error(codes::MISSING_FIELD, fields.head(), message));
            return;
        };
        let package = self.names.share(package);
        let nodes = fields.list("entries", &mut self.findings);
        let references =
            nodes.iter().enumerate().filter_map(|(idx, node)| self.reference(node, idx)).collect();
        self.draft.deprecations.push(DraftDeprecations { package, origin, references });
    }

    fn reference(&mut self, node: &Node, idx: usize) -> Option<Reference> {
        let fields = Fields::of(node, "deprecation entry", &mut self.findings)?;
        let reference = fields.get("reference");
        let reference = match reference {
            Some(reference) => Fields::of(reference, "reference", &mut self.findings)?,
            None => return self.no_schema(idx, fields.head()),
        };
        let Some(schema) = reference.text("schema", &mut self.findings).cloned() else {
            return self.no_schema(idx, reference.head());
        };
        let name = reference.text("name", &mut self.findings).cloned().unwrap_or_default();
        let message = fields.text("message", &mut self.findings).cloned().unwrap_or_default();
        if message.is_empty() {
            let text = format!("deprecation entry [{idx}] must have a message");
            self.findings.push(Diagnostic::error(codes::INVALID_DEPRECATION, fields.head(), text));
        }
        let deprecation = Deprecation { message, origin: fields.span_of("message") };
        Some(Reference { schema, name, idx, deprecation, origin: reference.span })
    }

    fn no_schema(&mut self, idx: usize, at: Span) -> Option<Reference> {
        let message = format!("schema must be set for deprecation entry [{idx}]");
        self.findings.push(Diagnostic::error(codes::INVALID_DEPRECATION, at, message));
        None
    }
}
