use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, Span};
use links::{Exposure, Profile};
use merge::Merged;

use crate::{
    Document, DocumentKind, ReadResult,
    cloud::Cloud,
    codes,
    manifest::{self, Context},
    ops::Patched,
    reporter::Reporter,
    spec::{JobSpec, Specs},
};

/// Reads documents in the given order; specs and configs can be anywhere among them.
///
/// # Guarantees
/// It never fails or panics. Each invalid part is reported and ignored. The same documents give the same
/// result, and [`ReadResult::manifests`] and the deployments of [`ReadResult::site`] have the same order. Of
/// two manifests with the same name only the first is included.
pub fn read(documents: &[Document<'_>], profile: Profile) -> ReadResult {
    let mut reporter = Reporter::new(profile);
    let (specs, cloud) = (specs(documents, &mut reporter), cloud(documents, &mut reporter));
    let of = |sort| documents.iter().filter(move |it| it.kind == sort);
    let runtime = of(DocumentKind::RuntimeConfig).map(|it| it.root).collect();
    let context = Context { specs: &specs, cloud: &cloud, runtime, expected: None };
    let manifests = patched(documents, &mut reporter);
    let mut read = ReadResult::default();
    let mut names: HashMap<Arc<str>, Option<Span>> = HashMap::new();
    for merged in manifests {
        let mut without_spec = BTreeMap::new();
        let (deployment, _) = manifest::read(&merged.root, &context, &mut reporter, &mut without_spec);
        if let Some(first) = names.get(&deployment.name) {
            let found = twice(&deployment, *first, merged.root.span);
            reporter.push(found);
            continue;
        }
        names.insert(Arc::clone(&deployment.name), deployment.span);
        for (job, count) in without_spec {
            *read.jobs_without_spec.entry(job).or_default() += count;
        }
        read.site.deployments.push(deployment);
        read.manifests.push(merged);
    }
    read.diagnostics = once(reporter.diagnostics);
    read
}

/// All properties of one job of a deployment, written and declared; `None` if there is no such job. Of
/// deployments with the same name the first one is used.
pub fn properties(
    documents: &[Document<'_>],
    profile: Profile,
    deployment: &str,
    group: &str,
    job: &str,
) -> Option<Exposure> {
    let mut reporter = Reporter::new(profile);
    let (specs, cloud) = (specs(documents, &mut reporter), cloud(documents, &mut reporter));
    let runtime =
        documents.iter().filter(|it| it.kind == DocumentKind::RuntimeConfig).map(|it| it.root).collect();
    let context = Context { specs: &specs, cloud: &cloud, runtime, expected: Some((group, job)) };
    let manifests = patched(documents, &mut reporter).into_iter();
    let mut read =
        manifests.map(|it| manifest::read(&it.root, &context, &mut reporter, &mut BTreeMap::new()));
    read.find(|(it, _)| *it.name == *deployment).and_then(|(_, properties)| properties)
}

/// An addon's job is read for each group; errors in the job itself are reported once.
fn once(diagnostics: Diagnostics) -> Diagnostics {
    let mut said = HashSet::new();
    let is_new = |it: &Diagnostic| said.insert((it.code.0, it.span, it.message.clone()));
    let new: Vec<bool> = diagnostics.iter().map(is_new).collect();
    diagnostics.into_iter().zip(new).filter(|it| it.1).map(|it| it.0).collect()
}

fn twice(deployment: &links::Deployment, first: Option<Span>, root: Span) -> Diagnostic {
    let message = format!("there are two deployments `{}`", deployment.name);
    let found = Diagnostic::error(codes::DUPLICATE, deployment.span.unwrap_or(root), message);
    let found = first.into_iter().fold(found, |it, first| it.related(first, "this one is used"));
    found.help("give this one another `name`; to change a manifest, write operations")
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

fn cloud(documents: &[Document<'_>], reporter: &mut Reporter) -> Cloud {
    let mut cloud = Cloud::default();
    for document in documents.iter().filter(|it| it.kind == DocumentKind::CloudConfig) {
        cloud.add(document.root, reporter);
    }
    cloud
}

/// The manifests with the operations that follow them applied.
fn patched(documents: &[Document<'_>], reporter: &mut Reporter) -> Vec<Merged> {
    let mut manifests: Vec<Patched> = Vec::new();
    for document in documents {
        match (document.kind, manifests.last_mut()) {
            (DocumentKind::Manifest, _) => manifests.push(Patched::new(document.root)),
            (DocumentKind::Operations, Some(manifest)) => manifest.apply(document.root, reporter),
            (DocumentKind::Operations, None) => {
                let message = "these operations have no manifest before them";
                let found = Diagnostic::error(codes::OPS, document.root.span, message);
                reporter.push(found.help("put the manifest that they change before them"));
            }
            (DocumentKind::RuntimeConfig | DocumentKind::CloudConfig | DocumentKind::JobSpec, _) => {}
        }
    }
    manifests.into_iter().map(Patched::finish).collect()
}
