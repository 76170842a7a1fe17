use std::{collections::BTreeMap, sync::Arc};

use diag::Diagnostics;
use links::LinkModel;
use merge::Merged;
use syntax::Node;

/// The kind of a file of BOSH.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// A deployment manifest: it has `instance_groups`.
    Manifest,
    /// A list of go-patch operations. They change the manifest that stands last before them.
    Operations,
    /// A runtime config: addons for every deployment.
    RuntimeConfig,
    /// A cloud config: which networks there are, and of what sort.
    CloudConfig,
    /// A release job's spec.
    JobSpec,
}

/// A file of BOSH.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its file name; a spec's says `<release>__<job>.yml`.
    pub name: &'a str,
    /// What it is.
    pub kind: DocumentKind,
    /// Its content.
    pub root: &'a Node,
}

/// The result of reading.
#[derive(Clone, Debug, Default)]
pub struct ReadResult {
    /// Each manifest after its operations, with who wrote what, in the order of [`LinkModel::deployments`].
    pub manifests: Vec<Merged>,
    /// What can be linked.
    pub site: LinkModel,
    /// Jobs whose spec was not given, as `release/job`, and how often they are deployed.
    pub jobs_without_spec: BTreeMap<Arc<str>, u32>,
    /// What was wrong.
    pub diagnostics: Diagnostics,
}
