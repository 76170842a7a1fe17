use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use api::Api;
use host::ApiHandler;
use regions::Deployment;

/// The copies of what other regions own.
#[derive(Clone)]
pub(super) struct Regions {
    api: Rc<Api>,
    answering: ApiHandler,
    /// The regions that are copied from.
    owners: Rc<RefCell<BTreeSet<Deployment>>>,
}

impl Regions {
    pub(super) fn new(api: Rc<Api>, answering: ApiHandler) -> Self {
        Self { api, answering, owners: Rc::default() }
    }

    /// Copies in the background, from those other regions that it does not copy from yet, as long as they are there.
    pub(super) fn copy(&self) {
        for owner in self.api.other_regions() {
            if !self.owners.borrow_mut().insert(owner.clone()) {
                continue;
            }
            let copying = host::copy(self.answering.clone(), self.api.clone(), owner.clone());
            let owners = self.owners.clone();
            tokio::task::spawn_local(async move {
                copying.await;
                owners.borrow_mut().remove(&owner);
            });
        }
    }
}
