use std::{fmt, str::FromStr};

use crate::{Kind, StoreError};

/// A place in the events of one kind: [`From::Revision`](crate::From::Revision) continues strictly after it.
///
/// Valid for the store value that it came from and for that kind. Its text form is opaque; it is parsed by
/// [`FromStr`]. Stricter than upstream, whose bookmarks fit any kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bookmark {
    pub(crate) kind: Kind,
    pub(crate) at: Position,
}

/// A place in the events of a store; together with the kind it is a [`Bookmark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) store: u64,
    /// The number of the event, over all kinds. It is not the revision: a transaction may have several
    /// events.
    pub(crate) sequence: u64,
}

// The kind comes last, so that a truncated text has another kind or none.
impl fmt::Display for Bookmark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:x}.{:x}.{}", self.at.store, self.at.sequence, self.kind)
    }
}

impl FromStr for Bookmark {
    type Err = StoreError;

    fn from_str(text: &str) -> Result<Self, StoreError> {
        parse(text).ok_or_else(|| StoreError::InvalidBookmark { why: "not the text of one".to_owned() })
    }
}

fn parse(text: &str) -> Option<Bookmark> {
    let mut parts = text.splitn(3, '.');
    let mut number = || u64::from_str_radix(parts.next()?, 16).ok();
    let at = Position { store: number()?, sequence: number()? };
    let (namespace, name) = parts.next()?.split_once('/')?;
    Some(Bookmark { kind: Kind::new(namespace, name), at })
}
