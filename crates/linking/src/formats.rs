//! The formats of BOSH.

use bosh::DocumentKind;
use syntax::Node;
use workspace::{
    capability::{Candidate, Format, Hook, Precedence, Reader, Recognizer, Registration, SyntaxCheck},
    view::Role,
};

/// The capability's name.
pub const NAME: &str = "linking";

/// The properties that are known before it is loaded.
pub static REGISTRATION: Registration = Registration {
    name: NAME,
    formats: &[&OPERATIONS, &MANIFEST, &RUNTIME_CONFIG, &CLOUD_CONFIG, &JOB_SPEC, &VARIABLES, &CHANGED],
    hooks: &[Hook::Accessors],
};

/// A text in the form of a descriptor is no list.
static OPERATIONS: Format = Format {
    precedence: Precedence::Says,
    ..row("bosh-operations", "file of operations", Role::Operations, |it| {
        is(it, DocumentKind::Operations).then_some("it lists operations with a path or a type")
    })
};

static MANIFEST: Format = row("bosh-manifest", "manifest", Role::Layer, |it| {
    is(it, DocumentKind::Manifest).then_some("it has `instance_groups`, or `releases` and `stemcells`")
});

static RUNTIME_CONFIG: Format = row("bosh-runtime-config", "runtime config", Role::Other, |it| {
    is(it, DocumentKind::RuntimeConfig).then_some("it has `addons`")
});

static CLOUD_CONFIG: Format = row("bosh-cloud-config", "cloud config", Role::Other, |it| {
    is(it, DocumentKind::CloudConfig).then_some("it has keys of a cloud config")
});

static JOB_SPEC: Format = row("bosh-job-spec", "job spec", Role::Release, |it| {
    is(it, DocumentKind::JobSpec).then_some("it has the name or the keys of a release job's spec")
});

/// A map of names to values cannot be distinguished from other files, so it is only given as such.
static VARIABLES: Format = Format {
    recognise: Recognizer::Given,
    ..row("bosh-variables", "variables file", Role::Variables, |_| None)
};

static CHANGED: Format =
    Format { recognise: Recognizer::Given, ..row("changed-document", "document", Role::Layer, |_| None) };

/// The kind of document that a file is to BOSH; `None` for those of other formats.
pub(crate) fn sort(format: &Format, name: &str, root: &Node) -> Option<DocumentKind> {
    let sorts = [
        (&OPERATIONS, DocumentKind::Operations),
        (&MANIFEST, DocumentKind::Manifest),
        (&RUNTIME_CONFIG, DocumentKind::RuntimeConfig),
        (&CLOUD_CONFIG, DocumentKind::CloudConfig),
        (&JOB_SPEC, DocumentKind::JobSpec),
        (&VARIABLES, DocumentKind::Variables),
    ];
    if *format == CHANGED {
        let is_of_bosh = |it: &DocumentKind| {
            matches!(it, DocumentKind::Manifest | DocumentKind::CloudConfig | DocumentKind::RuntimeConfig)
        };
        return bosh::sort(name, root).filter(is_of_bosh).or(Some(DocumentKind::Other));
    }
    sorts.into_iter().find(|(it, _)| *it == format).map(|(_, sort)| sort)
}

const fn row(
    id: &'static str,
    name: &'static str,
    role: Role,
    recognise: fn(&Candidate<'_>) -> Option<&'static str>,
) -> Format {
    Format {
        id,
        name,
        role,
        precedence: Precedence::Looks,
        recognise: Recognizer::Content(recognise),
        reader: Reader::Capability,
        syntax: SyntaxCheck::ForeignNames,
        notice: None,
        sample: "",
    }
}

fn is(it: &Candidate<'_>, sort: DocumentKind) -> bool {
    bosh::sort(it.name, it.root) == Some(sort)
}
