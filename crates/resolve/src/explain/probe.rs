use crate::{
    Budget, Conflict, Hooks, Omission, Problem, Stop,
    normal::Var,
    search::{Goal, IncrementalSolver, Satisfiability, Search, SearchOutcome, VariableSource},
};

/// Numbers of constraints, in order; those after the last constraint are numbers of facts.
pub(super) type Members = Vec<u32>;

/// Members without one of them; `None` if it is not among them.
pub(super) fn without(members: &[u32], member: u32) -> Option<Members> {
    let at = members.binary_search(&member).ok()?;
    Some([&members[..at], &members[at + 1..]].concat())
}

/// Determines which of the constraints can hold together, until the steps are used up.
pub(super) struct Probe<'a> {
    pub(super) problem: &'a Problem,
    hooks: &'a dyn Hooks,
    budget: &'a Budget,
    /// Variables that are assumed to be selected, with numbers after those of the constraints.
    facts: Vec<(Var, u32)>,
    /// The remaining steps of its part of the budget.
    left: u64,
}

/// The outcome of probing members.
pub(super) enum ProbeOutcome {
    /// They can all hold; by variable: whether it is selected in that case.
    Possible(Vec<bool>),
    /// They cannot all hold, and neither can these.
    Impossible(Members),
}

/// Hooks that only forward cancellation.
pub(super) struct CancelOnly<'a>(pub(super) &'a dyn Hooks);

impl Hooks for CancelOnly<'_> {
    fn is_tracing(&self) -> bool {
        false
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl<'a> Probe<'a> {
    /// A probe that takes at most so many steps of the budget.
    pub(super) fn new(problem: &'a Problem, hooks: &'a dyn Hooks, budget: &'a Budget, steps: u64) -> Self {
        Self { problem, hooks, budget, facts: Vec::new(), left: steps.min(budget.explanation_steps()) }
    }

    /// Assumes that variables are selected; returns the members for these facts.
    pub(super) fn facts(&mut self, vars: impl IntoIterator<Item = Var>) -> Members {
        let first = self.problem.constraint_count();
        self.facts = vars.into_iter().zip(first..).collect();
        self.facts.iter().map(|(_, number)| *number).collect()
    }

    /// The variable that a member assumes to be selected, if it is a fact.
    pub(super) fn fact(&self, member: u32) -> Option<Var> {
        let at = member.checked_sub(self.problem.constraint_count())?;
        self.facts.get(at as usize).map(|(var, _)| *var)
    }

    /// The steps that are left.
    pub(super) const fn left(&self) -> u64 {
        self.left
    }

    /// Limits the remaining steps.
    pub(super) fn allow(&mut self, steps: u64) {
        self.left = self.left.min(steps);
    }

    /// Records that the answer is incomplete.
    pub(super) fn leave_out(&self, what: Omission) {
        self.budget.omit(what);
    }

    /// Checks whether it can continue.
    fn check(&self) -> Result<(), Stop> {
        match (self.hooks.is_cancelled(), self.left) {
            (true, _) => Err(Stop::Cancelled),
            (false, 0) => Err(Stop::Steps),
            (false, _) => Ok(()),
        }
    }

    /// Takes steps from the budget.
    pub(super) fn spend(&mut self, steps: u64) -> Result<(), Stop> {
        self.budget.spend_on_explanation(steps);
        let is_enough = steps <= self.left;
        self.left = self.left.saturating_sub(steps);
        if is_enough { Ok(()) } else { Err(Stop::Steps) }
    }

    /// If the members cannot all hold, some of them that cannot either; `None` if they can. Starts a new
    /// search, which reads only what it reaches: suited to many members.
    pub(super) fn refute(&mut self, members: &[u32]) -> Result<Option<Members>, Stop> {
        self.check()?;
        let is_in = |(_, number): &&(Var, u32)| members.binary_search(number).is_ok();
        let facts: Vec<(Var, u32)> = self.facts.iter().filter(is_in).copied().collect();
        let mut counts = vec![false; self.problem.constraint_count() as usize];
        for member in members {
            if let Some(it) = counts.get_mut(*member as usize) {
                *it = true;
            }
        }
        let goal = Goal { counts: Some(&counts), facts: &facts, with_proof: true, steps: self.left };
        let mut quiet = CancelOnly(self.hooks);
        let (found, steps) = Search::new(VariableSource::Fixed(self.problem), goal, &mut quiet).run();
        // The start takes longer the larger the problem is.
        let beginning = u64::from(self.problem.constraint_count()) / 2 + 100;
        let spent = self.spend(steps + beginning);
        match found {
            SearchOutcome::Impossible(core) => Ok(Some(core.into_iter().collect())),
            SearchOutcome::Model(_) => Ok(None),
            SearchOutcome::Stopped(stop) => Err(stop),
        }
        .and_then(|found| spent.map(|()| found))
    }

    /// Runs a function with an oracle for some members, which keeps its learnt clauses.
    pub(super) fn with_oracle<T>(
        &mut self,
        members: &[u32],
        work: impl FnOnce(&mut Oracle<'_, 'a>) -> Result<T, Stop>,
    ) -> Result<T, Stop> {
        self.check()?;
        let (problem, facts) = (self.problem, self.facts.clone());
        let mut quiet = CancelOnly(self.hooks);
        let solver = IncrementalSolver::new(problem, members, &facts, &mut quiet);
        self.spend(solver.steps())?;
        work(&mut Oracle { probe: self, solver })
    }

    /// True if a member holds if these variables are selected and no others.
    pub(super) fn holds(&self, member: u32, selected: &[bool]) -> bool {
        let is_selected = |var: Var| selected.get(var as usize).is_some_and(|it| *it);
        match self.fact(member) {
            Some(var) => is_selected(var),
            None => self.problem.holds(member, &is_selected),
        }
    }

    /// The conflict that consists of the constraints among members.
    pub(super) fn conflict(&self, members: &[u32], is_irreducible: bool) -> Conflict {
        let constraints = members.iter().filter(|it| **it < self.problem.constraint_count());
        Conflict { core: constraints.map(|it| self.problem.reference(*it)).collect(), is_irreducible }
    }
}

/// Determines which of some members can hold together.
pub(super) struct Oracle<'o, 'a> {
    pub(super) probe: &'o mut Probe<'a>,
    solver: IncrementalSolver<'o>,
}

impl Oracle<'_, '_> {
    /// If the members cannot all hold, some of them that cannot either; `None` if they can.
    pub(super) fn unsolvable(&mut self, members: &[u32]) -> Result<Option<Members>, Stop> {
        self.check_members(members)
            .map(|it| if let ProbeOutcome::Impossible(core) = it { Some(core) } else { None })
    }

    /// Checks if members can all hold.
    pub(super) fn check_members(&mut self, members: &[u32]) -> Result<ProbeOutcome, Stop> {
        self.probe.check()?;
        let (verdict, steps) = self.solver.check_members(members, self.probe.left);
        self.probe.spend(steps)?;
        match verdict {
            Satisfiability::Satisfiable(selected) => Ok(ProbeOutcome::Possible(selected)),
            Satisfiability::Unsatisfiable(core) => Ok(ProbeOutcome::Impossible(core)),
            Satisfiability::Stopped(stop) => Err(stop),
        }
    }
}
