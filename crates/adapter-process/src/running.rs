use std::{path::Path, time::Duration};

use tokio::time::{Instant, sleep};

use crate::{
    process::Birth,
    record::Run,
    supervisor::{self, Ended},
    watched::Watched,
};

/// A process that is watched.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) watched: Watched,
    /// The supervisor that watches it when no adapter runs; `None` if that was killed.
    pub(crate) supervisor: Option<Birth>,
    pub(crate) since: Instant,
    /// The position in the log where its output begins.
    pub(crate) log_from: u64,
}

/// The end of a process.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// True if it succeeded; `None` if that is not known.
    pub(crate) good: Option<bool>,
    /// A description for people, e.g. `exited with status 1`.
    pub(crate) how: String,
}

impl Exit {
    pub(crate) fn unsupervised() -> Self {
        Self { good: None, how: "ended while nothing supervised it".into() }
    }

    fn of(ended: &Ended) -> Self {
        let how = match (ended.code, ended.signal) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was killed by signal {signal}"),
            (None, None) => "ended".into(),
        };
        Self { good: Some(ended.code == Some(0)), how }
    }

    /// The end of a start, as its supervisor has written it.
    pub(crate) fn written(folder: &Path, run: Run) -> Option<Self> {
        supervisor::read_exit(folder, run).map(|it| Self::of(&it))
    }
}

impl Running {
    /// The end of the process. Call it only after the end: the supervisor first ends the processes that were left, and
    /// then writes the exit.
    pub(crate) async fn exit(&mut self, folder: &Path, run: Run) -> Exit {
        let mut pause = Duration::from_millis(2);
        loop {
            let is_over = self.supervisor.as_ref().is_none_or(|it| it.alive().is_none());
            if let Some(exit) = Exit::written(folder, run) {
                return exit;
            }
            if is_over {
                return Exit::unsupervised();
            }
            sleep(pause).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }
}
