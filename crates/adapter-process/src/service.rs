use std::{
    cell::{Cell, Ref, RefCell},
    path::PathBuf,
    rc::Rc,
    time::Duration,
};

use ::adapter::ObservedResource;
use model::{Phase, Redactor};
use protocol::{Code, Problem};
use serde_json::{Map, Value as Json, json};
use tokio::{
    sync::watch,
    task::{AbortHandle, spawn_local},
    time::timeout,
};

use crate::{
    folder::{self, Folder},
    forward::Forward,
    log::Log,
    prepare::Prepared,
    process::Birth,
    record::{Port, Record, Stage},
    running::Running,
    shared::{Shared, unwritten},
    spec::{Readiness, Tuning},
};

/// A service that this adapter manages.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) id: String,
    pub(crate) folder: Folder,
    /// The program that supervises the processes that it starts.
    pub(crate) supervisor: PathBuf,
    pub(crate) readiness: Readiness,
    pub(crate) tuning: Cell<Tuning>,
    /// The commands to start; `None` if they are not known: its secrets are not recorded, or it is not
    /// allowed any more.
    pub(crate) prepared: RefCell<Option<Prepared>>,
    pub(crate) condition: watch::Sender<Condition>,
    /// The caller that requested the creation has left; what was started is ended.
    pub(crate) given_up: Cell<bool>,
    record: RefCell<Record>,
    forwards: RefCell<Vec<Forward>>,
    task: RefCell<Option<AbortHandle>>,
}

/// The condition of a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// It is not ready, with a reason for people.
    Pending(String),
    Active,
    /// It could not be created.
    Failed(Problem),
    /// It ended and is not restarted, with a description for people.
    Ended(String),
}

impl Service {
    pub(crate) fn new(
        shared: &Shared,
        record: Record,
        (readiness, tuning): (Readiness, Tuning),
        prepared: Option<Prepared>,
        condition: Condition,
    ) -> Rc<Self> {
        Rc::new(Self {
            id: record.request.id.id.clone(),
            folder: shared.folder.clone(),
            supervisor: shared.supervisor.clone(),
            readiness,
            tuning: Cell::new(tuning),
            prepared: RefCell::new(prepared),
            condition: watch::Sender::new(condition),
            given_up: Cell::new(false),
            record: RefCell::new(record),
            forwards: RefCell::default(),
            task: RefCell::default(),
        })
    }

    pub(crate) fn record(&self) -> Ref<'_, Record> {
        self.record.borrow()
    }

    /// Changes the record, first in the file.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Record)) -> Result<(), Problem> {
        let mut record = self.record().clone();
        change(&mut record);
        folder::write(&self.folder.record(&self.id), &record).map_err(|error| unwritten(&error))?;
        *self.record.borrow_mut() = record;
        Ok(())
    }

    pub(crate) fn log(&self) -> Log {
        self.folder.log(&self.id)
    }

    pub(crate) fn leader(&self) -> Option<Birth> {
        self.record().leader.clone()
    }

    pub(crate) fn secrets(&self) -> Redactor {
        self.prepared.borrow().as_ref().map(|it| it.secrets.clone()).unwrap_or_default()
    }

    /// Starts to supervise it, with the process that runs already.
    pub(crate) fn begin(self: &Rc<Self>, running: Option<Running>) {
        let task = spawn_local(self.clone().supervise(running));
        *self.task.borrow_mut() = Some(task.abort_handle());
    }

    /// Stops supervising it: its processes keep running.
    pub(crate) fn leave(&self) {
        if let Some(task) = self.task.take() {
            task.abort();
        }
        self.forwards.take();
    }

    pub(crate) fn forward(&self, forward: Forward) {
        self.forwards.borrow_mut().push(forward);
    }

    /// Closes the forwards, after which their ports are free.
    pub(crate) async fn close_forwards(&self) {
        for forward in self.forwards.take() {
            forward.close().await;
        }
    }

    pub(crate) fn report(&self, condition: Condition) {
        self.condition.send_replace(condition);
    }

    /// Waits until it was created.
    ///
    /// # Errors
    /// The reason why it was not.
    pub(crate) async fn made(&self) -> Result<ObservedResource, Problem> {
        let mut receiver = self.condition.subscribe();
        let is_over = |it: &Condition| !matches!(it, Condition::Pending(_));
        // The sender belongs to this service, so it is not dropped.
        let condition = receiver.wait_for(is_over).await.map(|it| it.clone());
        match condition {
            Ok(Condition::Failed(problem)) => Err(problem),
            Ok(Condition::Ended(how)) => Err(Problem::new(Code::InvalidSpec, format!("the service {how}"))),
            Ok(Condition::Active | Condition::Pending(_)) | Err(_) => Ok(self.seen()),
        }
    }

    /// Its current state. Waits for an end that was not noticed yet, so that a dead process is never reported
    /// as running.
    pub(crate) async fn look(&self) -> ObservedResource {
        let is_stale = |it: &Condition| *it == Condition::Active && !self.is_alive();
        if is_stale(&self.condition.borrow().clone()) {
            let mut receiver = self.condition.subscribe();
            _ = timeout(Duration::from_secs(1), receiver.wait_for(|it| !is_stale(it))).await;
        }
        self.seen()
    }

    fn is_alive(&self) -> bool {
        self.leader().is_some_and(|it| it.alive().is_some())
    }

    fn seen(&self) -> ObservedResource {
        let (phase, state, message) = match self.condition.borrow().clone() {
            Condition::Pending(why) => (Phase::Pending, "starting", why),
            Condition::Active => (Phase::Active, "running", self.running()),
            Condition::Failed(problem) => (Phase::Terminated, "terminated", problem.detail),
            Condition::Ended(how) => (Phase::Terminated, "terminated", how),
        };
        let (identity, outputs) = (self.identity(), self.outputs(state));
        ObservedResource { phase, identity, spec: Map::new(), outputs, message: Some(message) }
    }

    fn running(&self) -> String {
        let record = self.record();
        let pid = record.leader.as_ref().map(|it| format!(" as process {}", it.pid)).unwrap_or_default();
        match record.restarts {
            0 => format!("running{pid}"),
            1 => format!("running{pid}, restarted once"),
            times => format!("running{pid}, restarted {times} times"),
        }
    }

    fn identity(&self) -> Map<String, Json> {
        let leader = self.leader().map(|it| serde_json::to_value(it).unwrap_or_default());
        match leader {
            Some(Json::Object(map)) => map,
            _ => Map::new(),
        }
    }

    fn outputs(&self, state: &str) -> Map<String, Json> {
        let record = self.record();
        let mut outputs = Map::new();
        outputs.insert("state".into(), state.into());
        outputs.insert("network_node".into(), json!({"ip": record.ip}));
        if let Some(leader) = &record.leader {
            outputs.insert("activity".into(), json!({"id": leader.pid.to_string()}));
        }
        for field in ["http_proxy", "tcp_proxy"] {
            let ports: Vec<Json> = record.ports.iter().filter(|it| it.field == field).map(port).collect();
            if !ports.is_empty() {
                outputs.insert(field.into(), json!({"ports": ports}));
            }
        }
        outputs
    }

    pub(crate) fn has_ended(&self) -> bool {
        matches!(*self.condition.borrow(), Condition::Ended(_))
    }

    /// True if it was created from that spec and can still become or be active.
    pub(crate) fn is_from(&self, spec_hash: &str) -> bool {
        let is_over = matches!(*self.condition.borrow(), Condition::Failed(_) | Condition::Ended(_));
        let record = self.record();
        !is_over
            && !self.given_up.get()
            && record.spec_hash == spec_hash
            && !matches!(record.stage, Stage::Ended { .. })
    }
}

fn port(port: &Port) -> Json {
    let scheme = if port.field == "http_proxy" { "http://" } else { "" };
    let address = format!("{scheme}127.0.0.1:{}", port.local);
    json!({"remote_port": port.remote, "local_port": port.local, "address": address})
}
