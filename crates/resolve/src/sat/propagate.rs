use std::mem::take;

use super::{ClauseId, Conflict, Lit, Reason, Sat, Watch};

impl Sat {
    /// Propagates the next literal of the trail. Counters come first, because their counts must include exactly the
    /// literals before `head`, also if the propagation ends in a conflict.
    pub(crate) fn propagate_next(&mut self) -> Result<(), Conflict> {
        let Some(lit) = self.next() else { return Ok(()) };
        self.head += 1;
        if !self.counters.is_empty() {
            self.count(lit);
            self.check_counters(lit)?;
        }
        if lit.is_positive() {
            self.exclude_group(lit)?;
        }
        self.visit_watches(!lit)
    }

    fn count(&mut self, lit: Lit) {
        for touch in &self.touches[lit.index()] {
            if !touch.is_guard {
                self.counters[touch.counter as usize].count += 1;
            }
        }
    }

    /// Makes the other members of its groups false.
    fn exclude_group(&mut self, lit: Lit) -> Result<(), Conflict> {
        let mut link = self.in_groups.head(lit.var());
        while let Some((group, next)) = self.in_groups.step(link) {
            self.exclude(group, lit)?;
            link = next;
        }
        Ok(())
    }

    fn exclude(&mut self, group: u32, lit: Lit) -> Result<(), Conflict> {
        let members = self.groups[group as usize].0.clone();
        self.steps += members.len() as u64;
        let level = self.level_of(lit) as usize;
        for other in members.iter().filter(|it| **it != lit) {
            if self.is_true(*other) {
                return Err(Conflict::Group { group, both: [*other, lit] });
            }
            if !self.is_false(*other) {
                self.set_at(!*other, Reason::Group { group, by: lit }, level);
            }
        }
        Ok(())
    }

    /// If a member of a new group is true and was propagated, makes the others false.
    pub(crate) fn check_group(&mut self, group: u32) -> Result<(), Conflict> {
        let members = self.groups[group as usize].0.clone();
        let Some(lit) = members.iter().copied().find(|it| self.is_propagated(*it)) else { return Ok(()) };
        self.exclude(group, lit)
    }

    fn check_counters(&mut self, lit: Lit) -> Result<(), Conflict> {
        for at in 0..self.touches[lit.index()].len() {
            let touch = self.touches[lit.index()][at];
            self.check_counter(touch.counter)?;
        }
        Ok(())
    }

    /// A full counter makes the rest false; a violated one, its guard.
    pub(crate) fn check_counter(&mut self, id: u32) -> Result<(), Conflict> {
        let counter = &self.counters[id as usize];
        let (count, most, guard) = (counter.count, counter.most, counter.guard);
        let is_on = guard.is_none_or(|it| self.is_true(it));
        if count > most {
            return match guard {
                Some(guard) if self.is_open(guard) => {
                    let level = self.level_of_counted(id, most + 1, None);
                    self.set_at(!guard, Reason::Counter(id), level);
                    Ok(())
                }
                _ if is_on => Err(Conflict::Counter(id)),
                _ => Ok(()),
            };
        }
        if count == most && is_on {
            self.fill(id);
        }
        Ok(())
    }

    fn fill(&mut self, id: u32) {
        let counter = &self.counters[id as usize];
        self.steps += counter.lits.len() as u64;
        let level = self.level_of_counted(id, counter.most, counter.guard);
        for at in 0..self.counters[id as usize].lits.len() {
            let lit = self.counters[id as usize].lits[at];
            if self.is_open(lit) {
                self.set_at(!lit, Reason::Counter(id), level);
            }
        }
    }

    /// Visits the clauses that watch a literal that has become false. A watch is kept, or moved to a literal that is not
    /// false; clauses that were dropped lose their watches here (lazy deletion).
    fn visit_watches(&mut self, lit: Lit) -> Result<(), Conflict> {
        let mut watches = take(&mut self.watches[lit.index()]);
        self.steps += watches.len() as u64 + 1;
        let mut kept = 0;
        let mut result = Ok(());
        for at in 0..watches.len() {
            let watch = watches[at];
            let keep = match result {
                Ok(()) => self.visit(watch, lit).unwrap_or_else(|conflict| {
                    result = Err(conflict);
                    Some(watch)
                }),
                Err(_) => Some(watch),
            };
            if let Some(watch) = keep {
                watches[kept] = watch;
                kept += 1;
            }
        }
        watches.truncate(kept);
        // No clause watches a literal twice, so nothing was added to the list in between.
        self.watches[lit.index()] = watches;
        result
    }

    /// The watch that `lit` keeps, if it does.
    fn visit(&mut self, watch: Watch, lit: Lit) -> Result<Option<Watch>, Conflict> {
        if self.is_true(watch.blocker) {
            return Ok(Some(watch));
        }
        let id = watch.clause;
        let is_true = &self.is_true;
        let lits = self.clauses.lits_mut(id);
        if lits.is_empty() {
            return Ok(None);
        }
        if lits[0] == lit {
            lits.swap(0, 1);
        }
        let first = lits[0];
        let watch = Watch { clause: id, blocker: first };
        if is_true[first.index()] {
            return Ok(Some(watch));
        }
        if let Some(other) = (2..lits.len()).find(|it| !is_true[(!lits[*it]).index()]) {
            lits.swap(1, other);
            let other = lits[1];
            self.watches[other.index()].push(watch);
            return Ok(None);
        }
        if is_true[(!first).index()] {
            return Err(Conflict::Clause(id));
        }
        let level = self.level_of_unit(id);
        self.set_at(first, Reason::Clause(id), level);
        Ok(Some(watch))
    }

    /// The deepest level among the literals of a clause but its first one. If no literal is early, this is the current
    /// level, and the scan is skipped.
    fn level_of_unit(&self, id: ClauseId) -> usize {
        if self.early == 0 {
            return self.levels.len();
        }
        let others = self.clauses.lits(id).iter().skip(1);
        others.map(|it| self.level_of(*it) as usize).max().unwrap_or(0)
    }

    /// The level of the last literal that made a counter full.
    fn level_of_counted(&self, id: u32, most: u32, guard: Option<Lit>) -> usize {
        if self.early == 0 {
            return self.levels.len();
        }
        let counted = self.counted(id, self.trail.len() as u32, most).into_iter().chain(guard);
        counted.map(|it| self.level_of(it) as usize).max().unwrap_or(0)
    }
}
