//! Generates artifacts from a specification, to standard output, a file or a folder.

use report::codes;
use std::{
    fs,
    path::{Component, Path, PathBuf},
    slice,
};

use services::{Questions as _, specification_schema};
use workspace::view::{DiagnosticView, GeneratedArtifact, GeneratedFile};

use super::super::{Artifact, notes, reported};
use crate::answer::{Answer, Code, has_errors};
use crate::args::{Generate, GenerateFiles, GenerateSchema, Others, destination};
use crate::console::Console;
use crate::files::overwritten;
use crate::load::{Loaded, load_specifications};
use crate::problem::{problem, unwritable};
use crate::save::save;

/// Something that is one text.
pub(crate) fn one(args: &Generate, artifact: GeneratedArtifact, console: Console) -> Answer {
    text_of(&args.source.file, &args.source.others, args.out.as_deref(), artifact, console)
}

/// The schema of resources, or of specifications.
pub(crate) fn schema(args: &GenerateSchema, console: Console) -> Answer {
    if let Some(file) = &args.file {
        return text_of(file, &args.others, args.out.as_deref(), GeneratedArtifact::Schema, console);
    }
    let (text, to) = (specification_schema(), destination(args.out.as_deref()));
    Artifact { text, to, diagnostics: Vec::new(), texts: &[], is_private: false }.answer(console)
}

/// The `.proto` files: each with its path before it, or in a folder.
pub(crate) fn files(args: &GenerateFiles, console: Console) -> Answer {
    let source = &args.source;
    let (loaded, files, diagnostics) =
        generated(&source.file, &source.others, None, GeneratedArtifact::Proto);
    let Some(folder) = destination(args.out.as_deref()) else {
        let text =
            files.iter().map(|it| format!("// {}\n{}", it.path, it.text)).collect::<Vec<_>>().join("\n");
        return Artifact { text, to: None, diagnostics, texts: &loaded.texts, is_private: false }
            .answer(console);
    };
    let mut diagnostics = reported(&diagnostics);
    if !has_errors(&diagnostics) {
        diagnostics.extend(write(folder, &files));
    }
    Answer {
        err: notes(&diagnostics, &loaded.texts, console),
        code: Code::of(&diagnostics),
        ..Answer::default()
    }
}

fn text_of(
    file: &PathBuf,
    others: &Others,
    out: Option<&Path>,
    artifact: GeneratedArtifact,
    console: Console,
) -> Answer {
    let to = destination(out);
    let (loaded, files, diagnostics) = generated(file, others, to, artifact);
    let text = files.into_iter().map(|it| it.text).collect();
    Artifact { text, to, diagnostics, texts: &loaded.texts, is_private: false }.answer(console)
}

/// The files, and the problems.
fn generated(
    file: &PathBuf,
    others: &Others,
    out: Option<&Path>,
    artifact: GeneratedArtifact,
) -> (Loaded, Vec<GeneratedFile>, Vec<DiagnosticView>) {
    let mut loaded = load_specifications(slice::from_ref(file), &others.imports, &others.protos);
    let read = [file].into_iter().chain(&others.imports).chain(&others.protos);
    loaded.problems.extend(overwritten(out, read));
    if !loaded.problems.is_empty() {
        let problems = std::mem::take(&mut loaded.problems);
        return (loaded, Vec::new(), problems);
    }
    let view = loaded.workspace.generated(artifact);
    let diagnostics = view.diagnostics.into_iter().map(|it| it.diagnostic).collect();
    (loaded, view.files, diagnostics)
}

/// Writes files below a folder, which is created; stops at the first that cannot be written. Nothing is written if a path
/// leads out of the folder.
fn write(folder: &Path, files: &[GeneratedFile]) -> Option<DiagnosticView> {
    let is_inside =
        |it: &&GeneratedFile| Path::new(&it.path).components().all(|it| matches!(it, Component::Normal(_)));
    if let Some(outside) = files.iter().find(|it| !is_inside(it)) {
        let message = format!("`{}` is not a path below a folder", outside.path);
        let help =
            "change `protoImportPathPrefix` or `currentVersion` of the specification; nothing was written";
        return Some(problem(codes::PATH, None, message, help));
    }
    files.iter().find_map(|file| {
        let path = folder.join(&file.path);
        let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
        parent.and_then(|()| save(&path, &file.text)).err().map(|error| unwritable(&path, &error))
    })
}
