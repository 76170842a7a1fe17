use std::{collections::BTreeMap, ops::Range};

use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Origin, Renderer, Snippet, renderer::DecorStyle,
};
use report::{Text, location};
use workspace::File;
use workspace::view::words::count;
use workspace::view::{DiagnosticView, LocationView, Severity};

use super::patch::{Occurrences, suggestion};
use super::width::{clean, wrap};
use crate::{conceal::concealed, console::Paint};

/// The number of diagnostics that are shown before the rest is only counted.
const SHOWN: usize = 100;
/// Places further apart get an excerpt each.
const FAR: usize = 20_000;

/// Diagnostics with the lines they are about, without secrets, and their number.
pub(crate) fn show(diagnostics: &[DiagnosticView], texts: &[File], paint: Paint, width: usize) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let (diagnostics, texts) = concealed(diagnostics, texts);
    let texts: BTreeMap<&str, Text<'_>> =
        texts.iter().map(|file| (file.name.as_str(), Text::new(file))).collect();
    let renderer = if paint.on { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Unicode).term_width(width);
    let mut met = Occurrences::default();
    let diagnostics = hints_last(&diagnostics);
    let mut shown = |it| {
        let parts = report(it, &texts, width, met.is_new(it));
        let parts: Vec<String> = parts.iter().map(|part| renderer.render(part)).collect();
        // The renderer shows escape characters of texts as pictures of them.
        paint.painted(&(parts.join("\n") + "\n\n"))
    };
    let mut out: String = diagnostics.iter().copied().take(SHOWN).map(&mut shown).collect();
    if diagnostics.len() > SHOWN {
        out.push_str(&format!("… and {} more: `--format json` has all\n\n", diagnostics.len() - SHOWN));
    }
    out
}

/// The diagnostics in their order, except that the hints of each file follow its errors and warnings.
fn hints_last(diagnostics: &[DiagnosticView]) -> Vec<&DiagnosticView> {
    let mut sorted: Vec<&DiagnosticView> = diagnostics.iter().collect();
    for same_file in sorted.chunk_by_mut(|a, b| a.file == b.file) {
        same_file.sort_by_key(|it| it.severity == Severity::Hint);
    }
    sorted
}

/// `2 errors, 1 warning`; `None` where there is nothing to count.
pub(crate) fn tally(diagnostics: &[DiagnosticView]) -> Option<String> {
    let parts: Vec<String> = Severity::ALL
        .iter()
        .map(|severity| (severity, diagnostics.iter().filter(|it| it.severity == *severity).count()))
        .filter(|(_, n)| *n > 0)
        .map(|(severity, n)| count(n, severity.as_str()))
        .collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The width of the text before a help.
const BESIDE_HELP: usize = 14;

pub(crate) type Texts<'t> = BTreeMap<&'t str, Text<'t>>;

/// The parts of the drawing, not connected by lines. `with_patches`: its fixes are shown as lines, not only named.
fn report<'d>(
    diagnostic: &'d DiagnosticView,
    texts: &'d Texts<'d>,
    width: usize,
    with_patches: bool,
) -> Vec<Vec<Group<'d>>> {
    let title =
        level(diagnostic.severity).primary_title(clean(&diagnostic.message)).id(diagnostic.code.as_str());
    let mut group = Group::with_title(title);
    let snippets = snippets(diagnostic, texts);
    let has_place = !snippets.is_empty() || diagnostic.file.is_some();
    for snippet in snippets {
        group = group.element(snippet);
    }
    if let (Some(file), false) = (&diagnostic.file, is_placed(diagnostic, texts)) {
        group = group.element(origin(file, diagnostic));
    }
    let help = diagnostic.help.as_deref().map(|it| wrap(&clean(it), width - BESIDE_HELP).join("\n"));
    let mut apart = Vec::new();
    match help {
        Some(help) if has_place => group = group.element(Level::HELP.message(help)),
        Some(help) => apart.push(Group::with_title(Level::HELP.secondary_title(help))),
        None => {}
    }
    let fixes = diagnostic.fixes.iter().take(2).filter_map(|fix| suggestion(fix, texts, width, with_patches));
    let groups = std::iter::once(group).chain(fixes).collect();
    // A line from a mistake without a place to its help would lead nowhere.
    [groups, apart].into_iter().filter(|it| !it.is_empty()).collect()
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Hint => Level::NOTE.with_name("hint"),
    }
}

fn is_placed(diagnostic: &DiagnosticView, texts: &Texts<'_>) -> bool {
    location(diagnostic).is_some_and(|it| texts.contains_key(it.file.as_str()))
}

/// The location of a diagnostic whose file cannot be shown.
fn origin<'d>(file: &'d str, diagnostic: &DiagnosticView) -> Origin<'d> {
    let origin = Origin::path(clean(file));
    match (diagnostic.line, diagnostic.column) {
        (Some(line), Some(column)) => origin.line(line as usize).char_column(column as usize),
        _ => origin,
    }
}

/// A range and its message.
type Mark = (AnnotationKind, Range<usize>, String);

/// The places of a diagnostic, those of one file together while they are not far apart.
fn snippets<'d>(diagnostic: &DiagnosticView, texts: &'d Texts<'d>) -> Vec<Snippet<'d, Annotation<'d>>> {
    let primary = location(diagnostic).map(|it| (it, AnnotationKind::Primary, String::new()));
    let related = diagnostic.related.iter();
    let related = related.map(|it| (it.location.clone(), AnnotationKind::Context, clean(&it.message)));
    let mut pieces: Vec<(&Text<'d>, Range<usize>, Vec<Mark>)> = Vec::new();
    for (place, kind, label) in primary.into_iter().chain(related) {
        let Some(text) = texts.get(place.file.as_str()) else { continue };
        let bytes = text.bytes(&brief(place));
        let near = pieces
            .iter_mut()
            .find(|(other, range, _)| other.name == text.name && joined(range, &bytes).len() < FAR);
        match near {
            Some((_, range, marks)) => {
                *range = joined(range, &bytes);
                marks.push((kind, bytes, label));
            }
            None => pieces.push((text, bytes.clone(), vec![(kind, bytes, label)])),
        }
    }
    pieces.into_iter().map(|(text, range, marks)| snippet(text, &range, marks)).collect()
}

/// A place of many lines is shown by its first: the rest says nothing about the mistake.
fn brief(place: LocationView) -> LocationView {
    if place.end_line <= place.line + 2 {
        return place;
    }
    LocationView { end_line: place.line, end_column: u32::MAX, ..place }
}

fn snippet<'d>(text: &Text<'d>, range: &Range<usize>, marks: Vec<Mark>) -> Snippet<'d, Annotation<'d>> {
    let piece = text.around(range);
    let annotations = marks.into_iter().map(|(kind, bytes, label)| {
        let annotation = kind.span(bytes.start - piece.start..bytes.end - piece.start);
        if label.is_empty() { annotation } else { annotation.label(label) }
    });
    Snippet::source(piece.text).path(clean(text.name)).line_start(piece.line).annotations(annotations)
}

fn joined(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}
