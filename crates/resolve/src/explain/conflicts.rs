use std::collections::BTreeSet;

use super::{components::components, probe::Members, probe::Probe, shrink::Core};
use crate::{Budget, Conflict, Hooks, Omission, Problem};

/// The conflict that is reported for a problem without solution: that of its first part that has one. `proof`
/// contains the constraints that a search used to show that there is no solution.
pub(crate) fn first(
    problem: &Problem,
    proof: &BTreeSet<u32>,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Conflict {
    let proof: Members = proof.iter().copied().collect();
    if budget.explanation_steps() == 0 {
        return unproven(problem, &proof, budget);
    }
    let parts = components(problem);
    let is_one = parts.len() == 1;
    for part in parts {
        let mut probe = next_probe(problem, hooks, budget);
        let known = if is_one && is_within(&proof, &part) { Some(proof.clone()) } else { None };
        if let Ok(Some(core)) = probe.small_core(&part, known) {
            return probe.conflict(&core.members, core.is_irreducible);
        }
    }
    unproven(problem, &proof, budget)
}

/// The conflict if it could not be analysed: the constraints that the search used.
fn unproven(problem: &Problem, proof: &[u32], budget: &Budget) -> Conflict {
    budget.omit(Omission::Irreducibility);
    let core = match proof.is_empty() {
        true => problem.constraints().collect(),
        false => proof.iter().map(|it| problem.reference(*it)).collect(),
    };
    Conflict { core, is_irreducible: false }
}

fn is_within(members: &[u32], all: &[u32]) -> bool {
    !members.is_empty() && members.iter().all(|it| all.binary_search(it).is_ok())
}

/// One conflict may use half of the remaining budget, so that something is left for the next ones.
fn next_probe<'a>(problem: &'a Problem, hooks: &'a dyn Hooks, budget: &'a Budget) -> Probe<'a> {
    Probe::new(problem, hooks, budget, budget.explanation_steps() / 2)
}

/// Independent conflicts, at most so many; empty if the problem has a solution. `first` is the one that is
/// known already.
///
/// The constraints of a conflict are left out before the next one is searched, so a constraint that is part
/// of several conflicts is reported once.
pub fn conflicts(
    problem: &Problem,
    first: Option<&Conflict>,
    hooks: &dyn Hooks,
    budget: &Budget,
    most: usize,
) -> Vec<Conflict> {
    let mut found = Vec::new();
    let known: Vec<u32> = first.iter().flat_map(|it| &it.core).filter_map(|it| problem.number(*it)).collect();
    for mut part in components(problem) {
        if let Some(first) = first.filter(|_| is_within(&known, &part)) {
            found.push(first.clone());
            part.retain(|it| !known.contains(it));
        }
        while found.len() < most {
            let mut probe = next_probe(problem, hooks, budget);
            match probe.small_core(&part, None) {
                Ok(Some(Core { members, is_irreducible })) => {
                    found.push(probe.conflict(&members, is_irreducible));
                    part.retain(|it| members.binary_search(it).is_err());
                }
                Ok(None) => break,
                Err(_) => {
                    budget.omit(Omission::OtherConflicts);
                    break;
                }
            }
        }
    }
    // The known conflict may span several parts, or none.
    if found.is_empty() {
        found.extend(first.cloned());
    }
    found
}
