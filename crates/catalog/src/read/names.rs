use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use crate::range::{Dialect, Range};

/// Shares what catalogs repeat: names in entries, parts of APIs, ranges.
///
/// What is in these sets is only looked up, never listed.
#[derive(Debug, Default)]
pub(super) struct Names {
    texts: HashSet<Arc<str>>,
    ranges: HashMap<Arc<str>, Result<Range, String>>,
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
    pub(super) fn range(&mut self, text: &Arc<str>) -> Result<Range, String> {
        if let Some(known) = self.ranges.get(text) {
            return known.clone();
        }
        let mut read = Range::parse(text, Dialect::Blang);
        if let Ok(range) = &mut read {
            range.text = self.share(text);
        }
        self.ranges.insert(text.clone(), read.clone());
        read
    }
}
