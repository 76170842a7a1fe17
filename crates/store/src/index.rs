use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use crate::{Op, OwnedBy, Query, Resource, Term};

type Ids = BTreeSet<Arc<str>>;

/// The resources of one kind by label and by owner.
#[derive(Debug, Default)]
pub(crate) struct Index {
    labels: BTreeMap<Arc<str>, Labelled>,
    /// By owner; resources of the user, which are most, are not listed.
    owners: BTreeMap<Arc<str>, Ids>,
}

/// The resources that have one label.
#[derive(Debug, Default)]
struct Labelled {
    count: usize,
    values: BTreeMap<Arc<str>, Ids>,
}

impl Index {
    pub(crate) fn add(&mut self, resource: &Resource) {
        for (name, value) in &resource.metadata.labels {
            let labelled = self.labels.entry(name.clone()).or_default();
            labelled.count += 1;
            labelled.values.entry(value.clone()).or_default().insert(resource.id().clone());
        }
        if let Some(owner) = &resource.metadata.owner {
            self.owners.entry(owner.clone()).or_default().insert(resource.id().clone());
        }
    }

    pub(crate) fn remove(&mut self, resource: &Resource) {
        for (name, value) in &resource.metadata.labels {
            let Some(labelled) = self.labels.get_mut(name) else { continue };
            labelled.count -= 1;
            forget(&mut labelled.values, value, resource.id());
            if labelled.count == 0 {
                self.labels.remove(name);
            }
        }
        if let Some(owner) = &resource.metadata.owner {
            forget(&mut self.owners, owner, resource.id());
        }
    }

    /// Most updates change no label.
    pub(crate) fn replace(&mut self, old: &Resource, new: &Resource) {
        if old.metadata.labels != new.metadata.labels || old.metadata.owner != new.metadata.owner {
            self.remove(old);
            self.add(new);
        }
    }

    /// A superset of the ids of all that match, in order; `None` if these would be more than `most`, or all.
    pub(crate) fn candidates(&self, query: &Query, most: usize) -> Option<Vec<Arc<str>>> {
        let by_owner = query.owner.as_ref().and_then(|by| self.owned(by));
        let by_label = self.groups(&query.terms);
        let choices = by_owner.into_iter().map(|ids| vec![ids]).chain(by_label);
        let smallest = choices.min_by_key(|sets| sets.iter().map(|ids| ids.len()).sum::<usize>())?;
        if smallest.iter().map(|ids| ids.len()).sum::<usize>() > most {
            return None;
        }
        let mut ids: Vec<Arc<str>> = smallest.into_iter().flatten().cloned().collect();
        ids.sort_unstable();
        ids.dedup();
        Some(ids)
    }

    fn owned(&self, by: &OwnedBy) -> Option<&Ids> {
        match by {
            OwnedBy::User => None,
            OwnedBy::Owner(name) => Some(self.owners.get(name).unwrap_or(EMPTY)),
        }
    }

    /// Sets whose union contains all that match one of the groups; `None` if a group has no indexed term.
    fn groups(&self, groups: &[Vec<Term>]) -> Option<Vec<&Ids>> {
        if groups.is_empty() {
            return None;
        }
        let sets: Option<Vec<_>> = groups.iter().map(|group| self.group(group)).collect();
        sets.map(|sets| sets.concat())
    }

    fn group(&self, terms: &[Term]) -> Option<Vec<&Ids>> {
        let positive = terms.iter().filter(|term| !term.invert);
        positive
            .filter_map(|term| Some((self.count(term)?, term)))
            .min_by_key(|(count, _)| *count)
            .map(|(_, term)| self.sets(term))
    }

    /// The number of resources that match a term; `None` if it is not indexed.
    fn count(&self, term: &Term) -> Option<usize> {
        let labelled = self.labels.get(&term.label);
        let of = |value| labelled.and_then(|labelled| labelled.values.get(value)).map_or(0, BTreeSet::len);
        match &term.op {
            Op::Exists => Some(labelled.map_or(0, |labelled| labelled.count)),
            Op::Equal(value) => Some(of(value)),
            Op::In(values) => Some(values.iter().map(of).sum()),
            Op::Lt(_) | Op::Lte(_) | Op::LtNumeric(_) | Op::LteNumeric(_) => None,
        }
    }

    fn sets(&self, term: &Term) -> Vec<&Ids> {
        let Some(labelled) = self.labels.get(&term.label) else { return Vec::new() };
        match &term.op {
            Op::Equal(value) => labelled.values.get(value).into_iter().collect(),
            Op::In(values) => values.iter().filter_map(|value| labelled.values.get(value)).collect(),
            Op::Exists | Op::Lt(_) | Op::Lte(_) | Op::LtNumeric(_) | Op::LteNumeric(_) => {
                labelled.values.values().collect()
            }
        }
    }
}

static EMPTY: &Ids = &BTreeSet::new();

fn forget(sets: &mut BTreeMap<Arc<str>, Ids>, name: &Arc<str>, id: &Arc<str>) {
    let Some(ids) = sets.get_mut(name) else { return };
    ids.remove(id);
    if ids.is_empty() {
        sets.remove(name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Draft, Kind, Spec};

    fn resource(id: &str, tier: Option<&str>, owner: Option<&str>) -> Resource {
        let draft = Draft::new(Kind::new("app", "Nodes").key(id), Spec::default());
        let draft = tier.into_iter().fold(draft, |draft, tier| draft.label("tier", tier));
        owner.into_iter().fold(draft, Draft::owner).into()
    }

    fn of(resources: &[Resource]) -> Index {
        let mut index = Index::default();
        resources.iter().for_each(|it| index.add(it));
        index
    }

    fn four() -> [Resource; 4] {
        [
            resource("a", Some("web"), None),
            resource("b", Some("web"), Some("planner")),
            resource("c", Some("db"), None),
            resource("d", None, Some("other")),
        ]
    }

    fn same(one: &Index, other: &Index) {
        assert_eq!(format!("{one:?}"), format!("{other:?}"));
    }

    #[test]
    fn as_few_as_possible_are_looked_at() {
        let index = of(&four());
        let check = |query: &Query, most: usize, expected: Option<&str>| {
            let found = index.candidates(query, most).map(|ids| ids.concat());
            assert_eq!(found.as_deref(), expected, "{query:?} {most}");
        };
        let tier = |value: &str| Query::label("tier", value);
        check(&tier("web"), 2, Some("ab"));
        check(&tier("web"), 1, None);
        check(&tier("none"), 0, Some(""));
        check(&tier("web").or(tier("db")), 4, Some("abc"));
        check(&Query::term(Term::new("tier", Op::Exists)), 4, Some("abc"));
        check(
            &Query::term(Term::new("tier", Op::Exists)).and(Term::new("tier", Op::Equal("db".into()))),
            4,
            Some("c"),
        );
        check(
            &Query::term(Term::new("tier", Op::In(vec!["db".into(), "web".into(), "x".into()]))),
            4,
            Some("abc"),
        );
        check(&Query::owner("planner"), 4, Some("b"));
        check(&Query::owner("unknown"), 4, Some(""));
        check(&Query { owner: Some(OwnedBy::Owner("planner".into())), ..tier("web") }, 4, Some("b"));
        // Without an indexed term.
        check(&Query::all(), 4, None);
        check(&Query { owner: Some(OwnedBy::User), ..Query::all() }, 4, None);
        check(&Query::term(Term::new("tier", Op::Lt("x".into()))), 4, None);
        check(&Query::term(Term::new("tier", Op::Exists).inverted()), 4, None);
        check(&tier("web").or(Query::term(Term::new("tier", Op::Exists).inverted())), 4, None);
    }

    #[test]
    fn removed_labels_leave_no_index_entry() {
        let mut index = of(&four());
        four().iter().skip(1).for_each(|it| index.remove(it));
        same(&index, &of(&four()[..1]));
        index.remove(&four()[0]);
        same(&index, &Index::default());
    }

    #[test]
    fn replaced_resources_are_indexed_by_new_labels() {
        for (tier, owner) in [
            (Some("web"), Some("planner")),
            (Some("db"), Some("planner")),
            (Some("web"), Some("other")),
            (None, None),
        ] {
            let (old, new) = (resource("b", Some("web"), Some("planner")), resource("b", tier, owner));
            let mut index = of(std::slice::from_ref(&old));
            index.replace(&old, &new);
            same(&index, &of(&[new]));
        }
    }
}
