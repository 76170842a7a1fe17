use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, Span};
use links::{Exposure, Profile};
use merge::Merged;
use syntax::Node;

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
    let specs = specs(documents, &mut reporter);
    let (manifests, configs) = patched(documents, &mut reporter);
    let cloud = cloud(&configs, &mut reporter);
    let context = Context { specs: &specs, cloud: &cloud, runtime: runtime(&configs), expected: None };
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
    read.configs = configs;
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
    let specs = specs(documents, &mut reporter);
    let (manifests, configs) = patched(documents, &mut reporter);
    let cloud = cloud(&configs, &mut reporter);
    let expected = Some((group, job));
    let context = Context { specs: &specs, cloud: &cloud, runtime: runtime(&configs), expected };
    let mut read = manifests
        .into_iter()
        .map(|it| manifest::read(&it.root, &context, &mut reporter, &mut BTreeMap::new()));
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

fn cloud(configs: &[(DocumentKind, Merged)], reporter: &mut Reporter) -> Cloud {
    let mut cloud = Cloud::default();
    for (_, config) in configs.iter().filter(|it| it.0 == DocumentKind::CloudConfig) {
        cloud.add(&config.root, reporter);
    }
    cloud
}

fn runtime(configs: &[(DocumentKind, Merged)]) -> Vec<&Node> {
    configs.iter().filter(|it| it.0 == DocumentKind::RuntimeConfig).map(|it| &it.1.root).collect()
}

/// The manifests and the configs, each with the operations that follow it applied. Operations change the last manifest
/// before them, or where there is none the last config, as `bosh interpolate` changes the file that it is given.
fn patched(
    documents: &[Document<'_>],
    reporter: &mut Reporter,
) -> (Vec<Merged>, Vec<(DocumentKind, Merged)>) {
    let mut manifests: Vec<Patched> = Vec::new();
    let mut configs: Vec<(DocumentKind, Patched)> = Vec::new();
    for document in documents {
        match document.kind {
            DocumentKind::Manifest => manifests.push(Patched::new(document.root)),
            DocumentKind::RuntimeConfig | DocumentKind::CloudConfig => {
                configs.push((document.kind, Patched::new(document.root)));
            }
            DocumentKind::Operations => match manifests.last_mut().or(configs.last_mut().map(|it| &mut it.1))
            {
                Some(changed) => changed.apply(document.root, reporter),
                None => {
                    let message = "these operations have no manifest or config before them";
                    let found = Diagnostic::error(codes::OPS, document.root.span, message);
                    reporter.push(found.help("put the file that they change before them: a manifest, a cloud config or a runtime config"));
                }
            },
            DocumentKind::JobSpec => {}
        }
    }
    let configs = configs.into_iter().map(|(kind, it)| (kind, it.finish()));
    (manifests.into_iter().map(Patched::finish).collect(), configs.collect())
}
