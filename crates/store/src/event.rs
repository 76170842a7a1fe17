use std::sync::Arc;

use crate::{Bookmark, Key, Position, Resource};

/// An event of a watch.
///
/// A state is sent as `Init`, an `InitApply` for each resource, and `InitDone`; a mirror drops at `InitDone`
/// what was not named. The state is incomplete in between. Every other event is a change that just happened,
/// and has a [`bookmark`](Self::bookmark).
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// The start of a state.
    Init,
    /// A resource of the state, in order of ids.
    InitApply(Arc<Resource>),
    /// The only watched resource does not exist.
    Absent(Key),
    /// The end of the state; changes follow.
    InitDone(Bookmark),
    /// It was created, or matches now.
    Created {
        /// The resource.
        new: Arc<Resource>,
        /// The place of the event.
        at: Position,
    },
    /// It changed.
    Updated {
        /// The resource before.
        old: Arc<Resource>,
        /// The resource now.
        new: Arc<Resource>,
        /// The place of the event.
        at: Position,
    },
    /// It was destroyed, or does not match any more.
    Destroyed {
        /// Its last state; if it only does not match any more, its current one.
        last: Arc<Resource>,
        /// The place of the event.
        at: Position,
    },
    /// Changes were missed; `Init` and the state follow.
    Resync(ResyncReason),
}

/// The reason why a watch is sent the state again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResyncReason {
    /// It was read so late that the log did not hold its next event any more.
    Lagged,
}

impl Event {
    /// The resource it is about, in its current or last state.
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
