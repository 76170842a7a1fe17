use std::time::Duration;

use crate::random::SplitMix64;

/// In milliseconds.
const FIRST: u64 = 500;
/// In milliseconds.
const LONGEST: u64 = 60_000;

/// The delay after the `failures`-th failure in a row, from 1: 500 ms, multiplied by 1.5 each time, at most
/// 60 s, with a jitter of ±50 % so that jobs that failed together are not retried together.
pub(crate) fn delay(failures: u32, random: &mut SplitMix64) -> Duration {
    let mut base = FIRST;
    for _ in 1..failures {
        base = (base + base / 2).min(LONGEST);
        if base == LONGEST {
            break;
        }
    }
    Duration::from_millis((base / 2 + random.below(base + 1)).min(LONGEST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grows_by_half_within_half_up_to_a_minute() {
        let mut random = SplitMix64::seeded(7);
        for (failures, base) in [(1, 500), (2, 750), (3, 1125), (12, 43_248), (1000, 60_000)] {
            for _ in 0..100 {
                let waited = delay(failures, &mut random).as_millis();
                assert!((base / 2..=base + base / 2).contains(&waited), "{failures}: {waited}");
                assert!(waited <= 60_000, "{failures}: {waited}");
            }
        }
    }
}
