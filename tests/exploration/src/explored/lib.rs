//! The worlds that are explored.

pub mod copies;
pub mod explore;
pub mod random;
pub mod references;
pub mod registration;
pub mod upgrade;

use std::fmt;

use explore::Exploration;
use random::Run;
use simulation::World;

/// A world, with everything that can happen in it.
pub struct Exploring {
    /// The protocol, as it is named on the command line.
    pub protocol: &'static str,
    /// The world.
    pub name: String,
    explore: Box<dyn Fn(usize) -> Exploration>,
}

impl Exploring {
    /// A world of a protocol.
    pub fn new(
        protocol: &'static str,
        name: String,
        explore: impl Fn(usize) -> Exploration + 'static,
    ) -> Self {
        Self { protocol, name, explore: Box::new(explore) }
    }

    /// Tries everything that can happen, up to a number of steps.
    pub fn explore(&self, steps: usize) -> Exploration {
        (self.explore)(steps)
    }
}

/// A large world in which actions are chosen at random, for a long simulated time.
pub struct Running {
    /// The protocol.
    pub protocol: &'static str,
    run: Box<dyn Fn(u64, i64) -> Run>,
}

impl Running {
    /// A world of a protocol.
    pub fn new<W: World + 'static>(protocol: &'static str, world: W) -> Self {
        Self { protocol, run: Box::new(move |seed, time| random::run(&world, seed, time)) }
    }

    /// Lets actions happen that a seed chooses, for a time in milliseconds.
    pub fn run(&self, seed: u64, time: i64) -> Run {
        (self.run)(seed, time)
    }
}

/// A world of each protocol with four or five deployments.
pub fn long() -> Vec<Running> {
    vec![references::long(), copies::long(), registration::long(), upgrade::long()]
}

/// Worlds that are explored completely in seconds.
pub fn small() -> Vec<Exploring> {
    let first = references::small().into_iter().chain(copies::small());
    first.chain(registration::small()).chain(upgrade::small()).collect()
}

/// Larger ones, in which more faults are found.
pub fn medium() -> Vec<Exploring> {
    references::medium()
}

/// Those of which as much is explored as there is time for.
pub fn large() -> Vec<Exploring> {
    let first = references::large().into_iter().chain(copies::large());
    first.chain(registration::large()).chain(upgrade::large()).collect()
}

impl fmt::Debug for Exploring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exploring").field("name", &self.name).finish_non_exhaustive()
    }
}

impl fmt::Debug for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Running").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}
