use std::time::Duration;

use protocol::Problem;
use tokio::time::sleep;

use crate::{
    record::Stage,
    running::{Exit, Running},
    service::{Condition, Service},
    spec::Policy,
};

/// A run of at least this duration clears the count of restarts.
const STEADY: Duration = Duration::from_secs(60);

impl Service {
    /// Watches the running process, and restarts it according to the restart policy, until that ends the
    /// service.
    pub(crate) async fn keep(&self, mut running: Option<Running>) {
        let mut ended = Exit::unsupervised();
        if running.is_none() {
            // It ended while no adapter was running; its supervisor may still be about to end the processes
            // that it left.
            self.sweep().await;
            ended = self.written_exit().unwrap_or(ended);
        }
        loop {
            if let Some(running) = running.take() {
                let since = running.since;
                self.watch(&running).await;
                self.report(Condition::Pending("its first process has ended".into()));
                ended = self.exit_with_descendants(running).await;
                ended.how += &self.last_line();
                if since.elapsed() >= STEADY {
                    // The count is written with the next start.
                    _ = self.change(|it| it.restarts = 0);
                }
            }
            self.report(Condition::Pending(ended.how.clone()));
            let times = self.record().restarts;
            match self.delay(&ended, times) {
                Err(how) => return self.end(how).await,
                Ok(delay) => running = self.again(&mut ended, delay).await,
            }
        }
    }

    /// The delay before it is restarted.
    ///
    /// # Errors
    /// A description of its end, if it is not restarted.
    fn delay(&self, ended: &Exit, times: u32) -> Result<Duration, String> {
        let restart = self.tuning.get().restart;
        let restarts = match restart.policy {
            Policy::Never => false,
            Policy::OnFailure => ended.good != Some(true),
            Policy::Always => true,
        };
        match (restarts, self.plan()) {
            (false, _) => Err(ended.how.clone()),
            (true, Err(problem)) => Err(format!("{}; {problem}", ended.how)),
            (true, Ok(_)) if times >= restart.limit => {
                Err(format!("{}, and was restarted {times} times", ended.how))
            }
            (true, Ok(_)) => Ok(restart.delay(times)),
        }
    }

    /// Restarts it after the delay; `None` if that fails, with the reason in `ended`.
    async fn again(&self, ended: &mut Exit, delay: Duration) -> Option<Running> {
        let seconds = delay.as_secs_f32();
        self.report(Condition::Pending(format!("{}; it restarts in {seconds} s", ended.how)));
        sleep(delay).await;
        match self.restart().await {
            Ok(running) => {
                self.report(Condition::Active);
                Some(running)
            }
            Err(exit) => {
                *ended = exit;
                None
            }
        }
    }

    async fn restart(&self) -> Result<Running, Exit> {
        let failed = |problem: Problem| Exit { good: Some(false), how: problem.detail };
        let prepared = self.plan().map_err(failed)?;
        // If the previous one ended without an adapter, its processes were not swept.
        self.sweep().await;
        self.change(|it| it.restarts += 1).map_err(failed)?;
        let running = self.start(&prepared.main, Stage::Made).await.map_err(failed)?;
        self.report(Condition::Pending("restarted, not ready yet".into()));
        let result = self.until_ready(running).await;
        result.map_err(|exit| Exit { how: exit.how + &self.last_line(), ..exit })
    }
}
