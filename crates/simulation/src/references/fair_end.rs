use super::{Action, Behavior, NodeId, References, ResourceId};
use crate::World;

/// The number of rounds after which a world that still changes does not settle.
const ROUNDS: usize = 50;

/// Delivers everything that is sent, and lets deployments send what their records demand, until nothing is left. A client
/// whose reply was lost does not wait for it for ever.
pub(super) fn settle(world: &mut References) {
    world.end_faults();
    for _ in 0..ROUNDS {
        world.deliver_all();
        while world.ask_all() {
            world.deliver_all();
        }
        world.give_up_all();
        let sent = world.upkeep_all();
        let worked = world.work_all();
        if !sent && !worked {
            break;
        }
    }
}

/// A record that is left for no reason, or a resource that cannot be deleted although nothing forbids it.
pub(super) fn unsettled(world: &mut References, id: NodeId) -> Option<String> {
    let node = world.nodes().get(&id)?;
    for (key, record) in &node.back_references {
        if !record.tentative.is_empty() {
            return Some(format!("a reference to {key} stays tentative for ever"));
        }
        if record.deleted.is_some() {
            return Some(format!("the deletion of {key} never ends"));
        }
    }
    for (key, remote) in &node.remotes {
        if !remote.unconfirmed.is_empty() {
            return Some(format!("a reference to {key} is never confirmed"));
        }
        if remote.deleted {
            return Some(format!("what refers to {key}, which was deleted, is never changed"));
        }
    }
    let resources: Vec<ResourceId> = node.resources.keys().copied().collect();
    resources.into_iter().find_map(|it| stuck(world, it))
}

/// A deletion that nothing forbids, and that does not happen.
fn stuck(world: &References, resource: ResourceId) -> Option<String> {
    let is_blocking = |it: &(ResourceId, &super::Resource, Behavior)| {
        it.1.reference == Some(resource) && it.2 == Behavior::Block
    };
    let mut all = world
        .nodes()
        .values()
        .flat_map(|node| node.resources.iter().map(|(id, it)| (*id, it, node.behavior(*id))));
    let blocked = all.any(|it| is_blocking(&it) && world.owner_of(it.0) != world.owner_of(resource));
    let mut after = world.clone();
    after.apply(&Action::Delete(resource));
    after.settle();
    let is_there =
        after.nodes().get(&world.owner_of(resource)).is_some_and(|it| it.resources.contains_key(&resource));
    match (blocked, is_there) {
        (false, true) => Some(format!("{resource} cannot be deleted, although nothing refers to it")),
        (true, false) => Some(format!("{resource} was deleted, although another resource forbids it")),
        _ => None,
    }
}
