//! What each file is: a layer of the described deployment or of one beside it, a document of BOSH, or something else.

use std::sync::Arc;

use diag::{Code, Diagnostic, Diagnostics, FileId};
use lower::DEPLOYMENT;
use syntax::{Entry, Node, Tag};
use types::Types;

use crate::{foreign, pipeline::ReadFile, versions::lock};

const NO_NAME: Code = Code("workspace/deployment-name");

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A layer of the described deployment; empty and unreadable files count as such.
    Layer,
    /// A layer of another deployment.
    Beside(Arc<str>),
    /// A document of BOSH.
    Bosh(bosh::Sort),
    /// Packages to choose versions from.
    Catalog,
    /// What was chosen, as it is recorded.
    Lock,
    /// An `ActiveResolution`: packages that are asked for.
    Resolution,
    /// Variables and constraints.
    Problem,
    /// Another document that Planloom wrote.
    Own,
}

/// What each file is. Documents that are no descriptors are reported.
///
/// Where every layer names a deployment, the first one's is the one that is described; and a layer may name the one that
/// it is a layer of anyway.
pub(crate) fn sorts(files: &[ReadFile], types: &Types, diagnostics: &mut Diagnostics) -> Vec<Sort> {
    let mut sorts: Vec<Sort> =
        files.iter().enumerate().map(|(n, file)| sort(FileId(n as u32), file, types, diagnostics)).collect();
    let described = match sorts.contains(&Sort::Layer) {
        true => own_name(files, &sorts).map(Sort::Beside),
        false => sorts.iter().find(|it| matches!(it, Sort::Beside(_))).cloned(),
    };
    sorts.iter_mut().filter(|it| Some(&**it) == described.as_ref()).for_each(|it| *it = Sort::Layer);
    sorts
}

fn sort(id: FileId, file: &ReadFile, types: &Types, diagnostics: &mut Diagnostics) -> Sort {
    if file.is_catalog() {
        return Sort::Catalog;
    }
    let Some(root) = &file.document().root else { return Sort::Layer };
    if let Some(sort) = of_versions(file, root) {
        return sort;
    }
    if let Some(found) = foreign::own(root, types) {
        diagnostics.push(found);
        return Sort::Own;
    }
    if let Some(sort) = bosh::sort(&file.file.name, root) {
        return Sort::Bosh(sort);
    }
    diagnostics.extend(foreign::of_another_tool(id, root));
    match root.as_mapping().and_then(|it| it.entry(DEPLOYMENT)) {
        Some(entry) => named(entry, diagnostics).map_or(Sort::Layer, Sort::Beside),
        None => Sort::Layer,
    }
}

/// What a document is that versions are chosen by.
fn of_versions(file: &ReadFile, root: &Node) -> Option<Sort> {
    if file.file.name.rsplit('/').next() == Some(lock::NAME) || lock::is_lock(root) {
        Some(Sort::Lock)
    } else if resolve::document::is_problem(file.document()) {
        Some(Sort::Problem)
    } else if root.get("kind").and_then(Node::as_str) == Some("ActiveResolution") {
        Some(Sort::Resolution)
    } else {
        None
    }
}

/// The name that the last layer gives to what is described.
fn own_name(files: &[ReadFile], sorts: &[Sort]) -> Option<Arc<str>> {
    let layers = files.iter().zip(sorts).filter(|(_, sort)| **sort == Sort::Layer);
    let roots = layers.filter_map(|(file, _)| file.document().root.as_ref());
    let mut names = roots.filter_map(|it| it.get("meta")?.get("name")?.as_str());
    names.next_back().map(Into::into)
}

/// The deployment that a file says it is a layer of. What is no name is reported: whose the file is must be certain.
fn named(entry: &Entry, diagnostics: &mut Diagnostics) -> Option<Arc<str>> {
    let is_plain = |it: &&Node| it.tag == Tag::None;
    let name = Some(&entry.value).filter(is_plain).and_then(Node::as_str).filter(|it| !it.trim().is_empty());
    if let Some(name) = name.filter(|it| !it.contains("${")) {
        return Some(name.into());
    }
    let message =
        format!("`{DEPLOYMENT}` is the name of a deployment, and here stands {}", what(&entry.value));
    let help = "write the name of the deployment that this file is a layer of; leave the key out for the described one";
    let span = entry.key_span.cover(entry.value.span);
    diagnostics.push(Diagnostic::error(NO_NAME, span, message).help(help));
    None
}

fn what(node: &Node) -> String {
    match node.as_str() {
        Some(text) if text.trim().is_empty() => "none".into(),
        Some(_) => "text that is not plain".into(),
        None => format!("a {}", node.kind_name()),
    }
}
