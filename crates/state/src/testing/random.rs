use std::cell::Cell;

use crate::Random;

/// The same bytes for the same seed: for tests only.
#[derive(Debug)]
pub struct SeededRandom(Cell<u64>);

impl SeededRandom {
    /// One that begins there.
    pub const fn new(seed: u64) -> Self {
        Self(Cell::new(seed))
    }

    /// The next number (SplitMix64).
    pub fn next(&self) -> u64 {
        let state = self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15);
        self.0.set(state);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        bytes
            .chunks_mut(8)
            .for_each(|chunk| chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]));
    }
}
