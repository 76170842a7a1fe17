//! What is on its way, so that it is not sent again: otherwise there would be infinitely many worlds.

use regions::upgrade::Shard;

use super::{Body, Place, Upgrades};
use crate::registry::Id;

impl Upgrades {
    /// True if a change of a process, or the reply to it, is on its way.
    pub(super) fn is_announcing(&self, place: Place) -> bool {
        let mut bodies = self.network.iter().filter(|it| it.process == place && !it.late).map(|it| &it.body);
        bodies.any(|it| match it {
            Body::Request(_) | Body::State(_) => true,
            Body::Copied { .. } => false,
        })
    }

    /// True if something that a copier has read for a shard is on its way.
    pub(super) fn is_copying(&self, place: Place, version: Id, part: Shard) -> bool {
        let mut bodies = self.network.iter().filter(|it| it.process == place && !it.late).map(|it| &it.body);
        bodies.any(|it| match it {
            Body::Request(_) | Body::State(_) => false,
            Body::Copied { to, shard, .. } => (*to, *shard) == (version, part),
        })
    }
}
