use std::collections::BTreeMap;

use store::{Kind, Query, Resource};

use crate::{Api, kinds::Served, values};

/// Stored resources of one kind that do not match the served specifications.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MismatchedResources {
    /// Their kind.
    pub kind: Kind,
    /// The number of them.
    pub count: usize,
    /// The name of one of them.
    pub example: String,
    /// The reason why they do not match.
    pub reason: MismatchReason,
}

/// The reason why stored resources do not match.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MismatchReason {
    /// No served specification has the kind, so they cannot be reached.
    NoKind,
    /// The specification has the kind, and none of its patterns allows the names, so they cannot be reached.
    NoPattern,
    /// Their values are not valid any more, so they can only be read, deleted, and updated in the invalid values. With the
    /// place in the example, and the error there.
    NotValid(String),
}

impl Api {
    /// The resources that were stored under other specifications than those that are served now, in order of kinds. Kinds of
    /// the namespaces in `own` are the host's, and left out. Reads all stored resources.
    pub fn mismatched(&self, own: &[&str]) -> Vec<MismatchedResources> {
        let view = self.transactions.store().view();
        let served: BTreeMap<Kind, Served<'_>> = self
            .services
            .kinds()
            .filter(|(id, _)| self.versions.newest(*id) == *id)
            .filter_map(|(id, _)| Served::new(&self.services, &self.schemas, id))
            .map(|it| (it.stored(), it))
            .collect();
        let mut found = Vec::new();
        for kind in view.kinds().filter(|it| !own.contains(&&*it.namespace)) {
            let mut of_kind: BTreeMap<u8, MismatchedResources> = BTreeMap::new();
            for resource in &view.list(kind, &Query::all()) {
                let Some(reason) = self.mismatch(resource, served.get(kind).copied()) else { continue };
                let place = match reason {
                    MismatchReason::NoKind => 0,
                    MismatchReason::NoPattern => 1,
                    MismatchReason::NotValid(_) => 2,
                };
                let (kind, example) = (kind.clone(), resource.id().to_string());
                let first = MismatchedResources { kind, count: 0, example, reason };
                of_kind.entry(place).or_insert(first).count += 1;
            }
            found.extend(of_kind.into_values());
        }
        found
    }

    fn mismatch(&self, resource: &Resource, served: Option<Served<'_>>) -> Option<MismatchReason> {
        let rules = self.transactions.rules();
        if rules.model.kind(&resource.key().kind).is_none() {
            return Some(MismatchReason::NoKind);
        }
        if !rules.names.is_valid(resource.key()) {
            return Some(MismatchReason::NoPattern);
        }
        let message = served?.checked_message()?;
        let value = values::current(Some(message), &resource.spec.value());
        let wrong = fields::validate(&value, message, None).into_iter().next()?;
        Some(MismatchReason::NotValid(format!("`#{}`: {}", wrong.pointer, wrong.message)))
    }
}
