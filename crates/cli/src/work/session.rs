use std::rc::Rc;

use host::SystemTimer;
use state::Backend;
use workspace::Deployment;
use workspace::engine::{Engine, FormerAdapters, Route, Settings, Setup};

/// An engine that works in this thread until it is dropped.
pub(crate) struct Session {
    pub(crate) engine: Engine,
}

impl Session {
    pub(crate) fn start(
        deployment: Rc<Deployment>,
        backend: Rc<dyn Backend>,
        routes: Vec<Route>,
        former: FormerAdapters,
        timer: Rc<SystemTimer>,
        settings: Settings,
    ) -> Self {
        let engine = Engine::new(Setup {
            planner: deployment,
            backend,
            routes,
            former,
            clock: timer.clock(),
            timer,
            random: Rc::new(bits),
            who: who(),
            settings,
        });
        let running = engine.clone();
        // It ends with the engine; that it cannot run twice is known here.
        tokio::task::spawn_local(async move { running.run().await.ok() });
        Self { engine }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.engine.stop();
    }
}

fn bits() -> [u8; 16] {
    let mut bytes = [0; 16];
    random().fill(&mut bytes);
    bytes
}

/// A name that is unique.
pub(crate) fn name() -> String {
    protocol::hex(&bits())
}

/// Random bits from the system.
pub(crate) fn random() -> Rc<dyn state::Random> {
    Rc::new(host::SystemRandom)
}

/// The name of this process as a holder, for users who find the state locked: `ada@host (1234)`.
pub(crate) fn who() -> String {
    let user =
        std::env::var("USER").or_else(|_| std::env::var("LOGNAME")).unwrap_or_else(|_| "someone".into());
    let host = host::machine().unwrap_or_else(|| "this machine".to_owned());
    format!("{user}@{host} ({})", std::process::id())
}
