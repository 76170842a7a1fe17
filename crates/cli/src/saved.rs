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
use state::{Marks, Piece};
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
        let closed = place::encryption().close(Piece::Plan, json(self).into_bytes());
        let bytes = closed.map_err(|error| io::Error::other(error.to_string()))?;
        save_private(path, &String::from_utf8_lossy(&bytes))
    }

    /// The plan in a file, if it is one; other files are descriptors.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Option<Self>, Box<DiagnosticView>> {
        let [path] = paths else { return Ok(None) };
        let Ok(bytes) = std::fs::read(path) else { return Ok(None) };
        let name = path.display().to_string();
        let Some(json) = parse(&bytes) else {
            return if is_cut(&bytes) { Err(unreadable(&name, "it is not whole")) } else { Ok(None) };
        };
        let json = if json["format"] == "planloom.sealed/1" { opened(&name, &bytes)? } else { json };
        if json["format"] != "planloom.plan/1" {
            return Ok(None);
        }
        serde_json::from_value(json).map(Some).map_err(|error| unreadable(&name, &error.to_string()))
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
