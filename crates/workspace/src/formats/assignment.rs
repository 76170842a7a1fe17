//! The format of each file, and which of several deployments it is a layer of.

use std::sync::Arc;

use diag::{Diagnostic, Diagnostics, FileId};
use lower::DEPLOYMENT;
use syntax::{Entry, Node, Tag};
use types::Types;

use super::{Candidate, Format, Formats, Reader, Recognition, notice, otherwise};
use crate::{codes, file::ReadFile, view::Role};

/// The reason why a document has the format of those that are changed.
const CHANGED: &str = "operations or variables change it";

/// The format of a file, and why.
#[derive(Clone, Debug)]
pub(crate) struct Assigned {
    pub(crate) format: &'static Format,
    /// The reason for this format, as a clause.
    pub(crate) reason: &'static str,
    /// The deployment that it is a layer of, where that is not the described one.
    pub(crate) beside: Option<Arc<str>>,
}

impl Assigned {
    /// A file that was given as one of that format.
    pub(crate) const fn given(format: &'static Format) -> Self {
        Self { format, reason: "it was given as one", beside: None }
    }

    pub(crate) fn is(&self, reader: Reader) -> bool {
        self.format.reader == reader
    }

    /// True if it is a layer of the described deployment; empty and unreadable files count as such.
    pub(crate) fn is_layer(&self) -> bool {
        self.is(Reader::Descriptor) && self.beside.is_none()
    }
}

/// Assigns a format to each file. Documents that are not descriptors are reported.
///
/// If every layer names a deployment, the first one's is the described one; in any case a layer may name the deployment
/// that it is a layer of.
///
/// `are_changed`: operations or variables are given beside the files, which then are documents to change, regardless of their
/// content. If operations are among the files, so are files of which nothing else is known.
pub(crate) fn assign(
    files: &[ReadFile],
    formats: &Formats,
    types: &Types,
    are_changed: bool,
    diagnostics: &mut Diagnostics,
) -> Vec<Assigned> {
    let changed = formats.of_changed().filter(|_| are_changed);
    let mut all: Vec<Assigned> = files
        .iter()
        .enumerate()
        .map(|(n, file)| assign_one(FileId(n as u32), file, formats, types, changed, diagnostics))
        .collect();
    if let Some(changed) = formats.of_changed().filter(|_| are_operated(&all)) {
        let unknown =
            files.iter().zip(&mut all).filter(|it| it.1.is_layer() && it.0.document().root.is_some());
        unknown.for_each(|it| *it.1 = Assigned { format: changed, reason: CHANGED, beside: None });
    }
    let described = match all.iter().any(Assigned::is_layer) {
        true => own_name(files, &all),
        false => all.iter().find_map(|it| it.beside.clone()),
    };
    all.iter_mut().filter(|it| it.beside == described).for_each(|it| it.beside = None);
    let others = all.iter_mut().filter(|it| it.beside.is_some());
    others.for_each(|it| it.reason = "it says that it is a layer of another deployment");
    all
}

fn assign_one(
    id: FileId,
    file: &ReadFile,
    formats: &Formats,
    types: &Types,
    changed: Option<&'static Format>,
    diagnostics: &mut Diagnostics,
) -> Assigned {
    let of = |it: Recognition| Assigned { format: it.format, reason: it.reason, beside: None };
    if let Some(of_text) = file.of_text() {
        return of(of_text);
    }
    let Some(root) = &file.document().root else { return of(otherwise()) };
    let candidate = Candidate { name: file.name(), document: file.document(), root, types };
    let Recognition { format, reason } = formats.of_document(&candidate);
    if let Some(format) = changed.filter(|_| is_changed(id, format)) {
        return Assigned { format, reason: CHANGED, beside: None };
    }
    diagnostics.extend(notice::notice(format, id, root));
    if file.has_tags() {
        diagnostics.extend(notice::tag_without_effect(format, root));
    }
    let deployment = root.as_mapping().and_then(|it| it.entry(DEPLOYMENT));
    let deployment = deployment.filter(|_| format.reader == Reader::Descriptor);
    Assigned { format, reason, beside: deployment.and_then(|it| named(it, diagnostics)) }
}

/// True if operations or variables that are given beside the files change one of this format, which it may have by chance: a
/// document of BOSH keeps it, a catalog and a lock are given beside the document, and so are operations that follow one.
fn is_changed(id: FileId, format: &Format) -> bool {
    match format.role {
        _ if !matches!(format.reader, Reader::Capability | Reader::Layer) => true,
        Role::Layer | Role::Other | Role::Catalog | Role::Lock => false,
        Role::Operations => id.0 == 0,
        _ => true,
    }
}

/// True if there are operations, and nothing else that is known.
fn are_operated(all: &[Assigned]) -> bool {
    let is_operations = |it: &Assigned| it.format.role == Role::Operations;
    let is_unknown = |it: &Assigned| it.is_layer() && it.reason == otherwise().reason;
    all.iter().any(is_operations) && all.iter().all(|it| is_operations(it) || is_unknown(it))
}

/// The name that the last layer gives to the described deployment.
fn own_name(files: &[ReadFile], all: &[Assigned]) -> Option<Arc<str>> {
    let layers = files.iter().zip(all).filter(|(_, it)| it.is_layer());
    let roots = layers.filter_map(|(file, _)| file.document().root.as_ref());
    let mut names = roots.filter_map(|it| it.get("meta")?.get("name")?.as_str());
    names.next_back().map(Into::into)
}

/// The deployment that the file declares itself a layer of. A value that is no name is reported, because the deployment
/// must be certain.
fn named(entry: &Entry, diagnostics: &mut Diagnostics) -> Option<Arc<str>> {
    let is_plain = |it: &&Node| it.tag == Tag::None;
    let name = Some(&entry.value).filter(is_plain).and_then(Node::as_str).filter(|it| !it.trim().is_empty());
    if let Some(name) = name.filter(|it| !it.contains("${")) {
        return Some(name.into());
    }
    let message = format!("`{DEPLOYMENT}` must be the name of a deployment, not {}", what(&entry.value));
    let help = "write the name of the deployment that this file is a layer of; remove the key for the \
                described one";
    let span = entry.key_span.cover(entry.value.span);
    diagnostics.push(Diagnostic::error(codes::workspace::DEPLOYMENT_NAME, span, message).help(help));
    None
}

fn what(node: &Node) -> String {
    match node.as_str() {
        Some(text) if text.trim().is_empty() => "none".into(),
        Some(_) => "text that is not plain".into(),
        None => format!("a {}", node.kind_name()),
    }
}
