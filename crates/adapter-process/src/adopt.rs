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
    /// Goes on with all services that are kept in the folder, and removes what is of none.
    pub(crate) async fn adopt_all(&self) {
        self.folder.remove_unrecorded(|id| self.may_run(id));
        let records: Vec<Record> = self.folder.all(Kept::Services);
        for record in records {
            let running = running(&record);
            let is_broken_off = match record.stage {
                Stage::Init => true,
                Stage::Starting => running.is_none(),
                Stage::Made | Stage::Ended { .. } => false,
            };
            if is_broken_off {
                self.leave_broken_off(record);
            } else {
                self.adopt(record, running).await;
            }
        }
    }

    /// Half of its commands may have run, so it cannot be gone on with: whoever wants it creates it anew. What still runs
    /// of it is left alone until then, or until it is destroyed: to open the folder is nobody's approval of that.
    fn leave_broken_off(&self, record: Record) {
        // One that cannot be read was written by another version of the adapter.
        let Ok(spec) = ServiceSpec::read(&record.asked.spec) else { return };
        let condition = Condition::Ended("its creation was interrupted".into());
        self.add_service(Service::new(self, record, (spec.readiness, spec.tuning), None, condition));
    }

    async fn adopt(&self, mut record: Record, running: Option<Running>) {
        // One that cannot be read was written by another version of the adapter.
        let Ok(spec) = ServiceSpec::read(&record.asked.spec) else { return };
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
        // It is found by its marker as long as this cannot be written.
        _ = folder::write(&self.folder.record(&record.asked.id.id), &record);
        let rules = (spec.readiness, spec.tuning);
        let service = Service::new(self, record, rules, prepared, condition);
        forwards.into_iter().for_each(|it| service.forward(it));
        self.add_service(service.clone());
        if ended.is_none() {
            service.begin(running);
        }
    }

    /// What to start if it has to be started again. Secrets come from the environment of the process that runs.
    fn recover(&self, record: &Record, spec: &ServiceSpec, running: Option<&Running>) -> Option<Prepared> {
        let mut prepared = prepare(self, &record.asked, spec, record.ip).ok()?;
        if record.lacks_secrets {
            let own = process::environment(running?.watched.birth.pid);
            // A program may have written over it.
            own.iter()
                .find(|(name, value)| name == crate::environment::ID && *value == record.asked.id.id)?;
            // Also what is found there must be on the list: the program may have written it.
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

    /// Gives a service what is not kept of it.
    pub(crate) fn supply(&self, service: &Service, asked: &ResourceRequest) {
        let (is_lacking, ip) = (service.prepared.borrow().is_none(), service.record().ip);
        let is_same = spec_hash(&Json::Object(asked.spec.clone())) == service.record().spec_hash;
        if is_lacking
            && is_same
            && let Ok(spec) = ServiceSpec::read(&asked.spec)
        {
            *service.prepared.borrow_mut() = prepare(self, asked, &spec, ip).ok();
        }
    }

    /// Finds a service of which nothing is kept, as after the loss of the folder.
    pub(crate) async fn find_service(&self, known: &Known) -> Option<ObservedResource> {
        let asked = &known.request;
        let told = known.identity.clone().and_then(|it| serde_json::from_value(Json::Object(it)).ok());
        let told = told.and_then(|it: Birth| it.alive());
        // Before what keeps running is started there is nothing to go on with.
        let found = group::leader(&asked.id.id, None);
        let run = found.as_ref().map_or(1, |(_, run)| *run);
        let leader = told.or(found.map(|(leader, _)| leader))?;
        let spec = ServiceSpec::read(&asked.spec).ok()?;
        let stage = if known.identity.is_some() { Stage::Made } else { Stage::Starting };
        let environment = process::environment(leader.pid);
        let ip = environment.iter().find(|(name, _)| name == "PLANLOOM_IP").map(|(_, value)| value.as_str());
        let ip = ip.or_else(|| known.outputs.get("network_node")?.get("ip")?.as_str());
        let ip = ip.and_then(|it| it.parse().ok()).unwrap_or(std::net::Ipv4Addr::LOCALHOST);
        let (kept, lacks_secrets) = without_secrets(asked);
        let record = Record {
            asked: kept,
            lacks_secrets,
            spec_hash: spec_hash(&Json::Object(asked.spec.clone())),
            stage,
            run,
            leader: Some(leader.birth()),
            ip,
            ports: ports_told(&spec, known),
            restarts: 0,
        };
        self.folder.make_service(&asked.id.id).ok()?;
        let running = running(&record);
        self.adopt(record, running).await;
        let service = self.service(&asked.id.id)?;
        Some(service.look().await)
    }
}

/// What still runs of a service.
pub(crate) fn running(record: &Record) -> Option<Running> {
    let found = || {
        let unknown = record.leader.is_none() && record.stage != Stage::Init;
        unknown.then(|| group::leader(&record.asked.id.id, Some(record.run)))?.map(|(leader, _)| leader)
    };
    let stat = record.leader.as_ref().and_then(Birth::alive).or_else(found)?;
    let watched = Watched::new(stat.birth());
    let supervisor = group::supervisor(&record.asked.id.id, &stat);
    Some(Running { watched, supervisor, since: Instant::now(), log_from: 0 })
}

/// A local port that was asked for is waited for; another one is taken in place of one that was not.
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

/// The ports as they were told last.
fn ports_told(spec: &ServiceSpec, known: &Known) -> Vec<Port> {
    let told = |field: &str, remote: u16| {
        let ports = known.outputs.get(field)?.get("ports")?.as_array()?;
        let port =
            ports.iter().find(|it| it.get("remote_port").and_then(Json::as_u64) == Some(remote.into()))?;
        u16::try_from(port.get("local_port")?.as_u64()?).ok()
    };
    let ports = spec.proxies.iter().map(|it| Port {
        field: it.field.into(),
        local: it.local.or_else(|| told(it.field, it.remote)).unwrap_or(0),
        remote: it.remote,
        fixed: it.local.is_some(),
    });
    ports.collect()
}
