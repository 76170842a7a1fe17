use super::{components::components, probe::Members, probe::Probe};
use crate::{Conflict, Hooks, Limits, Problem, Stop};

/// The conflict that is told of a problem without solution: in the first part of it that has one.
pub(crate) fn first(problem: &Problem, hooks: &dyn Hooks, limits: &Limits) -> Conflict {
    let mut found = find(problem, hooks, limits, 1);
    found.pop().unwrap_or_else(|| {
        let core = problem.constraints().collect();
        Conflict { core, is_irreducible: false }
    })
}

/// Conflicts that have nothing to do with each other: no two share a constraint. At most so many; none if the problem
/// has a solution.
///
/// When a conflict is found, its constraints are left out and the rest is looked at, so a constraint that takes part in
/// several conflicts is told of once.
pub fn conflicts(problem: &Problem, hooks: &dyn Hooks, limits: &Limits, most: usize) -> Vec<Conflict> {
    find(problem, hooks, limits, most)
}

fn find(problem: &Problem, hooks: &dyn Hooks, limits: &Limits, most: usize) -> Vec<Conflict> {
    let mut found = Vec::new();
    for part in components(problem) {
        let mut probe = Probe::new(problem, hooks, limits.explanation_steps);
        if found.len() >= most || in_part(&mut probe, part, most, &mut found).is_err() {
            break;
        }
    }
    found
}

/// The conflicts of one part.
fn in_part(
    probe: &mut Probe<'_>,
    mut part: Members,
    most: usize,
    found: &mut Vec<Conflict>,
) -> Result<(), Stop> {
    while found.len() < most {
        let Some(core) = probe.small_core(&part)? else { return Ok(()) };
        found.push(probe.conflict(&core.members, core.is_irreducible));
        part.retain(|it| core.members.binary_search(it).is_err());
    }
    Ok(())
}
