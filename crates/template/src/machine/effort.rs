//! What is done for one text is bounded: in number of steps, and in how deep values are.

use model::{Data, Value};

use crate::{ByteRange, Problem, runtime_value::RuntimeValue};

use super::{Machine, Result};

/// How much is done for one text: about a second at worst.
const MAX_STEPS: usize = 1_000_000;

/// How deep a value that is put together may be.
const MAX_VALUE_DEPTH: usize = 200;

impl<'a> Machine<'a> {
    /// Counts work; `at` is where it is too much.
    pub(crate) fn work(&mut self, steps: usize, at: ByteRange) -> Result<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS {
            return Err(Problem::limit(at, "this is too much work for a preview"));
        }
        Ok(())
    }

    /// Counts what it costs to copy or compare a value, and refuses to put values into each other without end.
    pub(super) fn weigh(&mut self, operand: &RuntimeValue<'_>, at: ByteRange) -> Result<()> {
        let weight = weight(operand.value(), MAX_VALUE_DEPTH);
        let weight = weight.ok_or_else(|| Problem::limit(at, "this value is nested too deep"))?;
        self.work(weight, at)
    }

    /// Counts what it cost to take something out of a value.
    pub(super) fn taken(&mut self, part: RuntimeValue<'a>, at: ByteRange) -> Result<RuntimeValue<'a>> {
        if part.is_own() {
            self.weigh(&part, at)?;
        }
        Ok(part)
    }
}

/// How much work a copy is; `None` if it is deeper than `depth`.
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
