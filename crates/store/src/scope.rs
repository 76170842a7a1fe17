use crate::{Bookmark, Key, Kind, Query};

/// The resources to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One resource, whether it exists or not.
    One(Key),
    /// The resources of a kind that match. One that begins or ceases to match is reported as created or
    /// destroyed.
    Kind(Kind, Query),
}

/// The starting point of a watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Only changes from now on.
    Now,
    /// First the current state, then changes from now on, without gaps or duplicates.
    State,
    /// Changes after the bookmark, then changes from now on.
    Revision(Bookmark),
    /// The last so many events in this scope, as far as the log holds them, then changes from now on.
    Tail(usize),
}
