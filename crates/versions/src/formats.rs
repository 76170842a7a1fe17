//! The formats of this capability.

use syntax::codes::AMBIGUOUS_SCALAR;
use workspace::{
    capability::{Format, Hook, Precedence, Reader, Recognizer, Registration, SyntaxCheck},
    view::Role,
};

use crate::lock;

/// The capability's name.
pub const NAME: &str = "versions";

/// The description of the capability before it is loaded.
pub static REGISTRATION: Registration = Registration {
    name: NAME,
    formats: &[&CATALOG, &LOCK, &PROBLEM, &ACTIVE_RESOLUTION],
    hooks: &[Hook::Versions],
};

pub(crate) static CATALOG: Format = Format {
    id: "catalog",
    name: "catalog",
    role: Role::Catalog,
    precedence: Precedence::Says,
    recognise: Recognizer::Text(|text| {
        catalog::is_catalog(text).then_some("its documents have a `schema` that begins with `olm.`")
    }),
    reader: Reader::Capability,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "schema: olm.package\nname: queue\ndefaultChannel: stable\n",
};

pub(crate) static LOCK: Format = Format {
    id: "lock",
    name: "lock",
    role: Role::Lock,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(|it| {
        if it.name.rsplit('/').next() == Some(lock::NAME) {
            Some("its name is `planloom.lock`")
        } else {
            lock::is_lock(it.root).then_some("it says `format: planloom.lock/1`")
        }
    }),
    reader: Reader::Capability,
    syntax: SyntaxCheck::All,
    notice: None,
    sample: "format: planloom.lock/1\npackages: {}\n",
};

/// Its keys are ids of variables, which can be any text.
pub(crate) static PROBLEM: Format = Format {
    id: "problem",
    name: "problem",
    role: Role::Problem,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(|it| {
        resolve::document::is_problem(it.document).then_some("it says `format: planloom.problem/1`")
    }),
    reader: Reader::Capability,
    syntax: SyntaxCheck::Except(AMBIGUOUS_SCALAR),
    notice: None,
    sample: "format: planloom.problem/1\nvariables: [{id: web, constraints: [mandatory]}]\n",
};

/// Its documents are read one by one.
pub(crate) static ACTIVE_RESOLUTION: Format = Format {
    id: "active-resolution",
    name: "request",
    role: Role::Request,
    precedence: Precedence::Says,
    recognise: Recognizer::Content(|it| {
        (it.text("kind") == Some("ActiveResolution")).then_some("its kind is `ActiveResolution`")
    }),
    reader: Reader::Capability,
    syntax: SyntaxCheck::ByReader,
    notice: None,
    sample: "kind: ActiveResolution\nspec: {packages: [{name: queue}]}\n",
};
