//! The forms of the Golem application model: ports and start commands (source: dapp-runner's model).

mod commands;
mod port;

use crate::{Shape, builtin, form::Form};

pub(crate) use commands::command_shape;

/// All of them.
pub(crate) const FORMS: [&dyn Form; 2] = [&port::Port, &commands::Commands];

/// The maps that JSON Schemas of forms refer to by name.
pub(crate) fn map_forms() -> [(&'static str, &'static Shape); 2] {
    [("port", port::Port.canonical()), ("command", command_shape())]
}

/// The map form of a port or a command, as the built-in definitions have it.
fn map_form(name: &str) -> Shape {
    let (fields, open) =
        builtin::forms().kind(name).map(|it| (it.fields.clone(), it.open)).unwrap_or_default();
    Shape::Object { fields, open }
}
