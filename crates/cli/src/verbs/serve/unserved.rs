//! References that a served API cannot check, for the start.

use api::{Api, UnservedPolicy, UnservedReference};
use report::codes;
use spec::Services;
use workspace::view::{DiagnosticView, Severity};

use crate::problem::problem;

/// A warning for each reference field to a kind that is not served.
pub(super) fn warnings(api: &Api, services: &Services, policy: UnservedPolicy) -> Vec<DiagnosticView> {
    api.unserved_references().iter().map(|it| warning(it, services, policy)).collect()
}

fn warning(it: &UnservedReference, services: &Services, policy: UnservedPolicy) -> DiagnosticView {
    let field = format!("`{}` of `{}`", it.path.text(), services.type_name(it.kind));
    let (effect, help) = match policy {
        UnservedPolicy::Refuse => (
            "writes that set it are refused",
            "serve the specification that has the kind with another `--service`, or store such references unchecked with \
             `--accept-unserved-references`",
        ),
        UnservedPolicy::Accept => (
            "it is stored, and nothing checks it",
            "serve the specification that has the kind with another `--service`",
        ),
    };
    let message = format!("{field} refers to `{}`, which this server does not serve: {effect}", it.target);
    DiagnosticView { severity: Severity::Warning, ..problem(codes::UNSERVED_REFERENCE, None, message, help) }
}
