//! Reads texts as files of BOSH.

use diag::{FileId, Severity, Source, Sources};
use links::Profile;
use planloom_bosh::{Document, Read, read, sort};
use syntax::{Limits, Node, parse};

/// Files by name.
pub(crate) struct Files {
    pub(crate) sources: Sources,
    roots: Vec<Node>,
}

impl Files {
    /// Parses files; they have to be fine as YAML, and of BOSH.
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
    pub(crate) fn read(&self, profile: Profile) -> Read {
        let documents = self.sources.iter().zip(&self.roots).map(|((_, source), root)| {
            let sort = sort(&source.name, root).unwrap_or_else(|| panic!("{} is not of BOSH", source.name));
            Document { name: &source.name, sort, root }
        });
        read(&documents.collect::<Vec<_>>(), profile)
    }
}
