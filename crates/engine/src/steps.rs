//! A plan as steps: a rebuild is two, so that dependents never outlive what they depend on.

use std::collections::{BTreeMap, BTreeSet};

use model::{Address, Recorded};
use plan::Plan;
use protocol::Verb;
use view::Action;

/// One step of a plan.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
    pub(crate) id: String,
    /// The index of its action.
    pub(crate) action: usize,
    pub(crate) address: Address,
    pub(crate) kind: StepKind,
    /// The action that hosts show for it: that of the plan, or for a half of a rebuild what that does.
    pub(crate) shown: Action,
    /// Indices of the steps that must have succeeded before.
    pub(crate) after: Vec<usize>,
    /// Indices of the steps that have this one in `after`.
    pub(crate) unblocks: Vec<usize>,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StepKind {
    Write(Verb),
    /// Nothing is sent; waits until the resource is ready.
    Wait,
    Forget,
    /// Nothing is sent; the state records it under its new name when the run begins.
    Move,
}

impl StepKind {
    /// True if an adapter does it.
    pub(crate) const fn needs_adapter(self) -> bool {
        match self {
            Self::Write(_) | Self::Wait => true,
            Self::Forget | Self::Move => false,
        }
    }
}

/// The action that hosts show for a write whose plan is not known any more.
pub(crate) const fn action_of(verb: Verb) -> Action {
    match verb {
        Verb::Create => Action::Create,
        Verb::Update => Action::Update,
        Verb::Destroy => Action::Destroy,
    }
}

/// The steps of one action: the one that ends the old resource, and the one that creates or updates it.
#[derive(Clone, Copy, Default)]
struct ActionSteps {
    ends: Option<usize>,
    makes: Option<usize>,
}

impl ActionSteps {
    /// The step after which the action is done.
    fn last(self) -> Option<usize> {
        self.makes.or(self.ends)
    }
}

/// The steps of a plan; those of one action follow each other.
///
/// - A create or update comes after all that its action waits for.
/// - The old resource of a rebuild is destroyed after those of its recorded dependents that are rebuilt or
///   destroyed, unless those wait for it themselves.
/// - The old resource of a rebuild is destroyed after all that its replacement needs and that can be created
///   or updated without destroying anything: if that fails, the old resource stays, and so do those of its
///   dependents.
pub(crate) fn steps(plan: &Plan, recorded: &Recorded) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut halves = vec![ActionSteps::default(); plan.actions.len()];
    for (index, action) in plan.actions.iter().enumerate() {
        let mut add = |kind: StepKind, shown: Action, id: String| {
            let address = action.address.clone();
            steps.push(Step {
                id,
                action: index,
                address,
                kind,
                shown,
                after: Vec::new(),
                unblocks: Vec::new(),
            });
            Some(steps.len() - 1)
        };
        let id = action.id.clone();
        let (write, shown) = (StepKind::Write, action.action);
        halves[index] = match action.action {
            Action::Create => ActionSteps { ends: None, makes: add(write(Verb::Create), shown, id) },
            Action::Update if action.waits => {
                ActionSteps { ends: None, makes: add(StepKind::Wait, shown, id) }
            }
            Action::Update => ActionSteps { ends: None, makes: add(write(Verb::Update), shown, id) },
            Action::Rebuild => {
                let ends = add(write(Verb::Destroy), Action::Destroy, format!("{id}-"));
                ActionSteps { ends, makes: add(write(Verb::Create), Action::Create, id) }
            }
            Action::Destroy => ActionSteps { ends: add(write(Verb::Destroy), shown, id), makes: None },
            Action::Forget => ActionSteps { ends: add(StepKind::Forget, shown, id), makes: None },
            Action::Move => ActionSteps { ends: None, makes: add(StepKind::Move, shown, id) },
            Action::NoOp => ActionSteps::default(),
        };
    }
    connect(plan, recorded, &halves, &mut steps);
    steps
}

fn connect(plan: &Plan, recorded: &Recorded, halves: &[ActionSteps], steps: &mut [Step]) {
    let dependents = dependents(plan, recorded);
    for (index, action) in plan.actions.iter().enumerate() {
        let before: BTreeSet<usize> = action.after.iter().filter_map(|it| halves[*it].last()).collect();
        let ActionSteps { ends, makes } = halves[index];
        if let Some(makes) = makes {
            steps[makes].after = before.iter().copied().chain(ends).collect();
        } else if let Some(ends) = ends {
            steps[ends].after = before.iter().copied().collect();
        }
        if let (Some(ends), Some(_)) = (ends, makes) {
            let old =
                dependents.get(&index).into_iter().flatten().filter(|it| old_goes_first(plan, **it, index));
            steps[ends].after = old.filter_map(|it| halves[*it].ends).collect();
        }
    }
    unblock(steps);
    delay_destruction(halves, steps);
}

fn unblock(steps: &mut [Step]) {
    for step in 0..steps.len() {
        for earlier in steps[step].after.clone() {
            steps[earlier].unblocks.push(step);
        }
    }
}

/// Makes the destroy steps of rebuilds wait for what is created without destroying anything. No such step
/// comes after one that destroys, so there is no cycle.
fn delay_destruction(halves: &[ActionSteps], steps: &mut [Step]) {
    let destructive = after_destruction(steps);
    let mut ends: Vec<Option<usize>> = vec![None; steps.len()];
    let mut waits: Vec<(usize, usize)> = Vec::new();
    for ActionSteps { ends: old, makes } in halves {
        let (Some(old), Some(makes)) = (*old, *makes) else { continue };
        ends[old] = Some(makes);
        waits.extend(steps[makes].after.iter().filter(|it| !destructive[**it]).map(|it| (old, *it)));
    }
    let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
    while let Some((old, needed)) = waits.pop() {
        if !known.insert((old, needed)) {
            continue;
        }
        // The old resources of dependents are destroyed first, and only because this one is.
        waits.extend(steps[old].after.iter().filter(|it| ends[**it].is_some()).map(|it| (*it, needed)));
    }
    for (old, needed) in known {
        steps[old].after.push(needed);
        steps[needed].unblocks.push(old);
    }
}

/// By step: whether it destroys something, or comes after a step that does.
fn after_destruction(steps: &[Step]) -> Vec<bool> {
    let mut destructive = vec![false; steps.len()];
    let mut next: Vec<usize> =
        (0..steps.len()).filter(|it| steps[*it].kind == StepKind::Write(Verb::Destroy)).collect();
    while let Some(step) = next.pop() {
        if !std::mem::replace(&mut destructive[step], true) {
            next.extend(&steps[step].unblocks);
        }
    }
    destructive
}

/// True if the old resource of `dependent` is destroyed before that of `needed`: when it is rebuilt, or when
/// it is destroyed and that waits for nothing but `needed`. A rebuild comes after what it needs, so there is
/// no cycle.
fn old_goes_first(plan: &Plan, dependent: usize, needed: usize) -> bool {
    match plan.actions[dependent].action {
        Action::Rebuild => dependent > needed,
        Action::Destroy => plan.actions[needed].after.contains(&dependent),
        Action::Create | Action::Update | Action::NoOp | Action::Forget | Action::Move => false,
    }
}

/// By action: the actions of the recorded dependents.
fn dependents(plan: &Plan, recorded: &Recorded) -> BTreeMap<usize, Vec<usize>> {
    let places: BTreeMap<&Address, usize> =
        plan.actions.iter().enumerate().map(|(index, action)| (&action.address, index)).collect();
    let mut dependents: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (address, resource) in &recorded.resources {
        let Some(dependent) = places.get(address) else { continue };
        for needed in resource.depends_on.iter().filter_map(|it| places.get(it)) {
            dependents.entry(*needed).or_default().push(*dependent);
        }
    }
    dependents
}

#[cfg(test)]
mod tests;
