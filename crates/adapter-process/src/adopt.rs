use ::adapter::{Known, ObservedResource, ResourceRequest};
use protocol::spec_hash;
use serde_json::Value as Json;
use tokio::time::Instant;

use crate::{
    folder::{self, Kept},
    forward::{Forward, bind},
    group,
    make::without_secrets,
    prepare::{Prepared, prepare},
    process::{self, Birth},
    record::{Port, Record, Stage},
    running::Running,
    secret::add_missing,
    service::{Condition, Service},
    shared::Shared,
    spec::{ServiceSpec, Variable},
    watched::Watched,
};

impl Shared {
    /// Continues with all services that have records in the folder, and removes folders without a record.
    pub(crate) async fn adopt_all(&self) {
        self.folder.remove_unrecorded(|id| self.may_run(id));
        let records: Vec<Record> = self.folder.all(Kept::Services);
        for record in records {
            let running = running(&record);
            let is_interrupted = match record.stage {
                Stage::Init => true,
                Stage::Starting => running.is_none(),
                Stage::Made | Stage::Ended { .. } => false,
            };
            if is_interrupted {
                self.leave_interrupted(record);
            } else {
                self.adopt(record, running).await;
            }
        }
    }

    /// Some of its commands may have run, so it cannot be continued: another creation starts from the
    /// beginning. Its processes are left running until then, or until it is destroyed: opening the folder is
    /// no permission to end them.
    fn leave_interrupted(&self, record: Record) {
        // A spec that cannot be read was written by another version of the adapter.
        let Ok(spec) = ServiceSpec::read(&record.request.spec) else { return };
        let condition = Condition::Ended("its creation was interrupted".into());
        self.add_service(Service::new(self, record, (spec.readiness, spec.tuning), None, condition));
    }

    async fn adopt(&self, mut record: Record, running: Option<Running>) {
        // A spec that cannot be read was written by another version of the adapter.
        let Ok(spec) = ServiceSpec::read(&record.request.spec) else { return };
        let ended = match &record.stage {
            Stage::Ended { how } => Some(Condition::Ended(how.clone())),
            Stage::Init | Stage::Starting | Stage::Made => None,
        };
        let condition = match (&ended, &running, &record.stage) {
            (Some(ended), _, _) => ended.clone(),
            (None, Some(_), Stage::Made) => Condition::Active,
            (None, _, _) => Condition::Pending("found again".into()),
        };
        let prepared = self.recover(&record, &spec, running.as_ref());
        let forwards = if ended.is_some() { Vec::new() } else { take_ports_again(&mut record).await };
        if let Some(running) = &running {
            record.leader = Some(running.watched.birth.clone());
        }
        // The process is found by its marker as long as this cannot be written.
        _ = folder::write(&self.folder.record(&record.request.id.id), &record);
        let rules = (spec.readiness, spec.tuning);
        let service = Service::new(self, record, rules, prepared, condition);
        forwards.into_iter().for_each(|it| service.forward(it));
        self.add_service(service.clone());
        if ended.is_none() {
            service.begin(running);
        }
    }

    /// The command for a restart. Secrets come from the environment of the running process.
    fn recover(&self, record: &Record, spec: &ServiceSpec, running: Option<&Running>) -> Option<Prepared> {
        let mut prepared = prepare(self, &record.request, spec, record.ip).ok()?;
        if record.lacks_secrets {
            let own = process::environment(running?.watched.birth.pid);
            // The program may have overwritten its environment.
            own.iter()
                .find(|(name, value)| name == crate::environment::ID && *value == record.request.id.id)?;
            // These variables must be on the list, too, because the program may have written them.
            let is_permitted =
                |(name, value): &(String, String)| self.allowed.variable_refusal(name, Some(value)).is_none();
            let env = own.into_iter().filter(is_permitted);
            let env: Vec<Variable> = env.map(|(name, value)| Variable { name, value }).collect();
            add_missing(&mut prepared.secrets, &prepared.main.env, &env);
            let known = std::mem::take(&mut prepared.main.env);
            let is_missing = |it: &Variable| !known.iter().any(|known| known.name == it.name);
            prepared.main.env = env.into_iter().filter(is_missing).collect();
            prepared.main.env.extend(known);
        }
        Some(prepared)
    }

    /// Supplies a service with the parts of its spec that are not recorded.
    pub(crate) fn supply(&self, service: &Service, request: &ResourceRequest) {
        let (is_lacking, ip) = (service.prepared.borrow().is_none(), service.record().ip);
        let is_same = spec_hash(&Json::Object(request.spec.clone())) == service.record().spec_hash;
        if is_lacking
            && is_same
            && let Ok(spec) = ServiceSpec::read(&request.spec)
        {
            *service.prepared.borrow_mut() = prepare(self, request, &spec, ip).ok();
        }
    }

    /// Finds a service that has no record, as after the loss of the folder.
    pub(crate) async fn find_service(&self, known: &Known) -> Option<ObservedResource> {
        let request = &known.request;
        let reported = known.identity.clone().and_then(|it| serde_json::from_value(Json::Object(it)).ok());
        let reported = reported.and_then(|it: Birth| it.alive());
        // Before the main program is started there is nothing to continue with.
        let found = group::leader(&request.id.id, None);
        let run = found.as_ref().map_or(1, |(_, run)| *run);
        let leader = reported.or(found.map(|(leader, _)| leader))?;
        let spec = ServiceSpec::read(&request.spec).ok()?;
        let stage = if known.identity.is_some() { Stage::Made } else { Stage::Starting };
        let environment = process::environment(leader.pid);
        let ip = environment.iter().find(|(name, _)| name == "PLANLOOM_IP").map(|(_, value)| value.as_str());
        let ip = ip.or_else(|| known.outputs.get("network_node")?.get("ip")?.as_str());
        let ip = ip.and_then(|it| it.parse().ok()).unwrap_or(std::net::Ipv4Addr::LOCALHOST);
        let (kept, lacks_secrets) = without_secrets(request);
        let record = Record {
            request: kept,
            lacks_secrets,
            spec_hash: spec_hash(&Json::Object(request.spec.clone())),
            stage,
            run,
            leader: Some(leader.birth()),
            ip,
            ports: reported_ports(&spec, known),
            restarts: 0,
        };
        self.folder.make_service(&request.id.id).ok()?;
        let running = running(&record);
        self.adopt(record, running).await;
        let service = self.service(&request.id.id)?;
        Some(service.look().await)
    }
}

/// The running process of a service.
pub(crate) fn running(record: &Record) -> Option<Running> {
    let found = || {
        let unknown = record.leader.is_none() && record.stage != Stage::Init;
        unknown.then(|| group::leader(&record.request.id.id, Some(record.run)))?.map(|(leader, _)| leader)
    };
    let stat = record.leader.as_ref().and_then(Birth::alive).or_else(found)?;
    let watched = Watched::new(stat.birth());
    let supervisor = group::supervisor(&record.request.id.id, &stat);
    Some(Running { watched, supervisor, since: Instant::now(), log_from: 0 })
}

/// Takes the recorded ports. A local port that was requested is waited for; if it was not requested, another
/// one replaces it.
async fn take_ports_again(record: &mut Record) -> Vec<Forward> {
    let ip = record.ip;
    let mut forwards = Vec::new();
    for port in &mut record.ports {
        let to = std::net::SocketAddrV4::new(ip, port.remote);
        let again = bind(Some(port.local)).await;
        let listener = match again {
            Err(_) if !port.fixed => bind(None).await,
            other => other,
        };
        match listener.and_then(|it| Ok((it.local_addr()?.port(), it))) {
            Ok((local, listener)) => {
                port.local = local;
                forwards.push(Forward::new(listener, to));
            }
            Err(_) => forwards.push(Forward::once_free(port.local, to)),
        }
    }
    forwards
}

/// The ports that were last reported.
fn reported_ports(spec: &ServiceSpec, known: &Known) -> Vec<Port> {
    let reported_local = |field: &str, remote: u16| {
        let ports = known.outputs.get(field)?.get("ports")?.as_array()?;
        let port =
            ports.iter().find(|it| it.get("remote_port").and_then(Json::as_u64) == Some(remote.into()))?;
        u16::try_from(port.get("local_port")?.as_u64()?).ok()
    };
    let ports = spec.proxies.iter().map(|it| Port {
        field: it.field.into(),
        local: it.local.or_else(|| reported_local(it.field, it.remote)).unwrap_or(0),
        remote: it.remote,
        fixed: it.local.is_some(),
    });
    ports.collect()
}
