//! From texts to a model: the one place that names all phases.

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    rc::Rc,
    sync::{Arc, OnceLock},
};

use diag::{Code, Diagnostic, Diagnostics, FileId, Sources, order};
use graph::Graph;
use links::Profile;
use lower::Lowered;
use merge::{Layer, Merged};
use model::Desired;
use types::Types;

use crate::{
    capability::{Capability, Choice, Contribution, Described, Hook, Package},
    file::ReadFile,
    formats::{Assigned, Formats, Reader, SyntaxCheck, assign, has_descriptors},
    inputs::{Input, Inputs},
    locate::diagnostic_views,
    view::{DiagnosticView, Role},
    work::Counters,
};

const NO_FILES: Code = Code("workspace/no-files");
const NOTHING_DESCRIBED: Code = Code("workspace/nothing-described");
const SAME_NAME: Code = Code("workspace/same-name");
const NOT_LOADED: Code = Code("capability/not-loaded");

/// A key in which something cannot be seen.
const INVISIBLE: &str = "syntax/invisible-character";

/// The meaning of all texts.
pub struct Model {
    /// All files, in their order: descriptors, definitions of kinds, then those that were given with another role.
    pub sources: Sources,
    /// The merged tree, with who wrote what.
    pub merged: Merged,
    /// The desired resources.
    pub lowered: Lowered,
    /// The dependency graph.
    pub graph: Graph,
    /// The problems that were found.
    pub diagnostics: Diagnostics,
    /// Problems that do not prevent a plan.
    pub(crate) advisory: Vec<Arc<Diagnostics>>,
    /// Why what is described is not planned, where that is so.
    pub(crate) not_planned: Option<Diagnostic>,
    /// The packages that were chosen for what the descriptors want, by name.
    pub packages: BTreeMap<Arc<str>, Package>,
    /// Capabilities that the files need and that are not loaded.
    pub(crate) not_loaded: Vec<&'static str>,
    /// In the order of the capabilities.
    pub(crate) readings: Vec<Arc<dyn Any + Send + Sync>>,
    views: OnceLock<Vec<DiagnosticView>>,
    counters: Arc<Counters>,
}

/// The inputs of a model.
pub(crate) struct BuildInputs<'a> {
    pub(crate) files: &'a [ReadFile],
    pub(crate) type_files: &'a [ReadFile],
    /// Files that were given with their role.
    pub(crate) beside: Vec<(Role, &'a [ReadFile])>,
    pub(crate) formats: &'a Formats,
    pub(crate) types: &'a Types,
    /// The problems of the type files.
    pub(crate) type_diagnostics: &'a Diagnostics,
    pub(crate) lenient: bool,
    pub(crate) profile: Profile,
    pub(crate) settings: &'a [Rc<dyn Any>],
    pub(crate) counters: &'a Arc<Counters>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("graph", &self.graph).finish_non_exhaustive()
    }
}

impl Model {
    /// The data that a capability stores for its queries; `None` if it is not loaded.
    pub fn reading<T: Any>(&self) -> Option<&T> {
        self.readings.iter().find_map(|it| it.downcast_ref())
    }

    /// The views of the diagnostics; computed once for each model.
    pub fn diagnostic_views(&self) -> &[DiagnosticView] {
        self.views.get_or_init(|| {
            self.counters.converted.add();
            diagnostic_views(&self.sources, &self.diagnostics)
        })
    }

    /// The same with what is only wrong for one question.
    pub fn diagnostic_views_with(&self, sources: &Sources, more: &[Diagnostic]) -> Vec<DiagnosticView> {
        if more.is_empty() {
            return self.diagnostic_views().to_vec();
        }
        let all: Diagnostics = self.diagnostics.iter().chain(more).cloned().collect();
        diagnostic_views(sources, &all)
    }
}

/// Everything but planning.
pub(crate) fn build(given: &BuildInputs<'_>, capabilities: &mut [Box<dyn Capability>]) -> Model {
    let BuildInputs { files, types, .. } = *given;
    given.counters.modelled.add();
    let sources: Sources = all_files(given).map(|it| it.source.clone()).collect();
    let mut diagnostics = given.type_diagnostics.clone();
    if !is_specified(given) {
        check_files(files, types, &mut diagnostics);
    }
    let assigned = assign(files, given.formats, types, are_changed(given), &mut diagnostics);
    let beside = given_as(given);
    let all = inputs(given, &assigned, &beside);
    let has_descriptors = has_descriptors(files, &assigned);
    let inputs = Inputs { all: &all, settings: given.settings, profile: given.profile, has_descriptors };
    diagnostics.extend(all.iter().flat_map(own_diagnostics));
    let mut contributions: Vec<Contribution> = capabilities.iter_mut().map(|it| it.read(&inputs)).collect();
    contributions.iter_mut().for_each(|it| diagnostics.append(&mut it.diagnostics));
    let mut not_loaded = missing(given.formats, capabilities, &all, &mut diagnostics);
    let readings: Vec<_> = contributions.iter().map(|it| Arc::clone(&it.reading)).collect();
    let advisory = contributions.iter().map(|it| Arc::clone(&it.advisory)).collect();
    let described = match has_descriptors {
        true => None,
        false => {
            contributions.iter_mut().find_map(|it| Some((it.described.take()?, std::mem::take(&mut it.site))))
        }
    };
    let (mut choice, mut not_planned) = (Choice::default(), None);
    let (merged, mut lowered) = match described {
        Some((Described { merged, not_planned: why }, site)) => {
            not_planned = Some(why);
            (merged, linked(site, given.profile, &sources))
        }
        None => {
            let mut choose = |wanted: &[lower::PackageRequest]| {
                given.counters.solved.add();
                let own = capabilities.iter().zip(&readings);
                let chosen = own.filter_map(|(it, reading)| it.choose(reading.as_ref(), wanted)).next();
                choice = chosen.unwrap_or_default();
                std::mem::take(&mut choice.pins)
            };
            let sites = contributions.into_iter().flat_map(|it| it.site.deployments).collect();
            let accessors = capabilities.iter().find_map(|it| it.accessors());
            descriptors(given, &assigned, sites, &sources, &mut diagnostics, &mut choose, accessors)
        }
    };
    let wanted = lowered.package_requests.first().map(|it| (Hook::Versions, it.package.span));
    let accessor = lowered.unread_accessor.map(|it| (Hook::Accessors, it));
    for (hook, span) in wanted.into_iter().chain(accessor) {
        let owner = given.formats.registered().iter().find(|it| it.hooks.contains(&hook)).map(|it| it.name);
        let missing = owner.filter(|it| !is_loaded(capabilities, it) && !not_loaded.contains(it));
        if let Some(name) = missing {
            diagnostics.push(not_loaded_yet(name, span));
            not_loaded.push(name);
        }
    }
    diagnostics.append(&mut choice.diagnostics);
    let (graph, mut found) = Graph::build(&lowered.desired);
    let mut from_model = std::mem::take(&mut lowered.diagnostics);
    from_model.append(&mut found);
    let is_partial = files.iter().any(|it| it.document().partial);
    if is_partial || assigned.iter().any(|it| it.is(Reader::Refused)) || !not_loaded.is_empty() {
        from_model.retain(|it| !is_consequence(it));
    }
    diagnostics.append(&mut from_model);
    let packages = order::map(choice.packages.into_iter().map(|it| (Arc::clone(&it.name), it)));
    Model {
        sources,
        merged,
        lowered,
        graph,
        diagnostics,
        advisory,
        not_planned,
        packages,
        not_loaded,
        readings,
        views: OnceLock::new(),
        counters: Arc::clone(given.counters),
    }
}

/// Whether operations or variables are given beside the files.
pub(crate) fn are_changed(given: &BuildInputs<'_>) -> bool {
    let changes = |role| matches!(role, Role::Operations | Role::Variables);
    given.beside.iter().any(|(role, files)| changes(*role) && !files.is_empty())
}

fn all_files<'a>(inputs: &BuildInputs<'a>) -> impl Iterator<Item = &'a ReadFile> {
    let beside = inputs.beside.iter().flat_map(|(_, files)| *files);
    inputs.files.iter().chain(inputs.type_files).chain(beside)
}

/// The formats of the files that were given with their role.
pub(crate) fn given_as(inputs: &BuildInputs<'_>) -> Vec<Assigned> {
    let format = |role: Role, file: &ReadFile| {
        file.of_text().map_or_else(|| inputs.formats.of_role(role), |it| it.format)
    };
    let given = |role: Role, file: &ReadFile| Assigned::given(format(role, file));
    inputs.beside.iter().flat_map(|(role, files)| files.iter().map(move |it| given(*role, it))).collect()
}

/// The files with what each of them is.
pub(crate) fn inputs<'a>(
    given: &BuildInputs<'a>,
    assigned: &'a [Assigned],
    beside: &'a [Assigned],
) -> Vec<Input<'a>> {
    let behind = given.files.len() + given.type_files.len();
    let among = given.files.iter().zip(assigned).enumerate();
    let files = given.beside.iter().flat_map(|(_, files)| *files);
    let others = files.zip(beside).enumerate().map(|(n, it)| (behind + n, it));
    let input = |(n, (file, assigned))| Input { id: FileId(n as u32), file, assigned };
    among.chain(others).map(input).collect()
}

fn is_loaded(capabilities: &[Box<dyn Capability>], name: &str) -> bool {
    capabilities.iter().any(|it| it.registration().name == name)
}

/// The capabilities that would read some file and are not loaded; each is told at the first such file.
fn missing(
    formats: &Formats,
    capabilities: &[Box<dyn Capability>],
    all: &[Input<'_>],
    diagnostics: &mut Diagnostics,
) -> Vec<&'static str> {
    let mut missing = Vec::new();
    for input in all.iter().filter(|it| it.assigned.is(Reader::Capability)) {
        let name = formats.capability(input.assigned.format);
        if !is_loaded(capabilities, name) && !missing.contains(&name) {
            diagnostics.push(not_loaded_yet(name, diag::Span::at(input.id, 0)));
            missing.push(name);
        }
    }
    missing
}

fn not_loaded_yet(name: &str, span: diag::Span) -> Diagnostic {
    let message = format!("this needs the capability `{name}`, which is not loaded");
    let help = "call `await workspace.ready()`, which loads what the files need";
    Diagnostic::error(NOT_LOADED, span, message).help(help)
}

/// The problems of the text of a file.
fn own_diagnostics(input: &Input<'_>) -> Vec<Diagnostic> {
    let own = input.file.diagnostics().iter();
    match input.assigned.format.syntax {
        SyntaxCheck::All => own.cloned().collect(),
        SyntaxCheck::ForeignNames => own.map(lenient).collect(),
        SyntaxCheck::Except(code) => own.filter(|it| it.code.0 != code).cloned().collect(),
        SyntaxCheck::ByReader => Vec::new(),
    }
}

/// Reports text that other tools may accept as a warning.
fn lenient(found: &Diagnostic) -> Diagnostic {
    let severity = if found.code.0 == INVISIBLE { diag::Severity::Warning } else { found.severity };
    Diagnostic { severity, ..found.clone() }
}

/// A site that is described by other files than descriptors, linked.
fn linked(site: links::LinkModel, profile: Profile, sources: &Sources) -> Lowered {
    let links = links::select(&site, profile);
    let diagnostics = links::report(&site, &links, profile, sources);
    let deployment = site.deployments.first().map(|it| it.name.clone());
    let desired = Desired { deployment, ..Desired::default() };
    Lowered { desired, linking: lower::Linking { site, links }, diagnostics, ..Lowered::default() }
}

/// Descriptors, with the deployments beside them that links may cross over to.
fn descriptors(
    inputs: &BuildInputs<'_>,
    formats: &[Assigned],
    sites: Vec<links::Deployment>,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
    choose: lower::Choose<'_>,
    accessors: Option<&dyn lower::AccessorReader>,
) -> (Merged, Lowered) {
    let mut merge_of = |deployment: Option<&Arc<str>>| {
        let counts = |it: &Assigned| it.is(Reader::Descriptor) && it.beside.as_ref() == deployment;
        // Every file is a layer, so that it has its number; those that do not count are empty.
        let layers = inputs.files.iter().zip(formats).map(|(file, it)| layer(file, counts(it)));
        let (merged, mut found) = merge::merge(&layers.collect::<Vec<_>>(), inputs.types);
        diagnostics.append(&mut found);
        merged
    };
    let mut merged = merge_of(None);
    let mut names: Vec<&Arc<str>> = Vec::new();
    for name in formats.iter().filter_map(|it| it.beside.as_ref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let others: Vec<(&Arc<str>, Merged)> = names.into_iter().map(|it| (it, merge_of(Some(it)))).collect();
    let others = others
        .iter()
        .map(|(name, merged)| lower::OtherDeployment::Descriptors { name: Arc::clone(name), merged });
    let beside: Vec<_> = others.chain(sites.into_iter().map(lower::OtherDeployment::Read)).collect();
    let options = lower::Options { lenient: inputs.lenient, profile: inputs.profile };
    let lowered = lower::lower(&merged, beside, inputs.types, sources, options, choose, accessors);
    lower::keep_texts(&mut merged, inputs.types, sources, &lowered.diagnostics, diagnostics);
    (merged, lowered)
}

/// A file as a layer; without what it holds where that does not count.
fn layer(file: &ReadFile, counts: bool) -> Layer {
    let root = file.document().root.clone().filter(|_| counts);
    Layer { root, package: file.package().cloned(), has_tags: file.has_tags() }
}

/// Whether a mistake may only be there because part of a file could not be read.
fn is_consequence(diagnostic: &Diagnostic) -> bool {
    let codes = [
        "lower/unknown-name",
        "lower/missing-field",
        "lower/unused",
        "lower/no-such-value",
        "lower/wrong-kind",
        "lower/unknown-link",
        "links/none-found",
        "links/no-deployment",
    ];
    codes.contains(&diagnostic.code.0)
}

/// Whether there are specifications and nothing else: those need no descriptor.
fn is_specified(given: &BuildInputs<'_>) -> bool {
    let has = |(role, files): &(Role, &[ReadFile])| *role == Role::Specification && !files.is_empty();
    given.files.is_empty() && given.beside.iter().any(has)
}

fn check_files(files: &[ReadFile], types: &Types, diagnostics: &mut Diagnostics) {
    if files.is_empty() {
        let help = "give at least one YAML file";
        diagnostics.push(Diagnostic::error(NO_FILES, None, "there are no files").help(help));
        return;
    }
    if files.iter().all(|it| it.document().root.is_none() && !it.document().partial) {
        let span = diag::Span::at(FileId(0), 0);
        let tangible = types.kinds.iter().filter(|it| it.tangible).map(|it| format!("`{}:`", it.collection));
        let help = format!("begin with {}", tangible.collect::<Vec<_>>().join(" or "));
        diagnostics.push(Diagnostic::warning(NOTHING_DESCRIBED, span, "no resource is described").help(help));
    }
    for (idx, file) in files.iter().enumerate() {
        if files.iter().take(idx).any(|it| it.name() == file.name()) {
            let message = format!("there are two files called `{}`", file.name());
            let help = "give each file once";
            let span = diag::Span::at(FileId(idx as u32), 0);
            diagnostics.push(Diagnostic::warning(SAME_NAME, span, message).help(help));
        }
    }
}
