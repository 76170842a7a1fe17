use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs::File,
    rc::{Rc, Weak},
    time::SystemTime,
};

use ::adapter::ResourceRequest;
use protocol::{ResourceId, Transport};
use tokio::{
    sync::{Mutex, Notify, mpsc},
    task::spawn_local,
    time::Instant,
};

use crate::{Options, folder::Folder, rental::Stage, timestamp, yagna::Yagna};

/// The state that all calls share.
pub(crate) struct Shared {
    pub(crate) yagna: Yagna,
    /// For the image registry.
    pub(crate) transport: Rc<dyn Transport>,
    pub(crate) options: Options,
    pub(crate) folder: Folder,
    /// One allocation is created, and one address of a network is chosen, at a time.
    pub(crate) turn: Mutex<()>,
    /// Since when the providers of activities cannot be reached, by activity.
    pub(crate) unreachable: RefCell<BTreeMap<String, Instant>>,
    /// The providers that services of a network are about to be rented from, by the id of the service.
    pub(crate) reserved: RefCell<BTreeMap<String, (String, String)>>,
    progress: RefCell<BTreeMap<String, String>>,
    /// The resources whose creation was cancelled, until they are ended.
    given_up: RefCell<BTreeSet<String>>,
    given_up_less: Notify,
    take_away: mpsc::UnboundedSender<GivenUp>,
    /// The lock of the folder; `None` if it is only read.
    lock: Option<File>,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn new(
        options: Options,
        transport: Rc<dyn Transport>,
        folder: Folder,
        lock: Option<File>,
    ) -> Rc<Self> {
        let (take_away, given_up) = mpsc::unbounded_channel();
        let shared = Rc::new(Self {
            yagna: Yagna::new(transport.clone(), &options.api_url, &options.app_key, options.silence),
            transport,
            options,
            folder,
            turn: Mutex::default(),
            unreachable: RefCell::default(),
            reserved: RefCell::default(),
            progress: RefCell::default(),
            given_up: RefCell::default(),
            given_up_less: Notify::new(),
            take_away,
            lock,
        });
        spawn_local(clean(Rc::downgrade(&shared), given_up));
        shared
    }

    /// True if the folder is this adapter's, and not only read.
    pub(crate) const fn is_owner(&self) -> bool {
        self.lock.is_some()
    }

    /// Waits until the resource is not being ended.
    pub(crate) async fn settled(&self, id: &ResourceId) {
        while self.given_up.borrow().contains(&id.id) {
            self.given_up_less.notified().await;
        }
    }

    pub(crate) fn progress(&self, id: &str) -> Option<String> {
        self.progress.borrow().get(id).cloned()
    }

    /// The progress begins with the state, as dapp-runner calls it.
    pub(crate) fn set_progress(&self, id: &str, stage: Stage, message: &str) {
        self.progress.borrow_mut().insert(id.to_owned(), format!("{}: {message}", stage.name()));
    }

    pub(crate) fn is_over(&self, id: &str) {
        self.progress.borrow_mut().remove(id);
        self.reserved.borrow_mut().remove(id);
    }

    /// Records that a provider failed.
    pub(crate) fn provider_failed(&self, provider: &str) {
        let mut failures = self.folder.failures();
        let entry = failures.entry(provider.to_owned()).or_default();
        *entry = (entry.0.saturating_add(1), timestamp::millis(SystemTime::now()));
        // What cannot be written is only forgotten.
        _ = self.folder.put_failures(&failures);
    }
}

/// A service whose creation was cancelled.
#[derive(Clone, Debug)]
struct GivenUp {
    id: String,
    deployment: String,
}

async fn clean(shared: Weak<Shared>, mut given_up: mpsc::UnboundedReceiver<GivenUp>) {
    while let Some(GivenUp { id, deployment }) = given_up.recv().await {
        let Some(shared) = shared.upgrade() else { return };
        // What cannot be ended is tried again when the resource is created or destroyed.
        _ = shared.end_service(&id, "its creation was cancelled").await;
        _ = shared.settle_deployment(&deployment).await;
        shared.given_up.borrow_mut().remove(&id);
        shared.given_up_less.notify_waiters();
    }
}

/// A creation in progress. If it is dropped before its end, the creation is cancelled, and what was rented is
/// given back.
#[derive(Debug)]
pub(crate) struct Renting {
    shared: Rc<Shared>,
    of: Option<GivenUp>,
}

impl Renting {
    pub(crate) fn new(shared: &Rc<Shared>, requested: &ResourceRequest) -> Self {
        let (id, deployment) = (requested.id.id.clone(), requested.deployment.clone());
        Self { shared: shared.clone(), of: Some(GivenUp { id, deployment }) }
    }

    /// The creation ended, successfully or not.
    pub(crate) fn end(mut self) {
        if let Some(of) = self.of.take() {
            self.shared.is_over(&of.id);
        }
    }
}

impl Drop for Renting {
    fn drop(&mut self) {
        if let Some(of) = self.of.take() {
            self.shared.is_over(&of.id);
            self.shared.given_up.borrow_mut().insert(of.id.clone());
            if self.shared.take_away.send(of.clone()).is_err() {
                self.shared.given_up.borrow_mut().remove(&of.id);
            }
        }
    }
}
