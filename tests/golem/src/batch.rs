use std::{
    cell::{Cell, RefCell},
    time::{Duration, SystemTime},
};

use serde_json::{Value as Json, json};
use tokio::{sync::watch, time};

use crate::{
    Outcome,
    bus::{Answer, encoded},
    clock,
};

/// An answer to a poll without an index comes at the latest after this, so that polls see progress.
const LONGEST_POLL: Duration = Duration::from_secs(2);

/// Commands that were sent together, and what they gave so far.
#[derive(Debug)]
pub(crate) struct Batch {
    id: String,
    pub(crate) script: Vec<Json>,
    results: RefCell<Vec<Json>>,
    events: RefCell<Vec<Json>>,
    finished: Cell<bool>,
    changed: watch::Sender<()>,
}

impl Batch {
    pub(crate) fn new(id: String, script: Vec<Json>) -> Self {
        let (results, events) = (RefCell::default(), RefCell::default());
        Self {
            id,
            finished: Cell::new(script.is_empty()),
            script,
            results,
            events,
            changed: watch::Sender::new(()),
        }
    }

    /// The command at an index begins.
    pub(crate) fn started(&self, index: usize) {
        self.event(index, json!({ "started": { "command": self.script.get(index) } }));
    }

    /// The command at an index has ended.
    pub(crate) fn ended(&self, index: usize, outcome: Outcome) {
        let failed = outcome.exit_code != 0;
        let message = failed.then(|| format!("exit code {}", outcome.exit_code));
        for (kind, text) in [("stdout", &outcome.stdout), ("stderr", &outcome.stderr)] {
            if !text.is_empty() {
                self.event(index, json!({ kind: text }));
            }
        }
        let is_last = failed || index + 1 == self.script.len();
        self.results.borrow_mut().push(json!({
            "index": index,
            "eventDate": clock::now(),
            "result": if failed { "Error" } else { "Ok" },
            "stdout": outcome.stdout,
            "stderr": outcome.stderr,
            "message": message,
            "isBatchFinished": is_last,
        }));
        self.finished.set(is_last);
        self.event(index, json!({ "finished": { "return_code": outcome.exit_code, "message": message } }));
    }

    fn event(&self, index: usize, kind: Json) {
        let timestamp = clock::naive(SystemTime::now());
        let event = json!({ "batch_id": self.id, "index": index, "timestamp": timestamp, "kind": kind });
        self.events.borrow_mut().push(event);
        self.changed.send_replace(());
    }

    /// Answers with the results so far, when the command at the index has ended, or the time is over.
    pub(crate) async fn answer(&self, request: &Json, answer: Answer) {
        let index = request["commandIndex"].as_u64().and_then(|index| usize::try_from(index).ok());
        let enough = index.map_or(usize::MAX, |index| index + 1);
        let seconds = request["timeout"].as_f64().unwrap_or_default().clamp(0.0, 600.0);
        let mut longest = Duration::from_secs_f64(seconds * 0.8);
        if index.is_none() {
            longest = longest.min(LONGEST_POLL);
        }
        let mut changes = self.changed.subscribe();
        let ended = changes.wait_for(|()| self.finished.get() || self.results.borrow().len() >= enough);
        let _ = time::timeout(longest, ended).await;
        answer.success(Json::Array(self.results.borrow().clone()));
    }

    /// Answers with each event from now on, until the batch has finished; earlier ones are not repeated.
    pub(crate) async fn stream(&self, answer: Answer) {
        let mut changes = self.changed.subscribe();
        let mut sent = self.events.borrow().len();
        while !self.finished.get() || sent < self.events.borrow().len() {
            for event in self.events.borrow().iter().skip(sent) {
                answer.part(encoded(&json!({ "Ok": event })));
                sent += 1;
            }
            if self.finished.get() || changes.changed().await.is_err() {
                break;
            }
        }
        answer.whole(Vec::new());
    }
}
