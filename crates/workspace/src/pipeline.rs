//! From texts to a model: the one place that names all phases.

use std::sync::Arc;

use diag::{Code, Diagnostic, Diagnostics, FileId, Source, Sources};
use graph::Graph;
use lower::Lowered;
use merge::{Layer, Merged};
use syntax::{Limits, Parse};
use types::Types;

use crate::{File, foreign};

const NO_FILES: Code = Code("workspace/no-files");
const NOTHING_DESCRIBED: Code = Code("workspace/nothing-described");
const SAME_NAME: Code = Code("workspace/same-name");

/// A file that was read; kept while its text and place in the order stay the same.
#[derive(Debug)]
pub(crate) struct ReadFile {
    pub(crate) file: File,
    source: Source,
    parse: Arc<Parse>,
}

impl ReadFile {
    pub(crate) fn new(idx: usize, file: File) -> Self {
        let parse = Arc::new(syntax::parse(FileId(idx as u32), &file.text, &Limits::default()));
        let source = Source::new(file.name.as_str(), file.text.as_str());
        Self { file, source, parse }
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

/// What the texts mean.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) sources: Sources,
    pub(crate) merged: Merged,
    pub(crate) lowered: Lowered,
    pub(crate) graph: Graph,
    pub(crate) diagnostics: Diagnostics,
}

/// Everything but planning.
pub(crate) fn build(
    files: &[ReadFile],
    type_files: &[ReadFile],
    types: &Types,
    lenient: bool,
    found: &Diagnostics,
) -> Model {
    let sources: Sources = files.iter().chain(type_files).map(|it| it.source.clone()).collect();
    let mut diagnostics = found.clone();
    check_files(files, types, &mut diagnostics);
    let is_own = check_sorts(files, types, &mut diagnostics);
    diagnostics.extend(files.iter().flat_map(|it| it.parse.diagnostics.iter().cloned()));
    let layers: Vec<Layer> = files.iter().zip(&is_own).map(|(file, own)| layer(file, !own)).collect();
    let (merged, mut found) = merge::merge(&layers, types);
    diagnostics.append(&mut found);
    let mut lowered = lower::lower(&merged, &[], types, &sources, lower::Options { lenient });
    let (graph, mut found) = Graph::build(&lowered.desired);
    let mut from_model = std::mem::take(&mut lowered.diagnostics);
    from_model.append(&mut found);
    if files.iter().any(|it| it.parse.document.partial) || is_own.contains(&true) {
        from_model.retain(|it| !is_consequence(it));
    }
    diagnostics.append(&mut from_model);
    Model { sources, merged, lowered, graph, diagnostics }
}

/// Reports documents that are no descriptors; which of them Planloom itself wrote.
fn check_sorts(files: &[ReadFile], types: &Types, diagnostics: &mut Diagnostics) -> Vec<bool> {
    let check = |(idx, file): (usize, &ReadFile)| {
        let Some(root) = &file.parse.document.root else { return false };
        let own = foreign::own(root, types);
        let is_own = own.is_some();
        diagnostics.extend(own.or_else(|| foreign::of_another_tool(FileId(idx as u32), root)));
        is_own
    };
    files.iter().enumerate().map(check).collect()
}

/// A file as a layer; without what it holds where that does not count.
fn layer(file: &ReadFile, counts: bool) -> Layer {
    let root = file.parse.document.root.clone().filter(|_| counts);
    Layer { root, package: file.file.package.as_deref().map(Into::into) }
}

/// Whether a mistake may only be there because part of a file could not be read.
fn is_consequence(diagnostic: &Diagnostic) -> bool {
    let codes = [
        "lower/unknown-name",
        "lower/missing-field",
        "lower/unused",
        "lower/no-such-value",
        "lower/wrong-kind",
    ];
    codes.contains(&diagnostic.code.0)
}

fn check_files(files: &[ReadFile], types: &Types, diagnostics: &mut Diagnostics) {
    if files.is_empty() {
        let help = "give at least one YAML file";
        diagnostics.push(Diagnostic::error(NO_FILES, None, "there are no files").help(help));
        return;
    }
    if files.iter().all(|it| it.parse.document.root.is_none() && !it.parse.document.partial) {
        let span = diag::Span::at(FileId(0), 0);
        let tangible = types.kinds.iter().filter(|it| it.tangible).map(|it| format!("`{}:`", it.collection));
        let help = format!("begin with {}", tangible.collect::<Vec<_>>().join(" or "));
        diagnostics.push(Diagnostic::warning(NOTHING_DESCRIBED, span, "nothing is described").help(help));
    }
    for (idx, file) in files.iter().enumerate() {
        if files.iter().take(idx).any(|it| it.file.name == file.file.name) {
            let message = format!("there are two files called `{}`", file.file.name);
            let help = "give each file once";
            let span = diag::Span::at(FileId(idx as u32), 0);
            diagnostics.push(Diagnostic::warning(SAME_NAME, span, message).help(help));
        }
    }
}
