use crate::{Bookmark, Key, Kind, Query};

/// The resources to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One resource, whether it exists or not.
    One(Key),
    /// Those of a kind that match. One that begins or ceases to match is told as created or destroyed.
    Kind(Kind, Query),
}

/// Since when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum From {
    /// Only what happens from now on.
    Now,
    /// First the state now, then what happens from now on, with nothing between missed or doubled.
    State,
    /// What happened after the bookmark, then what happens from now on.
    Revision(Bookmark),
    /// The last so many events in this scope, as far as the log holds them, then what happens from now on.
    Tail(usize),
}
