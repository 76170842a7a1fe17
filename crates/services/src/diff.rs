//! The changes between two versions of a service, as plain data.

use std::slice;

use diag::{Diagnostic, Sources};
use spec::{Change, Side};
use workspace::{
    capability::{Model, diagnostic_views, location},
    view::{ServiceChangeView, ServiceDiffView, Severity, SpecificationDiagnostic},
};

use crate::{questions, reading::Reading, vocabulary::change as vocabulary};

/// The first service of both models. Nothing is compared if a specification has errors: the meaning of the rest is not certain.
pub(crate) fn view(old: &Model, new: &Model) -> ServiceDiffView {
    let none = Reading::default();
    let before = old.reading::<Reading>().unwrap_or(&none);
    let after = new.reading::<Reading>().unwrap_or(&none);
    let (from, to) = (side(before), side(after));
    let mut diagnostics = errors(old, before);
    let further = errors(new, after).into_iter().filter(|it| !diagnostics.contains(it));
    diagnostics.extend(further.collect::<Vec<_>>());
    let changes = if diagnostics.is_empty() { spec::compare(from, to) } else { Vec::new() };
    if diagnostics.is_empty() {
        let found = spec::check_succession(from, to);
        diagnostics.extend(found.iter().filter_map(|it| diagnostic(old, before, it)));
    }
    let version = |reading: &Reading| reading.services.services.first().map(|it| it.version.to_string());
    ServiceDiffView {
        format: "planloom.spec-diff/1".into(),
        service: before.services.services.first().map(|it| it.name.to_string()).unwrap_or_default(),
        old: version(before).unwrap_or_default(),
        new: version(after).unwrap_or_default(),
        changes: changes.iter().map(|it| change(it, &old.sources, &new.sources)).collect(),
        diagnostics,
    }
}

fn side(reading: &Reading) -> Side<'_> {
    Side { services: &reading.services, service: 0, schema: reading.schemas.first() }
}

fn errors(model: &Model, reading: &Reading) -> Vec<SpecificationDiagnostic> {
    let all = questions::diagnostics(model, reading).into_iter();
    all.filter(|it| it.diagnostic.severity == Severity::Error).collect()
}

fn diagnostic(model: &Model, reading: &Reading, it: &Diagnostic) -> Option<SpecificationDiagnostic> {
    let path = it.span.and_then(|span| questions::path_of(reading, span));
    let diagnostic = diagnostic_views(&model.sources, slice::from_ref(it)).pop()?;
    Some(SpecificationDiagnostic { diagnostic, path })
}

fn change(change: &Change, old: &Sources, new: &Sources) -> ServiceChangeView {
    ServiceChangeView {
        class: vocabulary::class(change.class),
        change: vocabulary::kind(change.kind),
        item: change.item.clone(),
        old: change.old.clone(),
        new: change.new.clone(),
        reason: change.reason().to_owned(),
        help: change.help().to_owned(),
        old_location: change.old_span.map(|it| location(old, it)),
        new_location: change.new_span.map(|it| location(new, it)),
    }
}
