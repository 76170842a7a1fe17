use super::{Conflict, LEARNT, Lit, Reason, Sat};

impl Sat {
    /// Learns from a conflict; what was learnt makes a literal true. `false` if the conflict does not come from any
    /// decision: nothing can be done.
    pub(crate) fn learn(&mut self, conflict: Conflict) -> bool {
        self.load_conflict(conflict);
        let deepest = self.buffer.iter().map(|it| self.level_of(*it)).max().unwrap_or(0);
        if deepest == 0 {
            return false;
        }
        self.back_to_with(deepest as usize);
        let mut lits = self.resolve(conflict);
        self.shorten(&mut lits);
        let depth = self.second_deepest(&mut lits);
        self.add_learnt(&lits, depth);
        true
    }

    /// A conflict that was found late lies in earlier decisions only; the rest is taken back first.
    fn back_to_with(&mut self, depth: usize) {
        if depth < self.depth() {
            self.back_to(depth);
        }
    }

    /// Resolves the conflict with reasons until one literal of the last decision is left, which comes first.
    fn resolve(&mut self, conflict: Conflict) -> Vec<Lit> {
        let mut lits = vec![Lit::new(0, true)];
        let mut open = 0;
        let mut at = self.trail.len();
        self.load_conflict(conflict);
        self.note_conflict(conflict);
        loop {
            open += self.sort_out(&mut lits);
            let lit = loop {
                at -= 1;
                let lit = self.trail[at];
                if self.seen[lit.var() as usize] && self.level_of(lit) as usize == self.depth() {
                    break lit;
                }
            };
            self.seen[lit.var() as usize] = false;
            open -= 1;
            if open == 0 {
                lits[0] = !lit;
                return lits;
            }
            self.load_reason(lit);
            self.note(self.assigned[lit.var() as usize].reason);
        }
    }

    /// Of the buffer's literals those of earlier decisions are kept; those of the last one are counted and resolved.
    fn sort_out(&mut self, lits: &mut Vec<Lit>) -> usize {
        let last = self.depth() as u32;
        let buffer = std::mem::take(&mut self.buffer);
        let mut open = 0;
        self.steps += buffer.len() as u64;
        for lit in &buffer {
            let var = lit.var() as usize;
            if self.assigned[var].level == 0 {
                self.note_fixed(*lit);
            } else if !self.seen[var] {
                self.seen[var] = true;
                if self.assigned[var].level == last {
                    open += 1;
                } else {
                    lits.push(*lit);
                }
            }
        }
        self.buffer = buffer;
        open
    }

    /// Leaves out literals that follow from the others; clears the marks.
    fn shorten(&mut self, lits: &mut Vec<Lit>) {
        let all = lits.clone();
        self.seen[all[0].var() as usize] = true;
        lits.retain(|it| *it == all[0] || !self.follows(*it));
        for lit in all {
            self.seen[lit.var() as usize] = false;
        }
    }

    /// Whether a literal's reason has marked literals only.
    fn follows(&mut self, lit: Lit) -> bool {
        let reason = self.assigned[lit.var() as usize].reason;
        if reason == Reason::Decision {
            return false;
        }
        self.load_reason(!lit);
        let is_marked = |it: &Lit| self.seen[it.var() as usize] || self.level_of(*it) == 0;
        if !self.buffer.iter().all(is_marked) {
            return false;
        }
        self.note(reason);
        let fixed: Vec<Lit> = self.buffer.iter().filter(|it| self.level_of(**it) == 0).copied().collect();
        fixed.into_iter().for_each(|it| self.note_fixed(it));
        true
    }

    /// Puts the literal of the second last decision second; how many decisions it comes after.
    fn second_deepest(&self, lits: &mut [Lit]) -> usize {
        let mut best = 1;
        for at in 1..lits.len() {
            if self.level_of(lits[at]) > self.level_of(lits[best]) {
                best = at;
            }
        }
        if best >= lits.len() {
            return 0;
        }
        lits.swap(1, best);
        self.level_of(lits[1]) as usize
    }

    /// Only the last decision is taken back. What was learnt may make a literal true since earlier, but the decisions
    /// since then would be made again: what is first in a choice follows from what was chosen before.
    fn add_learnt(&mut self, lits: &[Lit], depth: usize) {
        let lbd = self.distinct_levels(lits);
        self.back_to(self.depth() - 1);
        let id = self.clauses.add(lits, LEARNT, lbd);
        if let Some(proof) = &mut self.proof {
            proof.finish(id);
        }
        self.watch(id);
        self.learnt.push(id);
        self.set_at(lits[0], Reason::Clause(id), depth);
    }

    fn distinct_levels(&self, lits: &[Lit]) -> u32 {
        let mut levels: Vec<u32> = lits.iter().map(|it| self.level_of(*it)).collect();
        levels.sort_unstable();
        levels.dedup();
        levels.len() as u32
    }
}
