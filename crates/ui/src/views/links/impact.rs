//! The owners that break when a provider changes.

use std::collections::BTreeSet;

use super::model::Model;
use diag::order;

/// An owner that a change reaches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    /// The owner, by index.
    pub(super) owner: usize,
    /// The links along which it does.
    pub(super) links: Vec<usize>,
    /// The number of owners that lie before it; 0 for those that consume directly.
    pub(super) steps: usize,
}

/// All owners that a change of some providers reaches, the nearest first: their consumers, then the consumers of those,
/// because an owner that is disturbed may not provide. Each owner occurs once; the owners of the providers only if they
/// consume from themselves.
pub(super) fn impact(model: &Model, providers: &[usize]) -> Vec<Reached> {
    let sources: BTreeSet<usize> = order::set(providers.iter().map(|at| model.owner_of(*at)));
    let mut seen = BTreeSet::new();
    let mut all: Vec<Reached> = Vec::new();
    let mut next = providers.to_vec();
    let mut steps = 0;
    while !next.is_empty() {
        let mut found = consumers(model, &next, steps);
        found.retain(|it| (steps == 0 || !sources.contains(&it.owner)) && seen.insert(it.owner));
        next = found
            .iter()
            .filter(|it| !sources.contains(&it.owner))
            .flat_map(|it| offers(model, it.owner))
            .collect();
        all.append(&mut found);
        steps += 1;
    }
    all
}

/// The owners that consume from some providers, each with its links.
fn consumers(model: &Model, providers: &[usize], steps: usize) -> Vec<Reached> {
    let mut found: Vec<Reached> = Vec::new();
    for link in providers.iter().filter_map(|at| model.provider(*at)).flat_map(|it| &it.links) {
        let owner = model.consumer_of(*link);
        match found.iter_mut().find(|it| it.owner == owner) {
            Some(reached) => reached.links.push(*link),
            None => found.push(Reached { owner, links: vec![*link], steps }),
        }
    }
    found
}

fn offers(model: &Model, owner: usize) -> Vec<usize> {
    model.owner(owner).map(|it| it.providers.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{super::fixture, *};

    fn reached(model: &Model, providers: &[usize]) -> Vec<(String, usize, usize)> {
        let reported = |it: Reached| (model.owner_name(it.owner), it.links.len(), it.steps);
        impact(model, providers).into_iter().map(reported).collect()
    }

    #[test]
    fn a_change_reaches_consumers_and_theirs_once() {
        let model = fixture::small();
        // `db` is used by `web` and by itself, and `web` by `router`.
        let expected = [("web".to_owned(), 1, 0), ("db".to_owned(), 1, 0), ("router".to_owned(), 1, 1)];
        assert_eq!(reached(&model, &[0]), expected);
        assert_eq!(reached(&model, &[1]), [("router".to_owned(), 1, 0)]);
        assert!(reached(&model, &[2]).is_empty());
    }

    #[test]
    fn circles_end() {
        let model = fixture::generated(17, 150);
        for provider in 0..model.view.providers.len() {
            assert!(impact(&model, &[provider]).len() <= 17);
        }
    }
}
