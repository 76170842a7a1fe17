//! Specifications to generate from: those of real services are in `../shared/data/goten` beside the repository, or in the
//! folder that `PLANLOOM_SHARED` names.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use diag::{Diagnostic, FileId, Severity, Span};
use fields::schema::Schema;
use planloom_generate::Definition;
use spec::{Input, Services};
use syntax::Limits;

/// The real specifications.
pub(crate) const NAMES: [&str; 13] = [
    "ai-v1",
    "alerting-v1",
    "applications-v1",
    "applications-v1alpha2",
    "audit-v1",
    "audit-v1alpha2",
    "cellular-api-v1",
    "limits-v1",
    "limits-v1alpha2",
    "logging-v1",
    "logging-v1alpha2",
    "meta-v1alpha2",
    "ztp-v1",
];

/// A specification that has every type of field, every rule and methods of every form.
pub(crate) const EVERYTHING: &str = include_str!("everything.yaml");

/// A service with its messages.
pub(crate) struct Service {
    services: Services,
    schema: Schema,
}

impl Service {
    pub(crate) fn definition(&self) -> Definition<'_> {
        Definition::new(&self.services, 0, &self.schema).expect("a service")
    }
}

pub(crate) fn data() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("PLANLOOM_SHARED").map_or_else(beside, PathBuf::from);
    let folder = shared.join("data/goten");
    if !folder.is_dir() {
        eprintln!("skipped: there is no folder {}", folder.display());
        return None;
    }
    Some(folder)
}

/// A service from its specification, and the specifications of what it imports.
pub(crate) fn service(text: &str, imports: &[String]) -> Service {
    let (mut inputs, mut problems) = (Vec::new(), Vec::new());
    for (text, file) in [text].into_iter().chain(imports.iter().map(String::as_str)).zip(0..) {
        let (input, more) = read(text, file);
        inputs.push(input);
        problems.extend(more);
    }
    let (services, more) = spec::resolve(&inputs);
    problems.extend(more);
    let (schema, more) = spec::schema(&services, 0, &Schema::default());
    problems.extend(more);
    let errors: Vec<_> = problems.iter().filter(|it| it.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:#?}");
    Service { services, schema }
}

fn read(text: &str, file: u32) -> (Input, Vec<Diagnostic>) {
    let parse = syntax::parse(FileId(file), text, &Limits::default());
    let (skeleton, problems) = spec::read(&parse.document, Span::at(FileId(file), 0));
    (Input { skeleton: skeleton.expect("a map"), is_import: file > 0 }, problems)
}

/// A real service, with all others for its imports.
pub(crate) fn real(folder: &Path, name: &str) -> Service {
    let mut paths: Vec<PathBuf> = ["skeletons", "stubs"]
        .iter()
        .flat_map(|it| fs::read_dir(folder.join(it)).expect("the folder can be read"))
        .map(|it| it.expect("an entry").path())
        .collect();
    paths.sort();
    let text = |path: &PathBuf| fs::read_to_string(path).expect("it can be read");
    let own = folder.join(format!("skeletons/{name}.yaml"));
    let imports: Vec<String> = paths.iter().filter(|it| **it != own).map(text).collect();
    service(&text(&own), &imports)
}

/// All services: that with everything, and the real ones where they are.
pub(crate) fn all() -> Vec<(&'static str, Service)> {
    let folder = data();
    let real = NAMES.iter().filter_map(|name| Some((*name, real(folder.as_deref()?, name))));
    [("everything-v1", service(EVERYTHING, &[]))].into_iter().chain(real).collect()
}
