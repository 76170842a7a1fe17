//! Plans in files: what was to be done, and what it was made from.
//!
//! Only their owner may read them. Secrets are not in them, only their marks, as in a state; and they are encrypted where
//! the state is.

use report::codes;
use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
};

use host::SystemTimer;
use runtime::Timer as _;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use sha2::{Digest, Sha256};
use state::{
    Marks, SealedPart,
    checksum::{self, CHECKSUM},
};
use workspace::{
    File,
    view::PlanView,
    view::{DiagnosticView, PlanMode},
};

use crate::answer::json;
use crate::args::Inputs;
use crate::comparison;
use crate::files::read_regular;
use crate::problem::problem;
use crate::save::save_private;
use crate::secrets::Secrets;
use crate::show::width::clean;
use crate::work::{moment::utc, place, session::name};

/// A plan as `plan --out` writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    #[serde(flatten)]
    pub(crate) plan: PlanView,
    /// True if the plan was compared with the observed state, false if with the recorded state only.
    #[serde(default)]
    pub(crate) refreshed: bool,
    /// The sources of the plan; `None` if they cannot be read again.
    #[serde(default)]
    pub(crate) inputs: Option<PlanSources>,
}

/// The sources of a saved plan: they are read again, and must be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlanSources {
    files: Vec<PathBuf>,
    types: Vec<PathBuf>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    catalogs: Vec<String>,
    lenient: bool,
    /// The state that it was made against, without credentials; `None` if it was made against none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    state: Option<String>,
    /// The time of creation, in milliseconds since 1970.
    #[serde(default)]
    made_at: i64,
    /// `sha256:` of all their texts, without the secrets in them.
    texts: String,
    /// The salt that the marks of their secrets begin with.
    #[serde(default)]
    salt: String,
    /// The marks of their secrets.
    #[serde(default)]
    secrets: BTreeSet<String>,
}

impl PlanSources {
    /// The sources of a plan; `None` if one of them was standard input.
    pub(crate) fn of(
        inputs: &Inputs,
        texts: &[File],
        secrets: &Secrets,
        state: Option<&Path>,
    ) -> Option<Self> {
        let all = inputs.files.iter().chain(&inputs.kinds.types);
        let is_lasting = !all.into_iter().any(|it| it == Path::new("-"));
        is_lasting.then(|| Self {
            files: inputs.files.clone(),
            types: inputs.kinds.types.clone(),
            catalogs: inputs.catalogs.clone(),
            lenient: inputs.lenient,
            state: state.map(|it| without_access(&it.to_string_lossy())),
            made_at: SystemTimer::new().now().0,
            texts: secrets.digest(texts),
            salt: secrets.salt().to_owned(),
            secrets: secrets.marks(),
        })
    }

    /// The inputs to read again.
    pub(crate) fn inputs(&self) -> Inputs {
        Inputs {
            files: self.files.clone(),
            kinds: crate::args::Kinds { types: self.types.clone() },
            catalogs: self.catalogs.clone(),
            lenient: self.lenient,
        }
    }

    /// The secrets of the sources that were read again; `None` if the plan does not have the salt of their marks.
    pub(crate) fn secrets(&self, descriptors: Vec<File>, texts: &[File]) -> Option<Secrets> {
        Some(Secrets::of(descriptors, texts, Marks::with_salt(&self.salt)?))
    }

    /// The difference from the sources that the plan was made of, if there is one. A changed secret is distinguished
    /// from the rest, because it is not visible in the files.
    pub(crate) fn changed(&self, texts: &[File], secrets: &Secrets) -> Option<&'static str> {
        match (self.texts == secrets.digest(texts), self.secrets == secrets.marks()) {
            (true, true) => None,
            (false, true) => Some("the descriptors changed since the plan was made"),
            (true, false) => Some("a secret in the descriptors changed since the plan was made"),
            (false, false) => {
                Some("the descriptors changed since the plan was made, and so did a secret in them")
            }
        }
    }

    /// True if the plan was made against that state, as far as is known: the salt of its marks comes from the lineage.
    pub(crate) fn is_against(&self, lineage: &str) -> bool {
        self.salt == Marks::of(lineage).salt()
    }
}

/// The place of a state without user, password and query, which may let others in.
fn without_access(place: &str) -> String {
    let Some((scheme, rest)) = place.split_once("://") else { return place.to_owned() };
    let rest = rest.split(['?', '#']).next().unwrap_or_default();
    let (host, path) = rest.split_once('/').map_or((rest, None), |(host, path)| (host, Some(path)));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let path = path.map(|it| format!("/{it}")).unwrap_or_default();
    format!("{scheme}://{host}{path}")
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
    /// A plan to be saved. Its diagnostics are left out: they are for the user who made it.
    pub(crate) fn new(
        plan: PlanView,
        refreshed: bool,
        inputs: Option<PlanSources>,
        secrets: &Secrets,
    ) -> Self {
        let shown = PlanView { diagnostics: Vec::new(), ..plan };
        let mut plan = secrets.sealed(shown.clone());
        if plan != shown || plan.digest.is_empty() {
            // That of a plan with its secrets would confirm a guess.
            plan.digest = digest(&plan);
        }
        Self { plan, refreshed, inputs }
    }

    /// A description of the file for the user who is about to carry it out:
    /// `a saved plan that applies to shop, created on …`.
    pub(crate) fn description(&self) -> String {
        let PlanView { deployment, serial, mode, .. } = &self.plan;
        let does = match mode {
            PlanMode::Destroy => "destroys",
            PlanMode::Apply => "applies to",
        };
        let made = self.inputs.as_ref().map(|it| it.made_at).filter(|it| *it > 0);
        let made = made.map(|it| format!(", created on {}", utc(it))).unwrap_or_default();
        let state = self.inputs.as_ref().and_then(|it| it.state.as_deref());
        let state = match state {
            Some(state) => format!(" for state {serial} of `{state}`"),
            None => " without a recorded state".to_owned(),
        };
        clean(&format!("a saved plan that {does} `{deployment}`{made}{state}"))
    }

    /// The same for programs.
    pub(crate) fn event(&self, name: &str) -> Json {
        let inputs = self.inputs.as_ref();
        let PlanView { deployment, serial, mode, digest, .. } = &self.plan;
        serde_json::json!({
            "type": "input", "input": "plan", "files": [name], "mode": mode, "deployment": deployment,
            "made_at": inputs.map(|it| it.made_at), "state": inputs.and_then(|it| it.state.as_deref()),
            "serial": serial, "digest": digest, "refreshed": self.refreshed,
        })
    }

    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let closed = place::encryption().close(SealedPart::Plan, self.to_text()?.into_bytes());
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
        let Some(bytes) = read_regular(path) else { return Ok(None) };
        Self::of_bytes(&path.display().to_string(), &bytes)
    }

    fn of_bytes(name: &str, bytes: &[u8]) -> Result<Option<Self>, Box<DiagnosticView>> {
        let Some(json) = parse(bytes) else {
            return if is_cut(bytes) { Err(unreadable(name, "it is incomplete")) } else { Ok(None) };
        };
        let mut json = if json["format"] == "planloom.sealed/1" { opened(name, bytes)? } else { json };
        if json["format"] != "planloom.plan/1" {
            return if is_damaged(&json) { Err(unreadable(name, CHANGED)) } else { Ok(None) };
        }
        let is_checked = json[CHECKSUM].is_string();
        if !is_checked || json.as_object_mut().is_some_and(|it| checksum::verify(it).is_err()) {
            return Err(unreadable(name, CHANGED));
        }
        serde_json::from_value(json).map(Some).map_err(|error| unreadable(name, &error.to_string()))
    }

    /// The differences between this plan and the actions that would be carried out now, by address.
    pub(crate) fn differences(&self, now: &PlanView, secrets: &Secrets) -> BTreeMap<String, String> {
        comparison::differences(&self.plan, &secrets.sealed(now.clone()))
    }
}

/// True if a text is a saved plan, be it encrypted or cut off.
pub(crate) fn is_plan(text: &str) -> bool {
    is_cut(text.as_bytes()) || parse(text.as_bytes()).is_some_and(|it| it["format"] == "planloom.plan/1")
}

/// True if it begins as a plan does, also an encrypted one. A truncated plan must not pass for a descriptor, which
/// `destroy` would take as permission to remove everything.
fn is_cut(bytes: &[u8]) -> bool {
    let head: Vec<u8> = bytes.iter().filter(|it| !it.is_ascii_whitespace()).take(40).copied().collect();
    ["plan/1", "sealed/1"]
        .iter()
        .any(|it| head.starts_with(format!("{{\"format\":\"planloom.{it}\"").as_bytes()))
}

/// `sha256:` of a plan without its digest.
fn digest(plan: &PlanView) -> String {
    let plan = PlanView { digest: String::new(), ..plan.clone() };
    format!("sha256:{}", protocol::hex(&Sha256::digest(serde_json::to_vec(&plan).unwrap_or_default())))
}

const CHANGED: &str = "it was damaged or edited after it was created";

/// True if it has what only a plan has, but does not say that it is one.
fn is_damaged(json: &Json) -> bool {
    json[CHECKSUM].as_str().is_some_and(|it| it.starts_with("sha256:")) || !json["cipher"].is_null()
}

fn unreadable(name: &str, why: &str) -> Box<DiagnosticView> {
    let message = format!("the plan in `{name}` cannot be read: {why}");
    Box::new(problem(codes::BAD_PLAN, Some(name), message, "create it again: `planloom plan … --out`"))
}

fn parse(bytes: &[u8]) -> Option<Json> {
    serde_json::from_slice(bytes).ok()
}

/// The contents of an encrypted plan.
fn opened(name: &str, bytes: &[u8]) -> Result<Json, Box<DiagnosticView>> {
    let opened = place::encryption().open(SealedPart::Plan, bytes);
    opened.ok().and_then(|it| parse(&it)).ok_or_else(|| {
        let message = format!("the plan in `{name}` is encrypted, and this passphrase does not open it");
        let help = "set `PLANLOOM_STATE_PASSPHRASE` to its value when the plan was created";
        Box::new(problem(codes::SEALED_PLAN, Some(name), message, help))
    })
}

#[cfg(test)]
mod tests {
    use workspace::{PlanOptions, Workspace};

    use super::*;

    #[test]
    fn state_credentials_are_not_saved_in_plans() {
        for (place, expected) in [
            ("state.json", "state.json"),
            ("https://ada:hunter2@states.example:8443/shop?token=x#y", "https://states.example:8443/shop"),
            ("https://states.example", "https://states.example"),
            ("etcd://one:2379,two:2379/shop", "etcd://one:2379,two:2379/shop"),
        ] {
            assert_eq!(without_access(place), expected);
        }
    }

    fn workspace(name: &str, text: &str) -> Workspace {
        let mut workspace = Workspace::new();
        workspace.set_files(vec![File { name: name.into(), text: text.into(), package: None }]);
        workspace
    }

    #[test]
    fn a_damaged_plan_is_none_and_no_descriptor_either() {
        let plan = workspace("app.yaml", "networks: {lan: {ip: 10.0.0.0/24}}").plan(&PlanOptions::default());
        let plan = PlanView { diagnostics: Vec::new(), ..plan };
        let saved = Saved { plan, refreshed: false, inputs: None };
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
                    assert!(
                        found.iter().any(|it| it.severity == workspace::view::Severity::Error),
                        "bit {bit}: {text}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_plan_without_its_checksum_is_refused() {
        let plan = workspace("app.yaml", "networks: {lan: {ip: 10.0.0.0/24}}").plan(&PlanOptions::default());
        let text = json(&Saved { plan, refreshed: false, inputs: None });
        assert!(Saved::of_bytes("plan.json", text.as_bytes()).is_err());
    }
}
