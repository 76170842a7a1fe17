use std::{net::SocketAddrV4, rc::Rc};

use ::adapter::{
    ObservedResource, ResourceRequest,
    spec::{Proxy, remove_secrets},
};
use protocol::{Code, Problem, spec_hash};
use serde_json::Value as Json;
use tokio::net::TcpListener;

use crate::{
    folder,
    forward::{Forward, bind},
    group,
    prepare::{Prepared, prepare},
    process::Birth,
    record::{Port, Record, Stage},
    service::{Condition, Service},
    shared::{Shared, unwritten},
    spec::{ServiceSpec, Stop},
};

impl Shared {
    /// Creates a service, and waits until it is ready.
    pub(crate) async fn create_service(
        &self,
        request: &ResourceRequest,
    ) -> Result<ObservedResource, Problem> {
        let spec = ServiceSpec::read(&request.spec)?;
        let hash = spec_hash(&Json::Object(request.spec.clone()));
        let id = &request.id.id;
        if let Some(service) = self.service(id).filter(|it| it.is_from(&hash)) {
            self.supply(&service, request);
            let made = Waiting::on(service.clone()).made().await;
            // A service that was about to end is created again.
            if !service.has_ended() {
                return made;
            }
        }
        // A spec that must not be run is refused before anything is changed.
        let ip = self.address(request, &spec)?;
        let prepared = prepare(self, request, &spec, ip)?;
        self.clear_service(id, None).await?;
        let made = self.begin_service(request, hash, &spec, prepared, ip).await;
        let result = match made {
            Ok(service) => Waiting::on(service).made().await,
            Err(problem) => Err(problem),
        };
        if result.is_err() {
            self.clear_service(id, None).await?;
        }
        result.map_err(|problem| Problem { resource_usable: Some(false), ..problem })
    }

    async fn begin_service(
        &self,
        request: &ResourceRequest,
        spec_hash: String,
        spec: &ServiceSpec,
        prepared: Prepared,
        ip: std::net::Ipv4Addr,
    ) -> Result<Rc<Service>, Problem> {
        let (mut ports, mut listeners) = (Vec::new(), Vec::new());
        for proxy in &spec.proxies {
            let (port, listener) = take_port(proxy).await?;
            listeners.push((listener, SocketAddrV4::new(ip, port.remote)));
            ports.push(port);
        }
        let (request, lacks_secrets) = without_secrets(request);
        let stage = Stage::Init;
        let record =
            Record { request, lacks_secrets, spec_hash, stage, run: 0, leader: None, ip, ports, restarts: 0 };
        let id = record.request.id.id.clone();
        self.folder.make_service(&id).map_err(|error| unwritten(&error))?;
        folder::write(&self.folder.record(&id), &record).map_err(|error| unwritten(&error))?;
        let begun = Condition::Pending("about to be started".into());
        let rules = (spec.readiness.clone(), spec.tuning);
        let service = Service::new(self, record, rules, Some(prepared), begun);
        listeners.into_iter().for_each(|(listener, to)| service.forward(Forward::new(listener, to)));
        self.add_service(service.clone());
        service.begin(None);
        Ok(service)
    }

    /// Ends all processes of a service, and removes it. `leader` is its first process, if there is no record
    /// of it.
    ///
    /// # Errors
    /// If a process of it does not end; the service is still known then.
    pub(crate) async fn clear_service(&self, id: &str, leader: Option<Birth>) -> Result<(), Problem> {
        let service = self.service(id);
        let stop = service.as_ref().map_or_else(Stop::default, |it| it.tuning.get().stop);
        let leader = service.as_ref().and_then(|it| it.leader()).or(leader);
        if let Some(service) = &service {
            service.close_forwards().await;
            service.leave();
        }
        if leader.is_some() || self.may_run(id) {
            group::end(id, None, leader.as_ref(), &stop).await.map_err(|left| still_there(&left))?;
        }
        self.remove_service(id);
        self.folder.remove_service(id).map_err(|error| unwritten(&error))
    }
}

/// A caller that waits until a service is created. If it is dropped before, the creation is cancelled.
struct Waiting(Option<Rc<Service>>);

impl Waiting {
    const fn on(service: Rc<Service>) -> Self {
        Self(Some(service))
    }

    async fn made(mut self) -> Result<ObservedResource, Problem> {
        let Some(service) = self.0.clone() else { return Err(given_up()) };
        let made = service.made().await;
        self.0 = None;
        made
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(service) = self.0.take() {
            service.given_up.set(true);
        }
    }
}

/// The reason why it was not created.
pub(crate) fn given_up() -> Problem {
    Problem::new(Code::Cancelled, "it was cancelled before it was ready")
}

/// The request without secrets, as it may be recorded; and whether secrets were removed.
pub(crate) fn without_secrets(request: &ResourceRequest) -> (ResourceRequest, bool) {
    let mut request = request.clone();
    let lacks = remove_secrets(&mut request.spec);
    (request, lacks)
}

async fn take_port(proxy: &Proxy) -> Result<(Port, TcpListener), Problem> {
    let taken = bind(proxy.local).await.and_then(|it| Ok((it.local_addr()?.port(), it)));
    let (local, listener) = taken.map_err(|error| {
        let port = proxy.local.map_or_else(|| "no port".into(), |it| format!("port {it} of 127.0.0.1"));
        let message = format!("{port} cannot be opened: {error}");
        Problem::new(Code::InvalidSpec, &message).at(&proxy.pointer, message)
    })?;
    Ok((
        Port { field: proxy.field.into(), local, remote: proxy.remote, fixed: proxy.local.is_some() },
        listener,
    ))
}

fn still_there(left: &[u32]) -> Problem {
    let numbers: Vec<String> = left.iter().map(u32::to_string).collect();
    Problem::new(Code::Unavailable, format!("these processes do not end: {}", numbers.join(", ")))
}
