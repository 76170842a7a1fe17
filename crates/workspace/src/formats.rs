//! What a file is: one table, and what follows from it. Nothing else recognises files; hosts ask
//! [`Workspace::files`](crate::Workspace::files).
//!
//! A new format is a row in [`table`], what reads it, and a page of the suite.

mod assignment;
pub(crate) mod endings;
mod notice;
mod table;

use std::fmt;

use syntax::{Document, Node};
use types::Types;

use crate::{
    pipeline::ReadFile,
    view::{Capability, FileView, FormatView, Role},
};

pub(crate) use assignment::{Assigned, assign};
pub use endings::{has_known_ending, is_named_as};

/// A format of files.
pub(crate) struct Format {
    /// Its name in JSON, e.g. `bosh-job-spec`.
    pub(crate) id: &'static str,
    /// Its name in sentences, e.g. `job spec`.
    pub(crate) name: &'static str,
    /// What its files are for.
    pub(crate) role: Role,
    /// What reads it.
    pub(crate) capability: Capability,
    /// How a file of it is recognised.
    pub(crate) recognise: Recognise,
    /// What is done with its files.
    pub(crate) reader: Reader,
    /// What is said of each of its files before all else.
    pub(crate) notice: Option<Notice>,
    /// A small file of it; empty where nobody writes one.
    pub(crate) sample: &'static str,
}

/// How a file of a format is recognised. Each gives the reason, as a clause: "it says `format: planloom.lock/1`".
#[derive(Clone, Copy)]
pub(crate) enum Recognise {
    /// By its text, before it is parsed: files of the format are not parsed as one YAML document.
    Text(fn(&str) -> Option<&'static str>),
    /// By name and content.
    Content(fn(&Candidate<'_>) -> Option<&'static str>),
    /// It is what no other format is.
    Otherwise,
}

/// What is done with the files of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    /// They are merged.
    Descriptor,
    /// They are documents of BOSH.
    Bosh(bosh::Sort),
    /// They are packages to choose versions from.
    Catalog,
    /// They record what was chosen.
    Lock,
    /// They ask for packages.
    Request,
    /// They are variables and constraints.
    Problem,
    /// Nothing: they are given in another way.
    Refused,
}

/// Why a file is no descriptor although it was given as one.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Notice {
    /// Planloom wrote it: how it is given instead.
    Written(&'static str),
    /// It is of another tool, and is read as a descriptor, so that what does not fit is told.
    OtherTool,
}

/// What is known of a file when it is to be recognised.
pub(crate) struct Candidate<'a> {
    /// Its name, with folders.
    pub(crate) name: &'a str,
    /// Its document.
    pub(crate) document: &'a Document,
    /// The document's root.
    pub(crate) root: &'a Node,
    /// The kinds.
    pub(crate) types: &'a Types,
}

impl Candidate<'_> {
    /// Whether the root is a map with that key.
    fn has(&self, key: &str) -> bool {
        self.root.get(key).is_some()
    }

    /// The text at a key of the root.
    fn text(&self, key: &str) -> Option<&str> {
        self.root.get(key).and_then(Node::as_str)
    }

    /// Whether it says that it is a document of Planloom of that name, in whatever version: `format: planloom.lock/1`.
    /// Where a kind defines `format` as a key of descriptors, only what says no more than its version is meant.
    fn says_format(&self, name: &str) -> bool {
        let said = self.text("format").and_then(|it| it.strip_prefix("planloom."));
        said.is_some_and(|it| it.split('/').next() == Some(name))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.id).finish()
    }
}

impl Format {
    /// The format of a text that is not parsed as one YAML document, and why it is of it.
    pub(crate) fn of_text(text: &str) -> Option<(&'static Self, &'static str)> {
        table::FORMATS.iter().find_map(|it| match it.recognise {
            Recognise::Text(recognise) => Some((it, recognise(text)?)),
            _ => None,
        })
    }

    /// The format whose files are read that way, where there is one only.
    pub(crate) fn read_by(reader: Reader) -> Option<&'static Self> {
        table::FORMATS.iter().find(|it| it.reader == reader)
    }

    /// The format of a document, and why it is of it.
    fn of_document(candidate: &Candidate<'_>) -> (&'static Self, &'static str) {
        let mut found = table::FORMATS.iter().filter_map(|it| match it.recognise {
            Recognise::Content(recognise) => Some((it, recognise(candidate)?)),
            _ => None,
        });
        found.next().unwrap_or_else(Self::otherwise)
    }

    /// The format of what no other format is.
    fn otherwise() -> (&'static Self, &'static str) {
        (table::DESCRIPTOR, "it is nothing else")
    }

    /// `a job spec`, `an answer of Planloom`.
    pub(crate) fn with_article(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

/// What each file is. Of a manifest of BOSH the layers are the manifest and its operations.
pub(crate) fn views(files: &[ReadFile], types: &Types) -> Vec<FileView> {
    let assigned = assign(files, types, &mut Vec::new());
    let has_descriptors = assigned.iter().any(Assigned::is_layer);
    let is_merged = |it: &Assigned| match it.format.role {
        _ if has_descriptors => it.is_layer(),
        role => matches!(role, Role::Layer | Role::Operations) && it.beside.is_none(),
    };
    let mut number = 0;
    let view = |(file, it): (&ReadFile, &Assigned)| FileView {
        name: file.file.name.clone(),
        format: it.format.id.into(),
        title: it.format.name.into(),
        role: it.format.role,
        layer: is_merged(it).then(|| {
            number += 1;
            number
        }),
        capability: it.format.capability,
        reason: it.reason.into(),
    };
    files.iter().zip(&assigned).map(view).collect()
}

/// All formats, in the order in which they are tried.
pub fn formats() -> Vec<FormatView> {
    let view = |it: &Format| FormatView {
        format: it.id.into(),
        title: it.name.into(),
        role: it.role,
        capability: it.capability,
        extensions: endings::of(it.role).iter().map(|it| (*it).to_owned()).collect(),
        sample: it.sample.into(),
    };
    table::FORMATS.iter().map(view).collect()
}
