//! What happens among the servers of a page.

use serde_json::{Map, Value as Json, json};

use super::{list, text, yaml};

/// The part of metadata that a page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Metadata {
    /// Nothing.
    Nothing,
    /// The regions that have a resource.
    Syncing,
    /// All of it.
    All,
}

impl Metadata {
    pub(super) fn named(word: &str) -> Self {
        match word {
            "" => Self::Nothing,
            "syncing" => Self::Syncing,
            "metadata" => Self::All,
            _ => panic!("a session shows `syncing`, `metadata` or nothing of it"),
        }
    }

    /// Leaves the other parts out.
    fn shorten(self, fields: &mut Map<String, Json>) {
        let syncing = fields.get("metadata").map(|it| it["syncing"].clone()).unwrap_or_default();
        match self {
            Self::All => {}
            Self::Syncing if !syncing.is_null() => {
                fields.insert("metadata".to_owned(), json!({"syncing": syncing}));
            }
            Self::Syncing | Self::Nothing => drop(fields.shift_remove("metadata")),
        }
    }
}

/// The steps of a session, each with what it shows.
pub(super) fn session(steps: &Json, metadata: Metadata) -> String {
    let step = |step: &Json| {
        let shown = &step["shown"];
        let responses = list(&shown["responses"]).iter().map(|it| response(it, metadata));
        let resumed = list(&shown["resumed"]).iter().map(|it| {
            format!("  response to {}\n{}", text(&it["line"]), response(&it["response"], metadata))
        });
        let waiting = (shown["isWaiting"] == true).then(|| "  no response yet\n".to_owned());
        let resources = list(&shown["resources"]).iter().map(resource);
        let shown = responses
            .chain(waiting)
            .chain(resumed)
            .chain(resources)
            .chain([status(&shown["status"])])
            .collect::<String>();
        format!("{}\n{shown}", text(&step["line"]))
    };
    list(steps).iter().map(step).collect()
}

fn response(response: &Json, metadata: Metadata) -> String {
    let mut body: Json = serde_json::from_str(text(&response["body"])).unwrap_or_default();
    shorten(&mut body, metadata);
    let lines: String = yaml::document(&body).lines().map(|it| format!("  {it}\n")).collect();
    format!("  {}\n{lines}", response["status"])
}

/// Leaves metadata and page tokens out.
fn shorten(value: &mut Json, metadata: Metadata) {
    match value {
        Json::Object(fields) => {
            metadata.shorten(fields);
            for token in ["nextPageToken", "prevPageToken"] {
                fields.entry(token).and_modify(|it| *it = "…".into());
            }
            fields.values_mut().for_each(|it| shorten(it, metadata));
        }
        Json::Array(items) => items.iter_mut().for_each(|it| shorten(it, metadata)),
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

/// A resource with the servers that have it.
fn resource(it: &Json) -> String {
    let names = |field: &str| list(&it[field]).iter().map(text).collect::<Vec<_>>().join(", ");
    let owner = match names("owners") {
        owner if owner.is_empty() => "no owner".to_owned(),
        owner => owner,
    };
    let part = |words: &str, field: &str| match names(field) {
        names if names.is_empty() => String::new(),
        names => format!("{words} {names}"),
    };
    let deleting = if it["isDeleting"] == true { ", being deleted" } else { "" };
    let copies = part("; copies in", "copies");
    let (missing, superfluous) = (part("; not yet in", "missing"), part("; still in", "superfluous"));
    format!("  {}: {owner}{deleting}{copies}{missing}{superfluous}\n", text(&it["name"]))
}

/// The state of a region.
fn status(status: &Json) -> String {
    if status.is_null() {
        return String::new();
    }
    let copies = list(&status["copies"]).iter().map(|it| {
        let state = match (it["error"].as_str(), it["readsSnapshot"] == true) {
            (Some(error), _) => error,
            (None, true) => "a snapshot is read",
            (None, false) => "changes are followed",
        };
        format!("  copies of {}: {state}\n", text(&it["owner"]))
    });
    let counts = [("requests to other servers", "pendingRequests"), ("deletions to be done", "pendingWork")];
    let counts = counts.iter().filter(|(_, field)| status[*field] != 0);
    let counts = counts.map(|(words, field)| format!("  {words}: {}\n", status[*field]));
    let outdated = (status["isOutdated"] == true)
        .then(|| "  regions of resources to be compared with policies\n".to_owned());
    let lines: String = copies.chain(counts).chain(outdated).collect();
    if lines.is_empty() { "  nothing to do\n".to_owned() } else { lines }
}
