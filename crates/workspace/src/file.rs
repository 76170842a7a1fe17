//! Files, and how they are read.

use std::sync::Arc;

use diag::{Diagnostic, FileId, Source};
use serde::{Deserialize, Serialize};
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

/// A file that was read; kept while its text and place in the order stay the same.
#[derive(Debug)]
pub(crate) struct ReadFile {
    pub(crate) file: File,
    pub(crate) source: Source,
    parse: Arc<Parse>,
    /// What it is, where its text alone tells.
    of_text: Option<Recognition>,
}

impl ReadFile {
    pub(crate) fn new(idx: usize, file: File, formats: &Formats) -> Self {
        let of_text = formats.of_text(&file.text);
        // They hold many documents, and are read as such.
        let parse = match of_text {
            Some(_) => Parse::default(),
            None => syntax::parse(FileId(idx as u32), &file.text, &Limits::default()),
        };
        let source = Source::new(file.name.as_str(), file.text.as_str());
        Self { file, source, parse: Arc::new(parse), of_text }
    }

    /// A file that was given as one of that format, whatever it looks like.
    pub(crate) fn given_as(idx: usize, file: File, format: &'static Format) -> Self {
        let source = Source::new(file.name.as_str(), file.text.as_str());
        let is_parsed = !format.is_of_text();
        let parse = is_parsed.then(|| syntax::parse(FileId(idx as u32), &file.text, &Limits::default()));
        let of_text = (!is_parsed).then_some(Recognition { format, reason: "it was given as one" });
        Self { file, source, parse: Arc::new(parse.unwrap_or_default()), of_text }
    }

    /// What it is, where its text alone tells.
    pub(crate) const fn of_text(&self) -> Option<Recognition> {
        self.of_text
    }

    pub(crate) const fn text(&self) -> &Arc<str> {
        &self.source.text
    }

    /// The same reading under new particulars; name and text must be the same.
    pub(crate) fn renamed(self, file: File) -> Self {
        Self { file, ..self }
    }

    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        &self.parse.diagnostics
    }

    pub(crate) fn document(&self) -> &syntax::Document {
        &self.parse.document
    }
}
