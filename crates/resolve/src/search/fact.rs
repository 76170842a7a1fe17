use super::Search;
use crate::{
    normal::Formula,
    sat::{Conflict, Lit, Reason},
};

/// A constraint in the form that the solver takes.
#[derive(Debug)]
pub(super) enum Fact {
    Clause(Vec<Lit>),
    /// At most one of these.
    Group(Vec<Lit>),
    /// At most so many of these, or else the guard is false.
    Counter(Vec<Lit>, u32, Option<Lit>),
}

impl Search<'_> {
    /// Adds a fact now, or when all decisions are reverted if it affects decided literals.
    pub(super) fn add(&mut self, fact: Fact, source: u32) {
        match fact {
            Fact::Clause(mut lits) => {
                lits.sort_unstable();
                lits.dedup();
                if !lits.windows(2).any(|it| it[0] == !it[1]) {
                    self.add_clause(&mut lits, source);
                }
            }
            fact if self.sat.depth() > 0 && !self.is_harmless(&fact) => self.deferred.push((fact, source)),
            Fact::Group(lits) => {
                let group = self.sat.add_group(&lits, source);
                let result = self.sat.check_group(group);
                self.note(result);
            }
            Fact::Counter(lits, most, guard) => {
                let counter = self.sat.add_counter(lits, most, guard, source);
                let result = self.sat.check_counter(counter);
                self.note(result);
            }
        }
    }

    fn note(&mut self, result: Result<(), Conflict>) {
        self.broken = self.broken.or(result.err());
    }

    /// True if it has no consequences that are not propagated anyway.
    fn is_harmless(&self, fact: &Fact) -> bool {
        match fact {
            Fact::Clause(_) => true,
            Fact::Group(lits) => !lits.iter().any(|it| self.sat.is_propagated(*it)),
            Fact::Counter(lits, most, _) => {
                lits.iter().filter(|it| self.sat.is_propagated(**it)).count() < *most as usize
            }
        }
    }

    /// Adds a clause of different variables.
    pub(super) fn add_clause(&mut self, lits: &mut [Lit], source: u32) {
        let is_decided = self.sat.depth() > 0;
        if is_decided && !self.sat.is_seen_to(lits) {
            self.deferred.push((Fact::Clause(lits.to_vec()), source));
            return;
        }
        let id = self.sat.add_clause(lits, source);
        if is_decided {
            return;
        }
        match (self.sat.open_or_true(lits), lits.first()) {
            (0, _) => self.broken = self.broken.or(Some(Conflict::Clause(id))),
            (1, Some(lit)) if self.sat.is_open(*lit) => self.sat.set(*lit, Reason::Clause(id)),
            _ => {}
        }
    }

    /// Adds a formula, which must be true unless one of `unless` is.
    pub(super) fn add_formula(&mut self, formula: &Formula, unless: &[Lit], source: u32) {
        match formula {
            Formula::Is(_) | Formula::Any(_) => {
                let mut lits = unless.to_vec();
                let rest = self.collect(formula, &mut lits);
                self.add(Fact::Clause(lits), source);
                for (helper, part) in rest {
                    self.add_formula(part, &[!helper], source);
                }
            }
            Formula::All(parts) => parts.iter().for_each(|it| self.add_formula(it, unless, source)),
            Formula::AtMost(most, of) => {
                let of = of.iter().map(|it| self.translated(*it)).collect();
                let guard = unless.first().map(|it| !*it);
                self.add(Fact::Counter(of, *most, guard), source);
            }
        }
    }

    /// Literals one of which is true if the formula is. Compound parts get an auxiliary variable each, which
    /// implies them.
    fn collect<'f>(&mut self, formula: &'f Formula, lits: &mut Vec<Lit>) -> Vec<(Lit, &'f Formula)> {
        match formula {
            Formula::Is(lit) => {
                lits.push(self.translated(*lit));
                Vec::new()
            }
            Formula::Any(parts) => parts.iter().flat_map(|it| self.collect(it, lits)).collect(),
            Formula::All(_) | Formula::AtMost(..) => {
                let helper = self.helper();
                lits.push(helper);
                vec![(helper, formula)]
            }
        }
    }

    /// A literal of the problem as one of the solver.
    fn translated(&mut self, lit: Lit) -> Lit {
        self.lit(lit.var()).when(lit.is_positive())
    }
}
