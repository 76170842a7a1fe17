use super::{Reason, Sat};

impl Sat {
    /// Forgets the worse half of what was learnt once it is too much: what spans many decisions and is old.
    pub(crate) fn forget(&mut self) {
        if self.learnt.len() < self.room {
            return;
        }
        let mut worst: Vec<u32> = self
            .learnt
            .iter()
            .copied()
            .filter(|it| self.clauses.lbd(*it) > 2 && !self.is_reason(*it))
            .collect();
        worst.sort_by_key(|it| std::cmp::Reverse(self.clauses.lbd(*it)));
        worst.truncate(self.learnt.len() / 2);
        worst.into_iter().for_each(|it| self.clauses.drop(it));
        self.learnt.retain(|it| !self.clauses.is_dropped(*it));
        self.clauses.compact();
        self.room += self.room / 10;
    }

    fn is_reason(&self, id: u32) -> bool {
        let first = self.clauses.lits(id)[0];
        self.is_true(first) && self.assigned[first.var() as usize].reason == Reason::Clause(id)
    }
}
