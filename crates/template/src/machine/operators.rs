use std::cmp::Ordering;

use model::{Data, Part};

use crate::{
    ByteRange, Problem,
    placeholder::is_surely_text,
    runtime_value::{Role, RuntimeValue},
    tree::{Node, Operator},
    write::{Form, Writer},
};

use super::{Machine, Result, kind};

impl<'a> Machine<'a> {
    /// True if a test holds.
    pub(crate) fn truth(&mut self, test: &Node) -> Result<bool> {
        let value = self.evaluate(test)?;
        self.is_true(&value, test.at)
    }

    /// Every value but nil and false is true.
    pub(crate) fn is_true(&self, value: &RuntimeValue<'_>, at: ByteRange) -> Result<bool> {
        value.decide(at)?;
        if value.is_unknown() {
            return Err(Problem::unknown(at, "this condition"));
        }
        self.is_taken(value, at)
    }

    /// True if `||` takes its left operand; a placeholder counts as a value. This does not reveal a sensitive
    /// value, as long as the right operand becomes sensitive too.
    pub(crate) fn is_taken(&self, value: &RuntimeValue<'_>, at: ByteRange) -> Result<bool> {
        match value.data() {
            Data::Unknown(_) if value.open_text().is_some() => Ok(true),
            Data::Unknown(_) => Err(Problem::unknown(at, "this condition")),
            data => Ok(value.role != Role::Absent && !matches!(data, Data::Null | Data::Bool(false))),
        }
    }

    pub(super) fn not(&mut self, inner: &Node) -> Result<RuntimeValue<'a>> {
        let value = self.evaluate(inner)?;
        let holds = self.is_true(&value, inner.at)?;
        Ok(self.value(Data::Bool(!holds)).tainted(value.sensitive))
    }

    pub(super) fn minus(&mut self, inner: &Node) -> Result<RuntimeValue<'a>> {
        let value = self.evaluate(inner)?;
        value.decide(inner.at)?;
        let data = match value.data() {
            Data::Unknown(_) => return Err(Problem::unknown(inner.at, "`-` of this")),
            Data::Int(number) => number.checked_neg().map(Data::Int),
            Data::Float(number) => Some(Data::Float(-number)),
            _ => None,
        };
        let data = data.ok_or_else(|| Problem::mismatch(inner.at, format!("`-` of {}", kind(&value))))?;
        Ok(self.value(data).tainted(value.sensitive))
    }

    pub(super) fn binary(&mut self, first: &Node, others: &[(Operator, Node)]) -> Result<RuntimeValue<'a>> {
        let mut left = self.evaluate(first)?;
        for (operator, node) in others {
            let settled = match operator {
                Operator::Or => self.is_taken(&left, first.at)?,
                Operator::And => !self.is_true(&left, first.at)?,
                _ => {
                    let right = self.evaluate(node)?;
                    left = self.operate(&left, *operator, &right, first.at.to(node.at))?;
                    continue;
                }
            };
            if !settled {
                left = self.evaluate(node)?.tainted(left.sensitive);
            }
        }
        Ok(left)
    }

    pub(crate) fn operate(
        &mut self,
        left: &RuntimeValue<'a>,
        operator: Operator,
        right: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let length = |side: &RuntimeValue<'_>| side.value().as_str().map_or(0, str::len);
        self.work((length(left) + length(right)) / 256, at)?;
        if operator == Operator::Plus
            && let Some(made) = self.put_together(left, right, at)
        {
            return made;
        }
        left.decide(at)?;
        right.decide(at)?;
        let data = match operator {
            Operator::Equal | Operator::Differs => {
                Data::Bool(self.same(left, right, at)? == (operator == Operator::Equal))
            }
            Operator::Less => Data::Bool(order(left, right, at)?.is_lt()),
            Operator::AtMost => Data::Bool(order(left, right, at)?.is_le()),
            Operator::More => Data::Bool(order(left, right, at)?.is_gt()),
            Operator::AtLeast => Data::Bool(order(left, right, at)?.is_ge()),
            _ => calculate(left, operator, right, at)?,
        };
        Ok(self.value(data))
    }

    /// The result of `+` on two texts or two lists, if it is that.
    fn put_together(
        &mut self,
        left: &RuntimeValue<'a>,
        right: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Option<Result<RuntimeValue<'a>>> {
        if is_text(left) && is_text_or_unknown(right) || is_text_or_unknown(left) && is_text(right) {
            return Some(self.joined(left, right, at));
        }
        let lists = left.value().as_list().is_some() && right.value().as_list().is_some();
        lists.then(|| self.both(left, right, at))
    }

    fn joined(
        &mut self,
        left: &RuntimeValue<'a>,
        right: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let mut writer = Writer::new(at);
        writer.runtime_value(left, Form::Text)?;
        writer.runtime_value(right, Form::Text)?;
        self.written(writer, at)
    }

    fn both(
        &mut self,
        left: &RuntimeValue<'a>,
        right: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let mut items = self.items(left, at)?;
        items.extend(self.items(right, at)?);
        let role = if left.role == right.role { left.role } else { Role::Plain };
        Ok(self.list(items, at)?.with_role(role).tainted(left.sensitive || right.sensitive))
    }

    fn same(&mut self, left: &RuntimeValue<'a>, right: &RuntimeValue<'a>, at: ByteRange) -> Result<bool> {
        for side in [left, right] {
            self.weigh(side, at)?;
            side.decide_on_all(at)?;
        }
        if left.value().has_unknown() || right.value().has_unknown() {
            return Err(Problem::unknown(at, "whether these are the same"));
        }
        Ok(left.value().same_data(right.value()))
    }
}

/// The order of two values: numbers, or texts.
pub(super) fn order(left: &RuntimeValue<'_>, right: &RuntimeValue<'_>, at: ByteRange) -> Result<Ordering> {
    left.decide(at)?;
    right.decide(at)?;
    let order = match (left.data(), right.data()) {
        (Data::Int(a), Data::Int(b)) => Some(a.cmp(b)),
        (Data::Int(_) | Data::Float(_), Data::Int(_) | Data::Float(_)) => {
            number(left).partial_cmp(&number(right))
        }
        (Data::String(a), Data::String(b)) => Some(a.cmp(b)),
        (Data::Unknown(_), _) | (_, Data::Unknown(_)) => {
            return Err(Problem::unknown(at, "which of these comes first"));
        }
        (Data::List(_), Data::List(_)) => {
            return Err(Problem::unsupported(at, "comparing a list with a list"));
        }
        _ => None,
    };
    order.ok_or_else(|| {
        Problem::mismatch(at, format!("{} cannot be compared with {}", kind(left), kind(right)))
    })
}

fn is_text(value: &RuntimeValue<'_>) -> bool {
    match value.data() {
        Data::String(_) => true,
        Data::Unknown(expression) => match &expression.parts[..] {
            [Part::Reference(_)] => false,
            [Part::Text(open)] => is_surely_text(open),
            _ => true,
        },
        _ => false,
    }
}

fn is_text_or_unknown(value: &RuntimeValue<'_>) -> bool {
    is_text(value) || value.is_unknown()
}

fn number(value: &RuntimeValue<'_>) -> Option<f64> {
    match value.data() {
        Data::Int(number) => Some(*number as f64),
        Data::Float(number) => Some(*number),
        _ => None,
    }
}

fn calculate(
    left: &RuntimeValue<'_>,
    operator: Operator,
    right: &RuntimeValue<'_>,
    at: ByteRange,
) -> Result<Data> {
    let numbers = match (left.data(), right.data()) {
        (Data::Unknown(_), _) | (_, Data::Unknown(_)) => {
            return Err(Problem::unknown(at, "this result"));
        }
        (Data::Int(a), Data::Int(b)) => return whole(*a, operator, *b, at).map(Data::Int),
        _ => number(left).zip(number(right)),
    };
    let (a, b) = numbers.ok_or_else(|| {
        if let Some(sign) = only_ruby(left, operator, right) {
            return Problem::unsupported(at, format_args!("`{sign}` of {} and {}", kind(left), kind(right)));
        }
        Problem::mismatch(at, format!("{} and {} cannot be put together so", kind(left), kind(right)))
    })?;
    Ok(Data::Float(match operator {
        Operator::Plus => a + b,
        Operator::Minus => a - b,
        Operator::Times => a * b,
        Operator::By => a / b,
        _ => a - b * (a / b).floor(),
    }))
}

/// The operator, if Ruby supports it for such values and this interpreter does not.
fn only_ruby(left: &RuntimeValue<'_>, operator: Operator, right: &RuntimeValue<'_>) -> Option<&'static str> {
    match (left.data(), operator, right.data()) {
        (Data::String(_), Operator::Rest, _) => Some("%"),
        (Data::String(_) | Data::List(_), Operator::Times, Data::Int(_) | Data::Float(_))
        | (Data::List(_), Operator::Times, Data::String(_)) => Some("*"),
        (Data::List(_), Operator::Minus, Data::List(_)) => Some("-"),
        _ => None,
    }
}

/// Integer arithmetic as in Ruby: quotients are rounded down.
fn whole(a: i64, operator: Operator, b: i64, at: ByteRange) -> Result<i64> {
    if b == 0 && matches!(operator, Operator::By | Operator::Rest) {
        return Err(Problem::mismatch(at, "a number is divided by 0"));
    }
    let down = |quotient: i64| {
        if a % b != 0 && a.is_negative() != b.is_negative() { quotient - 1 } else { quotient }
    };
    let result = match operator {
        Operator::Plus => a.checked_add(b),
        Operator::Minus => a.checked_sub(b),
        Operator::Times => a.checked_mul(b),
        Operator::By => a.checked_div(b).map(down),
        _ => a
            .checked_rem(b)
            .map(|rest| if rest != 0 && rest.is_negative() != b.is_negative() { rest + b } else { rest }),
    };
    result.ok_or_else(|| too_big(at))
}

pub(super) fn too_big(at: ByteRange) -> Problem {
    Problem::limit(at, "this number is too big")
}
