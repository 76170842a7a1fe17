use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use diag::{Diagnostic, Diagnostics, Span};
use links::{Exposure, Profile};

use crate::{Document, ReadResult, codes, manifest, reporter::Reporter, sources::Sources};

/// Reads documents in the given order; specs, configs and variables can be anywhere among them.
///
/// # Guarantees
/// It never fails or panics. Each invalid part is reported and ignored. The same documents give the same
/// result, and [`ReadResult::manifests`] and the deployments of [`ReadResult::site`] have the same order. Of
/// two manifests with the same name only the first is included.
pub fn read(documents: &[Document<'_>], profile: Profile) -> ReadResult {
    let mut reporter = Reporter::new(profile);
    let sources = Sources::read(documents, &mut reporter);
    let context = sources.context(None);
    let mut read = ReadResult::default();
    let mut names: HashMap<Arc<str>, Option<Span>> = HashMap::new();
    let mut dropped = HashSet::new();
    for (n, merged) in sources.manifests.iter().enumerate() {
        let mut without_spec = BTreeMap::new();
        let (deployment, _) = manifest::read(&merged.root, &context, &mut reporter, &mut without_spec);
        if let Some(first) = names.get(&deployment.name) {
            let found = twice(&deployment, *first, merged.root.span);
            reporter.push(found);
            dropped.insert(n);
            continue;
        }
        names.insert(Arc::clone(&deployment.name), deployment.span);
        for (job, count) in without_spec {
            *read.jobs_without_spec.entry(job).or_default() += count;
        }
        read.site.deployments.push(deployment);
    }
    let manifests = sources.manifests.into_iter().enumerate();
    read.manifests = manifests.filter(|it| !dropped.contains(&it.0)).map(|it| it.1).collect();
    read.configs = sources.configs;
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
    let sources = Sources::read(documents, &mut reporter);
    let context = sources.context(Some((group, job)));
    let mut read = sources
        .manifests
        .iter()
        .map(|it| manifest::read(&it.root, &context, &mut reporter, &mut BTreeMap::new()));
    read.find(|(it, _)| *it.name == *deployment).and_then(|(_, properties)| properties)
}

/// An addon's job is read for each group; errors in the job itself are reported once.
fn once(diagnostics: Diagnostics) -> Diagnostics {
    let mut said = HashSet::new();
    let is_new = |it: &Diagnostic| said.insert((it.code, it.span, it.message.clone()));
    let new: Vec<bool> = diagnostics.iter().map(is_new).collect();
    diagnostics.into_iter().zip(new).filter(|it| it.1).map(|it| it.0).collect()
}

fn twice(deployment: &links::Deployment, first: Option<Span>, root: Span) -> Diagnostic {
    let message = format!("there are two deployments `{}`", deployment.name);
    let found = Diagnostic::error(codes::DUPLICATE, deployment.span.unwrap_or(root), message);
    let found = first.into_iter().fold(found, |it, first| it.related(first, "this one is used"));
    found.help("give this one another `name`; to change a manifest, write operations")
}
