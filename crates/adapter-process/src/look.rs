use std::{fmt, path::PathBuf};

use ::adapter::{Adapter, Known, ObservedResource, ResourceRequest};
use protocol::{Code, Problem};

use crate::{
    Allowed, OpenError, Options,
    adapter::seen,
    adopt::running,
    folder::{self, Folder},
    network::{Block, Network},
    process::{self, Birth},
    record::{Record, Stage},
    service::{Condition, Service},
    shared::Shared,
    spec::{Policy, ServiceSpec},
};

/// Reports the services and networks of a folder, and changes nothing: it takes no lock, writes no file,
/// forwards no port, and neither starts nor ends a process. So it can be used beside a
/// [`ProcessAdapter`](crate::ProcessAdapter) on the same folder. Every call that would change something is
/// refused.
pub struct ProcessReader {
    shared: Shared,
}

impl fmt::Debug for ProcessReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessReader").field("folder", &self.shared.folder).finish()
    }
}

impl ProcessReader {
    /// A reader of that folder; a folder that does not exist is empty.
    ///
    /// # Errors
    /// If the system gives no information on processes.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self, OpenError> {
        let folder = folder.into();
        let shared = || Shared::new(Folder::at(folder.clone()), Options::new(folder, Allowed::nothing()));
        process::has_proc().then(|| Self { shared: shared() }).ok_or(OpenError::NoProc)
    }

    fn network(&self, known: &Known) -> Option<ObservedResource> {
        let request = &known.request;
        if let Some(network) = folder::read::<Network>(&self.shared.folder.network(&request.id.id)) {
            return Some(seen(&network));
        }
        // If the record of a network is lost, an adapter takes the block that it had.
        let block = known.identity.as_ref().and_then(|it| Block::parse(it.get("block")?.as_str()?))?;
        Some(seen(&Network { request: request.clone(), block }))
    }

    async fn service(&self, known: &Known) -> Option<ObservedResource> {
        let record: Option<Record> = folder::read(&self.shared.folder.record(&known.request.id.id));
        let Some(record) = record else { return lost(known) };
        let spec = ServiceSpec::read(&record.request.spec).ok()?;
        let condition = condition(&record, spec.tuning.restart.policy);
        let rules = (spec.readiness, spec.tuning);
        Some(Service::new(&self.shared, record, rules, None, condition).look().await)
    }
}

/// The state of a service that no adapter watches. If it has ended, the next adapter on the folder restarts
/// it according to its restart policy.
fn condition(record: &Record, policy: Policy) -> Condition {
    let runs = running(record).is_some();
    match (&record.stage, runs) {
        (Stage::Ended { how }, _) => Condition::Ended(how.clone()),
        (Stage::Made, true) => Condition::Active,
        (Stage::Init | Stage::Starting, true) => Condition::Pending("being started".into()),
        (Stage::Made, false) if policy != Policy::Never => {
            Condition::Pending("it is not running, and is restarted by its restart policy".into())
        }
        (Stage::Made | Stage::Init | Stage::Starting, false) => Condition::Ended("is not running".into()),
    }
}

/// The state of a service without a record, by its process.
fn lost(known: &Known) -> Option<ObservedResource> {
    let identity = known.identity.clone()?;
    let birth: Birth = serde_json::from_value(serde_json::Value::Object(identity.clone())).ok()?;
    birth.alive()?;
    let (spec, outputs) = (serde_json::Map::new(), known.outputs.clone());
    let message = Some(format!("running as process {}", birth.pid));
    Some(ObservedResource { phase: model::Phase::Active, identity, spec, outputs, message })
}

impl Adapter for ProcessReader {
    async fn create(&self, _: &ResourceRequest) -> Result<ObservedResource, Problem> {
        Err(read_only())
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        Ok(match &*known.request.id.kind {
            "network" => self.network(known),
            _ => self.service(known).await,
        })
    }

    async fn update(&self, _: &Known, _: &ResourceRequest) -> Result<ObservedResource, Problem> {
        Err(read_only())
    }

    async fn destroy(&self, _: &Known) -> Result<(), Problem> {
        Err(read_only())
    }
}

fn read_only() -> Problem {
    Problem::new(Code::Forbidden, "the adapter was opened read-only")
}
