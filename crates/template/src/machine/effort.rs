//! Limits of the work for one text: the number of steps, and the depth of values.

use model::{Data, Value};

use crate::{ByteRange, Problem, runtime_value::RuntimeValue};

use super::{Machine, Result};

/// The highest number of steps for one text: about a second at worst.
const MAX_STEPS: usize = 1_000_000;

/// The highest depth of a value that is computed.
const MAX_VALUE_DEPTH: usize = 200;

impl<'a> Machine<'a> {
    /// Counts work; `at` is the place of the problem if it is too much.
    pub(crate) fn work(&mut self, steps: usize, at: ByteRange) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            return Err(Problem::limit(at, "this is too much work for a preview"));
        }
        Ok(())
    }

    /// Counts the cost of copying or comparing a value, and refuses values that are too deep.
    pub(super) fn weigh(&mut self, operand: &RuntimeValue<'_>, at: ByteRange) -> Result<()> {
        let weight = weight(operand.value(), MAX_VALUE_DEPTH);
        let weight = weight.ok_or_else(|| Problem::limit(at, "this value is nested too deep"))?;
        self.work(weight, at)
    }

    /// Counts the cost of taking a part out of a value.
    pub(super) fn taken(&mut self, part: RuntimeValue<'a>, at: ByteRange) -> Result<RuntimeValue<'a>> {
        if part.is_own() {
            self.weigh(&part, at)?;
        }
        Ok(part)
    }
}

/// The cost of a copy; `None` if it is deeper than `depth`.
fn weight(value: &Value, depth: usize) -> Option<usize> {
    let depth = depth.checked_sub(1)?;
    match &value.data {
        Data::List(items) => items.iter().try_fold(1, |sum, item| Some(sum + weight(item, depth)?)),
        Data::Map(map) => map.values().try_fold(1, |sum, item| Some(sum + 1 + weight(item, depth)?)),
        Data::Unknown(expression) => Some(1 + expression.parts.len()),
        Data::String(text) => Some(1 + text.len() / 256),
        Data::Null | Data::Bool(_) | Data::Int(_) | Data::Float(_) => Some(1),
    }
}
