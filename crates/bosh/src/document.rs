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
    /// A list of go-patch operations. They change the last manifest before them, or without one the last document.
    Operations,
    /// A runtime config: addons for every deployment.
    RuntimeConfig,
    /// A cloud config: the networks and their types.
    CloudConfig,
    /// A release job's spec.
    JobSpec,
    /// Values of variables: a map by name.
    Variables,
    /// Any other document that operations and variables change; nothing else is read from it.
    Other,
}

/// A file of BOSH.
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    /// Its file name; that of a spec is `<release>__<job>.yml`.
    pub name: &'a str,
    /// Its kind.
    pub kind: DocumentKind,
    /// Its content.
    pub root: &'a Node,
}

/// The result of reading.
#[derive(Clone, Debug, Default)]
pub struct ReadResult {
    /// Each manifest after its operations, with the history of its values, in the order of
    /// [`LinkModel::deployments`].
    pub manifests: Vec<Merged>,
    /// Each cloud and runtime config, and the other document, after its operations.
    pub configs: Vec<(DocumentKind, Merged)>,
    /// The providers and consumers.
    pub site: LinkModel,
    /// Jobs whose spec was not given, as `release/job`, with the number of deployments.
    pub jobs_without_spec: BTreeMap<Arc<str>, u32>,
    /// The diagnostics.
    pub diagnostics: Diagnostics,
}
