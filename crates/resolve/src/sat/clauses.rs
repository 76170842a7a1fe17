use super::Lit;

/// The number of a clause.
pub(crate) type ClauseId = u32;

/// All clauses, their literals in one list. The first two literals of a clause are the watched ones.
#[derive(Debug, Default)]
pub(crate) struct Clauses {
    lits: Vec<Lit>,
    heads: Vec<Head>,
    /// The number of literals of dropped clauses.
    waste: usize,
}

#[derive(Debug)]
struct Head {
    start: u32,
    len: u32,
    source: u32,
    lbd: u32,
}

/// The source of learnt clauses, which come from no single constraint.
pub(crate) const LEARNT: u32 = u32::MAX;

impl Clauses {
    pub(crate) fn add(&mut self, lits: &[Lit], source: u32, lbd: u32) -> ClauseId {
        let start = self.lits.len() as u32;
        self.lits.extend_from_slice(lits);
        self.heads.push(Head { start, len: lits.len() as u32, source, lbd });
        self.heads.len() as u32 - 1
    }

    pub(crate) fn lits(&self, id: ClauseId) -> &[Lit] {
        let head = &self.heads[id as usize];
        &self.lits[head.start as usize..(head.start + head.len) as usize]
    }

    pub(crate) fn lits_mut(&mut self, id: ClauseId) -> &mut [Lit] {
        let head = &self.heads[id as usize];
        &mut self.lits[head.start as usize..(head.start + head.len) as usize]
    }

    /// The number of the constraint that it came from; [`LEARNT`] if it was learnt.
    pub(crate) fn source(&self, id: ClauseId) -> u32 {
        self.heads[id as usize].source
    }

    /// The number of decisions that a learnt clause spans; fewer is better.
    pub(crate) fn lbd(&self, id: ClauseId) -> u32 {
        self.heads[id as usize].lbd
    }

    pub(crate) fn is_dropped(&self, id: ClauseId) -> bool {
        self.heads[id as usize].len == 0
    }

    /// Frees its literals; watches of it are removed when they are visited. A clause that is a reason must
    /// not be dropped.
    pub(crate) fn drop(&mut self, id: ClauseId) {
        let head = &mut self.heads[id as usize];
        self.waste += head.len as usize;
        head.len = 0;
    }

    /// Compacts the list if more than half of it is waste.
    pub(crate) fn compact(&mut self) {
        if self.waste * 2 < self.lits.len() {
            return;
        }
        let mut end = 0;
        for head in &mut self.heads {
            let (from, len) = (head.start as usize, head.len as usize);
            self.lits.copy_within(from..from + len, end);
            head.start = end as u32;
            end += len;
        }
        self.lits.truncate(end);
        self.waste = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lits(vars: std::ops::Range<u32>) -> Vec<Lit> {
        vars.map(|it| Lit::new(it, true)).collect()
    }

    #[test]
    fn dropped_clauses_give_their_room_once_it_is_half() {
        let mut clauses = Clauses::default();
        let ids = [0..4, 4..6, 6..8, 8..12].map(|it| clauses.add(&lits(it), LEARNT, 3));
        clauses.drop(ids[0]);
        assert_eq!(ids.map(|it| clauses.is_dropped(it)), [true, false, false, false]);
        // Four of twelve are less than half.
        clauses.compact();
        assert_eq!((clauses.lits.len(), clauses.waste), (12, 4));
        clauses.drop(ids[2]);
        assert_eq!(clauses.waste, 6);
        clauses.compact();
        assert_eq!((clauses.lits.len(), clauses.waste), (6, 0));
        assert_eq!((clauses.lits(ids[1]), clauses.lits(ids[3])), (&*lits(4..6), &*lits(8..12)));
        clauses.compact();
        assert_eq!(clauses.lits(ids[3]), lits(8..12));
    }

    #[test]
    fn less_than_half_is_not_worth_moving() {
        let mut clauses = Clauses::default();
        let ids = [0..4, 4..9].map(|it| clauses.add(&lits(it), LEARNT, 3));
        clauses.drop(ids[0]);
        clauses.compact();
        assert_eq!((clauses.lits.len(), clauses.waste), (9, 4));
    }
}
