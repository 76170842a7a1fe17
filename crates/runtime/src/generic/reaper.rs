use std::{fmt, rc::Rc, sync::Arc, time::Duration};

use store::{Key, Kind, Millis, Resource};

use crate::{Action, Context, Controller, Input, Outcome, Output};

/// Tears down and destroys the user's resources of a kind whose lifetime has ended. Resources of a controller
/// are left alone.
pub struct Reaper {
    id: Arc<str>,
    kind: Kind,
}

type ExpiryFn = Rc<dyn Fn(&Resource) -> Option<Millis>>;

impl Reaper {
    /// A reaper for resources of this kind.
    pub fn new(id: impl Into<Arc<str>>, kind: Kind) -> Self {
        Self { id: id.into(), kind }
    }

    /// Resources live for this duration after their creation.
    pub fn after(self, lifetime: Duration) -> Controller {
        self.at(move |resource| Some(resource.metadata.created + lifetime))
    }

    /// Resources live until the time that `end` returns; `None` is for ever.
    pub fn at(self, end: impl Fn(&Resource) -> Option<Millis> + 'static) -> Controller {
        let Self { id, kind } = self;
        let end: ExpiryFn = Rc::new(end);
        Controller::queue(id)
            .primary_input(Input::weak(kind.clone()))
            .writes(Output::shared(kind).removing())
            .reconcile(move |cx, key| {
                let outcome = reconcile(&cx.as_user(), &key, &end);
                async move { outcome }
            })
    }
}

fn reconcile(cx: &Context, key: &Key, end: &ExpiryFn) -> Outcome {
    let Some(resource) = cx.find(key)? else { return Ok(Action::Done) };
    let Some(end) = end(&resource) else { return Ok(Action::Done) };
    let left = end.since(cx.now());
    if !left.is_zero() {
        return Ok(Action::RequeueAfter(left));
    }
    cx.remove(key)?;
    Ok(Action::Done)
}

impl fmt::Debug for Reaper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reaper").field("id", &self.id).field("kind", &self.kind).finish()
    }
}
