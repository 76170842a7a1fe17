//! The jobs of instance groups, with their providers and consumers.

mod aliases;
mod consumes;
mod custom;
mod exposed;
mod provides;
mod written;

use std::sync::Arc;

use diag::Diagnostic;
use links::{Exposure, Named, Owner};
use syntax::{Mapping, Node};

use crate::{codes, manifest::Reader, spec::JobSpec};

pub(crate) use custom::dropped;
pub(crate) use written::DeployedProperties;

/// A job that is deployed.
#[derive(Debug)]
pub(crate) struct Job<'a> {
    /// Index into the deployment's groups.
    pub(crate) group: usize,
    /// The group's name.
    pub(crate) group_name: Arc<str>,
    pub(crate) name: Named,
    /// Its release, if that is known.
    pub(crate) release: Option<Arc<str>>,
    /// Its node in the manifest.
    pub(crate) node: &'a Node,
    pub(crate) written: DeployedProperties<'a>,
    /// True if it can have custom providers.
    pub(crate) can_define: bool,
}

impl Job<'_> {
    fn owner(&self) -> Owner {
        Owner::Job { group: self.group, job: Arc::clone(&self.name.text) }
    }

    /// `in job 'api' in instance group 'web'`, as in the director's messages.
    fn place(&self) -> String {
        format!("in job '{}' in instance group '{}'", self.name.text, self.group_name)
    }
}

impl<'a> Reader<'a> {
    /// Reads a job: its providers, then its consumers.
    pub(crate) fn job(&mut self, job: &Job<'a>) {
        if !self.colocate(job) {
            return;
        }
        let specs = self.context.specs;
        let spec = specs.find(job.release.as_deref(), &job.name.text);
        if spec.is_none() {
            let key = match &job.release {
                Some(release) => format!("{release}/{}", job.name.text).into(),
                None => Arc::clone(&job.name.text),
            };
            *self.without_spec.entry(key).or_default() += 1;
        }
        if self.context.expected == Some((&*job.group_name, &*job.name.text)) {
            let declared = spec.map(|it| it.properties.clone()).unwrap_or_default();
            self.properties = Some(Exposure { listed: None, written: job.written.all(), declared });
        }
        let provides = self.reporter.map(job.node, "provides");
        let custom = self.custom_providers(job, spec, provides);
        if let Some(spec) = spec {
            self.providers(job, spec, provides);
            self.unknown_providers(job, spec, &custom, provides);
            self.consumers(job, spec);
        }
    }

    /// Adds the job to the others of its group; a name can only occur once.
    fn colocate(&mut self, job: &Job<'_>) -> bool {
        let jobs = &mut self.facts[job.group].jobs;
        if let Some((_, first)) = jobs.get(&job.name.text) {
            let first = *first;
            let (name, group) = (&job.name.text, &job.group_name);
            let director = format!("Colocated job '{name}' is already added to the instance group '{group}'");
            let own = format!("the instance group `{group}` has the job `{name}` twice");
            let found = self.reporter.error(codes::DUPLICATE, job.name.span, director, own);
            self.reporter.push(found.related(first, "the first one").help("remove one of them"));
            return false;
        }
        jobs.insert(Arc::clone(&job.name.text), (job.release.clone(), job.name.span));
        true
    }

    /// Reports the links of a manifest that the spec does not have.
    fn unknown_links<'n>(
        &mut self,
        job: &Job<'_>,
        mapping: &Mapping,
        known: impl Iterator<Item = &'n str> + Clone,
        what: &str,
    ) {
        for entry in &mapping.entries {
            if known.clone().any(|it| it == &*entry.key) {
                continue;
            }
            let (name, link) = (&job.name.text, &entry.key);
            let director = format!("Job '{name}' does not define link {what} '{link}' in the release spec");
            let own = format!("the job `{name}` has no {what} `{link}`, so this has no effect");
            let message = self.reporter.words(director, own);
            let found = Diagnostic::warning(codes::UNKNOWN_LINK, entry.key_span, message);
            let names = known.clone().filter(|it| mapping.entry(it).is_none());
            let found = self.reporter.rename(found, (link, entry.key_span), names, &format!("other {what}s"));
            self.reporter.push(found);
        }
    }

    fn unknown_providers(&mut self, job: &Job<'_>, spec: &JobSpec, custom: &[Arc<str>], provides: &Mapping) {
        let known = spec.provides.iter().map(|it| &*it.name.text).chain(custom.iter().map(|it| &**it));
        self.unknown_links(job, provides, known, "provider");
    }
}
