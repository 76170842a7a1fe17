use super::{Conflict, LEARNT, Lit, Reason, Sat};

impl Sat {
    /// Learns a clause from a conflict and asserts its first literal. `false` if the conflict does not depend on any
    /// decision: the clauses cannot be satisfied.
    ///
    /// Without a floor only the last decision is reverted (chronological backtracking), so decisions of preference that
    /// are still valid are not made again. With a floor, a conflict of later decisions goes back as far as the learnt
    /// clause permits (a backjump), but not below the floor.
    pub(crate) fn learn(&mut self, conflict: Conflict, floor: Option<usize>) -> bool {
        let deepest = self.depth_of(conflict);
        if deepest == 0 {
            return false;
        }
        self.back_to_with(deepest);
        let mut lits = self.resolve(conflict);
        self.shorten(&mut lits);
        let depth = self.second_deepest(&mut lits);
        let kept = floor.filter(|it| *it < deepest).map_or(deepest - 1, |it| it.max(depth));
        self.add_learnt(&lits, depth, kept);
        self.order.decay();
        true
    }

    /// The number of decisions after which a conflict arises.
    pub(crate) fn depth_of(&mut self, conflict: Conflict) -> usize {
        self.load_conflict(conflict);
        self.buffer.iter().map(|it| self.level_of(*it)).max().unwrap_or(0) as usize
    }

    /// The decisions that a conflict comes from.
    pub(crate) fn decisions_of(&mut self, conflict: Conflict) -> Vec<Lit> {
        self.load_conflict(conflict);
        let mut decisions = Vec::new();
        self.mark_buffer();
        for at in (0..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !self.seen[lit.var() as usize] {
                continue;
            }
            if self.assigned[lit.var() as usize].reason == Reason::Decision {
                decisions.push(lit);
            } else {
                self.load_reason(lit);
                self.mark_buffer();
            }
        }
        self.unmark(0);
        decisions
    }

    /// Marks the literals in the buffer that are false because of decisions.
    fn mark_buffer(&mut self) {
        self.steps += self.buffer.len() as u64;
        for at in 0..self.buffer.len() {
            let var = self.buffer[at].var();
            if self.assigned[var as usize].level > 0 && !self.seen[var as usize] {
                self.seen[var as usize] = true;
                self.marked.push(var);
            }
        }
    }

    /// Removes all marks but the first ones.
    fn unmark(&mut self, kept: usize) {
        for var in self.marked.drain(kept..) {
            self.seen[var as usize] = false;
        }
    }

    /// With chronological backtracking a conflict can depend on earlier decisions only. The later ones are reverted
    /// first, because the analysis needs a literal of the last decision.
    fn back_to_with(&mut self, depth: usize) {
        if depth < self.depth() {
            self.back_to(depth);
        }
    }

    /// Resolves the conflict with reasons, from the end of the trail, until one literal of the last decision is left: the
    /// first unique implication point. Its negation is the first literal of the result. Literals of lower levels may be
    /// between those of the last decision in the trail, so each level is compared.
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

    /// Keeps the buffer's literals of earlier decisions; counts and resolves those of the last one.
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
                self.order.bump(var as u32);
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

    /// Removes literals that the others imply (recursive minimisation, Sörensson and Biere 2009); clears the marks. Unlike
    /// in MiniSat, failed derivations are not remembered.
    fn shorten(&mut self, lits: &mut Vec<Lit>) {
        let all = lits.clone();
        self.seen[all[0].var() as usize] = true;
        let levels = all.iter().fold(0, |levels, it| levels | self.level_bit(*it));
        lits.retain(|it| *it == all[0] || !self.follows(*it, levels));
        for lit in all {
            self.seen[lit.var() as usize] = false;
        }
        self.unmark(0);
    }

    /// One of 64 bits: an approximation of the set of levels (MiniSat's abstract level). A literal of a level that the
    /// clause does not have cannot be implied by the clause.
    fn level_bit(&self, lit: Lit) -> u64 {
        1 << (self.level_of(lit) & 63)
    }

    /// True if a literal is false because marked literals are. Results on the way to that stay marked.
    fn follows(&mut self, lit: Lit, levels: u64) -> bool {
        if self.assigned[lit.var() as usize].reason == Reason::Decision {
            return false;
        }
        let (kept, noted) = (self.marked.len(), self.noted());
        let mut open = vec![lit];
        while let Some(lit) = open.pop() {
            self.load_reason(!lit);
            self.note(self.assigned[lit.var() as usize].reason);
            self.steps += self.buffer.len() as u64;
            for at in 0..self.buffer.len() {
                let it = self.buffer[at];
                let var = it.var() as usize;
                if self.assigned[var].level == 0 {
                    self.note_fixed(it);
                } else if !self.seen[var] {
                    let is_decided = self.assigned[var].reason == Reason::Decision;
                    if is_decided || levels & self.level_bit(it) == 0 {
                        self.unmark(kept);
                        self.forget_notes(noted);
                        return false;
                    }
                    self.seen[var] = true;
                    self.marked.push(var as u32);
                    open.push(it);
                }
            }
        }
        true
    }

    /// Moves the literal with the second deepest level to the second position, where it is watched; returns that level.
    /// The clause is then unit after backtracking to any level between this one and the last.
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

    /// Adds the clause and asserts its first literal at level `depth`, which may be lower than `kept`. Decisions of
    /// preference in between are kept, because they would be made again: the first candidate of a choice depends only on
    /// the constraints and the choices before it.
    fn add_learnt(&mut self, lits: &[Lit], depth: usize, kept: usize) {
        let lbd = self.distinct_levels(lits);
        self.back_to(kept);
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
