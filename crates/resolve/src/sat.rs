//! Conflict-driven clause learning (CDCL, Marques-Silva and Sakallah 1999) over clauses, at-most-one groups and counters.
//!
//! - Clauses are propagated with two watched literals (Moskewicz et al. 2001) and blockers (MiniSat 2.1).
//! - Groups and counters are propagated without translation to clauses. Their reasons are computed when they are needed.
//! - Learnt clauses are first-UIP clauses (Zhang et al. 2001), minimised recursively (Sörensson and Biere 2009).
//! - Backtracking is chronological (Nadel and Ryvchin 2018), so the levels along the trail need not ascend.
//!
//! This module makes no decisions. The search decides, and it may add clauses at any time.

mod analyse;
mod clauses;
mod counter;
mod lit;
mod order;
mod proof;
mod propagate;
mod reason;
mod reduce;

use std::rc::Rc;

pub(crate) use clauses::{ClauseId, LEARNT};
pub(crate) use lit::Lit;
pub(crate) use reason::{Conflict, Reason};

use crate::forms::Chains;
use clauses::Clauses;
use counter::{Counter, CounterLiteral};
use order::Order;
use proof::Proof;

/// A clause that has to be visited when one of its two watched literals becomes false.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: ClauseId,
    /// Another literal of it; if that one is true, the clause need not be visited.
    blocker: Lit,
}

/// The assignment of a variable, if it has one.
#[derive(Clone, Copy, Debug)]
struct Assigned {
    level: u32,
    /// Its place in the trail.
    position: u32,
    reason: Reason,
    /// True if later decisions, which do not affect it, had been made when it became true.
    is_early: bool,
}

/// Invariants:
///
/// - The trail contains each true literal once, in the order of assignment. It is not ordered by level: an early literal
///   has a lower level than the decision before it.
/// - The other literals of a reason precede the implied literal in the trail, and none of them has a deeper level.
/// - `levels[n]` is the position of decision `n + 1` in the trail.
/// - Literals before `head` have been propagated, and exactly these are included in the counts of the counters.
/// - After backtracking, the literals that are kept behind the decision are propagated again, so that a clause whose
///   watched literals became false early gets other watches.
#[derive(Debug, Default)]
pub(crate) struct Sat {
    clauses: Clauses,
    /// By literal: the clauses that watch it.
    watches: Vec<Vec<Watch>>,
    groups: Vec<(Rc<[Lit]>, u32)>,
    /// By variable.
    in_groups: Chains<u32>,
    counters: Vec<Counter>,
    /// By literal: the counters that count it or that it guards.
    touches: Vec<Vec<CounterLiteral>>,
    /// By literal: whether it is true.
    is_true: Vec<bool>,
    /// By variable.
    assigned: Vec<Assigned>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// The literals before this position of the trail have been propagated.
    head: usize,
    /// The number of early literals in the trail.
    early: usize,
    learnt: Vec<ClauseId>,
    /// The number of clauses that may be learnt before the worse half is dropped.
    room: usize,
    proof: Option<Proof>,
    order: Order,
    buffer: Vec<Lit>,
    seen: Vec<bool>,
    /// Variables that are marked as seen besides those of the clause that is being learnt.
    marked: Vec<u32>,
    /// The number of clauses, literals and members that were visited.
    pub(crate) steps: u64,
}

impl Sat {
    /// A solver that records the derivations of learnt clauses, if requested.
    pub(crate) fn new(with_proof: bool) -> Self {
        Self { room: 2_000, proof: with_proof.then(Proof::default), ..Self::default() }
    }

    /// A new variable.
    pub(crate) fn add_variable(&mut self) -> u32 {
        let var = self.assigned.len() as u32;
        self.watches.extend([Vec::new(), Vec::new()]);
        self.touches.extend([Vec::new(), Vec::new()]);
        self.is_true.extend([false, false]);
        self.assigned.push(Assigned { level: 0, position: 0, reason: Reason::Decision, is_early: false });
        self.seen.push(false);
        self.order.add_variable();
        var
    }

    pub(crate) fn variables(&self) -> usize {
        self.assigned.len()
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.index()]
    }

    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.is_true[(!lit).index()]
    }

    pub(crate) fn is_open(&self, lit: Lit) -> bool {
        !self.is_true(lit) && !self.is_false(lit)
    }

    /// True if a true literal was decided.
    pub(crate) fn is_decision(&self, lit: Lit) -> bool {
        self.assigned[lit.var() as usize].reason == Reason::Decision
    }

    /// The number of decisions.
    pub(crate) fn depth(&self) -> usize {
        self.levels.len()
    }

    fn level_of(&self, lit: Lit) -> u32 {
        self.assigned[lit.var() as usize].level
    }

    /// The next true literal that has not been propagated.
    pub(crate) fn next(&self) -> Option<Lit> {
        self.trail.get(self.head).copied()
    }

    /// Decides that an open literal is true.
    pub(crate) fn decide(&mut self, lit: Lit) {
        self.levels.push(self.trail.len());
        self.set(lit, Reason::Decision);
    }

    /// Begins a level for several assumptions, which [`set`](Self::set) makes true as decisions.
    pub(crate) fn begin_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// From now on [`branch`](Self::branch) chooses decisions.
    pub(crate) fn begin_branching(&mut self) {
        if !self.order.is_on {
            self.order.begin();
        }
    }

    /// The open literal to decide if there is no preference; `None` if nothing is open.
    pub(crate) fn branch(&mut self) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            self.steps += 1;
            let lit = Lit::new(var, self.order.phase(var));
            if self.is_open(lit) {
                return Some(lit);
            }
        }
        None
    }

    /// Makes an open literal true because of the last decision.
    pub(crate) fn set(&mut self, lit: Lit, reason: Reason) {
        self.set_at(lit, reason, self.levels.len());
    }

    /// Makes an open literal true because of the decision at some level.
    fn set_at(&mut self, lit: Lit, reason: Reason, level: usize) {
        let is_early = level < self.levels.len();
        let (level, position) = (level as u32, self.trail.len() as u32);
        self.early += usize::from(is_early);
        self.is_true[lit.index()] = true;
        self.assigned[lit.var() as usize] = Assigned { level, position, reason, is_early };
        self.trail.push(lit);
    }

    /// Reverts all decisions after the first `depth`. Literals of the other levels are kept and move up in the trail, so
    /// their positions change, but their order does not.
    pub(crate) fn back_to(&mut self, depth: usize) {
        let Some(start) = self.levels.get(depth).copied() else { return };
        self.levels.truncate(depth);
        self.steps += (self.trail.len() - start) as u64;
        let mut end = start;
        for at in start..self.trail.len() {
            let lit = self.trail[at];
            if at < self.head {
                self.uncount(lit);
            }
            let assigned = &mut self.assigned[lit.var() as usize];
            self.early -= usize::from(assigned.is_early);
            if assigned.level as usize > depth {
                self.is_true[lit.index()] = false;
                if self.order.is_on {
                    self.order.release(lit.var(), lit.is_positive());
                }
                continue;
            }
            assigned.is_early = (assigned.level as usize) < depth;
            assigned.position = end as u32;
            self.early += usize::from(assigned.is_early);
            self.trail[end] = lit;
            end += 1;
        }
        self.trail.truncate(end);
        self.head = self.head.min(start);
    }

    fn uncount(&mut self, lit: Lit) {
        if self.counters.is_empty() {
            return;
        }
        for touch in &self.touches[lit.index()] {
            if !touch.is_guard {
                self.counters[touch.counter as usize].count -= 1;
            }
        }
    }

    /// By variable: whether it is true.
    pub(crate) fn model(&self) -> Vec<bool> {
        self.is_true.iter().step_by(2).copied().collect()
    }

    /// Adds a clause without repeated literals, and watches it. The caller must propagate it, unless one of
    /// its literals has become false and was not propagated yet.
    pub(crate) fn add_clause(&mut self, lits: &mut [Lit], source: u32) -> ClauseId {
        self.best_first(lits);
        let id = self.clauses.add(lits, source, 0);
        self.watch(id);
        id
    }

    /// Moves the two best literals to watch to the front: those that are not false, then those that became so
    /// last.
    fn best_first(&self, lits: &mut [Lit]) {
        let rank =
            |lit: Lit| if self.is_false(lit) { self.assigned[lit.var() as usize].position } else { u32::MAX };
        for place in 0..lits.len().min(2) {
            let mut best = place;
            for at in place + 1..lits.len() {
                if rank(lits[at]) > rank(lits[best]) {
                    best = at;
                }
            }
            lits.swap(place, best);
        }
    }

    fn watch(&mut self, id: ClauseId) {
        if let [first, second, ..] = *self.clauses.lits(id) {
            self.watches[first.index()].push(Watch { clause: id, blocker: second });
            self.watches[second.index()].push(Watch { clause: id, blocker: first });
        }
    }

    /// True if a clause that is added now is propagated in time: two of its literals are not false, or one of
    /// those that are has not been propagated.
    pub(crate) fn is_seen_to(&self, lits: &[Lit]) -> bool {
        let is_new =
            |it: &Lit| self.is_false(*it) && self.assigned[it.var() as usize].position as usize >= self.head;
        lits.len() > 1 && (self.open_or_true(lits) > 1 || lits.iter().any(is_new))
    }

    /// The number of literals that are not false: 0, 1, or 2 for more.
    pub(crate) fn open_or_true(&self, lits: &[Lit]) -> usize {
        lits.iter().filter(|it| !self.is_false(**it)).take(2).count()
    }
}
