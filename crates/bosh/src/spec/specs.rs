use std::{collections::HashMap, sync::Arc};

use diag::Diagnostic;

use super::JobSpec;
use crate::{codes, reporter::Reporter};

/// All specs that are given.
#[derive(Debug, Default)]
pub(crate) struct Specs {
    all: Vec<JobSpec>,
    of_job: HashMap<Arc<str>, Vec<usize>>,
}

impl Specs {
    /// Adds a spec; of two for one job of one release the first is used.
    pub(crate) fn add(&mut self, spec: JobSpec, reporter: &mut Reporter) {
        let same = self.of_job.entry(Arc::clone(&spec.name)).or_default();
        if let Some(first) = same.iter().map(|it| &self.all[*it]).find(|it| it.release == spec.release) {
            let message = format!("there are two specs of the job `{}`", spec.name);
            let found = Diagnostic::warning(codes::DUPLICATE, spec.span, message);
            let found = found.related(first.span, "this one is used");
            reporter.push(found.help("remove one of them, or name their files `<release>__<job>.yml`"));
            return;
        }
        same.push(self.all.len());
        self.all.push(spec);
    }

    /// The spec of a job. If the deployment names a release, a spec of another release is never used. If one
    /// of the two sides does not name a release, the job's name is enough if only one spec has it.
    pub(crate) fn find(&self, release: Option<&str>, job: &str) -> Option<&JobSpec> {
        let named = self.of_job.get(job)?.iter().map(|it| &self.all[*it]);
        let of_release = |it: &&JobSpec| release.is_some() && it.release.as_deref() == release;
        if let Some(spec) = named.clone().find(of_release) {
            return Some(spec);
        }
        let mut possible = named.filter(|it| release.is_none() || it.release.is_none());
        possible.next().filter(|_| possible.next().is_none())
    }
}
