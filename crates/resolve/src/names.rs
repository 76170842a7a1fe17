//! Numbers by name.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use crate::{Id, normal::Var};

/// The numbers of variables. Nothing depends on the iteration order of the map.
pub(crate) type Names = HashMap<Id, Var, BuildHasherDefault<NameHasher>>;

/// Mixes eight bytes at a time; most of the work on a problem of many versions is to find names.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct NameHasher(u64);

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

impl NameHasher {
    fn mix(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(ODD);
        self.0 = (product as u64) ^ (product >> 64) as u64;
    }
}

impl Hasher for NameHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
        let rest = chunks.remainder();
        let mut word = [0; 8];
        word[..rest.len()].copy_from_slice(rest);
        self.mix(u64::from_le_bytes(word) ^ (bytes.len() as u64) << 56);
    }

    /// The terminator of a text adds nothing to its length.
    fn write_u8(&mut self, _end: u8) {}

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::BuildHasher;

    use super::*;

    #[test]
    fn names_that_are_alike_differ() {
        let hasher = BuildHasherDefault::<NameHasher>::default();
        let mut names: Vec<String> =
            (0..100).flat_map(|p| (0..100).map(move |v| format!("p{p}@{v}"))).collect();
        names.extend(["", "a", "a\0", "aaaaaaaa", "aaaaaaaab", "aaaaaaaa\0"].map(String::from));
        let low = |it: &String| hasher.hash_one(it.as_str()) & 0xF_FFFF;
        let different: BTreeSet<u64> = names.iter().map(low).collect();
        // Of ten thousand names in a million places some fifty collide by chance.
        assert!(different.len() > names.len() - 100, "{}", different.len());
    }
}
