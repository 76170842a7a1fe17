use std::{error, fmt, sync::Arc};

use serde::Serialize;
use store::{Key, Kind, StoreError};

use crate::{Input, Output, Strength, codes};

/// The operation of a controller on a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessVerb {
    /// Read one resource.
    Get,
    /// List the resources of a kind.
    List,
    /// Create or change one resource.
    Write,
    /// Tear down or destroy one resource.
    Remove,
    /// Add or remove a finalizer.
    Finalize,
}

/// A call of a controller that its declaration does not cover.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct AccessDenied {
    /// The controller's id.
    pub controller: Arc<str>,
    /// The operation.
    pub verb: AccessVerb,
    /// The kind of the resource.
    #[serde(flatten)]
    pub kind: Kind,
    /// The id of the resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Arc<str>>,
}

/// The reason why a call of a [`Context`](crate::Context) was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CallError {
    /// The declaration does not cover it.
    Denied(AccessDenied),
    /// The store refused it.
    Store(StoreError),
}

/// The access rights that a declaration grants. Stricter than upstream, where an output covers all
/// namespaces.
pub(crate) struct Rights<'a> {
    pub(crate) controller: &'a Arc<str>,
    pub(crate) inputs: &'a [Input],
    pub(crate) outputs: &'a [Output],
}

impl Rights<'_> {
    pub(crate) fn get(&self, key: &Key) -> Result<(), AccessDenied> {
        let allowed = self.writes(&key.kind) || self.inputs.iter().any(|input| input.covers(key));
        self.answer(allowed, AccessVerb::Get, &key.kind, Some(&key.id))
    }

    pub(crate) fn list(&self, kind: &Kind) -> Result<(), AccessDenied> {
        let whole = |input: &Input| input.id.is_none() && input.kind == *kind;
        self.answer(self.writes(kind) || self.inputs.iter().any(whole), AccessVerb::List, kind, None)
    }

    pub(crate) fn write(&self, key: &Key) -> Result<(), AccessDenied> {
        let changes = |output: &Output| !output.removes_only && output.covers(&key.kind);
        self.answer(self.outputs.iter().any(changes), AccessVerb::Write, &key.kind, Some(&key.id))
    }

    pub(crate) fn remove(&self, key: &Key) -> Result<(), AccessDenied> {
        self.answer(self.writes(&key.kind), AccessVerb::Remove, &key.kind, Some(&key.id))
    }

    /// Outputs do not grant it: a controller that writes a resource does not also need it.
    pub(crate) fn finalize(&self, key: &Key) -> Result<(), AccessDenied> {
        let strong = |input: &Input| input.strength == Strength::Strong && input.covers(key);
        self.answer(self.inputs.iter().any(strong), AccessVerb::Finalize, &key.kind, Some(&key.id))
    }

    fn writes(&self, kind: &Kind) -> bool {
        self.outputs.iter().any(|output| output.covers(kind))
    }

    fn answer(
        &self,
        allowed: bool,
        verb: AccessVerb,
        kind: &Kind,
        id: Option<&Arc<str>>,
    ) -> Result<(), AccessDenied> {
        let denied = || AccessDenied {
            controller: self.controller.clone(),
            verb,
            kind: kind.clone(),
            id: id.cloned(),
        };
        if allowed { Ok(()) } else { Err(denied()) }
    }
}

impl AccessDenied {
    /// The code of such errors.
    pub const CODE: &str = codes::ACCESS_DENIED.as_str();
}

impl CallError {
    /// True if there is no such resource.
    pub fn is_not_found(&self) -> bool {
        matches!(self, Self::Store(error) if error.is_not_found())
    }
}

impl From<AccessDenied> for CallError {
    fn from(denied: AccessDenied) -> Self {
        Self::Denied(denied)
    }
}

impl From<StoreError> for CallError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for AccessVerb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Write => "write",
            Self::Remove => "remove",
            Self::Finalize => "finalize",
        })
    }
}

impl fmt::Display for AccessDenied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { controller, verb, kind, id } = self;
        write!(f, "`{controller}` did not declare that it would {verb} `{kind}")?;
        id.as_ref().map_or(Ok(()), |id| write!(f, "/{id}"))?;
        f.write_str("`")
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Denied(denied) => denied.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl error::Error for AccessDenied {}
impl error::Error for CallError {}
