use std::{collections::BTreeMap, sync::Arc};

use crate::codes;
use catalog::{Profile, Request, Runtime, range::Range, version::Version};
use diag::{Diagnostic, Diagnostics};
use serde::{Deserialize, Serialize};
use workspace::view::VersionProfile;

/// The options for choosing versions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    /// The requested profile; the default for descriptors is `v1`.
    pub(crate) profile: Option<Profile>,
    pub(crate) openshift: Option<String>,
    pub(crate) kubernetes: Option<String>,
    pub(crate) fresh: bool,
    /// The priorities of catalogs, by name.
    pub(crate) priorities: BTreeMap<String, i64>,
    /// Ranges that replace written ones, by the name of the requirement.
    pub(crate) instead: BTreeMap<Arc<str>, Arc<str>>,
}

/// The options for choosing versions, for hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VersionOptions {
    /// The rules that apply; by default those of `v1`, and of `phase0` for an `ActiveResolution`.
    pub profile: Option<VersionProfile>,
    /// The version of OpenShift that bundles have to run on, e.g. `4.21`.
    pub openshift: Option<String>,
    /// The version of Kubernetes, e.g. `1.31.2`.
    pub kubernetes: Option<String>,
    /// True if to ignore the lock.
    pub fresh: bool,
    /// The priorities of catalogs, by name: of several that offer the same, the one with the highest is used.
    /// Among catalogs without a priority, the ones that are given first have precedence.
    pub priorities: BTreeMap<String, i64>,
}

impl Options {
    /// The profile for descriptors.
    pub(crate) fn profile(&self) -> Profile {
        self.profile.unwrap_or_default()
    }

    /// Errors in the options: versions that cannot be read, and unknown names.
    pub(crate) fn problems(&self, requirers: &[Arc<str>], catalogs: &[Arc<str>]) -> Diagnostics {
        let mut found = Diagnostics::new();
        let mut wrong = |message: String, help: &str| {
            found.push(Diagnostic::error(codes::OPTION, None, message).help(help))
        };
        if let Some(text) = self.openshift.as_deref().filter(|it| minor(it).is_none()) {
            wrong(
                format!("`{text}` is not a version of OpenShift"),
                "write its first two numbers, such as `4.21`",
            );
        }
        let unread = |it: &&str| Version::parse_tolerant(it).is_err();
        if let Some(text) = self.kubernetes.as_deref().filter(unread) {
            wrong(format!("`{text}` is not a version of Kubernetes"), "write it as `1.31.2`");
        }
        for name in self.priorities.keys().filter(|it| catalogs.iter().all(|name| **name != ***it)) {
            wrong(
                format!("there is no catalog `{name}` to set a priority for"),
                "give the name of a catalog",
            );
        }
        for name in self.instead.keys().filter(|it| !requirers.contains(it)) {
            let help = format!(
                "required by: {}",
                requirers.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ")
            );
            wrong(format!("`{name}` does not require a package"), &help);
        }
        found
    }

    /// The cluster that bundles have to run on.
    pub(crate) fn runtime(&self) -> Runtime {
        let kubernetes = self.kubernetes.as_deref().and_then(|it| Version::parse_tolerant(it).ok());
        Runtime { openshift: self.openshift.as_deref().and_then(minor), kubernetes, ..Runtime::default() }
    }

    /// A request of a document, changed by these options.
    pub(crate) fn over(&self, request: &Request) -> Request {
        let mut request = request.clone();
        request.profile = self.profile.unwrap_or(request.profile);
        let own = self.runtime();
        request.runtime.openshift = own.openshift.or(request.runtime.openshift);
        request.runtime.kubernetes = own.kubernetes.or(request.runtime.kubernetes);
        for requirement in &mut request.requirements {
            let text = self.instead.get(&requirement.name);
            let range = text.map(|it| Range::parse(it, request.profile.dialect()));
            if let Some(Ok(range)) = range {
                requirement.range = Some(range);
            }
        }
        request
    }
}

/// The first two numbers of a version.
fn minor(text: &str) -> Option<(u64, u64)> {
    let mut parts = text.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}
