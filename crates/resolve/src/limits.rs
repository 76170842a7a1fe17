use std::{
    cell::{Cell, RefCell},
    collections::BTreeSet,
    rc::Rc,
};

/// Limits for the work on an answer. A step is the visit of one clause, literal or member; a million take
/// some ten milliseconds.
///
/// Steps are the same on each machine, so the same limits give the same answer. A host that requires a time
/// limit uses [`Hooks::is_cancelled`](crate::Hooks::is_cancelled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The steps for one search.
    pub steps: u64,
    /// The steps for everything that follows: conflicts, fixes, reasons, required changes.
    pub explanation_steps: u64,
}

impl Default for Limits {
    /// Several seconds for the answer, one for its explanation.
    fn default() -> Self {
        Self { steps: 1_000_000_000, explanation_steps: 50_000_000 }
    }
}

/// The rest of [`Limits`], and what it did not suffice for. All work for one answer takes from the same
/// budget, so that it ends in time however many searches it takes.
#[derive(Clone, Debug)]
pub struct Budget {
    search: Rc<Cell<u64>>,
    explanation: Rc<Cell<u64>>,
    spent: Rc<Cell<u64>>,
    left_out: Rc<RefCell<BTreeSet<Omission>>>,
}

/// A part that an answer lacks because the budget was used up, or a hook requested to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Omission {
    /// The proof that each constraint of a conflict is necessary.
    Irreducibility,
    /// Conflicts besides those that were found.
    OtherConflicts,
    /// Changes that might help.
    Fixes,
    /// The reasons why candidates were refused.
    Reasons,
}

impl Omission {
    /// The omission as a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Irreducibility => {
                "the search ended before it minimised the conflict: some facts may be superfluous"
            }
            Self::OtherConflicts => "the search ended before it found all other conflicts",
            Self::Fixes => "the search ended before it tried all possible fixes",
            Self::Reasons => "the search ended before it found the reason against each refused candidate",
        }
    }
}

impl Budget {
    /// A budget with all that the limits allow.
    pub fn new(limits: &Limits) -> Self {
        let cell = |steps| Rc::new(Cell::new(steps));
        Self {
            search: cell(limits.steps),
            explanation: cell(limits.explanation_steps),
            spent: Rc::default(),
            left_out: Rc::default(),
        }
    }

    /// The same budget for searches that only serve explanations: they take from the steps for these.
    #[must_use]
    pub fn for_explanation(&self) -> Self {
        Self { search: Rc::clone(&self.explanation), ..self.clone() }
    }

    /// The same budget for searches of which only the outcome matters: conflicts are not explained.
    #[must_use]
    pub fn without_explanation(&self) -> Self {
        Self { explanation: Rc::default(), left_out: Rc::default(), ..self.clone() }
    }

    /// The same budget for results that are not reported: omissions are not recorded.
    #[must_use]
    pub fn without_omissions(&self) -> Self {
        Self { left_out: Rc::default(), ..self.clone() }
    }

    /// The remaining steps for searching.
    pub fn steps(&self) -> u64 {
        self.search.get()
    }

    /// The remaining steps for explanations.
    pub fn explanation_steps(&self) -> u64 {
        self.explanation.get()
    }

    /// The steps that were taken. The last operation may take a few more than were left.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// The parts that the answer lacks, in order.
    pub fn omissions(&self) -> Vec<Omission> {
        self.left_out.borrow().iter().copied().collect()
    }

    /// Records that the answer lacks something.
    pub fn omit(&self, what: Omission) {
        self.left_out.borrow_mut().insert(what);
    }

    /// Takes the steps of an answer that is reused.
    pub fn charge(&self, steps: u64, explanation_steps: u64) {
        self.spend(steps);
        self.spend_on_explanation(explanation_steps);
    }

    pub(crate) fn spend(&self, steps: u64) {
        self.spent.set(self.spent.get() + steps);
        self.search.set(self.search.get().saturating_sub(steps));
    }

    pub(crate) fn spend_on_explanation(&self, steps: u64) {
        self.spent.set(self.spent.get() + steps);
        self.explanation.set(self.explanation.get().saturating_sub(steps));
    }
}

impl Default for Budget {
    /// The budget of [`Limits::default`].
    fn default() -> Self {
        Self::new(&Limits::default())
    }
}

/// The reason why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The steps were used up.
    Steps,
    /// A hook requested it.
    Cancelled,
}

impl Stop {
    /// The reason as a sentence; that for a cancellation is OLM's.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Steps => {
                "undecided: the search reached its step limit, so it is not known whether there is a \
                 solution"
            }
            Self::Cancelled => "cancelled before a solution could be found",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_done_for_one_answer_takes_from_one_budget() {
        let budget = Budget::new(&Limits { steps: 100, explanation_steps: 40 });
        let check = |expected: [u64; 3]| {
            assert_eq!([budget.steps(), budget.explanation_steps(), budget.spent()], expected);
        };
        check([100, 40, 0]);
        budget.spend(10);
        check([90, 40, 10]);
        budget.spend_on_explanation(5);
        check([90, 35, 15]);
        assert_eq!(budget.for_explanation().steps(), 35);
        budget.for_explanation().spend(5);
        check([90, 30, 20]);
        assert_eq!(budget.without_explanation().explanation_steps(), 0);
        budget.without_explanation().spend(10);
        check([80, 30, 30]);
        budget.without_omissions().spend(7);
        check([73, 30, 37]);
        budget.spend(1_000);
        budget.spend_on_explanation(1_000);
        check([0, 0, 2_037]);
    }

    #[test]
    fn omissions_are_recorded_once_in_order() {
        let budget = Budget::default();
        budget.omit(Omission::Reasons);
        budget.for_explanation().omit(Omission::Irreducibility);
        budget.omit(Omission::Reasons);
        budget.without_omissions().omit(Omission::Fixes);
        budget.without_explanation().omit(Omission::Fixes);
        assert_eq!(budget.omissions(), [Omission::Irreducibility, Omission::Reasons]);
        let all = [Omission::Irreducibility, Omission::OtherConflicts, Omission::Fixes, Omission::Reasons];
        let sentences: BTreeSet<&str> = all.iter().map(|it| it.sentence()).collect();
        assert_eq!(sentences.len(), all.len());
        assert!(sentences.iter().all(|it| it.starts_with("the search ended before ")));
    }
}
