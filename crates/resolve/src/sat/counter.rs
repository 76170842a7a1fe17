use super::{Lit, Sat};

/// At most `most` of `lits` are true, or else the guard is false.
#[derive(Debug)]
pub(crate) struct Counter {
    pub(crate) lits: Vec<Lit>,
    pub(crate) most: u32,
    pub(crate) guard: Option<Lit>,
    /// The number of them that are true and have been propagated.
    pub(super) count: u32,
    pub(super) source: u32,
}

/// The role of a literal in a counter.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterLiteral {
    pub(super) counter: u32,
    pub(super) is_guard: bool,
}

impl Sat {
    /// At most one of some variables.
    pub(crate) fn add_group(&mut self, members: &[Lit], source: u32) -> u32 {
        let group = self.groups.len() as u32;
        for lit in members {
            self.in_groups.push(lit.var(), group);
        }
        self.groups.push((members.into(), source));
        group
    }

    /// Adds a counter, which must not be violated by the current assignment.
    pub(crate) fn add_counter(&mut self, lits: Vec<Lit>, most: u32, guard: Option<Lit>, source: u32) -> u32 {
        let counter = self.counters.len() as u32;
        for lit in &lits {
            self.touches[lit.index()].push(CounterLiteral { counter, is_guard: false });
        }
        if let Some(guard) = guard {
            self.touches[guard.index()].push(CounterLiteral { counter, is_guard: true });
        }
        let count = lits.iter().filter(|it| self.is_propagated(**it)).count() as u32;
        self.counters.push(Counter { lits, most, guard, count, source });
        counter
    }

    /// True if it is true and has been propagated.
    pub(crate) fn is_propagated(&self, lit: Lit) -> bool {
        self.is_true(lit) && (self.assigned[lit.var() as usize].position as usize) < self.head
    }

    /// The literals of a counter that became true first, at most so many, if they did so before `end`.
    pub(super) fn counted(&self, counter: u32, end: u32, most: u32) -> Vec<Lit> {
        let counter = &self.counters[counter as usize];
        let position = |it: &Lit| self.assigned[it.var() as usize].position;
        let is_counted = |it: &&Lit| self.is_true(**it) && position(it) < end;
        let mut lits: Vec<Lit> = counter.lits.iter().filter(is_counted).copied().collect();
        if lits.len() > most as usize {
            lits.select_nth_unstable_by_key(most as usize, position);
            lits.truncate(most as usize);
        }
        lits
    }
}
