use std::ops::Range;

use store::Key;

use super::{
    FileBacking,
    index::{Index, Place},
    log::Log,
    reader::damaged,
    record::{HEADER, Record},
};

/// The reason why a file is not compacted.
pub(super) enum CompactionError {
    /// The new file cannot be written; the old one is as before.
    Unwritten,
    /// A record of the old file is damaged, or cannot be read.
    Damaged(String),
}

impl FileBacking {
    /// Replaces the file by one with the current lines only. The records are verified on the way, so that damage is
    /// not copied.
    pub(super) fn compact(&mut self) -> Result<(), CompactionError> {
        let copied = self.copy().and_then(|copy| {
            self.log.replace(copy.log).map_err(|_| CompactionError::Unwritten)?;
            Ok(copy.index)
        });
        match copied {
            Ok(index) => self.index = index,
            Err(why) => {
                self.log.discard();
                return Err(why);
            }
        }
        Ok(())
    }

    fn copy(&self) -> Result<Copy, CompactionError> {
        let mut copy = Copy::new(&self.log)?;
        let mut reader = self.log.reader().map_err(CompactionError::Damaged)?;
        let mut current = self.index.in_order().into_iter().peekable();
        while let Some((start, content)) = reader.next().map_err(CompactionError::Damaged)? {
            let end = start + content.len() as u64;
            while let Some((place, key)) = current.next_if(|(place, _)| place.offset < end) {
                let line = content.get(within(place, start)).ok_or_else(|| self.damaged_at(start))?;
                copy.line(key.clone(), line)?;
            }
        }
        if reader.offset() != self.log.end() || current.peek().is_some() {
            return Err(self.damaged_at(reader.offset()));
        }
        copy.record.counters(self.counters).map_err(|_| CompactionError::Unwritten)?;
        copy.flush()?;
        Ok(copy)
    }

    fn damaged_at(&self, offset: u64) -> CompactionError {
        CompactionError::Damaged(damaged(self.log.path(), offset))
    }
}

/// A file in the making, with its index.
struct Copy {
    log: Log,
    index: Index,
    record: Record,
}

impl Copy {
    fn new(old: &Log) -> Result<Self, CompactionError> {
        let begin = || {
            let mut log = old.successor()?;
            log.add(HEADER)?;
            Ok(log)
        };
        let log = begin().map_err(|_: String| CompactionError::Unwritten)?;
        let mut copy = Self { log, index: Index::default(), record: Record::compacted() };
        copy.flush()?;
        Ok(copy)
    }

    fn line(&mut self, key: Key, line: &[u8]) -> Result<(), CompactionError> {
        self.record.copy(key, line);
        if self.record.is_long() { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), CompactionError> {
        let written = std::mem::take(&mut self.record).finish();
        let written = written.and_then(|(bytes, places)| Ok((self.log.add(&bytes)?, places)));
        let (offset, places) = written.map_err(|_| CompactionError::Unwritten)?;
        self.index.apply(offset, places);
        Ok(())
    }
}

fn within(place: Place, start: u64) -> Range<usize> {
    let at = usize::try_from(place.offset.saturating_sub(start)).unwrap_or(usize::MAX);
    at..at.saturating_add(usize::try_from(place.length).unwrap_or(usize::MAX))
}
