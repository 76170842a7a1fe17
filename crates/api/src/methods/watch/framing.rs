use http::{HeaderMap, header::ACCEPT};
use serde_json::{Value, json};

use crate::{LastPart, Problem};

/// The framing of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// A line each (`application/x-ndjson`).
    Lines,
    /// Server-sent events.
    Events,
}

impl Framing {
    /// The framing that a client accepts; lines if it says nothing.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, Problem> {
        let Some(accepted) = headers.get(ACCEPT) else { return Ok(Self::Lines) };
        let accepted = accepted.to_str().unwrap_or_default().to_ascii_lowercase();
        let media = accepted.split(',').map(|it| it.split(';').next().unwrap_or_default().trim());
        let framing = |it: &str| match it {
            "text/event-stream" | "text/*" => Some(Self::Events),
            "application/x-ndjson" | "application/json" | "application/*" | "*/*" | "" => Some(Self::Lines),
            _ => None,
        };
        let mut framings = media.filter_map(framing);
        framings.next().ok_or_else(|| {
            Problem::not_acceptable("a watch is sent as application/x-ndjson or text/event-stream")
        })
    }

    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Lines => "application/x-ndjson",
            Self::Events => "text/event-stream",
        }
    }

    /// The message after which a stream ends early: a client resumes after the message before.
    pub(crate) fn last_part(self) -> LastPart {
        LastPart(match self {
            Self::Lines => |problem| Self::Lines.frame(&json!({"error": problem})),
            Self::Events => |problem| Self::Events.frame(&json!({"error": problem})),
        })
    }

    /// A message as it is sent.
    pub(crate) fn frame(self, message: &Value) -> Vec<u8> {
        match self {
            Self::Lines => format!("{message}\n").into_bytes(),
            Self::Events => {
                let id = message.get("resumeToken").and_then(Value::as_str);
                let id = id.map_or_else(String::new, |it| format!("id: {it}\n"));
                format!("{id}data: {message}\n\n").into_bytes()
            }
        }
    }
}
