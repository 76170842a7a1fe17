//! Deletions that can get stuck, by kinds alone.

use diag::{Code, Diagnostic, Diagnostics, Span};
use fields::schema::Schema;
use integrity::StuckDeletion;
use spec::Services;

const STUCK: Code = Code("integrity/stuck-deletion");

/// All of them, each at the kind whose deletion is blocked. They are warnings: whether it happens depends on the resources,
/// and many real services accept it (notes/goten.md, D.4).
pub(crate) fn check(services: &Services, schemas: &[Schema]) -> Diagnostics {
    let rules = api::rules_of_all(services, schemas);
    let found = integrity::stuck_deletions(&rules.model);
    found.iter().filter_map(|it| diagnostic(it, services)).collect()
}

fn diagnostic(stuck: &StuckDeletion, services: &Services) -> Option<Diagnostic> {
    let span = span_of(&stuck.stuck, services)?;
    let diagnostic = Diagnostic::warning(STUCK, span, stuck.message.clone()).help(stuck.help.clone());
    let related = [(&stuck.root, "what is deleted first"), (&stuck.blocker, "what blocks it")];
    let spans = related.into_iter().filter_map(|(kind, what)| Some((span_of(kind, services)?, what)));
    Some(spans.fold(diagnostic, |it, (span, what)| it.related(span, what)))
}

/// Where a kind `service/Kind` is declared; of several versions, in the one that counts, which is the last.
fn span_of(name: &str, services: &Services) -> Option<Span> {
    services.kinds().filter(|(id, _)| services.type_name(*id) == name).last().map(|(_, kind)| kind.span)
}
