//! Files, and how they are read.

use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, FileId, Source};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};
use syntax::{Limits, Parse};

use crate::formats::{Format, Formats, Recognition};

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name, unique in the workspace.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The zip package it came from: among files of one package there is no order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
}

impl File {
    /// The kinds that an adapter at an address defines itself, as a file of definitions; `None` if there are none.
    pub fn of_adapter(address: &str, types: &BTreeMap<String, Json>) -> Option<Self> {
        let own = types.iter().filter(|(_, definition)| !definition.is_null());
        let own: Map<_, _> = own.map(|(kind, definition)| (kind.clone(), definition.clone())).collect();
        let text = json!({"format": types::FORMAT, "kinds": own}).to_string();
        (!own.is_empty()).then(|| Self { name: format!("{address}/v1"), text, package: None })
    }
}

/// A file that was read; kept while its text and place in the order stay the same. Copies share everything.
#[derive(Clone, Debug)]
pub(crate) struct ReadFile {
    pub(crate) source: Source,
    package: Option<Arc<str>>,
    parse: Arc<Parse>,
    /// True if some node of its document has a tag.
    has_tags: bool,
    /// The format, if the text alone determines it.
    of_text: Option<Recognition>,
}

impl ReadFile {
    pub(crate) fn new(idx: usize, file: File, formats: &Formats) -> Self {
        Self::of_source(idx, Source::new(file.name, file.text), file.package.map(Into::into), formats)
    }

    /// The same file with another text.
    pub(crate) fn with_text(&self, idx: usize, text: Arc<str>, formats: &Formats) -> Self {
        let source = Source::new(Arc::clone(&self.source.name), text);
        Self::of_source(idx, source, self.package.clone(), formats)
    }

    fn of_source(idx: usize, source: Source, package: Option<Arc<str>>, formats: &Formats) -> Self {
        let of_text = formats.of_text(&source.text);
        // They hold many documents, and are read as such.
        let parse = match of_text {
            Some(_) => Parse::default(),
            None => syntax::parse(FileId(idx as u32), &source.text, &Limits::default()),
        };
        Self::of(source, package, parse, of_text)
    }

    /// A file that was given as one of that format, regardless of its content.
    pub(crate) fn given_as(idx: usize, file: File, format: &'static Format) -> Self {
        let is_parsed = !format.is_of_text();
        let parse = is_parsed.then(|| syntax::parse(FileId(idx as u32), &file.text, &Limits::default()));
        let of_text = (!is_parsed).then_some(Recognition { format, reason: "it was given as one" });
        let source = Source::new(file.name, file.text);
        Self::of(source, file.package.map(Into::into), parse.unwrap_or_default(), of_text)
    }

    fn of(source: Source, package: Option<Arc<str>>, parse: Parse, of_text: Option<Recognition>) -> Self {
        // To look for the character is quicker than to walk the tree.
        let has_tags =
            source.text.contains('!') && parse.document.root.as_ref().is_some_and(syntax::Node::has_tags);
        Self { source, package, parse: Arc::new(parse), has_tags, of_text }
    }

    /// The format, if the text alone determines it.
    pub(crate) const fn of_text(&self) -> Option<Recognition> {
        self.of_text
    }

    pub(crate) fn name(&self) -> &str {
        &self.source.name
    }

    pub(crate) const fn text(&self) -> &Arc<str> {
        &self.source.text
    }

    /// The zip package it came from.
    pub(crate) const fn package(&self) -> Option<&Arc<str>> {
        self.package.as_ref()
    }

    /// A copy of the given file.
    pub(crate) fn to_file(&self) -> File {
        let package = self.package.as_deref().map(Into::into);
        File { name: self.name().into(), text: self.text().to_string(), package }
    }

    /// The same reading as part of another package.
    pub(crate) fn in_package(self, package: Option<String>) -> Self {
        Self { package: package.map(Into::into), ..self }
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.parse.diagnostics
    }

    pub(crate) const fn has_tags(&self) -> bool {
        self.has_tags
    }

    pub(crate) fn document(&self) -> &syntax::Document {
        &self.parse.document
    }
}

/// The files of a workspace at one moment, as they were read. Copying one copies no text.
#[derive(Clone, Debug)]
pub struct Snapshot(pub(crate) Vec<ReadFile>);
