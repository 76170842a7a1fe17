//! Many texts that are searched for at once.

use std::{collections::BTreeMap, ops::ControlFlow, sync::Arc};

use super::view::Span;

/// Texts to search for, none shorter than [`PREFIX`] bytes.
#[derive(Clone, Default)]
pub(super) struct Needles {
    by_prefix: BTreeMap<[u8; PREFIX], Vec<Arc<[u8]>>>,
    /// One bit for each hash of a prefix: at most places of most texts none begins. Empty as long as there are none.
    filter: Vec<u64>,
}

const PREFIX: usize = 4;

/// The number of bits of the hash of a prefix that are distinguished.
const HASH_BITS: u32 = 14;

impl Needles {
    pub(super) fn add(&mut self, needle: &[u8]) {
        let Some(prefix) = needle.first_chunk::<PREFIX>() else { return };
        self.filter.resize(1 << (HASH_BITS - 6), 0);
        let hash = hash(*prefix);
        self.filter[hash >> 6] |= 1 << (hash & 63);
        let known = self.by_prefix.entry(*prefix).or_default();
        if !known.iter().any(|it| **it == *needle) {
            known.push(needle.into());
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.filter.is_empty()
    }

    /// Tells at each place where some begin the longest of them.
    pub(super) fn search(
        &self,
        text: &[u8],
        mut found: impl FnMut(Span) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.is_empty() {
            return ControlFlow::Continue(());
        }
        for (start, window) in text.windows(PREFIX).enumerate() {
            let Some(prefix) = window.first_chunk::<PREFIX>() else { continue };
            let hash = hash(*prefix);
            if self.filter[hash >> 6] >> (hash & 63) & 1 == 1
                && let Some(end) = self.longest(&text[start..], prefix)
            {
                found((start, start + end))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn longest(&self, rest: &[u8], prefix: &[u8; PREFIX]) -> Option<usize> {
        let known = self.by_prefix.get(prefix)?;
        known.iter().filter(|it| rest.starts_with(it)).map(|it| it.len()).max()
    }
}

const fn hash(prefix: [u8; PREFIX]) -> usize {
    (u32::from_le_bytes(prefix).wrapping_mul(0x9e37_79b1) >> (u32::BITS - HASH_BITS)) as usize
}
