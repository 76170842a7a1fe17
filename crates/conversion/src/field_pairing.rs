//! Checks that two fields can be the same, and finds what their values have to be converted by.

use diag::{Diagnostic, Span};
use fields::schema::{Cardinality, Field, FieldType, Meaning};

use crate::{
    codes::{NOT_CONVERTED, REFERENCE, TYPES},
    enum_values::enum_values,
    field_conversion::{FieldConversion, ValueCount},
    field_tree::{Rule, is_single},
    mapping::Text,
    message_builder::MessageBuilder,
};

impl<'a> MessageBuilder<'a> {
    /// The number of values of two fields, if that is the same.
    pub(crate) fn count(&mut self, old: &Field, new: &Field, path: &str, span: Span) -> Option<ValueCount> {
        let count = |it: &Field| match it.cardinality {
            Cardinality::One if it.oneof.is_none() => ValueCount::One,
            Cardinality::One | Cardinality::Optional => ValueCount::AtMostOne,
            Cardinality::Repeated => ValueCount::List,
            Cardinality::Map(_) => ValueCount::Map,
        };
        let is_message = matches!((&old.ty, &new.ty), (FieldType::Message(_), FieldType::Message(_)));
        let (before, after) = (count(old), count(new));
        if before == after || is_message && is_single(old) && is_single(new) {
            return Some(before);
        }
        let message =
            format!("`{path}` has {} in the old version, and {} in the new one", words(before), words(after));
        let help = "declare both in the same way, or give the old one a constant";
        self.report.push(Diagnostic::error(TYPES, span, message).help(help));
        None
    }

    pub(crate) fn values(
        &mut self,
        (old, new): (&'a Field, &'a Field),
        written: &[(Text, Text)],
        rules: Vec<Rule<'a>>,
        path: &str,
        span: Span,
    ) -> Option<FieldConversion> {
        if let (FieldType::Message(before), FieldType::Message(after)) = (&old.ty, &new.ty) {
            return self.message((before, after), rules, path, span).map(FieldConversion::Message);
        }
        let sides = ((old, self.old), (new, self.new));
        let is_enum = |it: &Field| matches!(it.ty, FieldType::Enum(_));
        if is_enum(old) || is_enum(new) || !written.is_empty() {
            let values = enum_values(sides.0, sides.1, written, (path, span), &mut self.report);
            if values.is_none() {
                self.report.push(other_types(path, span));
            }
            return values.map(|it| {
                if it.is_identity() { FieldConversion::Same } else { FieldConversion::Values(it) }
            });
        }
        if old.ty != new.ty {
            self.report.push(other_types(path, span));
            return None;
        }
        self.meaning(old, new, path, span)
    }

    /// The conversion of texts that name resources.
    fn meaning(&mut self, old: &Field, new: &Field, path: &str, span: Span) -> Option<FieldConversion> {
        let target = |field: &Field, service: usize| match &field.meaning {
            Some(Meaning::Name { resource } | Meaning::Reference { resource, .. }) => {
                self.versions.services.find(service, resource)
            }
            Some(_) | None => None,
        };
        let found = (target(old, self.versions.old), target(new, self.versions.new));
        let own = self.pairs.iter().position(|it| Some(it.old) == found.0);
        let is_same = match (own, found) {
            (Some(at), (_, Some(new))) => self.pairs.get(at).is_some_and(|it| it.new == new),
            (None, (Some(old), Some(new))) => self.has_same_names(old, new),
            (Some(_), (_, None)) | (None, (Some(_), None) | (None, Some(_))) => false,
            (None, (None, None)) => true,
        };
        if !is_same {
            let message = format!("`{path}` does not refer to the same resources in both versions");
            let help = "let both refer to resource types that are counterparts of each other";
            self.report.push(Diagnostic::error(REFERENCE, span, message).help(help));
            return None;
        }
        if is_stored_text(old.meaning.as_ref()) {
            let message = format!("what `{path}` holds is stored as it is written");
            let help = "write it in the words of the new version, also through the old one";
            self.report.push(Diagnostic::warning(NOT_CONVERTED, span, message).help(help));
        }
        Some(own.map_or(FieldConversion::Same, FieldConversion::Name))
    }

    /// True if two resource types of other services have the same names.
    fn has_same_names(&self, old: spec::KindId, new: spec::KindId) -> bool {
        let texts = |id| {
            let kind = self.versions.services.kind(id);
            kind.map(|it| it.patterns.0.iter().map(|it| it.text().to_owned()).collect::<Vec<_>>())
        };
        old == new || texts(old) == texts(new)
    }
}

/// True for a text whose meaning depends on the version, and is not the name of one resource.
const fn is_stored_text(meaning: Option<&Meaning>) -> bool {
    match meaning {
        Some(
            Meaning::ParentName { .. }
            | Meaning::Filter { .. }
            | Meaning::OrderBy { .. }
            | Meaning::Cursor { .. }
            | Meaning::FieldMask { .. },
        ) => true,
        Some(Meaning::Name { .. } | Meaning::Reference { .. }) | None => false,
    }
}

const fn words(count: ValueCount) -> &'static str {
    match count {
        ValueCount::One => "one value",
        ValueCount::AtMostOne => "one value or none",
        ValueCount::List => "a list",
        ValueCount::Map => "a map",
    }
}

fn other_types(path: &str, span: Span) -> Diagnostic {
    let message = format!("`{path}` has another type in the new version");
    Diagnostic::error(TYPES, span, message)
        .help("keep the type: only enumerations and booleans are converted, by `values`")
}
