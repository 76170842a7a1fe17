//! From texts to a model: the one place that names all phases.

use std::{
    any::Any,
    collections::BTreeMap,
    fmt,
    rc::Rc,
    sync::{Arc, OnceLock},
};

use diag::{Diagnostic, Diagnostics, FileId, Sources, order};
use graph::Graph;
use links::{LinkModel, Profile};
use lower::Lowered;
use merge::{Layer, Merged};
use model::Desired;
use syntax::codes::INVISIBLE_CHARACTER;
use types::{TypeDefinition, Types};

use crate::{
    answers::{Answers, Need},
    capability::{
        Capability, Choice, CombinedDocument, Contribution, FileLayer, FrontEnd as _, Hook, NamedResource,
        Package,
    },
    codes,
    descriptors::Descriptors,
    file::ReadFile,
    formats::{Assigned, Formats, Reader, SyntaxCheck, assign, has_descriptors},
    inputs::{Input, Inputs},
    locate::diagnostic_views,
    view::{DiagnosticView, Role},
    work::Counters,
};

/// The meaning of all texts.
pub struct Model {
    /// All files, in their order: descriptors, definitions of kinds, then those that were given with another role.
    pub sources: Sources,
    /// The kinds, with those that the files define.
    pub types: Arc<Types>,
    /// The merged tree, with the origins of its values.
    pub merged: Merged,
    /// The desired resources.
    pub lowered: Lowered,
    /// The dependency graph.
    pub graph: Graph,
    /// The problems that were found.
    pub diagnostics: Diagnostics,
    /// Problems that do not prevent a plan.
    pub(crate) advisory: Vec<Arc<Diagnostics>>,
    /// Problems of a plan. With an error there is none.
    pub(crate) plan_diagnostics: Diagnostics,
    /// The needs from outside that were not answered.
    pub(crate) needs: Vec<Need>,
    /// The packages that were chosen for the requirements of the descriptors, by name.
    pub packages: BTreeMap<Arc<str>, Package>,
    /// Capabilities that the files need and that are not loaded.
    pub(crate) not_loaded: Vec<&'static str>,
    /// The readings of the capabilities, in their order.
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
    pub(crate) types: &'a Arc<Types>,
    /// The problems of the type files.
    pub(crate) type_diagnostics: &'a Diagnostics,
    pub(crate) lenient: bool,
    pub(crate) profile: Profile,
    pub(crate) settings: &'a [Rc<dyn Any>],
    pub(crate) answers: &'a Answers,
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

    /// The same with the problems of one question only.
    pub fn diagnostic_views_with(&self, sources: &Sources, more: &[Diagnostic]) -> Vec<DiagnosticView> {
        if more.is_empty() {
            return self.diagnostic_views().to_vec();
        }
        let all: Diagnostics = self.diagnostics.iter().chain(more).cloned().collect();
        diagnostic_views(sources, &all)
    }
}

/// Everything but planning.
pub(crate) fn build(
    given: &BuildInputs<'_>,
    capabilities: &mut [Box<dyn Capability>],
    cache: &mut lower::Cache,
) -> Model {
    given.counters.modelled.add();
    let sources: Sources = all_files(given).map(|it| it.source.clone()).collect();
    let mut diagnostics = given.type_diagnostics.clone();
    let mut of_formats = Diagnostics::new();
    let assigned = assign(given.files, given.formats, given.types, are_changed(given), &mut of_formats);
    if !is_specified(given) {
        check_files(given.files, &assigned, given.types, &mut diagnostics);
    }
    diagnostics.append(&mut of_formats);
    let beside = given_as(given);
    let all = inputs(given, &assigned, &beside);
    diagnostics.extend(all.iter().flat_map(own_diagnostics));
    let mut described = read(given, capabilities, &all, has_descriptors(given.files, &assigned));
    diagnostics.append(&mut described.diagnostics);
    let mut not_loaded = missing(given.formats, capabilities, &all, &mut diagnostics);
    let types = described.types(given.types);
    let readings = std::mem::take(&mut described.readings);
    let mut choice = Choice::default();
    let (merged, mut lowered) = match described.combined.take() {
        Some((CombinedDocument { merged, not_planned: why }, site)) => {
            described.plan_diagnostics.push(why);
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
            let accessors = capabilities.iter().find_map(|it| it.accessors());
            let layers = Layers { described: &mut described, types: &types, sources: &sources };
            layers.lower(given, &mut diagnostics, &mut choose, accessors, cache)
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
    let is_partial = given.files.iter().any(|it| it.document().partial);
    if is_partial || assigned.iter().any(|it| it.is(Reader::Refused)) || !not_loaded.is_empty() {
        from_model.retain(|it| !is_consequence(it));
    }
    diagnostics.append(&mut from_model);
    let packages = order::map(choice.packages.into_iter().map(|it| (Arc::clone(&it.name), it)));
    Model {
        sources,
        types,
        merged,
        lowered,
        graph,
        diagnostics,
        advisory: described.advisory,
        plan_diagnostics: described.plan_diagnostics,
        needs: described.needs,
        packages,
        not_loaded,
        readings,
        views: OnceLock::new(),
        counters: Arc::clone(given.counters),
    }
}

/// The contributions of all front ends, by their use.
#[derive(Default)]
struct Contributions {
    layers: Vec<FileLayer>,
    kinds: Vec<TypeDefinition>,
    names: Vec<NamedResource>,
    needs: Vec<Need>,
    sites: Vec<links::Deployment>,
    /// The document and links to show if no file is a layer.
    combined: Option<(CombinedDocument, LinkModel)>,
    diagnostics: Diagnostics,
    plan_diagnostics: Diagnostics,
    advisory: Vec<Arc<Diagnostics>>,
    /// The readings of the capabilities, in their order.
    readings: Vec<Arc<dyn Any + Send + Sync>>,
}

/// Lets every front end read its files: the core's own, then those of the capabilities in their order.
fn read(
    given: &BuildInputs<'_>,
    capabilities: &mut [Box<dyn Capability>],
    all: &[Input<'_>],
    has_descriptors: bool,
) -> Contributions {
    let mut described = Contributions::default();
    let inputs = Inputs {
        all,
        settings: given.settings,
        readings: &[],
        answers: given.answers,
        profile: given.profile,
        has_descriptors,
    };
    let own = Descriptors.read(&inputs);
    described.take(own, has_descriptors);
    for front_end in capabilities {
        let mut read = front_end.read(&Inputs { readings: &described.readings, ..inputs });
        let reading = std::mem::replace(&mut read.reading, Arc::new(()));
        described.readings.push(reading);
        described.advisory.push(Arc::clone(&read.advisory));
        described.take(read, has_descriptors);
    }
    if described.layers.iter().any(|it| it.deployment.is_none() && it.layer.root.is_some()) {
        described.combined = None;
    }
    described
}

impl Contributions {
    /// The first document that is combined by rules of its own counts, with its site; other sites are beside.
    fn take(&mut self, mut read: Contribution, has_descriptors: bool) {
        self.diagnostics.append(&mut read.diagnostics);
        self.plan_diagnostics.append(&mut read.plan_diagnostics);
        if !read.layers.is_empty() {
            self.kinds.append(&mut read.kinds);
        }
        self.layers.append(&mut read.layers);
        self.names.append(&mut read.names);
        self.needs.append(&mut read.needs);
        match read.combined.filter(|_| !has_descriptors && self.combined.is_none()) {
            Some(combined) => self.combined = Some((combined, read.site)),
            None => self.sites.append(&mut read.site.deployments),
        }
    }

    /// The kinds, with those that front ends define. A kind that is defined already stays as it is.
    fn types(&mut self, given: &Arc<Types>) -> Arc<Types> {
        let mut types = Arc::clone(given);
        for kind in std::mem::take(&mut self.kinds) {
            if types.kind(&kind.kind).is_none() {
                Arc::make_mut(&mut types).kinds.push(kind);
            }
        }
        types
    }
}

/// True if operations or variables are given beside the files.
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

/// The files with their formats.
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

/// The capabilities that would read some file and are not loaded; each is reported at the first such file.
fn missing(
    formats: &Formats,
    capabilities: &[Box<dyn Capability>],
    all: &[Input<'_>],
    diagnostics: &mut Diagnostics,
) -> Vec<&'static str> {
    let mut missing = Vec::new();
    for input in
        all.iter().filter(|it| matches!(it.assigned.format.reader, Reader::Capability | Reader::Layer))
    {
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
    Diagnostic::error(codes::capability::NOT_LOADED, span, message).help(help)
}

/// The problems of the text of a file.
fn own_diagnostics(input: &Input<'_>) -> Vec<Diagnostic> {
    let own = input.file.diagnostics().iter();
    match input.assigned.format.syntax {
        SyntaxCheck::All => own.cloned().collect(),
        SyntaxCheck::ForeignNames => own.map(lenient).collect(),
        SyntaxCheck::Except(code) => own.filter(|it| it.code != code).cloned().collect(),
        SyntaxCheck::ByReader => Vec::new(),
    }
}

/// Reports text that other tools may accept as a warning.
fn lenient(found: &Diagnostic) -> Diagnostic {
    let severity = if found.code == INVISIBLE_CHARACTER { diag::Severity::Warning } else { found.severity };
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

/// The layers of all front ends.
struct Layers<'l> {
    described: &'l mut Contributions,
    types: &'l Arc<Types>,
    sources: &'l Sources,
}

impl Layers<'_> {
    /// Merges and lowers the layers of the described deployment, with the deployments beside it that links may cross over to.
    fn lower(
        self,
        given: &BuildInputs<'_>,
        diagnostics: &mut Diagnostics,
        choose: lower::Choose<'_>,
        accessors: Option<&dyn lower::AccessorReader>,
        cache: &mut lower::Cache,
    ) -> (Merged, Lowered) {
        let sites = std::mem::take(&mut self.described.sites);
        let mut merged = self.merged(None, diagnostics);
        let mut names: Vec<Arc<str>> = Vec::new();
        for name in self.described.layers.iter().filter_map(|it| it.deployment.as_ref()) {
            if !names.contains(name) {
                names.push(Arc::clone(name));
            }
        }
        let others: Vec<(Arc<str>, Merged)> =
            names.into_iter().map(|it| (Arc::clone(&it), self.merged(Some(&it), diagnostics))).collect();
        let others = others
            .iter()
            .map(|(name, merged)| lower::OtherDeployment::Descriptors { name: Arc::clone(name), merged });
        let beside: Vec<_> = others.chain(sites.into_iter().map(lower::OtherDeployment::Read)).collect();
        let options = lower::Options { lenient: given.lenient, profile: given.profile };
        let input = lower::Input {
            merged: &merged,
            beside,
            names: &self.described.names,
            types: self.types,
            sources: self.sources,
            options,
        };
        let lowered = lower::lower(input, choose, accessors, cache);
        lower::keep_texts(&mut merged, self.types, self.sources, &lowered.diagnostics, diagnostics);
        (merged, lowered)
    }

    /// The merged layers of a deployment. Every file is a layer, so that it has its number; those that do not count are empty.
    fn merged(&self, deployment: Option<&Arc<str>>, diagnostics: &mut Diagnostics) -> Merged {
        let mut layers: Vec<Layer> = self.sources.iter().map(|_| Layer::new(None, None)).collect();
        for own in self.described.layers.iter().filter(|it| it.deployment.as_ref() == deployment) {
            if let Some(layer) = layers.get_mut(own.file.0 as usize) {
                *layer = own.layer.clone();
            }
        }
        let (merged, mut found) = merge::merge(&layers, self.types);
        diagnostics.append(&mut found);
        merged
    }
}

/// True if a mistake may only be there because part of a file could not be read.
fn is_consequence(diagnostic: &Diagnostic) -> bool {
    let codes = [
        lower::codes::UNKNOWN_NAME,
        lower::codes::MISSING_FIELD,
        lower::codes::UNUSED,
        lower::codes::NO_SUCH_VALUE,
        lower::codes::WRONG_KIND,
        lower::codes::UNKNOWN_LINK,
        links::codes::NONE_FOUND,
        links::codes::NO_DEPLOYMENT,
    ];
    codes.contains(&diagnostic.code)
}

/// True if there are specifications and nothing else: those need no descriptor.
fn is_specified(given: &BuildInputs<'_>) -> bool {
    let has = |(role, files): &(Role, &[ReadFile])| *role == Role::Specification && !files.is_empty();
    given.files.is_empty() && given.beside.iter().any(has)
}

fn check_files(files: &[ReadFile], assigned: &[Assigned], types: &Types, diagnostics: &mut Diagnostics) {
    if files.is_empty() {
        let help = "give at least one YAML file";
        diagnostics
            .push(Diagnostic::error(codes::workspace::NO_FILES, None, "there are no files").help(help));
        return;
    }
    // A format that is recognised by its text has no document.
    let is_empty = |(file, assigned): (&ReadFile, &Assigned)| {
        file.document().root.is_none() && !file.document().partial && !assigned.is(Reader::Layer)
    };
    if files.iter().zip(assigned).all(is_empty) {
        let span = diag::Span::at(FileId(0), 0);
        let tangible = types.kinds.iter().filter(|it| it.tangible).map(|it| format!("`{}:`", it.collection));
        let help = format!("begin with {}", tangible.collect::<Vec<_>>().join(" or "));
        diagnostics.push(
            Diagnostic::warning(codes::workspace::NOTHING_DESCRIBED, span, "no resource is described")
                .help(help),
        );
    }
    for (idx, file) in files.iter().enumerate() {
        if files.iter().take(idx).any(|it| it.name() == file.name()) {
            let message = format!("there are two files called `{}`", file.name());
            let help = "give each file once";
            let span = diag::Span::at(FileId(idx as u32), 0);
            diagnostics.push(Diagnostic::warning(codes::workspace::SAME_NAME, span, message).help(help));
        }
    }
}
