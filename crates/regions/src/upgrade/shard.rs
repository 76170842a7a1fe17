use std::num::NonZeroU16;

/// The number of a shard: a part of the resources, which is copied by itself.
pub type Shard = u16;

/// The shard of a resource by its name, as Goten has it: FNV-1a with 64 bits, modulo the number of shards (source: the
/// definitions of Goten's SDK, `runtime/store/sharding`).
pub fn shard_of(name: &str, shards: NonZeroU16) -> Shard {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // The remainder is less than the number of shards.
    Shard::try_from(hash % u64::from(shards.get())).unwrap_or_default()
}
