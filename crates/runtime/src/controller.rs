use std::{fmt, rc::Rc, sync::Arc};

use store::{Key, Kind, Resource};

use crate::{
    Action, Context, Declaration, Failure, Input, LocalFuture, ManualOutcome, Output, Sharing, Style,
};

/// The result of a run, before the runtime evaluates it.
pub type Outcome = Result<Action, Failure>;

/// A function from a changed resource to the affected resources of the primary kind. It is called with the
/// old and the new state of the resource, so when it moves from one to another, both are returned.
pub type Mapper = Rc<dyn Fn(&Context, &Resource) -> Result<Vec<Key>, Failure>>;

/// A controller to register: its declaration and its reconcile function.
pub struct Controller {
    pub(crate) declaration: Declaration,
    pub(crate) roles: Vec<Role>,
    pub(crate) concurrency: usize,
    pub(crate) body: Body,
    pub(crate) run_hook: Option<RunHook>,
    pub(crate) shutdown: Option<ShutdownHook>,
}

/// A controller without its inputs and outputs yet.
#[derive(Debug)]
#[must_use]
pub struct WholeBuilder(Parts);

/// A queue controller without its inputs and outputs yet.
#[derive(Debug)]
#[must_use]
pub struct QueueBuilder(Parts);

struct Parts {
    declaration: Declaration,
    roles: Vec<Role>,
    concurrency: usize,
    run_hook: Option<RunHook>,
}

/// A task of a queue controller beside its runs.
pub(crate) type RunHook = Rc<dyn Fn(Context) -> LocalFuture<ManualOutcome>>;

/// A function that is called once when the runtime has ended.
pub(crate) type ShutdownHook = Rc<dyn Fn(&Context) -> ManualOutcome>;

/// The role of an input: the effect of its changes.
#[derive(Clone)]
pub(crate) enum Role {
    Whole,
    Primary,
    Mapped(Mapper),
}

#[derive(Clone)]
pub(crate) enum Body {
    Queue(Rc<dyn Fn(Context, Key) -> LocalFuture<Outcome>>),
    Whole(Rc<dyn Fn(Context) -> LocalFuture<Outcome>>),
    Manual(Rc<dyn Fn(Context) -> LocalFuture<ManualOutcome>>),
}

impl Controller {
    /// A controller with a run for each resource of its primary inputs that may need one; never two for one
    /// resource at a time.
    pub fn queue(id: impl Into<Arc<str>>) -> QueueBuilder {
        QueueBuilder(Parts::new(id.into(), Style::Queue))
    }

    /// A controller with one run over everything, once at the start and whenever inputs changed.
    pub fn whole(id: impl Into<Arc<str>>) -> WholeBuilder {
        WholeBuilder(Parts::new(id.into(), Style::Whole))
    }

    /// A controller with one run that does not end, if it has to wait for something else besides its inputs.
    pub fn manual(id: impl Into<Arc<str>>) -> WholeBuilder {
        WholeBuilder(Parts::new(id.into(), Style::Manual))
    }

    /// Its declaration.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }

    /// Adds a function that is called once when the runtime ends: stopped, dropped, or with its store. All runs of all
    /// controllers have been dropped by then, and the hook of a controller that was registered later is called before. It may
    /// still read and write as declared, unless the store was closed; it cannot wait. A failure, or natively a panic, is the
    /// controller's last error, and keeps no other hook from being called.
    #[must_use]
    pub fn shutdown_hook(mut self, hook: impl Fn(&Context) -> ManualOutcome + 'static) -> Self {
        self.shutdown = Some(Rc::new(hook));
        self
    }
}

impl Parts {
    fn new(id: Arc<str>, style: Style) -> Self {
        let (aliases, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
        let declaration = Declaration { id, aliases, style, inputs, outputs };
        Self { declaration, roles: Vec::new(), concurrency: 1, run_hook: None }
    }

    fn input(&mut self, input: Input, role: Role) {
        self.declaration.inputs.push(input);
        self.roles.push(role);
    }

    fn done(self, body: Body) -> Controller {
        let Self { declaration, roles, concurrency, run_hook } = self;
        Controller { declaration, roles, concurrency, body, run_hook, shutdown: None }
    }
}

impl WholeBuilder {
    /// Adds an input: every change wakes the controller, and it may hold a finalizer on what it needs.
    pub fn strong(self, kind: Kind) -> Self {
        self.input(Input::strong(kind))
    }

    /// Adds an input: every change wakes the controller.
    pub fn weak(self, kind: Kind) -> Self {
        self.input(Input::weak(kind))
    }

    /// Adds an input: wakes the controller when one of its own resources of this kind can be destroyed.
    pub fn destroy_ready(self, kind: Kind) -> Self {
        self.input(Input::destroy_ready(kind))
    }

    /// Adds an input.
    pub fn input(mut self, input: Input) -> Self {
        self.0.input(input, Role::Whole);
        self
    }

    /// Adds a kind that it writes.
    pub fn output(self, kind: Kind, sharing: Sharing) -> Self {
        self.writes(Output { sharing, ..Output::exclusive(kind) })
    }

    /// Adds an output.
    pub fn writes(mut self, output: Output) -> Self {
        self.0.declaration.outputs.push(output);
        self
    }

    /// Adds an earlier id of it.
    pub fn with_alias(mut self, id: impl Into<Arc<str>>) -> Self {
        self.0.declaration.aliases.push(id.into());
        self
    }

    /// Sets the function of a run. For [`Controller::manual`], a run that succeeds is not repeated before an
    /// input changes.
    pub fn reconcile<F: Future<Output = Outcome> + 'static>(
        mut self,
        run: impl Fn(Context) -> F + 'static,
    ) -> Controller {
        self.0.declaration.style = Style::Whole;
        self.0.done(Body::Whole(Rc::new(move |cx| Box::pin(run(cx)))))
    }

    /// Sets the function of a manual controller's only run. If it succeeds, the controller is finished.
    pub fn run<F: Future<Output = ManualOutcome> + 'static>(
        mut self,
        run: impl Fn(Context) -> F + 'static,
    ) -> Controller {
        self.0.declaration.style = Style::Manual;
        self.0.done(Body::Manual(Rc::new(move |cx| Box::pin(run(cx)))))
    }
}

impl QueueBuilder {
    /// Adds the kind of resources that runs are for. It is a strong input.
    pub fn primary(self, kind: Kind) -> Self {
        self.primary_input(Input::strong(kind))
    }

    /// Adds an input that covers resources that runs are for.
    pub fn primary_input(mut self, input: Input) -> Self {
        self.0.input(input, Role::Primary);
        self
    }

    /// Adds an input whose changes affect the primary resources that `map` returns. At the start, resources
    /// of the controller in destroy-ready inputs are mapped too: that finds outputs whose primary resource is
    /// gone.
    pub fn mapped(self, input: Input, map: impl Fn(&Context, &Resource) -> Vec<Key> + 'static) -> Self {
        self.try_mapped(input, move |cx, resource| Ok(map(cx, resource)))
    }

    /// Like [`mapped`](Self::mapped), with a mapper that can fail. That counts as a failure of the
    /// controller, and its kind determines whether and when it is retried, as for a run.
    pub fn try_mapped(
        mut self,
        input: Input,
        map: impl Fn(&Context, &Resource) -> Result<Vec<Key>, Failure> + 'static,
    ) -> Self {
        self.0.input(input, Role::Mapped(Rc::new(map)));
        self
    }

    /// Adds a kind that it writes.
    pub fn output(self, kind: Kind, sharing: Sharing) -> Self {
        self.writes(Output { sharing, ..Output::exclusive(kind) })
    }

    /// Adds an output.
    pub fn writes(mut self, output: Output) -> Self {
        self.0.declaration.outputs.push(output);
        self
    }

    /// Adds an earlier id of it.
    pub fn formerly(mut self, id: impl Into<Arc<str>>) -> Self {
        self.0.declaration.aliases.push(id.into());
        self
    }

    /// The number of simultaneous runs, of different resources; 1 by default.
    pub fn concurrency(mut self, runs: usize) -> Self {
        self.0.concurrency = runs;
        self
    }

    /// Adds a task that begins with the controller, beside its runs and with the same rights: one that listens to something
    /// else, and [requests](Context::requeue) runs. It takes no place of a run. If it fails it is restarted, with a back-off that
    /// begins again after a minute of success; if it succeeds it has finished.
    pub fn run_hook<F: Future<Output = ManualOutcome> + 'static>(
        mut self,
        hook: impl Fn(Context) -> F + 'static,
    ) -> Self {
        self.0.run_hook = Some(Rc::new(move |cx| Box::pin(hook(cx))));
        self
    }

    /// Sets the function of a run. The resource may be gone, or may never have existed: then its outputs
    /// should be removed.
    pub fn reconcile<F: Future<Output = Outcome> + 'static>(
        self,
        run: impl Fn(Context, Key) -> F + 'static,
    ) -> Controller {
        self.0.done(Body::Queue(Rc::new(move |cx, key| Box::pin(run(cx, key)))))
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declaration.fmt(f)
    }
}

impl fmt::Debug for Controller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.declaration.fmt(f)
    }
}

/// Common mappers.
pub mod mapper {
    use std::sync::Arc;

    use store::{Key, Kind, Resource};

    use crate::Context;

    /// The resource of `kind` with the same id.
    pub fn same_id(kind: Kind) -> impl Fn(&Context, &Resource) -> Vec<Key> {
        move |_, resource| vec![kind.key(resource.id().clone())]
    }

    /// The resource of `kind` that a label names.
    pub fn by_label(kind: Kind, label: impl Into<Arc<str>>) -> impl Fn(&Context, &Resource) -> Vec<Key> {
        let label = label.into();
        move |_, resource| {
            resource.metadata.labels.get(&label).map(|id| kind.key(id.clone())).into_iter().collect()
        }
    }

    /// Nothing: changes of the input do not wake the controller.
    pub fn none(_: &Context, _: &Resource) -> Vec<Key> {
        Vec::new()
    }
}
