use diag::order;

use super::{Reason, Sat};

impl Sat {
    /// Drops up to half of the learnt clauses once there are too many: those with the highest literal block distance
    /// (LBD, Audemard and Simon 2009), older ones first. Clauses with an LBD of at most 2 and reasons of the current
    /// assignment are kept. The limit grows by a tenth each time, so that the search ends.
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
        order::by_key(&mut worst, |it| std::cmp::Reverse(self.clauses.lbd(*it)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::{Lit, clauses::LEARNT};

    /// A solver with learnt clauses of two new variables each, which span so many decisions.
    fn learnt(lbds: &[u32], room: usize) -> Sat {
        let mut sat = Sat { room, ..Sat::new(false) };
        for lbd in lbds {
            let lits = [sat.add_variable(), sat.add_variable()].map(|it| Lit::new(it, true));
            let id = sat.clauses.add(&lits, LEARNT, *lbd);
            sat.learnt.push(id);
        }
        sat
    }

    #[test]
    fn no_learnt_clause_is_dropped_below_the_limit() {
        let mut sat = learnt(&[3, 4, 5, 6], 5);
        sat.forget();
        assert_eq!((sat.learnt.len(), sat.room), (4, 5));
    }

    #[test]
    fn the_half_that_spans_most_decisions_is_forgotten() {
        let mut sat = learnt(&[3, 9, 2, 7, 4, 5], 6);
        sat.forget();
        assert_eq!(sat.learnt, [0, 2, 4]);
        assert_eq!(sat.room, 6);
        let mut sat = learnt(&[3; 40], 40);
        sat.forget();
        assert_eq!((sat.learnt.len(), sat.room), (20, 44));
    }

    #[test]
    fn clauses_with_low_lbd_are_kept() {
        let mut sat = learnt(&[2, 2, 2, 3], 4);
        sat.forget();
        assert_eq!(sat.learnt, [0, 1, 2]);
    }

    #[test]
    fn a_reason_is_kept() {
        let mut sat = learnt(&[9, 8, 3, 3], 4);
        let first = sat.clauses.lits(0)[0];
        sat.is_true[first.index()] = true;
        sat.assigned[first.var() as usize].reason = Reason::Clause(0);
        // A clause that is a reason for another literal can be dropped.
        let other = sat.clauses.lits(1)[0];
        sat.is_true[other.index()] = true;
        sat.forget();
        assert_eq!(sat.learnt, [0, 3]);
    }
}
