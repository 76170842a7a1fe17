//! The smallest conflict of a few constraints, by minimal hitting set dualisation (Ignatiev, Previti, Liffiton and
//! Marques-Silva 2015).
//!
//! A conflict contains a member of each correction set: a set of members without which the rest can hold. So a smallest
//! hitting set of the known correction sets is a smallest conflict, or it can be satisfied, and then yields another
//! correction set. Hitting sets are searched by depth-first search with an increasing size instead of an optimiser; this is
//! feasible only for few members.

use super::{
    probe::{Members, Oracle, Probe, ProbeOutcome},
    shrink::Core,
};
use crate::Stop;

impl Oracle<'_, '_> {
    /// Finds a conflict among members that is smaller than the best one, if there is one.
    pub(super) fn find_smallest(&mut self, all: &[u32], best: &mut Core) -> Result<(), Stop> {
        let mut corrections: Vec<Members> = Vec::new();
        let mut size = 1;
        while size < best.members.len() {
            let mut chosen = Members::new();
            if !hits(self.probe, &corrections, size, &mut chosen)? {
                size += 1;
                continue;
            }
            chosen.sort_unstable();
            match self.check_members(&chosen)? {
                ProbeOutcome::Impossible(_) => {
                    best.members = chosen;
                    best.is_irreducible = true;
                }
                ProbeOutcome::Possible(selected) => corrections.push(self.correction(all, chosen, selected)?),
            }
        }
        Ok(())
    }

    /// A minimal set of members without which the rest can hold; it does not contain the kept members.
    fn correction(
        &mut self,
        all: &[u32],
        mut kept: Members,
        mut selected: Vec<bool>,
    ) -> Result<Members, Stop> {
        let (more, left): (Members, Members) =
            all.iter().partition(|it| kept.binary_search(it).is_ok() || self.probe.holds(**it, &selected));
        kept = more;
        let mut correction = Members::new();
        for member in left {
            if self.probe.holds(member, &selected) {
                insert(&mut kept, member);
                continue;
            }
            let mut more = kept.clone();
            insert(&mut more, member);
            match self.check_members(&more)? {
                ProbeOutcome::Possible(other) => (kept, selected) = (more, other),
                ProbeOutcome::Impossible(_) => correction.push(member),
            }
        }
        Ok(correction)
    }
}

fn insert(members: &mut Members, member: u32) {
    if let Err(at) = members.binary_search(&member) {
        members.insert(at, member);
    }
}

/// Chooses at most so many members that contain one of each set.
fn hits(probe: &mut Probe<'_>, sets: &[Members], size: usize, chosen: &mut Members) -> Result<bool, Stop> {
    probe.spend(sets.len() as u64 + 1)?;
    let Some(missed) = sets.iter().find(|it| !it.iter().any(|it| chosen.contains(it))) else {
        return Ok(true);
    };
    if chosen.len() == size {
        return Ok(false);
    }
    for member in missed {
        chosen.push(*member);
        if hits(probe, sets, size, chosen)? {
            return Ok(true);
        }
        chosen.pop();
    }
    Ok(false)
}
