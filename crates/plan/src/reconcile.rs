use std::borrow::Cow;
use std::collections::BTreeSet;

use graph::Graph;
use model::{Address, Data, DesiredResource, Map, Origin, Phase, Pointer, RecordedResource, Value};
use types::{OnChange, Trail, normalize, normalize_observed};
use view::Action;

use crate::action::{Change, Reason, Via};
use crate::cause::{Causes, paths};
use crate::compare::{compare, contents};
use crate::existence::{Existence, existence};
use crate::field_states::{FieldStates, Observation, same};
use crate::fill::{FillContext, fill, is_as_recorded};
use crate::secret::Secrets;
use crate::{KnockOn, PlanInput};

/// The decision about one resource, before it has a place in the order. The cause of a knock-on is a node.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) action: Action,
    pub(crate) reason: Option<Reason>,
    pub(crate) changes: Vec<Change>,
    /// The paths of the changes.
    pub(crate) touched: BTreeSet<Pointer>,
    pub(crate) protected: bool,
    /// Nothing is changed, but it has to get ready.
    pub(crate) waits: bool,
    /// The address that it is recorded under, if it has moved since.
    pub(crate) previous: Option<Address>,
}

impl Decision {
    pub(crate) fn new(action: Action, reason: Option<Reason>, changes: Vec<Change>) -> Self {
        // Only an update is asked which of its values it touches.
        let touched = if action.updates() { paths(&changes) } else { BTreeSet::new() };
        Self { action, reason, changes, touched, protected: false, waits: false, previous: None }
    }

    /// For what is as it should be, and was begun without getting ready: what needs it must not be made before that.
    fn wait() -> Self {
        Self { waits: true, ..Self::new(Action::Update, Some(Reason::NotReady), Vec::new()) }
    }
}

/// The decision for each desired resource, by node. One pass in topological order is sufficient, because a decision depends
/// only on those of the dependencies. Invariant: when a node is decided, `specs` and `decisions` of its dependencies are
/// final, except along edges that close a cycle; an edge to an undecided node causes nothing.
pub(crate) fn reconcile(input: &PlanInput<'_>, graph: &Graph) -> Vec<Decision> {
    let resources = &input.desired.resources;
    let mut specs: Vec<Cow<'_, Value>> = resources.iter().map(|it| Cow::Borrowed(&it.spec)).collect();
    let mut decisions: Vec<Option<Decision>> = vec![None; resources.len()];
    for node in graph.order() {
        let desired = &resources[node];
        let existence = existence(input, &desired.address);
        let known = FillContext { input, graph, specs: &specs, decisions: &decisions };
        let (spec, decision) = resource(known, desired, existence);
        specs[node] = spec;
        decisions[node] = Some(decision);
    }
    decisions
        .into_iter()
        .map(|it| it.unwrap_or_else(|| Decision::new(Action::NoOp, None, Vec::new())))
        .collect()
}

/// The attributes of a resource, with known values filled in, and the decision on it.
fn resource<'a>(
    known: FillContext<'_, 'a>,
    desired: &'a DesiredResource,
    existence: Existence<'a>,
) -> (Cow<'a, Value>, Decision) {
    let types = known.input.types;
    let trail = types.kind(&desired.kind).map(|kind| Trail::object(types, kind));
    let declared = Origin::Written(desired.declared);
    let secrets = Secrets { types, recorded: known.input.recorded };
    let (recorded, observed) = match existence {
        Existence::Exists(recorded, observed) => (recorded, observed),
        Existence::Unrecorded | Existence::Gone => {
            let spec = fill(known, desired, None);
            let reason = if matches!(existence, Existence::Gone) { Reason::Gone } else { Reason::New };
            let changes = contents(secrets, &spec, trail, declared);
            return (spec, Decision::new(Action::Create, Some(reason), changes));
        }
    };
    let looked_at = observed.is_some_and(|it| it.spec.is_some());
    let (spec, mut changes) = if !looked_at && is_as_recorded(known, desired, recorded) {
        (Cow::Borrowed(&recorded.spec), Vec::new())
    } else {
        let spec = fill(known, desired, Some(recorded));
        let seen = observed.and_then(|it| it.spec.as_ref());
        let mut changes = compare(secrets, sides(&spec, recorded, &recorded.spec, seen), trail, declared);
        // States of earlier versions, and adapters, have other notations.
        if !changes.is_empty()
            && let Some(kind) = types.kind(&desired.kind)
        {
            let is_template = |place: &Pointer| desired.templates.contains_key(place);
            let own = normal(&spec, |map| normalize(types, kind, map, &is_template));
            let persisted = normal(&recorded.spec, |map| normalize(types, kind, map, &|_| false));
            let seen = seen.map(|it| normal(it, |map| normalize_observed(types, kind, map)));
            changes = compare(secrets, sides(&own, recorded, &persisted, seen.as_ref()), trail, declared);
        }
        (spec, changes)
    };
    let causes = Causes { graph: known.graph, decisions: known.decisions, desired, recorded };
    lose_places(&mut changes, &causes, secrets, trail, declared);
    let mut decision = judge(changes, &causes, known.input.knock_on);
    if decision.action == Action::NoOp && observed.map_or(recorded.phase, |it| it.phase) == Phase::Pending {
        decision = Decision::wait();
    }
    if decision.action == Action::NoOp && recorded.moved_from.is_some() {
        decision = Decision::new(Action::Move, Some(Reason::Moved), Vec::new());
    }
    let (protected, previous) = (recorded.protected, recorded.moved_from.clone());
    (spec, Decision { protected, previous, ..decision })
}

fn sides<'s>(
    spec: &'s Value,
    recorded: &'s RecordedResource,
    persisted: &'s Value,
    seen: Option<&'s Value>,
) -> FieldStates<'s> {
    let observed = seen.map_or(Observation::NotLooked, |spec| Observation::Is(Some(spec)));
    FieldStates {
        desired: Some(spec),
        persisted: Some(persisted),
        observed,
        template: recorded.template.as_ref(),
    }
}

/// Attributes in another form.
fn normal(spec: &Value, normalize: impl FnOnce(&mut Map)) -> Value {
    let mut spec = spec.clone();
    if let Data::Map(map) = &mut spec.data {
        normalize(map);
    }
    spec
}

/// Adds the attributes that name something whose identity will be a new one.
fn lose_places(
    changes: &mut Vec<Change>,
    causes: &Causes<'_>,
    secrets: Secrets<'_>,
    trail: Option<Trail<'_>>,
    declared: Origin,
) {
    for path in causes.lost_places() {
        if changes.iter().any(|change| change.path.is_within(&path)) {
            continue;
        }
        let place = trail.map(|trail| path.segments().fold(trail, |trail, segment| trail.step(&segment)));
        let desired = causes.desired.spec.at(&path);
        let template = causes.recorded.template.as_ref().and_then(|it| it.at(&path));
        let hides = place.is_some_and(Trail::is_sensitive)
            || desired.is_some_and(|it| it.sensitive)
            || template.is_some_and(|it| secrets.refers(it));
        let behind = changes.partition_point(|change| change.path < path);
        changes.insert(
            behind,
            Change {
                desired: desired.cloned(),
                persisted: causes.recorded.spec.at(&path).cloned(),
                observed: None,
                unknown: true,
                sensitive: hides,
                forces_rebuild: place.is_none_or(|it| it.on_change() == OnChange::Rebuild),
                origin: desired.map_or(declared, |it| it.origin),
                path,
            },
        );
    }
}

/// The reason why one value changes.
enum ChangeCause {
    Changed,
    Drifted,
    KnockedOn(usize, Via),
}

fn judge(changes: Vec<Change>, causes: &Causes<'_>, knock_on: KnockOn) -> Decision {
    let whys: Vec<ChangeCause> = changes.iter().map(|change| why(change, causes)).collect();
    let kind_changed = causes.desired.kind != causes.recorded.kind;
    let (tainted, replace) = (causes.recorded.tainted, causes.recorded.replace);
    let action = match &changes[..] {
        _ if kind_changed || tainted || replace => Action::Rebuild,
        [] => Action::NoOp,
        changes if changes.iter().any(|change| change.forces_rebuild) => Action::Rebuild,
        _ => Action::Update,
    };
    if knock_on == KnockOn::All
        && let Some((stronger, cause, via)) = causes.follow_on()
        && (action == Action::NoOp || stronger > action)
    {
        return Decision::new(stronger, Some(Reason::KnockOn { cause, via }), changes);
    }
    let reason = match reason(action, &changes, whys) {
        _ if replace => Some(Reason::Requested),
        _ if kind_changed => Some(Reason::Changed),
        // What people changed says more than that it was broken before.
        Some(Reason::Changed) => Some(Reason::Changed),
        _ if tainted => Some(Reason::Drifted),
        reason => reason,
    };
    Decision::new(action, reason, changes)
}

fn why(change: &Change, causes: &Causes<'_>) -> ChangeCause {
    if let Some((cause, via)) = causes.of(&change.path) {
        return ChangeCause::KnockedOn(cause, via);
    }
    if same(change.desired.as_ref(), change.persisted.as_ref()) {
        ChangeCause::Drifted
    } else {
        ChangeCause::Changed
    }
}

/// The reason that explains the action. Only values that force a rebuild explain a rebuild. A change of the descriptors takes
/// precedence over drift, and drift over a knock-on.
fn reason(action: Action, changes: &[Change], whys: Vec<ChangeCause>) -> Option<Reason> {
    let explains = |change: &Change| action != Action::Rebuild || change.forces_rebuild;
    let whys = changes.iter().zip(whys).filter(|(change, _)| explains(change)).map(|(_, why)| why);
    let mut best = None;
    for why in whys {
        match why {
            ChangeCause::Changed => return Some(Reason::Changed),
            ChangeCause::Drifted => best = Some(Reason::Drifted),
            ChangeCause::KnockedOn(cause, via) if best.is_none() => {
                best = Some(Reason::KnockOn { cause, via })
            }
            ChangeCause::KnockedOn(..) => {}
        }
    }
    best
}
