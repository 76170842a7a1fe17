use std::sync::Arc;

use fields::schema::DeleteBehavior;
use regions::Deployment;
use serde_json::Value;
use store::Key;

use crate::{FieldPath, Link, Model, Placed, Via, owners};

/// The meaning of names, which their texts alone do not have: usually by the patterns of a specification.
pub trait NameResolver: Send + Sync {
    /// The parent, of one of the kinds that are the parents of this kind; `None` if it has none.
    fn parent_of(&self, key: &Key) -> Option<Key>;

    /// The region that a resource is in; resources in different regions depend on each other as those of different
    /// services do. `None` is in all.
    fn region_of(&self, key: &Key) -> Option<Arc<str>> {
        let _ = key;
        None
    }

    /// The regions of a resource; `None` if its service is in one region only, or is not served here.
    fn placed(&self, key: &Key) -> Option<Placed> {
        let _ = key;
        None
    }

    /// The region that this deployment is in; `None` if there are no others.
    fn own_region(&self) -> Option<&str> {
        None
    }

    /// The deployment that owns a resource; `None` if it is this one.
    fn owner_of(&self, key: &Key) -> Option<Deployment> {
        let _ = key;
        None
    }

    /// True if any resource that is referred to may be of another deployment.
    fn has_others(&self) -> bool {
        false
    }

    /// True if the name has the form that its kind requires; used for resources that are created if
    /// [`strict_naming`](crate::Flags::strict_naming).
    fn is_valid(&self, key: &Key) -> bool {
        let _ = key;
        true
    }
}

/// A model together with the meaning of names.
#[derive(Clone)]
pub struct Rules {
    /// The kinds.
    pub model: Arc<Model>,
    /// The names.
    pub names: Arc<dyn NameResolver>,
}

impl Rules {
    /// Both.
    pub fn new(model: Model, names: impl NameResolver + 'static) -> Self {
        Self { model: Arc::new(model), names: Arc::new(names) }
    }

    /// Everything that a resource depends on: its parent, its references by path, its owners.
    pub fn links(&self, key: &Key, value: &Value) -> Vec<Link> {
        let Some(kind) = self.model.kind(&key.kind).filter(|kind| !kind.exempt) else { return Vec::new() };
        // The index knows only what the model declares.
        let parent = self.names.parent_of(key).filter(|parent| kind.parents.contains(&parent.kind));
        let parent = kind.on_parent_deleted.zip(parent);
        let parent = parent.and_then(|(declared, parent)| self.link(key, parent, Via::Parent, declared));
        let mut links: Vec<Link> = parent.into_iter().collect();
        for reference in &kind.references {
            for (place, text) in reference.path.texts(value) {
                let via = Via::Field { path: reference.path.clone(), place };
                links.extend(self.link(key, reference.target.key(text), via, reference.on_target_deleted));
            }
        }
        links.extend(owners::links(self, key, value));
        links
    }

    /// True if a resource is of another deployment.
    pub(crate) fn is_remote(&self, key: &Key) -> bool {
        self.names.has_others() && self.names.owner_of(key).is_some()
    }

    fn link(&self, from: &Key, to: Key, via: Via, declared: DeleteBehavior) -> Option<Link> {
        let guaranteed = self.model.is_constrained(&to.kind);
        let behavior = match self.is_elsewhere(from, &to) {
            true => declared.across_services(),
            false => Model::effective(declared, &from.kind, &to.kind),
        };
        guaranteed.then(|| Link { referrer: from.clone(), target: to, via, behavior })
    }

    fn is_elsewhere(&self, one: &Key, other: &Key) -> bool {
        let regions = self.names.region_of(one).zip(self.names.region_of(other));
        regions.is_some_and(|(one, other)| one != other) || self.is_remote(other)
    }
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rules").field("model", &self.model).finish_non_exhaustive()
    }
}

/// Clears a reference in a value.
pub(crate) fn clear(value: &mut Value, path: &FieldPath, target: &Key) {
    if path == owners::path() {
        owners::remove(value, target);
        return;
    }
    path.clear(value, &target.id);
}
