use std::sync::Arc;

use diag::Diagnostic;
use syntax::{Node, NodeData};

use super::{Reader, bulk, bundle::Identity, fields::Fields};
use crate::{Gvk, PackageRange, Property, PropertyData, codes, constraint, range::Dialect, range::Range};

/// The types whose values are maps that are used.
const MAPS: [&str; 7] = [
    "olm.package",
    "olm.package.required",
    "olm.gvk",
    "olm.gvk.required",
    "olm.label",
    "olm.label.required",
    "olm.csv.metadata",
];

impl Reader {
    /// The properties of a bundle, and the one that identifies it.
    pub(super) fn properties(
        &mut self,
        fields: &Fields<'_>,
        identities: &mut Vec<Identity>,
    ) -> Vec<Property> {
        let mut properties = Vec::new();
        for node in fields.list("properties", &mut self.findings) {
            let Some((fields, kind)) = self.kind(node) else { continue };
            let Some(data) = self.data(&fields, kind, identities) else { continue };
            properties.push(Property { data, origin: node.span });
        }
        self.check_once(&properties);
        properties
    }

    /// The dependencies of bundles of the old format (source: operator-registry).
    pub(super) fn dependencies(&mut self, fields: &Fields<'_>) -> Vec<Property> {
        let mut properties = Vec::new();
        for node in fields.list("dependencies", &mut self.findings) {
            let Some((fields, kind)) = self.kind(node) else { continue };
            let Some(data) = self.dependency(&fields, kind) else { continue };
            properties.push(Property { data, origin: node.span });
        }
        properties
    }

    fn kind<'a>(&mut self, node: &'a Node) -> Option<(Fields<'a>, &'a Arc<str>)> {
        let fields = Fields::of(node, "property", &mut self.findings)?;
        let kind = fields.needed("type", &mut self.findings)?;
        Some((fields, kind))
    }

    fn dependency(&mut self, fields: &Fields<'_>, kind: &Arc<str>) -> Option<PropertyData> {
        let Some(value) =
            fields.get("value").filter(|_| matches!(&**kind, "olm.package" | "olm.gvk" | "olm.label"))
        else {
            return self.data(fields, kind, &mut Vec::new());
        };
        let value = Fields::of(value, "dependency's value", &mut self.findings)?;
        match &**kind {
            "olm.package" => self.package_range(&value, "version").map(PropertyData::PackageRequired),
            "olm.gvk" => self.gvk(&value).map(PropertyData::GvkRequired),
            _ => self.label(&value).map(PropertyData::LabelRequired),
        }
    }

    /// `None` if it cannot be read, which is reported.
    fn data(
        &mut self,
        fields: &Fields<'_>,
        kind: &Arc<str>,
        identities: &mut Vec<Identity>,
    ) -> Option<PropertyData> {
        let Some(value) = fields.get("value") else {
            if counts(kind) {
                fields.complain_of_missing("value", &mut self.findings);
            }
            return Some(self.other(fields, kind));
        };
        match &**kind {
            "olm.constraint" => {
                let predicate = constraint::read(value, &mut self.findings);
                return Some(PropertyData::Constraint(Arc::new(predicate)));
            }
            "olm.maxOpenShiftVersion" => return self.max_openshift(value),
            _ if !MAPS.contains(&&**kind) => return Some(self.other(fields, kind)),
            _ => {}
        }
        let value = Fields::of(value, "property's value", &mut self.findings)?;
        match &**kind {
            "olm.package" => self.identity(&value, identities),
            "olm.package.required" => {
                self.package_range(&value, "versionRange").map(PropertyData::PackageRequired)
            }
            "olm.gvk" => self.gvk(&value).map(PropertyData::Gvk),
            "olm.gvk.required" => self.gvk(&value).map(PropertyData::GvkRequired),
            "olm.label" => self.label(&value).map(PropertyData::Label),
            "olm.label.required" => self.label(&value).map(PropertyData::LabelRequired),
            _ => Some(match value.text(bulk::MIN_KUBE, &mut self.findings) {
                Some(version) => PropertyData::MinKube(self.names.share(version)),
                None => self.other(fields, kind),
            }),
        }
    }

    /// A property whose value is kept as it is, unless it is large.
    fn other(&mut self, fields: &Fields<'_>, kind: &Arc<str>) -> PropertyData {
        let is_bulky = bulk::DocumentPart::of_type(kind) != bulk::DocumentPart::Other;
        let value = fields.get("value").filter(|_| !is_bulky).cloned();
        let null = || Node::new(NodeData::Null, fields.span_of("value"));
        match &**kind {
            "olm.deprecated" => PropertyData::Deprecated,
            _ => PropertyData::Other { kind: self.names.share(kind), value: value.unwrap_or_else(null) },
        }
    }

    fn identity(&mut self, fields: &Fields<'_>, identities: &mut Vec<Identity>) -> Option<PropertyData> {
        let name = fields.text("packageName", &mut self.findings).cloned().unwrap_or_default();
        let name = self.names.share(&name);
        // A value that is not a text has been reported.
        let is_empty = !fields.has("version");
        let version = fields.text("version", &mut self.findings).cloned();
        let version = if is_empty { Some(Arc::default()) } else { version };
        let release = fields.text("release", &mut self.findings).cloned();
        let origin = fields.span_of("version");
        identities.push(Identity { name: name.clone(), version: version.clone(), release, origin });
        Some(PropertyData::Package { name, version: version? })
    }

    fn package_range(&mut self, fields: &Fields<'_>, key: &'static str) -> Option<PackageRange> {
        let package = self.names.share(fields.needed("packageName", &mut self.findings)?);
        let text = fields.text(key, &mut self.findings).cloned().unwrap_or_default();
        // Which has been reported.
        let is_no_text = text.is_empty() && fields.has(key);
        let read = match text.is_empty() {
            true if is_no_text => Err(format!("`{key}` is not text")),
            true => Err(format!("there is no `{key}`")),
            false => self.names.range(&text),
        };
        let range = match read {
            Ok(known) => {
                if known.is_empty {
                    self.findings.push(constraint::empty_range(&known.range, fields.span_of(key)));
                }
                known.range
            }
            Err(error) => {
                if !is_no_text {
                    let found = Diagnostic::warning(codes::INVALID_RANGE, fields.span_of(key), &*error);
                    self.findings
                        .push(found.help("no version is in this range, so the bundle cannot be used"));
                }
                Range::unreadable(text, Dialect::Blang, error)
            }
        };
        Some(PackageRange { package, range })
    }

    fn gvk(&mut self, fields: &Fields<'_>) -> Option<Gvk> {
        // The core group of Kubernetes has no name.
        let group = fields.text("group", &mut self.findings).cloned().unwrap_or_default();
        let mut part = |key| Some(self.names.share(fields.needed(key, &mut self.findings)?));
        let (version, kind) = (part("version")?, part("kind")?);
        Some(Gvk { group: self.names.share(&group), version, kind })
    }

    fn label(&mut self, fields: &Fields<'_>) -> Option<Arc<str>> {
        Some(self.names.share(fields.needed("label", &mut self.findings)?))
    }

    /// Major and minor, as text.
    fn max_openshift(&mut self, value: &Node) -> Option<PropertyData> {
        let numbers = value.as_str().and_then(major_minor);
        if numbers.is_none() {
            let message = "`olm.maxOpenShiftVersion` must be text with a major and a minor version only";
            let found = Diagnostic::error(codes::INVALID_PROPERTY, value.span, message);
            self.findings.push(found.help("write it as `\"4.20\"`"));
        }
        numbers.map(|(major, minor)| PropertyData::MaxOpenShift(major, minor))
    }

    /// There is at most one `olm.maxOpenShiftVersion`.
    fn check_once(&mut self, properties: &[Property]) {
        let mut found = properties.iter().filter(|it| matches!(it.data, PropertyData::MaxOpenShift(..)));
        if let (Some(first), Some(second)) = (found.next(), found.next()) {
            let message = "there is a second property `olm.maxOpenShiftVersion`";
            let report = Diagnostic::error(codes::INVALID_PROPERTY, second.origin, message);
            self.findings.push(report.related(first.origin, "the first one").help("keep one of them"));
        }
    }
}

/// True if a property of this type needs a value.
fn counts(kind: &str) -> bool {
    (MAPS.contains(&kind) && kind != "olm.csv.metadata")
        || matches!(kind, "olm.constraint" | "olm.maxOpenShiftVersion")
}

fn major_minor(text: &str) -> Option<(u64, u64)> {
    let number = |part: &str| part.bytes().all(|it| it.is_ascii_digit()).then(|| part.parse().ok())?;
    let (major, minor) = text.split_once('.')?;
    Some((number(major)?, number(minor)?))
}
