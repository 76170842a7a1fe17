use std::sync::Arc;

use store::{Key, Kind, OwnedBy, Query, Resource};

use super::leaves;
use crate::{Action, Context, Controller, Input, Outcome, Output, mapper};

/// Keeps a resource that is tearing down until its dependents are gone: its finalizer is removed last.
///
/// Dependents name it in a label. They can be waited for, or removed: then those of the user are torn down
/// and destroyed; those of a controller are waited for in any case.
#[derive(Clone, Debug)]
pub struct Cleanup {
    id: Arc<str>,
    of: Kind,
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    kind: Kind,
    label: Arc<str>,
    removes: bool,
}

impl Cleanup {
    /// A cleanup for resources of this kind.
    pub fn new(id: impl Into<Arc<str>>, of: Kind) -> Self {
        Self { id: id.into(), of, steps: Vec::new() }
    }

    /// Waits until none of `kind` has its id in `label`. Steps are taken in order.
    #[must_use]
    pub fn wait(mut self, kind: Kind, label: impl Into<Arc<str>>) -> Self {
        self.steps.push(Step { kind, label: label.into(), removes: false });
        self
    }

    /// Removes those of `kind` that have its id in `label`, and waits until they are gone. Steps are taken in order.
    #[must_use]
    pub fn remove(mut self, kind: Kind, label: impl Into<Arc<str>>) -> Self {
        self.steps.push(Step { kind, label: label.into(), removes: true });
        self
    }

    /// The controller to register.
    pub fn controller(self) -> Controller {
        let Self { id, of, steps } = self;
        let mut builder = Controller::queue(id).primary(of.clone());
        for Step { kind, label, removes } in &steps {
            builder = builder.mapped(Input::weak(kind.clone()), mapper::by_label(of.clone(), label.clone()));
            if *removes {
                builder = builder.writes(Output::shared(kind.clone()).removing());
            }
        }
        builder.reconcile(move |cx, key| {
            let outcome = reconcile(&cx, &key, &steps);
            async move { outcome }
        })
    }
}

fn reconcile(cx: &Context, key: &Key, steps: &[Step]) -> Outcome {
    let Some(resource) = cx.find(key)? else { return Ok(Action::Done) };
    if !leaves(&resource) {
        cx.hold(key)?;
        return Ok(Action::Done);
    }
    if !cx.holds(&resource) {
        return Ok(Action::Done);
    }
    for step in steps {
        if !step.is_done(cx, &resource)? {
            return Ok(Action::Done);
        }
    }
    cx.release(key)?;
    Ok(Action::Done)
}

impl Step {
    fn is_done(&self, cx: &Context, of: &Resource) -> Result<bool, crate::CallError> {
        let query = Query::label(self.label.clone(), of.id().clone());
        if self.removes {
            let users = Query { owner: Some(OwnedBy::User), ..query.clone() };
            let user = cx.as_user();
            for dependent in &cx.list(&self.kind, &users)? {
                user.remove(dependent.key())?;
            }
        }
        Ok(cx.list(&self.kind, &query)?.is_empty())
    }
}
