//! The resource types of the old version, each with what it became.

use std::collections::BTreeMap;

use diag::{Diagnostic, Diagnostics, Span, nearest};
use fields::schema::Schema;
use spec::{Kind, KindId, Service, Services};

use crate::{
    codes::{DUPLICATE, NO_COUNTERPART, UNKNOWN_RESOURCE},
    mapping::{Mapping, ResourceMapping, Text},
};

/// Two versions of a service among others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Versions<'a> {
    pub(crate) services: &'a Services,
    pub(crate) schemas: &'a [Schema],
    /// The places of the old and of the new version.
    pub(crate) old: usize,
    pub(crate) new: usize,
}

/// A resource type of the old version with its counterpart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KindPair<'a> {
    pub(crate) old: KindId,
    pub(crate) new: KindId,
    pub(crate) mapping: Option<&'a ResourceMapping>,
}

impl<'a> Versions<'a> {
    pub(crate) fn service(self, at: usize) -> Option<&'a Service> {
        self.services.services.get(at)
    }

    fn kinds(self, at: usize) -> impl Iterator<Item = (KindId, &'a Kind)> {
        let kinds = self.service(at).map_or(&[][..], |it| &it.kinds);
        kinds.iter().enumerate().map(move |(kind, it)| (KindId { service: at, kind }, it))
    }

    fn named(self, at: usize, name: &str) -> Option<KindId> {
        self.kinds(at).find(|(_, it)| &*it.name == name).map(|(id, _)| id)
    }

    /// A resource type of a version as the file names it; one that does not exist is reported.
    fn find(self, at: usize, name: &Text, report: &mut Diagnostics) -> Option<KindId> {
        let found = self.named(at, &name.value);
        if found.is_none() {
            let version = self.service(at).map_or("", |it| &it.version);
            let message = format!("there is no resource type `{}` in {version}", name.value);
            let unknown = Diagnostic::error(UNKNOWN_RESOURCE, name.span, message);
            let known: Vec<&str> = self.kinds(at).map(|(_, it)| &*it.name).collect();
            report.push(match nearest(&name.value, known.iter().copied()) {
                Some(near) => unknown.replace(format!("Write `{near}`"), name.span, near),
                None => unknown.help(format!("it has {}", known.join(", "))),
            });
        }
        found
    }
}

/// The pairs of all resource types of the old version. One is paired as the file says, or else by the replacement that its
/// specification names, or else by name (Goten's guide, 2.4.2).
pub(crate) fn pairs<'a>(
    versions: Versions<'a>,
    mapping: &'a Mapping,
    report: &mut Diagnostics,
) -> Vec<KindPair<'a>> {
    let mut mapped: BTreeMap<KindId, &ResourceMapping> = BTreeMap::new();
    for resource in &mapping.resources {
        let Some(old) = versions.find(versions.old, &resource.from, report) else { continue };
        if let Some(first) = mapped.get(&old) {
            report.push(twice(&resource.from, first.from.span));
        } else {
            mapped.insert(old, resource);
        }
    }
    let mut targets: BTreeMap<KindId, Span> = BTreeMap::new();
    let mut pairs = Vec::new();
    for (old, kind) in versions.kinds(versions.old) {
        let mapping_of = mapped.get(&old).copied();
        let span = mapping_of.map_or(mapping.from.span, |it| it.to.as_ref().unwrap_or(&it.from).span);
        let Some(new) = target(versions, kind, mapping_of, span, report) else { continue };
        if let Some(first) = targets.insert(new, span) {
            report.push(merged(kind, span, first));
        } else {
            pairs.push(KindPair { old, new, mapping: mapping_of });
        }
    }
    pairs
}

fn target(
    versions: Versions<'_>,
    kind: &Kind,
    mapping: Option<&ResourceMapping>,
    span: Span,
    report: &mut Diagnostics,
) -> Option<KindId> {
    if let Some(to) = mapping.and_then(|it| it.to.as_ref()) {
        return versions.find(versions.new, to, report);
    }
    let replaced = kind.replacement.as_ref().and_then(|it| versions.named(versions.new, &it.value));
    let found = replaced.or_else(|| versions.named(versions.new, &kind.name));
    if found.is_none() {
        let version = versions.service(versions.new).map_or("", |it| &it.version);
        let message = format!("`{}` has no counterpart in {version}", kind.name);
        let help = "name what it became: `- {from: OLD, to: NEW}` under `resources`";
        report.push(Diagnostic::error(NO_COUNTERPART, span, message).help(help));
    }
    found
}

fn twice(name: &Text, first: Span) -> Diagnostic {
    Diagnostic::error(DUPLICATE, name.span, format!("`{}` is converted twice", name.value))
        .related(first, "it is converted here first")
        .help("leave one of them out")
}

fn merged(kind: &Kind, span: Span, first: Span) -> Diagnostic {
    let message = format!("`{}` becomes a resource type that another one becomes, too", kind.name);
    Diagnostic::error(DUPLICATE, span, message)
        .related(first, "the other one")
        .help("resource types cannot be merged: keep both in the new version")
}
