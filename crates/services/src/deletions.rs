//! The problems of deletions that follow from kinds alone: invalid behaviours, and deletions that can get stuck.

use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics, Severity, Span};
use fields::schema::Schema;
use integrity::{Problem, StuckDeletion};
use spec::Services;

/// The invalid behaviours, and each deletion that can get stuck, at the kind that is blocked. The latter are warnings: it
/// depends on the resources whether it happens, and many real services accept it (source: Goten's tools).
pub(crate) fn check(services: &Services, schemas: &[Schema]) -> Diagnostics {
    let (rules, problems) = api::checked_rules_of_all(services, schemas);
    let found = integrity::stuck_deletions(&rules.model);
    let spans = spans(services);
    let problems = problems.iter().filter_map(|it| problem(it, &spans));
    problems.chain(found.iter().filter_map(|it| diagnostic(it, &spans))).collect()
}

fn problem(problem: &Problem, spans: &Spans) -> Option<Diagnostic> {
    let span = *spans.get(&problem.kind)?;
    let severity = match problem.severity {
        integrity::Severity::Error => Severity::Error,
        integrity::Severity::Warning => Severity::Warning,
    };
    let diagnostic =
        Diagnostic::error(problem.code, span, problem.message.clone()).help(problem.help.clone());
    Some(Diagnostic { severity, ..diagnostic })
}

fn diagnostic(stuck: &StuckDeletion, places: &Spans) -> Option<Diagnostic> {
    let span = *places.get(&stuck.stuck)?;
    let diagnostic = Diagnostic::warning(integrity::codes::STUCK_DELETION, span, stuck.message.clone())
        .help(stuck.help.clone());
    let related = [(&stuck.root, "what is deleted first"), (&stuck.blocker, "what blocks it")];
    let spans = related.into_iter().filter_map(|(kind, what)| Some((*places.get(kind)?, what)));
    Some(spans.fold(diagnostic, |it, (span, what)| it.related(span, what)))
}

/// The place of the declaration of each kind `service/Kind`; of several versions, in the one that counts, which is the last.
type Spans = BTreeMap<String, Span>;

fn spans(services: &Services) -> Spans {
    services.kinds().map(|(id, kind)| (services.type_name(id), kind.span)).collect()
}
