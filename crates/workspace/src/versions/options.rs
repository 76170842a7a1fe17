use std::{collections::BTreeMap, sync::Arc};

use catalog::Profile;
use serde::{Deserialize, Serialize};

/// How versions are chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    pub(crate) profile: Profile,
    pub(crate) openshift: Option<String>,
    pub(crate) kubernetes: Option<String>,
    pub(crate) fresh: bool,
    /// Ranges that count in place of written ones, by who asks.
    pub(crate) instead: BTreeMap<Arc<str>, Arc<str>>,
}

/// How versions are chosen, for hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VersionOptions {
    /// Whose rules count: `v0`, `v1` (the default) or `phase0`.
    pub profile: Option<String>,
    /// The version of OpenShift that bundles have to run on, e.g. `4.21`.
    pub openshift: Option<String>,
    /// The version of Kubernetes, e.g. `1.31.2`.
    pub kubernetes: Option<String>,
    /// What is locked does not count.
    pub fresh: bool,
}
