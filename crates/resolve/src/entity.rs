use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use crate::Id;

/// An entity that can be chosen, with its properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its name, unique in its source.
    pub id: Id,
    /// The properties; values other than text are JSON.
    pub properties: BTreeMap<Arc<str>, Arc<str>>,
}

/// A source of entities (source: deppy's entity sources). The order of [`iterate`](EntitySource::iterate) determines all
/// other orders.
pub trait EntitySource {
    /// The entity with a name.
    fn get(&self, id: &str) -> Option<&Entity>;

    /// Visits each entity until the visitor stops.
    fn iterate<'a>(&'a self, visit: &mut dyn FnMut(&'a Entity) -> ControlFlow<()>);

    /// The entities that satisfy a predicate.
    fn filter(&self, holds: &dyn Fn(&Entity) -> bool) -> Vec<&Entity> {
        let mut found = Vec::new();
        self.iterate(&mut |entity| {
            if holds(entity) {
                found.push(entity);
            }
            ControlFlow::Continue(())
        });
        found
    }

    /// The entities by keys; one entity may have several keys or none.
    fn group_by(&self, keys: &dyn Fn(&Entity) -> Vec<String>) -> BTreeMap<String, Vec<&Entity>> {
        let mut groups: BTreeMap<String, Vec<&Entity>> = BTreeMap::new();
        self.iterate(&mut |entity| {
            for key in keys(entity) {
                groups.entry(key).or_default().push(entity);
            }
            ControlFlow::Continue(())
        });
        groups
    }
}

/// Entities in memory, in the order in which they were given. Of two with the same name the first is used.
#[derive(Clone, Debug, Default)]
pub struct Entities {
    list: Vec<Entity>,
    by_id: BTreeMap<Id, usize>,
}

impl FromIterator<Entity> for Entities {
    fn from_iter<I: IntoIterator<Item = Entity>>(entities: I) -> Self {
        let mut all = Self::default();
        for entity in entities {
            if !all.by_id.contains_key(&entity.id) {
                all.by_id.insert(entity.id.clone(), all.list.len());
                all.list.push(entity);
            }
        }
        all
    }
}

impl EntitySource for Entities {
    fn get(&self, id: &str) -> Option<&Entity> {
        self.by_id.get(id).and_then(|it| self.list.get(*it))
    }

    fn iterate<'a>(&'a self, visit: &mut dyn FnMut(&'a Entity) -> ControlFlow<()>) {
        let _ = self.list.iter().try_for_each(visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entities_are_iterated_in_order() {
        let entity = |id: &str| Entity { id: id.into(), properties: BTreeMap::new() };
        let entities: Entities = ["b1", "a1", "b2", "a1", "c"].map(entity).into_iter().collect();
        let ids = |found: &[&Entity]| found.iter().map(|it| it.id.to_string()).collect::<Vec<_>>();
        let mut first = Vec::new();
        entities.iterate(&mut |it| {
            first.push(it);
            if first.len() == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(ids(&first), ["b1", "a1"]);
        assert_eq!(ids(&entities.filter(&|it| it.id.contains('1'))), ["b1", "a1"]);
        let groups = entities.group_by(&|it| match &*it.id {
            "c" => Vec::new(),
            id => vec![id[..1].to_owned(), "all".to_owned()],
        });
        let groups: Vec<_> = groups.iter().map(|(key, of)| (&**key, ids(of).join(" "))).collect();
        assert_eq!(groups, [("a", "a1".into()), ("all", "b1 a1 b2".into()), ("b", "b1 b2".into())]);
    }
}
