//! The core's formats, a row each. The first row that recognises a file decides.

use super::{Candidate, Format, Notice, Precedence, Reader, Recognizer, SyntaxCheck, notice};
use crate::view::Role;

/// The core's formats, in the order in which they are tried.
pub(super) static FORMATS: &[Format] = &[
    Format {
        notice: Some(Notice::Written("give it to `plan` with `--state`")),
        ..written("state", "recorded state", Role::State, |it| says(it, "state"))
    },
    Format {
        notice: Some(Notice::Written("give it to `plan` with `--observed`")),
        ..written("observed", "observed state", Role::Observed, |it| says(it, "observed"))
    },
    written("plan", "plan", Role::Plan, |it| says(it, "plan")),
    Format {
        notice: Some(Notice::Written("give it with `--types`")),
        ..written("type-definitions", "file of type definitions", Role::Types, |it| says(it, "types"))
    },
    written("answer", "output of Planloom", Role::Other, |it| {
        let said = it.text("format").filter(|_| it.types.root_field("format").is_none());
        said.is_some_and(|it| it.starts_with("planloom.")).then_some("its `format` begins with `planloom.`")
    }),
    Format {
        id: "compose",
        name: "Compose file",
        recognise: Recognizer::Content(|it| {
            notice::is_compose(it.root).then_some("its services define what to run")
        }),
        notice: Some(Notice::OtherTool),
        sample: "services: {web: {image: nginx}}\n",
        ..DESCRIPTOR_ROW
    },
    Format {
        id: "kubernetes",
        name: "Kubernetes manifest",
        recognise: Recognizer::Content(|it| {
            (it.has("apiVersion") && it.has("kind")).then_some("it has `apiVersion` and `kind`")
        }),
        notice: Some(Notice::OtherTool),
        sample: "apiVersion: v1\nkind: Pod\n",
        ..DESCRIPTOR_ROW
    },
    Format {
        recognise: Recognizer::Content(|it| is_descriptor(it).then_some("it has keys of descriptors")),
        ..DESCRIPTOR_ROW
    },
];

/// The format of files that have none of the others, too: empty files, and those that cannot be read.
pub(super) static DESCRIPTOR: &Format = &DESCRIPTOR_ROW;

const DESCRIPTOR_ROW: Format = Format {
    id: "descriptor",
    name: "descriptor",
    role: Role::Layer,
    precedence: Precedence::Looks,
    recognise: Recognizer::Fallback,
    reader: Reader::Descriptor,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "payloads: {web: {runtime: vm}}\nservices: {site: {payload: web}}\n",
};

/// A file that Planloom wrote and that is not given as a descriptor.
const fn written(
    id: &'static str,
    name: &'static str,
    role: Role,
    recognise: fn(&Candidate<'_>) -> Option<&'static str>,
) -> Format {
    Format {
        id,
        name,
        role,
        precedence: Precedence::Says,
        recognise: Recognizer::Content(recognise),
        reader: Reader::Refused,
        notice: Some(Notice::Written("give the descriptors that it was made from")),
        sample: "",
        ..DESCRIPTOR_ROW
    }
}

/// The reason for the format if the file's `format` key declares it. If a kind defines `format` as a key of descriptors, the
/// key does not identify the file.
fn says(it: &Candidate<'_>, name: &str) -> Option<&'static str> {
    let is_free = it.types.root_field("format").is_none();
    (is_free && it.declares_format(name)).then_some("its `format` says so")
}

/// True if it has a key of descriptors, or one of other tools that are read as such so that their mistakes are reported.
fn is_descriptor(it: &Candidate<'_>) -> bool {
    let has_networks = it.root.get("networks").is_some_and(|it| it.as_mapping().is_some());
    has_networks || ["services", "payloads", "meta", "apiVersion", "kind"].iter().any(|key| it.has(key))
}
