//! What a deployment does with messages.

use regions::references::{
    ReferenceId, Reply, Request, check, confirm, confirmed, deleted, establish, released, resolve, status,
};

use super::{Node, NodeId, ResourceId};

impl Node {
    /// Answers a request.
    pub(super) fn answer(&mut self, request: &Request<NodeId, ResourceId>) -> Reply<ResourceId> {
        match request {
            Request::Establish { id, key } => establish(self, *id, key, 0),
            Request::Confirm { id, key } => confirm(self, id, key),
            Request::Status { id, key } => status(self, id, key, self.is_open(id.number)),
            Request::Check { key } => check(self, key),
            Request::Deleted { key, incarnation } => deleted(self, key, *incarnation),
        }
    }

    /// Takes a reply to a request of an exchange.
    pub(super) fn take(
        &mut self,
        from: NodeId,
        exchange: u64,
        request: &Request<NodeId, ResourceId>,
        reply: &Reply<ResourceId>,
    ) {
        match (request, reply) {
            (Request::Establish { id, key }, _) => self.established(*id, *key, reply),
            (Request::Confirm { id, key }, Reply::Confirmed) => confirmed(self, id, key),
            (Request::Status { id, key }, Reply::Status { status }) => resolve(self, id, key, *status),
            (Request::Check { key }, _) => self.checked(from, exchange, *key, reply),
            (Request::Deleted { key, incarnation }, Reply::Depends { depends: false }) => {
                released(self, &from, key, *incarnation);
            }
            _ => {}
        }
    }

    fn established(&mut self, id: ReferenceId<NodeId>, key: ResourceId, reply: &Reply<ResourceId>) {
        let found = self.savings.iter_mut().find(|(_, it)| *it.saving.id() == id);
        let Some((resource, saved)) = found else { return };
        let resource = *resource;
        saved.saving.reply(&key, reply);
        self.finish_saving(resource);
    }

    fn checked(&mut self, from: NodeId, exchange: u64, key: ResourceId, reply: &Reply<ResourceId>) {
        let Some(checked) = self.checkings.get_mut(&key).filter(|it| it.exchange == exchange) else { return };
        if let Some(checking) = &mut checked.checking {
            checking.reply(&from, &key, reply);
        }
        self.finish_checking(key);
    }
}
