use super::probe::Probe;
use crate::{Choice, Conflict, Hooks, Limits, Problem, Solution, forms::Place, normal::Var};

/// Why a candidate was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place of the candidate's variable.
    pub variable: usize,
    /// The constraints that rule it out.
    pub conflict: Conflict,
    /// What was chosen before and takes part in it: places of variables, in the order in which they were chosen.
    pub chosen: Vec<usize>,
}

/// What ruled out each candidate that is preferred to the one that was taken, in order. None when an earlier choice had
/// taken one of the candidates already: nothing was ruled out then.
///
/// Together with the candidate the constraints and what was chosen cannot be, and none of them can be left out.
pub fn why(
    problem: &Problem,
    solution: &Solution,
    choice: &Choice,
    hooks: &dyn Hooks,
    limits: &Limits,
) -> Vec<Refusal> {
    if choice.was_chosen {
        return Vec::new();
    }
    let before = solution.choices.iter().take_while(|it| *it != choice).filter(|it| !it.was_chosen);
    let before: Vec<Var> = before.map(|it| it.variable as Var).collect();
    let candidates = choice.candidates(problem);
    let refused = candidates.into_iter().take(choice.candidate);
    refused.filter_map(|it| refusal(problem, &before, it as Var, hooks, limits)).collect()
}

fn refusal(
    problem: &Problem,
    before: &[Var],
    candidate: Var,
    hooks: &dyn Hooks,
    limits: &Limits,
) -> Option<Refusal> {
    let mut probe = Probe::new(problem, hooks, limits.explanation_steps);
    let mut members: Vec<u32> = (0..problem.constraint_count()).collect();
    members.extend(probe.facts(before.iter().copied().chain([candidate])));
    let core = probe.small_core(&members).ok()??;
    let chosen = core.members.iter().filter_map(|it| probe.fact(*it)).filter(|it| *it != candidate);
    Some(Refusal {
        variable: candidate as usize,
        conflict: probe.conflict(&core.members, core.is_irreducible),
        chosen: chosen.map(|it| it as usize).collect(),
    })
}

impl Choice {
    /// The places of the variables that could be taken, in order of preference, each once.
    pub fn candidates(&self, problem: &Problem) -> Vec<usize> {
        let Some(constraint) = problem.number(self.constraint) else { return Vec::new() };
        if self.form as usize >= problem.forms().of(constraint).len() {
            return Vec::new();
        }
        let candidates = problem.forms().candidates(Place { constraint, form: self.form });
        candidates.iter().map(|it| *it as usize).collect()
    }
}
