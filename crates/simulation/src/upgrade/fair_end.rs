use super::{Scenario, Upgrades};
use crate::{Faults, World};

/// The number of rounds after which a world that still changes does not settle.
const ROUNDS: usize = 100;
/// The number of messages of a round after which they never end.
const MESSAGES: usize = 200;

/// Lets everything that is begun come to its end, without faults.
pub(super) fn settle(world: &mut Upgrades) {
    let Scenario { faults, requests, upgrades, cancels, stops, .. } = &mut world.scenario;
    (*faults, *requests, *upgrades, *cancels, *stops) = (Faults::NONE, 0, 0, 0, 0);
    for _ in 0..ROUNDS {
        if !round(world) {
            break;
        }
    }
}

/// Delivers all messages, and those that they lead to.
pub(super) fn deliver_all(world: &mut Upgrades) {
    for _ in 0..MESSAGES {
        let Some(envelope) = world.network.pop_first() else { break };
        world.deliver(&envelope);
    }
}

/// Lets all processes do what they can; false if that is nothing, or if messages never end.
fn round(world: &mut Upgrades) -> bool {
    deliver_all(world);
    if !world.network.is_empty() {
        return false;
    }
    let actions = world.process_actions();
    actions.iter().for_each(|it| world.apply(it));
    !actions.is_empty()
}
