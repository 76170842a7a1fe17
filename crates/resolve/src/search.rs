//! The search whose branching rule is the queue of choices.
//!
//! A decision is always the first candidate of the next choice that is not false. A candidate that is false then follows
//! from the constraints and the choices before it. So in a model, each choice has the first candidate with which everything
//! can be satisfied. This is what makes the answer independent of the order of propagation and of the learnt clauses.
//!
//! Invariant: the queue has one mark per decision of the solver, and both backtrack together. A restart repeats the same
//! choices, so constraints can be added at any time: they become clauses when their subject is first chosen.

mod emit;
mod fact;
mod incremental;
mod minimise;
mod prefix;
mod queue;
mod world;

use std::collections::BTreeSet;

pub(crate) use incremental::{IncrementalSolver, Satisfiability};
pub(crate) use world::VariableSource;

use crate::{
    Hooks, Solution, Stop,
    forms::FormIndex,
    hooks::Event,
    normal::Var,
    sat::{Conflict, Lit, Sat},
};
use fact::Fact;
use prefix::{Preference, Prefix};
use queue::{Next, Queue};

/// The outcome of a search.
#[derive(Debug)]
pub(crate) enum SearchOutcome {
    Model(Solution),
    /// There is no solution; with the constraints that were used to show that, if a proof was requested.
    Impossible(BTreeSet<u32>),
    Stopped(Stop),
}

/// The goal of a search.
#[derive(Clone, Debug, Default)]
pub(crate) struct Goal<'a> {
    /// By constraint: whether it is enabled; those beyond the list are. All of them if it is `None`.
    pub(crate) counts: Option<&'a [bool]>,
    /// Additional variables that are true, each with a number that no constraint has. No choice begins with
    /// them, so the result is any model.
    pub(crate) facts: &'a [(Var, u32)],
    pub(crate) with_proof: bool,
    pub(crate) steps: u64,
}

pub(crate) struct Search<'a> {
    world: VariableSource<'a>,
    hooks: &'a mut dyn Hooks,
    goal: Goal<'a>,
    sat: Sat,
    queue: Queue,
    /// By variable of the problem: its number in `sat`; `NONE` until it is needed.
    inner: Vec<u32>,
    /// By variable in `sat`: its number in the problem, or `NONE` for an auxiliary one.
    outer: Vec<Var>,
    /// By variable of the problem: whether its constraints were added as clauses.
    emitted: Vec<bool>,
    /// The counting forms that have been added.
    counting: BTreeSet<FormIndex>,
    /// The facts that can only be added when all decisions are reverted.
    deferred: Vec<(Fact, u32)>,
    broken: Option<Conflict>,
    /// True if there are constraints that no choice satisfies.
    has_truths: bool,
    /// True if the choices must be made again because there are new ones that come first.
    has_new_anchors: bool,
    /// The chosen variables, after the search.
    kept: Vec<Var>,
    scratch: Vec<Lit>,
    cursor: usize,
    conflicts: u64,
    ticks: u64,
    /// In a hard problem: the decisions of preference.
    prefix: Option<Prefix>,
    /// If all constraints are added before the search, each under an assumption: these, by constraint.
    assumptions: Option<Vec<(u32, Lit)>>,
    /// The assumption that guards the constraint being added.
    assumption: Option<Lit>,
}

const NONE: u32 = u32::MAX;

impl<'a> Search<'a> {
    pub(crate) fn new(world: VariableSource<'a>, goal: Goal<'a>, hooks: &'a mut dyn Hooks) -> Self {
        Self {
            sat: Sat::new(goal.with_proof),
            queue: Queue::default(),
            inner: Vec::new(),
            outer: Vec::new(),
            emitted: Vec::new(),
            counting: BTreeSet::new(),
            deferred: Vec::new(),
            broken: None,
            has_truths: !goal.facts.is_empty(),
            has_new_anchors: false,
            kept: Vec::new(),
            scratch: Vec::new(),
            cursor: 0,
            conflicts: 0,
            ticks: 0,
            prefix: None,
            assumptions: None,
            assumption: None,
            world,
            hooks,
            goal,
        }
    }

    /// The outcome of the search, and the number of steps.
    pub(crate) fn run(mut self) -> (SearchOutcome, u64) {
        self.begin();
        let found = match self.search().and_then(|()| self.fewest()) {
            Ok(extras) => SearchOutcome::Model(self.solution(extras)),
            Err(end) => end,
        };
        (found, self.sat.steps)
    }

    /// Makes all choices.
    fn search(&mut self) -> Result<(), SearchOutcome> {
        self.decide_all(Preference::Choices).map(|_| ())
    }

    fn sat_decide(&mut self, lit: Lit) {
        self.queue.mark();
        self.sat.decide(lit);
    }

    /// Propagates to a fixed point, and learns from each conflict on the way.
    fn settle(&mut self) -> Result<(), SearchOutcome> {
        loop {
            self.check_limits()?;
            match self.propagate() {
                Err(conflict) => self.learn(conflict)?,
                Ok(()) if self.has_new_anchors => self.restart_from_start(),
                Ok(()) if self.deferred.is_empty() => return Ok(()),
                Ok(()) => self.add_deferred(),
            }
        }
    }

    fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            if let Some(conflict) = self.broken {
                return Err(conflict);
            }
            let Some(lit) = self.sat.next() else { return Ok(()) };
            if lit.is_positive() {
                self.emit(lit.var());
            }
            self.sat.propagate_next()?;
        }
    }

    fn learn(&mut self, conflict: Conflict) -> Result<(), SearchOutcome> {
        self.hooks.trace(&Event::Conflict { decisions: self.sat.depth() });
        if let Some(found) = self.refuted_members(conflict) {
            return Err(found);
        }
        let floor = self.prefix.as_ref().map(|it| it.len);
        if self.broken.is_some() || !self.sat.learn(conflict, floor) {
            self.back_to(0);
            let sources = if self.goal.with_proof { self.sat.sources_of(conflict) } else { BTreeSet::new() };
            return Err(SearchOutcome::Impossible(sources));
        }
        self.back_to(self.sat.depth());
        self.conflicts += 1;
        self.restart();
        Ok(())
    }

    fn back_to(&mut self, depth: usize) {
        self.sat.back_to(depth);
        self.queue.back_to(depth);
        self.cursor = 0;
        if let Some(prefix) = &mut self.prefix {
            prefix.back_to(depth);
        }
    }

    fn add_deferred(&mut self) {
        self.back_to(0);
        for (fact, source) in std::mem::take(&mut self.deferred) {
            self.add(fact, source);
        }
    }

    fn check_limits(&mut self) -> Result<(), SearchOutcome> {
        self.ticks += 1;
        if self.sat.steps > self.goal.steps {
            return Err(SearchOutcome::Stopped(Stop::Steps));
        }
        if self.ticks.is_multiple_of(256) && self.hooks.is_cancelled() {
            return Err(SearchOutcome::Stopped(Stop::Cancelled));
        }
        Ok(())
    }

    /// The literal for a variable of the problem.
    fn lit(&mut self, var: Var) -> Lit {
        let at = var as usize;
        if at >= self.inner.len() {
            self.inner.resize(self.world.problem().variables().len().max(at + 1), NONE);
        }
        if self.inner[at] == NONE {
            self.inner[at] = self.sat.add_variable();
            self.outer.push(var);
        }
        Lit::new(self.inner[at], true)
    }

    /// An auxiliary variable.
    fn helper(&mut self) -> Lit {
        self.outer.push(NONE);
        Lit::new(self.sat.add_variable(), true)
    }

    fn solution(&mut self, extras: BTreeSet<Var>) -> Solution {
        let mut selected = extras;
        selected.extend(self.kept.iter().copied());
        let selected = selected.into_iter().map(|it| it as usize).collect();
        Solution { selected, choices: self.queue.take_choices() }
    }
}
