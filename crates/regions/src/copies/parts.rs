use super::{Changes, Reply};

impl<K: Ord + Clone, V: Clone> Reply<K, V> {
    /// The message as several ones with at most `limit` changes each, for a reader whose store takes no more in one transaction.
    ///
    /// Each part is true by itself: all but the last one state single changes and say of no further revision that nothing else
    /// has changed, as those after a gap do. A page is not divided; an owner is asked for shorter ones.
    pub fn parts(self, limit: usize) -> Vec<Self> {
        match self {
            Self::Changes(changes) if changes.changes.len() > limit.max(1) => changes.parts(limit.max(1)),
            Self::Changes(_) | Self::Resync(_) | Self::Page(_) => vec![self],
        }
    }
}

impl<K: Ord + Clone, V: Clone> Changes<K, V> {
    fn parts(self, limit: usize) -> Vec<Reply<K, V>> {
        let count = self.changes.chunks(limit).count();
        let part = |(at, changes): (usize, &[super::Change<K, V>])| {
            let upto = if at + 1 == count { self.upto } else { self.after };
            Reply::Changes(Self { after: self.after, upto, changes: changes.to_vec() })
        };
        self.changes.chunks(limit).enumerate().map(part).collect()
    }
}
