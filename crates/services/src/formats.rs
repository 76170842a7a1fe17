//! The formats of this capability.

use workspace::{
    capability::{Candidate, Format, Precedence, Reader, Recognizer, Registration, SyntaxCheck},
    view::Role,
};

/// The capability's name.
pub const NAME: &str = "services";

/// The description of the capability before it is loaded.
pub static REGISTRATION: Registration = Registration { name: NAME, formats: &[&SPECIFICATION], hooks: &[] };

pub(crate) static SPECIFICATION: Format = Format {
    id: "service-specification",
    name: "service specification",
    role: Role::Specification,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(recognise),
    reader: Reader::Capability,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "name: library.example.com\nproto:\n  package:\n    name: example.library\n    currentVersion: v1\n\
             resources:\n- name: Publisher\n- name: Book\n  parents: [Publisher]\n",
};

fn recognise(it: &Candidate<'_>) -> Option<&'static str> {
    let file = it.name.rsplit('/').next().unwrap_or(it.name);
    if file.starts_with("api-skeleton-") {
        return Some("its name begins with `api-skeleton-`");
    }
    let has_package = it.root.get("proto").is_some_and(|it| it.get("package").is_some());
    has_package.then_some("it has a package under `proto`")
}
