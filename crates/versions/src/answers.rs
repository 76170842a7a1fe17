//! A cache of answers: a request that is repeated for one revision of the files is solved once.

use std::sync::{Arc, Mutex, PoisonError};

use catalog::{Request, Resolution};
use diag::Diagnostics;
use resolve::Budget;

/// The number of answers that are kept: those of one revision with many requests, and of the one before.
const KEPT: usize = 32;

/// The last answers for the same catalogs, the oldest first.
#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<Vec<Arc<Answer>>>);

/// The complete answer to a request: nothing was left out for lack of steps.
#[derive(Debug)]
struct Answer {
    request: Request,
    found: Found,
    /// The steps that the search and the explanation took.
    cost: (u64, u64),
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) resolution: Arc<Resolution>,
    pub(crate) diagnostics: Arc<Diagnostics>,
}

impl Answers {
    /// The cached answer to a request, or that of `solve`.
    ///
    /// # Guarantees
    /// It is what `solve` would return within the budget, and takes as much from it: a cached answer is only
    /// used if the budget has more steps left than it took.
    pub(crate) fn get(
        &self,
        request: &Request,
        budget: &Budget,
        solve: impl FnOnce() -> (Resolution, Diagnostics),
    ) -> Found {
        if let Some(answer) = self.find(request, budget) {
            budget.charge(answer.cost.0, answer.cost.1);
            return answer.found.clone();
        }
        let before = (budget.steps(), budget.explanation_steps());
        let (resolution, diagnostics) = solve();
        let found = Found { resolution: resolution.into(), diagnostics: diagnostics.into() };
        if budget.omissions().is_empty() && !matches!(*found.resolution, Resolution::Stopped) {
            let cost = (before.0 - budget.steps(), before.1 - budget.explanation_steps());
            self.keep(Answer { request: request.clone(), found: found.clone(), cost });
        }
        found
    }

    fn find(&self, request: &Request, budget: &Budget) -> Option<Arc<Answer>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let suffices = |it: &Answer| it.cost.0 < budget.steps() && it.cost.1 < budget.explanation_steps();
        kept.iter().find(|it| suffices(it) && it.request == *request).cloned()
    }

    fn keep(&self, answer: Answer) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(answer.into());
    }
}

#[cfg(test)]
mod tests {
    use resolve::Limits;

    use super::*;

    #[test]
    fn a_request_is_solved_once_and_costs_the_same_each_time() {
        let (answers, request) = (Answers::default(), Request::default());
        let solve_within = |steps: u64| {
            let budget = Budget::new(&Limits { steps, explanation_steps: 10 });
            let mut solved = false;
            answers.get(&request, &budget, || {
                solved = true;
                budget.charge(5, 2);
                (Resolution::Solved(Vec::new()), Diagnostics::new())
            });
            (solved, budget.steps(), budget.explanation_steps())
        };
        assert_eq!(solve_within(100), (true, 95, 8));
        assert_eq!(solve_within(50), (false, 45, 8));
        assert_eq!(solve_within(5), (true, 0, 8), "the remaining steps may not suffice");
        let other = Request { sources: vec!["operators".into()], ..Request::default() };
        let mut solved = false;
        answers.get(&other, &Budget::default(), || {
            solved = true;
            (Resolution::Stopped, Diagnostics::new())
        });
        assert!(solved);
    }
}
