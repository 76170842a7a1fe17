use super::probe::Probe;
use crate::{Budget, Choice, Conflict, Hooks, Omission, Problem, Solution, forms::FormIndex, normal::Var};

/// Why a candidate was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The place of the candidate's variable.
    pub variable: usize,
    /// The constraints that rule it out.
    pub conflict: Conflict,
    /// The earlier choices that take part in it: places of variables, in the order in which they were chosen.
    pub chosen: Vec<usize>,
}

/// What ruled out each candidate that is preferred to the one that was taken, in order. None when an earlier choice had
/// taken one of the candidates already: nothing was ruled out then. Where the budget does not suffice, candidates are
/// left out.
///
/// Together with the candidate the constraints and what was chosen cannot be; where the conflict is irreducible, none of
/// them can be left out.
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
    // A quarter of what is left, so that something is left for the candidates that come after.
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
    /// The places of the variables that could be taken, in order of preference, each once.
    pub fn candidates(&self, problem: &Problem) -> Vec<usize> {
        let Some(constraint) = problem.number(self.constraint) else { return Vec::new() };
        if self.form as usize >= problem.forms().of(constraint).len() {
            return Vec::new();
        }
        let candidates = problem.forms().candidates(FormIndex { constraint, form: self.form });
        candidates.iter().map(|it| *it as usize).collect()
    }
}
