use ::store::{Event, Key, Resource, ResyncReason};
use serde::Serialize;

/// An event as JavaScript reads it.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum WatchEvent<'a> {
    Init,
    InitApply { resource: &'a Resource },
    Absent { key: &'a Key },
    InitDone { bookmark: String },
    Created { resource: &'a Resource, bookmark: String },
    Updated { resource: &'a Resource, old: &'a Resource, bookmark: String },
    Destroyed { resource: &'a Resource, bookmark: String },
    Resync { reason: &'static str },
}

impl<'a> From<&'a Event> for WatchEvent<'a> {
    fn from(event: &'a Event) -> Self {
        let bookmark = event.bookmark().map(|bookmark| bookmark.to_string()).unwrap_or_default();
        match event {
            Event::Init => Self::Init,
            Event::InitApply(resource) => Self::InitApply { resource },
            Event::Absent(key) => Self::Absent { key },
            Event::InitDone(_) => Self::InitDone { bookmark },
            Event::Created { new: resource, .. } => Self::Created { resource, bookmark },
            Event::Updated { old, new: resource, .. } => Self::Updated { resource, old, bookmark },
            Event::Destroyed { last: resource, .. } => Self::Destroyed { resource, bookmark },
            Event::Resync(reason) => Self::Resync { reason: phrase(*reason) },
        }
    }
}

fn phrase(reason: ResyncReason) -> &'static str {
    match reason {
        ResyncReason::Lagged => "lagged",
        _ => "other",
    }
}
