use std::{rc::Rc, sync::Arc};

use store::{Draft, Key, Kind, Query, Resource};

use super::{ResultFn, leaves};
use crate::{Action, Context, Controller, Failure, Input, Outcome, Output, mapper};

/// One resource from all resources of another kind that a label groups: layers of a configuration, parts of a sum. The
/// label's value is the id of the result.
///
/// It holds no finalizers: a resource that is tearing down, or whose label has changed, is not included any
/// more. Without any resources, the result is removed.
#[derive(Clone, Debug)]
pub struct Rollup {
    id: Arc<str>,
    from: Kind,
    to: Kind,
    label: Arc<str>,
}

impl Rollup {
    /// A rollup of resources of `from` with the same `label` to one of `to`.
    pub fn new(id: impl Into<Arc<str>>, from: Kind, to: Kind, label: impl Into<Arc<str>>) -> Self {
        Self { id: id.into(), from, to, label: label.into() }
    }

    /// Sets the function from the resources, which are sorted by id and at least one, to the result; `None`
    /// if there is to be none. The draft's key is ignored.
    pub fn make(
        self,
        make: impl Fn(&Context, &Vec<Arc<Resource>>) -> Result<Option<Draft>, Failure> + 'static,
    ) -> Controller {
        let Self { id, from, to, label } = self;
        let make: ResultFn<Vec<Arc<Resource>>> = Rc::new(make);
        Controller::queue(id)
            .primary_input(Input::destroy_ready(to.clone()))
            .mapped(Input::weak(from.clone()), mapper::by_label(to.clone(), label.clone()))
            .writes(Output::exclusive(to))
            .reconcile(move |cx, key| {
                let query = Query::label(label.clone(), key.id.clone());
                let outcome = reconcile(&cx, key, &from, &query, &make);
                async move { outcome }
            })
    }
}

fn reconcile(
    cx: &Context,
    key: Key,
    from: &Kind,
    query: &Query,
    make: &ResultFn<Vec<Arc<Resource>>>,
) -> Outcome {
    let parts: Vec<_> = cx.list(from, query)?.iter().filter(|part| !leaves(part)).cloned().collect();
    let draft = if parts.is_empty() { None } else { make(cx, &parts)? };
    let leaving = cx.find(&key)?.is_some_and(|it| cx.owns(&it) && leaves(&it));
    if (draft.is_none() || leaving) && !cx.remove(&key)? {
        return Ok(Action::Done);
    }
    if let Some(draft) = draft {
        cx.put(Draft { key, ..draft })?;
    }
    Ok(Action::Done)
}
