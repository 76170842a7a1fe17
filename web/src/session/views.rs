//! The views that the page is sent: plan, graph, merged document, links, versions and marks.

use std::rc::Rc;

use capabilities::Part;
use diag::order;
use workspace::{
    Snapshot, Workspace,
    view::{
        Action, ActionView, LayoutView, LinkMapView, LinkProfile, LinksView, LocationView, MergeView,
        OverrideView, PlanView, ResolutionView, Severity,
    },
};

use super::{Session, requests::profile};
use crate::message::{Counts, Encoded, Mark, Marks, Response, Want};

/// The last texts that all could be read: graph and merged document are made from them while the newest cannot be.
#[derive(Debug)]
pub(super) struct Good {
    pub(super) files: Rc<Snapshot>,
    /// Made when it is first needed.
    pub(super) workspace: Option<Workspace>,
}

/// The views that the page was last sent. A view that is the same again is not sent.
#[derive(Debug, Default)]
pub(super) struct Sent {
    pub(super) plan: Option<PlanView>,
    pub(super) layout: Option<Encoded<LayoutView>>,
    pub(super) merge: Option<Encoded<MergeView>>,
    pub(super) links: Option<Encoded<(LinksView, LinkMapView)>>,
    pub(super) resolution: Option<Encoded<ResolutionView>>,
    pub(super) marks: Option<(Counts, Marks)>,
}

impl Session {
    pub(super) fn plan(&mut self) -> Option<Response> {
        let options_changed = std::mem::take(&mut self.options_changed);
        if (self.plan_stale && !options_changed) || self.is_blank() {
            return None;
        }
        let mut plan = if self.plan_stale { self.plan_sound()? } else { self.workspace.plan(&self.options) };
        self.planned = !plan.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
        if !self.want.changes {
            plan.actions.iter_mut().for_each(leave_values_out);
        }
        let plan = news(&mut self.sent.plan, plan)?;
        Some(Response::Planned { revision: self.revision, plan })
    }

    /// The plan of the last files without an error, against what is chosen now.
    fn plan_sound(&self) -> Option<PlanView> {
        let mut workspace = opened(self.sound.as_ref()?, profile(self.bosh));
        self.parts.complete(&mut workspace);
        Some(workspace.plan(&self.options))
    }

    pub(super) fn view(&mut self) -> Option<Response> {
        let revision = self.revision;
        match self.want {
            Want { layout: true, .. } => {
                let Some(part) = self.parts.documents else {
                    self.need(Part::Documents);
                    return None;
                };
                let layout = Encoded::new(part.layout(self.readable()));
                Some(Response::Laid { revision, layout: news(&mut self.sent.layout, layout)? })
            }
            Want { merge: true, .. } => {
                let merge = Encoded::new(self.readable().merged(true).to_json());
                Some(Response::Merged { revision, merge: news(&mut self.sent.merge, merge)? })
            }
            Want { links: true, .. } => {
                let Some(part) = self.parts.linking else {
                    self.need(Part::Linking);
                    return None;
                };
                let links = Encoded::new(part.links_with_map(self.readable()));
                Some(Response::Linked { revision, links: news(&mut self.sent.links, links)? })
            }
            Want { versions: true, .. } => {
                let Some(part) = self.parts.versions else {
                    self.need(Part::Versions);
                    return None;
                };
                let resolution = Encoded::new(part.resolution_if(self.readable(), &[]));
                Some(Response::Resolved {
                    revision,
                    resolution: news(&mut self.sent.resolution, resolution)?,
                })
            }
            Want { .. } => None,
        }
    }

    pub(super) fn mark(&mut self) -> Option<Response> {
        let parts = self.parts;
        let workspace = self.readable();
        let overrides = workspace.overrides();
        let (links, links_failed) = workspace.count_links();
        let (versions, versions_failed) = match parts.versions {
            Some(part) => part.count_versions(workspace),
            None => workspace.count_packages(),
        };
        let services = parts.services.map_or(0, |it| it.count_kinds(workspace));
        let counts = Counts {
            name: name(workspace),
            resources: workspace.count_nodes(),
            overrides: overrides.len(),
            links,
            links_failed,
            versions,
            versions_failed,
            services,
        };
        let (counts, marks) = news(&mut self.sent.marks, (counts, marks(&overrides)))?;
        Some(Response::Marked { revision: self.revision, counts, marks })
    }

    /// The newest workspace that can be read.
    pub(super) fn readable(&mut self) -> &mut Workspace {
        let (profile, parts) = (profile(self.bosh), self.parts);
        match &mut self.good {
            Some(good) if self.model_stale => {
                let workspace = good.workspace.get_or_insert_with(|| opened(&good.files, profile));
                parts.complete(workspace);
                workspace
            }
            _ => &mut self.workspace,
        }
    }
}

/// A workspace of files that were read before.
fn opened(files: &Snapshot, profile: LinkProfile) -> Workspace {
    let mut workspace = Workspace::with(capabilities::ALL);
    workspace.set_profile(profile);
    workspace.restore(files);
    workspace
}

/// The name of the deployment; a name that is made of other values is not known here.
fn name(workspace: &mut Workspace) -> String {
    let name = workspace.written_name().filter(|name| !name.contains("${"));
    name.unwrap_or_default().to_owned()
}

/// The new value, remembered as sent; `None` if it equals the one sent before.
fn news<T: Clone + PartialEq>(sent: &mut Option<T>, now: T) -> Option<T> {
    if sent.as_ref() == Some(&now) {
        return None;
    }
    *sent = Some(now.clone());
    Some(now)
}

fn marks(overrides: &[OverrideView]) -> Marks {
    let mut marks = Marks::new();
    let mut mark = |at: &LocationView, wins: bool, other: &LocationView| {
        let mark = Mark { line: at.line, wins, other: other.file.clone() };
        marks.entry(at.file.clone()).or_default().push(mark);
    };
    for OverrideView { location, shadowed } in overrides {
        for shadowed in shadowed {
            mark(shadowed, false, location);
        }
        if let Some(last) = shadowed.first() {
            mark(location, true, last);
        }
    }
    for lines in marks.values_mut() {
        order::by(lines, Ord::cmp);
        lines.dedup();
    }
    marks
}

/// Leaves out the values of changes, and all changes of a resource that is created.
fn leave_values_out(action: &mut ActionView) {
    match action.action {
        Action::Create => action.changes = Vec::new(),
        Action::Update | Action::Rebuild | Action::Destroy | Action::NoOp | Action::Forget | Action::Move => {
        }
    }
    for change in &mut action.changes {
        for value in [&mut change.desired, &mut change.persisted, &mut change.observed] {
            value.take();
        }
    }
}
