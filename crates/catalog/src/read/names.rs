use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::range::{Dialect, Range};

/// Interns what catalogs repeat: names in entries, parts of APIs, ranges.
///
/// These sets are only used for look-ups, never listed.
#[derive(Debug, Default)]
pub(super) struct Names {
    texts: HashSet<Arc<str>>,
    ranges: HashMap<Arc<str>, Result<InternedRange, String>>,
}

/// A range, and whether it is empty.
#[derive(Clone, Debug)]
pub(super) struct InternedRange {
    pub(super) range: Range,
    pub(super) is_empty: bool,
}

impl Names {
    /// The shared copy of a text.
    pub(super) fn share(&mut self, text: &Arc<str>) -> Arc<str> {
        match self.texts.get(text) {
            Some(shared) => shared.clone(),
            None => {
                self.texts.insert(text.clone());
                text.clone()
            }
        }
    }

    /// A range of a catalog.
    pub(super) fn range(&mut self, text: &Arc<str>) -> Result<InternedRange, String> {
        if let Some(known) = self.ranges.get(text) {
            return known.clone();
        }
        let read = Range::parse(text, Dialect::Blang).map(|mut range| {
            range.text = self.share(text);
            InternedRange { is_empty: range.is_empty(), range }
        });
        self.ranges.insert(text.clone(), read.clone());
        read
    }
}
