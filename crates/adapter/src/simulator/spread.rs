use runtime::SplitMix64;

/// A number that depends on a text, evenly distributed: FNV-1a, mixed.
pub(super) fn spread(text: &str) -> u64 {
    SplitMix64::mix(text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    }))
}
