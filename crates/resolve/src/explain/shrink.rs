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
    /// True if it is preferred to another one: it has fewer members, or earlier ones.
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

    /// Records that fewer members are in conflict, which may not be minimal yet.
    fn narrow(&mut self, members: &[u32]) {
        if !self.is_irreducible && members.len() < self.members.len() {
            self.members = members.to_vec();
        }
    }
}

/// The order in which members are tried.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// The last ones first, so that the first ones are kept.
    LastFirst,
    FirstFirst,
}

impl Probe<'_> {
    /// The best conflict that is found among members that cannot all hold; `None` if they can. `known` are
    /// some that cannot.
    ///
    /// If the steps are used up, the best one so far is returned.
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

    /// Searches for smaller conflicts without one of the members of the best one.
    fn look_elsewhere(&mut self, best: &mut Core, all: &[u32]) -> Result<(), Stop> {
        let mut tried = BTreeSet::new();
        while let Some(member) = best.members.iter().copied().find(|it| !tried.contains(it)) {
            tried.insert(member);
            let Some(rest) = without(all, member) else { continue };
            let Some(other) = self.refute(&rest)? else { continue };
            self.with_oracle(&other, |oracle| {
                let other = oracle.trim(other.clone(), best)?;
                // A proof rarely needs more than twice the members that are necessary.
                match other.len() <= best.members.len() * 2 {
                    true => oracle.shrink(other, Order::LastFirst, best),
                    false => Ok(()),
                }
            })?;
        }
        Ok(())
    }

    /// Leaves out unnecessary members among some; returns the result so far when the steps are used up.
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

    /// Limits the search for a better conflict to a multiple of the steps for the first one.
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
            match self.check_members(&rest)? {
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

/// For up to this many members the smallest conflict is searched; of several, one that keeps the first
/// members.
const FEW: usize = 64;

/// A conflict of up to this many of many members is reported as it is: finding a better one takes as long as
/// several searches.
const SMALL: usize = 5;

/// The search for better conflicts may take this multiple of the steps for the first one.
const PATIENCE: u64 = 2;

/// The number of steps that it may always take.
const LEAST: u64 = 100_000;
