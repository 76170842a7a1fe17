//! The function `solve`: problems whose variables and constraints are written in JavaScript.

use ::workspace::view::{Outcome, SolveEventView};
use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::{
    answer::{self, Answer},
    argument, failure, parts,
};

/// The answer to a problem. `expand` tells of variables that are not there; `hooks` are called along.
///
/// # Errors
/// `wasm/bad-argument` for an argument of another form, `capability/not-loaded` where its part is not loaded.
#[wasm_bindgen(skip_typescript, js_name = solveProblem)]
pub fn solve_problem(problem: JsValue, expand: JsValue, hooks: JsValue, steps: JsValue) -> Answer {
    let text = match problem.as_string() {
        Some(text) => text,
        None => argument::json(&problem, "problem")?,
    };
    let mut callbacks = ScriptCallbacks {
        expand: function(&expand, "expand")?,
        before: member(&hooks, "before")?,
        trace: member(&hooks, "trace")?,
        after: member(&hooks, "after")?,
        is_cancelled: member(&hooks, "isCancelled")?,
        thrown: std::cell::RefCell::default(),
    };
    let lazily = callbacks.expand.is_some();
    let answer = parts::versions()?.solve(&text, lazily, number(&steps)?, &mut callbacks);
    match callbacks.thrown.into_inner() {
        Some(thrown) => Err(thrown),
        None => answer::parsed(&answer),
    }
}

fn number(steps: &JsValue) -> Result<Option<u64>, JsValue> {
    if steps.is_undefined() || steps.is_null() {
        return Ok(None);
    }
    let wrong = || failure::bad_argument("`steps` must be a positive number");
    let steps = steps.as_f64().filter(|it| it.is_finite() && *it >= 1.0).ok_or_else(wrong)?;
    Ok(Some(steps as u64))
}

fn function(value: &JsValue, name: &str) -> Result<Option<Function>, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(None);
    }
    let wrong = |_| failure::bad_argument(&format!("`{name}` must be a function"));
    value.clone().dyn_into().map(Some).map_err(wrong)
}

fn member(hooks: &JsValue, name: &str) -> Result<Option<Function>, JsValue> {
    if hooks.is_undefined() || hooks.is_null() {
        return Ok(None);
    }
    function(&Reflect::get(hooks, &name.into())?, name)
}

/// The functions of the calling program. The first that throws ends the search, and its error is thrown on.
struct ScriptCallbacks {
    expand: Option<Function>,
    before: Option<Function>,
    trace: Option<Function>,
    after: Option<Function>,
    is_cancelled: Option<Function>,
    thrown: std::cell::RefCell<Option<JsValue>>,
}

impl ScriptCallbacks {
    fn call(&self, function: Option<&Function>, argument: &JsValue) -> JsValue {
        let Some(function) = function.filter(|_| self.thrown.borrow().is_none()) else {
            return JsValue::UNDEFINED;
        };
        function.call1(&JsValue::UNDEFINED, argument).unwrap_or_else(|thrown| {
            *self.thrown.borrow_mut() = Some(thrown);
            JsValue::UNDEFINED
        })
    }
}

impl ::versions::SolverCallbacks for ScriptCallbacks {
    fn expand(&mut self, id: &str) -> Option<String> {
        let answer = self.call(self.expand.as_ref(), &id.into());
        if answer.is_undefined() || answer.is_null() {
            return None;
        }
        match argument::json(&answer, "what `expand` returns") {
            Ok(json) => Some(format!("{{\"format\": \"planloom.problem/1\", \"variables\": {json}}}")),
            Err(wrong) => {
                self.thrown.borrow_mut().get_or_insert(wrong);
                None
            }
        }
    }

    fn before(&mut self, variables: usize) {
        self.call(self.before.as_ref(), &(variables as f64).into());
    }

    fn trace(&mut self, event: &SolveEventView) {
        if self.trace.is_some()
            && let Ok(event) = answer::plain(event)
        {
            self.call(self.trace.as_ref(), &event);
        }
    }

    fn after(&mut self, outcome: Outcome) {
        self.call(self.after.as_ref(), &outcome.as_str().into());
    }

    fn is_cancelled(&self) -> bool {
        self.thrown.borrow().is_some()
            || self.call(self.is_cancelled.as_ref(), &JsValue::UNDEFINED).is_truthy()
    }
}
