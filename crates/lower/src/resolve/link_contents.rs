//! References to contents of links. These contents were inserted and not written, so they are resolved
//! separately.

use model::{Data, Pointer, Reference, Step, Value};

use super::{
    Key, ResolvedReference, Resolver,
    find::{FoundValue, Search, written_at},
};
use crate::declare::Declarations;

impl Resolver<'_, '_> {
    /// The places that have to be resolved for every instance beside an item's own.
    pub(super) fn needs_beside(&self, item: usize, path: &[Step], needs: &mut Vec<Key>) {
        let paths = (0..).map_while(|n| self.declarations.beside(item, path, n));
        for path in paths.take(self.count_beside(item, path)) {
            match self.find(item, &path) {
                Search::Waits(key) => needs.push(key),
                Search::Found(FoundValue { place: Some(place), .. }) => self.needs_inside(&place, needs),
                Search::Found(_) | Search::Nothing => {}
            }
        }
    }

    /// The number of instances in a colocated link.
    pub(super) fn count_beside(&self, item: usize, path: &[Step]) -> usize {
        let path = self.declarations.beside(item, path, 0).unwrap_or_default();
        let list = written_at(self.declarations, item, &path[..path.len().min(3)]);
        list.and_then(Value::as_list).map_or(0, <[Value]>::len)
    }

    /// The places in a value that contain references. Contents of links are not in the list of written texts.
    pub(super) fn unresolved_in(&self, value: &Value, key: Key, needs: &mut Vec<Key>) {
        let inside = |place: Pointer| (key.0, place);
        match &value.data {
            Data::Unknown(_) if !self.done.contains_key(&key) => needs.push(key),
            Data::List(items) => items.iter().enumerate().for_each(|(n, it)| {
                self.unresolved_in(it, inside(key.1.index(n)), needs);
            }),
            Data::Map(map) => map.iter().for_each(|(name, it)| {
                self.unresolved_in(it, inside(key.1.key(name)), needs);
            }),
            _ => {}
        }
    }

    /// The value of a reference to the instance beside the resource's own, which is known only when its
    /// instances are created.
    pub(super) fn beside(
        &mut self,
        target: usize,
        reference: &Reference,
        path: &[Step],
    ) -> ResolvedReference {
        match self.find(target, path) {
            Search::Found(found) => ResolvedReference::Runtime { sensitive: found.sensitive },
            Search::Nothing if self.count_beside(target, &reference.path) > 0 => {
                self.report_missing(target, reference, &reference.path);
                ResolvedReference::Nothing
            }
            // There is no instance that would need it.
            Search::Nothing => ResolvedReference::Runtime { sensitive: false },
            Search::Waits(_) => ResolvedReference::Nothing,
        }
    }

    /// True if a path names a link that its item does not have, which was reported when links were chosen.
    pub(super) fn is_no_link(&self, target: usize, path: &[Step]) -> bool {
        let contents = self.declarations.definition(target).links.as_ref().map(|it| &it.contents);
        let [Step::Key(field), Step::Key(name), ..] = path else { return false };
        let known = self.declarations.items[target].attributes.get(field);
        Some(field) == contents && known.is_none_or(|it| it.get(name).is_none())
    }
}

/// True if a value belongs to another deployment, which knows it only at run time.
pub(crate) fn is_foreign(reference: &Reference) -> bool {
    reference.to.collection.starts_with(FOREIGN)
}

/// The prefix of the collections of other deployments; no key of a descriptor's root has it.
pub(crate) const FOREIGN: char = '\u{0}';

pub(super) fn holds_foreign(value: &Value) -> bool {
    match &value.data {
        Data::Unknown(expression) => expression.references().any(is_foreign),
        Data::List(items) => items.iter().any(holds_foreign),
        Data::Map(map) => map.values().any(holds_foreign),
        _ => false,
    }
}

/// True if a place is among the contents of an item's links.
pub(super) fn is_link_content(declarations: &Declarations<'_>, key: &Key) -> bool {
    let contents = declarations.definition(key.0).links.as_ref().map(|it| &*it.contents);
    contents.is_some() && key.1.parts().next().as_deref() == contents
}
