use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::{Rc, Weak},
};

use protocol::ResourceId;
use tokio::{
    sync::{Notify, mpsc},
    task::spawn_local,
};

use crate::{Allowed, engine::Engine};

/// The state that all calls share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    pub(crate) allowed: Allowed,
    /// The resources whose creation was cancelled, until they are removed.
    given_up: RefCell<BTreeSet<String>>,
    given_up_less: Notify,
    take_away: mpsc::UnboundedSender<ResourceId>,
    /// The progress of pulls and builds, by the id of their resource.
    progress: RefCell<BTreeMap<String, String>>,
}

impl Shared {
    pub(crate) fn new(engine: Engine, allowed: Allowed) -> Rc<Self> {
        let (take_away, given_up) = mpsc::unbounded_channel();
        let shared = Rc::new(Self {
            engine,
            allowed,
            given_up: RefCell::default(),
            given_up_less: Notify::new(),
            take_away,
            progress: RefCell::default(),
        });
        spawn_local(clean(Rc::downgrade(&shared), given_up));
        shared
    }

    /// Waits until the resource is not being removed.
    pub(crate) async fn settled(&self, id: &ResourceId) {
        while self.given_up.borrow().contains(&id.id) {
            self.given_up_less.notified().await;
        }
    }

    pub(crate) fn progress(&self, id: &str) -> Option<String> {
        self.progress.borrow().get(id).cloned()
    }

    pub(crate) fn set_progress(&self, id: &str, message: String) {
        self.progress.borrow_mut().insert(id.to_owned(), message);
    }

    fn is_over(&self, id: &str) {
        self.progress.borrow_mut().remove(id);
    }
}

async fn clean(shared: Weak<Shared>, mut given_up: mpsc::UnboundedReceiver<ResourceId>) {
    while let Some(id) = given_up.recv().await {
        let Some(shared) = shared.upgrade() else { return };
        // What cannot be removed is tried again when the resource is created or destroyed.
        _ = shared.clear(&id, std::time::Duration::ZERO).await;
        shared.given_up.borrow_mut().remove(&id.id);
        shared.given_up_less.notify_waiters();
    }
}

/// A creation in progress. If it is dropped before its end, the creation is cancelled, and the resource
/// removed.
#[derive(Debug)]
pub(crate) struct Making {
    shared: Rc<Shared>,
    id: Option<ResourceId>,
}

impl Making {
    pub(crate) fn new(shared: &Rc<Shared>, id: &ResourceId) -> Self {
        Self { shared: shared.clone(), id: Some(id.clone()) }
    }

    /// The creation ended, successfully or not.
    pub(crate) fn end(mut self) {
        if let Some(id) = self.id.take() {
            self.shared.is_over(&id.id);
        }
    }
}

impl Drop for Making {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.shared.is_over(&id.id);
            self.shared.given_up.borrow_mut().insert(id.id.clone());
            if self.shared.take_away.send(id.clone()).is_err() {
                self.shared.given_up.borrow_mut().remove(&id.id);
            }
        }
    }
}
