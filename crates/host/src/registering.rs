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
    registry_handler::PREFER,
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
        match self.send(&registry::Request::Watch { after: None }, false).await? {
            registry::Reply::Snapshot { entries, .. } => Ok(entries),
            registry::Reply::State(_) | registry::Reply::Refused { .. } | registry::Reply::Changes { .. } => {
                Err("has replied to something else".to_owned())
            }
        }
    }

    async fn send(&self, request: &registry::Request, waits: bool) -> Result<registry::Reply, String> {
        let mut posted = posting(REGISTRY, request).map_err(|error| error.to_string())?;
        if waits {
            posted.headers_mut().insert(PREFER, HeaderValue::from_static("wait=8"));
        }
        read_reply(&self.address.exchange(&*self.transport, posted, LONGEST + WAIT).await?)
    }
}

/// Registers a service, and follows the registry as long as it is polled. The state is reported whenever it may have changed. `now` is
/// a clock in milliseconds.
pub async fn register(
    client: RegistryClient,
    registration: Registration<Name>,
    now: impl Fn() -> i64,
    report: impl Fn(RegistryState),
) {
    let begin = || Environment::new(registration.clone(), Goal::Registered, PATIENCE, now());
    let mut environment = begin();
    loop {
        let requests = environment.requests(now());
        let waits = environment.surroundings().is_some();
        if requests.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
        for request in requests {
            match client.send(&request, waits).await {
                Ok(reply) if is_reset(&environment, &reply) => environment = begin(),
                Ok(reply) => drop(environment.take(&reply, now())),
                Err(error) => {
                    report(RegistryState::Waiting(format!("the registry {error}")));
                    tokio::time::sleep(PAUSE * 20).await;
                    continue;
                }
            }
            report(state(&environment));
        }
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

/// Withdraws a deployment from the registry: it is not registered afterwards, and its service is not in the region any more. False
/// if it was not registered.
///
/// # Errors
/// The reason why that is not possible.
pub async fn withdraw(
    client: &RegistryClient,
    deployment: &Deployment,
    now: impl Fn() -> i64,
) -> Result<bool, String> {
    let Deployment { service, region } = deployment.clone();
    let name = registry::EntryName::Deployment { service: service.clone(), region: region.clone() };
    let there = client.send(&registry::Request::Read { name }, false).await?;
    let registry::Reply::State(state) = there else { return Err("has replied to something else".to_owned()) };
    let entry = state.entry.as_ref().and_then(|it| it.value.deployment());
    let Some(entry) = entry else { return Ok(false) };
    let (instance, address) = (entry.instance, entry.address.clone());
    let (versions, resources) = (Vec::new(), BTreeMap::new());
    let registration =
        Registration { service, region, instance, address, versions, resources, creates_region: false };
    let mut registrant = Registrant::new(registration, Goal::Withdrawn, PATIENCE, now());
    while registrant.done_at().is_none() {
        if let Some(refusal) = registrant.refusal() {
            return Err(format!("refuses it: {refusal}"));
        }
        match registrant.request(now()) {
            Some(request) => registrant.take(&client.send(&request, false).await?, now()),
            None => tokio::time::sleep(PAUSE).await,
        }
    }
    Ok(true)
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
