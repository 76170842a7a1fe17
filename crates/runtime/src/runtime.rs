use std::{error, fmt, future::poll_fn, rc::Rc};

use store::{Kind, Query, Snapshot, Store};

use crate::{
    Controller, Declaration, Graph, Inspection, Options, Rejected, Timer, codes,
    controller_state::Shared,
    engine::{Engine, Life},
    register,
    worker::Worker,
};

/// Controllers running on one store. Clones are handles of the same runtime.
///
/// All methods can be called at any time, also from within a reconcile.
#[derive(Clone)]
pub struct Runtime {
    engine: Rc<Engine>,
}

/// A runtime runs once. To continue after it was stopped, create another one on the same store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlreadyStarted {
    /// It is running.
    Running,
    /// It was stopped, possibly before it was started, or ended with its store.
    Ended,
}

/// Ends the runtime when its future is dropped, at any point.
struct Guard<'a>(&'a Engine);

impl Runtime {
    /// A runtime without controllers. Its timer and the store's clock should show the same time.
    pub fn new(store: Store, timer: Rc<dyn Timer>, options: Options) -> Self {
        Self { engine: Rc::new(Engine::new(Rc::new(Shared::new(store, timer)), options)) }
    }

    /// Adds a controller, before the start or after it.
    ///
    /// # Errors
    /// [`Rejected`]; the controller is not registered in that case.
    pub fn register(&self, controller: Controller) -> Result<(), Rejected> {
        if self.engine.life.get() == Life::Ended {
            return Err(Rejected::Ended);
        }
        register::check(&controller, &self.declarations())?;
        let mut state = self.engine.state.borrow_mut();
        let number = state.workers.len();
        state.workers.push(Worker::new(number, controller, self.engine.shared.clone()));
        drop(state);
        if self.engine.running() {
            self.engine.open(number);
            self.engine.shared.signals.ring();
        }
        Ok(())
    }

    /// The declarations of the controllers, in the order of registration.
    pub fn declarations(&self) -> Vec<Declaration> {
        self.engine.state.borrow().workers.iter().map(|worker| worker.controller.declaration()).collect()
    }

    /// Runs the controllers until [`stop`](Self::stop), or until the store is closed. Dropping the future
    /// stops them, too. Runs in progress are dropped at their next `await`; what they committed stays.
    ///
    /// # Errors
    /// [`AlreadyStarted`].
    pub async fn run(&self) -> Result<(), AlreadyStarted> {
        match self.engine.life.get() {
            Life::Waiting => {}
            Life::Running => return Err(AlreadyStarted::Running),
            Life::Ended => return Err(AlreadyStarted::Ended),
        }
        let guard = Guard(&self.engine);
        self.engine.start();
        poll_fn(|cx| self.engine.poll(cx)).await;
        drop(guard);
        Ok(())
    }

    /// Stops it; [`run`](Self::run) is then ready at its next poll. Before the start, it prevents the start.
    pub fn stop(&self) {
        self.engine.life.set(Life::Ended);
        self.engine.shared.signals.ring();
    }

    /// The graph of controllers and kinds, with counters and problems.
    pub fn graph(&self) -> Graph {
        Graph::of(&self.engine)
    }

    /// The resources of a kind, as they are now.
    pub fn resources(&self, kind: &Kind) -> Snapshot {
        self.engine.shared.store.list(kind, &Query::all())
    }

    /// The state of the controllers: cheap enough to be read several times a second.
    pub fn inspect(&self) -> Inspection {
        Inspection::of(&self.engine)
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("life", &self.engine.life.get()).finish_non_exhaustive()
    }
}

impl AlreadyStarted {
    /// A stable name, `runtime/what`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Running => codes::ALREADY_STARTED.as_str(),
            Self::Ended => codes::ENDED.as_str(),
        }
    }
}

impl fmt::Display for AlreadyStarted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Running => "the runtime was started already",
            Self::Ended => "the runtime has ended: it was stopped, or its store was closed",
        })
    }
}

impl error::Error for AlreadyStarted {}
