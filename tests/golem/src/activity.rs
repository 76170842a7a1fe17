//! An activity and its executor, which answers the requestor over the service bus.

use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
    rc::Rc,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use serde_json::{Value as Json, json};
use tokio::{
    select,
    sync::{Mutex, watch},
    task::JoinSet,
    time::{self, MissedTickBehavior},
};

use crate::{
    Failure,
    agent::{Agent, DELIVERIES, PAUSE},
    batch::Batch,
    bus::{Call, Registration, decoded},
    vpn::Member,
};

/// The interval at which the activity is reported to the daemon as alive.
const ALIVE: Duration = Duration::from_secs(2);

/// An activity of a provider.
pub(crate) struct Activity {
    pub(crate) id: String,
    pub(crate) agreement: String,
    pub(crate) requestor: String,
    pub(crate) agent: Rc<Agent>,
    pub(crate) commands: Cell<usize>,
    pub(crate) members: RefCell<Vec<Member>>,
    state: RefCell<&'static str>,
    /// Held while a state is reported: a report must not overtake a later one.
    reporting: Mutex<()>,
    begin: Instant,
    end: watch::Sender<Option<Instant>>,
    batches: RefCell<BTreeMap<String, Rc<Batch>>>,
}

impl Activity {
    pub(crate) fn new(id: String, agreement: String, requestor: String, agent: Rc<Agent>) -> Self {
        let (commands, members, state) = (Cell::new(0), RefCell::default(), RefCell::new("Initialized"));
        let (begin, end, batches) = (Instant::now(), watch::Sender::new(None), RefCell::default());
        let reporting = Mutex::default();
        Self { id, agreement, requestor, agent, commands, members, state, reporting, begin, end, batches }
    }

    /// Ends it, and reports that to the provider's daemon, which may be busy, until it is taken.
    pub(crate) async fn destroy(&self) {
        self.end();
        for _ in 0..=DELIVERIES {
            if self.report().await.is_ok() {
                return;
            }
            time::sleep(PAUSE).await;
        }
    }

    /// Ends it: its executor does not answer any more.
    fn end(&self) {
        self.members.borrow_mut().clear();
        *self.state.borrow_mut() = "Terminated";
        if !self.has_ended() {
            self.end.send_replace(Some(Instant::now()));
            self.agent.shared.record(|record| record.destroyed.push(self.id.clone()));
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.end.borrow().is_some()
    }

    /// Its state from now on, unless it has ended.
    pub(crate) fn set_state(&self, state: &'static str) {
        if !self.has_ended() {
            *self.state.borrow_mut() = state;
        }
    }

    /// The time that it has run.
    pub(crate) fn elapsed(&self) -> Duration {
        let end = (*self.end.borrow()).unwrap_or_else(Instant::now);
        end.saturating_duration_since(self.begin)
    }

    /// The counters of the usage: seconds, and seconds of the processor.
    pub(crate) fn usage(&self) -> Json {
        let seconds = self.elapsed().as_secs_f64();
        json!([seconds, seconds])
    }

    /// Reports it as initialized, and answers until it ends.
    pub(crate) async fn run(self: Rc<Self>) {
        time::sleep(self.agent.shared.behavior().delays.activity).await;
        let address = format!("/public/exeunit/{}", self.id);
        let Ok(registration) = self.agent.bus.register(&address).await else { return };
        if self.report().await.is_err() || self.has_ended() {
            return;
        }
        self.agent.shared.record(|record| record.created.push(self.id.clone()));
        self.answer(registration).await;
    }

    async fn answer(self: &Rc<Self>, mut registration: Registration) {
        let (mut running, mut end) = (JoinSet::new(), self.end.subscribe());
        let mut alive = time::interval(ALIVE);
        let mut debit = time::interval(self.agent.shared.settings.offer.debit_notes.max(ALIVE / 20));
        alive.set_missed_tick_behavior(MissedTickBehavior::Delay);
        debit.set_missed_tick_behavior(MissedTickBehavior::Delay);
        debit.reset();
        loop {
            select! {
                call = registration.calls.recv() => match call {
                    Some(call) => {
                        while running.try_join_next().is_some() {}
                        running.spawn_local(Rc::clone(self).called(call));
                    }
                    None => return,
                },
                _ = alive.tick() => { let _ = self.report().await; }
                _ = debit.tick() => { let _ = self.send_debit_note().await; }
                _ = end.wait_for(Option::is_some) => return,
            }
        }
    }

    /// Reports the state to the provider's daemon.
    async fn report(&self) -> Result<(), Failure> {
        self.put(|state| json!({ "state": [state, null] })).await
    }

    async fn put(&self, report: impl FnOnce(&str) -> Json) -> Result<(), Failure> {
        let _reporting = self.reporting.lock().await;
        let path = format!("/activity-api/v1/activity/{}/state", self.id);
        let state = *self.state.borrow();
        self.agent.shared.api.put(&path, report(state)).await.map(|_| ())
    }

    /// It terminates by itself, as an executor does that is killed.
    pub(crate) async fn die(&self) {
        self.end();
        let report = |state: &str| {
            json!({
                "state": [state, null],
                "reason": "execution aborted",
                "errorMessage": "simulated: the executor was killed",
            })
        };
        if self.put(report).await.is_err() {
            self.destroy().await;
        }
        self.agent.close_after_last(self.agreement.clone()).await;
    }

    async fn called(self: Rc<Self>, call: Call) {
        let request = decoded(&call.data);
        match call.component.as_str() {
            "Exec" => self.execute(&request, call).await,
            "GetExecBatchResults" => {
                time::sleep(self.agent.shared.behavior().delays.results).await;
                match self.batch(&request["batchId"]) {
                    Some(batch) => batch.answer(&request, call.answer).await,
                    None => call.answer.failure("there is no such batch"),
                }
            }
            "StreamExecBatchResults" => match self.batch(&request["batch_id"]) {
                Some(batch) => batch.stream(call.answer).await,
                None => call.answer.failure("there is no such batch"),
            },
            "GetRunningCommand" => call.answer.success(json!([])),
            "GetActivityState" => call.answer.success(json!({ "state": [*self.state.borrow(), null] })),
            "GetActivityUsage" => {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
                call.answer.success(json!({ "currentUsage": self.usage(), "timestamp": since }));
            }
            _ => call.answer.failure("this is not simulated"),
        }
    }

    fn batch(&self, id: &Json) -> Option<Rc<Batch>> {
        self.batches.borrow().get(id.as_str()?).cloned()
    }

    async fn execute(self: &Rc<Self>, request: &Json, call: Call) {
        let id = request["batchId"].as_str().unwrap_or_default().to_owned();
        let script = request["exeScript"].as_array().cloned().unwrap_or_default();
        let batch = Rc::new(Batch::new(id.clone(), script));
        self.batches.borrow_mut().insert(id.clone(), Rc::clone(&batch));
        call.answer.success(Json::String(id));
        self.execute_all(&batch).await;
    }
}
