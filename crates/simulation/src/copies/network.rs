//! The messages that readers send, and when they send them again.

use std::collections::BTreeSet;

use regions::copies::{Reply, Request};

use super::{Body, Envelope, NodeId, Owner, ReaderNode, ResourceId};

/// The messages on their way.
pub(super) type Network = BTreeSet<Envelope>;

/// The requests that a reader sends again, if a time has passed in which all messages to it would have arrived.
pub(super) fn upkeep(network: &Network, owner: &Owner, reader: &ReaderNode) -> Vec<Envelope> {
    let requests = reader.requests().into_iter();
    let needed = requests.filter(|it| is_needed(owner, reader, it) && !is_on_its_way(network, reader.id, it));
    needed.map(|it| request(reader.id, it)).collect()
}

/// The requests that a reader sends again earlier.
pub(super) fn timeout(network: &Network, owner: &Owner, reader: &ReaderNode) -> Vec<Envelope> {
    let requests = reader.requests().into_iter();
    let early = requests.filter(|it| !is_needed(owner, reader, it) || is_on_its_way(network, reader.id, it));
    early.map(|it| request(reader.id, it)).filter(|it| !network.contains(it)).collect()
}

const fn request(reader: NodeId, request: Request<ResourceId>) -> Envelope {
    Envelope { reader, body: Body::Request(request) }
}

/// False if a request would change nothing: the owner sends the reader what it needs already. Otherwise there would be
/// infinitely many ways to send it.
fn is_needed(owner: &Owner, reader: &ReaderNode, request: &Request<ResourceId>) -> bool {
    match request {
        Request::Watch { after } => owner.watches.sent(&reader.id) != Some(*after),
        Request::Page { .. } => true,
    }
}

/// True if a request of this kind, or a reply, is on its way.
fn is_on_its_way(network: &Network, reader: NodeId, request: &Request<ResourceId>) -> bool {
    network.iter().filter(|it| it.reader == reader).any(|it| match &it.body {
        Body::Request(sent) => is_page(sent) == is_page(request),
        Body::Reply(reply) => matches!(reply, Reply::Page(_)) == is_page(request),
    })
}

const fn is_page(request: &Request<ResourceId>) -> bool {
    matches!(request, Request::Page { .. })
}
