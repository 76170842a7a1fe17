use super::{ClauseId, Lit, Sat};

/// The reason why a literal is true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// It was decided.
    Decision,
    /// All other literals of the clause are false.
    Clause(ClauseId),
    /// Another member of its group is true.
    Group { group: u32, by: Lit },
    /// A counter is full or violated.
    Counter(u32),
}

/// A constraint that is violated by the current assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// All literals of the clause are false.
    Clause(ClauseId),
    /// Both are true.
    Group { group: u32, both: [Lit; 2] },
    /// Too many literals are true.
    Counter(u32),
}

impl Sat {
    /// Loads the false literals of the conflict into the buffer.
    pub(super) fn load_conflict(&mut self, conflict: Conflict) {
        self.buffer.clear();
        match conflict {
            Conflict::Clause(id) => self.buffer.extend_from_slice(self.clauses.lits(id)),
            Conflict::Group { both, .. } => self.buffer.extend(both.map(|it| !it)),
            Conflict::Counter(id) => {
                let counter = &self.counters[id as usize];
                let (most, guard) = (counter.most, counter.guard);
                self.steps += counter.lits.len() as u64;
                let lits = self.counted(id, u32::MAX, most + 1);
                self.buffer.extend(lits.into_iter().chain(guard).map(|it| !it));
            }
        }
    }

    /// Puts the false literals that imply `lit` into the buffer. For a counter these are the literals that were true
    /// before `lit`, by their position in the trail: later ones would make the implication graph cyclic.
    pub(super) fn load_reason(&mut self, lit: Lit) {
        self.buffer.clear();
        match self.assigned[lit.var() as usize].reason {
            Reason::Decision => {}
            Reason::Clause(id) => {
                self.buffer.extend(self.clauses.lits(id).iter().filter(|it| **it != lit));
            }
            Reason::Group { by, .. } => self.buffer.push(!by),
            Reason::Counter(id) => self.load_counter(id, lit),
        }
    }

    fn load_counter(&mut self, id: u32, lit: Lit) {
        let counter = &self.counters[id as usize];
        let (most, guard) = (counter.most, counter.guard);
        self.steps += counter.lits.len() as u64;
        let is_guard = guard == Some(!lit);
        let most = if is_guard { most + 1 } else { most };
        let lits = self.counted(id, self.assigned[lit.var() as usize].position, most);
        self.buffer.extend(lits.into_iter().map(|it| !it));
        self.buffer.extend(guard.filter(|_| !is_guard).map(|it| !it));
    }
}
