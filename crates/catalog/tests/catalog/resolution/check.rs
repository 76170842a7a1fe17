use std::fmt::Write;

use diag::{Diagnostic, Source, Sources, Span};
use expect_test::Expect;
use planloom_catalog::{Catalog, CatalogText, Resolution, active_resolution, read, resolve, what_would_move};
use resolve::Budget;

use super::{notation::Case, pages, printed};

/// A case read from its files.
pub(crate) struct LoadedCase {
    pub(crate) sources: Sources,
    pub(crate) catalogs: Vec<Catalog>,
    pub(crate) request: planloom_catalog::Request,
    pub(crate) notes: String,
}

impl LoadedCase {
    pub(crate) fn new(case: &str) -> Self {
        let case = Case::read(case);
        let mut sources = Sources::new();
        let (mut catalogs, mut notes) = (Vec::new(), String::new());
        for it in &case.catalogs {
            let text = printed::catalog(it);
            let file = sources.add(Source::new(format!("{}.yaml", it.name), text.clone()));
            let (mut read, found) = read(&it.name, &[CatalogText { file, text: &text }]);
            read.priority = it.priority;
            note(&mut notes, &sources, &found);
            catalogs.push(read);
        }
        let text = printed::request(&case);
        let file = sources.add(Source::new("wanted.yaml", text.clone()));
        let (mut all, found) = active_resolution::read(file, &text);
        note(&mut notes, &sources, &found);
        let request = all.remove(0).request;
        Self { sources, catalogs, request, notes }
    }

    pub(crate) fn resolve(&self) -> Resolution {
        resolve(&self.catalogs, &self.request, &mut (), &Budget::default()).0
    }

    /// The diagnostics of the request.
    pub(crate) fn diagnostics(&self) -> Vec<Diagnostic> {
        resolve(&self.catalogs, &self.request, &mut (), &Budget::default()).1
    }
}

fn note(notes: &mut String, sources: &Sources, found: &[Diagnostic]) {
    for it in found {
        let place = it.span.map(|span| place(sources, span)).unwrap_or_default();
        writeln!(notes, "{} {} {place} {}", it.severity.as_str(), it.code, it.message).expect("a text");
        for fix in &it.fixes {
            let edits = fix
                .edits
                .iter()
                .map(|edit| format!("{:?} becomes {}", sources.text(edit.span), edit.new_text));
            writeln!(notes, "  fix: {}: {}", fix.title, edits.collect::<Vec<_>>().join(", "))
                .expect("a text");
        }
    }
}

/// The start of a span, as `file:line`.
pub(crate) fn place(sources: &Sources, span: Span) -> String {
    sources.locate(span).map(|(name, at)| format!("{name}:{}", at.line)).unwrap_or_default()
}

/// The ids of the selected bundles, in a line; or the conflicts with their facts.
pub(crate) fn outcome(requested: &LoadedCase) -> String {
    requested.notes.clone() + &reported(requested, requested.resolve())
}

fn reported(requested: &LoadedCase, resolution: Resolution) -> String {
    let mut text = String::new();
    match resolution {
        Resolution::Stopped => text.push_str("stopped\n"),
        Resolution::Solved(selected) => {
            for it in selected {
                text.push_str(&it.id);
                if it.is_installed {
                    text.push_str(" (installed)");
                }
                if let Some(previous) = &it.previous {
                    let upgrade = it.upgrade.map(|it| format!(" ({})", it.text)).unwrap_or_default();
                    write!(text, " instead of {previous}{upgrade}").expect("a text");
                }
                if !it.wanted_by.is_empty() {
                    write!(text, " for {}", it.wanted_by.join(", ")).expect("a text");
                }
                text.push('\n');
            }
        }
        Resolution::Unsolvable { conflicts, fixes } => {
            for conflict in conflicts {
                writeln!(text, "{}", conflict.summary).expect("a text");
                for fact in conflict.facts {
                    let place = fact.origin.map(|it| place(&requested.sources, it)).unwrap_or_default();
                    writeln!(text, "  {} ({place})", fact.text).expect("a text");
                }
            }
            for fix in fixes {
                writeln!(text, "* {} -> {}", fix.title, fix.selection.join(" ")).expect("a text");
            }
        }
    }
    text
}

/// The candidates of each choice, with what ruled them out.
pub(crate) fn reasons(requested: &LoadedCase) -> String {
    let mut text = requested.notes.clone();
    let Resolution::Solved(selected) = requested.resolve() else { return outcome(requested) };
    for it in selected {
        writeln!(text, "{}", it.id).expect("a text");
        for considered in it.considered {
            writeln!(text, "  {}", considered.version).expect("a text");
            for fact in considered.ruled_out_by {
                let place = fact.origin.map(|it| place(&requested.sources, it)).unwrap_or_default();
                writeln!(text, "    {} ({place})", fact.text).expect("a text");
            }
        }
    }
    text
}

/// The resolution with an additional bundle that has to be chosen.
pub(crate) fn check_move(case: &str, id: &str, expected: Expect) {
    let requested = LoadedCase::new(case);
    let moved = what_would_move(&requested.catalogs, &requested.request, id, &mut (), &Budget::default());
    expected.assert_eq(&moved.map_or_else(|| "unknown\n".to_owned(), |it| reported(&requested, it)));
}

pub(crate) fn check_diagnostics(case: &str, expected: Expect) {
    let requested = LoadedCase::new(case);
    pages::write(case, &requested, "diagnostics");
    let mut text = requested.notes.clone();
    note(&mut text, &requested.sources, &requested.diagnostics());
    expected.assert_eq(&text);
}

pub(crate) fn check_reasons(case: &str, expected: Expect) {
    let requested = LoadedCase::new(case);
    pages::write(case, &requested, "why");
    expected.assert_eq(&reasons(&requested));
}

pub(crate) fn check(case: &str, expected: Expect) {
    let requested = LoadedCase::new(case);
    pages::write(case, &requested, "selection");
    expected.assert_eq(&outcome(&requested));
}

#[test]
fn printed_cases_are_read_back() {
    let requested = LoadedCase::new(
        "a@1.0.0{req:[b \">=1.0.0\"]}\nb@1.0.0\nrequire a \">=1.0.0\" ch:[stable]\ncluster 4.21",
    );
    assert_eq!(requested.notes, "");
    assert_eq!(requested.request.runtime.openshift, Some((4, 21)));
    assert_eq!(requested.catalogs[0].packages.len(), 2);
}
