use std::sync::Arc;

use serde::Serialize;
use store::{Key, Kind};

/// A kind that a controller reads, and which changes wake it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Input {
    /// Resources of this kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// The only resource of the kind that is read, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// The strength of the dependency.
    pub strength: Strength,
}

/// The strength of the dependency on an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Every change wakes; the controller may hold a finalizer on it.
    Strong,
    /// Every change wakes.
    Weak,
    /// Wakes only when a resource of the controller can be destroyed, or was destroyed without its request.
    DestroyReady,
}

/// A kind that a controller writes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Output {
    /// The namespace; `None` is any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<Arc<str>>,
    /// The name of the kind.
    #[serde(rename = "kind")]
    pub name: Arc<str>,
    /// The sharing of the kind with other controllers.
    pub sharing: Sharing,
    /// True if the controller only tears down and destroys resources.
    #[serde(skip_serializing_if = "is_false")]
    pub removes_only: bool,
}

/// The sharing of a kind among the controllers that write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// No other controller may.
    Exclusive,
    /// Others may; each writes the resources that it created.
    Shared,
}

/// The way a controller is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// One run for each resource that changed.
    Queue,
    /// One run over everything, for any number of changes.
    Whole,
    /// One run that never ends and waits for changes itself.
    Manual,
}

/// A controller's declaration, which determines the graph and the access rights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declaration {
    /// Its id, which is the owner of its resources and the finalizer that it holds. It is not a display name:
    /// it must never change.
    pub id: Arc<str>,
    /// Earlier ids; resources with these are its own too.
    pub aliases: Vec<Arc<str>>,
    /// The way it is run.
    pub style: Style,
    /// The kinds that it reads.
    pub inputs: Vec<Input>,
    /// The kinds that it writes.
    pub outputs: Vec<Output>,
}

impl Input {
    /// A strong input.
    pub fn strong(kind: Kind) -> Self {
        Self { kind, id: None, strength: Strength::Strong }
    }

    /// A weak input.
    pub fn weak(kind: Kind) -> Self {
        Self { kind, id: None, strength: Strength::Weak }
    }

    /// A destroy-ready input.
    pub fn destroy_ready(kind: Kind) -> Self {
        Self { kind, id: None, strength: Strength::DestroyReady }
    }

    /// Restricts it to one resource.
    #[must_use]
    pub fn only(mut self, id: impl Into<Arc<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// True if it covers a resource.
    pub fn covers(&self, key: &Key) -> bool {
        self.kind == key.kind && self.id.as_ref().is_none_or(|id| *id == key.id)
    }
}

impl Output {
    /// An output that no other controller writes.
    pub fn exclusive(kind: Kind) -> Self {
        Self {
            namespace: Some(kind.namespace),
            name: kind.name,
            sharing: Sharing::Exclusive,
            removes_only: false,
        }
    }

    /// An output that others may write too.
    pub fn shared(kind: Kind) -> Self {
        Self { sharing: Sharing::Shared, ..Self::exclusive(kind) }
    }

    /// Restricts it to teardown and destruction: creating and changing is denied.
    #[must_use]
    pub fn removing(mut self) -> Self {
        self.removes_only = true;
        self
    }

    /// Extends it to any namespace.
    #[must_use]
    pub fn anywhere(mut self) -> Self {
        self.namespace = None;
        self
    }

    /// True if it covers a kind.
    pub fn covers(&self, kind: &Kind) -> bool {
        self.name == kind.name && self.namespace.as_ref().is_none_or(|namespace| *namespace == kind.namespace)
    }

    /// The kind that it names; for any namespace, `*`.
    pub(crate) fn kind(&self) -> Kind {
        Kind::new(self.namespace.clone().unwrap_or_else(|| "*".into()), self.name.clone())
    }

    /// True if both can cover the same resource.
    pub fn overlaps(&self, other: &Self) -> bool {
        let apart =
            self.namespace.is_some() && other.namespace.is_some() && self.namespace != other.namespace;
        self.name == other.name && !apart
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the shape that serde calls")]
fn is_false(value: &bool) -> bool {
    !*value
}
