//! A workspace in a link: JSON, deflated, base64url, in the fragment, which no server sees.
//!
//! A link holds what somebody needs to review a plan: the files with their layers and environments, the open view, and
//! the recorded state. No secret is in it: in the files and in the state, the same text stands in the place of each.

use std::{collections::BTreeSet, rc::Rc};

use js_sys::Uint8Array;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use ui::views::value::SECRET;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use workspace::File;

use crate::{
    base64, host,
    state::{Document, Environment, FileKeys, Files, Input, Inputs, Tab},
};

/// Longer fragments are cut by some of the programs that links go through.
pub const LONGEST: usize = 16_384;
const PREFIX: &str = "#s=";

/// The content of a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Shared {
    v: u32,
    /// All files, without secrets.
    files: Vec<File>,
    /// The places of the files that are left out.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    muted: BTreeSet<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    environments: Vec<SharedEnvironment>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    view: Option<Tab>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<Input>,
    /// Every dependent of what acts acts too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    knock_on_all: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    bosh: bool,
}

/// An environment, by the places of the files that it leaves out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct SharedEnvironment {
    name: String,
    muted: BTreeSet<usize>,
}

impl Shared {
    /// A workspace as it is given away. `files` are those of the document without secrets.
    pub fn of(document: &Document, files: Vec<File>, view: Tab, state: Option<&Input>) -> Self {
        let places = |keys: &FileKeys| keys.iter().filter_map(|it| document.files.position(it)).collect();
        let environment =
            |it: &Environment| SharedEnvironment { name: it.name.clone(), muted: places(&it.muted) };
        Self {
            v: 2,
            files,
            muted: places(&document.files.muted()),
            environments: document.environments.iter().map(environment).collect(),
            view: Some(view),
            state: state.and_then(redacted),
            knock_on_all: document.inputs.knock_on_all,
            bosh: document.inputs.bosh,
        }
    }

    /// The same without the state, which may be too much for a link.
    #[must_use]
    pub fn without_state(self) -> Self {
        Self { state: None, ..self }
    }

    /// True if a state is in it.
    pub const fn has_state(&self) -> bool {
        self.state.is_some()
    }

    /// The workspace, and the view that was open.
    pub fn open(self) -> (Document, Option<Tab>) {
        let files: Files = self.files.into_iter().collect();
        let keys = |places: &BTreeSet<usize>| {
            places.iter().filter_map(|at| files.at(*at)).map(|file| file.key).collect::<FileKeys>()
        };
        let environment = |it: SharedEnvironment| Environment { muted: keys(&it.muted), name: it.name };
        let environments = Rc::new(self.environments.into_iter().map(environment).collect());
        let inputs = Inputs {
            state: self.state.map(Rc::new),
            knock_on_all: self.knock_on_all,
            bosh: self.bosh,
            ..Inputs::default()
        };
        let selected = files.at(0).map(|file| file.key);
        (Document { files: files.with_muted(&keys(&self.muted)), selected, inputs, environments }, self.view)
    }
}

/// A state as somebody else may have it; `None` for a text that is none.
fn redacted(state: &Input) -> Option<Input> {
    let mut json: Json = serde_json::from_str(&state.text).ok()?;
    let object = json.as_object_mut()?;
    // It is of the text as it was.
    object.remove("checksum");
    // The journal is of no use to a reader, and an engine would want to carry it on.
    object.remove("journal");
    hide(&mut json);
    Some(Input { name: state.name.clone(), text: json.to_string() })
}

/// Replaces the marks of secrets by what stands for them in the files, so that the same secret is no difference.
fn hide(json: &mut Json) {
    match json {
        Json::Object(fields) if fields.contains_key("$sensitive") => *json = SECRET.into(),
        Json::Object(fields) => fields.values_mut().for_each(hide),
        Json::Array(items) => items.iter_mut().for_each(hide),
        _ => {}
    }
}

/// The fragment that holds a workspace; `None` when it would be too long.
pub async fn fragment(shared: &Shared) -> Option<String> {
    let json = serde_json::to_vec(shared).ok()?;
    let bytes = JsFuture::from(host::deflate(&Uint8Array::from(&*json))).await.ok()?;
    let fragment = format!("{PREFIX}{}", base64::encode(&bytes.dyn_into::<Uint8Array>().ok()?.to_vec()));
    (fragment.len() <= LONGEST).then_some(fragment)
}

/// True if a fragment holds a workspace.
pub fn is_shared(fragment: &str) -> bool {
    fragment.starts_with(PREFIX)
}

/// The content of a fragment; `None` if it cannot be read.
pub async fn read(fragment: &str) -> Option<Shared> {
    let bytes = base64::decode(fragment.strip_prefix(PREFIX)?)?;
    let json = JsFuture::from(host::inflate(&Uint8Array::from(&*bytes))).await.ok()?;
    let json = json.dyn_into::<Uint8Array>().ok()?.to_vec();
    let shared: Shared = serde_json::from_slice(&json).ok()?;
    (matches!(shared.v, 1 | 2) && !shared.files.is_empty()).then_some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> Document {
        let file = |name: &str| File { name: name.into(), text: format!("# {name}\n"), package: None };
        let files: Files = ["base.yaml", "staging.yaml", "prod.yaml"].map(file).into_iter().collect();
        let mut document = Document { files, ..Document::default() };
        let staging = document.files.named("staging.yaml").map(|it| it.key).unwrap();
        document.files.mute(staging, true);
        document.with_environment("production")
    }

    #[test]
    fn layers_and_environments_come_back() {
        let document = document();
        let shared = Shared::of(&document, document.files.texts(), Tab::Plan, None);
        let text = serde_json::to_string(&shared).unwrap();
        let (opened, view) = serde_json::from_str::<Shared>(&text).unwrap().open();
        assert_eq!((opened.files.muted().len(), view), (1, Some(Tab::Plan)));
        assert_eq!(opened.environment().map(|it| &*it.name), Some("production"));
    }

    #[test]
    fn the_marks_of_secrets_are_replaced_in_a_state() {
        let text = r#"{"format":"planloom.state/1","serial":3,"checksum":"x","journal":[{}],"resources":{"services.db":
            {"kind":"service","spec":{"password":{"$sensitive":"0123:89ab"},"list":[{"$sensitive":"4:5"}]}}}}"#;
        let state = redacted(&Input { name: "s.json".into(), text: text.into() }).unwrap();
        assert!(!state.text.contains("$sensitive") && !state.text.contains("checksum"), "{}", state.text);
        assert!(state.text.contains(r#""password":"••••••""#), "{}", state.text);
        assert_eq!(redacted(&Input { name: "s.json".into(), text: "no".into() }), None);
    }

    #[test]
    fn links_of_earlier_versions_are_read() {
        let shared: Shared =
            serde_json::from_str(r#"{"v":1,"files":[{"name":"a.yaml","text":"a: 1"}]}"#).unwrap();
        let (document, view) = shared.open();
        assert_eq!((document.files.len(), view), (1, None));
    }
}
