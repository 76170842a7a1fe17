use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::watch;

use crate::{Api, Behavior, Offer, Record, Runner};

/// The ports of an activity that answer in a virtual private network, unless others are chosen.
pub const PORTS: [u16; 6] = [80, 4001, 5000, 5066, 8000, 8080];

/// The settings of a provider.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its offer.
    pub offer: Offer,
    /// Its behavior from the start on.
    pub behavior: Behavior,
    /// The source of the outcomes of its commands.
    pub runner: Runner,
    /// The ports of its activities that answer HTTP in virtual private networks.
    pub ports: Vec<u16>,
}

impl Settings {
    /// An honest provider with this name.
    pub fn named(name: impl Into<String>) -> Self {
        let ports = PORTS.to_vec();
        Self { offer: Offer::named(name), behavior: Behavior::default(), runner: Runner::default(), ports }
    }
}

/// A simulated provider of the network. Copies of this handle are handles of the same provider.
#[derive(Clone)]
pub struct Provider(Arc<Shared>);

/// The state that the handle of a provider and its agent share.
pub(crate) struct Shared {
    pub(crate) settings: Settings,
    pub(crate) identity: String,
    pub(crate) api: Api,
    behavior: Mutex<Behavior>,
    record: Mutex<Record>,
    alive: watch::Sender<bool>,
    /// The number of times that its offer was published.
    pub(crate) published: watch::Sender<usize>,
}

impl Provider {
    pub(crate) fn new(settings: Settings, identity: String, api: Api) -> Self {
        let (behavior, record) = (Mutex::new(settings.behavior.clone()), Mutex::default());
        let (alive, published) = (watch::Sender::new(true), watch::Sender::new(0));
        Self(Arc::new(Shared { settings, identity, api, behavior, record, alive, published }))
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.0)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.settings.offer.name
    }

    /// Its identity, which is the id of its node and the address that it is paid at.
    pub fn identity(&self) -> &str {
        &self.0.identity
    }

    /// The REST API of its daemon, for its identity.
    pub fn api(&self) -> &Api {
        &self.0.api
    }

    /// Changes how it behaves, from its next answer on.
    pub fn set(&self, behavior: Behavior) {
        *held(&self.0.behavior) = behavior;
    }

    /// Its current behavior.
    pub fn behavior(&self) -> Behavior {
        self.0.behavior()
    }

    /// Its record since the network started.
    pub fn record(&self) -> Record {
        held(&self.0.record).clone()
    }

    /// Lets it disappear at once, with its activities: it says nothing, and nothing of it answers. Its offer stays in
    /// the market until it is revived, as the offer of a machine that lost its power does for a while.
    pub fn kill(&self) {
        self.0.alive.send_replace(false);
    }

    /// Starts it again after [`Provider::kill`], with a new offer and without its earlier activities.
    pub fn revive(&self) {
        self.0.alive.send_replace(true);
    }

    /// True if it runs.
    pub fn is_alive(&self) -> bool {
        *self.0.alive.borrow()
    }

    /// Returns when its offer was published `times` times since the network started.
    pub async fn published(&self, times: usize) {
        let _ = self.0.published.subscribe().wait_for(|count| *count >= times).await;
    }
}

impl Shared {
    pub(crate) fn behavior(&self) -> Behavior {
        held(&self.behavior).clone()
    }

    pub(crate) fn record(&self, note: impl FnOnce(&mut Record)) {
        note(&mut held(&self.record));
    }

    /// Returns when it is alive, or is not.
    pub(crate) async fn until(&self, alive: bool) {
        let _ = self.alive.subscribe().wait_for(|it| *it == alive).await;
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("name", &self.name()).field("identity", &self.identity()).finish()
    }
}
