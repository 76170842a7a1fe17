//! Recognition of the formats of files: one table, and what follows from it. Nothing else recognises files; hosts ask
//! [`Workspace::files`](crate::Workspace::files).
//!
//! A new format is a row, its reader, and a page of the suite. The core's rows are in [`table`], others in what is
//! [registered](crate::capability::Registration).

mod assignment;
pub(crate) mod endings;
mod notice;
mod table;

use std::fmt;

use diag::Code;
use syntax::{Document, Node};
use types::Types;

use crate::{
    capability::Registration,
    file::ReadFile,
    view::{FileView, FormatView, Role},
};

pub(crate) use assignment::{Assigned, assign};
pub use endings::{has_known_ending, is_named_as};

/// The capability that is always there.
pub(crate) const CORE: &str = "core";

/// A format of files.
pub struct Format {
    /// Its name in JSON, e.g. `bosh-job-spec`. It is unique.
    pub id: &'static str,
    /// Its name in sentences, e.g. `job spec`.
    pub name: &'static str,
    /// The role of its files.
    pub role: Role,
    /// The step at which it is tried.
    pub precedence: Precedence,
    /// The recognizer of its files.
    pub recognise: Recognizer,
    /// The reader of its files.
    pub reader: Reader,
    /// The mistakes in the YAML of its files that are reported.
    pub syntax: SyntaxCheck,
    /// The notice that each of its files has.
    pub notice: Option<Notice>,
    /// A small example file; empty for files that are not written by hand.
    pub sample: &'static str,
}

/// The order in which formats are tried. Within one step, what is registered comes before the core, except for
/// [`Looks`](Self::Looks).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precedence {
    /// Its files declare their format.
    Says,
    /// It is recognised by its content, and only if no descriptor was recognised.
    Looks,
}

/// The way a file of a format is recognised. Each gives the reason, as a clause: "it says `format: planloom.lock/1`".
#[derive(Clone, Copy, Debug)]
pub enum Recognizer {
    /// By its text, before it is parsed: files of the format are not parsed as one YAML document.
    Text(fn(&str) -> Option<&'static str>),
    /// By name and content.
    Content(fn(&Candidate<'_>) -> Option<&'static str>),
    /// It is the format of all files without another one.
    Fallback,
    /// Not at all: files have it because of other files given with them, or because they are given as such.
    Given,
}

/// The reader of the files of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The core: they are merged as layers of a descriptor.
    Descriptor,
    /// The capability that registered the format.
    Capability,
    /// The same; its files are layers, which are merged with those of descriptors.
    Layer,
    /// Nobody: they are given in another way.
    Refused,
}

/// The mistakes in the YAML of a file that are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyntaxCheck {
    /// All of them.
    All,
    /// All, but names with characters that cannot be seen are only warned of: another tool may take them.
    ForeignNames,
    /// All but one code: the reader has keys for which it is no mistake.
    Except(Code),
    /// None: the reader tells them.
    ByReader,
}

/// The reason why a file is no descriptor although it was given as one.
#[derive(Clone, Copy, Debug)]
pub enum Notice {
    /// Planloom wrote it; the text says how it is given instead.
    Written(&'static str),
    /// It belongs to another tool, and is read as a descriptor, so that keys that do not fit are reported.
    OtherTool,
}

/// A file that is to be recognised.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its name, with folders.
    pub name: &'a str,
    /// Its document.
    pub document: &'a Document,
    /// The document's root.
    pub root: &'a Node,
    /// The kinds.
    pub types: &'a Types,
}

/// The format that a file was recognised as.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recognition {
    pub(crate) format: &'static Format,
    /// The reason, as a clause.
    pub(crate) reason: &'static str,
}

/// All formats that there are.
#[derive(Debug, Default)]
pub(crate) struct Formats {
    registered: Vec<&'static Registration>,
}

impl Candidate<'_> {
    /// True if the root is a map with that key.
    pub fn has(&self, key: &str) -> bool {
        self.root.get(key).is_some()
    }

    /// The text at a key of the root.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.root.get(key).and_then(Node::as_str)
    }

    /// True if it says that it is a document of Planloom of that name, in whatever version: `format: planloom.lock/1`.
    pub fn declares_format(&self, name: &str) -> bool {
        let said = self.text("format").and_then(|it| it.strip_prefix("planloom."));
        said.is_some_and(|it| it.split('/').next() == Some(name))
    }
}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Format").field(&self.id).finish()
    }
}

impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Format {}

impl Format {
    /// True if its files are recognised by their text, and not parsed as one YAML document.
    pub(crate) const fn is_of_text(&self) -> bool {
        matches!(self.recognise, Recognizer::Text(_))
    }

    /// `a job spec`, `an answer of Planloom`.
    pub(crate) fn with_article(&self) -> String {
        let article = if self.name.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {}", self.name)
    }
}

impl Formats {
    /// Adds those of a capability, unless they are there.
    pub(crate) fn register(&mut self, registration: &'static Registration) {
        if self.registered.iter().all(|it| it.name != registration.name) {
            self.registered.push(registration);
        }
    }

    /// The capabilities that were registered.
    pub(crate) fn registered(&self) -> &[&'static Registration] {
        &self.registered
    }

    /// All of them, in the order in which they are tried, each with the capability that reads it.
    fn tried(&self) -> impl Iterator<Item = (&'static str, &'static Format)> {
        let core = || table::FORMATS.iter().map(|it| (CORE, it));
        let others =
            || self.registered.iter().flat_map(|own| own.formats.iter().map(move |it| (own.name, *it)));
        let says = |it: &(_, &Format)| it.1.precedence == Precedence::Says;
        let looks = |it: &(_, &Format)| it.1.precedence == Precedence::Looks;
        let certain = others().filter(says).chain(core().filter(says));
        certain.chain(core().filter(looks)).chain(others().filter(looks))
    }

    /// The capability that reads a format.
    pub(crate) fn capability(&self, format: &Format) -> &'static str {
        self.tried().find(|(_, it)| *it == format).map_or(CORE, |(name, _)| name)
    }

    /// The format of a document that operations change and that no capability recognises.
    fn of_changed(&self) -> Option<&'static Format> {
        let mut formats = self.tried().map(|it| it.1);
        formats.find(|it| it.role == Role::Layer && matches!(it.recognise, Recognizer::Given))
    }

    /// The format of files that are given with a role, beside the descriptors.
    pub(crate) fn of_role(&self, role: Role) -> &'static Format {
        self.tried().find(|(_, it)| it.role == role).map_or(table::DESCRIPTOR, |(_, it)| it)
    }

    /// The format of a file that was given with a role: of several formats with that role the one whose text it is.
    pub(crate) fn of_role_and_text(&self, role: Role, text: &str) -> &'static Format {
        let of_text = self.of_text(text).map(|it| it.format).filter(|it| it.role == role);
        of_text.unwrap_or_else(|| self.of_role(role))
    }

    /// The format of a text that is not parsed as one YAML document.
    pub(crate) fn of_text(&self, text: &str) -> Option<Recognition> {
        self.tried().find_map(|(_, format)| match format.recognise {
            Recognizer::Text(recognise) => Some(Recognition { format, reason: recognise(text)? }),
            _ => None,
        })
    }

    /// The format of a document.
    fn of_document(&self, candidate: &Candidate<'_>) -> Recognition {
        let mut found = self.tried().filter_map(|(_, format)| match format.recognise {
            Recognizer::Content(recognise) => Some(Recognition { format, reason: recognise(candidate)? }),
            _ => None,
        });
        found.next().unwrap_or_else(otherwise)
    }

    /// All formats as views, in the order in which they are tried.
    pub(crate) fn views(&self) -> Vec<FormatView> {
        let view = |(capability, it): (&str, &Format)| FormatView {
            format: it.id.into(),
            title: it.name.into(),
            role: it.role,
            capability: capability.into(),
            extensions: endings::of(it.role).iter().map(|it| (*it).to_owned()).collect(),
            sample: it.sample.into(),
        };
        self.tried().map(view).collect()
    }
}

/// The format of files that no other format recognises.
fn otherwise() -> Recognition {
    Recognition { format: table::DESCRIPTOR, reason: "it is nothing else" }
}

/// True if a descriptor says something: beside a manifest, an empty file does not take its place.
pub(crate) fn has_descriptors(files: &[ReadFile], assigned: &[Assigned]) -> bool {
    files.iter().zip(assigned).any(|(file, it)| it.is_layer() && file.document().root.is_some())
}

/// The views of the files. If other files than descriptors describe the deployment, these and their operations are the
/// layers.
pub(crate) fn views(
    files: &[ReadFile],
    formats: &Formats,
    types: &Types,
    are_changed: bool,
) -> Vec<FileView> {
    let assigned = assign(files, formats, types, are_changed, &mut Vec::new());
    let has_descriptors = has_descriptors(files, &assigned);
    let is_merged = |it: &Assigned| match it.format.role {
        _ if it.is(Reader::Layer) => true,
        _ if has_descriptors => it.is_layer(),
        role => matches!(role, Role::Layer | Role::Operations) && it.beside.is_none(),
    };
    let mut number = 0;
    let view = |(file, it): (&ReadFile, &Assigned)| FileView {
        name: file.name().into(),
        format: it.format.id.into(),
        title: it.format.name.into(),
        role: it.format.role,
        layer: is_merged(it).then(|| {
            number += 1;
            number
        }),
        capability: formats.capability(it.format).into(),
        reason: it.reason.into(),
    };
    files.iter().zip(&assigned).map(view).collect()
}
