use super::probe::Probe;
use crate::{Budget, Choice, Conflict, Hooks, Omission, Problem, Solution, forms::FormIndex, normal::Var};

/// The reason why a candidate was not chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The index of the candidate's variable.
    pub variable: usize,
    /// The constraints that rule it out.
    pub conflict: Conflict,
    /// The earlier choices that are part of it: indices of variables, in the order in which they were chosen.
    pub chosen: Vec<usize>,
}

/// The conflicts that ruled out each candidate that is preferred to the chosen one, in order. Empty if an earlier choice
/// had selected one of the candidates already: nothing was ruled out then. If the budget does not suffice,
/// candidates are left out.
///
/// The constraints and the earlier choices cannot hold together with the candidate; if the conflict is
/// irreducible, none of them can be left out.
pub fn why(
    problem: &Problem,
    solution: &Solution,
    choice: &Choice,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Vec<Refusal> {
    if choice.was_chosen {
        return Vec::new();
    }
    let before = solution.choices.iter().take_while(|it| *it != choice).filter(|it| !it.was_chosen);
    let before: Vec<Var> = before.map(|it| it.variable as Var).collect();
    let candidates = choice.candidates(problem);
    let refused = candidates.into_iter().take(choice.candidate);
    let refusals = refused.filter_map(|it| {
        let refusal = refusal(problem, &before, it as Var, hooks, budget);
        if refusal.is_none() {
            budget.omit(Omission::Reasons);
        }
        refusal
    });
    refusals.collect()
}

fn refusal(
    problem: &Problem,
    before: &[Var],
    candidate: Var,
    hooks: &dyn Hooks,
    budget: &Budget,
) -> Option<Refusal> {
    // A quarter of the rest, so that something is left for the candidates that come after.
    let mut probe = Probe::new(problem, hooks, budget, budget.explanation_steps() / 4);
    let mut members: Vec<u32> = (0..problem.constraint_count()).collect();
    members.extend(probe.facts(before.iter().copied().chain([candidate])));
    let core = probe.small_core(&members, None).ok()??;
    let chosen = core.members.iter().filter_map(|it| probe.fact(*it)).filter(|it| *it != candidate);
    Some(Refusal {
        variable: candidate as usize,
        conflict: probe.conflict(&core.members, core.is_irreducible),
        chosen: chosen.map(|it| it as usize).collect(),
    })
}

impl Choice {
    /// The indices of the candidates' variables, in order of preference, each once.
    pub fn candidates(&self, problem: &Problem) -> Vec<usize> {
        let Some(constraint) = problem.number(self.constraint) else { return Vec::new() };
        if self.form as usize >= problem.forms().of(constraint).len() {
            return Vec::new();
        }
        let candidates = problem.forms().candidates(FormIndex { constraint, form: self.form });
        candidates.iter().map(|it| *it as usize).collect()
    }
}
