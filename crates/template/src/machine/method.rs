use std::sync::Arc;

use model::{Data, Step};

use crate::{
    ByteRange, Problem,
    runtime_value::{Role, RuntimeValue},
    tree::{Block, Node},
    write::{Form, Writer},
};

use super::{Machine, Result, kind, link::INSTANCE, operators::too_big};

/// The arguments of a method call.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallArguments<'n> {
    pub(super) args: &'n [Node],
    pub(super) named: &'n [(Arc<str>, Node)],
    pub(super) block: Option<&'n Block>,
    pub(super) at: ByteRange,
}

impl CallArguments<'_> {
    const fn is_bare(&self) -> bool {
        self.args.is_empty() && self.named.is_empty() && self.block.is_none()
    }
}

impl<'a> Machine<'a> {
    pub(super) fn method(
        &mut self,
        on: RuntimeValue<'a>,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        if reveals_value(name) {
            on.decide(call.at)?;
        }
        match name {
            "else" => return self.otherwise(on, call),
            "nil?" => return self.nil_test(&on, call.at),
            "to_s" => return self.write(&on, Form::Text, call.at),
            "to_json" => return self.write(&on, Form::Json, call.at),
            "inspect" => return self.write(&on, Form::Shown, call.at),
            _ => {}
        }
        match (on.role, on.data()) {
            (Role::Link(link), _) => self.of_link(&on, link, name, call),
            (Role::Instance, Data::Map(_)) => self.of_instance(&on, name, call),
            (Role::Properties, Data::Map(_)) if call.is_bare() => self.key(&on, name, call.at),
            (Role::Properties, Data::Unknown(_)) if call.is_bare() => self.key(&on, name, call.at),
            (_, Data::List(_)) => self.of_list(&on, name, call),
            (_, Data::Map(_)) => self.of_map(&on, name, call),
            (_, Data::String(text)) => self.of_text(&on, &text.clone(), name, call),
            (_, Data::Int(_)) if name == "to_i" => Ok(on),
            (_, Data::Float(number)) if name == "to_i" && number.is_finite() => {
                let whole = number.trunc();
                // The greatest integer, as a floating-point number, is the first that is too large.
                if !(i64::MIN as f64..i64::MAX as f64).contains(&whole) {
                    return Err(too_big(call.at));
                }
                Ok(self.value(Data::Int(whole as i64)).tainted(on.sensitive))
            }
            (_, Data::Unknown(_)) => Err(Problem::unknown(call.at, format_args!("`{name}` of this"))),
            _ => Err(no_method(&on, name, call.at)),
        }
    }

    fn otherwise(&mut self, on: RuntimeValue<'a>, call: CallArguments<'_>) -> Result<RuntimeValue<'a>> {
        if on.role != Role::Absent {
            return Ok(on);
        }
        match (call.args, call.block) {
            ([value, ..], _) => self.evaluate(value),
            ([], Some(block)) => self.apply(block, Vec::new()),
            ([], None) => Ok(self.nil()),
        }
    }

    fn nil_test(&self, on: &RuntimeValue<'a>, at: ByteRange) -> Result<RuntimeValue<'a>> {
        if on.is_unknown() {
            return Err(Problem::unknown(at, "whether this is nil"));
        }
        Ok(self.value(Data::Bool(on.is_nil())).tainted(on.sensitive))
    }

    /// A value as text.
    pub(super) fn write(
        &mut self,
        value: &RuntimeValue<'a>,
        form: Form,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let mut writer = Writer::new(at);
        writer.runtime_value(value, form)?;
        self.written(writer, at)
    }

    /// `on.name`, where `name` is not a supported method.
    pub(super) fn key(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        at: ByteRange,
    ) -> Result<RuntimeValue<'a>> {
        let child = || on.child(&Step::Key(name.into()));
        match (on.role, on.data()) {
            (Role::Link(_), _) => self.key_of_link(on, name, at),
            (Role::Instance, Data::Map(_)) => self.key_of_instance(on, name, at),
            (Role::Properties, Data::Map(_)) => {
                let part = child().unwrap_or_else(|| self.nil());
                self.taken(part, at)
            }
            (Role::Properties | Role::Instance | Role::Instances, Data::Unknown(_)) => {
                child().ok_or_else(|| Problem::unknown(at, format_args!("`{name}` of this")))
            }
            (_, Data::Map(_)) if child().is_some() => {
                let message = format!("a map has no `{name}`; its key is read with [\"{name}\"]");
                Err(Problem::mismatch(at, message))
            }
            (_, Data::Null) => Err(no_method(on, name, at)),
            (_, Data::Unknown(_)) => Err(Problem::unknown(at, format_args!("`{name}` of this"))),
            _ => Err(Problem::unsupported(at, format_args!("`{name}` of {}", kind(on)))),
        }
    }

    fn of_instance(
        &mut self,
        on: &RuntimeValue<'a>,
        name: &str,
        call: CallArguments<'_>,
    ) -> Result<RuntimeValue<'a>> {
        match name {
            "p" => self.property(&self.properties_of(on), call.args, call.at),
            "if_p" => self.if_property(&self.properties_of(on), call.args, call.block),
            _ => self.key_of_instance(on, name, call.at),
        }
    }

    fn key_of_instance(&self, on: &RuntimeValue<'a>, name: &str, at: ByteRange) -> Result<RuntimeValue<'a>> {
        if name == "properties" {
            return Ok(self.properties_of(on));
        }
        match on.child(&Step::Key(name.into())) {
            Some(child) => Ok(child),
            None if INSTANCE.contains(&name) => Ok(self.nil()),
            None => {
                let message = format!("an instance has no `{name}`; it has {}", INSTANCE.join(", "));
                Err(Problem::mismatch(at, message))
            }
        }
    }
}

/// True if the result of a method reveals something about a value other than as text.
fn reveals_value(name: &str) -> bool {
    let tests = ["nil?", "empty?", "include?", "key?", "has_key?", "start_with?", "end_with?"];
    tests.contains(&name) || matches!(name, "size" | "length" | "count" | "split")
}

/// The problem that a method is not supported for such a value.
pub(super) fn no_method(on: &RuntimeValue<'_>, name: &str, at: ByteRange) -> Problem {
    Problem::mismatch(at, format!("{} has no `{name}`", kind(on)))
}
