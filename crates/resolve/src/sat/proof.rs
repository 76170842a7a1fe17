use std::collections::BTreeSet;

use diag::order;

use super::{Conflict, LEARNT, Lit, Reason, Sat};

/// The derivations of learnt clauses: for each, the constraints and clauses that were resolved. The constraints that a
/// refutation uses are found by following them back. Invariant: the steps of dropped clauses are
/// kept, because later clauses refer to them.
#[derive(Debug, Default)]
pub(super) struct Proof {
    /// By learnt clause, in the order in which they were learnt.
    steps: Vec<Box<[Step]>>,
    /// By clause: its place in `steps`.
    places: std::collections::BTreeMap<u32, u32>,
    current: Vec<Step>,
}

/// An antecedent of a learnt clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Step {
    /// A constraint.
    Source(u32),
    /// An earlier learnt clause.
    Learnt(u32),
    /// The fact that a variable has a fixed value.
    Fixed(u32),
}

impl Proof {
    pub(super) fn finish(&mut self, clause: u32) {
        self.current.sort_unstable();
        self.current.dedup();
        self.places.insert(clause, self.steps.len() as u32);
        self.steps.push(self.current.drain(..).collect());
    }
}

impl Sat {
    /// Records that a conflict was used for the clause that is being learnt.
    pub(super) fn note_conflict(&mut self, conflict: Conflict) {
        let reason = match conflict {
            Conflict::Clause(id) => Reason::Clause(id),
            Conflict::Group { group, both } => Reason::Group { group, by: both[0] },
            Conflict::Counter(id) => Reason::Counter(id),
        };
        self.note(reason);
    }

    /// Records that a reason was used.
    pub(super) fn note(&mut self, reason: Reason) {
        let step = self.step(reason);
        if let (Some(proof), Some(step)) = (&mut self.proof, step) {
            proof.current.push(step);
        }
    }

    /// Records that a literal was left out because it is false independent of decisions.
    pub(super) fn note_fixed(&mut self, lit: Lit) {
        if let Some(proof) = &mut self.proof {
            proof.current.push(Step::Fixed(lit.var()));
        }
    }

    /// The number of records.
    pub(super) fn noted(&self) -> usize {
        self.proof.as_ref().map_or(0, |it| it.current.len())
    }

    /// Drops all records but the first ones.
    pub(super) fn forget_notes(&mut self, kept: usize) {
        if let Some(proof) = &mut self.proof {
            proof.current.truncate(kept);
        }
    }

    fn step(&self, reason: Reason) -> Option<Step> {
        match reason {
            Reason::Decision => None,
            Reason::Clause(id) if self.clauses.source(id) == LEARNT => Some(Step::Learnt(id)),
            Reason::Clause(id) => Some(Step::Source(self.clauses.source(id))),
            Reason::Group { group, .. } => Some(Step::Source(self.groups[group as usize].1)),
            Reason::Counter(id) => Some(Step::Source(self.counters[id as usize].source)),
        }
    }

    /// The sources of a conflict without decisions, in order.
    pub(crate) fn sources_of(&mut self, conflict: Conflict) -> BTreeSet<u32> {
        self.load_conflict(conflict);
        let mut open: Vec<Step> = self.buffer.iter().map(|it| Step::Fixed(it.var())).collect();
        if let Some(proof) = &mut self.proof {
            proof.current.clear();
        }
        self.note_conflict(conflict);
        open.extend(self.proof.as_mut().into_iter().flat_map(|it| it.current.drain(..)));
        self.ancestors(open)
    }

    fn ancestors(&mut self, mut open: Vec<Step>) -> BTreeSet<u32> {
        let mut done = BTreeSet::new();
        while let Some(step) = open.pop() {
            if !done.insert(step) {
                continue;
            }
            match step {
                Step::Source(_) => {}
                Step::Learnt(id) => open.extend(self.parents(id)),
                Step::Fixed(var) => open.extend(self.why_fixed(var)),
            }
        }
        order::set(done.into_iter().filter_map(|it| if let Step::Source(id) = it { Some(id) } else { None }))
    }

    fn parents(&self, clause: u32) -> Vec<Step> {
        let Some(proof) = &self.proof else { return Vec::new() };
        proof.places.get(&clause).map_or(Vec::new(), |at| proof.steps[*at as usize].to_vec())
    }

    fn why_fixed(&mut self, var: u32) -> Vec<Step> {
        let positive = Lit::new(var, true);
        let lit = if self.is_true(positive) { positive } else { !positive };
        self.load_reason(lit);
        let reason = self.step(self.assigned[var as usize].reason);
        self.buffer.iter().map(|it| Step::Fixed(it.var())).chain(reason).collect()
    }
}
