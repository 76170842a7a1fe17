//! The declaration of a controller that is written in JavaScript.

use std::sync::Arc;

use ::runtime::{Input, Output, Sharing, Strength};
use ::store::Kind;
use serde::Deserialize;

/// A controller without its functions, which JSON leaves out.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Declared {
    pub(super) id: Arc<str>,
    #[serde(default)]
    pub(super) formerly: Vec<Arc<str>>,
    #[serde(default)]
    pub(super) style: Style,
    #[serde(default)]
    pub(super) inputs: Vec<DeclaredInput>,
    #[serde(default)]
    pub(super) outputs: Vec<DeclaredOutput>,
    /// Read by itself.
    #[serde(rename = "concurrency")]
    _concurrency: Option<serde::de::IgnoredAny>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Style {
    #[default]
    Whole,
    Queue,
    Manual,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeclaredInput {
    namespace: Arc<str>,
    kind: Arc<str>,
    id: Option<Arc<str>>,
    strength: Option<Need>,
    /// True if runs of a queue controller are for resources of this input.
    #[serde(default)]
    pub(super) primary: bool,
    /// The mapping of a changed resource to resources of the primary input; a `map` function is read separately.
    pub(super) map: Option<Map>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Need {
    Strong,
    Weak,
    DestroyReady,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Map {
    /// The one with the same id.
    SameId,
    /// The one that this label names.
    Label(Arc<str>),
    /// None.
    None,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DeclaredOutput {
    namespace: Option<Arc<str>>,
    kind: Arc<str>,
    #[serde(default)]
    sharing: Shared,
    #[serde(default)]
    removes_only: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shared {
    #[default]
    Exclusive,
    Shared,
}

impl DeclaredInput {
    /// Primary inputs are strong unless something else is said, others weak.
    pub(super) fn input(&self) -> Input {
        let strength = match (self.strength, self.primary) {
            (Some(Need::Strong), _) | (None, true) => Strength::Strong,
            (Some(Need::Weak), _) | (None, false) => Strength::Weak,
            (Some(Need::DestroyReady), _) => Strength::DestroyReady,
        };
        Input { kind: self.kind(), id: self.id.clone(), strength }
    }

    pub(super) fn kind(&self) -> Kind {
        Kind::new(self.namespace.clone(), self.kind.clone())
    }
}

impl DeclaredOutput {
    pub(super) fn output(&self) -> Output {
        let sharing = match self.sharing {
            Shared::Exclusive => Sharing::Exclusive,
            Shared::Shared => Sharing::Shared,
        };
        let (namespace, name) = (self.namespace.clone(), self.kind.clone());
        Output { namespace, name, sharing, removes_only: self.removes_only }
    }
}
