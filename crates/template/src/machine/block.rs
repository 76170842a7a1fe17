use std::sync::Arc;

use crate::{
    runtime_value::RuntimeValue,
    tree::{Block, CallTarget},
};

use super::{Machine, Result, method::CallArguments};

impl<'a> Machine<'a> {
    /// The result of a block for some arguments.
    pub(super) fn apply(&mut self, block: &Block, call: Vec<RuntimeValue<'a>>) -> Result<RuntimeValue<'a>> {
        match block {
            Block::Code { params, body } => {
                self.work(1, body.at)?;
                self.enter();
                self.bind(params, call);
                let made = self.evaluate(body);
                self.leave();
                made
            }
            Block::Symbol { name, at } => {
                self.work(1, *at)?;
                let on = call.into_iter().next().unwrap_or_else(|| self.nil());
                let what = CallTarget::Name(name.clone());
                match crate::methods::Signature::of(name) {
                    Some(_) => {
                        self.method(on, name, CallArguments { args: &[], named: &[], block: None, at: *at })
                    }
                    None => self.call(on, &crate::tree::Call { at: *at, what, safe: false }),
                }
            }
        }
    }

    /// Assigns values to parameters; a list that is the only value is spread over several parameters, missing
    /// ones are nil.
    pub(crate) fn bind(&mut self, params: &[Arc<str>], call: Vec<RuntimeValue<'a>>) {
        let spread = match &call[..] {
            [one] if params.len() > 1 => one.elements(),
            _ => None,
        };
        let mut given = spread.unwrap_or(call).into_iter();
        for name in params {
            let value = given.next().unwrap_or_else(|| self.nil());
            self.declare(name, value);
        }
    }
}
