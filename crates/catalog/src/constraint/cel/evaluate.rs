use std::sync::Arc;

use super::{
    call::{call, operation},
    expression::{Expression, Kind, Macro},
    value::Value,
};

/// The highest number of steps for one bundle.
const MOST: u32 = 200_000;

/// The boolean that an expression gives for a value of `properties`; `None` if it fails or takes too long.
pub(super) fn evaluate(expression: &Expression, properties: Value) -> Option<bool> {
    let mut evaluation = Evaluation { scope: vec![properties], steps: MOST };
    evaluation.value(expression)?.boolean()
}

/// The state of an evaluation. An error is `None`.
#[derive(Debug)]
pub(super) struct Evaluation {
    /// The values of the variables, the innermost last.
    scope: Vec<Value>,
    steps: u32,
}

impl Evaluation {
    fn value(&mut self, expression: &Expression) -> Option<Value> {
        self.step(1)?;
        match &expression.kind {
            Kind::Literal(value) => Some(value.clone()),
            Kind::Variable(distance) => self.scope.iter().rev().nth(*distance).cloned(),
            Kind::List(items) => self.values(items).map(|it| Value::List(it.into())),
            Kind::Map(entries) => self.map(entries),
            Kind::Field(of, field) => self.value(of)?.get(&Value::Text(field.clone())),
            Kind::Has(of, field) => self.has(of, field),
            Kind::Index(parts) => self.index(parts),
            // The operand that decides the result does so even if another one fails.
            Kind::And(parts) => self.junction(parts, false).map(Value::Bool),
            Kind::Or(parts) => self.junction(parts, true).map(Value::Bool),
            Kind::Not(of) => self.value(of)?.boolean().map(|it| Value::Bool(!it)),
            Kind::Negative(of) => match self.value(of)? {
                Value::Int(value) => value.checked_neg().map(Value::Int),
                Value::Double(value) => Some(Value::Double(-value)),
                _ => None,
            },
            Kind::Condition(parts) => {
                let [condition, yes, no] = &**parts;
                if self.value(condition)?.boolean()? { self.value(yes) } else { self.value(no) }
            }
            Kind::Operation(operator, parts) => {
                let [left, right] = &**parts;
                let (left, right) = (self.value(left)?, self.value(right)?);
                operation(self, *operator, &left, &right)
            }
            Kind::Call(function, arguments) => {
                let arguments = self.values(arguments)?;
                call(self, *function, &arguments)
            }
            Kind::Macro(requested, of, of_each) => self.each(*requested, of, of_each),
        }
    }

    /// Counts steps.
    pub(super) fn step(&mut self, count: usize) -> Option<()> {
        self.steps = self.steps.checked_sub(u32::try_from(count).ok()?)?;
        Some(())
    }

    fn values(&mut self, expressions: &[Expression]) -> Option<Vec<Value>> {
        expressions.iter().map(|it| self.value(it)).collect()
    }

    fn map(&mut self, entries: &[(Expression, Expression)]) -> Option<Value> {
        let entries: Option<Vec<_>> =
            entries.iter().map(|(key, value)| Some((self.value(key)?, self.value(value)?))).collect();
        entries.map(|it| Value::Map(it.into()))
    }

    fn has(&mut self, of: &Expression, field: &Arc<str>) -> Option<Value> {
        let of = self.value(of)?;
        matches!(of, Value::Map(_)).then(|| Value::Bool(of.get(&Value::Text(field.clone())).is_some()))
    }

    fn index(&mut self, parts: &[Expression; 2]) -> Option<Value> {
        let [of, index] = parts;
        let (of, index) = (self.value(of)?, self.value(index)?);
        match &of {
            Value::List(items) => {
                let place = index.number().filter(|it| it.fract() == 0.0 && *it >= 0.0)?;
                items.get(place as usize).cloned()
            }
            _ => of.get(&index),
        }
    }

    /// `&&` or `||` over several boolean operands; `decides` is the value that decides the result.
    fn junction(&mut self, parts: &[Expression], decides: bool) -> Option<bool> {
        let mut result = Some(!decides);
        for part in parts {
            match self.value(part).and_then(|it| it.boolean()) {
                Some(value) if value == decides => return Some(decides),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }

    fn each(&mut self, requested: Macro, of: &Expression, of_each: &[Expression]) -> Option<Value> {
        let items = match self.value(of)? {
            Value::List(items) => items,
            Value::Map(entries) => entries.iter().map(|(key, _)| key.clone()).collect(),
            _ => return None,
        };
        match requested {
            Macro::All => self.all_items(&items, of_each, false),
            Macro::Exists => self.all_items(&items, of_each, true),
            Macro::ExistsOne => {
                let kept = self.kept(&items, of_each)?;
                Some(Value::Bool(kept.len() == 1))
            }
            Macro::Filter => self.kept(&items, of_each).map(|it| Value::List(it.into())),
            Macro::Map => self.mapped(&items, of_each),
        }
    }

    fn with(&mut self, item: &Value, expression: &Expression) -> Option<Value> {
        self.scope.push(item.clone());
        let value = self.value(expression);
        self.scope.pop();
        value
    }

    fn all_items(&mut self, items: &[Value], of_each: &[Expression], decides: bool) -> Option<Value> {
        let requested = of_each.first()?;
        let mut result = Some(Value::Bool(!decides));
        for item in items {
            match self.with(item, requested).and_then(|it| it.boolean()) {
                Some(value) if value == decides => return Some(Value::Bool(decides)),
                Some(_) => {}
                None => result = None,
            }
        }
        result
    }

    fn kept(&mut self, items: &[Value], of_each: &[Expression]) -> Option<Vec<Value>> {
        let requested = of_each.first()?;
        let mut kept = Vec::new();
        for item in items {
            if self.with(item, requested)?.boolean()? {
                kept.push(item.clone());
            }
        }
        Some(kept)
    }

    /// With two expressions, the first one selects the items.
    fn mapped(&mut self, items: &[Value], of_each: &[Expression]) -> Option<Value> {
        let (result, filter) = of_each.split_last()?;
        let kept = if filter.is_empty() { items.to_vec() } else { self.kept(items, filter)? };
        let mapped: Option<Vec<_>> = kept.iter().map(|item| self.with(item, result)).collect();
        mapped.map(|it| Value::List(it.into()))
    }
}
