use diag::{Diagnostic, Diagnostics, Span};
use fields::schema::{Field, FieldType, Scalar, Schema};
use serde_json::Value;

use crate::{
    Direction,
    codes::{NEW_VALUE, NOT_INVERTIBLE, VALUE},
    mapping::Text,
};

/// The values of an enumeration or a boolean in both versions.
#[derive(Clone, Debug)]
pub(crate) struct EnumValues {
    old: Vec<Choice>,
    new: Vec<Choice>,
    /// Each old value with its new one.
    pairs: Vec<(Value, Value)>,
}

/// A value with its number, by which values are ordered.
#[derive(Clone, Debug)]
struct Choice {
    value: Value,
    number: i32,
}

impl EnumValues {
    /// The counterpart of a value; one that has none stays as it is.
    pub(crate) fn value(&self, direction: Direction, value: &Value) -> Value {
        let (from, _) = direction.of(&self.old, &self.new);
        let value = match value.as_i64() {
            Some(number) => {
                from.iter().find(|it| i64::from(it.number) == number).map_or(value, |it| &it.value)
            }
            None => value,
        };
        let pair =
            self.pairs.iter().map(|(old, new)| direction.of(old, new)).find(|(from, _)| *from == value);
        pair.map_or(value, |(_, to)| to).clone()
    }

    /// The value that a field has to be given where the other version has none; `None` if both have the same default.
    pub(crate) fn absent(&self, direction: Direction) -> Option<Value> {
        let default = |of: &[Choice]| of.iter().find(|it| it.number == 0).map(|it| it.value.clone());
        let (from, to) = direction.of(&self.old, &self.new);
        let converted = self.value(direction, &default(from)?);
        (default(to).as_ref() != Some(&converted)).then_some(converted)
    }

    /// Each old value with its new one.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = &(Value, Value)> {
        self.pairs.iter()
    }

    /// True if the values have the same names, and the same default.
    pub(crate) fn is_identity(&self) -> bool {
        self.pairs.iter().all(|(old, new)| old == new) && self.absent(Direction::ToNew).is_none()
    }

    /// True if the values have the same order in both versions.
    pub(crate) fn is_ordered(&self) -> bool {
        let number =
            |of: &[Choice], value: &Value| of.iter().find(|it| it.value == *value).map(|it| it.number);
        let mut numbers: Vec<_> =
            self.pairs.iter().map(|(old, new)| (number(&self.old, old), number(&self.new, new))).collect();
        numbers.sort_unstable();
        numbers.is_sorted_by_key(|(_, new)| *new)
    }
}

/// The values of two fields, of which some are written; `None` if their types have no closed set of values.
pub(crate) fn enum_values(
    (old, old_schema): (&Field, &Schema),
    (new, new_schema): (&Field, &Schema),
    written: &[(Text, Text)],
    (path, span): (&str, Span),
    report: &mut Diagnostics,
) -> Option<EnumValues> {
    let (old, new) = (choices(old, old_schema)?, choices(new, new_schema)?);
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    let before = report.len();
    for (from, to) in written {
        let (Some(old), Some(new)) = (choice(&old, from, path, report), choice(&new, to, path, report))
        else {
            continue;
        };
        let clash = pairs.iter().find(|(first, second)| *first == old || *second == new);
        match clash {
            Some((first, _)) => report.push(joined(&from.value, first, to.span)),
            None => pairs.push((old, new)),
        }
    }
    for it in &old {
        if pairs.iter().any(|(old, _)| *old == it.value) {
            continue;
        }
        let is_known = new.iter().any(|new| new.value == it.value);
        match pairs.iter().find(|(_, new)| *new == it.value) {
            Some((first, _)) => report.push(joined(&text(&it.value), first, span)),
            None if is_known => pairs.push((it.value.clone(), it.value.clone())),
            None => report.push(lost(&it.value, path, span)),
        }
    }
    if report.len() > before {
        // Which values are left over is not known.
        return Some(EnumValues { old, new, pairs });
    }
    for it in new.iter().filter(|it| pairs.iter().all(|(_, new)| *new != it.value)) {
        let is_taken = old.iter().any(|old| old.value == it.value);
        report.push(only_new(&it.value, path, span, is_taken));
    }
    Some(EnumValues { old, new, pairs })
}

fn choices(field: &Field, schema: &Schema) -> Option<Vec<Choice>> {
    match &field.ty {
        FieldType::Enum(name) => {
            let values = schema.enums.get(name)?.values.iter();
            Some(
                values
                    .map(|(name, number)| Choice { value: Value::from(&**name), number: *number })
                    .collect(),
            )
        }
        FieldType::Scalar(Scalar::Bool) => {
            let choice = |it: bool| Choice { value: Value::Bool(it), number: i32::from(it) };
            Some(vec![choice(false), choice(true)])
        }
        FieldType::Scalar(_) | FieldType::Message(_) | FieldType::WellKnown(_) | FieldType::Foreign(_) => {
            None
        }
    }
}

fn choice(all: &[Choice], written: &Text, path: &str, report: &mut Diagnostics) -> Option<Value> {
    let found = all.iter().find(|it| text(&it.value) == *written.value).map(|it| it.value.clone());
    if found.is_none() {
        let message = format!("`{}` is not a value of `{path}`", written.value);
        let known: Vec<String> = all.iter().map(|it| text(&it.value)).collect();
        let help = format!("it has {}", known.join(", "));
        report.push(Diagnostic::error(VALUE, written.span, message).help(help));
    }
    found
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn joined(old: &str, other: &Value, span: Span) -> Diagnostic {
    let message = format!("`{old}` becomes the same value as `{}`", text(other));
    Diagnostic::error(NOT_INVERTIBLE, span, message).help("give each value one of its own under `values`")
}

fn lost(value: &Value, path: &str, span: Span) -> Diagnostic {
    let message = format!("the value `{}` of `{path}` has no counterpart", text(value));
    Diagnostic::error(NOT_INVERTIBLE, span, message).help("name the value that it became under `values`")
}

fn only_new(value: &Value, path: &str, span: Span, is_taken: bool) -> Diagnostic {
    let value = text(value);
    if is_taken {
        let message = format!("`{value}` of `{path}` is another value in the old version");
        return Diagnostic::error(NOT_INVERTIBLE, span, message)
            .help("name the old value that it was under `values`");
    }
    let message = format!("only the new version has the value `{value}` of `{path}`");
    Diagnostic::warning(NEW_VALUE, span, message)
        .help("check that clients of the old version accept a value that they do not know")
}
