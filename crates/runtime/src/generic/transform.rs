use std::{fmt, rc::Rc, sync::Arc};

use store::{Draft, Key, Kind, Resource};

use super::{ResultFn, leaves};
use crate::{Action, Context, Controller, Failure, Input, Mapper, Outcome, Output, mapper};

/// One resource from each resource of another kind, with the same id.
///
/// It adds a finalizer to each input before it writes the output, and removes it once the output is gone: so
/// there is never an output without an input, however often the runtime ends in between. An output that is
/// tearing down, because others held it while its input was created again, keeps its spec until it is gone;
/// then it is created again.
pub struct Transform {
    id: Arc<str>,
    from: Kind,
    to: Kind,
    shared: bool,
    concurrency: usize,
    also: Vec<(Input, Mapper)>,
    aliases: Vec<Arc<str>>,
}

impl Transform {
    /// A transform from `from` to `to`, which are two different kinds.
    pub fn new(id: impl Into<Arc<str>>, from: Kind, to: Kind) -> Self {
        let (also, aliases) = (Vec::new(), Vec::new());
        Self { id: id.into(), from, to, shared: false, concurrency: 1, also, aliases }
    }

    /// Lets others write the output's kind too.
    #[must_use]
    pub fn shared(mut self) -> Self {
        self.shared = true;
        self
    }

    /// The number of simultaneous runs; 1 by default.
    #[must_use]
    pub fn concurrency(mut self, runs: usize) -> Self {
        self.concurrency = runs;
        self
    }

    /// Adds an input; `map` returns the primary inputs that it affects.
    #[must_use]
    pub fn also(mut self, input: Input, map: impl Fn(&Context, &Resource) -> Vec<Key> + 'static) -> Self {
        self.also.push((input, Rc::new(move |cx, resource| Ok(map(cx, resource)))));
        self
    }

    /// Adds an earlier id of it.
    #[must_use]
    pub fn with_alias(mut self, id: impl Into<Arc<str>>) -> Self {
        self.aliases.push(id.into());
        self
    }

    /// Sets the function from an input to its output, or `None` if there is to be none. The draft's key is
    /// ignored: it is the input's id.
    pub fn make(
        self,
        make: impl Fn(&Context, &Resource) -> Result<Option<Draft>, Failure> + 'static,
    ) -> Controller {
        let output = Output::exclusive(self.to.clone());
        let output = if self.shared { Output::shared(self.to.clone()) } else { output };
        let back = mapper::same_id(self.from.clone());
        let mut builder = Controller::queue(self.id)
            .primary(self.from)
            .mapped(Input::destroy_ready(self.to.clone()), back)
            .writes(output)
            .concurrency(self.concurrency);
        for (input, map) in self.also {
            builder = builder.try_mapped(input, move |cx, resource| map(cx, resource));
        }
        builder = self.aliases.into_iter().fold(builder, |builder, alias| builder.formerly(alias));
        let (make, to): (ResultFn<Resource>, Kind) = (Rc::new(make), self.to);
        builder.reconcile(move |cx, key| {
            let outcome = reconcile(&cx, &key, &to, &make);
            async move { outcome }
        })
    }
}

fn reconcile(cx: &Context, key: &Key, to: &Kind, make: &ResultFn<Resource>) -> Outcome {
    let output = to.key(key.id.clone());
    let Some(input) = cx.find(key)? else {
        // The finalizer was removed by another client: the output must not stay for ever.
        cx.remove(&output)?;
        return Ok(Action::Done);
    };
    let draft = if leaves(&input) { None } else { make(cx, &input)? };
    let Some(draft) = draft else { return withdraw(cx, &input, &output) };
    let leaving = cx.find(&output)?.is_some_and(|it| cx.owns(&it) && leaves(&it));
    if leaving && !cx.remove(&output)? {
        return Ok(Action::Done);
    }
    cx.hold(key)?;
    cx.put(Draft { key: output, ..draft })?;
    Ok(Action::Done)
}

/// Removes the output; the finalizer is removed strictly last.
fn withdraw(cx: &Context, input: &Resource, output: &Key) -> Outcome {
    if cx.remove(output)? && cx.holds(input) {
        cx.release(input.key())?;
    }
    Ok(Action::Done)
}

impl fmt::Debug for Transform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transform")
            .field("id", &self.id)
            .field("from", &self.from)
            .field("to", &self.to)
            .finish_non_exhaustive()
    }
}
