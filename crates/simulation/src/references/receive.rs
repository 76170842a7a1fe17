//! What a deployment does with messages.

use regions::references::{ReferenceId, Reply, Request, answer, take};

use super::{Node, NodeId, ResourceId};

impl Node {
    /// Answers a request.
    pub(super) fn answer(&mut self, request: &Request<NodeId, ResourceId>) -> Reply<ResourceId> {
        let is_open = request.number().is_some_and(|it| self.is_open(it));
        answer(self, request, 0, is_open)
    }

    /// Takes a reply to a request of an exchange.
    pub(super) fn take(
        &mut self,
        from: NodeId,
        exchange: u64,
        request: &Request<NodeId, ResourceId>,
        reply: &Reply<ResourceId>,
    ) {
        match request {
            Request::Establish { id, key } => self.established(*id, *key, reply),
            Request::Check { key } => self.checked(from, exchange, *key, reply),
            Request::Confirm { .. } | Request::Status { .. } | Request::Deleted { .. } => {
                take(self, &from, request, reply);
            }
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
