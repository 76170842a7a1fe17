//! The engine's last answers. Views that cannot be made again stay on screen, marked stale.

use std::rc::Rc;

use ui::views::is_of_catalog;
use workspace::view::{
    CheckView, FileView, LayoutView, LinkMapView, LinksView, MergeView, PlanView, ResolutionView, Severity,
};

use crate::message::{Counts, Encoded, Marks, Response};

/// The engine's last answers.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// The revision that the problems are about.
    pub revision: u64,
    /// Views of revisions before this one are not taken: they are of what was closed.
    pub since: u64,
    /// The problems; `None` before the first answer.
    pub check: Option<Rc<CheckView>>,
    /// The format and role of each file.
    pub files: Rc<Vec<FileView>>,
    /// The plan.
    pub plan: Option<Rc<PlanView>>,
    /// The graph.
    pub layout: Option<Rc<Encoded<LayoutView>>>,
    /// The merged document.
    pub merge: Option<Rc<Encoded<MergeView>>>,
    /// The links, and the positions for drawing them.
    pub links: Option<Rc<Encoded<(LinksView, LinkMapView)>>>,
    /// The chosen versions, and the reasons for them.
    pub resolution: Option<Rc<Encoded<ResolutionView>>>,
    /// The lines that override others or are overridden, by file.
    pub marks: Rc<Marks>,
    /// Small facts.
    pub counts: Counts,
    /// Graph, merged document, links and versions are older than the text.
    pub model_stale: bool,
    /// The plan is older than the text.
    pub plan_stale: bool,
    /// The number of problems that prevent a plan.
    pub blocking: usize,
}

impl Answers {
    /// Takes in an answer. Problems are taken for the `newest` revision only. Views come in order and only when they
    /// are not as the engine sent them last, so that an older one is taken, too: what follows may be the same, and
    /// then is not sent.
    pub fn take(&mut self, newest: u64, response: Response) {
        match response {
            Response::Checked { revision, check, files, blocking, model_stale, plan_stale }
                if revision == newest =>
            {
                if *self.files != files {
                    self.files = Rc::new(files);
                }
                self.revision = revision;
                self.blocking = blocking;
                self.check = Some(Rc::new(check));
                self.model_stale = model_stale;
                self.plan_stale = plan_stale;
            }
            Response::Planned { revision, plan } if revision >= self.since => self.plan = Some(Rc::new(plan)),
            Response::Laid { revision, layout } if revision >= self.since => {
                self.layout = Some(Rc::new(layout))
            }
            Response::Merged { revision, merge } if revision >= self.since => {
                self.merge = Some(Rc::new(merge))
            }
            Response::Linked { revision, links } if revision >= self.since => {
                self.links = Some(Rc::new(links));
            }
            Response::Resolved { revision, resolution } if revision >= self.since => {
                self.resolution = Some(Rc::new(resolution));
            }
            Response::Marked { revision, counts, marks } if revision >= self.since => {
                self.counts = counts;
                self.marks = Rc::new(marks);
            }
            Response::Checked { .. }
            | Response::Planned { .. }
            | Response::Laid { .. }
            | Response::Merged { .. }
            | Response::Linked { .. }
            | Response::Resolved { .. }
            | Response::Marked { .. }
            | Response::Settled { .. }
            | Response::NotLoaded { .. }
            | Response::Answer { .. }
            | Response::Stopped { .. } => {}
        }
    }

    /// The name of the deployment: from the plan, or from the files while the plan is older than the text.
    pub fn name(&self) -> &str {
        match &self.plan {
            Some(plan) if !self.plan_stale => &plan.deployment,
            _ => &self.counts.name,
        }
    }

    /// The numbers of errors and of warnings in the files.
    pub fn problems(&self) -> (usize, usize) {
        self.check.as_deref().map(|check| self.count(check)).unwrap_or_default()
    }

    /// The numbers of errors and of warnings; hints are not counted, nor problems in catalogs, which prevent no plan.
    pub fn count(&self, check: &CheckView) -> (usize, usize) {
        let role = |name: &str| self.files.iter().find(|it| it.name == name).map(|it| it.role);
        let own = check.diagnostics.iter().filter(|it| !is_of_catalog(it, role));
        own.fold((0, 0), |(errors, warnings), it| match it.severity {
            Severity::Error => (errors + 1, warnings),
            Severity::Warning => (errors, warnings + 1),
            Severity::Hint => (errors, warnings),
        })
    }
}
