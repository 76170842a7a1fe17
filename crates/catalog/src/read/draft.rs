use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use diag::{Diagnostic, Span};

use crate::{Bundle, Catalog, Channel, Deprecation, Package, codes, findings::Findings, quote::quote};

mod deprecations;

/// The documents, before their elements are assigned to packages.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) packages: Vec<Package>,
    pub(super) channels: Vec<DraftChannel>,
    pub(super) bundles: Vec<Bundle>,
    /// Packages and names of bundles that could not be read.
    pub(super) unread: BTreeSet<(Arc<str>, Arc<str>)>,
    pub(super) deprecations: Vec<DraftDeprecations>,
    /// True if a template is being read, which has entries without bundles.
    pub(super) is_template: bool,
}

/// A channel and the package that it names.
#[derive(Debug)]
pub(super) struct DraftChannel {
    pub(super) package: Arc<str>,
    pub(super) package_origin: Span,
    pub(super) channel: Channel,
    pub(super) is_template: bool,
}

/// The deprecations of a package.
#[derive(Debug)]
pub(super) struct DraftDeprecations {
    pub(super) package: Arc<str>,
    pub(super) origin: Span,
    pub(super) references: Vec<Reference>,
}

/// A reference to a deprecated element of a package.
#[derive(Debug)]
pub(super) struct Reference {
    pub(super) schema: Arc<str>,
    pub(super) name: Arc<str>,
    /// The index of its entry in the list.
    pub(super) idx: usize,
    pub(super) deprecation: Deprecation,
    pub(super) origin: Span,
}

impl Draft {
    /// Assigns everything to its package, and reports what belongs to none.
    pub(super) fn finish(self, name: &str, findings: &mut Findings) -> Catalog {
        let mut packages = BTreeMap::new();
        self.packages.into_iter().for_each(|package| add_package(&mut packages, package, findings));
        self.channels.into_iter().for_each(|channel| add_channel(&mut packages, channel, findings));
        self.bundles.into_iter().for_each(|bundle| add_bundle(&mut packages, bundle, findings));
        for (package, name) in self.unread {
            if let Some(package) = packages.get_mut(&package) {
                package.unread.insert(name);
            }
        }
        deprecations::add(&mut packages, self.deprecations, findings);
        Catalog { name: name.into(), priority: 0, packages }
    }
}

type Packages = BTreeMap<Arc<str>, Package>;

fn add_package(packages: &mut Packages, package: Package, findings: &mut Findings) {
    match packages.get(&package.name) {
        Some(first) => {
            let message = format!("duplicate package {}", quote(&package.name));
            findings.push(twice(message, package.origin, first.origin));
        }
        None => {
            packages.insert(package.name.clone(), package);
        }
    }
}

fn add_channel(packages: &mut Packages, draft: DraftChannel, findings: &mut Findings) {
    let DraftChannel { package, package_origin, channel, is_template } = draft;
    let Some(package) = packages.get_mut(&package) else {
        let (package, name) = (quote(&package), quote(&channel.name));
        let message = format!("unknown package {package} for channel {name}");
        return findings.push(unknown(message, package_origin));
    };
    if let Some(first) = package.channels.get(&channel.name) {
        let message = format!("duplicate channel {}", quote(&channel.name));
        return findings.push(twice(message, channel.origin, first.origin));
    }
    if is_template {
        package.unread.extend(channel.entries.iter().map(|entry| entry.name.clone()));
    }
    package.channels.insert(channel.name.clone(), channel);
}

fn add_bundle(packages: &mut Packages, bundle: Bundle, findings: &mut Findings) {
    let Some(package) = packages.get_mut(&bundle.package) else {
        let (package, name) = (quote(&bundle.package), quote(&bundle.name));
        return findings.push(unknown(format!("unknown package {package} for bundle {name}"), bundle.origin));
    };
    if let Some(first) = package.bundles.get(&bundle.name) {
        let message = format!("duplicate bundle {}", quote(&bundle.name));
        return findings.push(twice(message, bundle.origin, first.origin));
    }
    package.bundles.insert(bundle.name.clone(), bundle);
}

fn twice(message: String, at: Span, first: Span) -> Diagnostic {
    Diagnostic::error(codes::DUPLICATE, at, message)
        .related(first, "first written here")
        .help("the first one is used")
}

fn unknown(message: String, at: Span) -> Diagnostic {
    Diagnostic::error(codes::UNKNOWN_PACKAGE, at, message)
        .help("declare the package with a document `olm.package`, or remove what belongs to it")
}
