use std::{fmt, ops::Deref, rc::Rc, sync::Arc};

use runtime::{LocalFuture, Timer};
use state::Backend;
use store::Clock;

use crate::{
    ApplyOptions, Engine, EngineError, FormerAdapters, Planned, Planner, Report, Route, Settings, Setup,
    codes,
};

/// The host of an engine: time, random bits, tasks, and the name of who runs it.
#[derive(Clone)]
pub struct Environment {
    /// The timer.
    pub timer: Rc<dyn Timer>,
    /// The same time as a clock, for stores.
    pub clock: Arc<dyn Clock>,
    /// A source of unpredictable random bits.
    pub random: Rc<dyn Fn() -> [u8; 16]>,
    /// Starts a task, which runs beside everything else.
    pub spawn: Rc<dyn Fn(LocalFuture<()>)>,
    /// The user and process that hold the lease, e.g. `ada@host (1234)`; shown to others who find the state held.
    pub who: String,
}

impl Environment {
    /// The dependencies of an engine here, with the default settings. It refuses resources that another adapter created.
    pub fn setup(&self, planner: Rc<dyn Planner>, backend: Rc<dyn Backend>, routes: Vec<Route>) -> Setup {
        Setup {
            planner,
            backend,
            routes,
            former: FormerAdapters::default(),
            timer: self.timer.clone(),
            clock: self.clock.clone(),
            random: self.random.clone(),
            who: self.who.clone(),
            settings: Settings::default(),
        }
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment").field("who", &self.who).finish_non_exhaustive()
    }
}

/// An engine whose controllers run until it is dropped, and the sequences of its operations that all hosts have.
#[derive(Debug)]
pub struct Session(Engine);

impl Session {
    /// Starts the controllers of a new engine. Nothing is read yet.
    pub fn start(environment: &Environment, setup: Setup) -> Self {
        let engine = Engine::new(setup);
        let running = engine.clone();
        (environment.spawn)(Box::pin(async move {
            // A new engine is not running yet.
            let _ = running.run().await;
        }));
        Self(engine)
    }

    /// Reads the state, and records the outcome of what an interrupted run had started.
    ///
    /// # Errors
    /// If the state cannot be read; after an interrupted run, also if another process holds it, or an adapter cannot report.
    pub async fn read(&self) -> Result<(), EngineError> {
        self.inspect().await?;
        if self.snapshot().journal.is_empty() {
            return Ok(());
        }
        self.hold("find out the result of an interrupted run", async { Ok(()) }).await
    }

    /// Does work while the state is held, and releases it whatever the result.
    ///
    /// # Errors
    /// If the state is held by another process, it cannot be read or released, or the work fails, whose error comes first.
    pub async fn hold<T>(
        &self,
        operation: &str,
        work: impl Future<Output = Result<T, EngineError>>,
    ) -> Result<T, EngineError> {
        self.open(operation).await?;
        let done = work.await;
        let closed = self.close().await;
        let done = done?;
        closed.map(|()| done)
    }

    /// Plans after observing, and applies the plan if it is approved. If there is nothing to apply, resources that became
    /// ready are recorded.
    ///
    /// # Errors
    /// As [`hold`](Self::hold) and [`Engine::apply`]; if the plan is not approved, nothing is done.
    pub async fn apply_approved(
        &self,
        operation: &str,
        is_approved: impl FnOnce(&Planned) -> bool,
        options: ApplyOptions,
    ) -> Result<Report, EngineError> {
        self.hold(operation, async {
            let planned = self.plan(true).await?;
            if !is_approved(&planned) {
                return Err(stale());
            }
            let report = self.apply(&planned.digest, options).await?;
            if planned.is_empty() {
                self.record_ready().await?;
            }
            Ok(report)
        })
        .await
    }
}

impl Deref for Session {
    type Target = Engine;

    fn deref(&self) -> &Engine {
        &self.0
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn stale() -> EngineError {
    let message = "the plan is stale: state or real resources changed since it was made";
    EngineError::new(codes::PLAN_CHANGED, message)
        .help("nothing was done; review the new plan, then apply it")
}
