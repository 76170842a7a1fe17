//! What each file is: a layer of the described deployment or of one beside it, a document of BOSH, or something else.

use std::sync::Arc;

use diag::{Diagnostics, FileId};
use types::Types;

use crate::{foreign, pipeline::ReadFile};

/// What a file is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A layer of the described deployment; empty and unreadable files count as such.
    Layer,
    /// A layer of another deployment.
    Beside(Arc<str>),
    /// A document of BOSH.
    Bosh(bosh::Sort),
    /// A document that Planloom wrote.
    Own,
}

/// What each file is. Documents that are no descriptors are reported.
///
/// Where every layer names a deployment, the first one's is the one that is described.
pub(crate) fn sorts(files: &[ReadFile], types: &Types, diagnostics: &mut Diagnostics) -> Vec<Sort> {
    let mut sorts: Vec<Sort> =
        files.iter().enumerate().map(|(n, file)| sort(FileId(n as u32), file, types, diagnostics)).collect();
    if !sorts.contains(&Sort::Layer) {
        let first = sorts.iter().find(|it| matches!(it, Sort::Beside(_))).cloned();
        sorts.iter_mut().filter(|it| Some(&**it) == first.as_ref()).for_each(|it| *it = Sort::Layer);
    }
    sorts
}

fn sort(id: FileId, file: &ReadFile, types: &Types, diagnostics: &mut Diagnostics) -> Sort {
    let Some(root) = &file.document().root else { return Sort::Layer };
    if let Some(found) = foreign::own(root, types) {
        diagnostics.push(found);
        return Sort::Own;
    }
    if let Some(sort) = bosh::sort(&file.file.name, root) {
        return Sort::Bosh(sort);
    }
    diagnostics.extend(foreign::of_another_tool(id, root));
    match root.get("deployment").and_then(|it| it.as_str()) {
        Some(name) if !name.is_empty() => Sort::Beside(name.into()),
        _ => Sort::Layer,
    }
}
