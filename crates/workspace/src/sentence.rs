//! Reasons as sentences. For people only: nothing reads them back.

use model::{EdgeKind, Pointer, Value};
use plan::{Change, Plan, PlannedAction, Reason, Via};

use crate::{json::value_to_json, pipeline::Model, view::Action};

/// The reason for an action, e.g. "it takes `network_node.ip` of `services.db`, which is rebuilt".
pub(crate) fn reason(plan: &Plan, model: &Model, action: &PlannedAction, reason: &Reason) -> String {
    match reason {
        Reason::New => "it is new".into(),
        Reason::Changed => match moved(model, action) {
            Some(moved) if action.action == Action::Rebuild => {
                format!("{moved}, which cannot be changed in place")
            }
            Some(moved) => moved,
            None => changed(action),
        },
        Reason::Drifted => drifted(action),
        Reason::Gone => "it is recorded and no longer exists".into(),
        Reason::NotReady => "it is not ready yet; the run waits for it".into(),
        Reason::Removed => "it is no longer in any file".into(),
        Reason::Requested => "it was requested".into(),
        Reason::DestroyMode => "everything is to be destroyed".into(),
        Reason::Moved => match &action.previous {
            Some(previous) => format!("it was recorded as `{previous}`"),
            None => "it has another name".into(),
        },
        Reason::KnockOn { cause, via } => knock_on(plan, model, action, *cause, via),
    }
}

/// The package whose new version caused the change, e.g. "package `queue` goes from 1.2.0 to 1.3.0".
fn moved(model: &Model, action: &PlannedAction) -> Option<String> {
    let resource = model.lowered.desired.resources.get(model.graph.find(&action.address)?)?;
    resource.packages.iter().find_map(|used| {
        let change = action.changes.iter().find(|it| it.path == used.version)?;
        let (before, after) = (change.persisted.as_ref(), change.desired.as_ref()?.as_str()?);
        let package = &used.package;
        match before.and_then(Value::as_str) {
            Some(before) => Some(format!("package `{package}` goes from {before} to {after}")),
            None => Some(format!("it now runs package `{package}` in version {after}")),
        }
    })
}

fn changed(action: &PlannedAction) -> String {
    if action.action == Action::Rebuild && !action.changes.iter().any(|it| it.forces_rebuild) {
        return "its kind changed".into();
    }
    let written = |it: &&Change| !it.unknown && differ(it.desired.as_ref(), it.persisted.as_ref());
    let changes = narrowed(action.changes.iter().collect(), written);
    let changes = narrowed(changes, |it| action.action == Action::Rebuild && it.forces_rebuild);
    let what = names(&changes);
    if action.action == Action::Rebuild {
        format!("{what} changed and cannot be changed in place")
    } else {
        format!("{what} changed")
    }
}

fn drifted(action: &PlannedAction) -> String {
    if action.action == Action::Rebuild && !action.changes.iter().any(|it| it.forces_rebuild) {
        return "its last change failed and left it unusable".into();
    }
    let moved = |it: &&Change| it.observed.is_some() && differ(it.observed.as_ref(), it.persisted.as_ref());
    let shown = narrowed(action.changes.iter().collect(), moved);
    let differs = if shown.len() == 1 { "differs" } else { "differ" };
    format!("{} {differs} from what was recorded", names(&shown))
}

/// Those that caused an action, without those that only follow from it; all where none stands out.
fn narrowed<'c>(changes: Vec<&'c Change>, caused: impl Fn(&&'c Change) -> bool) -> Vec<&'c Change> {
    let fewer: Vec<&Change> = changes.iter().copied().filter(caused).collect();
    if fewer.is_empty() { changes } else { fewer }
}

fn differ(one: Option<&Value>, other: Option<&Value>) -> bool {
    one.map(value_to_json) != other.map(value_to_json)
}

/// One name, two names, or the first and how many more.
fn names(changes: &[&Change]) -> String {
    let name = |change: &Change| format!("`{}`", dotted(&change.path));
    match changes {
        [] => "something".into(),
        [one] => name(one),
        [one, other] => format!("{} and {}", name(one), name(other)),
        [one, rest @ ..] => format!("{} and {} others", name(one), rest.len()),
    }
}

fn knock_on(plan: &Plan, model: &Model, action: &PlannedAction, cause: usize, via: &Via) -> String {
    let to = &via.to;
    let happens = plan.actions.get(cause).map_or("acts", |it| happens(it.action));
    match via.edge {
        EdgeKind::Attachment => format!("it is attached to `{to}`, which {happens}"),
        EdgeKind::DependsOn | EdgeKind::Link | EdgeKind::Version => {
            format!("it depends on `{to}`, which {happens}")
        }
        EdgeKind::Reference => match taken(model, action, via) {
            Some(what) => format!("it takes `{what}` of `{to}`, which {happens}"),
            None => format!("it refers to `{to}`, which {happens}"),
        },
    }
}

fn taken(model: &Model, action: &PlannedAction, via: &Via) -> Option<String> {
    // The graph's nodes are the desired resources, in their order.
    let resource = model.lowered.desired.resources.get(model.graph.find(&action.address)?)?;
    let same = |it: &&model::Dependency| it.to == via.to && it.path == via.path && it.kind == via.edge;
    resource.dependencies.iter().find(same)?.takes.as_ref().map(dotted)
}

const fn happens(action: Action) -> &'static str {
    match action {
        Action::Create => "is created",
        Action::Update => "is updated",
        Action::Rebuild => "is rebuilt",
        Action::Destroy => "is destroyed",
        Action::NoOp => "stays",
        Action::Forget => "is gone",
        Action::Move => "is renamed",
    }
}

/// `/payload/params/image_hash` as `payload.params.image_hash`, `/ip/0` as `ip[0]`.
pub(crate) fn dotted(pointer: &Pointer) -> String {
    let mut text = String::new();
    for segment in pointer.segments() {
        if !text.is_empty() && segment.bytes().all(|byte| byte.is_ascii_digit()) && !segment.is_empty() {
            text.push_str(&format!("[{segment}]"));
        } else {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&segment);
        }
    }
    text
}
