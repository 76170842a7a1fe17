//! Small conflicts. Which is the smallest is too hard a question, so several ways are gone.

use super::probe::{Members, Probe};
use crate::Stop;

/// A conflict, and whether none of its members can be left out.
pub(super) struct Core {
    pub(super) members: Members,
    pub(super) is_irreducible: bool,
}

impl Core {
    /// Whether it is to be told rather than another one: it has fewer members, or earlier ones.
    fn is_better_than(&self, other: &Self) -> bool {
        let key = |it: &Self| (!it.is_irreducible, it.members.len());
        key(self).cmp(&key(other)).then_with(|| self.members.cmp(&other.members)).is_lt()
    }
}

impl Probe<'_> {
    /// The best conflict that is found among members that can't all hold; `None` if they can.
    ///
    /// Whatever was found when the steps are used up is given.
    pub(super) fn small_core(&mut self, members: &Members) -> Result<Option<Core>, Stop> {
        let Some(first) = self.unsolvable(members)? else { return Ok(None) };
        let mut best = Core { members: first.clone(), is_irreducible: false };
        let _ = self.improve(&mut best, members, first);
        Ok(Some(best))
    }

    fn improve(&mut self, best: &mut Core, all: &Members, first: Members) -> Result<(), Stop> {
        if all.len() <= FEW {
            self.shrink(all.clone(), true, best)?;
        }
        let trimmed = self.trim(first)?;
        for last_first in [true, false] {
            self.shrink(trimmed.clone(), last_first, best)?;
        }
        self.look_elsewhere(best, all)
    }

    /// What proofs use again and again.
    fn trim(&mut self, mut members: Members) -> Result<Members, Stop> {
        for _ in 0..4 {
            let Some(fewer) = self.unsolvable(&members)? else { break };
            let is_smaller = fewer.len() < members.len();
            members = fewer;
            if !is_smaller {
                break;
            }
        }
        Ok(members)
    }

    /// Leaves out one member after the other as long as the rest cannot hold, the last ones or the first ones first.
    fn shrink(&mut self, mut members: Members, last_first: bool, best: &mut Core) -> Result<(), Stop> {
        let mut order: Vec<u32> = members.iter().copied().collect();
        if last_first {
            order.reverse();
        }
        for member in order {
            if !members.remove(&member) {
                continue;
            }
            if self.unsolvable(&members)?.is_none() {
                members.insert(member);
            }
        }
        let core = Core { members, is_irreducible: true };
        if core.is_better_than(best) {
            *best = core;
        }
        Ok(())
    }

    /// Leaves out what is not needed of some members; what is left when the steps are used up.
    pub(super) fn without_needless(&mut self, mut core: Members, of: &Members) -> Members {
        let tried: Vec<u32> = core.intersection(of).copied().collect();
        for member in tried.into_iter().rev() {
            if !core.remove(&member) {
                continue;
            }
            match self.unsolvable(&core) {
                Ok(Some(fewer)) => core = fewer,
                Ok(None) | Err(_) => {
                    core.insert(member);
                }
            }
        }
        core
    }

    /// Looks for smaller conflicts without one of the members of the best one.
    fn look_elsewhere(&mut self, best: &mut Core, all: &Members) -> Result<(), Stop> {
        let mut tried = Members::new();
        while let Some(member) = best.members.iter().copied().find(|it| !tried.contains(it)) {
            tried.insert(member);
            let mut rest = all.clone();
            rest.remove(&member);
            if let Some(other) = self.unsolvable(&rest)? {
                let other = self.trim(other)?;
                self.shrink(other, true, best)?;
            }
        }
        Ok(())
    }
}

/// Of so few members each is tried, so that the first ones are kept whatever the search does.
const FEW: usize = 64;
