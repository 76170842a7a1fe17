//! The pages of several regions as pages of one list.
//!
//! A list that is broadcast is a list in each region, in the same order, and each region gives pages of its own. A page of the
//! whole has the first items of all of them. The regions have a place each, at which the next page continues; the *places*
//! together are what the token of the page has to contain.
//!
//! 1. [`Places::start`] for the first page, the places of the last [`MergedPage`] for each other one.
//! 2. A page of each [pending](Places::pending) region, from its place, with as many items as are requested.
//! 3. [`merge`] of these pages.
//!
//! # What is guaranteed
//!
//! The pages one after another are the whole list, whatever the division into regions is: nothing is missing, doubled or out
//! of order, and each page but the last is full if the pages of the regions are. A region may give fewer items than requested,
//! or none, and say that there are more; then a page of the whole can be short, too, because it is not known what that region
//! has next. Items that are equal in the order come in the order of their regions.
//!
//! What is created, changed or deleted between two pages has the effect that it has on a page of one region.
//!
//! Source: Goten's guide ("If orderBy was specified, then it will need to sort them again and apply paging again").

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

/// The place at which the list of a region continues. `C` is what the region understands, such as its page token.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place<C> {
    /// At its first item.
    Start,
    /// After the items up to here.
    After(C),
    /// Nowhere: there are no more items.
    End,
}

/// The places of all regions of a broadcast.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Places<C>(BTreeMap<Arc<str>, Place<C>>);

/// A page of the list of one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPage<T, C> {
    /// The items from the place of the region on, in order.
    pub items: Vec<T>,
    /// The place after the last of them, as the region says it.
    pub next: Place<C>,
}

/// A page of the whole list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedPage<T, C> {
    /// The items, in order, each with its region.
    pub items: Vec<(Arc<str>, T)>,
    /// The places after them.
    pub places: Places<C>,
}

impl<C> Places<C> {
    /// The places before the first page.
    pub fn start(regions: impl IntoIterator<Item = Arc<str>>) -> Self {
        Self(regions.into_iter().map(|it| (it, Place::Start)).collect())
    }

    /// The regions to request a page of, each with its place.
    pub fn pending(&self) -> impl Iterator<Item = (&Arc<str>, &Place<C>)> {
        self.0.iter().filter(|(_, place)| match place {
            Place::Start | Place::After(_) => true,
            Place::End => false,
        })
    }

    /// True if no region has more items: the page before was the last one.
    pub fn is_end(&self) -> bool {
        self.pending().next().is_none()
    }
}

/// Merges pages of the pending regions, and returns the first `size` of their items.
///
/// `compare` is the order of the list, in which each page has to be. `cursor` is the place in the list of a region after one
/// of its items; it is only called for the last item that is taken of a page that is not taken whole. A region without a page
/// counts as one whose page is empty: its place stays, and nothing is returned that could come after its items.
pub fn merge<T, C>(
    places: Places<C>,
    pages: BTreeMap<Arc<str>, RegionPage<T, C>>,
    size: usize,
    compare: impl Fn(&T, &T) -> Ordering,
    cursor: impl Fn(&Arc<str>, &T) -> C,
) -> MergedPage<T, C> {
    let mut merging = Merging::new(places, pages);
    let mut items: Vec<(Arc<str>, T)> = Vec::new();
    while items.len() < size {
        let Some(next) = merging.take(&compare) else { break };
        items.push(next);
    }
    let mut last: BTreeMap<&Arc<str>, &T> = BTreeMap::new();
    last.extend(items.iter().map(|(region, item)| (region, item)));
    let places = merging.places(|region| last.get(region).map(|it| cursor(region, it)));
    MergedPage { items, places }
}

/// The pages while items are taken of them.
struct Merging<T, C> {
    before: Places<C>,
    heads: BTreeMap<Arc<str>, VecDeque<T>>,
    next: BTreeMap<Arc<str>, Place<C>>,
    /// The regions of which it is not known what comes next.
    unknown: BTreeSet<Arc<str>>,
}

impl<T, C> Merging<T, C> {
    fn new(before: Places<C>, pages: BTreeMap<Arc<str>, RegionPage<T, C>>) -> Self {
        let mut heads = BTreeMap::new();
        let mut next = BTreeMap::new();
        let pending: BTreeSet<_> = before.pending().map(|(region, _)| region.clone()).collect();
        for (region, page) in pages.into_iter().filter(|(region, _)| pending.contains(region)) {
            heads.insert(region.clone(), VecDeque::from(page.items));
            next.insert(region, page.next);
        }
        let is_known = |it: &Arc<str>| {
            heads.get(it).is_some_and(|items: &VecDeque<T>| !items.is_empty())
                || matches!(next.get(it), Some(Place::End))
        };
        let unknown = pending.into_iter().filter(|it| !is_known(it)).collect();
        Self { before, heads, next, unknown }
    }

    /// Takes the first of all items, if it is known which one that is.
    fn take(&mut self, compare: impl Fn(&T, &T) -> Ordering) -> Option<(Arc<str>, T)> {
        if !self.unknown.is_empty() {
            return None;
        }
        let heads = self.heads.iter().filter_map(|(region, items)| Some((region, items.front()?)));
        let (region, _) = heads.min_by(|(_, left), (_, right)| compare(left, right))?;
        let region = region.clone();
        let items = self.heads.get_mut(&region)?;
        let item = items.pop_front()?;
        if items.is_empty() && !matches!(self.next.get(&region), Some(Place::End)) {
            self.unknown.insert(region.clone());
        }
        Some((region, item))
    }

    /// The place of each region: where it was if nothing was taken of it, where it says itself if all was taken.
    fn places(mut self, after_last: impl Fn(&Arc<str>) -> Option<C>) -> Places<C> {
        let place = |(region, before): (Arc<str>, Place<C>)| {
            let remains = self.heads.get(&region).is_some_and(|it| !it.is_empty());
            let after = match (remains, self.next.remove(&region)) {
                (false, Some(next)) => next,
                (true, _) => after_last(&region).map_or(before, Place::After),
                (false, None) => before,
            };
            (region, after)
        };
        Places(self.before.0.into_iter().map(place).collect())
    }
}
