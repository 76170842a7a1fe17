//! Small conflicts: minimal unsatisfiable subsets (MUS) of the constraints.
//!
//! The smallest one is too expensive to compute for many members, so several deletion-based extractions with different
//! orders are tried (with clause set refinement and model rotation, Belov, Lynce and Marques-Silva 2012), and the best is
//! used. For few members, the smallest is computed. Invariant: `best` is a conflict at all times, so running out of steps
//! costs quality and not correctness.

use std::collections::BTreeSet;

use super::{
    probe::{Members, Oracle, Probe, ProbeOutcome, without},
    rotate::Rotation,
};
use crate::{Omission, Stop};

/// A conflict, and whether none of its members can be left out.
#[derive(Debug)]
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

    fn propose(&mut self, members: Members) {
        let core = Self { members, is_irreducible: true };
        if core.is_better_than(self) {
            *self = core;
        }
    }

    /// Fewer members are in conflict, which may have too many still.
    fn narrow(&mut self, members: &[u32]) {
        if !self.is_irreducible && members.len() < self.members.len() {
            self.members = members.to_vec();
        }
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
    /// The best conflict that is found among members that can't all hold; `None` if they can. `known` are some that
    /// can't.
    ///
    /// Whatever was found when the steps are used up is given.
    pub(super) fn small_core(
        &mut self,
        members: &[u32],
        known: Option<Members>,
    ) -> Result<Option<Core>, Stop> {
        let before = self.left();
        let first = if known.is_some() { known } else { self.refute(members)? };
        let Some(first) = first else { return Ok(None) };
        let mut best = Core { members: first.clone(), is_irreducible: false };
        let _ = if members.len() <= FEW {
            self.with_oracle(members, |oracle| oracle.best_of_few(members, first, before, &mut best))
        } else {
            self.best_of_many(members, &first, before, &mut best)
        };
        if !best.is_irreducible {
            self.leave_out(Omission::Irreducibility);
        }
        Ok(Some(best))
    }

    fn best_of_many(&mut self, all: &[u32], first: &[u32], before: u64, best: &mut Core) -> Result<(), Stop> {
        self.with_oracle(first, |oracle| {
            let trimmed = oracle.trim(first.to_vec(), best)?;
            oracle.shrink(trimmed.clone(), Order::LastFirst, best)?;
            oracle.limit_patience(before);
            match best.members.len() <= SMALL {
                true => Ok(()),
                false => oracle.shrink(trimmed, Order::FirstFirst, best),
            }
        })?;
        if best.members.len() <= SMALL { Ok(()) } else { self.look_elsewhere(best, all) }
    }

    /// Looks for smaller conflicts without one of the members of the best one.
    fn look_elsewhere(&mut self, best: &mut Core, all: &[u32]) -> Result<(), Stop> {
        let mut tried = BTreeSet::new();
        while let Some(member) = best.members.iter().copied().find(|it| !tried.contains(it)) {
            tried.insert(member);
            let Some(rest) = without(all, member) else { continue };
            let Some(other) = self.refute(&rest)? else { continue };
            self.with_oracle(&other, |oracle| {
                let other = oracle.trim(other.clone(), best)?;
                // What a proof needs has seldom more than twice the members that are necessary.
                match other.len() <= best.members.len() * 2 {
                    true => oracle.shrink(other, Order::LastFirst, best),
                    false => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// Leaves out what is not needed of some members; what is left when the steps are used up.
    pub(super) fn without_needless(&mut self, core: Members, of: &BTreeSet<u32>) -> Members {
        let mut kept = core.clone();
        let _ = self.with_oracle(&core, |oracle| {
            for member in core.iter().copied().rev().filter(|it| of.contains(it)) {
                let Some(rest) = without(&kept, member) else { continue };
                if let Some(fewer) = oracle.unsolvable(&rest)? {
                    kept = fewer;
                }
            }
            Ok(())
        });
        kept
    }
}

impl Oracle<'_, '_> {
    fn best_of_few(&mut self, all: &[u32], first: Members, before: u64, best: &mut Core) -> Result<(), Stop> {
        let trimmed = self.trim(first, best)?;
        self.shrink(trimmed.clone(), Order::LastFirst, best)?;
        self.limit_patience(before);
        self.keep_first(all.to_vec(), best)?;
        self.shrink(trimmed, Order::FirstFirst, best)?;
        self.find_smallest(all, best)
    }

    /// To look for a better conflict may take some times what it took to find the first one.
    fn limit_patience(&mut self, before: u64) {
        let taken = before.saturating_sub(self.probe.left());
        self.probe.allow(taken.saturating_mul(PATIENCE).max(LEAST));
    }

    /// Replaces the members by those of their refutation until that removes less than a tenth.
    fn trim(&mut self, mut members: Members, best: &mut Core) -> Result<Members, Stop> {
        loop {
            let Some(fewer) = self.unsolvable(&members)? else { return Ok(members) };
            let is_enough = fewer.len() * 10 > members.len() * 9;
            members = fewer;
            best.narrow(&members);
            if is_enough {
                return Ok(members);
            }
        }
    }

    /// Deletion-based extraction: removes each member without which the rest is still a conflict, and with it all members
    /// that the refutation of the rest does not use.
    fn shrink(&mut self, mut members: Members, order: Order, best: &mut Core) -> Result<(), Stop> {
        let mut tried = members.clone();
        if order == Order::LastFirst {
            tried.reverse();
        }
        let mut rotation = Rotation::new(self.probe, &members)?;
        for member in tried {
            if rotation.is_needed(member) {
                continue;
            }
            let Some(rest) = without(&members, member) else { continue };
            match self.ask(&rest)? {
                ProbeOutcome::Impossible(fewer) => {
                    members = fewer;
                    best.narrow(&members);
                }
                ProbeOutcome::Possible(selected) => rotation.turn(self.probe, &members, member, selected)?,
            }
        }
        best.propose(members);
        Ok(())
    }

    /// The conflict that keeps the first members. Refutations are not used to remove further members, so the result does
    /// not depend on the search.
    fn keep_first(&mut self, mut members: Members, best: &mut Core) -> Result<(), Stop> {
        for member in members.clone().into_iter().rev() {
            let Some(rest) = without(&members, member) else { continue };
            if self.unsolvable(&rest)?.is_some() {
                members = rest;
            }
        }
        best.propose(members);
        Ok(())
    }
}

/// Of so few members the smallest conflict is looked for; of several, one that keeps the first members.
const FEW: usize = 64;

/// Of many members, a conflict of so few is told as it is: to look for a better one takes as long as several searches.
const SMALL: usize = 5;

/// To look for better conflicts may take so many times what the first one took.
const PATIENCE: u64 = 2;

/// So many steps it may take always.
const LEAST: u64 = 100_000;
