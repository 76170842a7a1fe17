//! Resources of the last lowering that are the same in this one.

use std::sync::Arc;

use model::DesiredResource;
use types::Edge;

use super::{Builder, MAX_DEPTH, naming::NamedItem};
use crate::{
    Cache,
    cache::CachedItem,
    declare::{Declaration, Declarations},
};

impl Builder<'_, '_> {
    /// By item: whether its own part of its resource is the same as in the last lowering. Its fields are then, it names the
    /// same items, and these have as many instances.
    pub(super) fn settled(&self, cache: &Cache, is_same: Vec<bool>) -> Vec<bool> {
        let items = self.declarations.items.iter();
        let cached = |it: &Declaration<'_>| cache.item(it.kind, &it.name);
        let same_count =
            |(it, count): (&Declaration<'_>, &Option<u32>)| cached(it).is_some_and(|it| it.count == *count);
        let same_count: Vec<bool> = items.clone().zip(&self.counts).map(same_count).collect();
        let is_settled = |((it, is_same), namings): ((&Declaration<'_>, bool), &Vec<super::Naming>)| {
            let targets = namings.iter().map(|it| it.target);
            is_same
                && cached(it).is_some_and(|it| it.declared == namings.len())
                && targets.chain(it.references.iter().map(|it| it.target)).all(|it| same_count[it])
        };
        items.zip(is_same).zip(&self.namings).map(is_settled).collect()
    }

    /// The resources of an item in the last lowering, if these are what it would have now.
    pub(super) fn reusable<'c>(
        &self,
        item: usize,
        settled: &[bool],
        cache: &'c Cache,
    ) -> Option<&'c [Arc<DesiredResource>]> {
        if !self.links[item].is_empty() || !self.is_settled(item, settled, 0) {
            return None;
        }
        let declared = &self.declarations.items[item];
        let resources = &cache.item(declared.kind, &declared.name)?.resources;
        let first = resources.first()?;
        (first.links.is_empty() && first.packages == self.packages(item)).then_some(resources)
    }

    /// True if an item and all that it embeds are settled.
    fn is_settled(&self, item: usize, settled: &[bool], depth: usize) -> bool {
        let mut embeds = self.namings[item].iter().filter(|it| it.edge == Edge::Embed);
        settled[item]
            && (depth == MAX_DEPTH || embeds.all(|it| self.is_settled(it.target, settled, depth + 1)))
    }
}

/// Puts the results for all items into the cache.
pub(super) fn keep(
    declarations: &mut Declarations<'_>,
    names: Vec<Arc<Vec<NamedItem>>>,
    declared: Vec<(usize, Option<u32>)>,
    mut resources: Vec<Vec<Arc<DesiredResource>>>,
    cache: &mut Cache,
) {
    cache.index = std::mem::take(&mut declarations.index);
    let items = declarations.items.drain(..).zip(names).zip(declared).enumerate();
    let cached = items.map(|(item, ((it, names), (declared, count)))| CachedItem {
        reading: it.reading,
        span: it.span,
        attributes: it.attributes,
        templates: it.templates,
        names,
        declared,
        count,
        resources: std::mem::take(&mut resources[item]),
    });
    cache.items = cached.collect();
}
