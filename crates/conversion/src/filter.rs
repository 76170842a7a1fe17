use std::sync::Arc;

use diag::Code;
use fields::{CompareOperator, Condition, FieldPath, Filter, Literal};
use serde_json::Value;

use crate::{
    Direction, KindConversion,
    codes::CONDITION,
    conversion::ConvertedKind,
    field_conversion::FieldConversion,
    path::{PathEnd, Paths},
    value::Values,
};

/// A part of a request that the new version has no counterpart for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconvertible {
    /// The stable name of the reason.
    pub code: Code,
    /// The description.
    pub message: String,
    /// The advice on solving it.
    pub help: String,
}

/// A filter of the new version.
pub(crate) fn converted(kind: KindConversion<'_>, filter: &Filter) -> Result<Filter, Unconvertible> {
    let Some(message) = kind.kind.message else { return Ok(filter.clone()) };
    let converter = Converter { kind, message };
    converter.condition(filter.condition()).map(Filter::from)
}

#[derive(Clone, Copy)]
struct Converter<'a> {
    kind: KindConversion<'a>,
    message: usize,
}

impl<'a> Converter<'a> {
    fn condition(self, condition: &Condition) -> Result<Condition, Unconvertible> {
        let all = |all: &[Condition]| all.iter().map(|it| self.condition(it)).collect::<Result<Vec<_>, _>>();
        Ok(match condition {
            Condition::All => Condition::All,
            Condition::And(inner) => Condition::And(all(inner)?),
            Condition::Or(inner) => Condition::Or(all(inner)?),
            Condition::Not(inner) => Condition::Not(Box::new(self.condition(inner)?)),
            Condition::Compare { path, .. }
            | Condition::In { path, .. }
            | Condition::Contains { path, .. }
            | Condition::Is { path, .. }
            | Condition::Like { path, .. } => match self.end(path)? {
                Some(end) => self.test(condition, &end)?,
                None => self.constant(condition, path)?,
            },
        })
    }

    /// The field that is tested; `None` if only the old version has it.
    fn end(self, path: &FieldPath) -> Result<Option<PathEnd<'a>>, Unconvertible> {
        let paths = Paths { conversion: self.kind.conversion, direction: Direction::ToNew };
        let mut ends = paths.ends(self.message, path);
        let end = ends.pop();
        if ends.is_empty() { Ok(end) } else { Err(refused(path, "parts of the field are different ones")) }
    }

    /// A test of the other field.
    fn test(self, condition: &Condition, end: &PathEnd<'_>) -> Result<Condition, Unconvertible> {
        let path = end.path.clone();
        let literals = |all: &[Literal]| all.iter().map(|it| self.literal(it, end)).collect::<Vec<_>>();
        Ok(match condition {
            Condition::Compare { path: of, operator, value } => {
                check_operator(self.is_converted(end), *operator, of)?;
                Condition::Compare { path, operator: *operator, value: self.literal(value, end) }
            }
            Condition::In { values, negated, .. } => {
                Condition::In { path, values: literals(values), negated: *negated }
            }
            Condition::Contains { quantifier, values, .. } => {
                Condition::Contains { path, quantifier: *quantifier, values: literals(values) }
            }
            Condition::Is { special, negated, .. } => {
                Condition::Is { path, special: *special, negated: *negated }
            }
            Condition::Like { path: of, .. } if self.is_converted(end) => {
                return Err(refused(of, "its values are converted, and patterns are not"));
            }
            Condition::Like { pattern, .. } => Condition::Like { path, pattern: pattern.clone() },
            Condition::All | Condition::And(_) | Condition::Or(_) | Condition::Not(_) => condition.clone(),
        })
    }

    /// True if values of the field are not the same in both versions.
    fn is_converted(self, end: &PathEnd<'_>) -> bool {
        match end.values {
            FieldConversion::Same => false,
            FieldConversion::Name(kind) => !self.names_of(*kind).is_some_and(|it| it.names.is_identity()),
            FieldConversion::Values(_) | FieldConversion::Message(_) => true,
        }
    }

    fn names_of(self, kind: usize) -> Option<&'a ConvertedKind> {
        self.kind.conversion.kinds.get(kind)
    }

    fn literal(self, literal: &Literal, end: &PathEnd<'_>) -> Literal {
        let values = Values::of(self.kind.conversion, Direction::ToNew);
        let converted = match (end.values, literal) {
            (FieldConversion::Same, _) | (_, Literal::Null) => None,
            (FieldConversion::Name(kind), Literal::Text(text)) => {
                let name = self.names_of(*kind).and_then(|it| it.names.name(Direction::ToNew, text));
                name.map(|it| Literal::Text(Arc::from(it)))
            }
            (FieldConversion::Values(values), literal) => {
                literal_of(&values.value(Direction::ToNew, &literal.to_json()))
            }
            (FieldConversion::Message(message), Literal::Object(object)) => {
                let value = values.message(*message, &Value::Object(object.clone()));
                value.ok().as_ref().and_then(literal_of)
            }
            (FieldConversion::Name(_) | FieldConversion::Message(_), _) => None,
        };
        converted.unwrap_or_else(|| literal.clone())
    }

    /// A test of a field that is always the same: it holds for all resources, or for none.
    fn constant(self, condition: &Condition, path: &FieldPath) -> Result<Condition, Unconvertible> {
        let messages = &self.kind.conversion.messages;
        let constants = messages.get(self.message).map_or(&[][..], |it| &it.constants);
        let Some(fixed) = constants.iter().find(|it| path.starts_with(&it.path)) else {
            return Err(refused(path, "the new version does not have it"));
        };
        let mut resource = Value::Object(serde_json::Map::new());
        drop(fixed.path.set(&mut resource, fixed.value.clone()));
        let filter = Filter::from(condition.clone());
        let of = self.kind.message(Direction::ToOld);
        let holds = filter.bind(of, &fields::BySegment).is_ok_and(|it| it.selects(&resource));
        Ok(if holds { Condition::All } else { Condition::Not(Box::new(Condition::All)) })
    }
}

fn literal_of(value: &Value) -> Option<Literal> {
    match value {
        Value::Bool(it) => Some(Literal::Bool(*it)),
        Value::String(it) => Some(Literal::Text(Arc::from(&**it))),
        Value::Object(it) => Some(Literal::Object(it.clone())),
        Value::Null | Value::Number(_) | Value::Array(_) => None,
    }
}

/// Refuses a comparison by an order that converted values do not have.
fn check_operator(
    is_converted: bool,
    operator: CompareOperator,
    path: &FieldPath,
) -> Result<(), Unconvertible> {
    match operator {
        CompareOperator::Equal | CompareOperator::NotEqual => Ok(()),
        CompareOperator::Less
        | CompareOperator::AtMost
        | CompareOperator::Greater
        | CompareOperator::AtLeast => {
            if is_converted {
                Err(refused(path, "its values are converted, and their order is not"))
            } else {
                Ok(())
            }
        }
    }
}

fn refused(path: &FieldPath, why: &str) -> Unconvertible {
    Unconvertible {
        code: CONDITION,
        message: format!("`{path}` cannot be tested in this way: {why}"),
        help: "use `=`, `!=` and `IN`, or the new version of the service".to_owned(),
    }
}
