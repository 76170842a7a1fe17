use model::{Data, Step};

use crate::{ByteRange, Problem, runtime_value::RuntimeValue};

use super::{Machine, Result, kind};

impl<'a> Machine<'a> {
    /// `on[index]`
    pub(super) fn index(
        &mut self,
        on: &RuntimeValue<'a>,
        index: &RuntimeValue<'a>,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        index.decide(at)?;
        let step = match (on.data(), index.data()) {
            (Data::Map(_) | Data::Unknown(_), Data::String(key)) => Step::Key(key.clone()),
            (Data::List(items), Data::Int(nth)) => match place(*nth, items.len()) {
                Some(nth) => Step::Index(nth),
                None => return Ok(self.nil()),
            },
            (Data::Unknown(_), Data::Int(nth)) if *nth >= 0 => {
                Step::Index(usize::try_from(*nth).unwrap_or(usize::MAX))
            }
            (_, Data::Unknown(_)) => return Err(Problem::unknown(at, "the index in `[…]`")),
            (Data::String(_), _) => return Err(Problem::unsupported(at, "`[…]` of text")),
            (_, _) => {
                let message = format!("`[…]` with {} is not supported for {}", kind(index), kind(on));
                return Err(Problem::mismatch(at, message));
            }
        };
        if on.is_unknown() {
            return on.child(&step).ok_or_else(|| Problem::unknown(at, "the content of this text"));
        }
        let part = on.child(&step).unwrap_or_else(|| self.nil().tainted(on.sensitive));
        self.taken(part, at)
    }
}

/// An index that may count from the end.
pub(super) fn place(nth: i64, count: usize) -> Option<usize> {
    match usize::try_from(nth) {
        Ok(nth) => Some(nth),
        Err(_) => count.checked_sub(usize::try_from(nth.unsigned_abs()).ok()?),
    }
}
