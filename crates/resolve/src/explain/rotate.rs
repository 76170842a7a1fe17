//! Recursive model rotation (Marques-Silva and Lynce 2011, Belov and Marques-Silva 2011): an assignment in which all
//! members of a conflict hold but one shows that this one is necessary. If flipping one variable makes another member the
//! only one that does not hold, that one is necessary too, without a call of the solver.

use std::collections::BTreeMap;

use super::{
    components::variables_of,
    probe::{Members, Probe},
};
use crate::{Stop, normal::Var};

/// The members of a conflict that are known to be necessary.
pub(super) struct Rotation {
    /// By variable: the members that mention it.
    mentions: BTreeMap<Var, Members>,
    needed: Vec<u32>,
}

impl Rotation {
    pub(super) fn new(probe: &mut Probe<'_>, members: &[u32]) -> Result<Self, Stop> {
        let mut mentions: BTreeMap<Var, Members> = BTreeMap::new();
        for member in members {
            let vars = variables(probe, *member);
            probe.spend(vars.len() as u64)?;
            vars.into_iter().for_each(|it| mentions.entry(it).or_default().push(*member));
        }
        Ok(Self { mentions, needed: Vec::new() })
    }

    /// True if a member cannot be left out of the conflict.
    pub(super) fn is_needed(&self, member: u32) -> bool {
        self.needed.contains(&member)
    }

    /// Processes the selection with which all members of a conflict hold but one.
    pub(super) fn turn(
        &mut self,
        probe: &mut Probe<'_>,
        members: &[u32],
        member: u32,
        mut selected: Vec<bool>,
    ) -> Result<(), Stop> {
        self.needed.push(member);
        // The stack of the depth-first search: the variables of a member that were not flipped yet, and the one that was
        // flipped to reach it. A member that is known to be necessary is not entered again.
        let mut way: Vec<(Vec<Var>, Option<Var>)> = vec![(variables(probe, member), None)];
        while let Some((vars, _)) = way.last_mut() {
            let Some(var) = vars.pop() else {
                let Some((_, changed)) = way.pop() else { break };
                changed.into_iter().for_each(|it| flip(&mut selected, it));
                continue;
            };
            flip(&mut selected, var);
            match self.only_broken(probe, members, var, &selected)? {
                Some(next) if !self.is_needed(next) => {
                    self.needed.push(next);
                    way.push((variables(probe, next), Some(var)));
                }
                _ => flip(&mut selected, var),
            }
        }
        Ok(())
    }

    /// The only member that mentions a variable and does not hold, if there is exactly one.
    fn only_broken(
        &self,
        probe: &mut Probe<'_>,
        members: &[u32],
        var: Var,
        selected: &[bool],
    ) -> Result<Option<u32>, Stop> {
        let mut broken = None;
        for member in self.mentions.get(&var).into_iter().flatten() {
            probe.spend(2)?;
            if members.binary_search(member).is_ok() && !probe.holds(*member, selected) {
                if broken.is_some() {
                    return Ok(None);
                }
                broken = Some(*member);
            }
        }
        Ok(broken)
    }
}

fn flip(selected: &mut [bool], var: Var) {
    if let Some(it) = selected.get_mut(var as usize) {
        *it = !*it;
    }
}

/// The variables that a member mentions, each once.
fn variables(probe: &Probe<'_>, member: u32) -> Vec<Var> {
    match probe.fact(member) {
        Some(var) => vec![var],
        None => variables_of(probe.problem, member),
    }
}
