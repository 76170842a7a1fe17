use std::sync::Arc;

use graph::Graph;
use model::{Address, RecordedResource};
use view::Action;

use crate::action::{PlannedAction, Reason};
use crate::edges::{self, Node};
use crate::existence::{Existence, existence};
use crate::order;
use crate::reconcile::Decision;
use crate::{Mode, Plan, PlanInput};

/// The decisions on the desired resources, and the actions on the other recorded ones, in order.
pub(crate) fn assemble(input: &PlanInput<'_>, graph: &Graph, decisions: Vec<Decision>) -> Plan {
    let desired = input.desired.resources.iter().take(decisions.len());
    let mut subjects: Vec<(&Address, &Arc<str>)> = desired.map(|it| (&it.address, &it.kind)).collect();
    let mut decisions = decisions;
    for (address, recorded) in input.recorded.resources.iter().rev() {
        if graph.find(address).is_none() {
            subjects.push((address, &recorded.kind));
            decisions.push(leave(input, address, recorded));
        }
    }
    let planned = decisions.iter().map(|it| it.action);
    let nodes: Vec<Node<'_>> =
        subjects.iter().zip(planned).map(|((address, _), action)| Node { address, action }).collect();
    let mut before = edges::before(&nodes, graph, input.recorded);
    order::break_cycles(&mut before);
    let order = listed(&order::sort(&before), &nodes);
    actions(&subjects, decisions, &before, &order)
}

/// The decision for a recorded resource that is not desired.
fn leave(input: &PlanInput<'_>, address: &Address, recorded: &RecordedResource) -> Decision {
    let (action, reason) = match (existence(input, address), input.mode) {
        (Existence::Exists(..), Mode::Apply) => (Action::Destroy, Reason::Removed),
        (Existence::Exists(..), Mode::Destroy) => (Action::Destroy, Reason::DestroyMode),
        (Existence::Gone | Existence::Unrecorded, _) => (Action::Forget, Reason::Gone),
    };
    Decision { protected: recorded.protected, ..Decision::new(action, Some(reason), Vec::new()) }
}

/// Those that act first, then what is forgotten, then what stays as it is.
fn listed(sorted: &[usize], nodes: &[Node<'_>]) -> Vec<usize> {
    let rank = |node: &usize| match nodes[*node].action {
        Action::Create | Action::Update | Action::Rebuild | Action::Destroy => 0,
        Action::Move => 1,
        Action::Forget => 2,
        Action::NoOp => 3,
    };
    let mut order = sorted.to_vec();
    diag::order::by_key(&mut order, rank);
    order
}

fn actions(
    subjects: &[(&Address, &Arc<str>)],
    decisions: Vec<Decision>,
    before: &[Vec<usize>],
    order: &[usize],
) -> Plan {
    let mut places = vec![0; order.len()];
    for (place, node) in order.iter().enumerate() {
        places[*node] = place;
    }
    let planned: Vec<Action> = decisions.iter().map(|it| it.action).collect();
    let mut decisions: Vec<Option<Decision>> = decisions.into_iter().map(Some).collect();
    let mut plan = Plan::default();
    for (place, &node) in order.iter().enumerate() {
        let Some(decision) = decisions[node].take() else { continue };
        if decision.protected && decision.action.destroys() {
            plan.refused.push(place);
        }
        let mut after: Vec<usize> = Vec::new();
        if decision.action.acts() {
            after.extend(before[node].iter().filter(|it| planned[**it].acts()).map(|it| places[*it]));
            diag::order::by(&mut after, Ord::cmp);
        }
        plan.actions.push(PlannedAction {
            id: format!("a{}", place + 1),
            address: subjects[node].0.clone(),
            kind: subjects[node].1.clone(),
            action: decision.action,
            after,
            reason: decision.reason.map(|reason| placed(reason, &places)),
            changes: decision.changes,
            waits: decision.waits,
            previous: decision.previous,
        });
    }
    plan
}

/// The reason, with the cause's node turned into its place in the list.
fn placed(reason: Reason, places: &[usize]) -> Reason {
    match reason {
        Reason::KnockOn { cause, via } => Reason::KnockOn { cause: places[cause], via },
        other => other,
    }
}
