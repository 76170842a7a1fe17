use fetch::is_own_machine;
use protocol::{Caller, Token};
use serde::Deserialize;
use serde_json::Value as Json;
use state::Snapshot;
use workspace::File;

use crate::argument;

/// The arguments of a plan: files, adapter, and the key or the text of the recorded state.
#[derive(Debug)]
pub(super) struct Input {
    pub(super) files: Vec<File>,
    pub(super) caller: Caller,
    pub(super) destroy: bool,
    pub(super) state_key: Option<String>,
    /// A state that the caller keeps; `None` where it is kept elsewhere.
    pub(super) state: Option<Option<Snapshot>>,
    /// The digest of the only plan that may be applied.
    pub(super) digest: Option<String>,
}

/// The same as JavaScript gives it: a state is JSON text or the object it stands for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Loose {
    files: Vec<File>,
    adapter: String,
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    destroy: bool,
    #[serde(default)]
    state_key: Option<String>,
    #[serde(default, deserialize_with = "present")]
    state: Option<Json>,
    #[serde(default)]
    digest: Option<String>,
}

/// A value that is there, also where it is null.
fn present<'de, D: serde::Deserializer<'de>>(reader: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(reader).map(Some)
}

impl Input {
    /// Reads the JSON; otherwise a line that says what is wrong with it.
    pub(super) fn read(json: &str) -> Result<Self, String> {
        let Loose { files, adapter, token, destroy, state_key, state, digest } =
            serde_json::from_str(json).map_err(|it| format!("`options`: {}", argument::why(&it)))?;
        let caller = caller(&adapter, token.as_deref())?;
        let state = state.map(snapshot).transpose()?;
        Ok(Self { files, caller, destroy, state_key, state, digest })
    }
}

/// An adapter whose requests nobody on the way can read.
fn caller(address: &str, token: Option<&str>) -> Result<Caller, String> {
    let token = match token.map(str::trim).filter(|it| !it.is_empty()) {
        Some(token) => Some(Token::new(token).ok_or("`token` has a space or a line break")?),
        None => None,
    };
    let wrong = "`adapter` must be an https address, or an http address of this machine";
    let is_private = address.starts_with("https://") || is_own_machine(address);
    Caller::new(address, token).filter(|_| is_private).ok_or_else(|| wrong.to_owned())
}

fn snapshot(state: Json) -> Result<Option<Snapshot>, String> {
    let text = match state {
        Json::Null => return Ok(None),
        Json::String(text) => text,
        other => other.to_string(),
    };
    Snapshot::read(&text).map(Some).map_err(|it| format!("`state`: {it}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(adapter: &str, more: &str) -> Result<Input, String> {
        Input::read(&format!(r#"{{"files":[],"adapter":"{adapter}"{more}}}"#))
    }

    #[test]
    fn only_private_ways_lead_to_an_adapter() {
        for address in [
            "https://adapter.example",
            "https://adapter.example/a/b",
            "http://127.0.0.1:7070",
            "http://localhost:1",
        ] {
            assert!(read(address, "").is_ok(), "{address}");
        }
        for address in [
            "http://adapter.example",
            "http://127.evil.example",
            "adapter.example",
            "*",
            "ftp://127.0.0.1",
            "https://a@b.example",
            "https://a.example?q",
            "",
        ] {
            assert!(read(address, "").is_err_and(|it| it.starts_with("`adapter`")), "{address}");
        }
    }

    #[test]
    fn a_state_is_kept_by_the_caller_if_it_is_given() {
        assert!(read("https://a.example", "").is_ok_and(|it| it.state.is_none()));
        assert!(read("https://a.example", r#","state":null"#).is_ok_and(|it| matches!(it.state, Some(None))));
        assert!(read("https://a.example", r#","state":"{""#).is_err());
    }

    #[test]
    fn tokens_that_no_header_can_have_are_refused() {
        assert!(read("https://a.example", r#","token":" sesame ""#).is_ok_and(|it| it.caller.has_token()));
        assert!(read("https://a.example", r#","token":"""#).is_ok_and(|it| !it.caller.has_token()));
        assert!(read("https://a.example", r#","token":"a b""#).is_err());
    }
}
