//! `ntt.annotations.iam.auth_checks` and `ntt.annotations.audit.fields`: who sees fields, and how they are logged.

use std::sync::Arc;

use serde::Serialize;

use crate::{aggregate::Entry, decode::Decoder, option::Options, path_use::PathUses};

/// The permissions that fields require.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IamChecks {
    /// To read them: without the permission they are cleared in responses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub read_checks: Vec<IamCheck>,
    /// To set them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_checks: Vec<IamCheck>,
}

/// A permission, and the fields that require it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IamCheck {
    /// The permission, without `services/SERVICE/permissions/`.
    pub permission: Arc<str>,
    /// The fields.
    pub paths: Vec<Arc<str>>,
}

/// To which part of a resource fields belong, and which of them are labels of logs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Audit {
    /// The fields that users set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub spec_fields: Vec<Arc<str>>,
    /// The fields that the server reports.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub state_fields: Vec<Arc<str>>,
    /// Data about the resource.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub meta_fields: Vec<Arc<str>>,
    /// The fields that are never logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hidden_fields: Vec<Arc<str>>,
    /// Fields that are labels of logs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<AuditLabel>,
    /// Sets of labels that logs are found by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub promoted_labels: Vec<PromotedLabels>,
}

/// A field that is a label of logs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct AuditLabel {
    /// The field.
    pub path: Arc<str>,
    /// The label.
    pub key: Arc<str>,
}

/// A set of labels that logs are found by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PromotedLabels {
    /// The labels.
    pub label_keys: Vec<Arc<str>>,
}

const AUDIT: [&str; 6] =
    ["spec_fields", "state_fields", "meta_fields", "hidden_fields", "labels", "promoted_labels"];

/// Reads which permissions fields require.
pub(crate) fn iam_checks(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> IamChecks {
    let mut checks = IamChecks::default();
    let option = options.get("ntt.annotations.iam.auth_checks");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "read_checks" => checks.read_checks.push(check(field, decoder, uses)),
            "set_checks" => checks.set_checks.push(check(field, decoder, uses)),
            _ => decoder.unknown(field, "ntt.annotations.iam.auth_checks", &["read_checks", "set_checks"]),
        }
    }
    checks
}

fn check(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> IamCheck {
    let mut check = IamCheck::default();
    for field in decoder.body(option) {
        match &*field.name {
            "permission" => decoder.set(field, &mut check.permission),
            "paths" => uses.push(field, &mut check.paths, decoder),
            _ => decoder.unknown(field, &option.name, &["permission", "paths"]),
        }
    }
    check
}

/// Reads to which parts fields belong.
pub(crate) fn audit(options: &Options, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> Audit {
    let mut audit = Audit::default();
    let option = options.get("ntt.annotations.audit.fields");
    for field in option.map(|it| decoder.body(it)).unwrap_or_default() {
        match &*field.name {
            "spec_fields" => uses.push(field, &mut audit.spec_fields, decoder),
            "state_fields" => uses.push(field, &mut audit.state_fields, decoder),
            "meta_fields" => uses.push(field, &mut audit.meta_fields, decoder),
            "hidden_fields" => uses.push(field, &mut audit.hidden_fields, decoder),
            "labels" => audit.labels.push(label(field, decoder, uses)),
            "promoted_labels" => audit.promoted_labels.push(promoted(field, decoder)),
            _ => decoder.unknown(field, "ntt.annotations.audit.fields", &AUDIT),
        }
    }
    audit
}

fn label(option: &Entry, decoder: &mut Decoder<'_>, uses: &mut PathUses) -> AuditLabel {
    let mut label = AuditLabel::default();
    for field in decoder.body(option) {
        match &*field.name {
            "path" => uses.set(field, &mut label.path, decoder),
            "key" => decoder.set(field, &mut label.key),
            _ => decoder.unknown(field, "labels", &["path", "key"]),
        }
    }
    label
}

fn promoted(option: &Entry, decoder: &mut Decoder<'_>) -> PromotedLabels {
    let mut promoted = PromotedLabels::default();
    for field in decoder.body(option) {
        match &*field.name {
            "label_keys" => decoder.push(field, &mut promoted.label_keys),
            _ => decoder.unknown(field, "promoted_labels", &["label_keys"]),
        }
    }
    promoted
}
