use std::{fmt, rc::Rc, sync::Arc};

use store::{Key, Kind, Resource};

use crate::{
    Action, Context, Declaration, Failure, Input, LocalFuture, ManualOutcome, Output, Sharing, Style,
};

/// How a run ended, before the runtime judges it.
pub type Outcome = Result<Action, Failure>;

/// What says which resources of the primary kind a changed resource is about. It sees the resource as it was and as it
/// is, one after the other, so what moves from one to another is told to both.
pub type Mapper = Rc<dyn Fn(&Context, &Resource) -> Result<Vec<Key>, Failure>>;

/// A controller to register: a declaration, and what runs.
pub struct Controller {
    pub(crate) declaration: Declaration,
    pub(crate) roles: Vec<Role>,
    pub(crate) concurrency: usize,
    pub(crate) body: Body,
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
}

/// The role of an input: what a change of it means.
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
    /// A run for each resource of its primary inputs that may need one; never two for one resource at a time.
    pub fn queue(id: impl Into<Arc<str>>) -> QueueBuilder {
        QueueBuilder(Parts::new(id.into(), Style::Queue))
    }

    /// One run over everything, once at the start and whenever inputs changed, however much.
    pub fn whole(id: impl Into<Arc<str>>) -> WholeBuilder {
        WholeBuilder(Parts::new(id.into(), Style::Whole))
    }

    /// One run that goes on for ever, for what must wait for something else besides its inputs.
    pub fn manual(id: impl Into<Arc<str>>) -> WholeBuilder {
        WholeBuilder(Parts::new(id.into(), Style::Manual))
    }

    /// What it says of itself.
    pub fn declaration(&self) -> &Declaration {
        &self.declaration
    }
}

impl Parts {
    fn new(id: Arc<str>, style: Style) -> Self {
        let (aliases, inputs, outputs) = (Vec::new(), Vec::new(), Vec::new());
        let declaration = Declaration { id, aliases, style, inputs, outputs };
        Self { declaration, roles: Vec::new(), concurrency: 1 }
    }

    fn input(&mut self, input: Input, role: Role) {
        self.declaration.inputs.push(input);
        self.roles.push(role);
    }

    fn done(self, body: Body) -> Controller {
        let Self { declaration, roles, concurrency } = self;
        Controller { declaration, roles, concurrency, body }
    }
}

impl WholeBuilder {
    /// It reads this kind, every change wakes it, and it may hold a finalizer on what it needs.
    pub fn strong(self, kind: Kind) -> Self {
        self.input(Input::strong(kind))
    }

    /// It reads this kind, and every change wakes it.
    pub fn weak(self, kind: Kind) -> Self {
        self.input(Input::weak(kind))
    }

    /// It is woken when one of its own of this kind can be destroyed.
    pub fn destroy_ready(self, kind: Kind) -> Self {
        self.input(Input::destroy_ready(kind))
    }

    /// It reads this.
    pub fn input(mut self, input: Input) -> Self {
        self.0.input(input, Role::Whole);
        self
    }

    /// It writes resources of this kind.
    pub fn output(self, kind: Kind, sharing: Sharing) -> Self {
        self.writes(Output { sharing, ..Output::exclusive(kind) })
    }

    /// It writes this.
    pub fn writes(mut self, output: Output) -> Self {
        self.0.declaration.outputs.push(output);
        self
    }

    /// It had this id earlier.
    pub fn with_alias(mut self, id: impl Into<Arc<str>>) -> Self {
        self.0.declaration.aliases.push(id.into());
        self
    }

    /// What a run does. For [`Controller::manual`], a run that ends well is not run again before an input changes.
    pub fn reconcile<F: Future<Output = Outcome> + 'static>(
        mut self,
        run: impl Fn(Context) -> F + 'static,
    ) -> Controller {
        self.0.declaration.style = Style::Whole;
        self.0.done(Body::Whole(Rc::new(move |cx| Box::pin(run(cx)))))
    }

    /// What the one run of a manual controller does. When it ends well it is finished for good.
    pub fn run<F: Future<Output = ManualOutcome> + 'static>(
        mut self,
        run: impl Fn(Context) -> F + 'static,
    ) -> Controller {
        self.0.declaration.style = Style::Manual;
        self.0.done(Body::Manual(Rc::new(move |cx| Box::pin(run(cx)))))
    }
}

impl QueueBuilder {
    /// Resources of this kind are what runs are for. Strong.
    pub fn primary(self, kind: Kind) -> Self {
        self.primary_input(Input::strong(kind))
    }

    /// What this input covers is what runs are for.
    pub fn primary_input(mut self, input: Input) -> Self {
        self.0.input(input, Role::Primary);
        self
    }

    /// What this input tells concerns the primary resources that `map` names. At the start, what belongs to the
    /// controller and is a destroy-ready input is mapped too: that finds outputs whose primary resource is gone.
    pub fn mapped(self, input: Input, map: impl Fn(&Context, &Resource) -> Vec<Key> + 'static) -> Self {
        self.try_mapped(input, move |cx, resource| Ok(map(cx, resource)))
    }

    /// [`mapped`](Self::mapped), with a mapper that can fail. That counts as a failure of the controller, and as with a
    /// run, its kind says whether and when it is tried again.
    pub fn try_mapped(
        mut self,
        input: Input,
        map: impl Fn(&Context, &Resource) -> Result<Vec<Key>, Failure> + 'static,
    ) -> Self {
        self.0.input(input, Role::Mapped(Rc::new(map)));
        self
    }

    /// It writes resources of this kind.
    pub fn output(self, kind: Kind, sharing: Sharing) -> Self {
        self.writes(Output { sharing, ..Output::exclusive(kind) })
    }

    /// It writes this.
    pub fn writes(mut self, output: Output) -> Self {
        self.0.declaration.outputs.push(output);
        self
    }

    /// It had this id earlier.
    pub fn formerly(mut self, id: impl Into<Arc<str>>) -> Self {
        self.0.declaration.aliases.push(id.into());
        self
    }

    /// So many runs at a time, of different resources; 1 unless said.
    pub fn concurrency(mut self, runs: usize) -> Self {
        self.0.concurrency = runs;
        self
    }

    /// What a run does. The resource may be gone by then, or never have been: then its outputs should go.
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

/// Mappers that most need.
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

    /// Nothing: it is read, but does not wake.
    pub fn none(_: &Context, _: &Resource) -> Vec<Key> {
        Vec::new()
    }
}
