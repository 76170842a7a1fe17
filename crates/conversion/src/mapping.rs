//! A conversion as it is written.

use std::sync::Arc;

use diag::Span;
use serde_json::Value;
use spec::Spanned;

/// A text with its place.
pub type Text = Spanned<Arc<str>>;

/// A conversion between two versions of a service, with the places of what it says (Goten's guide, 2.4.2: `nextVersion` and
/// `versioning` of the old specification, and transformers).
#[derive(Clone, Debug)]
pub struct Mapping {
    /// The service: `secrets.edgelq.com`.
    pub service: Text,
    /// The old version, whose requests are converted.
    pub from: Text,
    /// The new version, whose resources are stored.
    pub to: Text,
    /// The resource types that are not the same.
    pub resources: Vec<ResourceMapping>,
}

/// A resource type of the old version, and what it became.
#[derive(Clone, Debug)]
pub struct ResourceMapping {
    /// Its name in the old version.
    pub from: Text,
    /// Its name in the new version, if that is another one.
    pub to: Option<Text>,
    /// The forms of its names that are not the same.
    pub names: Vec<NameMapping>,
    /// The fields that are not the same.
    pub fields: Vec<FieldMapping>,
}

/// A form of names, and what it became.
#[derive(Clone, Debug)]
pub struct NameMapping {
    /// The pattern in the old version: `projects/{project}/secrets/{secret}`.
    pub from: Text,
    /// The pattern in the new version.
    pub to: Text,
    /// The ids of variables that only one version has. Other resources are not visible in the other version.
    pub constants: Vec<(Text, Text)>,
    /// The ids with which the other version creates and gets resources; it lists those with any id.
    pub defaults: Vec<(Text, Text)>,
    /// The place of all of it.
    pub span: Span,
}

/// A field, and what it became.
#[derive(Clone, Debug)]
pub struct FieldMapping {
    /// The rule.
    pub rule: FieldRule,
    /// The place of all of it.
    pub span: Span,
}

/// The relation between fields of both versions.
#[derive(Clone, Debug)]
pub enum FieldRule {
    /// A field of both, perhaps with another name, in another place or with other values.
    Both {
        /// Its path in the old version: `spec.enc_data`, also within lists.
        from: Text,
        /// Its path in the new version.
        to: Text,
        /// Its values that have other names: the old one, then the new one.
        values: Vec<(Text, Text)>,
    },
    /// A field that only the old version has, with the value that it always has.
    OldOnly {
        /// Its path.
        from: Text,
        /// Its value.
        constant: Value,
    },
    /// A field that only the new version has, with its value in resources that the old version creates.
    NewOnly {
        /// Its path.
        to: Text,
        /// Its value.
        default: Value,
    },
}
