//! The files that are generated from specifications.

use generate::Definition;
use serde_json::Value;
use workspace::view::{GeneratedArtifact, GeneratedFile};

use crate::reading::Reading;

/// The JSON Schema of specifications, as a file of text: editors complete and check specifications with it.
pub fn specification_schema() -> String {
    json(&generate::specification_schema())
}

/// The files of the services that are not only imported.
pub(crate) fn files(artifact: GeneratedArtifact, reading: &Reading) -> Vec<GeneratedFile> {
    let places =
        reading.services.services.iter().enumerate().filter(|(_, it)| !it.is_import).map(|(at, _)| at);
    let definitions =
        places.filter_map(|at| Definition::new(&reading.services, at, reading.schemas.get(at)?));
    definitions.flat_map(|it| of_service(artifact, it)).collect()
}

fn of_service(artifact: GeneratedArtifact, it: Definition<'_>) -> Vec<GeneratedFile> {
    let (suffix, text) = match artifact {
        GeneratedArtifact::Types => (".ts", generate::typescript(it)),
        GeneratedArtifact::OpenApi => (".openapi.json", json(&generate::openapi(it))),
        GeneratedArtifact::Schema => (".schema.json", json(&generate::json_schema(it))),
        GeneratedArtifact::Docs => (".md", generate::markdown(it)),
        GeneratedArtifact::Proto => return protos(it),
        GeneratedArtifact::Permissions => (".permissions.yaml", generate::permissions(it)),
        GeneratedArtifact::Roles => (".roles.yaml", generate::roles(it)),
    };
    vec![GeneratedFile { path: format!("{}{suffix}", stem(it)), text }]
}

/// `secrets-v1`, as files of specifications are called.
fn stem(it: Definition<'_>) -> String {
    let name = it.service.name.split('.').next().unwrap_or_default();
    let safe = |it: char| if it.is_ascii_alphanumeric() || it == '-' { it } else { '_' };
    format!("{name}-{}", it.service.version).chars().map(safe).collect()
}

fn protos(it: Definition<'_>) -> Vec<GeneratedFile> {
    let file = |it: generate::ProtoFile| GeneratedFile { path: it.path, text: it.text };
    generate::proto(it).into_iter().map(file).collect()
}

fn json(value: &Value) -> String {
    format!("{value:#}\n")
}
