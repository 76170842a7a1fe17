use diag::Diagnostic;
use merge::Merged;
use syntax::Node;

use crate::{
    Document, DocumentKind,
    cloud::Cloud,
    codes,
    interpolation::VariableValues,
    manifest::Context,
    ops::Patched,
    reporter::Reporter,
    spec::{JobSpec, Specs},
};

/// The documents after operations and variables, and the specs.
#[derive(Debug)]
pub(crate) struct Sources {
    specs: Specs,
    cloud: Cloud,
    /// The manifests, in their order.
    pub(crate) manifests: Vec<Merged>,
    /// The configs and other documents, in their order.
    pub(crate) configs: Vec<(DocumentKind, Merged)>,
}

impl Sources {
    /// Reads all of them; errors are reported.
    pub(crate) fn read(documents: &[Document<'_>], reporter: &mut Reporter) -> Self {
        let specs = specs(documents, reporter);
        let mut targets = Targets::default();
        documents.iter().for_each(|it| targets.add(it, reporter));
        let (manifests, configs) = targets.finish(documents, reporter);
        let mut cloud = Cloud::default();
        for (_, config) in configs.iter().filter(|it| it.0 == DocumentKind::CloudConfig) {
            cloud.add(&config.root, reporter);
        }
        Self { specs, cloud, manifests, configs }
    }

    /// The context in which every manifest is read; `expected` is the job whose properties are requested.
    pub(crate) fn context<'a>(&'a self, expected: Option<(&'a str, &'a str)>) -> Context<'a> {
        let runtime = self.configs.iter().filter(|it| it.0 == DocumentKind::RuntimeConfig);
        let runtime = runtime.map(|it| &it.1.root).collect();
        Context { specs: &self.specs, cloud: &self.cloud, runtime, expected }
    }
}

fn specs(documents: &[Document<'_>], reporter: &mut Reporter) -> Specs {
    let mut specs = Specs::default();
    for document in documents.iter().filter(|it| it.kind == DocumentKind::JobSpec) {
        if let Some(spec) = JobSpec::read(document.name, document.root, reporter) {
            specs.add(spec, reporter);
        }
    }
    specs
}

/// A document that operations can change.
struct Target<'a> {
    kind: DocumentKind,
    root: &'a Node,
    patched: Patched,
    /// The first operations that changed it.
    operations: Option<&'a Node>,
}

/// The documents so far, each with the operations that follow it applied.
///
/// Operations change the last manifest before them, or where there is none the last config, as `bosh interpolate` changes
/// the file that it is given.
#[derive(Default)]
struct Targets<'a>(Vec<Target<'a>>);

impl<'a> Targets<'a> {
    fn add(&mut self, document: &Document<'a>, reporter: &mut Reporter) {
        match document.kind {
            DocumentKind::Manifest => {
                self.warn_of_order(document.root, reporter);
                self.push(document, reporter);
            }
            DocumentKind::RuntimeConfig | DocumentKind::CloudConfig | DocumentKind::Other => {
                self.push(document, reporter);
            }
            DocumentKind::Operations => self.apply(document.root, reporter),
            DocumentKind::JobSpec | DocumentKind::Variables => {}
        }
    }

    /// A document that is none of BOSH has to be the only one, because nothing says what it is to others.
    fn push(&mut self, document: &Document<'a>, reporter: &mut Reporter) {
        let Document { kind, root, .. } = *document;
        let is_other = |kind| kind == DocumentKind::Other;
        if let Some(first) = self.0.first().filter(|it| is_other(it.kind) || is_other(kind)) {
            let message = "operations and variables change one document, and this is another one";
            let found = Diagnostic::error(codes::OPS_TARGET, root.span, message);
            let found = found.related(first.root.span, "this one is changed");
            reporter.push(found.help("give only the document to change, then its operations"));
            return;
        }
        self.0.push(Target { kind, root, patched: Patched::new(root), operations: None });
    }

    fn apply(&mut self, operations: &'a Node, reporter: &mut Reporter) {
        let is_manifest = |it: &Target<'_>| it.kind == DocumentKind::Manifest;
        let place = self.0.iter().rposition(is_manifest).or(self.0.len().checked_sub(1));
        match place.and_then(|it| self.0.get_mut(it)) {
            Some(target) => {
                target.operations.get_or_insert(operations);
                target.patched.apply(operations, reporter);
            }
            None => {
                let message = "these operations have no document before them that they can change";
                let found = Diagnostic::error(codes::OPS, operations.span, message);
                reporter.push(found.help(
                    "put it before them: a manifest, a cloud config, a runtime config, or one other YAML file alone; \
                     `planloom merge FILE -o OPERATIONS` changes any file",
                ));
            }
        }
    }

    /// Warns of the first manifest if operations before it changed a config, which may have been meant for it.
    fn warn_of_order(&self, manifest: &Node, reporter: &mut Reporter) {
        if self.0.iter().any(|it| it.kind == DocumentKind::Manifest) {
            return;
        }
        let changed = self.0.iter().find_map(|it| Some((it, it.operations?)));
        let Some((config, operations)) = changed else { return };
        let message = "the operations before this manifest change a config, not the manifest";
        let found = Diagnostic::warning(codes::OPS_TARGET, manifest.span, message);
        let found = found
            .related(operations.span, "these operations")
            .related(config.root.span, "they change this config");
        reporter.push(found.help("if they are for the manifest, put it before them"));
    }

    /// All documents, with the values of variables.
    fn finish(
        self,
        documents: &[Document<'_>],
        reporter: &mut Reporter,
    ) -> (Vec<Merged>, Vec<(DocumentKind, Merged)>) {
        let mut values = VariableValues::read(documents, reporter);
        let (mut manifests, mut configs) = (Vec::new(), Vec::new());
        for Target { kind, mut patched, .. } in self.0 {
            if values.is_given() {
                patched.interpolate(&mut values, reporter);
            }
            match kind {
                DocumentKind::Manifest => manifests.push(patched.finish()),
                _ => configs.push((kind, patched.finish())),
            }
        }
        values.report_unused(reporter);
        (manifests, configs)
    }
}
