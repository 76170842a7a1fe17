use std::sync::Arc;

use crate::{Bookmark, Key, Position, Resource};

/// An event of a watch.
///
/// A state is told as `Init`, an `InitApply` for each resource there is, `InitDone`; whoever mirrors it drops at
/// `InitDone` what was not named. Nothing should be concluded in between: the picture is not whole. Everything else is
/// a change that just happened, and carries its [`bookmark`](Self::bookmark).
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The state follows.
    Init,
    /// This is there. By id.
    InitApply(Arc<Resource>),
    /// The one resource that is watched is not there.
    Absent(Key),
    /// That was the state; from here on, changes.
    InitDone(Bookmark),
    /// It is there now, or matches now.
    Created {
        /// As it is.
        new: Arc<Resource>,
        /// When.
        at: Position,
    },
    /// It changed.
    Updated {
        /// As it was.
        old: Arc<Resource>,
        /// As it is.
        new: Arc<Resource>,
        /// When.
        at: Position,
    },
    /// It is gone, or no longer matches.
    Destroyed {
        /// As it was last; where it only ceased to match, as it is now.
        last: Arc<Resource>,
        /// When.
        at: Position,
    },
    /// Changes were missed; `Init` and the state follow.
    Resync(ResyncReason),
}

/// Why a watch is shown the state anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResyncReason {
    /// It was read so late that the log no longer held what came next.
    Lagged,
}

impl Event {
    /// The resource it is about, as it is or was last.
    pub fn resource(&self) -> Option<&Arc<Resource>> {
        match self {
            Self::InitApply(resource)
            | Self::Created { new: resource, .. }
            | Self::Updated { new: resource, .. }
            | Self::Destroyed { last: resource, .. } => Some(resource),
            Self::Init | Self::Absent(_) | Self::InitDone(_) | Self::Resync(_) => None,
        }
    }

    /// The name of the resource it is about.
    pub fn key(&self) -> Option<&Key> {
        match self {
            Self::Absent(key) => Some(key),
            other => other.resource().map(|resource| resource.key()),
        }
    }

    /// The place after this event; only changes and `InitDone` have one.
    pub fn bookmark(&self) -> Option<Bookmark> {
        match self {
            Self::InitDone(bookmark) => Some(bookmark.clone()),
            Self::Created { new: of, at }
            | Self::Updated { new: of, at, .. }
            | Self::Destroyed { last: of, at } => Some(Bookmark { kind: of.key().kind.clone(), at: *at }),
            Self::Init | Self::InitApply(_) | Self::Absent(_) | Self::Resync(_) => None,
        }
    }
}
