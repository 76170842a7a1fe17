use std::sync::Arc;

use diag::{Span, TextEdit};

use crate::{Request, Requirement, quote::quote, range::Range, version::Version};

/// A change of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    /// Add one version to a requirement's range.
    Widen {
        /// The index of the requirement.
        requirement: u32,
        /// The new range.
        range: Range,
    },
    /// Change a requirement's channel.
    Channel {
        /// The index of the requirement.
        requirement: u32,
        /// The channel.
        channel: Arc<str>,
    },
    /// Change a requirement's catalog, or choose one of several.
    Catalog {
        /// The index of the requirement.
        requirement: u32,
        /// The catalog.
        catalog: Arc<str>,
    },
    /// Let a requirement take versions that no upgrade leads to.
    AnyUpgrade(u32),
    /// Another version of Kubernetes on the cluster.
    Kubernetes(Version),
    /// Another version of OpenShift on the cluster.
    OpenShift(u64, u64),
    /// Upgrade an installed bundle first, step by step.
    Step {
        /// The index of the installed bundle.
        installed: u32,
        /// The intermediate upgrades: names and versions.
        path: Vec<(Arc<str>, Version)>,
    },
    /// Remove an installed bundle.
    Remove(u32),
    /// Remove a requirement.
    Drop(u32),
}

impl Change {
    /// Applies the change. Indices stay valid: what is removed is marked by an empty name.
    pub(crate) fn apply(&self, request: &mut Request) {
        let requirement = |request: &mut Request, at: u32, change: &dyn Fn(&mut Requirement)| {
            if let Some(it) = request.requirements.get_mut(at as usize) {
                change(it);
            }
        };
        match self {
            Self::Widen { requirement: at, range } => {
                requirement(request, *at, &|it| it.range = Some(range.clone()));
            }
            Self::Channel { requirement: at, channel } => {
                requirement(request, *at, &|it| it.channels = vec![channel.clone()]);
            }
            Self::Catalog { requirement: at, catalog } => {
                requirement(request, *at, &|it| it.catalog = Some(catalog.clone()));
            }
            Self::AnyUpgrade(at) => requirement(request, *at, &|it| it.any_upgrade = true),
            Self::Kubernetes(version) => request.runtime.kubernetes = Some(version.clone()),
            Self::OpenShift(major, minor) => request.runtime.openshift = Some((*major, *minor)),
            Self::Step { installed, path } => {
                if let Some((it, (name, version))) =
                    request.installed.get_mut(*installed as usize).zip(path.last())
                {
                    it.bundle = Some(name.clone());
                    it.version = version.clone();
                    it.described = None;
                }
            }
            Self::Remove(at) => {
                if (*at as usize) < request.installed.len() {
                    request.installed.remove(*at as usize);
                }
            }
            Self::Drop(at) => {
                if (*at as usize) < request.requirements.len() {
                    request.requirements.remove(*at as usize);
                }
            }
        }
    }

    /// The label of a button that applies it.
    pub(crate) fn title(&self, request: &Request) -> String {
        let name =
            |at: u32| request.requirements.get(at as usize).map(|it| it.name.to_string()).unwrap_or_default();
        match self {
            Self::Widen { requirement, range } => {
                format!("Widen the range of {} to `{range}`", name(*requirement))
            }
            Self::Channel { requirement, channel } => {
                format!("Take {} from channel `{channel}`", name(*requirement))
            }
            Self::Catalog { requirement, catalog } => {
                format!("Take {} from catalog `{catalog}`", name(*requirement))
            }
            Self::AnyUpgrade(at) => format!("Allow versions of {} that no upgrade leads to", name(*at)),
            Self::Kubernetes(version) => format!("Upgrade the cluster to Kubernetes {version}"),
            Self::OpenShift(major, minor) => format!("Stay on OpenShift {major}.{minor}"),
            Self::Step { installed, path } => {
                let package = request.installed.get(*installed as usize).map(|it| it.package.to_string());
                let steps: Vec<String> = path.iter().map(|(_, version)| version.to_string()).collect();
                format!("Upgrade {} to {} first", package.unwrap_or_default(), steps.join(", then to "))
            }
            Self::Remove(at) => {
                let it = request.installed.get(*at as usize);
                it.map(|it| format!("Remove {} {}, which is installed", it.package, it.version))
                    .unwrap_or_default()
            }
            Self::Drop(at) => format!("Remove the requirement of {}", name(*at)),
        }
    }

    /// The text edits that make the change, if the places are known.
    pub(crate) fn edits(&self, request: &Request) -> Vec<TextEdit> {
        let edit = |span: Option<Span>, text: &str| {
            span.map(|span| TextEdit { span, new_text: quote(text) }).into_iter().collect()
        };
        let origin =
            |at: &u32| request.requirements.get(*at as usize).map(|it| it.origin).unwrap_or_default();
        match self {
            Self::Widen { requirement, range } => edit(origin(requirement).range, &range.text),
            Self::Channel { requirement, channel } => edit(origin(requirement).channel, channel),
            _ => Vec::new(),
        }
    }
}

/// The range extended by one version. `<2.0.0` becomes `<=2.1.0`; to a range that is not that simple, the
/// version is added.
pub(crate) fn widened(range: &Range, version: &Version) -> Option<Range> {
    let text = range.text.trim();
    let simple = |operators: [&str; 2]| {
        let rest = operators.iter().find_map(|it| text.strip_prefix(it))?.trim();
        let bound = Version::parse(rest).ok()?;
        Some(bound)
    };
    let below =
        simple(["<=", "<"]).filter(|it| version.precedence(it).is_ge()).map(|_| format!("<={version}"));
    let above =
        simple([">=", ">"]).filter(|it| version.precedence(it).is_le()).map(|_| format!(">={version}"));
    let added = || format!("{text} || {version}");
    let candidates = [below, above, Some(added())].into_iter().flatten();
    let parsed = candidates.filter_map(|it| Range::parse(&it, range.dialect).ok());
    parsed.into_iter().find(|it| it.contains(version))
}
