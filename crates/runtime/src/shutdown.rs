use crate::{
    Context, Failure,
    cause::Cause,
    engine::{Engine, Run},
    isolation::isolated,
};

impl Engine {
    /// Calls the shutdown hooks, that of the last registered controller first. Their failures are counted like those of runs.
    pub(crate) fn shut_down(&self) {
        let now = self.now();
        let count = self.state.borrow().workers.len();
        for number in (0..count).rev() {
            let (hook, controller) = {
                let worker = &self.state.borrow().workers[number];
                (worker.shutdown.clone(), worker.controller.clone())
            };
            let Some(hook) = hook else { continue };
            let called = isolated(|| hook(&Context::new(controller, Cause::outside(now))));
            if let Err(failure) = called.map_err(Failure::Retry).and_then(|outcome| outcome) {
                self.state.borrow_mut().workers[number].tally.failed(failure.problem().clone(), now);
            }
        }
    }

    /// Drops a run; that may run any code of its controller, and a panic of one must not keep the others from being dropped.
    pub(crate) fn drop_run(&self, run: Run) {
        let (worker, now) = (run.worker, self.now());
        if let Err(problem) = isolated(|| drop(run)) {
            self.state.borrow_mut().workers[worker].tally.failed(problem, now);
        }
    }
}
