//! The one API boundary for hosts: files in; diagnostics and plain views out.
//!
//! A [`Workspace`] holds the texts and answers questions about them with the [`view`]s, which serialise to the JSON
//! of the command line, the npm package and the app alike. It can be thrown away and rebuilt from the texts: the same
//! files in the same order give the same answers, however they got there. Nothing here panics on bad input.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod complete;
#[cfg(feature = "engine")]
mod deployment;
mod drawing;
mod formats;
mod hover;
mod json;
mod links;
mod locate;
mod named;
mod names;
mod near;
mod origins;
mod package;
mod pipeline;
mod place;
mod planning;
mod secrets;
mod sentence;
mod state;
mod versions;
pub mod view;

#[cfg(feature = "engine")]
pub use deployment::Deployment;
pub use diag::{escape_invisible, is_invisible};
#[cfg(feature = "engine")]
pub use engine;
pub use formats::{formats, has_known_ending, is_named_as};
pub use package::PackageProblem;
pub use versions::{Along, VersionOptions, solve_problem};

use std::{collections::BTreeSet, sync::Arc};

use ::links::Profile;
use diag::{Diagnostics, FileId, Location};
use model::Pointer;
use pipeline::{Given, Model, ReadFile};
use serde::{Deserialize, Serialize};
use syntax::package::PackageFile;
use types::Types;
use view::{
    CheckView, CompletionView, EditView, FileView, GraphView, HoverView, LayoutView, LocationView, MergeView,
    OriginView, PlanView,
};

/// Descriptor files in merge order, and what they mean.
#[derive(Debug)]
pub struct Workspace {
    files: Vec<ReadFile>,
    type_files: Vec<ReadFile>,
    types: Types,
    type_diagnostics: Diagnostics,
    lenient: bool,
    release_files: Vec<File>,
    /// The job specs as they were read.
    releases: Vec<ReadFile>,
    /// The place of the first of them among all files, once they are read.
    releases_at: Option<usize>,
    profile: Profile,
    catalog_files: Vec<ReadFile>,
    shelf: Arc<versions::Shelf>,
    version_options: versions::Options,
    model: Option<Arc<Model>>,
}

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

/// What to plan for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanOptions {
    /// The recorded state, as `planloom.state/1` JSON text.
    pub state: Option<String>,
    /// What adapters saw, as `planloom.observed/1` JSON text.
    pub observed: Option<String>,
    /// The state's name in diagnostics; `state.json` where it has none.
    pub state_file: Option<String>,
    /// The observed state's name in diagnostics; `observed.json` where it has none.
    pub observed_file: Option<String>,
    /// Plan the removal of everything that is recorded.
    pub destroy: bool,
    /// `values` (the default) or `all`.
    pub knock_on: Option<String>,
    /// Leave alone what is recorded and not described any more. For [`Workspace::deployment`] only; never written.
    #[serde(skip)]
    pub keep_removed: bool,
    /// Also list `no_op` and `forget` actions.
    pub list_unchanged: bool,
}

impl Default for Workspace {
    fn default() -> Self {
        Self::new()
    }
}

impl Workspace {
    /// An empty workspace with the built-in kinds.
    pub fn new() -> Self {
        Self {
            files: Vec::new(),
            type_files: Vec::new(),
            types: Types::builtin(),
            type_diagnostics: Vec::new(),
            lenient: false,
            release_files: Vec::new(),
            releases: Vec::new(),
            releases_at: None,
            profile: Profile::default(),
            catalog_files: Vec::new(),
            shelf: Arc::default(),
            version_options: versions::Options::default(),
            model: None,
        }
    }

    /// Replaces all files; the order is the merge order. Files whose text and place did not change are not read again.
    pub fn set_files(&mut self, files: Vec<File>) {
        let mut known: Vec<Option<ReadFile>> =
            std::mem::take(&mut self.files).into_iter().map(Some).collect();
        self.files = files.into_iter().enumerate().map(|(idx, file)| reuse(&mut known, idx, file)).collect();
        self.read_types();
    }

    /// Changes one file's text; adds it at the end when there is none of that name.
    pub fn set_file(&mut self, name: &str, text: &str) {
        let place = self.files.iter().position(|it| it.file.name == name);
        let idx = place.unwrap_or(self.files.len());
        let package = place.and_then(|idx| self.files.get(idx)).and_then(|it| it.file.package.clone());
        let read = ReadFile::new(idx, File { name: name.into(), text: text.into(), package });
        match self.files.get_mut(idx) {
            Some(slot) => *slot = read,
            None => {
                self.files.push(read);
                self.read_types();
            }
        }
        self.model = None;
    }

    /// The files with their texts, in merge order.
    pub fn texts(&self) -> Vec<File> {
        self.files.iter().map(|it| it.file.clone()).collect()
    }

    /// What each file is, in the same order.
    pub fn files(&self) -> Vec<FileView> {
        formats::views(&self.files, &self.types)
    }

    /// Adds or overrides kinds with definition files (the form of `crates/types/builtin/*.yaml`).
    pub fn set_types(&mut self, files: Vec<File>) {
        let offset = self.files.len();
        self.type_files =
            files.into_iter().enumerate().map(|(idx, file)| ReadFile::new(offset + idx, file)).collect();
        self.read_types();
    }

    /// Whether resources of a kind exist for real, rather than being parts of others. Kinds that are not known do.
    pub fn is_made(&self, kind: &str) -> bool {
        self.types.kind(kind).is_none_or(|it| it.tangible)
    }

    /// Adds kinds that adapters define, in front of the definition files there are: what a file says wins.
    pub fn add_types(&mut self, files: Vec<File>) {
        let there = self.type_files.iter().map(|it| it.file.clone());
        let all = files.into_iter().chain(there).collect();
        self.set_types(all);
    }

    /// Definition files come behind the descriptors, so their places move with the number of those.
    fn read_types(&mut self) {
        self.model = None;
        if self.type_files.is_empty() && self.type_diagnostics.is_empty() {
            return;
        }
        let offset = self.files.len();
        let files: Vec<File> = self.type_files.iter().map(|it| it.file.clone()).collect();
        self.type_files =
            files.into_iter().enumerate().map(|(idx, file)| ReadFile::new(offset + idx, file)).collect();
        self.types = Types::builtin();
        self.type_diagnostics.clear();
        for file in &self.type_files {
            self.type_diagnostics.extend(file.diagnostics().iter().cloned());
            let (types, mut found) = types::read(&self.types, file.document());
            self.types = types;
            self.type_diagnostics.append(&mut found);
        }
    }

    /// Whether unknown keys are only warnings.
    pub fn set_lenient(&mut self, lenient: bool) {
        self.lenient = lenient;
        self.model = None;
    }

    fn given(&self) -> Given<'_> {
        Given {
            files: &self.files,
            type_files: &self.type_files,
            releases: &self.releases,
            types: &self.types,
            type_diagnostics: &self.type_diagnostics,
            options: lower::Options { lenient: self.lenient, profile: self.profile },
            shelf: &self.shelf,
            version_options: &self.version_options,
            catalog_files: &self.catalog_files,
        }
    }

    fn model(&mut self) -> (&Arc<Model>, &Types) {
        self.read_releases();
        if self.model.is_none() {
            self.read_catalogs();
        }
        let model = self.model.take().unwrap_or_else(|| Arc::new(pipeline::build(&self.given())));
        (self.model.insert(model), &self.types)
    }

    /// Everything that is wrong.
    pub fn diagnostics(&mut self) -> CheckView {
        let model = self.model().0.clone();
        let all: Diagnostics = model.diagnostics.iter().chain(&self.shelf.diagnostics).cloned().collect();
        CheckView {
            format: "planloom.check/1".into(),
            diagnostics: locate::diagnostic_views(&model.sources, &all),
        }
    }

    /// How many errors stand in the way of a plan. Those of catalogs do not: what is left of a catalog is of use, and
    /// where a package cannot be had for them, that is an error of what asks for it.
    pub fn blocking_errors(&mut self) -> usize {
        let errors = self.model().0.diagnostics.iter();
        errors.filter(|it| it.severity == diag::Severity::Error).count()
    }

    /// The merged document; origins of every place when asked for.
    pub fn merged(&mut self, origins: bool) -> MergeView {
        let (model, types) = self.model();
        MergeView {
            format: "planloom.merge/1".into(),
            document: json::node_to_json(&model.merged.root),
            origins: origins.then(|| origins::all(model, types)),
            inferred: origins::inferred(model),
            diagnostics: locate::diagnostic_views(&model.sources, &model.diagnostics),
        }
    }

    /// The merged document as YAML text.
    pub fn merged_yaml(&mut self) -> String {
        syntax::emit(&self.model().0.merged.root)
    }

    /// The texts of all values that must not be shown, in clear: for who has to keep them out of what it writes.
    pub fn secrets(&mut self) -> BTreeSet<String> {
        self.model();
        self.model.as_ref().map(|it| secrets::all(&self.files, it, &self.types)).unwrap_or_default()
    }

    /// The files as they may be given away: without secrets, also where they were copied to.
    pub fn files_without_secrets(&mut self) -> Vec<File> {
        self.model();
        let files = self.model.as_ref().map(|it| secrets::without(&self.files, it, &self.types));
        files.unwrap_or_default()
    }

    /// The files as they may be shown: each secret is as many `*` as it has bytes, so that places stay where they are.
    pub fn masked_files(&mut self) -> Vec<File> {
        self.model();
        let files = self.model.as_ref().map(|it| secrets::masked(&self.files, it, &self.types));
        files.unwrap_or_default()
    }

    /// Where the value at a pointer came from; for what `!reset` removed, where that is written.
    pub fn origin(&mut self, pointer: &str) -> Option<OriginView> {
        let (model, types) = self.model();
        origins::one(model, types, &Pointer::parse(pointer))
    }

    /// Where the attributes are written that stand in a plan in place of the name at a pointer: `/payloads/web` for
    /// `/services/web/payload`. `None` where nothing is named whose attributes count.
    pub fn embedded(&mut self, pointer: &str) -> Option<String> {
        let (model, types) = self.model();
        near::embedded(model, types, &Pointer::parse(pointer)).map(|it| it.to_string())
    }

    /// The place of the merged document that was probably meant by a pointer to nothing.
    pub fn near(&mut self, pointer: &str) -> Option<String> {
        near::place(self.model().0, &Pointer::parse(pointer)).map(|it| it.to_string())
    }

    /// The dependency graph.
    pub fn graph(&mut self) -> GraphView {
        drawing::graph_view(self.model().0)
    }

    /// The dependency graph as `dot`, `mermaid` or `svg` text; `None` for another format.
    pub fn graph_text(&mut self, format: &str) -> Option<String> {
        let (model, _) = self.model();
        match format {
            "dot" => Some(drawing::dot(model)),
            "mermaid" => Some(drawing::mermaid(model)),
            "svg" => Some(drawing::svg(model)),
            _ => None,
        }
    }

    /// The graph with places to draw it at.
    pub fn layout(&mut self) -> LayoutView {
        drawing::layout_view(self.model().0)
    }

    /// The plan. With an error in the files or the state it holds no action.
    pub fn plan(&mut self, options: &PlanOptions) -> PlanView {
        let (model, types) = self.model();
        planning::view(model, &planning::make(model, types, options), options)
    }

    /// The descriptors as they are now, for an engine to carry out. Of the options, those that name states do not count.
    #[cfg(feature = "engine")]
    pub fn deployment(&mut self, options: &PlanOptions) -> std::rc::Rc<Deployment> {
        let (types, secrets) = (std::rc::Rc::new(self.types.clone()), self.secrets());
        std::rc::Rc::new(Deployment::new(self.model().0.clone(), types, options.clone(), secrets))
    }

    /// What is known of a place in a file: documentation, effective value, who set it, what the plan does with it.
    /// `line` and `column` count from 1, columns in characters.
    pub fn hover(&mut self, file: &str, line: u32, column: u32, options: &PlanOptions) -> Option<HoverView> {
        let idx = self.position(file)?;
        self.model();
        let (model, read) = (self.model.as_ref()?, self.files.get(idx)?);
        let offset = model.sources.get(FileId(idx as u32))?.offset(Location { line, column });
        let place = place::at_offset(read.document().root.as_ref()?, offset)?;
        let planned = planning::make(model, &self.types, options);
        hover::hover(model, &self.types, &planned.plan, &place)
    }

    /// What can be written at a place.
    pub fn complete(&mut self, file: &str, line: u32, column: u32) -> Vec<CompletionView> {
        let Some(idx) = self.position(file) else { return Vec::new() };
        let (model, types) = self.model();
        let Some(source) = model.sources.get(FileId(idx as u32)) else { return Vec::new() };
        complete::complete(model, types, source, Location { line, column })
    }

    /// Where the thing named at a place is declared.
    pub fn definition(&mut self, file: &str, line: u32, column: u32) -> Option<LocationView> {
        let id = FileId(self.position(file)? as u32);
        let (model, _) = self.model();
        let offset = model.sources.get(id)?.offset(Location { line, column });
        let at_place = model.lowered.uses.iter().filter(|it| it.span.file == id && it.span.touches(offset));
        let closest = at_place.min_by_key(|it| it.span.end - it.span.start)?;
        Some(locate::location(&model.sources, closest.target))
    }

    /// The edits that set the value at a pointer of the merged document in one file, comments kept.
    pub fn set_value(&mut self, file: &str, pointer: &str, yaml: &str) -> Option<Vec<EditView>> {
        let idx = self.position(file)?;
        self.model();
        let (model, read) = (self.model.as_ref()?, self.files.get(idx)?);
        let path = place::in_file(&self.types, read.document().root.as_ref(), &Pointer::parse(pointer));
        let edits = syntax::edit::set(FileId(idx as u32), &read.file.text, &path, yaml).ok()?;
        Some(edits.iter().map(|edit| locate::edit_view(&model.sources, edit)).collect())
    }

    fn position(&self, file: &str) -> Option<usize> {
        self.files.iter().position(|it| it.file.name == file)
    }

    /// The type definitions as a JSON Schema of a descriptor.
    pub fn json_schema(&self) -> String {
        types::json_schema(&self.types)
    }

    /// The YAML files of a zip package, as layers without an order among them.
    ///
    /// # Errors
    /// Why the package is refused, or that it holds no file that counts.
    pub fn read_package(name: &str, bytes: &[u8]) -> Result<Vec<File>, PackageProblem> {
        package::read(name, bytes)
    }

    /// The files as a zip package.
    pub fn write_package(&self) -> Vec<u8> {
        let files = self
            .files
            .iter()
            .map(|it| PackageFile { name: it.file.name.clone(), text: it.file.text.clone() });
        syntax::package::write(&files.collect::<Vec<_>>())
    }
}

/// A file as it was read before, if it is the same in the same place.
fn reuse(known: &mut [Option<ReadFile>], idx: usize, file: File) -> ReadFile {
    let same = known
        .get_mut(idx)
        .filter(|it| it.as_ref().is_some_and(|it| it.file.text == file.text && it.file.name == file.name));
    match same.and_then(Option::take) {
        Some(read) => read.renamed(file),
        None => ReadFile::new(idx, file),
    }
}
