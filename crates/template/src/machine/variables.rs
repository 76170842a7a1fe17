use std::sync::Arc;

use litemap::LiteMap;
use model::Data;

use crate::{ByteRange, Problem, runtime_value::RuntimeValue, tree::Operator};

use super::{Machine, Result};

impl<'a> Machine<'a> {
    pub(crate) fn enter(&mut self) {
        self.frames.push(LiteMap::new());
    }

    pub(crate) fn leave(&mut self) {
        self.frames.pop();
    }

    /// Sets a variable of the innermost block.
    pub(crate) fn declare(&mut self, name: &Arc<str>, value: RuntimeValue<'a>) {
        if let Some(frame) = self.frames.last_mut() {
            frame.insert(name.clone(), Ok(value));
        }
    }

    /// Sets a variable in the block that has it, or else in the innermost one.
    pub(crate) fn assign(&mut self, name: &Arc<str>, to: Result<RuntimeValue<'a>>) {
        let known = self.frames.iter().rposition(|frame| frame.contains_key(name));
        let frame = known.unwrap_or(self.frames.len().saturating_sub(1));
        if let Some(frame) = self.frames.get_mut(frame) {
            frame.insert(name.clone(), to);
        }
    }

    /// The value of a variable; nil if it was not set, as in Ruby.
    pub(crate) fn variable(&self, name: &str) -> Result<RuntimeValue<'a>> {
        let known = self.frames.iter().rev().find_map(|frame| frame.get(name));
        known.cloned().unwrap_or_else(|| Ok(self.nil()))
    }

    /// The value of a variable after something is appended to its list or text.
    pub(crate) fn append(
        &mut self,
        name: &str,
        new: RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let old = self.variable(name)?;
        if old.value().as_list().is_none() {
            return self.operate(&old, Operator::Plus, &new, at);
        }
        self.weigh(&new, at)?;
        let role = old.role;
        drop(old);
        let list = self.take(name)?;
        if list.is_shared() {
            // In Ruby the other references to the list would see the change.
            return Err(Problem::unsupported(
                at,
                format_args!("`<<` on a list that is not `{name}`'s alone"),
            ));
        }
        let mut list = list.into_value();
        if let Data::List(items) = &mut list.data {
            items.push(new.into_value());
        }
        Ok(RuntimeValue::own(list).with_role(role))
    }

    /// Takes a variable's value out of it.
    fn take(&mut self, name: &str) -> Result<RuntimeValue<'a>> {
        let nil = self.nil();
        let known = self.frames.iter_mut().rev().find_map(|frame| frame.get_mut(name));
        known.map_or(Ok(nil.clone()), |known| std::mem::replace(known, Ok(nil)))
    }
}
