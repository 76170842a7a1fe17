use serde::Deserialize;
use serde_json::Value as Json;
use state::Snapshot;
use workspace::File;

use crate::argument;

/// The longest latency: a run of many steps must come to its end.
const LONGEST_LATENCY: u32 = 10_000;

/// The arguments of a simulation.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) files: Vec<File>,
    pub(super) state: Option<Snapshot>,
    pub(super) destroy: bool,
    pub(super) latency_ms: u32,
}

/// The same as JavaScript gives it: a state is JSON text or the object it stands for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Loose {
    files: Vec<File>,
    #[serde(default)]
    state: Json,
    #[serde(default)]
    destroy: bool,
    #[serde(default)]
    latency_ms: u32,
}

impl Input {
    /// Reads the JSON; otherwise a line that says what is wrong with it.
    pub(super) fn read(json: &str) -> Result<Self, String> {
        let Loose { files, state, destroy, latency_ms } =
            serde_json::from_str(json).map_err(|it| format!("`options`: {}", argument::why(&it)))?;
        let text = match state {
            Json::Null => None,
            Json::String(text) => Some(text),
            other => Some(other.to_string()),
        };
        let read = |text: String| Snapshot::read(&text).map_err(|it| format!("`state`: {it}"));
        let state = text.map(read).transpose()?;
        Ok(Self { files, state, destroy, latency_ms: latency_ms.min(LONGEST_LATENCY) })
    }
}
