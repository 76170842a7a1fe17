use std::{collections::BTreeMap, sync::Arc};

use diag::{Diagnostic, Span};

use super::{DraftDeprecations, Packages, Reference};
use crate::{Deprecation, Package, codes, findings::Findings, quote::quote};

/// Marks deprecated elements. A package has at most one list.
pub(super) fn add(packages: &mut Packages, all: Vec<DraftDeprecations>, findings: &mut Findings) {
    let mut seen: BTreeMap<Arc<str>, Span> = BTreeMap::new();
    for DraftDeprecations { package: name, origin, references } in all {
        let Some(package) = packages.get_mut(&name) else {
            let message = format!("cannot apply deprecations to an unknown package {}", quote(&name));
            findings.push(Diagnostic::error(codes::UNKNOWN_PACKAGE, origin, message));
            continue;
        };
        if let Some(first) = seen.get(&name) {
            let message = format!("expected a maximum of one deprecation per package: {}", quote(&name));
            findings.push(invalid(message, origin).related(*first, "the first one"));
            continue;
        }
        seen.insert(name, origin);
        mark(package, references, findings);
    }
}

fn mark(package: &mut Package, references: Vec<Reference>, findings: &mut Findings) {
    let mut seen: BTreeMap<(Arc<str>, Arc<str>), Span> = BTreeMap::new();
    for reference in references {
        let key = (reference.schema.clone(), reference.name.clone());
        if let Some(first) = seen.get(&key) {
            let message = format!("duplicate deprecation entry {}", shown(&reference));
            findings.push(invalid(message, reference.origin).related(*first, "the first one"));
            continue;
        }
        seen.insert(key, reference.origin);
        match place(package, &reference) {
            Ok(place) => *place = Some(reference.deprecation),
            Err(message) => findings.push(invalid(message, reference.origin)),
        }
    }
}

/// The target of a reference, or the reason why there is none.
fn place<'a>(package: &'a mut Package, reference: &Reference) -> Result<&'a mut Option<Deprecation>, String> {
    let name = quote(&reference.name);
    match &*reference.schema {
        "olm.package" if reference.name.is_empty() => Ok(&mut package.deprecated),
        "olm.package" => Err(format!("package name must be empty for deprecated package (specified {name})")),
        "olm.channel" => match package.channels.get_mut(&reference.name) {
            Some(channel) => Ok(&mut channel.deprecated),
            None => Err(format!("cannot deprecate channel {name}: channel not found")),
        },
        "olm.bundle" => match package.bundles.get_mut(&reference.name) {
            Some(bundle) => Ok(&mut bundle.deprecated),
            None => Err(format!("cannot deprecate bundle {name}: bundle not found")),
        },
        _ => {
            let (entry, idx) = (shown(reference), reference.idx);
            Err(format!("cannot deprecate object {entry} referenced by entry {idx}: object schema unknown"))
        }
    }
}

/// A reference as upstream shows it.
fn shown(reference: &Reference) -> String {
    let (schema, name) = (quote(&reference.schema), quote(&reference.name));
    format!("declcfg.PackageScopedReference{{Schema:{schema}, Name:{name}}}")
}

fn invalid(message: String, at: Span) -> Diagnostic {
    Diagnostic::error(codes::INVALID_DEPRECATION, at, message)
}
