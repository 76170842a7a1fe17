use std::sync::Arc;

use diag::{Diagnostic, Span};

use super::{Reader, fields::Fields};
use crate::{Bundle, Property, PropertyData, codes, quote::quote, version::Version};

/// The value of a property `olm.package`.
#[derive(Debug)]
pub(super) struct Identity {
    pub(super) name: Arc<str>,
    /// `None` if it is not a text.
    pub(super) version: Option<Arc<str>>,
    pub(super) release: Option<Arc<str>>,
    /// The place where the version is written.
    pub(super) origin: Span,
}

impl Reader {
    /// A document `olm.bundle`.
    pub(super) fn bundle(&mut self, fields: &Fields<'_>) {
        let Some(name) = fields.needed("name", &mut self.findings) else { return };
        let name = self.names.share(name);
        let Some(package) = fields.text("package", &mut self.findings) else {
            let message = format!("package name must be set for bundle {}", quote(&name));
            self.findings.push(Diagnostic::error(codes::MISSING_FIELD, fields.span_of("name"), message));
            return;
        };
        let package = self.names.share(package);
        // The bundle's dependencies may be in the part that is missing, so it cannot be chosen.
        match self.readable(fields, &package, &name).filter(|_| !self.findings.is_partial) {
            Some(bundle) => self.draft.bundles.push(bundle),
            None => {
                self.draft.unread.insert((package, name));
            }
        }
    }

    /// The bundle, if its package and version can be read.
    fn readable(&mut self, fields: &Fields<'_>, package: &Arc<str>, name: &Arc<str>) -> Option<Bundle> {
        let mut identities = Vec::new();
        let mut properties = self.properties(fields, &mut identities);
        properties.extend(self.dependencies(fields));
        properties.shrink_to_fit();
        let is_list = fields.get("properties").is_none_or(|it| it.as_sequence().is_some());
        if identities.len() != 1 && is_list {
            let (package, name, count) = (quote(package), quote(name), identities.len());
            let message = format!(
                "package {package} bundle {name} must have exactly 1 \"olm.package\" property, found {count}"
            );
            let at = fields.span_of("name");
            self.findings.push(Diagnostic::error(codes::INVALID_PROPERTY, at, message));
        }
        let identity = identities.into_iter().next()?;
        let version = self.version(&identity, package)?;
        let image = self.image(fields, &properties);
        let (origin, release) = (fields.span_of("name"), identity.release);
        let (name, package) = (name.clone(), package.clone());
        Some(Bundle { name, package, image, version, release, properties, deprecated: None, origin })
    }

    fn version(&mut self, identity: &Identity, package: &str) -> Option<Version> {
        if *identity.name != *package {
            let (package, other) = (quote(package), quote(&identity.name));
            let message = format!("package {package} does not match \"olm.package\" property {other}");
            self.findings.push(Diagnostic::error(codes::INVALID_BUNDLE, identity.origin, message));
        }
        Version::parse(identity.version.as_ref()?)
            .map_err(|error| {
                let message = format!("error parsing bundle version: {error}");
                let found = Diagnostic::error(codes::INVALID_VERSION, identity.origin, message);
                self.findings.push(found.help("versions are three numbers, such as `1.2.0` or `1.2.0-rc.1`"));
            })
            .ok()
    }

    fn image(&mut self, fields: &Fields<'_>, properties: &[Property]) -> Arc<str> {
        let image = fields.text("image", &mut self.findings).cloned().unwrap_or_default();
        if !fields.has("image") && !properties.iter().any(is_object) {
            let at = fields.span_of("name");
            self.findings.push(Diagnostic::error(codes::INVALID_BUNDLE, at, "bundle image must be set"));
        }
        image
    }
}

fn is_object(property: &Property) -> bool {
    matches!(&property.data, PropertyData::Other { kind, .. } if &**kind == "olm.bundle.object")
}
