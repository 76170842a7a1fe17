//! Reads texts as files of BOSH.

use diag::{FileId, Severity, Source, Sources, TextEdit, apply_edits};
use links::Profile;
use planloom_bosh::{Document, DocumentKind, ReadResult, read, sort};
use syntax::{Limits, Node, parse};

/// Files that begin with `vars` are variables files, those that begin with `any` other documents: nothing in them says so.
fn kind(name: &str, root: &Node) -> DocumentKind {
    match name.get(..3) {
        Some("var") => DocumentKind::Variables,
        Some("any") => DocumentKind::Other,
        _ => sort(name, root).unwrap_or_else(|| panic!("{name} is not of BOSH")),
    }
}

/// Files by name.
pub(crate) struct Files {
    pub(crate) sources: Sources,
    roots: Vec<Node>,
}

impl Files {
    /// Parses files; they have to be valid YAML, and files of BOSH.
    pub(crate) fn new<'t>(files: impl IntoIterator<Item = (&'t str, &'t str)>) -> Self {
        let mut this = Self { sources: Sources::new(), roots: Vec::new() };
        for (name, text) in files {
            let file: FileId = this.sources.add(Source::new(name, text));
            let parsed = parse(file, text, &Limits::default());
            let errors = parsed.diagnostics.iter().filter(|it| it.severity == Severity::Error);
            assert_eq!(errors.count(), 0, "{name}: {:?}", parsed.diagnostics);
            this.roots.push(parsed.document.root.unwrap_or_else(|| panic!("{name} is empty")));
        }
        this
    }

    /// Reads all of them.
    pub(crate) fn read(&self, profile: Profile) -> ReadResult {
        let documents = self.sources.iter().zip(&self.roots).map(|((_, source), root)| Document {
            name: &source.name,
            kind: kind(&source.name, root),
            root,
        });
        read(&documents.collect::<Vec<_>>(), profile)
    }

    /// The same files after edits.
    pub(crate) fn with(&self, edits: &[TextEdit]) -> Self {
        let files: Vec<(String, String)> = self
            .sources
            .iter()
            .map(|(id, it)| {
                let own: Vec<TextEdit> = edits.iter().filter(|it| it.span.file == id).cloned().collect();
                (it.name.to_string(), apply_edits(&it.text, &own))
            })
            .collect();
        Self::new(files.iter().map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// Checks that each fix fixes its problem.
    #[track_caller]
    pub(crate) fn check_fixes(&self, read: &ReadResult, profile: Profile) {
        for it in &read.diagnostics {
            for fix in &it.fixes {
                let fixed = self.with(&fix.edits).read(profile);
                let mut others = fixed.diagnostics.iter();
                let again = others.any(|other| (other.code, &other.message) == (it.code, &it.message));
                assert!(!again, "{} does not fix: {}", fix.title, it.message);
            }
        }
    }
}
