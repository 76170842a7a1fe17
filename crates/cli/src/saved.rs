//! Plans in files: what was to be done, and what it was made from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use workspace::{File, view::DiagnosticView, view::PlanView};

use crate::args::Inputs;
use crate::problem::problem;

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
    lenient: bool,
    /// `sha256:` of all their texts.
    texts: String,
}

impl MadeFrom {
    /// `None` where something came from standard input.
    pub(crate) fn of(inputs: &Inputs, texts: &[File]) -> Option<Self> {
        let all = inputs.files.iter().chain(&inputs.kinds.types);
        let is_lasting = !all.into_iter().any(|it| it == Path::new("-"));
        is_lasting.then(|| Self {
            files: inputs.files.clone(),
            types: inputs.kinds.types.clone(),
            lenient: inputs.lenient,
            texts: digest(texts),
        })
    }

    /// What to read again.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            files: self.files.clone(),
            kinds: crate::args::Kinds { types: self.types.clone() },
            lenient: self.lenient,
        }
    }

    pub(crate) fn is_of(&self, texts: &[File]) -> bool {
        self.texts == digest(texts)
    }
}

fn digest(texts: &[File]) -> String {
    let hash = texts.iter().fold(Sha256::new(), |hash, file| {
        let length = (file.text.len() as u64).to_be_bytes();
        hash.chain_update(&file.name).chain_update([0]).chain_update(length).chain_update(&file.text)
    });
    hash.finalize().iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

impl Saved {
    /// The plan in a file, if it is one; other files are descriptors.
    pub(crate) fn read(paths: &[PathBuf]) -> Result<Option<Self>, Box<DiagnosticView>> {
        let [path] = paths else { return Ok(None) };
        let Some(json) = std::fs::read(path).ok().and_then(|it| serde_json::from_slice::<Json>(&it).ok())
        else {
            return Ok(None);
        };
        if json["format"] != "planloom.plan/1" {
            return Ok(None);
        }
        let name = path.display().to_string();
        serde_json::from_value(json).map(Some).map_err(|error| {
            let message = format!("the plan in `{name}` cannot be read: {error}");
            Box::new(problem("bad-plan", Some(&name), message, "make it again: `planloom plan … --out`"))
        })
    }

    /// Whether `now` does the same: what was looked at meanwhile may not have been when this was made.
    pub(crate) fn is_what_is_done(&self, now: &PlanView) -> bool {
        bare(&self.plan) == bare(now)
    }
}

fn bare(plan: &PlanView) -> PlanView {
    let mut plan = plan.clone();
    plan.digest.clear();
    plan.diagnostics.clear();
    plan.actions.retain(|it| !matches!(it.action.as_str(), "no_op" | "forget"));
    for change in plan.actions.iter_mut().flat_map(|it| &mut it.changes) {
        change.observed = Json::Null;
    }
    plan
}
