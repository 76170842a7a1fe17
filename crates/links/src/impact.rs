//! Who would notice, and what waits to go wrong.

use std::collections::{BTreeMap, BTreeSet};

use diag::order;
use petgraph::{algo::tarjan_scc, graph::DiGraph};

use crate::{Link, LinkModel, Outcome, ProviderId};

/// The links that each provider serves, as indices into `links`. Who would notice a change of it.
pub fn consumers_by_provider(links: &[Link]) -> BTreeMap<ProviderId, Vec<usize>> {
    let mut users: BTreeMap<ProviderId, Vec<usize>> = BTreeMap::new();
    for (n, link) in links.iter().enumerate() {
        if let Outcome::Linked(provider) = link.outcome {
            users.entry(provider).or_default().push(n);
        }
    }
    users
}

/// Types of a deployment that several providers offer and nobody asks for: the next consumer would have to choose.
pub fn latent(site: &LinkModel) -> Vec<Vec<ProviderId>> {
    let mut latent = Vec::new();
    for (deployment, it) in site.deployments.iter().enumerate() {
        let required: BTreeSet<&str> = order::set(it.consumers.iter().map(|it| &*it.link_type.text));
        let mut offered: BTreeMap<&str, Vec<ProviderId>> = BTreeMap::new();
        for (provider, it) in it.providers.iter().enumerate() {
            if it.is_consumable() && !required.contains(&*it.link_type.text) {
                offered.entry(&it.link_type.text).or_default().push(ProviderId { deployment, provider });
            }
        }
        latent.extend(offered.into_values().filter(|it| it.len() > 1));
    }
    latent
}

/// A group of a site: its deployment's index and its own.
pub type GroupId = (usize, usize);

/// Groups that need each other through links, each circle in order of the site. Links allow that: nothing is ordered
/// by them.
pub fn cycles(site: &LinkModel, links: &[Link]) -> Vec<Vec<GroupId>> {
    let edges = links.iter().filter_map(|link| endpoints(site, link));
    let edges: BTreeSet<(GroupId, GroupId)> = order::set(edges.filter(|(from, to)| from != to));
    let nodes: BTreeSet<GroupId> = order::set(edges.iter().flat_map(|(from, to)| [*from, *to]));
    let mut graph = DiGraph::<GroupId, ()>::new();
    let index = order::map(nodes.into_iter().map(|it| (it, graph.add_node(it))));
    for (from, to) in &edges {
        graph.add_edge(index[from], index[to], ());
    }
    let knots = tarjan_scc(&graph).into_iter().filter(|it| it.len() > 1);
    let mut circles: Vec<Vec<GroupId>> =
        knots.map(|knot| knot.into_iter().map(|it| graph[it]).collect()).collect();
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
