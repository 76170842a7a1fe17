use std::sync::Arc;

use serde::Serialize;
use store::{Key, Kind};

/// A kind that a controller reads, and what of it wakes the controller.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Input {
    /// Resources of this kind.
    #[serde(flatten)]
    pub kind: Kind,
    /// Only this one of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
    /// How it is needed.
    pub strength: Strength,
}

/// How an input is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Strength {
    /// Every change wakes; the controller may hold a finalizer on it.
    Strong,
    /// Every change wakes.
    Weak,
    /// Wakes only when one that belongs to the controller can be destroyed, or was destroyed unasked.
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
    /// Whether others may too.
    pub sharing: Sharing,
    /// Whether it only tears down and destroys what is there.
    #[serde(skip_serializing_if = "is_false")]
    pub removes_only: bool,
}

/// Whether others may write the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Nobody else.
    Exclusive,
    /// Others too; each writes what it created.
    Shared,
}

/// How a controller is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Style {
    /// One run for each resource that changed.
    Queue,
    /// One run over everything, however much changed.
    Whole,
    /// One run that never ends and waits for changes itself.
    Manual,
}

/// A controller's declaration: all that the graph and the access rights are made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Declaration {
    /// Its id: whose resources are its own, and the finalizer it holds. Not a display name: keep it for ever.
    pub id: Arc<str>,
    /// Ids it had earlier; what belongs to them is its own too.
    pub aliases: Vec<Arc<str>>,
    /// How it is run.
    pub style: Style,
    /// What it reads.
    pub inputs: Vec<Input>,
    /// What it writes.
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

    /// Only this one.
    #[must_use]
    pub fn only(mut self, id: impl Into<Arc<str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// Whether this resource is meant.
    pub fn covers(&self, key: &Key) -> bool {
        self.kind == key.kind && self.id.as_ref().is_none_or(|id| *id == key.id)
    }
}

impl Output {
    /// One that nobody else writes.
    pub fn exclusive(kind: Kind) -> Self {
        Self {
            namespace: Some(kind.namespace),
            name: kind.name,
            sharing: Sharing::Exclusive,
            removes_only: false,
        }
    }

    /// One that others may write too.
    pub fn shared(kind: Kind) -> Self {
        Self { sharing: Sharing::Shared, ..Self::exclusive(kind) }
    }

    /// Only to tear down and destroy what is there: creating and changing is denied.
    #[must_use]
    pub fn removing(mut self) -> Self {
        self.removes_only = true;
        self
    }

    /// In any namespace.
    #[must_use]
    pub fn anywhere(mut self) -> Self {
        self.namespace = None;
        self
    }

    /// Whether resources of this kind are meant.
    pub fn covers(&self, kind: &Kind) -> bool {
        self.name == kind.name && self.namespace.as_ref().is_none_or(|namespace| *namespace == kind.namespace)
    }

    /// The kind it names; in any namespace, `*`.
    pub(crate) fn kind(&self) -> Kind {
        Kind::new(self.namespace.clone().unwrap_or_else(|| "*".into()), self.name.clone())
    }

    /// Whether both can mean the same resource.
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
