use diag::Diagnostic;
use links::{Exposure, Named, expose};

use super::Job;
use crate::{codes, manifest::Reader, spec::JobSpec};

impl Reader<'_> {
    /// Reports listed properties that the job does not have; no consumer can have the link then.
    pub(super) fn check_exposure(
        &mut self,
        job: &Job<'_>,
        exposure: &Exposure,
        spec: Option<&JobSpec>,
    ) -> bool {
        let exposed = expose(exposure, self.reporter.profile);
        for path in &exposed.unknown {
            let found = self.undeclared(job, path, spec);
            self.reporter.push(found);
        }
        for path in &exposed.no_maps {
            let found = self.below_no_map(job, path);
            self.reporter.push(found);
        }
        exposed.is_broken()
    }

    fn undeclared(&mut self, job: &Job<'_>, path: &Named, spec: Option<&JobSpec>) -> Diagnostic {
        let (name, path_text) = (&job.name.text, &path.text);
        let director = format!("Link property {path_text} in template {name} is not defined in release spec");
        let own = format!("the job `{name}` has no property `{path_text}` that a link could provide");
        let found = self.reporter.error(codes::EXPOSED, path.span, director, own);
        let found = found.related(job.name.span, "deployed here");
        let Some(spec) = spec else { return found };
        let names = spec.properties.keys().map(|it| &**it);
        self.reporter.help(found, path_text, names, "properties")
    }

    /// The director fails without a helpful message.
    fn below_no_map(&self, job: &Job<'_>, path: &Named) -> Diagnostic {
        let message =
            format!("a link of `{}` provides `{}`, and its parent is not a map", job.name.text, path.text);
        let found = Diagnostic::error(codes::EXPOSED, job.name.span, message);
        found.related(path.span, "provided here").help("write a map, or remove the property")
    }
}
