//! Small conflicts. Which is the smallest is too hard a question, so several ways are gone.

use std::collections::BTreeSet;

use super::probe::{Members, Probe, without};
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

/// In which order members are tried.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// The last ones first, so that the first ones are kept.
    LastFirst,
    FirstFirst,
}

impl Probe<'_> {
    /// The best conflict that is found among members that can't all hold; `None` if they can.
    ///
    /// Whatever was found when the steps are used up is given.
    pub(super) fn small_core(&mut self, members: &[u32]) -> Result<Option<Core>, Stop> {
        let Some(first) = self.unsolvable(members)? else { return Ok(None) };
        let mut best = Core { members: first.clone(), is_irreducible: false };
        let _ = self.improve(&mut best, members, first);
        Ok(Some(best))
    }

    fn improve(&mut self, best: &mut Core, all: &[u32], first: Members) -> Result<(), Stop> {
        let before = self.left;
        let trimmed = self.trim(first)?;
        self.shrink(trimmed.clone(), Order::LastFirst, best)?;
        // To look for a better one may take some times what it took to find this one.
        self.left = self.left.min((before - self.left).saturating_mul(PATIENCE).max(LEAST));
        if all.len() <= FEW {
            self.keep_first(all.to_vec(), best)?;
        }
        self.shrink(trimmed, Order::FirstFirst, best)?;
        if all.len() <= FEW { self.find_smallest(all, best) } else { self.look_elsewhere(best, all) }
    }

    /// What proofs use again and again.
    fn trim(&mut self, mut members: Members) -> Result<Members, Stop> {
        loop {
            let Some(fewer) = self.unsolvable(&members)? else { return Ok(members) };
            let is_enough = fewer.len() * 10 > members.len() * 9;
            members = fewer;
            if is_enough {
                return Ok(members);
            }
        }
    }

    /// Leaves out one member after the other as long as the rest cannot hold, and with it what a proof needs not.
    fn shrink(&mut self, mut members: Members, order: Order, best: &mut Core) -> Result<(), Stop> {
        let mut tried = members.clone();
        if order == Order::LastFirst {
            tried.reverse();
        }
        for member in tried {
            let Some(rest) = without(&members, member) else { continue };
            if let Some(fewer) = self.unsolvable(&rest)? {
                members = fewer;
            }
        }
        self.propose(members, best);
        Ok(())
    }

    /// The conflict that keeps the first members, whatever a search does.
    fn keep_first(&mut self, mut members: Members, best: &mut Core) -> Result<(), Stop> {
        for member in members.clone().into_iter().rev() {
            let Some(rest) = without(&members, member) else { continue };
            if self.unsolvable(&rest)?.is_some() {
                members = rest;
            }
        }
        self.propose(members, best);
        Ok(())
    }

    fn propose(&mut self, members: Members, best: &mut Core) {
        let core = Core { members, is_irreducible: true };
        if core.is_better_than(best) {
            *best = core;
        }
    }

    /// Leaves out what is not needed of some members; what is left when the steps are used up.
    pub(super) fn without_needless(&mut self, mut core: Members, of: &BTreeSet<u32>) -> Members {
        for member in core.clone().into_iter().rev().filter(|it| of.contains(it)) {
            let Some(rest) = without(&core, member) else { continue };
            if let Ok(Some(fewer)) = self.unsolvable(&rest) {
                core = fewer;
            }
        }
        core
    }

    /// Looks for smaller conflicts without one of the members of the best one.
    fn look_elsewhere(&mut self, best: &mut Core, all: &[u32]) -> Result<(), Stop> {
        let mut tried = BTreeSet::new();
        while let Some(member) = best.members.iter().copied().find(|it| !tried.contains(it)) {
            tried.insert(member);
            let Some(rest) = without(all, member) else { continue };
            let Some(other) = self.unsolvable(&rest)? else { continue };
            let other = self.trim(other)?;
            // What a proof needs has seldom more than twice the members that are necessary.
            if other.len() <= best.members.len() * 2 {
                self.shrink(other, Order::LastFirst, best)?;
            }
        }
        Ok(())
    }
}

/// Of so few members the smallest conflict is looked for; of several, one that keeps the first members.
const FEW: usize = 64;

const PATIENCE: u64 = 4;

const LEAST: u64 = 300_000;
