use std::{iter, sync::Arc};

use crate::{
    Query, Resource, Revision,
    resource_map::{Cursor, ResourceMap},
};

/// The result of a list: resources of one kind by id, at one revision. It never changes; clones are cheap.
#[derive(Clone, Debug)]
pub struct Snapshot {
    revision: Revision,
    items: Items,
}

#[derive(Clone, Debug)]
enum Items {
    All(ResourceMap),
    Some(Arc<[Arc<Resource>]>),
}

/// The resources of a [`Snapshot`], by id.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    snapshot: &'a Snapshot,
    cursor: SnapshotCursor,
    left: usize,
}

/// A place in a snapshot.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SnapshotCursor {
    cursor: Cursor,
    listed: usize,
}

impl Snapshot {
    pub(crate) fn all(revision: Revision, map: ResourceMap) -> Self {
        Self { revision, items: Items::All(map) }
    }

    /// A snapshot of these items, which must be in order.
    pub(crate) fn some(revision: Revision, items: Vec<Arc<Resource>>) -> Self {
        Self { revision, items: Items::Some(items.into()) }
    }

    /// The same at another revision, with the same content.
    pub(crate) fn at(self, revision: Revision) -> Self {
        Self { revision, ..self }
    }

    /// The revision it was taken at.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// The number of resources.
    pub fn len(&self) -> usize {
        match &self.items {
            Items::All(map) => map.len(),
            Items::Some(items) => items.len(),
        }
    }

    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The resource with an id.
    pub fn get(&self, id: &str) -> Option<&Arc<Resource>> {
        match &self.items {
            Items::All(map) => map.get(id),
            Items::Some(items) => {
                let found = items.binary_search_by(|resource| resource.id().as_ref().cmp(id)).ok()?;
                items.get(found)
            }
        }
    }

    /// All resources, by id.
    pub fn iter(&self) -> Iter<'_> {
        Iter { snapshot: self, cursor: SnapshotCursor::default(), left: self.len() }
    }

    /// The resources whose id comes after this, by id.
    pub fn after(&self, id: &str) -> impl Iterator<Item = &Arc<Resource>> {
        self.from(id).skip_while(move |resource| &**resource.id() == id)
    }

    /// The resources whose id is not before this, by id.
    pub fn from<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Arc<Resource>> + use<'a> {
        let mut place = self.seek(id);
        iter::from_fn(move || self.next(&mut place))
    }

    /// The resources whose id is before this, by id, the last one first.
    pub fn before<'a>(&'a self, id: &str) -> impl Iterator<Item = &'a Arc<Resource>> + use<'a> {
        let mut place = self.seek(id);
        iter::from_fn(move || self.previous(&mut place))
    }

    fn previous(&self, place: &mut SnapshotCursor) -> Option<&Arc<Resource>> {
        match &self.items {
            Items::All(map) => map.previous(&mut place.cursor),
            Items::Some(items) => {
                place.listed = place.listed.checked_sub(1)?;
                items.get(place.listed)
            }
        }
    }

    pub(crate) fn next(&self, place: &mut SnapshotCursor) -> Option<&Arc<Resource>> {
        match &self.items {
            Items::All(map) => map.next(&mut place.cursor),
            Items::Some(items) => {
                place.listed += 1;
                items.get(place.listed - 1)
            }
        }
    }

    /// Only the resources that match.
    pub(crate) fn filtered(self, query: &Query) -> Self {
        if query.is_all() {
            return self;
        }
        let prefix = query.id.as_ref().map_or("", |glob| glob.prefix());
        let mut place = self.seek(prefix);
        let candidates = iter::from_fn(|| self.next(&mut place)).take_while(|it| it.id().starts_with(prefix));
        let matching = candidates.filter(|resource| query.matches(resource)).cloned().collect();
        Self::some(self.revision, matching)
    }

    /// The place of the first resource whose id is not before this.
    fn seek(&self, id: &str) -> SnapshotCursor {
        match &self.items {
            Items::All(map) => SnapshotCursor { cursor: map.seek(id), listed: 0 },
            Items::Some(items) => {
                let listed = items.partition_point(|resource| &**resource.id() < id);
                SnapshotCursor { cursor: Cursor::default(), listed }
            }
        }
    }
}

impl<'a> Iterator for Iter<'a> {
    type Item = &'a Arc<Resource>;

    fn next(&mut self) -> Option<Self::Item> {
        let found = self.snapshot.next(&mut self.cursor)?;
        self.left = self.left.saturating_sub(1);
        Some(found)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a Snapshot {
    type Item = &'a Arc<Resource>;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}
