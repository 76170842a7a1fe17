//! What has to be true of upgrades.

use regions::{
    copies::{Progress, Source},
    upgrade::{ActiveVersion, Following, Stage},
};

use super::{Region, ResourceId, Server, Storage, Upgrades};
use crate::registry::Id;

/// A promise that is broken in any state.
pub(super) fn broken(world: &Upgrades) -> Option<String> {
    world.regions.iter().find_map(|(id, region)| {
        let entry = world.entry(*id)?;
        let why = broken_region(world, region, entry)?;
        Some(format!("region {id}: {why}"))
    })
}

fn broken_region(world: &Upgrades, region: &Region, entry: &ActiveVersion<Id>) -> Option<String> {
    let current = region.storages.get(&entry.current_version)?;
    let is_copied_to = current.shards.values().any(|(following, _)| following.is_open());
    let target = entry.upgrade_state.as_ref().map(|it| it.target_version);
    let is_missing = |it: &Id| world.scenario.regions.values().any(|versions| !versions.contains(it));
    let servers = region.servers.iter();
    let wrong = servers.filter_map(|(id, it)| wrong_answer(region, *id, it)).next();
    match (region.violation, wrong) {
        (Some(why), _) => Some(why.to_owned()),
        (None, Some(why)) => Some(why),
        _ if is_copied_to => Some("resources are copied into the current storage".to_owned()),
        _ if target.as_ref().is_some_and(is_missing) => {
            Some("an upgrade has begun to a version that another region does not have".to_owned())
        }
        _ if entry.stage() == Some(Stage::Switching) && !entry.is_frozen() => {
            Some("versions are switched, and no time of refusal is noted".to_owned())
        }
        _ => None,
    }
}

/// An answer of a server that is not what clients have written.
fn wrong_answer(region: &Region, id: Id, server: &Server) -> Option<String> {
    let version = server.node.view()?.version();
    let place = |it: &Id| version.supported_versions.iter().position(|version| version == it);
    let served = version.supported_versions.iter().filter(|it| place(it) <= place(&version.current_version));
    let is_wrong = |version: &&Id| {
        let storage = server.node.read(version).ok().and_then(|it| region.storages.get(&it));
        storage.is_some_and(|it| !it.has(&region.truth))
    };
    let wrong = served.into_iter().find(is_wrong)?;
    Some(format!("server {id} does not answer with what clients have written, in version {wrong}"))
}

/// A record that must not be left.
pub(super) fn unsettled(world: &Upgrades) -> Option<String> {
    if !world.network.is_empty() {
        return Some("messages are sent for ever".to_owned());
    }
    world.regions.iter().find_map(|(id, region)| {
        let entry = world.entry(*id)?;
        let servers = region.servers.iter();
        let pending = unfinished(region, entry)
            .or_else(|| servers.filter_map(|(id, it)| unavailable(*id, it, entry)).next())
            .or_else(|| different(region, entry));
        pending.map(|why| format!("region {id}: {why}"))
    })
}

fn unfinished(region: &Region, entry: &ActiveVersion<Id>) -> Option<String> {
    match &entry.upgrade_state {
        Some(state) => Some(format!("the upgrade to {} never ends", state.target_version)),
        None if entry.current_version != region.decided => {
            Some(format!("the version is {}, and not {}", entry.current_version, region.decided))
        }
        None if entry.is_frozen() => Some("writes are refused for ever".to_owned()),
        None => None,
    }
}

fn unavailable(id: Id, server: &Server, entry: &ActiveVersion<Id>) -> Option<String> {
    if entry.nodes.get(&id) != Some(&entry.generation) {
        return Some(format!("server {id} never observes the last change"));
    }
    let mut node = server.node.clone();
    let version = &entry.current_version;
    let is_refused = node.begin_write(version).is_err() || node.read(version).is_err();
    is_refused.then(|| format!("server {id} refuses requests for ever"))
}

/// A storage that does not follow the current one.
fn different(region: &Region, entry: &ActiveVersion<Id>) -> Option<String> {
    let revision = region.storages.get(&entry.current_version)?.revision();
    let mut others = region.storages.iter().filter(|(version, _)| **version != entry.current_version);
    let is_open = |(following, progress): &(Following, Progress<ResourceId>)| {
        following.is_open() && progress.complete == revision && progress.tombstones.is_empty()
    };
    let is_equal =
        |it: &Storage| it.has(&region.truth) && !it.shards.is_empty() && it.shards.values().all(is_open);
    let (version, _) = others.find(|(_, it)| !is_equal(it))?;
    Some(format!("the storage of version {version} does not follow"))
}
