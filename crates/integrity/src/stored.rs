use std::{collections::BTreeSet, sync::Arc};

use serde_json::Value;
use store::{Draft, Key, Kind, Labels, Millis, Op, Query, Resource, Snapshot, Spec, Term, Writing};

use crate::{Instances, Link, Rules, Via, lifecycle, owners};

// The store indexes labels, keeps them with the resources and indexes them again when it is opened: so it is the labels
// by which a resource is found that refers to another, that is being deleted, or that has owners.

/// The label of a resource that is being deleted.
const DELETING: &str = "deleting";

/// The label of a resource with owner references.
pub(crate) const OWNED: &str = "owned";

/// The content of the store as its writer sees it.
pub(crate) struct Stored<'a> {
    pub(crate) writing: &'a Writing<'a>,
    rules: &'a Rules,
}

impl<'a> Stored<'a> {
    pub(crate) fn new(writing: &'a Writing<'a>, rules: &'a Rules) -> Self {
        Self { writing, rules }
    }

    pub(crate) fn labelled(&self, kind: &Kind, label: &str) -> Snapshot {
        self.writing.list(kind, &Query::term(Term::new(label, Op::Exists)))
    }

    /// The resources with a label, of all kinds of the model.
    pub(crate) fn with_label(&self, label: &str) -> Vec<Key> {
        let of = |kind: &crate::KindModel| {
            self.labelled(&kind.kind, label).iter().map(|resource| resource.key().clone()).collect::<Vec<_>>()
        };
        self.rules.model.kinds().flat_map(of).collect()
    }

    /// Adds the links of a resource to a target: those by which it is owned, or the others.
    fn links(&self, resource: &Resource, target: &Key, owned: bool, links: &mut Vec<Link>) {
        let all = self.rules.links(resource.key(), resource.spec.shared_value()).into_iter();
        links.extend(
            all.filter(|link| link.target == *target && owned == matches!(link.via, Via::Owner { .. })),
        );
    }

    /// Since when a resource has an owner.
    pub(crate) fn owned_since(&self, ownee: &Key, owner: &Key) -> Option<Millis> {
        let resource = self.writing.get(ownee)?;
        resource.metadata.annotations.get(owner_label(owner).as_str())?.parse().ok().map(Millis)
    }

    /// The time.
    pub(crate) fn now(&self) -> Millis {
        self.writing.now()
    }
}

impl Instances for Stored<'_> {
    fn value(&self, key: &Key) -> Option<Arc<Value>> {
        self.writing.get(key).map(|resource| resource.spec.shared_value().clone())
    }

    fn referrers(&self, key: &Key) -> Vec<Link> {
        let (label, mut links) = (link_label(key), Vec::new());
        for kind in self.rules.model.dependents(&key.kind) {
            self.labelled(kind, &label)
                .iter()
                .for_each(|resource| self.links(resource, key, false, &mut links));
        }
        let label = owner_label(key);
        for kind in self.rules.model.kinds().filter(|kind| !kind.exempt) {
            self.labelled(&kind.kind, &label)
                .iter()
                .for_each(|resource| self.links(resource, key, true, &mut links));
        }
        links.sort_by(|a, b| a.referrer.cmp(&b.referrer));
        links
    }

    fn dependencies(&self, key: &Key) -> Vec<Link> {
        self.value(key).map(|value| self.rules.links(key, &value)).unwrap_or_default()
    }

    fn leaving(&self) -> BTreeSet<Key> {
        let gone = gone(&self.writing.list(&gone_kind(), &Query::all()));
        self.with_label(DELETING).into_iter().chain(gone).collect()
    }

    fn is_gone(&self, key: &Key) -> bool {
        self.writing.get(&gone_key(key)).is_some()
    }

    fn is_held(&self, key: &Key) -> bool {
        #[cfg(feature = "deployments")]
        let is_held = self.rules.names.has_others() && crate::records::is_held(self, key);
        #[cfg(not(feature = "deployments"))]
        let is_held = {
            let _ = key;
            false
        };
        is_held
    }

    fn is_active(&self, key: &Key) -> bool {
        self.writing.get(key).is_some_and(|resource| !resource.metadata.labels.contains_key(DELETING))
    }

    fn is_deleting(&self, key: &Key) -> bool {
        self.writing.get(key).is_some_and(|resource| resource.metadata.labels.contains_key(DELETING))
    }
}

/// The kind of the notes that a resource is gone while asynchronous work for it remains.
pub(crate) fn gone_kind() -> Kind {
    Kind::new("integrity", "Gone")
}

/// The resources that notes are about.
pub(crate) fn gone(notes: &Snapshot) -> Vec<Key> {
    notes.iter().filter_map(|note| note.read::<Key>().ok()).collect()
}

pub(crate) fn gone_key(key: &Key) -> Key {
    gone_kind().key(key.to_string())
}

/// The note that a resource is gone while asynchronous work for it remains.
pub(crate) fn gone_draft(key: &Key) -> Draft {
    Draft::new(gone_key(key), Spec::of(key).unwrap_or_default())
}

fn link_label(target: &Key) -> String {
    format!("ref/{target}")
}

/// The label of a resource with this owner, and the annotation that says since when.
pub(crate) fn owner_label(owner: &Key) -> String {
    format!("owner/{owner}")
}

/// The labels by which a resource is found.
pub(crate) fn labels(rules: &Rules, key: &Key, value: &Value) -> Labels {
    let links = rules.links(key, value).into_iter().map(|link| match link.via {
        Via::Owner { .. } => owner_label(&link.target),
        Via::Parent | Via::Field { .. } => link_label(&link.target),
    });
    let deleting = lifecycle::is_deleting(value).then(|| DELETING.to_owned());
    let owned = (!owners::links(rules, key, value).is_empty()).then(|| OWNED.to_owned());
    links.chain(deleting).chain(owned).map(|label| (label.into(), "".into())).collect()
}
