//! The impact of changes, and conflicts that have no effect yet.

use std::collections::BTreeMap;

use diag::order;
use petgraph::{
    algo::tarjan_scc,
    graph::{DiGraph, NodeIndex},
};

use crate::{Link, LinkModel, Outcome, ProviderId};

/// The links that each provider serves, as indices into `links`: a change of it affects their consumers.
pub fn consumers_by_provider(links: &[Link]) -> BTreeMap<ProviderId, Vec<usize>> {
    let mut users: BTreeMap<ProviderId, Vec<usize>> = BTreeMap::new();
    for (n, link) in links.iter().enumerate() {
        if let Outcome::Linked(provider) = link.outcome {
            users.entry(provider).or_default().push(n);
        }
    }
    users
}

/// Types of a deployment that several providers offer and no consumer requests: the next consumer would have to choose.
pub fn latent(site: &LinkModel) -> Vec<Vec<ProviderId>> {
    let mut latent = Vec::new();
    for (deployment, it) in site.deployments.iter().enumerate() {
        let required = order::list(it.consumers.iter().map(|it| &*it.link_type.text));
        let offered = it.providers.iter().enumerate().filter(|(_, it)| it.is_consumable());
        let offered = offered.map(|(n, it)| (&*it.link_type.text, n));
        let mut offered: Vec<(&str, usize)> =
            offered.filter(|(link_type, _)| required.binary_search(link_type).is_err()).collect();
        order::by_key(&mut offered, |it| it.0);
        let by_type = offered.chunk_by(|a, b| a.0 == b.0).filter(|it| it.len() > 1);
        let id = |&(_, provider): &(&str, usize)| ProviderId { deployment, provider };
        latent.extend(by_type.map(|it| it.iter().map(id).collect()));
    }
    latent
}

/// A group of a site: its deployment's index and its own.
pub type GroupId = (usize, usize);

/// Groups that need each other through links, each circle in order of the site. Links allow that: nothing is ordered
/// by them.
pub fn cycles(site: &LinkModel, links: &[Link]) -> Vec<Vec<GroupId>> {
    let edges = links.iter().filter_map(|link| endpoints(site, link));
    let edges = order::list(edges.filter(|(from, to)| from != to));
    let nodes = order::list(edges.iter().flat_map(|(from, to)| [*from, *to]));
    let index = |node: &GroupId| nodes.binary_search(node).ok().map(|it| it as u32);
    let graph =
        DiGraph::<(), ()>::from_edges(edges.iter().filter_map(|(from, to)| index(from).zip(index(to))));
    let knots = tarjan_scc(&graph).into_iter().filter(|it| it.len() > 1);
    let group = |node: NodeIndex| nodes.get(node.index()).copied();
    let mut circles: Vec<Vec<GroupId>> =
        knots.map(|knot| knot.into_iter().filter_map(group).collect()).collect();
    circles.iter_mut().for_each(|it| order::by(it, Ord::cmp));
    order::by(&mut circles, Ord::cmp);
    circles
}

/// The consumer's group and the provider's.
pub fn endpoints(site: &LinkModel, link: &Link) -> Option<(GroupId, GroupId)> {
    let (_, consumer) = link.consumer(site)?;
    let id = link.provider()?;
    let provider = site.deployments.get(id.deployment)?.providers.get(id.provider)?;
    Some(((link.deployment, consumer.owner.group()?), (id.deployment, provider.owner.group()?)))
}
