use std::{
    collections::BTreeMap,
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use serde::Serialize;
use store::Key;

use crate::{Plugin, ResourceChange};

/// Counters of calls and of writes, by project. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Usage(Arc<Mutex<BTreeMap<Arc<str>, UsageCounters>>>);

/// The usage of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct UsageCounters {
    /// Calls.
    pub calls: u64,
    /// Those of them that failed.
    pub failed_calls: u64,
    /// The bytes of all requests.
    pub request_bytes: u64,
    /// The bytes of all responses.
    pub response_bytes: u64,
    /// The time that all calls took, in milliseconds.
    pub millis: u64,
    /// Resources that were read.
    pub reads: u64,
    /// Resources that were created, updated or removed by commits.
    pub writes: u64,
}

/// One call, as its caller has measured it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// True if it failed.
    pub failed: bool,
    /// The bytes of the request.
    pub request_bytes: u64,
    /// The bytes of the response.
    pub response_bytes: u64,
    /// The duration, in milliseconds.
    pub millis: u64,
    /// The number of resources that it read.
    pub reads: u64,
}

impl Usage {
    /// Counts a call.
    pub fn record(&self, project: &str, call: Call) {
        self.change(project, |counters| {
            counters.calls += 1;
            counters.failed_calls += u64::from(call.failed);
            counters.request_bytes = counters.request_bytes.saturating_add(call.request_bytes);
            counters.response_bytes = counters.response_bytes.saturating_add(call.response_bytes);
            counters.millis = counters.millis.saturating_add(call.millis);
            counters.reads = counters.reads.saturating_add(call.reads);
        });
    }

    /// The counters of all projects that have used anything.
    pub fn counters(&self) -> BTreeMap<Arc<str>, UsageCounters> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, project: &str, change: impl FnOnce(&mut UsageCounters)) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(all.entry(project.into()).or_default());
    }
}

/// The project that a resource belongs to; `None` if to none.
type ProjectOf = Arc<dyn Fn(&Key) -> Option<Arc<str>> + Send + Sync>;

/// Counts the writes of committed transactions.
#[derive(Clone)]
pub struct UsagePlugin {
    usage: Usage,
    project_of: ProjectOf,
}

impl UsagePlugin {
    /// Into these counters.
    pub fn new(usage: Usage, project_of: impl Fn(&Key) -> Option<Arc<str>> + Send + Sync + 'static) -> Self {
        Self { usage, project_of: Arc::new(project_of) }
    }
}

impl Plugin for UsagePlugin {
    fn name(&self) -> &str {
        "usage"
    }

    fn finished(&self, _: u64, changes: &[ResourceChange], committed: bool) {
        let projects =
            changes.iter().filter(|_| committed).filter_map(|change| (self.project_of)(&change.key));
        projects.for_each(|project| self.usage.change(&project, |counters| counters.writes += 1));
    }
}

impl fmt::Debug for UsagePlugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsagePlugin").field("usage", &self.usage).finish_non_exhaustive()
    }
}
