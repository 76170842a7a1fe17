use std::process::ExitStatus;

use tokio::{process::Child, time::Instant};

use crate::watched::Watched;

/// A process that is looked after.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) watched: Watched,
    /// Where this program is its parent.
    pub(crate) child: Option<Child>,
    pub(crate) since: Instant,
    /// Where its output begins in the log.
    pub(crate) log_from: u64,
}

/// How a process ended.
#[derive(Clone, Debug)]
pub(crate) struct Exit {
    /// Whether it succeeded, where that is known.
    pub(crate) good: Option<bool>,
    /// For people, e.g. `exited with status 1`.
    pub(crate) how: String,
}

impl Exit {
    pub(crate) fn unseen() -> Self {
        Self { good: None, how: "ended while no adapter was its parent".into() }
    }

    fn of(status: ExitStatus) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let how = match (status.code(), status.signal()) {
            (Some(code), _) => format!("exited with status {code}"),
            (None, Some(signal)) => format!("was ended by signal {signal}"),
            (None, None) => "ended".into(),
        };
        Self { good: Some(status.success()), how }
    }
}

impl Running {
    /// How it ended. It has.
    pub(crate) async fn exit(&mut self) -> Exit {
        let Some(child) = &mut self.child else { return Exit::unseen() };
        child.wait().await.map_or_else(|_| Exit::unseen(), Exit::of)
    }
}
