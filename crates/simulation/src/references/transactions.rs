//! What a deployment does for its clients, and for work that deletions left.

use regions::references::{
    BackReferences, Checking, ReferenceId, Remote, Request, Saving, Unchecked, confirmations, questions,
};

use super::{
    Behavior, Node, NodeId, Resource, ResourceId,
    node::{Checked, Saved},
};

/// A request that a deployment sends: to whom, and the number of the exchange.
pub(super) type Outgoing = (NodeId, u64, Request<NodeId, ResourceId>);

impl Node {
    /// Begins to save a resource with a reference. It is saved at once if nothing has to be established.
    pub(super) fn save(
        &mut self,
        resource: ResourceId,
        reference: Option<ResourceId>,
        owner: Option<NodeId>,
    ) -> Vec<Outgoing> {
        let old = self.resources.get(&resource).and_then(|it| it.reference);
        let new = reference.filter(|it| old != Some(*it)).zip(owner.filter(|it| *it != self.id));
        if new.is_none() {
            self.store(resource, reference);
            return Vec::new();
        }
        let number = self.new_number();
        let saving = Saving::new(ReferenceId { source: self.id, number }, new);
        let requests = saving.requests().map(|(owner, request)| (owner, number, request)).collect();
        self.savings.insert(resource, Saved { saving, reference });
        requests
    }

    /// Stores a resource; one that was deleted and that others depend on still cannot be created.
    fn store(&mut self, resource: ResourceId, reference: Option<ResourceId>) -> bool {
        if self.back_references.get(&resource).is_some_and(|it| it.deleted.is_some()) {
            return false;
        }
        let incarnation = self.resources.get(&resource).map(|it| it.incarnation);
        let incarnation = incarnation.unwrap_or_else(|| self.new_number());
        self.resources.insert(resource, Resource { incarnation, reference });
        true
    }

    /// Commits or ends the transaction that saves a resource, if all owners have replied.
    pub(super) fn finish_saving(&mut self, resource: ResourceId) {
        let complete = self.savings.get(&resource).is_some_and(|it| it.saving.is_complete());
        let Some(saved) = complete.then(|| self.savings.remove(&resource)).flatten() else { return };
        if saved.saving.refused().is_empty() && self.store(resource, saved.reference) {
            saved.saving.commit(self);
        }
    }

    /// Deletes a resource, if nobody has to be asked. If it is not known whether others will refer to it, they are asked, and the
    /// client has to send its request again.
    pub(super) fn delete(&mut self, resource: ResourceId) -> Vec<Outgoing> {
        if !self.resources.contains_key(&resource) {
            return Vec::new();
        }
        let nothing = Checking::default();
        match nothing.allows(self, &[resource]) {
            Ok(()) => self.commit_deletion(resource, &nothing),
            Err(Unchecked::Tentative(tentative)) => {
                return tentative.into_iter().map(status_request).collect();
            }
            Err(Unchecked::Sources(_)) => {
                let exchange = self.new_number();
                self.checkings.insert(resource, Checked { checking: None, exchange });
            }
        }
        Vec::new()
    }

    /// Begins to ask the sources of references to a resource whether it can be deleted.
    pub(super) fn ask(&mut self, resource: ResourceId) -> Vec<Outgoing> {
        let Some(exchange) = self.checkings.get(&resource).map(|it| it.exchange) else { return Vec::new() };
        match Checking::begin(self, [resource]) {
            Ok(checking) => {
                let requests = checking.requests().map(|(source, request)| (source, exchange, request));
                let requests = requests.collect();
                self.checkings.insert(resource, Checked { checking: Some(checking), exchange });
                self.finish_checking(resource);
                requests
            }
            Err(tentative) => {
                self.checkings.remove(&resource);
                tentative.into_iter().map(status_request).collect()
            }
        }
    }

    /// The deletions that have not begun to ask.
    pub(super) fn to_ask(&self) -> Vec<(NodeId, ResourceId)> {
        let new = self.checkings.iter().filter(|(_, it)| it.checking.is_none());
        new.map(|(resource, _)| (self.id, *resource)).collect()
    }

    /// Commits or ends the deletion of a resource, if all sources have replied.
    pub(super) fn finish_checking(&mut self, resource: ResourceId) {
        let checking = self.checkings.get(&resource).and_then(|it| it.checking.clone());
        let Some(checking) = checking.filter(Checking::is_complete) else { return };
        self.checkings.remove(&resource);
        if checking.blockers().is_empty() && checking.allows(self, &[resource]).is_ok() {
            self.commit_deletion(resource, &checking);
        }
    }

    fn commit_deletion(&mut self, resource: ResourceId, checking: &Checking<NodeId, ResourceId>) {
        checking.delete(self, &resource);
        self.resources.remove(&resource);
    }

    /// The resources that depend on what was deleted.
    pub(super) fn work(&self) -> Vec<ResourceId> {
        let is_deleted = |it: ResourceId| self.remotes.get(&it).is_some_and(|it| it.deleted);
        let due = self.resources.iter().filter(|(_, it)| it.reference.is_some_and(is_deleted));
        due.map(|(resource, _)| *resource).collect()
    }

    /// The same, but for what waits for others already.
    pub(super) fn idle_work(&self) -> Vec<(NodeId, ResourceId)> {
        let idle = self.work().into_iter().filter(|it| !self.checkings.contains_key(it));
        idle.map(|it| (self.id, it)).collect()
    }

    /// True if anything waits for others.
    pub(super) fn is_waiting(&self) -> bool {
        !self.savings.is_empty() || !self.checkings.is_empty()
    }

    /// Clears the reference of a resource to what was deleted, or deletes the resource.
    pub(super) fn perform(&mut self, resource: ResourceId) -> Vec<Outgoing> {
        match self.behavior(resource) {
            _ if !self.work().contains(&resource) => Vec::new(),
            Behavior::Cascade => self.delete(resource),
            Behavior::Block | Behavior::Unset => {
                self.store(resource, None);
                Vec::new()
            }
        }
    }

    /// What the records demand, at a time at which everything tentative is asked about.
    pub(super) fn upkeep(&self, owner_of: impl Fn(ResourceId) -> NodeId) -> Vec<Outgoing> {
        let owed = |(key, remote): (&ResourceId, &Remote<NodeId>)| {
            let to = owner_of(*key);
            let requests = confirmations(key, remote);
            requests.into_iter().map(|it| (to, 0, it)).collect::<Vec<_>>()
        };
        let asked = |(key, record): (&ResourceId, &BackReferences<NodeId>)| {
            let requests = questions(key, record, 0, 0);
            requests.into_iter().map(|(to, it)| (to, 0, it)).collect::<Vec<_>>()
        };
        let owed = self.remotes.iter().flat_map(owed);
        owed.chain(self.back_references.iter().flat_map(asked)).collect()
    }
}

fn status_request((key, id): (ResourceId, ReferenceId<NodeId>)) -> Outgoing {
    (id.source, 0, Request::Status { id, key })
}
