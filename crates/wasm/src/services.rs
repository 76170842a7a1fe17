//! Questions about services, and services in memory. JavaScript has a class for them and keeps their numbers.

use wasm_bindgen::prelude::*;

use crate::{
    Workspace,
    answer::{self, Answer},
    argument, failure, parts,
};

/// A question about services: its name, and its argument where it has one. One function for all of them, because each export
/// makes the core larger. JavaScript has a method for each question. `execute` is a command for a service in memory.
///
/// # Errors
/// `wasm/bad-argument` if there is no such question or argument, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = askServices)]
pub fn ask_services(workspace: &mut Workspace, question: &str, argument: JsValue) -> Answer {
    let argument = argument::text(&argument, "argument")?;
    let services = parts::services()?;
    let answer = match question {
        "execute" => services.execute(workspace.ready(), parts::service_commands()?, &argument),
        _ => services.ask(workspace.ready(), question, &argument),
    };
    match answer {
        Some(answer) => answer::parsed(&answer),
        None => Err(failure::bad_argument("`argument` is unknown, or the service is closed")),
    }
}
