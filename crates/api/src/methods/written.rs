use std::{
    pin::Pin,
    rc::Rc,
    sync::Arc,
    task::{Context, Poll},
};

use integrity::{IntegrityError, Submitted};
use serde_json::Value;
use store::{Committed, Key, StoreError};

use super::{Call, Shown, not_found, refused, selection::Selection};
use crate::{Api, Problem, permissions::Permissions};

/// A write that is submitted. Its result is the resource as the write left it, also if others were faster to change it
/// again; nothing for deletions.
pub(crate) struct Written {
    submitted: Submitted<Refusal>,
    api: Rc<Api>,
    permissions: Permissions,
    /// The resource that was written, and the fields of it that the caller sees; `None` for a deletion.
    of: Option<(Key, Selection)>,
    /// The places of references in it that cannot be checked.
    pub(crate) unchecked: Vec<String>,
}

/// A write, or only what a deletion would do.
pub(crate) enum Submission {
    Submitted(Box<Written>),
    Previewed(Value),
}

/// The reason why a transaction ended without a commit.
pub(crate) enum Refusal {
    Integrity(IntegrityError),
    Problem(Problem),
}

impl Written {
    /// A write of a resource.
    pub(crate) fn resource(
        call: &Call<'_>,
        submitted: Submitted<Refusal>,
        key: Key,
        unchecked: Vec<String>,
    ) -> Self {
        let of = Some((key, Selection::all(call)));
        Self { submitted, api: call.api.clone(), permissions: call.permissions.clone(), of, unchecked }
    }

    /// A deletion.
    pub(crate) fn deletion(call: &Call<'_>, submitted: Submitted<Refusal>) -> Self {
        let (api, permissions) = (call.api.clone(), call.permissions.clone());
        Self { submitted, api, permissions, of: None, unchecked: Vec::new() }
    }

    /// Waits in this thread.
    pub(crate) fn wait(self) -> Result<Option<Shown>, Problem> {
        let Self { submitted, api, permissions, of, unchecked: _ } = self;
        shown(&api, of.as_ref(), submitted.wait()).map_err(|it| it.problem(&api, &permissions))
    }

    /// The result, with the reason of a refusal.
    #[cfg(feature = "neighbors")]
    pub(crate) async fn result(self) -> Result<Option<Shown>, Refusal> {
        let Self { submitted, api, permissions: _, of, unchecked: _ } = self;
        shown(&api, of.as_ref(), submitted.await)
    }
}

impl Future for Written {
    type Output = Result<Option<Shown>, Problem>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let polled = Pin::new(&mut self.submitted).poll(cx);
        polled.map(|committed| {
            let shown = shown(&self.api, self.of.as_ref(), committed);
            shown.map_err(|it| it.problem(&self.api, &self.permissions))
        })
    }
}

fn shown(
    api: &Api,
    of: Option<&(Key, Selection)>,
    committed: Result<Committed, Refusal>,
) -> Result<Option<Shown>, Refusal> {
    let committed = committed?;
    let Some((key, selection)) = of else { return Ok(None) };
    let found = committed.resources.iter().flatten().find(|it| it.key() == key);
    // An update without a difference has no operation.
    let whole: Option<Arc<Value>> =
        found.map(|it| it.spec.shared_value().clone()).or_else(|| api.stored(key));
    let whole = whole.ok_or_else(|| not_found(&key.id))?;
    Ok(Some(Shown { shown: selection.show(&whole), whole }))
}

impl From<IntegrityError> for Refusal {
    fn from(error: IntegrityError) -> Self {
        Self::Integrity(error)
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Integrity(error.into())
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Refusal {
    pub(crate) fn problem(self, api: &Api, permissions: &Permissions) -> Problem {
        match self {
            Self::Integrity(error) => refused(error, &|it| permissions.sees(api, it)),
            Self::Problem(problem) => problem,
        }
    }
}
