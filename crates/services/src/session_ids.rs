//! Ids and UUIDs that a session gives.

use std::{
    cell::Cell,
    sync::atomic::{AtomicU64, Ordering},
};

/// Random numbers of a sequence that a seed repeats (SplitMix64).
pub(crate) fn ids(seed: u32) -> impl Fn() -> u64 {
    let state = Cell::new(start(seed));
    move || {
        state.set(state.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        mix(state.get())
    }
}

/// The beginning of a sequence; those of two seeds do not meet.
fn start(seed: u32) -> u64 {
    u64::from(seed) << 32
}

const fn mix(mut number: u64) -> u64 {
    number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// UUIDs of a sequence that a seed repeats, of the form of version 4.
pub(crate) fn uuids(seed: u32) -> impl Fn() -> String + Send + Sync {
    let count = AtomicU64::new(start(seed));
    move || {
        let seed = count.fetch_add(2, Ordering::Relaxed);
        let (high, low) = (mix(seed.wrapping_add(1)), mix(seed.wrapping_add(2)));
        let (high, low) = (high & !0xf000 | 0x4000, low & !(0b11 << 62) | (0b10 << 62));
        format!(
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            high >> 32,
            high >> 16 & 0xffff,
            high & 0xffff,
            low >> 48,
            low & 0xffff_ffff_ffff
        )
    }
}
