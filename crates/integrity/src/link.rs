use fields::schema::DeleteBehavior;
use store::Key;

use crate::{FieldPath, owners};

/// A resource depends on another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The resource that depends.
    pub referrer: Key,
    /// The one that it depends on, which may not exist.
    pub target: Key,
    /// The kind of dependency.
    pub via: Via,
    /// The effect on the referrer when the target is deleted, services and regions considered.
    pub behavior: DeleteBehavior,
}

/// The kind of dependency of one resource on another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Via {
    /// It is contained in it.
    Parent,
    /// It refers to it.
    Field {
        /// The field, as the model has it.
        path: FieldPath,
        /// The very value: `spec.image_pull_secrets[1].name`.
        place: String,
    },
    /// It is owned by it: `metadata.owner_references[0]`.
    Owner {
        /// The very reference.
        place: String,
    },
}

impl Via {
    /// The very field: `parent`, or the place of the reference.
    pub fn place(&self) -> &str {
        match self {
            Self::Parent => "parent",
            Self::Field { place, .. } | Self::Owner { place } => place,
        }
    }

    /// The field as the model has it; `None` for the parent.
    pub fn path(&self) -> Option<&FieldPath> {
        match self {
            Self::Parent => None,
            Self::Field { path, .. } => Some(path),
            Self::Owner { .. } => Some(owners::path()),
        }
    }
}

impl Link {
    /// True if the target's removal is delayed by it, if it is deleted asynchronously. References to
    /// owners are soft: they delay nothing.
    pub(crate) fn holds_target(&self) -> bool {
        self.behavior != DeleteBehavior::AllowDangling && !matches!(self.via, Via::Owner { .. })
    }

    /// True if it is neither checked nor forbids anything: it may dangle, or leads to an owner.
    #[cfg(feature = "deployments")]
    pub(crate) fn is_soft(&self) -> bool {
        self.behavior == DeleteBehavior::AllowDangling || matches!(self.via, Via::Owner { .. })
    }

    /// True if there is work to do for it after the target was deleted.
    pub(crate) fn is_async(&self) -> bool {
        matches!(self.behavior, DeleteBehavior::AsyncUnset | DeleteBehavior::AsyncCascadeDelete)
    }

    /// True if it is the same reference, wherever in its list it is.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.target == other.target && self.via.path() == other.via.path()
    }
}
