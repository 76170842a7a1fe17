use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use diag::order;

use resolve::{Choice, Problem, Rule, RuleKind, Solution};

use super::considered::{Solved, considered};
use crate::{
    Channel, Fact, Installed, Selected,
    problem::{Cause, Formulation},
    upgrade::EdgeKind,
};

/// A choice that a candidate was selected for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand {
    /// The index of the variable that has the constraint.
    pub(crate) subject: usize,
    /// The index of the constraint.
    pub(crate) constraint: usize,
}

impl Demand {
    /// True if a choice was made for it.
    pub(crate) fn is(&self, choice: &Choice) -> bool {
        choice.constraint.variable == self.subject && choice.constraint.constraint == self.constraint
    }
}

/// The selected bundles in an order in which they can be installed: each after those that it depends on. Apart from that, those
/// for requirements come in their order, then installed ones.
pub(crate) fn selection(of: &mut Formulation<'_>, solved: &Solved<'_>) -> Vec<Selected> {
    let chosen = chosen(of, solved.problem, solved.solution);
    chosen.into_iter().map(|(it, demands)| selected(of, solved, it, &demands)).collect()
}

/// The ids of the selected bundles.
pub(crate) fn ids(of: &Formulation<'_>, problem: &Problem, solution: &Solution) -> Vec<Arc<str>> {
    let chosen = chosen(of, problem, solution);
    chosen.into_iter().map(|(it, _)| of.universe.candidate(it).id.clone()).collect()
}

/// The selected candidates in order, each with what demanded it.
fn chosen(of: &Formulation<'_>, problem: &Problem, solution: &Solution) -> Vec<(u32, Vec<Demand>)> {
    let chosen = solution.selected.iter().copied().collect();
    let mut walk = SelectionWalk { of, problem, chosen, demands: BTreeMap::new(), order: Vec::new() };
    let roots: Vec<usize> = walk.roots();
    for root in roots {
        walk.look_at(root);
    }
    let mut next: VecDeque<u32> = walk.order.iter().copied().collect();
    while let Some(number) = next.pop_front() {
        let before = walk.order.len();
        if let Some(at) = problem.position(&of.universe.candidate(number).id) {
            walk.look_at(at);
        }
        next.extend(&walk.order[before..]);
    }
    let order = walk.dependencies_first();
    let mut demands = walk.demands;
    order.into_iter().map(|it| (it, demands.remove(&it).unwrap_or_default())).collect()
}

struct SelectionWalk<'w, 'a> {
    of: &'w Formulation<'a>,
    problem: &'w Problem,
    chosen: BTreeSet<usize>,
    demands: BTreeMap<u32, Vec<Demand>>,
    order: Vec<u32>,
}

impl SelectionWalk<'_, '_> {
    /// The selected variables that choices begin with.
    fn roots(&self) -> Vec<usize> {
        let is_root = |it: &usize| {
            let id = self.problem.variables().get(*it).map(|it| &it.id);
            id.is_some_and(|id| {
                matches!(
                    self.of.cause(id, 0),
                    Some(Cause::Required(_) | Cause::Installed(_) | Cause::RequiredBundle(_))
                )
            })
        };
        self.chosen.iter().copied().filter(is_root).collect()
    }

    /// The candidates, each after those that it demanded; in a cycle, the one that was found first comes last.
    fn dependencies_first(&self) -> Vec<u32> {
        let mut needs: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for number in &self.order {
            for demand in self.demands.get(number).into_iter().flatten() {
                let subject = self.problem.variables().get(demand.subject);
                let by = subject.and_then(|it| self.of.universe.number(&it.id));
                by.into_iter().for_each(|by| needs.entry(by).or_default().push(*number));
            }
        }
        let (mut entered, mut sorted) = (BTreeSet::new(), Vec::new());
        // A stack instead of recursion, since chains of dependencies may be long.
        let mut open: Vec<(u32, bool)> = self.order.iter().rev().map(|it| (*it, false)).collect();
        while let Some((number, is_left)) = open.pop() {
            if is_left {
                sorted.push(number);
            } else if entered.insert(number) {
                open.push((number, true));
                open.extend(needs.get(&number).into_iter().flatten().rev().map(|it| (*it, false)));
            }
        }
        sorted
    }

    /// Records what a selected variable demanded.
    fn look_at(&mut self, subject: usize) {
        let Some(variable) = self.problem.variables().get(subject) else { return };
        for (constraint, it) in variable.constraints.iter().enumerate() {
            let Rule::Dependency(ids) = &it.rule else { continue };
            let is_chosen =
                |id: &&resolve::Id| self.problem.position(id).is_some_and(|it| self.chosen.contains(&it));
            let Some(number) = ids.iter().find(is_chosen).and_then(|id| self.of.universe.number(id)) else {
                continue;
            };
            let demands = self.demands.entry(number).or_default();
            if demands.is_empty() {
                self.order.push(number);
            }
            demands.push(Demand { subject, constraint });
        }
    }
}

fn selected(of: &mut Formulation<'_>, solved: &Solved<'_>, number: u32, demands: &[Demand]) -> Selected {
    let considered = considered(of, solved, number, demands);
    let universe = &of.universe;
    let it = universe.candidate(number);
    let mut wanted_by: Vec<Arc<str>> = Vec::new();
    for demand in demands {
        wanted_by.extend(name(of, solved.problem, *demand).filter(|it| !wanted_by.contains(it)));
    }
    let installed = &universe.request.installed;
    let takes_place = |of: &&crate::Installed| of.package == it.package || it.names(of);
    let previous = installed.iter().find(takes_place).filter(|_| it.installed.is_none());
    Selected {
        id: it.id.clone(),
        catalog: it.catalog.clone(),
        package: it.package.clone(),
        version: it.version().into(),
        channel: it.channel.clone(),
        bundle: it.bundle.name.clone(),
        image: it.bundle.image.clone(),
        wanted_by,
        is_installed: it.installed.is_some(),
        previous: previous.map(|it| it.version.to_string().into()),
        upgrade: previous.and_then(|from| step(of, number, from)),
        considered,
        origin: it.origin(),
    }
}

/// The name of a requirement, or the id of a bundle; `None` for what is only installed.
fn name(of: &Formulation<'_>, problem: &Problem, demand: Demand) -> Option<Arc<str>> {
    let id = &problem.variables().get(demand.subject)?.id;
    match of.cause(id, demand.constraint)? {
        Cause::Offers(at) => of.universe.request.requirements.get(*at as usize).map(|it| it.name.clone()),
        Cause::Needs { .. } => Some(id.clone()),
        _ => None,
    }
}

/// The upgrade from an installed bundle to a candidate, preferably in the candidate's channel.
fn step(of: &Formulation<'_>, number: u32, from: &Installed) -> Option<Fact> {
    let it = of.universe.candidate(number);
    let mut packages = of.universe.named(&it.package).filter(|(catalog, _)| catalog.name == it.catalog);
    let (_, package) = packages.next()?;
    let mut channels: Vec<&Channel> = package.channels_by_preference().collect();
    order::by_key(&mut channels, |channel| channel.name != it.channel);
    let name = from.bundle.clone().unwrap_or_else(|| from.stub().name);
    let known = package.bundles.values().filter(|it| it.version == from.version).map(|it| &it.name);
    let names: Vec<&Arc<str>> = std::iter::once(&name).chain(known).collect();
    let edge = channels.iter().find_map(|channel| {
        let entry = channel.entries.iter().find(|entry| entry.name == it.bundle.name)?;
        Some((*channel, entry, entry.follows(&names, &from.version)?))
    });
    let (channel, entry, kind) = edge?;
    let verb = match kind {
        EdgeKind::Replace => "replaces",
        EdgeKind::Skip => "skips",
        EdgeKind::SkipRange(_) => "skips a range with",
    };
    let text = format!("in channel {} {} {verb} {}", channel.name, it.version(), from.version).into();
    Some(Fact { text, subject: it.id.clone(), kind: RuleKind::Dependency, origin: Some(entry.origin) })
}
