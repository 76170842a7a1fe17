use crate::{
    Conflict, Hooks, Problem, Stop,
    normal::Var,
    search::{Found, Goal, Search, World},
};

/// Numbers of constraints, in order; those after the last constraint are of facts.
pub(super) type Members = Vec<u32>;

/// Members without one; `None` if it is not among them.
pub(super) fn without(members: &[u32], member: u32) -> Option<Members> {
    let at = members.binary_search(&member).ok()?;
    Some([&members[..at], &members[at + 1..]].concat())
}

/// Asks again and again whether some of the constraints can hold together, until the steps are used up.
pub(super) struct Probe<'a> {
    pub(super) problem: &'a Problem,
    hooks: &'a dyn Hooks,
    /// Variables that are taken to be chosen, under numbers after those of the constraints.
    facts: Vec<(Var, u32)>,
    counts: Vec<bool>,
    pub(super) left: u64,
}

/// What became of members.
pub(super) enum Told {
    /// They can all hold; what is selected then.
    Possible(Vec<usize>),
    /// They can't; these neither.
    Impossible(Members),
}

/// Of the caller's hooks only the question whether to break off.
pub(super) struct Quiet<'a>(pub(super) &'a dyn Hooks);

impl Hooks for Quiet<'_> {
    fn is_tracing(&self) -> bool {
        false
    }

    fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }
}

impl<'a> Probe<'a> {
    pub(super) fn new(problem: &'a Problem, hooks: &'a dyn Hooks, steps: u64) -> Self {
        let counts = vec![false; problem.constraint_count() as usize];
        Self { problem, hooks, facts: Vec::new(), counts, left: steps }
    }

    /// With variables that are taken to be chosen; the members that say so.
    pub(super) fn facts(&mut self, vars: impl IntoIterator<Item = Var>) -> Members {
        let first = self.problem.constraint_count();
        self.facts = vars.into_iter().zip(first..).collect();
        self.facts.iter().map(|(_, number)| *number).collect()
    }

    /// The variable that a member says is chosen, if it is a fact.
    pub(super) fn fact(&self, member: u32) -> Option<Var> {
        let at = member.checked_sub(self.problem.constraint_count())?;
        self.facts.get(at as usize).map(|(var, _)| *var)
    }

    /// Of members that can't all hold, some that can't either; `None` if they can.
    pub(super) fn unsolvable(&mut self, members: &[u32]) -> Result<Option<Members>, Stop> {
        self.ask(members).map(|it| if let Told::Impossible(core) = it { Some(core) } else { None })
    }

    /// Whether members can all hold.
    pub(super) fn ask(&mut self, members: &[u32]) -> Result<Told, Stop> {
        if self.hooks.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        let is_in = |(_, number): &&(Var, u32)| members.binary_search(number).is_ok();
        let facts: Vec<(Var, u32)> = self.facts.iter().filter(is_in).copied().collect();
        self.mark(members, true);
        let goal = Goal { counts: Some(&self.counts), facts: &facts, with_proof: true, steps: self.left };
        let mut quiet = Quiet(self.hooks);
        let (found, steps) = Search::new(World::Fixed(self.problem), goal, &mut quiet).run();
        self.mark(members, false);
        // To begin takes longer the larger the problem is.
        let beginning = u64::from(self.problem.constraint_count()) / 2 + 100;
        self.left = self.left.saturating_sub(steps + beginning);
        match found {
            Found::Impossible(core) => Ok(Told::Impossible(core.into_iter().collect())),
            Found::Model(solution) => Ok(Told::Possible(solution.selected)),
            Found::Stopped(stop) => Err(stop),
        }
    }

    /// Whether a member holds when these variables are selected and no others.
    pub(super) fn holds(&self, member: u32, selected: &[usize]) -> bool {
        let is_selected = |var: Var| selected.binary_search(&(var as usize)).is_ok();
        match self.fact(member) {
            Some(var) => is_selected(var),
            None => self.problem.holds(member, &is_selected),
        }
    }

    fn mark(&mut self, members: &[u32], counts: bool) {
        for member in members {
            if let Some(it) = self.counts.get_mut(*member as usize) {
                *it = counts;
            }
        }
    }

    /// The constraints among members.
    pub(super) fn conflict(&self, members: &[u32], is_irreducible: bool) -> Conflict {
        let constraints = members.iter().filter(|it| **it < self.problem.constraint_count());
        Conflict { core: constraints.map(|it| self.problem.reference(*it)).collect(), is_irreducible }
    }
}
