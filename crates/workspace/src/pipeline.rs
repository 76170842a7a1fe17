//! From texts to a model: the one place that names all phases.

use std::{collections::BTreeMap, sync::Arc};

use catalog::active_resolution::ActiveResolution;
use diag::{Code, Diagnostic, Diagnostics, FileId, Source, Sources};
use graph::Graph;
use lower::Lowered;
use merge::{Layer, Merged};
use model::Desired;
use resolve::Problem;
use syntax::{Limits, Parse};
use types::Types;

use crate::{
    File,
    formats::{Assigned, Format, Reader, assign},
    names,
    versions::{
        self, Choice, From, Shelf, integrity,
        lock::{self, Lock, Locked},
    },
};

const NO_FILES: Code = Code("workspace/no-files");
const NOTHING_DESCRIBED: Code = Code("workspace/nothing-described");
const SAME_NAME: Code = Code("workspace/same-name");

/// A file that was read; kept while its text and place in the order stay the same.
#[derive(Debug)]
pub(crate) struct ReadFile {
    pub(crate) file: File,
    source: Source,
    parse: Arc<Parse>,
    /// What it is and why, where its text alone tells.
    of_text: Option<(&'static Format, &'static str)>,
}

impl ReadFile {
    pub(crate) fn new(idx: usize, file: File) -> Self {
        let of_text = Format::of_text(&file.text);
        // They hold many documents, and are read as such.
        let parse = match of_text {
            Some(_) => Parse::default(),
            None => syntax::parse(FileId(idx as u32), &file.text, &Limits::default()),
        };
        let source = Source::new(file.name.as_str(), file.text.as_str());
        Self { file, source, parse: Arc::new(parse), of_text }
    }

    /// A file that was named as part of a catalog, whatever it looks like.
    pub(crate) fn of_catalog(file: File) -> Self {
        let source = Source::new(file.name.as_str(), file.text.as_str());
        let of_text = Format::read_by(Reader::Catalog).map(|it| (it, "it was given as a catalog"));
        Self { file, source, parse: Arc::default(), of_text }
    }

    /// What it is and why, where its text alone tells.
    pub(crate) const fn format_of_text(&self) -> Option<(&'static Format, &'static str)> {
        self.of_text
    }

    pub(crate) fn is_catalog(&self) -> bool {
        self.of_text.is_some_and(|(format, _)| format.reader == Reader::Catalog)
    }

    pub(crate) fn text(&self) -> Arc<str> {
        Arc::clone(&self.source.text)
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
    /// Jobs of BOSH whose spec was not given, and how often they are deployed.
    pub(crate) jobs_without_spec: BTreeMap<Arc<str>, u32>,
    /// It is a manifest of BOSH that is described, which can be looked at and not planned.
    pub(crate) is_manifest: bool,
    /// What was chosen earlier, as it is recorded.
    pub(crate) lock: Option<Lock>,
    /// The documents that ask for packages.
    pub(crate) resolutions: Vec<(FileId, ActiveResolution)>,
    /// Variables and constraints, from a document: then nothing else is asked.
    pub(crate) problem: Option<Problem>,
    /// The packages that were chosen for what the descriptors want.
    pub(crate) packages: BTreeMap<Arc<str>, Locked>,
}

/// What a model is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'a> {
    pub(crate) files: &'a [ReadFile],
    pub(crate) type_files: &'a [ReadFile],
    /// Job specs of BOSH.
    pub(crate) releases: &'a [ReadFile],
    pub(crate) types: &'a Types,
    /// What is wrong with the type files.
    pub(crate) type_diagnostics: &'a Diagnostics,
    pub(crate) options: lower::Options,
    pub(crate) shelf: &'a Shelf,
    pub(crate) version_options: &'a versions::Options,
    /// The files of catalogs that are not among the files.
    pub(crate) catalog_files: &'a [ReadFile],
}

impl Model {
    /// How many packages documents ask for.
    pub(crate) fn asked_by_resolutions(&self) -> usize {
        self.resolutions.iter().map(|(_, it)| it.request.requirements.len()).sum()
    }
}

/// Everything but planning.
pub(crate) fn build(given: &Given<'_>) -> Model {
    let Given { files, types, .. } = *given;
    let all = files.iter().chain(given.type_files).chain(given.releases).chain(given.catalog_files);
    let sources: Sources = all.map(|it| it.source.clone()).collect();
    let mut diagnostics = given.type_diagnostics.clone();
    check_files(files, types, &mut diagnostics);
    let formats = assign(files, types, &mut diagnostics);
    let own = files.iter().zip(&formats).flat_map(|(file, format)| own_diagnostics(file, format));
    let releases = given.releases.iter().flat_map(|it| it.parse.diagnostics.iter().map(names::lenient));
    diagnostics.extend(own.chain(releases));
    for document in bosh_documents(given, &formats) {
        names::check(document.root, &mut diagnostics);
    }
    let lock = read_lock(given, &formats, &mut diagnostics);
    if let Some(lock) = lock.as_ref().filter(|_| !given.version_options.fresh) {
        diagnostics.append(&mut integrity::compare(lock, given.shelf));
    }
    let mut choice = Choice::default();
    let mut read = read_bosh(given, &formats);
    diagnostics.append(&mut read.diagnostics);
    let is_manifest = !read.manifests.is_empty() && !formats.iter().any(Assigned::is_layer);
    let (merged, mut lowered) = match is_manifest {
        true => manifest(given, &mut read, &sources),
        false => {
            let from = From { shelf: given.shelf, lock: lock.as_ref(), options: given.version_options };
            let mut choose = |wanted: &[lower::Wanted]| {
                let (pins, chosen) = from.choose(wanted);
                choice = chosen;
                pins
            };
            descriptors(given, &formats, &mut read, &sources, &mut diagnostics, &mut choose)
        }
    };
    diagnostics.append(&mut choice.diagnostics);
    let (graph, mut found) = Graph::build(&lowered.desired);
    let mut from_model = std::mem::take(&mut lowered.diagnostics);
    from_model.append(&mut found);
    if files.iter().any(|it| it.parse.document.partial) || formats.iter().any(|it| it.is(Reader::Refused)) {
        from_model.retain(|it| !is_consequence(it));
    }
    diagnostics.append(&mut from_model);
    let jobs_without_spec = read.jobs_without_spec;
    let packages = choice.packages;
    let resolutions = read_resolutions(given, &formats, &mut diagnostics);
    let problem = read_by(given, &formats, Reader::Problem).next().map(|it| {
        let read = resolve::document::read(&it.parse.document);
        diagnostics.extend(read.diagnostics);
        read.problem
    });
    Model {
        resolutions,
        problem,
        sources,
        merged,
        lowered,
        graph,
        diagnostics,
        jobs_without_spec,
        is_manifest,
        lock,
        packages,
    }
}

/// The documents of BOSH.
pub(crate) fn documents<'a>(given: &Given<'a>) -> Vec<bosh::Document<'a>> {
    let formats = assign(given.files, given.types, &mut Vec::new());
    bosh_documents(given, &formats)
}

fn bosh_documents<'a>(given: &Given<'a>, formats: &[Assigned]) -> Vec<bosh::Document<'a>> {
    let among = given.files.iter().zip(formats).filter_map(|(file, it)| match it.format.reader {
        Reader::Bosh(sort) => document(file, sort),
        _ => None,
    });
    let beside = given.releases.iter().filter_map(|it| document(it, bosh::Sort::JobSpec));
    among.chain(beside).collect()
}

fn read_bosh(given: &Given<'_>, formats: &[Assigned]) -> bosh::Read {
    let documents = bosh_documents(given, formats);
    if documents.is_empty() { bosh::Read::default() } else { bosh::read(&documents, given.options.profile) }
}

/// What is wrong with a file's text. Problems have keys of their own, whatever other readers take them for; the documents
/// of a file that asks are read one by one.
fn own_diagnostics<'f>(
    file: &'f ReadFile,
    assigned: &Assigned,
) -> impl Iterator<Item = Diagnostic> + use<'f> {
    let is_of_others = matches!(assigned.format.reader, Reader::Bosh(_));
    let (is_problem, is_read_elsewhere) = (assigned.is(Reader::Problem), assigned.is(Reader::Request));
    let own = file.parse.diagnostics.iter().filter(move |_| !is_read_elsewhere);
    let own = own.filter(move |it| !is_problem || it.code.0 != "syntax/ambiguous-scalar");
    own.map(move |it| if is_of_others { names::lenient(it) } else { it.clone() })
}

/// The lock file among the files; of several the last one counts.
fn read_lock(given: &Given<'_>, formats: &[Assigned], diagnostics: &mut Diagnostics) -> Option<Lock> {
    let locks = read_by(given, formats, Reader::Lock);
    let root = locks.filter_map(|it| it.parse.document.root.as_ref()).last()?;
    Some(lock::read(root, diagnostics))
}

fn read_by<'a>(
    given: &Given<'a>,
    formats: &[Assigned],
    reader: Reader,
) -> impl Iterator<Item = &'a ReadFile> {
    let files = given.files.iter().zip(formats);
    files.filter(move |(_, it)| it.is(reader)).map(|(file, _)| file)
}

/// The documents that ask for packages.
fn read_resolutions(
    given: &Given<'_>,
    formats: &[Assigned],
    diagnostics: &mut Diagnostics,
) -> Vec<(FileId, ActiveResolution)> {
    let mut all = Vec::new();
    let files = given.files.iter().zip(formats).enumerate();
    for (n, (file, _)) in files.filter(|(_, (_, it))| it.is(Reader::Request)) {
        let id = FileId(n as u32);
        let (documents, mut found) = catalog::active_resolution::read(id, &file.file.text);
        diagnostics.append(&mut found);
        all.extend(documents.into_iter().map(|it| (id, it)));
    }
    all
}

fn document(file: &ReadFile, sort: bosh::Sort) -> Option<bosh::Document<'_>> {
    Some(bosh::Document { name: &file.file.name, sort, root: file.parse.document.root.as_ref()? })
}

/// A manifest of BOSH as what is described: the first one, after its operations.
fn manifest(given: &Given<'_>, read: &mut bosh::Read, sources: &Sources) -> (Merged, Lowered) {
    let merged = read.manifests.swap_remove(0);
    let profile = given.options.profile;
    let site = std::mem::take(&mut read.site);
    let links = ::links::select(&site, profile);
    let diagnostics = ::links::report(&site, &links, profile, sources);
    let deployment = site.deployments.first().map(|it| it.name.clone());
    let desired = Desired { deployment, ..Desired::default() };
    (merged, Lowered { desired, linking: lower::Linking { site, links }, diagnostics, ..Lowered::default() })
}

/// Descriptors, with the deployments beside them that links may cross over to.
fn descriptors(
    given: &Given<'_>,
    formats: &[Assigned],
    read: &mut bosh::Read,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
    choose: lower::Choose<'_>,
) -> (Merged, Lowered) {
    let mut merge_of = |deployment: Option<&Arc<str>>| {
        let counts = |it: &Assigned| it.is(Reader::Descriptor) && it.beside.as_ref() == deployment;
        // Every file is a layer, so that it has its number; those that do not count are empty.
        let layers = given.files.iter().zip(formats).map(|(file, it)| layer(file, counts(it)));
        let (merged, mut found) = merge::merge(&layers.collect::<Vec<_>>(), given.types);
        diagnostics.append(&mut found);
        merged
    };
    let merged = merge_of(None);
    let mut names: Vec<&Arc<str>> = Vec::new();
    for name in formats.iter().filter_map(|it| it.beside.as_ref()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let others: Vec<(&Arc<str>, Merged)> = names.into_iter().map(|it| (it, merge_of(Some(it)))).collect();
    let others =
        others.iter().map(|(name, merged)| lower::Beside::Descriptors { name: Arc::clone(name), merged });
    let manifests = std::mem::take(&mut read.site.deployments).into_iter().map(lower::Beside::Read);
    let beside: Vec<_> = others.chain(manifests).collect();
    let lowered = lower::lower(&merged, beside, given.types, sources, given.options, choose);
    (merged, lowered)
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
        "lower/unknown-link",
        "links/none-found",
        "links/no-deployment",
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
