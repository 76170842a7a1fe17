//! All formats, a row each. The first row that recognises a file decides.

use super::{Candidate, Format, Notice, Reader, Recognise, notice};
use crate::{
    versions::lock,
    view::{Capability, Role},
};

/// All formats, in the order in which they are tried.
pub(super) static FORMATS: &[Format] = &[
    Format {
        id: "catalog",
        name: "catalog",
        role: Role::Catalog,
        capability: Capability::Versions,
        recognise: Recognise::Text(|text| {
            catalog::is_catalog(text).then_some("its documents have a `schema` that begins with `olm.`")
        }),
        reader: Reader::Catalog,
        notice: None,
        sample: "schema: olm.package\nname: queue\ndefaultChannel: stable\n",
    },
    Format {
        id: "lock",
        name: "lock",
        role: Role::Lock,
        capability: Capability::Versions,
        recognise: Recognise::Content(|it| {
            if it.name.rsplit('/').next() == Some(lock::NAME) {
                Some("it is called `planloom.lock`")
            } else {
                lock::is_lock(it.root).then_some("it says `format: planloom.lock/1`")
            }
        }),
        reader: Reader::Lock,
        notice: None,
        sample: "format: planloom.lock/1\npackages: {}\n",
    },
    Format {
        id: "problem",
        name: "problem",
        role: Role::Problem,
        capability: Capability::Versions,
        recognise: Recognise::Content(|it| {
            resolve::document::is_problem(it.document).then_some("it says `format: planloom.problem/1`")
        }),
        reader: Reader::Problem,
        notice: None,
        sample: "format: planloom.problem/1\nvariables: [{id: web, constraints: [mandatory]}]\n",
    },
    Format {
        id: "active-resolution",
        name: "request",
        role: Role::Request,
        capability: Capability::Versions,
        recognise: Recognise::Content(|it| {
            (it.text("kind") == Some("ActiveResolution")).then_some("its kind is `ActiveResolution`")
        }),
        reader: Reader::Request,
        notice: None,
        sample: "kind: ActiveResolution\nspec: {packages: [{name: queue}]}\n",
    },
    Format {
        notice: Some(Notice::Written("give it to `plan` with `--state`")),
        ..written("state", "recorded state", Role::State, |it| says(it, "state"))
    },
    Format {
        notice: Some(Notice::Written("give it to `plan` with `--observed`")),
        ..written("observed", "observed state", Role::Observed, |it| says(it, "observed"))
    },
    written("plan", "plan", Role::Plan, |it| says(it, "plan")),
    Format {
        notice: Some(Notice::Written("give it with `--types`")),
        ..written("type-definitions", "file of type definitions", Role::Types, |it| says(it, "types"))
    },
    written("answer", "answer of Planloom", Role::Other, |it| {
        let said = it.text("format").filter(|_| it.types.root_field("format").is_none());
        said.is_some_and(|it| it.starts_with("planloom.")).then_some("its `format` begins with `planloom.`")
    }),
    bosh_file("bosh-operations", "file of operations", Role::Operations, bosh::Sort::Operations, |it| {
        is_bosh(it, bosh::Sort::Operations).then_some("it lists operations with a path or a type")
    }),
    Format {
        id: "compose",
        name: "Compose file",
        role: Role::Layer,
        capability: Capability::Core,
        recognise: Recognise::Content(|it| {
            notice::is_compose(it.root).then_some("its services say what to run themselves")
        }),
        reader: Reader::Descriptor,
        notice: Some(Notice::OtherTool),
        sample: "services: {web: {image: nginx}}\n",
    },
    Format {
        id: "kubernetes",
        name: "Kubernetes manifest",
        role: Role::Layer,
        capability: Capability::Core,
        recognise: Recognise::Content(|it| {
            (it.has("apiVersion") && it.has("kind")).then_some("it has `apiVersion` and `kind`")
        }),
        reader: Reader::Descriptor,
        notice: Some(Notice::OtherTool),
        sample: "apiVersion: v1\nkind: Pod\n",
    },
    Format {
        recognise: Recognise::Content(|it| is_descriptor(it).then_some("it has keys of descriptors")),
        ..DESCRIPTOR_ROW
    },
    bosh_file("bosh-manifest", "manifest", Role::Layer, bosh::Sort::Manifest, |it| {
        is_bosh(it, bosh::Sort::Manifest).then_some("it has `instance_groups`, or `releases` and `stemcells`")
    }),
    bosh_file("bosh-runtime-config", "runtime config", Role::Other, bosh::Sort::RuntimeConfig, |it| {
        is_bosh(it, bosh::Sort::RuntimeConfig).then_some("it has `addons`")
    }),
    bosh_file("bosh-cloud-config", "cloud config", Role::Other, bosh::Sort::CloudConfig, |it| {
        is_bosh(it, bosh::Sort::CloudConfig).then_some("it has what only a cloud config has")
    }),
    bosh_file("bosh-job-spec", "job spec", Role::Release, bosh::Sort::JobSpec, |it| {
        is_bosh(it, bosh::Sort::JobSpec).then_some("it is called or looks like the spec of a release job")
    }),
];

/// What is none of the others, too: empty files, and those that cannot be read.
pub(super) static DESCRIPTOR: &Format = &DESCRIPTOR_ROW;

const DESCRIPTOR_ROW: Format = Format {
    id: "descriptor",
    name: "descriptor",
    role: Role::Layer,
    capability: Capability::Core,
    recognise: Recognise::Otherwise,
    reader: Reader::Descriptor,
    notice: None,
    sample: "payloads: {web: {runtime: vm}}\nservices: {site: {payload: web}}\n",
};

/// What Planloom wrote and takes in another way than as a descriptor.
const fn written(
    id: &'static str,
    name: &'static str,
    role: Role,
    recognise: fn(&Candidate<'_>) -> Option<&'static str>,
) -> Format {
    Format {
        id,
        name,
        role,
        capability: Capability::Core,
        recognise: Recognise::Content(recognise),
        reader: Reader::Refused,
        notice: Some(Notice::Written("give the descriptors that it was made from")),
        sample: "",
    }
}

const fn bosh_file(
    id: &'static str,
    name: &'static str,
    role: Role,
    sort: bosh::Sort,
    recognise: fn(&Candidate<'_>) -> Option<&'static str>,
) -> Format {
    Format {
        id,
        name,
        role,
        capability: Capability::Linking,
        recognise: Recognise::Content(recognise),
        reader: Reader::Bosh(sort),
        notice: None,
        sample: "",
    }
}

fn says(it: &Candidate<'_>, name: &str) -> Option<&'static str> {
    let is_free = it.types.root_field("format").is_none();
    (is_free && it.says_format(name)).then_some("its `format` says so")
}

fn is_bosh(it: &Candidate<'_>, sort: bosh::Sort) -> bool {
    bosh::sort(it.name, it.root) == Some(sort)
}

/// Whether it has a key of descriptors, or one of other tools that are read as such so that their mistakes are told.
fn is_descriptor(it: &Candidate<'_>) -> bool {
    let has_networks = it.root.get("networks").is_some_and(|it| it.as_mapping().is_some());
    has_networks || ["services", "payloads", "meta", "apiVersion", "kind"].iter().any(|key| it.has(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Workspace};

    #[test]
    fn a_sample_is_of_its_format() {
        for format in FORMATS.iter().filter(|it| !it.sample.is_empty()) {
            let mut workspace = Workspace::new();
            let (name, text) = ("a.yaml".into(), format.sample.into());
            workspace.set_files(vec![File { name, text, package: None }]);
            let found = workspace.files().into_iter().next().map(|it| it.format);
            assert_eq!(found.as_deref(), Some(format.id));
        }
    }

    #[test]
    fn formats_have_names_of_their_own() {
        let mut ids: Vec<&str> = FORMATS.iter().filter(|it| it.id != "descriptor").map(|it| it.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
