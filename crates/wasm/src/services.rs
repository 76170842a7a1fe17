//! Questions about services, and services in memory. JavaScript has a class for them and keeps their numbers.

use wasm_bindgen::prelude::*;

use crate::{
    Workspace,
    answer::{self, Answer},
    argument, failure, parts,
};

/// A question about services: its name, and its argument where it has one. One function for all of them, because each export
/// makes the core larger. JavaScript has a method for each question.
///
/// # Errors
/// `wasm/bad-argument` if there is no such question or argument, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = askServices)]
pub fn ask_services(workspace: &mut Workspace, question: &str, argument: JsValue) -> Answer {
    let argument = argument::text(&argument, "argument")?;
    match parts::services()?.ask(workspace.ready(), question, &argument) {
        Some(answer) => answer::parsed(&answer),
        None => Err(failure::bad_argument("`argument` is unknown, or the service is closed")),
    }
}
