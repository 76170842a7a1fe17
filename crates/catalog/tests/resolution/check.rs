use std::fmt::Write;

use diag::{FileId, Source, Sources, Span};
use expect_test::Expect;
use planloom_catalog::{Catalog, CatalogText, Resolution, active_resolution, read, resolve};
use resolve::Limits;

use crate::{notation::Case, printed};

/// A case read from its files.
pub struct Asked {
    pub sources: Sources,
    pub catalogs: Vec<Catalog>,
    pub request: planloom_catalog::Request,
    pub notes: String,
}

impl Asked {
    pub fn new(case: &str) -> Self {
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
        let text = printed::wanted(&case);
        let file = sources.add(Source::new("wanted.yaml", text.clone()));
        let (mut all, found) = active_resolution::read(file, &text);
        note(&mut notes, &sources, &found);
        let request = all.remove(0).request;
        Self { sources, catalogs, request, notes }
    }

    pub fn resolve(&self) -> Resolution {
        resolve(&self.catalogs, &self.request, &mut (), &Limits::default()).0
    }
}

fn note(notes: &mut String, sources: &Sources, found: &[diag::Diagnostic]) {
    for it in found {
        let place = it.span.map(|span| place(sources, span)).unwrap_or_default();
        writeln!(notes, "{} {} {place} {}", it.severity.as_str(), it.code, it.message).expect("a text");
    }
}

/// Where a span starts, as `file:line`.
pub fn place(sources: &Sources, span: Span) -> String {
    sources.locate(span).map(|(name, at)| format!("{name}:{}", at.line)).unwrap_or_default()
}

/// The ids of what is chosen, in a line; or the conflicts with their facts.
pub fn outcome(asked: &Asked) -> String {
    let mut text = asked.notes.clone();
    match asked.resolve() {
        Resolution::Stopped => text.push_str("stopped\n"),
        Resolution::Solved(selected) => {
            for it in selected {
                text.push_str(&it.id);
                if it.is_installed {
                    text.push_str(" (installed)");
                }
                if let Some(previous) = &it.previous {
                    write!(text, " instead of {previous}").expect("a text");
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
                    let place = fact.origin.map(|it| place(&asked.sources, it)).unwrap_or_default();
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
pub fn reasons(asked: &Asked) -> String {
    let mut text = asked.notes.clone();
    let Resolution::Solved(selected) = asked.resolve() else { return outcome(asked) };
    for it in selected {
        writeln!(text, "{}", it.id).expect("a text");
        for considered in it.considered {
            writeln!(text, "  {}", considered.version).expect("a text");
            for fact in considered.ruled_out_by {
                let place = fact.origin.map(|it| place(&asked.sources, it)).unwrap_or_default();
                writeln!(text, "    {} ({place})", fact.text).expect("a text");
            }
        }
    }
    text
}

pub fn check_reasons(case: &str, expected: Expect) {
    expected.assert_eq(&reasons(&Asked::new(case)));
}

pub fn check(case: &str, expected: Expect) {
    expected.assert_eq(&outcome(&Asked::new(case)));
}

#[test]
fn what_is_printed_is_read() {
    let asked =
        Asked::new("a@1.0.0{req:[b \">=1.0.0\"]}\nb@1.0.0\nrequire a \">=1.0.0\" ch:[stable]\ncluster 4.21");
    assert_eq!(asked.notes, "");
    assert_eq!(asked.request.runtime.openshift, Some((4, 21)));
    assert_eq!(asked.catalogs[0].packages.len(), 2);
    let _ = FileId(0);
}
