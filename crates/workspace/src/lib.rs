//! The one API boundary for hosts: files in; diagnostics and plain views out.
//!
//! A [`Workspace`] holds the texts and answers questions about them with the [`view`]s, which serialise to the JSON
//! of the command line, the npm package and the app alike. It can be thrown away and rebuilt from the texts: the same
//! files in the same order give the same answers, however they got there. Nothing here panics on bad input.
//!
//! For descriptors, hosts use nothing below this crate. They recognise no files either: `formats/table.rs` has a row
//! for each format of the core, and [`Workspace::files`] returns what each file is and why. The module `pipeline`
//! names all phases from texts to a model, and [`capability`] is the interface of everything else: the core names no
//! capability. A [`Deployment`] is the input of an engine's plan. Hosts that write controllers use `store` and
//! `runtime` directly, and those that apply plans `engine`, `state`, `protocol` and `adapter`.
#![forbid(unsafe_code)]
#![warn(missing_docs, clippy::disallowed_methods)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

mod answers;
pub mod capability;
pub mod codes;
mod complete;
#[cfg(feature = "engine")]
mod deployment;
mod descriptors;
mod drawing;
mod file;
mod formats;
mod hover;
mod inputs;
mod json;
mod locate;
mod moved;
mod named;
mod near;
mod offers;
mod origins;
mod package;
mod pipeline;
mod place;
mod planning;
mod secrets;
mod sentence;
mod state;
mod vocabulary;
mod work;

#[cfg(feature = "engine")]
pub use deployment::Deployment;
pub use diag::{escape_invisible, is_invisible};
#[cfg(feature = "engine")]
pub use engine;
pub use file::{File, Snapshot};
pub use formats::{has_known_ending, is_named_as};
pub use package::PackageProblem;
pub use view;
pub use work::Work;

use std::{
    any::Any,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    sync::Arc,
};

use answers::{Answer, Answers, Need};
use capability::{Capability, Registration};
use diag::{Diagnostics, FileId, Location};
use file::ReadFile;
use formats::Formats;
use inputs::Inputs;
use links::Profile;
use model::Pointer;
use pipeline::{BuildInputs, Model};
use planning::Planned;
use serde::{Deserialize, Serialize};
use syntax::package::PackageFile;
use types::Types;
use view::{
    CheckView, CompletionView, EditView, FileView, FormatView, GraphFormat, GraphView, HoverView, KnockOn,
    LayoutView, LinkProfile, LocationView, MergeView, NeedView, OriginView, OverrideView, PlacesView,
    PlanView, Role,
};
use work::Counters;

/// Descriptor files in merge order, and their model.
#[derive(Debug)]
pub struct Workspace {
    files: Vec<ReadFile>,
    type_files: Vec<ReadFile>,
    types: Arc<Types>,
    type_diagnostics: Diagnostics,
    lenient: bool,
    answers: Answers,
    /// Files that were given with their role, in the order of the roles.
    beside: BTreeMap<Role, FilesByRole>,
    profile: Profile,
    formats: Formats,
    capabilities: Vec<Box<dyn Capability>>,
    settings: Vec<Rc<dyn Any>>,
    model: Option<Arc<Model>>,
    /// The model before the last edit, until somebody has the time to drop it.
    retired: Option<Arc<Model>>,
    /// What the next model takes over from the last one.
    cache: lower::Cache,
    /// The last plan, with the options that it was made for.
    planned: Option<(PlanOptions, Rc<Planned>)>,
    counters: Arc<Counters>,
}

/// Files that were given with their role. Their places come behind those of all other files, so they move.
#[derive(Debug, Default)]
struct FilesByRole {
    files: Vec<ReadFile>,
    /// The place of the first of them.
    at: usize,
}

/// Options of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanOptions {
    /// The recorded state, as `planloom.state/1` JSON text.
    pub state: Option<String>,
    /// The observed resources, as `planloom.observed/1` JSON text.
    pub observed: Option<String>,
    /// The state's name in diagnostics; `state.json` where it has none.
    pub state_file: Option<String>,
    /// The observed state's name in diagnostics; `observed.json` where it has none.
    pub observed_file: Option<String>,
    /// Plan the removal of everything that is recorded.
    pub destroy: bool,
    /// The condition under which dependents act; by default, when values change.
    pub knock_on: Option<KnockOn>,
    /// Keep resources that are recorded and not described any more. For [`Workspace::deployment`] only; never written.
    #[serde(skip)]
    pub keep_removed: bool,
    /// Also list `no_op` and `forget` actions.
    pub list_unchanged: bool,
}

impl Workspace {
    /// An empty workspace with the built-in kinds, and the core alone.
    #[expect(
        clippy::new_without_default,
        reason = "a caller that needs all capabilities must not get the core alone by accident"
    )]
    pub fn new() -> Self {
        Self {
            files: Vec::new(),
            type_files: Vec::new(),
            types: Arc::new(Types::builtin()),
            type_diagnostics: Vec::new(),
            lenient: false,
            answers: Answers::default(),
            beside: BTreeMap::new(),
            profile: Profile::default(),
            formats: Formats::default(),
            capabilities: Vec::new(),
            settings: Vec::new(),
            model: None,
            retired: None,
            cache: lower::Cache::default(),
            planned: None,
            counters: Arc::default(),
        }
    }

    /// An empty workspace that recognises the files of these capabilities, of which none is loaded yet.
    pub fn with(registered: &[&'static Registration]) -> Self {
        let mut workspace = Self::new();
        registered.iter().for_each(|it| workspace.formats.register(it));
        workspace
    }

    /// Adds a capability; nothing changes where it is there already.
    pub fn load(&mut self, capability: Box<dyn Capability>) {
        let registration = capability.registration();
        if self.capabilities.iter().all(|it| it.registration().name != registration.name) {
            self.formats.register(registration);
            self.capabilities.push(capability);
            // Front ends that read later see what earlier ones have read, whenever they were loaded.
            let registered = self.formats.registered();
            let place = |name: &str| registered.iter().position(|it| it.name == name);
            diag::order::by_key(&mut self.capabilities, |it| place(it.registration().name));
            self.model = None;
        }
    }

    /// The capabilities that the files need and that are not loaded.
    pub fn not_loaded(&mut self) -> Vec<&'static str> {
        self.model().0.not_loaded.clone()
    }

    /// All formats that are recognised, in the order in which they are tried.
    pub fn formats(&self) -> Vec<FormatView> {
        self.formats.views()
    }

    /// Sets the settings of a capability, in place of earlier ones of that type.
    pub fn set<T: Any>(&mut self, settings: T) {
        self.settings.retain(|it| !it.is::<T>());
        self.settings.push(Rc::new(settings));
        self.model = None;
    }

    /// Sets the profile whose rules apply to links.
    pub fn set_profile(&mut self, profile: LinkProfile) {
        self.profile = vocabulary::profile(profile);
        self.model = None;
    }

    /// The profile whose rules apply to links.
    pub const fn profile(&self) -> Profile {
        self.profile
    }

    /// Sets the files beside those in merge order that have one role, regardless of their content: they replace those that
    /// were given for it. Files with one `package` belong together.
    pub fn set_files_as(&mut self, role: Role, files: Vec<File>) {
        let read = files.into_iter().enumerate().map(|(n, file)| {
            let format = self.formats.of_role_and_text(role, &file.text);
            ReadFile::given_as(n, file, format)
        });
        let files = read.collect();
        self.beside.insert(role, FilesByRole { files, at: 0 });
        self.model = None;
    }

    /// Release job specs of BOSH, named `<release>__<job>.yml`, beside those among the files.
    pub fn set_releases(&mut self, files: Vec<File>) {
        self.set_files_as(Role::Release, files);
    }

    /// Catalogs beside those among the files. Files with one `package` are one catalog of that name.
    pub fn set_catalogs(&mut self, files: Vec<File>) {
        self.set_files_as(Role::Catalog, files);
    }

    /// Replaces all files; the order is the merge order. Files whose text and place did not change are not read again.
    pub fn set_files(&mut self, files: Vec<File>) {
        let mut known: Vec<Option<ReadFile>> =
            std::mem::take(&mut self.files).into_iter().map(Some).collect();
        self.files = files
            .into_iter()
            .enumerate()
            .map(|(idx, file)| reuse(&mut known, idx, file, &self.formats, &self.counters))
            .collect();
        self.read_types();
    }

    /// Changes one file's text; adds it at the end when there is none of that name.
    pub fn set_file(&mut self, name: &str, text: &str) {
        self.counters.parsed.add();
        match self.files.iter_mut().enumerate().find(|(_, it)| it.name() == name) {
            Some((idx, file)) => *file = file.with_text(idx, text.into(), &self.formats),
            None => {
                let file = File { name: name.into(), text: text.into(), package: None };
                self.files.push(ReadFile::new(self.files.len(), file, &self.formats));
                self.read_types();
            }
        }
        self.retired = self.model.take();
    }

    /// Drops the data of answers before the last edit. It is dropped at the next edit otherwise, which may be when
    /// a user waits: a large model takes milliseconds.
    pub fn release(&mut self) {
        self.retired = None;
    }

    /// The files with their texts, in merge order.
    pub fn texts(&self) -> Vec<File> {
        self.files.iter().map(ReadFile::to_file).collect()
    }

    /// All files that were given: those in merge order, definitions of kinds, then those that were given with their role.
    pub fn given_files(&self) -> Vec<File> {
        let beside = self.beside.values().flat_map(|it| &it.files);
        self.files.iter().chain(&self.type_files).chain(beside).map(ReadFile::to_file).collect()
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Option<&Arc<str>> {
        Some(self.files.get(self.position(name)?)?.text())
    }

    /// True if every file's text is like that.
    pub fn all_texts(&self, is: impl Fn(&str) -> bool) -> bool {
        self.files.iter().all(|it| is(it.text()))
    }

    /// The files as they are now, for [`Self::restore`].
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.files.clone())
    }

    /// Takes the files of another moment in place of those there are; none is read again.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.files.clone_from(&snapshot.0);
        self.read_types();
    }

    /// The counts of work done since the workspace was created.
    pub fn work(&self) -> Work {
        self.counters.read()
    }

    /// The format and role of each file, in the same order.
    pub fn files(&self) -> Vec<FileView> {
        formats::views(&self.files, &self.formats, &self.types, pipeline::are_changed(&self.given()))
    }

    /// Adds or overrides kinds with definition files (the form of `crates/types/builtin/*.yaml`).
    pub fn set_types(&mut self, files: Vec<File>) {
        let offset = self.files.len();
        self.type_files = files
            .into_iter()
            .enumerate()
            .map(|(idx, file)| ReadFile::new(offset + idx, file, &self.formats))
            .collect();
        if self.type_files.is_empty() {
            self.types = Arc::new(Types::builtin());
            self.type_diagnostics.clear();
        }
        self.read_types();
    }

    /// True if resources of a kind exist on their own, rather than being parts of others. Unknown kinds count as such.
    pub fn is_resource_kind(&self, kind: &str) -> bool {
        self.types.kind(kind).is_none_or(|it| it.tangible)
    }

    /// Adds kinds that adapters define, in front of the definition files that are there: a definition in a file wins.
    pub fn add_types(&mut self, files: Vec<File>) {
        let there = self.type_files.iter().map(ReadFile::to_file);
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
        let files: Vec<File> = self.type_files.iter().map(ReadFile::to_file).collect();
        self.type_files = files
            .into_iter()
            .enumerate()
            .map(|(idx, file)| ReadFile::new(offset + idx, file, &self.formats))
            .collect();
        let mut types = Types::builtin();
        self.type_diagnostics.clear();
        for file in &self.type_files {
            self.type_diagnostics.extend(file.diagnostics().iter().cloned());
            let (read, mut found) = types::read(&types, file.document());
            types = read;
            self.type_diagnostics.append(&mut found);
        }
        self.types = Arc::new(types);
    }

    /// Sets whether unknown keys are only warnings.
    pub fn set_lenient(&mut self, lenient: bool) {
        self.lenient = lenient;
        self.model = None;
    }

    fn given(&self) -> BuildInputs<'_> {
        BuildInputs {
            files: &self.files,
            type_files: &self.type_files,
            beside: self.beside.iter().map(|(role, it)| (*role, &it.files[..])).collect(),
            formats: &self.formats,
            types: &self.types,
            type_diagnostics: &self.type_diagnostics,
            lenient: self.lenient,
            profile: self.profile,
            settings: &self.settings,
            answers: &self.answers,
            counters: &self.counters,
        }
    }

    /// Reads the files again whose places moved.
    fn place_beside(&mut self) {
        let mut at = self.files.len() + self.type_files.len();
        for (role, beside) in &mut self.beside {
            let format = self.formats.of_role(*role);
            if beside.at != at && !format.is_of_text() {
                let files = std::mem::take(&mut beside.files).into_iter().enumerate();
                beside.files =
                    files.map(|(n, it)| ReadFile::given_as(at + n, it.to_file(), format)).collect();
            }
            beside.at = at;
            at += beside.files.len();
        }
    }

    fn model(&mut self) -> (&Arc<Model>, &Types) {
        let model = match self.model.take() {
            Some(model) => model,
            None => {
                self.planned = None;
                self.place_beside();
                let mut capabilities = std::mem::take(&mut self.capabilities);
                let mut cache = std::mem::take(&mut self.cache);
                let model = pipeline::build(&self.given(), &mut capabilities, &mut cache);
                (self.capabilities, self.cache) = (capabilities, cache);
                Arc::new(model)
            }
        };
        let model = self.model.insert(model);
        (model, &model.types)
    }

    /// The current model, for a capability.
    pub fn current(&mut self) -> Arc<Model> {
        Arc::clone(self.model().0)
    }

    /// The built-in kinds, and those that were given as definitions.
    pub fn types(&self) -> &Types {
        &self.types
    }

    /// The needs of the files from outside that have not been answered yet.
    pub fn needs(&mut self) -> &[Need] {
        &self.model().0.needs
    }

    /// [`Self::needs`] as data.
    pub fn need_views(&mut self) -> Vec<NeedView> {
        let model = self.model().0;
        model.needs.iter().map(|it| locate::need_view(&model.sources, it)).collect()
    }

    /// Answers a need, in place of an earlier answer. The files are read again with it, and may need more.
    pub fn answer(&mut self, need: Need, answer: Answer) {
        self.answers.set(need, answer);
        self.model = None;
    }

    /// The same with the need as data, and with an answer in JSON: null for no, a text, or a list of resources. False if the
    /// files do not need that, or the answer is none of these.
    pub fn answer_view(&mut self, need: &NeedView, answer: serde_json::Value) -> bool {
        let is_it =
            |it: &NeedView| (it.kind, &it.name, &it.arguments) == (need.kind, &need.name, &need.arguments);
        let place = self.need_views().iter().position(is_it);
        let found = place.and_then(|it| self.needs().get(it).cloned());
        let answer = Answer::of_json(answer);
        let (Some(need), Some(answer)) = (found, answer) else { return false };
        self.answer(need, answer);
        true
    }

    /// Forgets all answers, so that what was answered is needed again.
    pub fn forget_answers(&mut self) {
        self.answers = Answers::default();
        self.model = None;
    }

    /// Gives the files as capabilities see them.
    pub fn with_inputs<T>(&self, ask: impl FnOnce(&Inputs<'_>) -> T) -> T {
        let inputs = self.given();
        let are_changed = pipeline::are_changed(&inputs);
        let assigned =
            formats::assign(inputs.files, inputs.formats, inputs.types, are_changed, &mut Diagnostics::new());
        let beside = pipeline::given_as(&inputs);
        let all = pipeline::inputs(&inputs, &assigned, &beside);
        let has_descriptors = formats::has_descriptors(inputs.files, &assigned);
        ask(&Inputs {
            all: &all,
            settings: &self.settings,
            readings: &[],
            answers: &self.answers,
            profile: self.profile,
            has_descriptors,
        })
    }

    /// Everything that is wrong.
    pub fn diagnostics(&mut self) -> CheckView {
        let model = self.model().0;
        let advisory: Diagnostics = model.advisory.iter().flat_map(|it| it.iter()).cloned().collect();
        CheckView {
            format: "planloom.check/1".into(),
            diagnostics: model.diagnostic_views_with(&model.sources, &advisory),
        }
    }

    /// The number of errors that prevent a plan. Those of catalogs do not: the rest of a catalog is usable, and
    /// if a package is unavailable because of them, that is an error of the resource that requires it.
    pub fn blocking_errors(&mut self) -> usize {
        let errors = self.model().0.diagnostics.iter();
        errors.filter(|it| it.severity == diag::Severity::Error).count()
    }

    /// The merged document; origins of every place when requested.
    pub fn merged(&mut self, origins: bool) -> MergeView {
        let (model, types) = self.model();
        MergeView {
            format: "planloom.merge/1".into(),
            document: json::node_to_json(&model.merged.root),
            origins: origins.then(|| origins::all(model, types)),
            inferred: origins::inferred(model),
            diagnostics: model.diagnostic_views().to_vec(),
        }
    }

    /// The values of the merged document that replace others.
    pub fn overrides(&mut self) -> Vec<OverrideView> {
        origins::overrides(self.model().0)
    }

    /// The name of the deployment, as written in the files.
    pub fn written_name(&mut self) -> Option<&str> {
        self.model().0.merged.at(&Pointer::root().key("meta").key("name"))?.as_str()
    }

    /// The number of nodes of [`Self::graph`].
    pub fn count_nodes(&mut self) -> usize {
        drawing::count_nodes(self.model().0)
    }

    /// The merged document as YAML text.
    pub fn merged_yaml(&mut self) -> String {
        syntax::emit(&self.model().0.merged.root)
    }

    /// The texts of all values that must not be shown, in clear: for callers who have to keep them out of their output.
    pub fn secrets(&mut self) -> BTreeSet<String> {
        self.model();
        self.model.as_ref().map(|it| secrets::all(&self.files, it, &it.types)).unwrap_or_default()
    }

    /// The files as they may be given away: without secrets, also where they were copied to.
    pub fn files_without_secrets(&mut self) -> Vec<File> {
        self.model();
        let files = self.model.as_ref().map(|it| secrets::without(&self.files, it, &it.types));
        files.unwrap_or_default()
    }

    /// The files as they may be shown: each secret is as many `*` as it has bytes, so that places stay where they are.
    pub fn masked_files(&mut self) -> Vec<File> {
        self.model();
        let files = self.model.as_ref().map(|it| secrets::masked(&self.files, it, &it.types));
        files.unwrap_or_default()
    }

    /// The origin of the value at a pointer; for a value that `!reset` removed, the location of the removal.
    pub fn origin(&mut self, pointer: &str) -> Option<OriginView> {
        let (model, types) = self.model();
        origins::one(model, types, &Pointer::parse(pointer))
    }

    /// The pointer to the attributes that a plan has in place of the name at a pointer: `/payloads/web` for
    /// `/services/web/payload`. `None` if the name embeds no attributes.
    pub fn embedded(&mut self, pointer: &str) -> Option<String> {
        let (model, types) = self.model();
        near::embedded(model, types, &Pointer::parse(pointer)).map(|it| it.to_string())
    }

    /// The place of the merged document that was probably meant by a pointer to nothing.
    pub fn nearest_pointer(&mut self, pointer: &str) -> Option<String> {
        near::place(self.model().0, &Pointer::parse(pointer)).map(|it| it.to_string())
    }

    /// The number of consumers of links, and the number of those that have a problem.
    pub fn count_links(&mut self) -> (usize, usize) {
        let links = &self.model().0.lowered.linking.links;
        (links.len(), links.iter().filter(|it| !it.outcome.is_fine()).count())
    }

    /// The number of packages that descriptors require, and the number of those that were not chosen.
    pub fn count_packages(&mut self) -> (usize, usize) {
        let model = self.model().0;
        let wanted = &model.lowered.package_requests;
        let missing = wanted.iter().filter(|it| !model.packages.contains_key(&it.package.text));
        (wanted.len(), missing.count())
    }

    /// The dependency graph.
    pub fn graph(&mut self) -> GraphView {
        drawing::graph_view(self.model().0)
    }

    /// The dependency graph as text.
    pub fn graph_text(&mut self, format: GraphFormat) -> String {
        let (model, _) = self.model();
        match format {
            GraphFormat::Dot => drawing::dot(model),
            GraphFormat::Mermaid => drawing::mermaid(model),
            GraphFormat::Svg => drawing::svg(model),
        }
    }

    /// The graph with places to draw it at.
    pub fn layout(&mut self) -> LayoutView {
        drawing::layout_view(self.model().0)
    }

    /// Places for boxes of these sizes, given which of them needs which, by index: nodes that a host shows in place of the
    /// graph, such as groups of resources, are drawn as the graph is.
    pub fn places(sizes: &[[f32; 2]], edges: &[[usize; 2]]) -> PlacesView {
        drawing::places(sizes, edges)
    }

    /// The plan. With an error in the files or the state it holds no action.
    pub fn plan(&mut self, options: &PlanOptions) -> PlanView {
        let planned = self.planned(options);
        planning::view(self.model().0, &planned, options)
    }

    /// [`Self::plan`] as JSON text, made in less time.
    pub fn plan_json(&mut self, options: &PlanOptions) -> String {
        let planned = self.planned(options);
        planning::json(self.model().0, &planned, options)
    }

    /// The plan for these options: the one of before, while nothing has changed.
    fn planned(&mut self, options: &PlanOptions) -> Rc<Planned> {
        self.model();
        if let Some((_, planned)) = self.planned.as_ref().filter(|it| it.0 == *options) {
            return Rc::clone(planned);
        }
        let (model, types) = self.model();
        let planned = Rc::new(planning::make(model, types, options));
        self.counters.planned.add();
        self.planned = Some((options.clone(), Rc::clone(&planned)));
        planned
    }

    /// The descriptors as they are now, for an engine to carry out. Of the options, those that name states do not count.
    #[cfg(feature = "engine")]
    pub fn deployment(&mut self, options: &PlanOptions) -> Rc<Deployment> {
        let secrets = self.secrets();
        let model = self.model().0.clone();
        let types = Rc::new(Types::clone(&model.types));
        Rc::new(Deployment::new(model, types, options.clone(), secrets))
    }

    /// The hover of a position in a file: documentation, effective value, origins and planned action.
    /// `line` and `column` count from 1, columns in characters.
    pub fn hover(&mut self, file: &str, line: u32, column: u32, options: &PlanOptions) -> Option<HoverView> {
        let idx = self.position(file)?;
        let planned = self.planned(options);
        let (model, read) = (self.model.as_ref()?, self.files.get(idx)?);
        let offset = model.sources.get(FileId(idx as u32))?.offset(Location { line, column });
        let place = place::at_offset(read.document().root.as_ref()?, offset)?;
        hover::hover(model, &model.types, &planned.plan, &place)
    }

    /// The completions at a position.
    pub fn complete(&mut self, file: &str, line: u32, column: u32) -> Vec<CompletionView> {
        let Some(idx) = self.position(file) else { return Vec::new() };
        self.model();
        let Some(model) = self.model.as_ref() else { return Vec::new() };
        let Some(source) = model.sources.get(FileId(idx as u32)) else { return Vec::new() };
        let known = complete::Known { model, types: &model.types, capabilities: &self.capabilities };
        complete::complete(known, source, Location { line, column })
    }

    /// The location of the declaration of the resource that is named at a position.
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
        let path = place::in_file(&model.types, read.document().root.as_ref(), &Pointer::parse(pointer));
        let edits = syntax::edit::set(FileId(idx as u32), read.text(), &path, yaml).ok()?;
        Some(edits.iter().map(|edit| locate::edit_view(&model.sources, edit)).collect())
    }

    fn position(&self, file: &str) -> Option<usize> {
        self.files.iter().position(|it| it.name() == file)
    }

    /// The type definitions as a JSON Schema of a descriptor.
    pub fn json_schema(&self) -> String {
        types::json_schema(&self.types)
    }

    /// The YAML files of a zip package, as layers without an order among them.
    ///
    /// # Errors
    /// The reason why the package is refused, or that it holds no file that counts.
    pub fn read_package(name: &str, bytes: &[u8]) -> Result<Vec<File>, PackageProblem> {
        package::read(name, bytes)
    }

    /// The files as a zip package.
    pub fn write_package(&self) -> Vec<u8> {
        let files =
            self.files.iter().map(|it| PackageFile { name: it.name().into(), text: it.text().to_string() });
        syntax::package::write(&files.collect::<Vec<_>>())
    }
}

/// A file as it was read before, if it is the same in the same place.
fn reuse(
    known: &mut [Option<ReadFile>],
    idx: usize,
    file: File,
    formats: &Formats,
    counters: &Counters,
) -> ReadFile {
    let same = known
        .get_mut(idx)
        .filter(|it| it.as_ref().is_some_and(|it| **it.text() == *file.text && *it.name() == *file.name));
    match same.and_then(Option::take) {
        Some(read) => read.in_package(file.package),
        None => {
            counters.parsed.add();
            ReadFile::new(idx, file, formats)
        }
    }
}
