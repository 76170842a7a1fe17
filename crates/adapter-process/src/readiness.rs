use std::time::Duration;

use tokio::time::timeout;

use crate::{
    probe::Probe,
    running::{Exit, Running},
    service::{Condition, Service},
};

impl Service {
    /// Waits until it is ready.
    ///
    /// # Errors
    /// The end of the process, if it ended instead. If it is not ready in time, it is ended.
    pub(crate) async fn until_ready(&self, running: Running) -> Result<Running, Exit> {
        let (readiness, ip) = (&self.readiness, self.record().ip);
        let mut probe = Probe::new(readiness.check.clone(), ip, &self.log(), running.log_from);
        self.report(Condition::Pending(format!("started, not ready until {}", probe.what())));
        let mut pause = Duration::from_millis(10);
        while !probe.is_ready().await {
            if timeout(pause, running.watched.gone()).await.is_ok() {
                let exit = self.exit_with_descendants(running).await;
                return Err(Exit { how: format!("{} before it was ready", exit.how), ..exit });
            }
            if self.given_up.get() {
                return Err(Exit { good: Some(false), how: "was cancelled".into() });
            }
            if running.since.elapsed() >= readiness.timeout {
                return Err(self.too_late(&probe).await);
            }
            self.bound_log();
            pause = (pause * 2).min(Duration::from_millis(200));
        }
        Ok(running)
    }

    async fn too_late(&self, probe: &Probe) -> Exit {
        self.sweep().await;
        let seconds = self.readiness.timeout.as_secs_f32();
        Exit { good: Some(false), how: format!("was not ready within {seconds} s: not yet {}", probe.what()) }
    }
}
