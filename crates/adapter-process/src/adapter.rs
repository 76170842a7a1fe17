use std::{
    fs::File,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

use ::adapter::{Adapter, Known, ObservedResource, ResourceRequest, spec::Kind};
use model::Phase;
use protocol::{Code, Problem, ResourceId};
use serde_json::{Map, Value as Json, json};
use tokio::time::sleep;

use crate::{
    OpenError, Options, compare,
    folder::Folder,
    make::without_secrets,
    network::{Block, Network},
    process,
    shared::Shared,
    spec::ServiceSpec,
};

/// Creates networks and services as processes of this machine. The documentation of the crate lists its
/// guarantees.
///
/// After it is dropped, processes keep running; forwarded ports are closed.
#[derive(Debug)]
pub struct ProcessAdapter {
    shared: Rc<Shared>,
    /// The lock by which no other adapter uses the folder.
    _lock: File,
}

impl ProcessAdapter {
    /// Opens the folder and continues with its records: processes are found again, ports are forwarded, and
    /// services that ended meanwhile are restarted if their restart policy says so.
    ///
    /// # Errors
    /// If the folder cannot be used, or another adapter uses it.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        if !process::has_proc() {
            return Err(OpenError::NoProc);
        }
        let (folder, lock) = take(options.folder.clone()).await?;
        let shared = Rc::new(Shared::new(folder, options));
        shared.adopt_all().await;
        Ok(Self { shared, _lock: lock })
    }

    /// The ids of the services that it has records of, whether they run or not. A ledger has an entry for each,
    /// because it is written before.
    pub fn services(&self) -> Vec<String> {
        self.shared.services().iter().map(|it| it.id.clone()).collect()
    }

    /// The end of a service's log, at most that many bytes, without its secrets; `None` if the service is not
    /// known.
    pub fn logs(&self, id: &str, max_bytes: u64) -> Option<String> {
        let service = self.shared.service(id)?;
        Some(service.log().tail(max_bytes, &service.secrets()))
    }

    fn create_network(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        Ok(seen(&self.shared.add_network(request, None)?))
    }

    fn read_network(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        if let Some(network) = self.shared.network(&known.request.id.id) {
            return Ok(Some(seen(&network)));
        }
        // A network has no state besides its record. If that was lost, the network can be restored as long as
        // its block is free.
        let had = known.identity.as_ref().and_then(|it| Block::parse(it.get("block")?.as_str()?));
        let Some(had) = had else { return Ok(None) };
        Ok(Some(seen(&self.shared.add_network(&known.request, Some(had))?)))
    }

    fn update_network(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        compare::in_place(&known.request.spec, &request.spec)?;
        let had = self.shared.network(&request.id.id).map(|it| it.block);
        Ok(seen(&self.shared.add_network(request, had)?))
    }

    async fn update_service(
        &self,
        known: &Known,
        request: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = ServiceSpec::read(&request.spec)?;
        compare::in_place(&known.request.spec, &request.spec)?;
        let gone = || Problem::new(Code::Gone, "the service no longer exists");
        let service = self.shared.service(&request.id.id).ok_or_else(gone)?;
        let (kept, lacks_secrets) = without_secrets(request);
        let hash = protocol::spec_hash(&Json::Object(request.spec.clone()));
        service.change(|it| (it.request, it.lacks_secrets, it.spec_hash) = (kept, lacks_secrets, hash))?;
        service.tuning.set(spec.tuning);
        Ok(service.look().await)
    }
}

/// The number of attempts to lock a folder that another adapter uses, which may just be ending.
const TRIES: u32 = 20;
/// The number of attempts if the other adapter's process has ended: a child that it was just starting holds
/// its lock until the system schedules it, which takes seconds on a busy machine.
const TRIES_AFTER_ITS_END: u32 = 1200;
const PAUSE: Duration = Duration::from_millis(25);

/// Opens the folder and takes its lock.
async fn take(folder: PathBuf) -> Result<(Folder, File), OpenError> {
    let mut tried = 0;
    loop {
        match Folder::open(folder.clone()) {
            Err(OpenError::InUse(_)) if tried < tries(&folder) => sleep(PAUSE).await,
            other => return other,
        }
        tried += 1;
    }
}

fn tries(folder: &Path) -> u32 {
    if Folder::is_abandoned(folder) { TRIES_AFTER_ITS_END } else { TRIES }
}

impl Drop for ProcessAdapter {
    fn drop(&mut self) {
        self.shared.services().iter().for_each(|it| it.leave());
    }
}

impl Adapter for ProcessAdapter {
    async fn create(&self, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        match kind(&request.id)? {
            Kind::Network => self.create_network(request),
            Kind::Service => self.shared.create_service(request).await,
        }
    }

    async fn read(&self, known: &Known) -> Result<Option<ObservedResource>, Problem> {
        let id = &known.request.id;
        match kind(id)? {
            Kind::Network => self.read_network(known),
            Kind::Service => match self.shared.service(&id.id) {
                Some(service) => {
                    self.shared.supply(&service, &known.request);
                    Ok(Some(service.look().await))
                }
                None => Ok(self.shared.find_service(known).await),
            },
        }
    }

    async fn update(&self, known: &Known, request: &ResourceRequest) -> Result<ObservedResource, Problem> {
        match kind(&request.id)? {
            Kind::Network => self.update_network(known, request),
            Kind::Service => self.update_service(known, request).await,
        }
    }

    async fn destroy(&self, known: &Known) -> Result<(), Problem> {
        let id = &known.request.id;
        match kind(id)? {
            Kind::Network => self.shared.remove_network(&id.id),
            Kind::Service => {
                let identity = known.identity.clone().map(Json::Object);
                let leader = identity.and_then(|it| serde_json::from_value(it).ok());
                self.shared.clear_service(&id.id, leader).await
            }
        }
    }
}

/// Ids become names of files.
fn kind(id: &ResourceId) -> Result<Kind, Problem> {
    Kind::of(id, "processes")
}

pub(crate) fn seen(network: &Network) -> ObservedResource {
    let block = network.block.to_string();
    let map = |value: Json| match value {
        Json::Object(map) => map,
        _ => Map::new(),
    };
    ObservedResource {
        phase: Phase::Active,
        identity: map(json!({"block": block})),
        spec: Map::new(),
        outputs: map(json!({"network_id": block, "state": "ready"})),
        message: Some(format!("its addresses are those of {block}")),
    }
}
