use std::cell::RefCell;

use runtime::SplitMix64;

use crate::Random;

/// A random source that gives the same bytes for the same seed: for tests only.
#[derive(Debug)]
pub struct SeededRandom(RefCell<SplitMix64>);

impl SeededRandom {
    /// A source with that seed.
    pub const fn new(seed: u64) -> Self {
        Self(RefCell::new(SplitMix64::seeded(seed)))
    }

    /// The next number (SplitMix64).
    pub fn next(&self) -> u64 {
        self.0.borrow_mut().draw()
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        bytes
            .chunks_mut(8)
            .for_each(|chunk| chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]));
    }
}
