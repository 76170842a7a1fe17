use regions::copies::VersionSets;

use super::{ReaderNode, Replication, ResourceId};

/// The number of rounds after which a world that still changes does not settle.
const ROUNDS: usize = 1_000;

/// Delivers everything that is sent, and lets all send what they owe, until nothing is left.
pub(super) fn settle(world: &mut Replication) {
    world.end_faults();
    for _ in 0..ROUNDS {
        world.deliver_all();
        let refreshed = world.refresh_all();
        if !world.send_all() && !refreshed {
            break;
        }
    }
}

/// A record that is left for no reason, or a copy that is not what the owner and the policy say.
pub(super) fn unsettled(world: &Replication) -> Option<String> {
    if let Some(id) = world.owner().outdated() {
        return Some(format!("resource {id} is never written under the new policy"));
    }
    let wrong = |reader: &ReaderNode| {
        let differing =
            differing(world, reader).map(|(id, why)| format!("resource {id} in region {}: {why}", reader.id));
        differing.or_else(|| reader.pending(world.revision()))
    };
    world.readers().values().find_map(wrong)
}

/// The first resource whose copy has another revision than it has to have in the end.
fn differing(world: &Replication, reader: &ReaderNode) -> Option<(ResourceId, &'static str)> {
    let mut sets = VersionSets::default();
    if world.owner().policy.contains(&reader.id) {
        world.owner().resources.iter().for_each(|(id, it)| sets.set_source(id, it.revision));
    }
    reader.copies.iter().for_each(|(id, it)| sets.set_copy(id, it.revision));
    if sets.are_equal() {
        return None;
    }
    let (id, versions) = sets.differing(None).next()?;
    Some((
        *id,
        match (versions.source, versions.copy) {
            (0, _) => "there is a copy that there must not be",
            (_, 0) => "there is no copy",
            (source, copy) if copy < source => "the copy is old",
            _ => "the copy is newer than the resource",
        },
    ))
}
