use workspace::{
    File, PlanOptions, Workspace,
    view::{
        Action, ActionView, ComparedView, ComparisonSummaryView, ComparisonView, DrawnComparisonView,
        PlanView, ResourceDifferenceView, Severity, StateChange, ValueDifferenceView,
    },
};

use crate::{
    applied::renamed,
    baseline::{Baseline, side},
    document, edges,
    graph::{SideGraph, united},
    origins::Origins,
    reverse::reversed,
    states,
};

const FORMAT: &str = "planloom.compare/1";

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// The files of the workspace.
    Current,
    /// Other files, in merge order.
    Files(Vec<File>),
    /// The text of a state.
    State(String),
}

/// The differences of `after` from `before`. Files with errors, or a state that cannot be read, differ in nothing: the side's
/// number of errors says so.
///
/// The workspace reads the files of both sides in turn, with its own definitions of kinds and its own options, and has its
/// own files again in the end. `load` is called after each change, for hosts that load capabilities when files need them.
pub fn compare(
    workspace: &mut Workspace,
    load: &dyn Fn(&mut Workspace),
    before: &Side,
    after: &Side,
) -> ComparisonView {
    compared(workspace, load, before, after).0
}

/// The same, with the graph of both sides.
pub fn compare_and_draw(
    workspace: &mut Workspace,
    load: &dyn Fn(&mut Workspace),
    before: &Side,
    after: &Side,
) -> DrawnComparisonView {
    let (comparison, [before, after]) = compared(workspace, load, before, after);
    if comparison.before.errors + comparison.after.errors > 0 {
        return DrawnComparisonView { comparison, ..DrawnComparisonView::default() };
    }
    DrawnComparisonView { graph: united(before, after, &comparison.resources), comparison }
}

/// The comparison and the graph of each side; the files of a side are read once.
fn compared(
    workspace: &mut Workspace,
    load: &dyn Fn(&mut Workspace),
    before: &Side,
    after: &Side,
) -> (ComparisonView, [SideGraph; 2]) {
    let own = workspace.snapshot();
    let mut opened = Opened { workspace, load, own: &own };
    // No state records packages, so beside a state none is drawn.
    let of_files = |files: &mut Workspace| SideGraph::of_files(&files.graph()).without_packages();
    let found = match (before, after) {
        (Side::State(before), Side::State(after)) => {
            let found = states::compare(opened.workspace.types(), before, after);
            (found, [before, after].map(|it| SideGraph::of_state(it)))
        }
        (Side::State(before), after) => {
            let after = opened.files(after);
            (of_state_and_files(before, after), [SideGraph::of_state(before), of_files(after)])
        }
        (before, Side::State(after)) => {
            let before = opened.files(before);
            (reversed(of_state_and_files(after, before)), [of_files(before), SideGraph::of_state(after)])
        }
        (before, after) => {
            let baseline = Baseline::of(opened.files(before));
            let after = opened.files(after);
            let graphs = [SideGraph::of_files(&baseline.graph), SideGraph::of_files(&after.graph())];
            (self::of_files(&baseline, after), graphs)
        }
    };
    workspace.restore(&own);
    found
}

/// A workspace that holds the files of one side after the other.
struct Opened<'w> {
    workspace: &'w mut Workspace,
    load: &'w dyn Fn(&mut Workspace),
    own: &'w ::workspace::Snapshot,
}

impl Opened<'_> {
    /// The workspace with the files of a side.
    fn files(&mut self, side: &Side) -> &mut Workspace {
        match side {
            Side::Files(files) => self.workspace.set_files(files.clone()),
            Side::Current | Side::State(_) => self.workspace.restore(self.own),
        }
        (self.load)(self.workspace);
        self.workspace
    }
}

fn of_files(before: &Baseline, after: &mut Workspace) -> ComparisonView {
    let (one, other) = (before.side.clone(), side(after));
    if one.errors > 0 || other.errors > 0 {
        return empty(one, other);
    }
    let plan = plan_over(renamed(&before.state, &other.deployment), after);
    let resources: Vec<_> = plan.actions.iter().filter_map(|it| difference(it, &before.origins)).collect();
    ComparisonView {
        edges: edges::differences(&before.graph, &after.graph()),
        document: document::differences(before, after, &resources),
        ..completed(one, other, resources, &plan)
    }
}

fn of_state_and_files(before: &str, after: &mut Workspace) -> ComparisonView {
    let (mut one, other) = (states::side(before), side(after));
    if one.errors > 0 || other.errors > 0 {
        return empty(one, other);
    }
    let plan = plan_over(renamed(before, &other.deployment), after);
    one.errors = plan.diagnostics.iter().filter(|it| it.severity == Severity::Error).count();
    let resources = plan.actions.iter().filter_map(|it| difference(it, &Origins::default())).collect();
    completed(one, other, resources, &plan)
}

/// The plan of applying files where that state is recorded. Files that describe nothing destroy everything: here that is
/// the answer, where a plan refuses it as the likely mistake.
fn plan_over(state: String, files: &mut Workspace) -> PlanView {
    let describes_nothing = files.current().lowered.desired.resources.is_empty();
    files.plan(&PlanOptions { state: Some(state), destroy: describes_nothing, ..PlanOptions::default() })
}

pub(crate) fn empty(before: ComparedView, after: ComparedView) -> ComparisonView {
    ComparisonView { format: FORMAT.into(), before, after, ..ComparisonView::default() }
}

fn completed(
    before: ComparedView,
    after: ComparedView,
    resources: Vec<ResourceDifferenceView>,
    plan: &PlanView,
) -> ComparisonView {
    let summary = summary(&resources, &before);
    ComparisonView { summary, resources, plan: Some(plan.summary), ..empty(before, after) }
}

pub(crate) fn summary(resources: &[ResourceDifferenceView], before: &ComparedView) -> ComparisonSummaryView {
    let of = |change| resources.iter().filter(|it| it.change == Some(change)).count();
    let (removed, changed) = (of(StateChange::Removed), of(StateChange::Changed));
    let unchanged = before.resources.saturating_sub(removed + changed);
    ComparisonSummaryView { added: of(StateChange::Added), removed, changed, unchanged }
}

/// The difference that an action of the plan shows; `None` for one that does nothing.
fn difference(action: &ActionView, origins: &Origins) -> Option<ResourceDifferenceView> {
    // What is not known yet is the same expression in both, which another resource may give another value.
    let differing = || action.changes.iter().filter(|it| it.sensitive || it.persisted != it.desired);
    let change = match action.action {
        Action::Create => Some(StateChange::Added),
        Action::Destroy | Action::Forget => Some(StateChange::Removed),
        Action::Update | Action::Rebuild if differing().next().is_none() => None,
        Action::Update | Action::Rebuild | Action::Move => Some(StateChange::Changed),
        Action::NoOp => return None,
    };
    let earlier = action.previous_address.as_ref().unwrap_or(&action.address);
    let values = differing().map(|it| ValueDifferenceView {
        path: it.path.clone(),
        before: it.persisted.clone(),
        after: it.desired.clone(),
        sensitive: it.sensitive,
        forces_rebuild: it.forces_rebuild,
        before_origin: origins.of_value(earlier, &it.path),
        after_origin: it.origin.clone(),
    });
    Some(ResourceDifferenceView {
        address: action.address.clone(),
        previous_address: action.previous_address.clone(),
        kind: action.kind.clone(),
        change,
        action: Some(action.action),
        reason: action.reason.as_ref().map(|it| it.sentence.clone()),
        before: origins.of_resource(earlier),
        after: action.origin.clone(),
        values: values.collect(),
    })
}
