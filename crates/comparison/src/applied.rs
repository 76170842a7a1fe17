use model::{DesiredResource, Phase};
use serde_json::{Value as Json, json};
use state::{Entry, Marks, Snapshot, template};
use workspace::Workspace;

/// Nothing in a comparison outlives it, so its marks need no secret of their own.
const LINEAGE: &str = "comparison";

/// The state that is recorded once these files have been applied and nothing was reported by adapters, under the name of
/// another deployment. Secrets are marks.
pub(crate) fn applied(files: &mut Workspace, deployment: &str) -> String {
    let model = files.current();
    let marks = Marks::of(LINEAGE);
    let mut snapshot = Snapshot::new(deployment, LINEAGE);
    let entries = model.lowered.desired.resources.iter();
    snapshot.resources = entries.map(|it| (it.address.to_string(), entry(&marks, it))).collect();
    snapshot.to_text()
}

fn entry(marks: &Marks, resource: &DesiredResource) -> Entry {
    let address = resource.address.to_string();
    let mut depends_on: Vec<String> = resource.dependencies.iter().map(|it| it.to.to_string()).collect();
    depends_on.sort();
    depends_on.dedup();
    Entry {
        kind: resource.kind.to_string(),
        phase: Phase::Active.as_str().into(),
        identity: json!({ "id": address }),
        id: address,
        template: marks.seal(&template(resource)),
        spec: marks.seal_fields(&resource.spec),
        depends_on,
        generation: 1,
        ..Entry::default()
    }
}

/// A state under the name of another deployment, or of none: two environments are compared whatever they are called.
pub(crate) fn renamed(state: &str, deployment: &str) -> String {
    let Ok(Json::Object(mut state)) = serde_json::from_str::<Json>(state) else { return state.to_owned() };
    state.retain(|key, _| key != "checksum" && key != "deployment");
    if !deployment.is_empty() {
        state.insert("deployment".into(), deployment.into());
    }
    Json::Object(state).to_string()
}
