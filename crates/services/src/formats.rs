//! The formats of this capability.

use workspace::{
    capability::{Candidate, Format, Precedence, Reader, Recognizer, Registration, SyntaxCheck},
    view::Role,
};

/// The capability's name.
pub const NAME: &str = "services";

/// The description of the capability before it is loaded.
pub static REGISTRATION: Registration =
    Registration { name: NAME, formats: &[&SPECIFICATION, &PROTOBUF], hooks: &[] };

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

/// Messages of services. They are no YAML.
pub(crate) static PROTOBUF: Format = Format {
    id: "protobuf",
    name: "protobuf file",
    role: Role::Specification,
    precedence: Precedence::Says,
    recognise: Recognizer::Text(recognise_protobuf),
    reader: Reader::Capability,
    syntax: SyntaxCheck::ByReader,
    notice: None,
    sample: "syntax = \"proto3\";\n\npackage example.library.v1;\n\nmessage Book {\n  string name = 1;\n}\n",
};

/// The first statement says which version of the language it is; comments may come before it.
fn recognise_protobuf(text: &str) -> Option<&'static str> {
    let mut lines = text.lines().map(str::trim);
    let first = lines.find(|it| {
        !it.is_empty() && !it.starts_with("//") && !it.starts_with('*') && !it.starts_with("/*")
    })?;
    let value = first.strip_prefix("syntax")?.trim_start().strip_prefix('=')?;
    value.contains("proto").then_some("it begins with `syntax = \"proto3\"`")
}

fn recognise(it: &Candidate<'_>) -> Option<&'static str> {
    let file = it.name.rsplit('/').next().unwrap_or(it.name);
    if file.starts_with("api-skeleton-") {
        return Some("its name begins with `api-skeleton-`");
    }
    let has_package = it.root.get("proto").is_some_and(|it| it.get("package").is_some());
    has_package.then_some("it has a package under `proto`")
}
