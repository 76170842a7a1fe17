//! Resources of the last lowering that are the same in this one.

use std::sync::Arc;

use model::DesiredResource;
use types::Edge;

use super::{Builder, MAX_DEPTH, naming::NamedItem};
use crate::{Cache, cache::CachedItem, declare::Declarations};

impl Builder<'_, '_> {
    /// By item: whether its own part of its resource is the same as in the last lowering. Its fields are then, it names the
    /// same items, and these have as many instances.
    pub(super) fn settled(&self, cached: &[Option<&CachedItem>], is_same: Vec<bool>) -> Vec<bool> {
        let same_count = |(cached, count): (&Option<&CachedItem>, &Option<u32>)| {
            cached.is_some_and(|it| it.count == *count)
        };
        let same_count: Vec<bool> = cached.iter().zip(&self.counts).map(same_count).collect();
        let is_settled = |(item, is_same): (usize, bool)| {
            let namings = &self.namings[item];
            let referred = self.declarations.items[item].references.iter().map(|it| it.target);
            is_same
                && cached[item].is_some_and(|it| it.declared == namings.len())
                && namings.iter().map(|it| it.target).chain(referred).all(|it| same_count[it])
        };
        is_same.into_iter().enumerate().map(is_settled).collect()
    }

    /// The resources of an item in the last lowering, if these are what it would have now.
    pub(super) fn reusable<'c>(
        &self,
        item: usize,
        settled: &[bool],
        cached: &[Option<&'c CachedItem>],
    ) -> Option<&'c [Arc<DesiredResource>]> {
        if !self.links[item].is_empty() || !self.is_settled(item, settled, 0) {
            return None;
        }
        let resources = &cached[item]?.resources;
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
