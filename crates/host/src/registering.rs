use std::{collections::BTreeMap, fmt, rc::Rc, time::Duration};

use http::HeaderValue;
use protocol::Transport;
use regions::{
    Deployment,
    registration::{Entries, Environment, Goal, Registrant, Registration},
};
use registry::Name;

use crate::{
    PeerAddress, REGISTRY,
    peers::{WAIT, posting, read_reply},
    registry_handler::{IDENTITY, PREFER},
};

/// The time after which a request is sent again, in milliseconds.
const PATIENCE: i64 = 500;
/// The time after which the registry is taken for one that does not reply.
const LONGEST: Duration = Duration::from_secs(10);
/// The pause after everything that was due.
const PAUSE: Duration = Duration::from_millis(25);

/// The way to a registry.
#[derive(Clone)]
pub struct RegistryClient {
    /// Sends requests.
    pub transport: Rc<dyn Transport>,
    /// The address of the server.
    pub address: PeerAddress,
}

/// The state of a registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegistryState {
    /// It has begun.
    InProgress,
    /// It has to wait, for this reason.
    Waiting(String),
    /// It is registered, and these are the services and deployments that concern it.
    Registered(Entries<Name>),
}

impl RegistryClient {
    /// All services and deployments.
    ///
    /// # Errors
    /// The reason why there is no reply.
    pub async fn entries(&self) -> Result<Entries<Name>, String> {
        match self.send(&registry::Request::Watch { after: None }, false).await?.0 {
            registry::Reply::Snapshot { entries, .. } => Ok(entries),
            registry::Reply::State(_) | registry::Reply::Refused { .. } | registry::Reply::Changes { .. } => {
                Err("the registry has replied to something else".to_owned())
            }
        }
    }

    /// The reply, and the identity of the registry.
    async fn send(
        &self,
        request: &registry::Request,
        waits: bool,
    ) -> Result<(registry::Reply, Option<HeaderValue>), String> {
        let mut posted = posting(REGISTRY, request).map_err(|error| error.to_string())?;
        if waits {
            posted.headers_mut().insert(PREFER, HeaderValue::from_static("wait=8"));
        }
        let exchanged = self.address.exchange(&*self.transport, posted, LONGEST + WAIT).await;
        let replied = exchanged.and_then(|it| Ok((read_reply(&it)?, it.headers().get(IDENTITY).cloned())));
        let address = self.address.base.to_string();
        replied.map_err(|error| format!("the registry at `{}` {error}", address.trim_end_matches('/')))
    }
}

/// The registrations of a server, which follow the registry together: one request for changes is sent for all of them.
struct Registrations<F> {
    client: RegistryClient,
    all: Vec<Environment<Name>>,
    /// The identity of the registry.
    identity: Option<HeaderValue>,
    report: F,
}

/// Registers services, and follows the registry as long as it is polled. The state of each is reported whenever it may have changed.
/// `now` is a clock in milliseconds.
pub async fn register(
    client: RegistryClient,
    registrations: Vec<Registration<Name>>,
    now: impl Fn() -> i64,
    report: impl Fn(&Name, RegistryState),
) {
    let all = registrations.into_iter().map(|it| begin(it, now())).collect();
    let mut registrations = Registrations { client, all, identity: None, report };
    loop {
        let requests = registrations.requests(now());
        let waits = registrations.all.iter().all(|it| it.surroundings().is_some());
        if requests.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        for request in requests {
            match registrations.client.send(&request, waits).await {
                Ok((reply, identity)) => registrations.take(&reply, identity, now()),
                Err(error) => {
                    registrations.report_all(&RegistryState::Waiting(error));
                    tokio::time::sleep(PAUSE * 20).await;
                    break;
                }
            }
        }
    }
}

fn begin(registration: Registration<Name>, now: i64) -> Environment<Name> {
    Environment::new(registration, Goal::Registered, PATIENCE, now)
}

impl<F: Fn(&Name, RegistryState)> Registrations<F> {
    /// The requests that are due, those for changes as one: from the first revision that any of them needs.
    fn requests(&mut self, now: i64) -> Vec<registry::Request> {
        let all: Vec<_> = self.all.iter_mut().flat_map(|it| it.requests(now)).collect();
        let (watches, mut others): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|it| matches!(it, registry::Request::Watch { .. }));
        let after = self.all.iter().map(|it| it.discovery().at()).min();
        let watch = after.filter(|_| !watches.is_empty()).map(|after| registry::Request::Watch { after });
        others.extend(watch);
        others
    }

    fn take(&mut self, reply: &registry::Reply, identity: Option<HeaderValue>, now: i64) {
        let is_other = self.identity.is_some() && self.identity != identity;
        self.identity = identity;
        if is_other || self.all.iter().any(|it| is_reset(it, reply)) {
            self.all = self.all.iter().map(|it| begin(again(it), now)).collect();
            return;
        }
        for environment in &mut self.all {
            environment.take(reply, now);
            (self.report)(&environment.registrant().registration().service, state(environment));
        }
    }

    fn report_all(&self, state: &RegistryState) {
        let services = self.all.iter().map(|it| &it.registrant().registration().service);
        services.for_each(|it| (self.report)(it, state.clone()));
    }
}

/// The registration in another registry, or in one that has lost its entries: the control region of the service stays.
fn again(environment: &Environment<Name>) -> Registration<Name> {
    let registration = environment.registrant().registration().clone();
    let known = environment.discovery().relevant();
    let service = known.get(&registration.service_name()).and_then(|it| it.value.service());
    match service.map(|it| it.default_control_region.clone()) {
        Some(control_region) => Registration { control_region, ..registration },
        None => registration,
    }
}

/// True if the registry has lost its entries: its revision is before one that it had. Replies are taken in the order in which they are
/// requested, so that one is not late.
fn is_reset(environment: &Environment<Name>, reply: &registry::Reply) -> bool {
    match reply {
        registry::Reply::Snapshot { at, .. } => environment.discovery().at().is_some_and(|known| *at < known),
        registry::Reply::State(_) | registry::Reply::Refused { .. } | registry::Reply::Changes { .. } => {
            false
        }
    }
}

/// Checks that a deployment is registered, and that nobody needs it: otherwise it would not be withdrawn, or only half.
fn check_withdrawal(entries: &Entries<Name>, deployment: &Deployment) -> Result<(), String> {
    let Deployment { service, region } = deployment;
    let services = || entries.iter().filter_map(|(name, it)| Some((name.service()?, it.value.service()?)));
    let own = services().find(|(name, it)| *name == service && it.enabled_regions.contains(region));
    let Some((_, own)) = own else { return Err(format!("the registry has no {deployment}")) };
    if **service == *registry::SERVICE {
        return Err("the registry is not withdrawn from itself".to_owned());
    }
    if own.default_control_region == *region && own.enabled_regions.len() > 1 {
        return Err(format!(
            "the registry keeps {deployment}, which is the control region: it owns what has no region in its name, so withdraw the others first"
        ));
    }
    let importer = services()
        .find(|(_, it)| it.enabled_regions.contains(region) && it.imported().any(|it| it == service));
    match importer {
        Some((importer, _)) => Err(format!(
            "the registry keeps {deployment}, which `{importer}` imports there: withdraw {importer}@{region} first"
        )),
        None => Ok(()),
    }
}

/// Withdraws a deployment from the registry: it is not registered afterwards, and its service is not in the region any more.
///
/// # Errors
/// The reason why that is not possible.
pub async fn withdraw(
    client: &RegistryClient,
    deployment: &Deployment,
    now: impl Fn() -> i64,
) -> Result<(), String> {
    let Deployment { service, region } = deployment.clone();
    let name = registry::EntryName::Deployment { service: service.clone(), region: region.clone() };
    let (there, _) = client.send(&registry::Request::Read { name }, false).await?;
    let registry::Reply::State(state) = there else {
        return Err("the registry has replied to something else".to_owned());
    };
    check_withdrawal(&client.entries().await?, deployment)?;
    let entry = state.entry.as_ref().and_then(|it| it.value.deployment());
    let registration = Registration {
        service,
        control_region: region.clone(),
        region,
        // A withdrawal that was stopped goes on: then there is no entry of an installation any more.
        instance: entry.map_or(0, |it| it.instance),
        address: Name::default(),
        versions: Vec::new(),
        resources: BTreeMap::new(),
        has_one_storage: true,
        creates_region: false,
    };
    let mut registrant = Registrant::new(registration, Goal::Withdrawn, PATIENCE, now());
    while registrant.done_at().is_none() {
        if let Some(refusal) = registrant.refusal() {
            return Err(format!("the registry refuses it: {refusal}"));
        }
        match registrant.request(now()) {
            Some(request) => registrant.take(&client.send(&request, false).await?.0, now()),
            None => tokio::time::sleep(PAUSE).await,
        }
    }
    Ok(())
}

fn state(environment: &Environment<Name>) -> RegistryState {
    match (environment.surroundings(), environment.registrant().refusal()) {
        (Some(entries), _) => RegistryState::Registered(entries),
        (None, Some(refusal)) => RegistryState::Waiting(refusal.to_string()),
        (None, None) => RegistryState::InProgress,
    }
}

impl fmt::Debug for RegistryClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RegistryClient").field("address", &self.address).finish_non_exhaustive()
    }
}
