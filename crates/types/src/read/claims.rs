use std::sync::Arc;

use diag::{Diagnostic, Span, nearest};

use super::reader::Reader;
use crate::{SchemaNode, Trail, Types, codes};

/// A name that has to be defined by the time the whole file is read.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// A kind.
    Kind { name: Arc<str>, span: Span },
    /// A field of a kind, keys with `/`.
    Path { kind: Arc<str>, path: Arc<str>, span: Span },
}

impl Reader {
    /// Looks up every name that the file used.
    pub(super) fn check_claims(&mut self, types: &Types) {
        for claim in std::mem::take(&mut self.claims) {
            let diagnostic = match claim {
                Claim::Kind { name, .. } if self.refused.contains(&name) => None,
                Claim::Kind { name, span } => unknown_kind(types, &name, span),
                Claim::Path { kind, path, span } => unknown_path(types, &kind, &path, span),
            };
            self.diagnostics.extend(diagnostic);
        }
    }
}

fn unknown_kind(types: &Types, name: &str, span: Span) -> Option<Diagnostic> {
    if types.kind(name).is_some() {
        return None;
    }
    let diagnostic = Diagnostic::error(codes::UNKNOWN_KIND, span, format!("unknown kind `{name}`"));
    Some(match nearest(name, types.kinds.iter().map(|it| &*it.kind)) {
        Some(near) => suggest(diagnostic, span, near),
        None => diagnostic.help("define it under `kinds` in this file or an earlier one"),
    })
}

/// A kind that was left out has been reported already.
fn unknown_path(types: &Types, kind: &str, path: &str, span: Span) -> Option<Diagnostic> {
    let definition = types.kind(kind)?;
    let end = path.split('/').fold(Trail::object(types, definition), Trail::step).place();
    if !matches!(end, SchemaNode::Unknown) {
        return None;
    }
    let diagnostic =
        Diagnostic::error(codes::UNKNOWN_FIELD, span, format!("kind `{kind}` has no field `{path}`"));
    Some(match nearest(path, definition.fields.iter().map(|it| &*it.name)) {
        Some(near) => suggest(diagnostic, span, near),
        None => diagnostic.help("fields are named by their keys with `/` between them"),
    })
}

/// Suggests another name, which is written in place of the one that is there if it needs no quotes.
fn suggest(diagnostic: Diagnostic, span: Span, near: &str) -> Diagnostic {
    let diagnostic = diagnostic.help(format!("did you mean `{near}`?"));
    let is_plain = near.chars().all(|it| it.is_alphanumeric() || matches!(it, '-' | '_' | '.' | '/'));
    if is_plain { diagnostic.replace(format!("Change to `{near}`"), span, near) } else { diagnostic }
}
