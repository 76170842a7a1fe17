//! The options of methods, read strictly: a misspelt one is an error, not silence.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value as Json;
use versions::VersionOptions;
use wasm_bindgen::JsValue;
use workspace::{PlanOptions, view::KnockOn};

use crate::{argument, failure::bad_argument};

/// The options of `merged`.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct MergeOptions {
    pub(crate) origins: bool,
}

/// The options of `plan` as JavaScript gives them: a state is JSON text or the object it stands for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct LoosePlanOptions {
    state: Json,
    observed: Json,
    state_file: Option<String>,
    observed_file: Option<String>,
    destroy: bool,
    knock_on: Option<KnockOn>,
    list_unchanged: bool,
}

/// Reads the options of `merged`.
pub(crate) fn merge(json: &str) -> Result<MergeOptions, JsValue> {
    read(json).map_err(|why| bad_argument(&why))
}

/// Reads the options of `plan`.
pub(crate) fn plan(json: &str) -> Result<PlanOptions, JsValue> {
    read(json).map(LoosePlanOptions::strict).map_err(|why| bad_argument(&why))
}

/// Reads the options of `setVersions`.
pub(crate) fn versions(json: &str) -> Result<VersionOptions, JsValue> {
    read(json).map_err(|why| bad_argument(&why))
}

/// Reads ranges of versions by the name of the requirement.
pub(crate) fn ranges(json: &str) -> Result<BTreeMap<String, String>, JsValue> {
    read(json).map_err(|why| bad_argument(&why.replacen("options", "ranges", 1)))
}

fn read<T: for<'de> Deserialize<'de>>(json: &str) -> Result<T, String> {
    if !json.starts_with('{') {
        return Err("`options` must be an object".to_owned());
    }
    serde_json::from_str(json).map_err(|error| format!("`options`: {}", argument::why(&error)))
}

impl LoosePlanOptions {
    fn strict(self) -> PlanOptions {
        PlanOptions {
            state: text(self.state),
            observed: text(self.observed),
            state_file: self.state_file,
            observed_file: self.observed_file,
            destroy: self.destroy,
            knock_on: self.knock_on,
            keep_removed: false,
            list_unchanged: self.list_unchanged,
        }
    }
}

fn text(json: Json) -> Option<String> {
    match json {
        Json::Null => None,
        Json::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_may_be_text_or_an_object() {
        let of = |json| read(json).map(LoosePlanOptions::strict).map(|options| options.state);
        assert_eq!(of(r#"{"state":"{\"serial\": 1}"}"#), Ok(Some(r#"{"serial": 1}"#.to_owned())));
        assert_eq!(of(r#"{"state":{"serial":1}}"#), Ok(Some(r#"{"serial":1}"#.to_owned())));
        assert_eq!(of(r#"{"state":null}"#), Ok(None));
        assert_eq!(of("{}"), Ok(None));
    }

    #[test]
    fn unknown_options_and_values_are_refused() {
        let refused = |json, why| read::<LoosePlanOptions>(json).is_err_and(|message| message.contains(why));
        assert!(refused(r#"{"knockOn":"all"}"#, "unknown field `knockOn`"));
        assert!(refused(r#"{"knock_on":"some"}"#, "unknown variant `some`"));
        assert!(refused(r#"{"destroy":1}"#, "expected a boolean"));
        assert!(refused("[]", "`options` must be an object"));
        assert!(read::<MergeOptions>(r#"{"origin":true}"#).is_err());
        // No place in a text that nobody wrote.
        let why = "`options`: unknown field `origin`, expected `origins`";
        assert_eq!(read::<MergeOptions>(r#"{"origin":true}"#), Err(why.to_owned()));
    }
}
