//! Plans in files: what was to be done, and what it was made from.
//!
//! Only their owner may read them. Secrets are not in them, only their marks, as in a state; and they are encrypted where
//! the state is.

use std::{
    collections::BTreeSet,
    io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use state::{
    Marks, Piece,
    checksum::{self, CHECKSUM},
};
use workspace::{File, view::DiagnosticView, view::PlanView};

use crate::answer::json;
use crate::args::Inputs;
use crate::problem::problem;
use crate::save::save_private;
use crate::secrets::Secrets;
use crate::work::{place, session::name};

/// A plan as `plan --out` writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    #[serde(flatten)]
    pub(crate) plan: PlanView,
    /// What it was made from; nothing where that cannot be read again.
    #[serde(default)]
    pub(crate) inputs: Option<MadeFrom>,
}

/// What a plan was made from: it is read again, and must be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MadeFrom {
    files: Vec<PathBuf>,
    types: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    catalogs: Vec<String>,
    lenient: bool,
    /// `sha256:` of all their texts, without the secrets in them.
    texts: String,
    /// What the marks of their secrets begin with.
    #[serde(default)]
    salt: String,
    /// The marks of their secrets.
    #[serde(default)]
    secrets: BTreeSet<String>,
}

impl MadeFrom {
    /// `None` where something came from standard input.
    pub(crate) fn of(inputs: &Inputs, texts: &[File], secrets: &Secrets) -> Option<Self> {
        let all = inputs.files.iter().chain(&inputs.kinds.types);
        let is_lasting = !all.into_iter().any(|it| it == Path::new("-"));
        is_lasting.then(|| Self {
            files: inputs.files.clone(),
            types: inputs.kinds.types.clone(),
            catalogs: inputs.catalogs.clone(),
            lenient: inputs.lenient,
            texts: secrets.digest(texts),
            salt: secrets.salt().to_owned(),
            secrets: secrets.marks(),
        })
    }

    /// What to read again.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            files: self.files.clone(),
            kinds: crate::args::Kinds { types: self.types.clone() },
            catalogs: self.catalogs.clone(),
            lenient: self.lenient,
        }
    }

    /// The secrets of what was read again; `None` where the plan does not say how they are marked.
    pub(crate) fn secrets(&self, descriptors: Vec<File>, texts: &[File]) -> Option<Secrets> {
        Some(Secrets::of(descriptors, texts, Marks::with_salt(&self.salt)?))
    }

    pub(crate) fn is_of(&self, texts: &[File], secrets: &Secrets) -> bool {
        self.texts == secrets.digest(texts) && self.secrets == secrets.marks()
    }
}

/// The marks of the state that a plan is made against; where there is none, marks of its own.
pub(crate) fn marks(state: Option<&str>) -> Marks {
    let state = state.and_then(|it| serde_json::from_str::<Json>(it).ok()).unwrap_or_default();
    match state["lineage"].as_str().filter(|it| !it.is_empty()) {
        Some(lineage) => Marks::of(lineage),
        None => Marks::of(&name()),
    }
}

impl Saved {
    /// A plan to be kept. What was said of it is not: that is for who made it.
    pub(crate) fn new(plan: &PlanView, inputs: Option<MadeFrom>, secrets: &Secrets) -> Self {
        let plan = PlanView { diagnostics: Vec::new(), ..plan.clone() };
        Self { plan: secrets.sealed(plan), inputs }
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let closed = place::encryption().close(Piece::Plan, self.to_text()?.into_bytes());
        let bytes = closed.map_err(|error| io::Error::other(error.to_string()))?;
        save_private(path, &String::from_utf8_lossy(&bytes))
    }

    fn to_text(&self) -> io::Result<String> {
        let mut whole = serde_json::to_value(self)?;
        if let Json::Object(document) = &mut whole {
            let checksum = checksum::checksum(document);
            document.insert(CHECKSUM.into(), checksum.into());
        }
        Ok(json(&whole))
    }

    /// The plan in a file, if it is one; other files are descriptors.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Option<Self>, Box<DiagnosticView>> {
        let [path] = paths else { return Ok(None) };
        let Ok(bytes) = std::fs::read(path) else { return Ok(None) };
        Self::of_bytes(&path.display().to_string(), &bytes)
    }

    fn of_bytes(name: &str, bytes: &[u8]) -> Result<Option<Self>, Box<DiagnosticView>> {
        let Some(json) = parse(bytes) else {
            return if is_cut(bytes) { Err(unreadable(name, "it is not whole")) } else { Ok(None) };
        };
        let mut json = if json["format"] == "planloom.sealed/1" { opened(name, bytes)? } else { json };
        if json["format"] != "planloom.plan/1" {
            return if is_damaged(&json) { Err(unreadable(name, CHANGED)) } else { Ok(None) };
        }
        if json.as_object_mut().is_some_and(|it| checksum::verify(it).is_err()) {
            return Err(unreadable(name, CHANGED));
        }
        serde_json::from_value(json).map(Some).map_err(|error| unreadable(name, &error.to_string()))
    }

    /// Whether `now` does the same: what was looked at meanwhile may not have been when this was made.
    pub(crate) fn is_what_is_done(&self, now: &PlanView, secrets: &Secrets) -> bool {
        bare(self.plan.clone()) == bare(secrets.sealed(now.clone()))
    }
}

/// Whether it begins as a plan does, be it encrypted. What is left of one is no descriptor, which `destroy` might take
/// for leave to remove everything.
fn is_cut(bytes: &[u8]) -> bool {
    let head: Vec<u8> = bytes.iter().filter(|it| !it.is_ascii_whitespace()).take(40).copied().collect();
    ["plan/1", "sealed/1"]
        .iter()
        .any(|it| head.starts_with(format!("{{\"format\":\"planloom.{it}\"").as_bytes()))
}

const CHANGED: &str = "it was damaged or edited after it was made";

/// Whether it has what only a plan has, but does not say that it is one.
fn is_damaged(json: &Json) -> bool {
    json[CHECKSUM].as_str().is_some_and(|it| it.starts_with("sha256:")) || !json["cipher"].is_null()
}

fn unreadable(name: &str, why: &str) -> Box<DiagnosticView> {
    let message = format!("the plan in `{name}` cannot be read: {why}");
    Box::new(problem("bad-plan", Some(name), message, "make it again: `planloom plan … --out`"))
}

fn parse(bytes: &[u8]) -> Option<Json> {
    serde_json::from_slice(bytes).ok()
}

/// What is in an encrypted plan.
fn opened(name: &str, bytes: &[u8]) -> Result<Json, Box<DiagnosticView>> {
    let opened = place::encryption().open(Piece::Plan, bytes);
    opened.ok().and_then(|it| parse(&it)).ok_or_else(|| {
        let message = format!("the plan in `{name}` is encrypted, and this passphrase does not open it");
        let help = "set `PLANLOOM_STATE_PASSPHRASE` to what it was when the plan was made";
        Box::new(problem("sealed-plan", Some(name), message, help))
    })
}

fn bare(mut plan: PlanView) -> PlanView {
    plan.digest.clear();
    plan.diagnostics.clear();
    plan.actions.retain(|it| !matches!(it.action.as_str(), "no_op" | "forget"));
    for change in plan.actions.iter_mut().flat_map(|it| &mut it.changes) {
        change.observed = Json::Null;
    }
    plan
}

#[cfg(test)]
mod tests {
    use workspace::{PlanOptions, Workspace};

    use super::*;

    fn workspace(name: &str, text: &str) -> Workspace {
        let mut workspace = Workspace::new();
        workspace.set_files(vec![File { name: name.into(), text: text.into(), package: None }]);
        workspace
    }

    #[test]
    fn a_damaged_plan_is_none_and_no_descriptor_either() {
        let plan = workspace("app.yaml", "networks: {lan: {ip: 10.0.0.0/24}}").plan(&PlanOptions::default());
        let plan = PlanView { diagnostics: Vec::new(), ..plan };
        let saved = Saved { plan, inputs: None };
        let (text, whole) = (saved.to_text().expect("it is JSON"), serde_json::to_value(&saved).ok());
        let value = |it: Option<Saved>| it.map(|it| serde_json::to_value(it).ok());
        assert_eq!(Saved::of_bytes("plan.json", text.as_bytes()).map(value).ok(), Some(Some(whole.clone())));
        for bit in 0..text.len() * 8 {
            let mut damaged = text.clone().into_bytes();
            damaged[bit / 8] ^= 1 << (bit % 8);
            match Saved::of_bytes("plan.json", &damaged) {
                Err(_) => {}
                Ok(Some(read)) => assert_eq!(serde_json::to_value(read).ok(), whole, "bit {bit}"),
                Ok(None) => {
                    let text = String::from_utf8_lossy(&damaged);
                    let found = workspace("plan.json", &text).diagnostics().diagnostics;
                    assert!(found.iter().any(|it| it.severity == "error"), "bit {bit}: {text}");
                }
            }
        }
    }

    #[test]
    fn a_plan_of_an_older_version_has_no_checksum() {
        let plan = workspace("app.yaml", "networks: {lan: {ip: 10.0.0.0/24}}").plan(&PlanOptions::default());
        let text = json(&Saved { plan, inputs: None });
        assert!(matches!(Saved::of_bytes("plan.json", text.as_bytes()), Ok(Some(_))));
    }
}
