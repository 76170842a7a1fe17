//! The worlds that are explored.

pub mod copies;
pub mod explore;
pub mod references;
pub mod registration;
pub mod upgrade;

use std::fmt;

use explore::Exploration;

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
