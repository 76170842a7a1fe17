use std::cmp::Ordering;

use super::{evaluate::Evaluation, expression::Function, operator::Operator, pattern, value::Value};
use crate::version::Version;

/// The result of an operator on two values.
pub(super) fn operation(
    evaluation: &mut Evaluation,
    operator: Operator,
    left: &Value,
    right: &Value,
) -> Option<Value> {
    evaluation.step(weight(left).min(weight(right)))?;
    let order = || left.order(right);
    Some(Value::Bool(match operator {
        Operator::Equal => left.same(right),
        Operator::NotEqual => !left.same(right),
        Operator::Less => order()?.is_lt(),
        Operator::LessOrEqual => order()?.is_le(),
        Operator::Greater => order()?.is_gt(),
        Operator::GreaterOrEqual => order()?.is_ge(),
        Operator::In => is_in(left, right)?,
        Operator::Add => return add(evaluation, left, right),
        Operator::Subtract | Operator::Multiply | Operator::Divide | Operator::Remainder => {
            return arithmetic(operator, left, right);
        }
    }))
}

fn is_in(left: &Value, right: &Value) -> Option<bool> {
    match right {
        Value::List(items) => Some(items.iter().any(|it| it.same(left))),
        Value::Map(_) => Some(right.get(left).is_some()),
        _ => None,
    }
}

fn add(evaluation: &mut Evaluation, left: &Value, right: &Value) -> Option<Value> {
    evaluation.step(weight(left) + weight(right))?;
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => Some(Value::Text(format!("{a}{b}").into())),
        (Value::List(a), Value::List(b)) => Some(Value::List(a.iter().chain(&**b).cloned().collect())),
        _ => arithmetic(Operator::Add, left, right),
    }
}

/// Arithmetic on numbers of one type; `None` on overflow.
fn arithmetic(operator: Operator, left: &Value, right: &Value) -> Option<Value> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => match operator {
            Operator::Add => a.checked_add(*b),
            Operator::Subtract => a.checked_sub(*b),
            Operator::Multiply => a.checked_mul(*b),
            Operator::Divide => a.checked_div(*b),
            _ => a.checked_rem(*b),
        }
        .map(Value::Int),
        (Value::Uint(a), Value::Uint(b)) => match operator {
            Operator::Add => a.checked_add(*b),
            Operator::Subtract => a.checked_sub(*b),
            Operator::Multiply => a.checked_mul(*b),
            Operator::Divide => a.checked_div(*b),
            _ => a.checked_rem(*b),
        }
        .map(Value::Uint),
        (Value::Double(a), Value::Double(b)) => match operator {
            Operator::Add => Some(a + b),
            Operator::Subtract => Some(a - b),
            Operator::Multiply => Some(a * b),
            Operator::Divide => Some(a / b),
            _ => None,
        }
        .map(Value::Double),
        _ => None,
    }
}

/// The result of a function.
pub(super) fn call(evaluation: &mut Evaluation, function: Function, arguments: &[Value]) -> Option<Value> {
    let (first, second) = (arguments.first()?, arguments.get(1));
    evaluation.step(weight(first))?;
    let texts = || Some((first.text()?, second?.text()?));
    Some(match function {
        Function::Size => Value::Int(i64::try_from(size(first)?).ok()?),
        Function::SemverCompare => Value::Int(versions(first, second?)?),
        Function::StartsWith => texts().map(|(text, part)| Value::Bool(text.starts_with(&**part)))?,
        Function::EndsWith => texts().map(|(text, part)| Value::Bool(text.ends_with(&**part)))?,
        Function::Contains => texts().map(|(text, part)| Value::Bool(text.contains(&**part)))?,
        Function::Matches => {
            let (text, pattern) = texts()?;
            Value::Bool(pattern::matches(evaluation, text, pattern)?)
        }
        Function::Text => Value::Text(written(first)?.into()),
        Function::Int => Value::Int(whole(first)?),
        Function::Double => Value::Double(match first {
            Value::Text(text) => double(text)?,
            other => other.number()?,
        }),
    })
}

fn size(value: &Value) -> Option<usize> {
    match value {
        Value::Text(text) => Some(text.chars().count()),
        Value::List(items) => Some(items.len()),
        Value::Map(entries) => Some(entries.len()),
        _ => None,
    }
}

/// The order of two versions, read tolerantly.
fn versions(a: &Value, b: &Value) -> Option<i64> {
    let version = |value| Version::parse_tolerant(&written(value)?).ok();
    Some(match version(a)?.precedence(&version(b)?) {
        Ordering::Less => -1,
        Ordering::Equal => 0,
        Ordering::Greater => 1,
    })
}

fn written(value: &Value) -> Option<String> {
    match value {
        Value::Text(text) => Some(text.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(value) => Some(value.to_string()),
        Value::Uint(value) => Some(value.to_string()),
        Value::Double(value) => Some(value.to_string()),
        Value::Null | Value::List(_) | Value::Map(_) => None,
    }
}

/// A number as Go's `ParseFloat` reads it, without hexadecimal ones.
fn double(text: &str) -> Option<f64> {
    let name = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    match () {
        () if ["inf", "infinity"].iter().any(|it| name.eq_ignore_ascii_case(it)) => {
            Some(sign * f64::INFINITY)
        }
        () if name.eq_ignore_ascii_case("nan") => Some(f64::NAN),
        () => syntax::decimal(text),
    }
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Int(value) => Some(*value),
        Value::Uint(value) => i64::try_from(*value).ok(),
        Value::Double(value) => (value.abs() < 9.2e18).then_some(*value as i64),
        Value::Text(text) => text.parse().ok(),
        _ => None,
    }
}

/// The number of steps that it takes to traverse a value.
fn weight(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len() / 64,
        Value::List(items) => items.len(),
        Value::Map(entries) => entries.len(),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Uint(_) | Value::Double(_) => 0,
    }
}
