//! Spans as lines and columns, diagnostics as views.

use diag::{Diagnostic, Severity, Sources, Span, TextEdit, order};

use crate::{
    answers::Need,
    view::{DiagnosticView, EditView, FixView, LocationView, NeedView, RelatedView},
    vocabulary,
};

/// A span with its file's name; the start of a nameless file for a span of none.
pub fn location(sources: &Sources, span: Span) -> LocationView {
    let Some(source) = sources.get(span.file) else {
        return LocationView::nowhere();
    };
    let (start, end) = (source.locate(span.start), source.locate(span.end));
    LocationView {
        file: source.name.to_string(),
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
    }
}

/// An edit with its place.
pub fn edit_view(sources: &Sources, edit: &TextEdit) -> EditView {
    EditView { location: location(sources, edit.span), new_text: edit.new_text.clone() }
}

/// A need with its place.
pub(crate) fn need_view(sources: &Sources, need: &Need) -> NeedView {
    let arguments = need.arguments.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
    NeedView {
        kind: need.kind,
        name: need.name.clone(),
        arguments: order::map(arguments),
        required: need.required,
        asked_by: location(sources, need.asked_by),
    }
}

/// The view of a diagnostic.
pub fn diagnostic_view(sources: &Sources, diagnostic: &Diagnostic) -> DiagnosticView {
    let place =
        diagnostic.span.filter(|span| sources.get(span.file).is_some()).map(|span| location(sources, span));
    let related = diagnostic.related.iter();
    let fixes = diagnostic.fixes.iter();
    DiagnosticView {
        code: diagnostic.code.to_string(),
        severity: vocabulary::severity(diagnostic.severity),
        message: diagnostic.message.clone(),
        line: place.as_ref().map(|it| it.line),
        column: place.as_ref().map(|it| it.column),
        end_line: place.as_ref().map(|it| it.end_line),
        end_column: place.as_ref().map(|it| it.end_column),
        file: place.map(|it| it.file),
        related: related
            .map(|it| RelatedView { location: location(sources, it.span), message: it.message.clone() })
            .collect(),
        help: diagnostic.help.clone(),
        fixes: fixes
            .map(|fix| FixView {
                title: fix.title.clone(),
                edits: fix.edits.iter().map(|edit| edit_view(sources, edit)).collect(),
            })
            .collect(),
    }
}

/// All views, by file in merge order, then by place, worst first at one place; those without a place come first.
pub fn diagnostic_views(sources: &Sources, diagnostics: &[Diagnostic]) -> Vec<DiagnosticView> {
    let mut sorted: Vec<&Diagnostic> = diagnostics.iter().collect();
    order::by_key(&mut sorted, |it| (it.span, it.severity, it.code));
    sorted.dedup();
    sorted.into_iter().map(|it| diagnostic_view(sources, it)).collect()
}

/// True if there is an error among them.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|it| it.severity == Severity::Error)
}
