use std::sync::Arc;

use store::{Key, Kind};

use super::leaves;
use crate::{Action, Context, Controller, Input, Outcome, Output};

/// Destroys the user's resources of a kind that were torn down and have no finalizers left, in case the
/// client that tore them down has gone away. Resources of a controller are destroyed by that controller.
#[derive(Clone, Debug)]
pub struct Destroy {
    id: Arc<str>,
    kind: Kind,
}

impl Destroy {
    /// A controller for resources of this kind.
    pub fn new(id: impl Into<Arc<str>>, kind: Kind) -> Self {
        Self { id: id.into(), kind }
    }

    /// The controller to register.
    pub fn controller(self) -> Controller {
        let Self { id, kind } = self;
        Controller::queue(id)
            .primary_input(Input::weak(kind.clone()))
            .writes(Output::shared(kind).removing())
            .reconcile(|cx, key| {
                let outcome = reconcile(&cx.as_user(), &key);
                async move { outcome }
            })
    }
}

fn reconcile(cx: &Context, key: &Key) -> Outcome {
    if cx.find(key)?.is_some_and(|resource| leaves(&resource)) {
        cx.remove(key)?;
    }
    Ok(Action::Done)
}
